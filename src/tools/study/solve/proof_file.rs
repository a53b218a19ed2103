//! [`ProofFile`], the file of `amazons solve --keep`. It is about positions, not about games, so several games can use
//! one file. Its parts, in this order:
//!
//! - the first line, which names the format
//! - records of three 64-bit little-endian integers; each record is an entry of the solver's transposition table
//! - the CRC-32 checksum of all bytes before it, a 32-bit little-endian integer

use base::error::ToolError;
use base::files::OutputFile;
use solver::{SerializedEntry, Solver, Table};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// First line of the proof file, with the number of its format. Increase the number after a change that makes old files
/// unusable: another meaning of the records' integers, or other hash keys of positions.
const FIRST_LINE: &[u8] = b"amazons solve, format 1\n";

/// Size in bytes of one of the three integers of which a record in the proof file consists.
const INTEGER_BYTES: usize = size_of::<u64>();
/// Size in bytes of a record in the proof file: three 64-bit integers that store one entry of the solver's
/// transposition table.
const RECORD_BYTES: usize = size_of::<SerializedEntry>();

/// Minimum time from one write of the proof file to the next.
const MIN_WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// The time from one write of the proof file to the next is at least this many times as long as the last write took.
/// With 10, writing takes at most about a tenth of the time.
const MIN_INTERVAL_PER_WRITE_TIME: u32 = 10;

/// File of `amazons solve --keep`: stores the solver's transposition table, so that a later run continues the proof. The
/// file is saved repeatedly while the solver works.
pub struct ProofFile {
    target: OutputFile,
    table: Arc<Table>,
    /// Earliest time at which [`ProofFile::write_if_due`] writes the file again.
    next_write: Instant,
    has_failed: bool,
}

impl ProofFile {
    /// Reads the proof file `path`, and adds its records to the solver's transposition table. If the file does not
    /// exist, the first write creates it.
    ///
    /// # Errors
    /// If the file can't be written, if it is damaged, or if it has another format. The message names the file.
    pub fn open(path: &Path, solver: &Solver) -> Result<ProofFile, ToolError> {
        let table = solver.table();
        let expected = "a whole file of amazons solve --keep, format 1";
        let target = OutputFile::replacing_if(path, expected, |content| {
            load_records(content, &table).is_some()
        });
        Ok(ProofFile {
            target: target?,
            table,
            next_write: Instant::now() + MIN_WRITE_INTERVAL,
            has_failed: false,
        })
    }

    /// Writes the proof file if enough time has passed since the last write; otherwise does nothing.
    ///
    /// # Errors
    /// If writing fails for the first time. Later failures are not reported: the user knows of the first one, and each
    /// later call tries again.
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

    /// Writes the proof file: all entries of the solver's transposition table for which at least 3 nodes were searched.
    /// The old file is replaced only when the new one is complete.
    ///
    /// # Errors
    /// If the file can't be written. The message names the file.
    pub fn write(&self) -> Result<(), ToolError> {
        let mut bytes = FIRST_LINE.to_vec();
        // `for_each` is faster here than a `for` loop: it skips the empty entries of the table in an inner loop.
        self.table.serialized_entries().for_each(|record| {
            let words = record.map(u64::to_le_bytes);
            bytes.extend_from_slice(words.as_flattened());
        });
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        self.target.write(&bytes)
    }
}

/// Adds the records of a proof file to the solver's transposition table. `content` is the content of the file. Returns
/// `None`, with the table unchanged, if the file is damaged or has another format.
fn load_records(content: &[u8], table: &Table) -> Option<()> {
    let (content, checksum) = content.split_last_chunk()?;
    let (records, rest) = content
        .strip_prefix(FIRST_LINE)?
        .as_chunks::<RECORD_BYTES>();
    if !rest.is_empty() || crc32fast::hash(content).to_le_bytes() != *checksum {
        return None;
    }
    for record in records {
        let (words, _) = record.as_chunks::<INTEGER_BYTES>();
        table.insert_serialized(std::array::from_fn(|at| u64::from_le_bytes(words[at])));
    }
    Some(())
}
