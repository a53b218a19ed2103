//! [`ProofFile`], the file of `amazons solve --keep`. Its content depends only on positions, so different games can
//! share one file. Its parts, in this order:
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

/// First line of the proof file, with the number of its format. Increase the number if the meaning of the records or
/// the hash keys of positions change.
const FIRST_LINE: &[u8] = b"amazons solve, format 1\n";

/// Size in bytes of one of the three integers of a record in the proof file, which stores them in little-endian order.
const WORD_BYTES: usize = size_of::<u64>();
/// Size in bytes of a record in the proof file. A record stores one entry of the solver's transposition table as three
/// 64-bit integers.
const RECORD_BYTES: usize = size_of::<SerializedEntry>();

/// Minimum time between two writes of the file.
const MIN_WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Minimum time between two writes of the file, as a multiple of the duration of the last write. A multiple of 10
/// limits writing to a tenth of the time.
const MIN_INTERVAL_PER_WRITE_TIME: u32 = 10;

/// Proof file that is saved repeatedly while the solver works.
pub struct ProofFile {
    target: OutputFile,
    table: Arc<Table>,
    /// Earliest time at which [`ProofFile::write_if_due`] writes the file again.
    next_write: Instant,
    has_failed: bool,
}

impl ProofFile {
    /// Opens the proof file `path` and adds its entries to the solver's transposition table. If the file is missing,
    /// the first write creates it.
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

    /// Writes the file if the minimum time since the last write has passed; otherwise does nothing.
    ///
    /// # Errors
    /// If writing fails for the first time. Later failures are not reported, because the next call tries again anyway.
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

    /// Writes the proof file: the entries of the solver's transposition table below whose position at least 3 nodes
    /// were searched. The previous file is replaced only after the new one is complete.
    ///
    /// # Errors
    /// If the file can't be written. The message names the file.
    pub fn write(&self) -> Result<(), ToolError> {
        let mut bytes = FIRST_LINE.to_vec();
        // `for_each` is faster than a `for` loop here, because it skips the empty entries of the table in an inner
        // loop.
        self.table.serialized_entries().for_each(|record| {
            let words = record.map(u64::to_le_bytes);
            bytes.extend_from_slice(words.as_flattened());
        });
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        self.target.write(&bytes)
    }
}

/// Adds the entries in `content`, the content of a proof file, to `table`. Returns `None`, with the table unchanged, if
/// `content` is damaged or has another format.
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
        table.insert_serialized(std::array::from_fn(|at| u64::from_le_bytes(words[at])));
    }
    Some(())
}
