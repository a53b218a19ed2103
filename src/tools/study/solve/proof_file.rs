//! [`ProofFile`], the file of `amazons solve --keep`: contains the solver's transposition table (what is known about
//! each searched position), so that a later run continues the proof. Several games can use one file. Its parts, in this
//! order:
//!
//! - the first line, which names the format
//! - records, each an entry of the transposition table as three 64-bit little-endian integers: bits of the position's
//!   first hash, its second hash, and what is known about the winner (see [`SerializedEntry`])
//! - the CRC-32 checksum of all preceding bytes of the file, a 32-bit little-endian integer

use base::error::Result;
use base::files::OutputFile;
use solver::{SerializedEntry, Solver, Table};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// First line of the proof file; the number at its end is the version of the file's format. Increase the number if old
/// files can't be used any longer: after a change of the meaning of the records' integers, or of the hash keys of
/// positions.
const FIRST_LINE: &[u8] = b"amazons solve, format 1\n";

/// Size in bytes of one of the three integers of which a record in the proof file consists.
const INTEGER_BYTES: usize = size_of::<u64>();
/// Size in bytes of a record in the proof file. A record consists of three 64-bit integers and stores one entry of the
/// solver's transposition table (what is known about one position).
const RECORD_BYTES: usize = size_of::<SerializedEntry>();

/// Minimum time from one write of the proof file to the next.
const MIN_WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Minimum time from the end of one write of the proof file to the next write, as a multiple of the time that the write
/// took. With the value 10, at most about a tenth of the time is spent on writing.
const MIN_INTERVAL_PER_WRITE_TIME: u32 = 10;

/// File of `amazons solve --keep`: contains the solver's transposition table, so that a later run continues the proof.
/// The table has the proven winner, or proof and disproof numbers, of searched positions. While the solver works, the
/// file is replaced at most once a second, each time by a complete new file.
pub struct ProofFile {
    target: OutputFile,
    table: Arc<Table>,
    /// Earliest time at which [`ProofFile::write_if_due`] writes the file again.
    next_write: Instant,
    has_failed: bool,
}

impl ProofFile {
    /// Reads the proof file `path`, and adds its records to the transposition table of `solver`. A missing file is no
    /// error: it is created when the table is first written.
    ///
    /// # Errors
    /// If the file can't be read or written, if it is damaged, or if it has another format. The message names the file.
    pub fn open(path: &Path, solver: &Solver) -> Result<ProofFile> {
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

    /// Writes the proof file if a write is due; otherwise does nothing. A write is due if the time since the last write
    /// is at least one second, and at least 10 times the duration of that write.
    ///
    /// # Errors
    /// If a write fails for the first time. Later failures are not reported, because the user knows of the first one;
    /// the next due write tries again.
    pub fn write_if_due(&mut self) -> Result<()> {
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

    /// Writes the solver's transposition table to the proof file. Leaves out entries for which fewer than 3 nodes were
    /// searched: they are quickly found again. The old file is replaced only when the new one is complete.
    ///
    /// # Errors
    /// If the file can't be written. The message names the file.
    pub fn write(&self) -> Result<()> {
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

/// Reads records from `content`, the content of a proof file, and adds them to the solver's transposition table.
/// Returns `None`, with the table unchanged, if the file is damaged or has another format.
fn load_records(content: &[u8], table: &Table) -> Option<()> {
    let (content, checksum) = content.split_last_chunk()?;
    let records = content.strip_prefix(FIRST_LINE)?;
    let (records, rest) = records.as_chunks::<RECORD_BYTES>();
    if !rest.is_empty() || crc32fast::hash(content).to_le_bytes() != *checksum {
        return None;
    }
    for record in records {
        let (words, _) = record.as_chunks::<INTEGER_BYTES>();
        table.insert_serialized(std::array::from_fn(|at| u64::from_le_bytes(words[at])));
    }
    Some(())
}
