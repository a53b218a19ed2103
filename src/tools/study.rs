//! Tools to study games: replay a log, analyse its positions, review its moves, on the page for the browser too; solve a
//! position; convert it.

pub mod analyze;
pub mod convert;
pub mod puzzles;
pub mod replay;
pub mod review;
pub mod solve;

use crate::console::{complain, visible};
use crate::tools::record::replayed::Replayed;
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
