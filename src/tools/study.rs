//! Tools to study games: replay a log, analyse its positions, review its moves, on the page for the browser too; solve a
//! position; convert it.

pub mod analyze;
pub mod convert;
pub mod puzzles;
pub mod replay;
pub mod review;
pub mod solve;

use base::workers;
use engine::console::{complain, visible};
use record::replayed::Replayed;
use std::fmt::Display;

/// Says on standard error what is odd about a record, or was assumed of it.
fn complain_of_remark(title: &impl Display, game: &Replayed) {
    if let Some(remark) = game.remark() {
        complain(format_args!(
            "amazons: {}: remark: {}",
            visible(&title.to_string()),
            visible(&remark)
        ));
    }
}

/// Returns the exit code of a tool that may be interrupted, and may have found games that can't be read.
fn exit_code(is_interrupted: bool, is_whole: bool) -> u8 {
    match (is_interrupted, is_whole) {
        (true, _) => workers::INTERRUPTED,
        (false, false) => 2,
        (false, true) => 0,
    }
}
