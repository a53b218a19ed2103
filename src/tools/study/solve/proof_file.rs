//! File of `amazons solve --keep`: a first line that names the format, the solver's proofs, and a CRC-32 checksum of
//! both.
//!
//! A proof depends only on its position, so different games can share one file.

use base::error::ToolError;
use base::files::OutputFile;
use solver::{Record, Solver, Table};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// First line of the file. Increase its number if the meaning of records or the hash keys of positions change.
const FIRST_LINE: &[u8] = b"amazons solve, format 1\n";

/// Size of a word of a record, in bytes; words are little-endian.
const WORD_BYTES: usize = size_of::<u64>();
/// Size of a record of the proof table (three words), in bytes.
const RECORD_BYTES: usize = size_of::<Record>();

/// Minimum time between two writes of the file.
const MIN_WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Minimum time between two writes as a multiple of the duration of the last write, so that writing takes little of the
/// time.
const MIN_INTERVAL_PER_WRITE_TIME: u32 = 10;

/// Proof file that is saved repeatedly while the solver works.
pub struct ProofFile {
    target: OutputFile,
    table: Arc<Table>,
    /// Earliest time of the next write.
    next_write: Instant,
    has_failed: bool,
}

impl ProofFile {
    /// Opens the file `path` and adds its records to the solver's table; a missing file is created by the first write.
    ///
    /// # Errors
    /// If the file can't be written, is damaged or has another format; the message names the file.
    pub fn open(path: &Path, solver: &Solver) -> Result<ProofFile, ToolError> {
        let table = solver.table();
        let expected = "a whole file of amazons solve --keep, format 1";
        let target = OutputFile::replacing(path, expected, |content| {
            load_records(content, &table).is_some()
        });
        Ok(ProofFile {
            target: target?,
            table,
            next_write: Instant::now() + MIN_WRITE_INTERVAL,
            has_failed: false,
        })
    }

    /// Writes the file if the next write is due.
    ///
    /// # Errors
    /// If this is the first write to fail. Later failures are not reported: the next due write tries again.
    pub fn write_if_due(&mut self) -> Result<(), ToolError> {
        let start = Instant::now();
        if start < self.next_write {
            return Ok(());
        }
        let written = self.write();
        self.next_write =
            Instant::now() + MIN_WRITE_INTERVAL.max(start.elapsed() * MIN_INTERVAL_PER_WRITE_TIME);
        if written.is_err() && std::mem::replace(&mut self.has_failed, true) {
            return Ok(());
        }
        written
    }

    /// Writes all records of the table and replaces the previous file as a whole.
    ///
    /// # Errors
    /// If the file can't be written; the message names the file.
    pub fn write(&self) -> Result<(), ToolError> {
        let mut bytes = FIRST_LINE.to_vec();
        // Most entries of the table may be empty; internal iteration with `for_each` skips them faster than a `for`
        // loop.
        self.table.records().for_each(|record| {
            let words = record.map(u64::to_le_bytes);
            bytes.extend_from_slice(words.as_flattened());
        });
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        self.target.write(&bytes)
    }
}

/// Adds the records of the file content `content` to `table`. Returns `None`, with the table unchanged, if the file is
/// damaged or has another format.
fn load_records(content: &[u8], table: &Table) -> Option<()> {
    let (content, checksum) = content.split_last_chunk()?;
    let (records, rest) = content
        .strip_prefix(FIRST_LINE)?
        .as_chunks::<RECORD_BYTES>();
    if !rest.is_empty() || crc32fast::hash(content).to_le_bytes() != *checksum {
        return None;
    }
    for record in records {
        let (words, _) = record.as_chunks::<WORD_BYTES>();
        table.insert_record(std::array::from_fn(|at| u64::from_le_bytes(words[at])));
    }
    Some(())
}
