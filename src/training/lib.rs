//! Tools that make the engine stronger: self-play, fitted weights, trained networks, tuned parameters.

mod book;
pub mod games;
mod measures;
pub mod merge;
mod order;
pub mod plots;
mod provenance;
pub mod samples;
pub mod selfplay;
pub mod spsa;
pub mod train;
mod trainer;
pub mod tune;
mod value;

use base::error::ToolError;
use base::files::Target;
use std::path::PathBuf;

/// Checks the file for the result of some work, if one is asked for: it is new, or begins with `start`, as such files do.
/// `what` names them in messages.
///
/// # Errors
/// If it can't be written, or is something else; the message names it.
fn target(path: &Option<PathBuf>, what: &str, start: &[u8]) -> Result<Option<Target>, ToolError> {
    let is_ours = |old: &[u8]| old.starts_with(start);
    let path = path.as_ref();
    path.map(|path| Target::replacing(path, what, is_ours))
        .transpose()
}

/// Reads a number from 0 to 1 on the command line.
fn share(word: &str) -> Result<f32, String> {
    let share = word.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
