//! A file of what was found, for the next run: a line that names it, the solver's records, and a check sum.
//!
//! What is proven of a position is true in every game, so the file belongs to none.

use base::error::ToolError;
use base::files::Target;
use solver::{Record, Solver, Table};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The first line. When records mean something else, or positions have other keys, the number is the next one.
const FIRST_LINE: &[u8] = b"amazons solve, format 1\n";

/// Bytes of a word, and of a record.
const WORD: usize = size_of::<u64>();
const RECORD: usize = size_of::<Record>();

/// Shortest time between two writes.
const PAUSE: Duration = Duration::from_secs(1);

/// Shortest time between two writes, as a multiple of what the last one took.
const PAUSE_PER_WRITE: u32 = 10;

/// A file that is written again and again while a solver works.
pub struct Kept {
    target: Target,
    table: Arc<Table>,
    /// When the file is due to be written.
    due: Instant,
    has_failed: bool,
}

impl Kept {
    /// Gives a solver what a file holds, if it is there.
    ///
    /// # Errors
    /// If it can't be written, or is damaged or something else; the message names it.
    pub fn open(path: &Path, solver: &Solver) -> Result<Kept, ToolError> {
        let table = solver.table();
        let what = "a whole file of amazons solve --keep, format 1";
        let target = Target::replacing(path, what, |content| take_over(content, &table).is_some());
        Ok(Kept {
            target: target?,
            table,
            due: Instant::now() + PAUSE,
            has_failed: false,
        })
    }

    /// Writes the file if that is due.
    ///
    /// # Errors
    /// If it can't be written, the first time only: the solver goes on, and so do the attempts.
    pub fn keep_up(&mut self) -> Result<(), ToolError> {
        let start = Instant::now();
        if start < self.due {
            return Ok(());
        }
        let written = self.write();
        self.due = Instant::now() + PAUSE.max(start.elapsed() * PAUSE_PER_WRITE);
        if written.is_err() && std::mem::replace(&mut self.has_failed, true) {
            return Ok(());
        }
        written
    }

    /// Writes what is worth keeping, as a whole.
    ///
    /// # Errors
    /// If it can't be written; the message names the file.
    pub fn write(&self) -> Result<(), ToolError> {
        let mut bytes = FIRST_LINE.to_vec();
        // Most entries of the table may be empty: a loop inside the iterator skips them faster.
        self.table.records().for_each(|record| {
            let words = record.map(u64::to_le_bytes);
            bytes.extend_from_slice(words.as_flattened());
        });
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        self.target.write(&bytes)
    }
}

/// Takes over the content of a file; nothing of one that is damaged or something else.
fn take_over(content: &[u8], table: &Table) -> Option<()> {
    let (content, sum) = content.split_last_chunk()?;
    let (records, rest) = content.strip_prefix(FIRST_LINE)?.as_chunks::<RECORD>();
    if !rest.is_empty() || crc32fast::hash(content).to_le_bytes() != *sum {
        return None;
    }
    for record in records {
        let (words, _) = record.as_chunks::<WORD>();
        table.put_record(std::array::from_fn(|at| u64::from_le_bytes(words[at])));
    }
    Some(())
}
