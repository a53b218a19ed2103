//! Tools that study games: check a match log, search all positions, review the moves, find puzzles, solve a position,
//! convert game records.

pub mod analyze;
pub mod convert;
pub mod puzzles;
pub mod replay;
pub mod review;
pub mod solve;

use base::workers;
use engine::console::{escaped, print_error};
use record::checked_game::CheckedGame;
use std::fmt::Display;

/// Prints the warnings about the record of `game` on standard error, such as a value in a match log that can't be right.
/// Prints nothing if there are no warnings. `title` names the game in the output.
fn print_warnings(title: &impl Display, game: &CheckedGame) {
    if let Some(remark) = game.warning() {
        let title = title.to_string();
        let (title, remark) = (escaped(&title), escaped(&remark));
        print_error(format_args!("amazons: {title}: remark: {remark}"));
    }
}

/// Returns the exit code of a command: 130 if it was interrupted by Ctrl-C, else 2 if not all games could be read, else
/// 0.
fn exit_code(is_interrupted: bool, all_read: bool) -> u8 {
    match (is_interrupted, all_read) {
        (true, _) => workers::EXIT_INTERRUPTED,
        (false, false) => 2,
        (false, true) => 0,
    }
}
