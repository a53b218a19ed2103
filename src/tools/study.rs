//! Tools that study games: check a log, search its positions, review its moves, find puzzles, solve a position, convert
//! records.

pub mod analyze;
pub mod convert;
pub mod puzzles;
pub mod replay;
pub mod review;
pub mod solve;

use base::workers;
use engine::console::{complain, visible};
use record::checked_game::CheckedGame;
use std::fmt::Display;

/// Prints a game's remark on standard error: something odd about its record, or an assumption that was made to read it.
fn complain_of_remark(title: &impl Display, game: &CheckedGame) {
    if let Some(remark) = game.remark() {
        complain(format_args!(
            "amazons: {}: remark: {}",
            visible(&title.to_string()),
            visible(&remark)
        ));
    }
}

/// Returns the exit code of a tool: interrupted by Ctrl-C, else 2 if some game could not be read, else 0.
fn exit_code(is_interrupted: bool, all_read: bool) -> u8 {
    match (is_interrupted, all_read) {
        (true, _) => workers::EXIT_INTERRUPTED,
        (false, false) => 2,
        (false, true) => 0,
    }
}
