//! Tools that make the engine stronger: self-play, regression of evaluation weights, training of networks, and SPSA
//! tuning of search parameters.

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

use base::error::Result;
use base::files::OutputFile;
use std::path::PathBuf;

/// Checks that the output file `path` can be created or replaced, and returns it; `None` if `path` is `None`. Does not
/// change the file yet. It is called before a long computation, so that the user learns at once of a wrong path.
///
/// An existing file can be replaced only if it is empty or begins with `prefix`. `expected` describes such a file in
/// error messages.
///
/// # Errors
/// If the file can't be written, or is not empty and does not begin with `prefix`. The message names the file.
fn prepare_output(
    path: &Option<PathBuf>,
    expected: &str,
    prefix: &[u8],
) -> Result<Option<OutputFile>> {
    let is_ours = |old: &[u8]| old.starts_with(prefix);
    let path = path.as_ref();
    path.map(|path| OutputFile::replacing_if(path, expected, is_ours))
        .transpose()
}

/// Parses a number from 0 to 1, both included, from the command line.
///
/// # Errors
/// If `word` is not a number, or the number is outside this range.
fn parse_fraction(word: &str) -> Result<f32, String> {
    let fraction = word.parse().ok();
    fraction
        .filter(|fraction| (0.0..=1.0).contains(fraction))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
