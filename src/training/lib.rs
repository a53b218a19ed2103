//! Tools that make the engine stronger: self-play, regression of evaluation weights, training of networks, and SPSA tuning of
//! search parameters.

mod book;
pub mod games;
pub mod merge;
mod metrics;
pub mod plots;
mod policy;
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

/// Checks an optional output file before the work begins. An existing file may be replaced only if it is empty or begins
/// with `start`. `what` is the kind of file, for error messages.
///
/// # Errors
/// If the file can't be written, or if it holds something other than `what`. The message names the file.
fn target(path: &Option<PathBuf>, what: &str, start: &[u8]) -> Result<Option<Target>, ToolError> {
    let is_ours = |old: &[u8]| old.starts_with(start);
    let path = path.as_ref();
    path.map(|path| Target::replacing(path, what, is_ours))
        .transpose()
}

/// Parses a command-line value from 0 to 1.
fn share(word: &str) -> Result<f32, String> {
    let share = word.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
