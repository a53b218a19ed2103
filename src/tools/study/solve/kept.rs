//! A file of what was found, for the next run: a line that names it, the solver's records, and a check sum.
//!
//! What is proven of a position is true in every game, so the file belongs to none.

use crate::mcts::solver::{Record, Solver};
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use std::path::Path;

/// The first line. When records mean something else, or positions have other keys, the number is the next one.
const FIRST_LINE: &[u8] = b"amazons solve, format 1\n";

/// Bytes of a word, and of a record.
const WORD: usize = size_of::<u64>();
const RECORD: usize = size_of::<Record>();

/// Takes a solver over what a file holds, if it is there. Returns the file, to be written at the end.
///
/// # Errors
/// If it can't be written, or is damaged or something else; the message names it.
pub fn open(path: &Path, solver: &Solver) -> Result<Target, ToolError> {
    let what = "a whole file of amazons solve --keep, format 1";
    Target::replacing(path, what, |content| take_over(content, solver).is_some())
}

/// Writes what is worth keeping, as a whole.
///
/// # Errors
/// If it can't be written; the message names the file.
pub fn write(target: &Target, solver: &Solver) -> Result<(), ToolError> {
    let mut bytes = FIRST_LINE.to_vec();
    bytes.extend(solver.records().flatten().flat_map(u64::to_le_bytes));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    target.write(&bytes)
}

/// Takes over the content of a file; nothing of one that is damaged or something else.
fn take_over(content: &[u8], solver: &Solver) -> Option<()> {
    let (content, sum) = content.split_last_chunk()?;
    let (records, rest) = content.strip_prefix(FIRST_LINE)?.as_chunks::<RECORD>();
    if !rest.is_empty() || crc32fast::hash(content).to_le_bytes() != *sum {
        return None;
    }
    for record in records {
        let (words, _) = record.as_chunks::<WORD>();
        solver.remember(std::array::from_fn(|at| u64::from_le_bytes(words[at])));
    }
    Some(())
}
