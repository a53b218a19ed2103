//! Files to which a program only appends records ([`AppendFile`]). A record is a sequence of bytes of any length, such
//! as the line of JSON for a finished game. Only one program at a time can write to such a file. Complete records are
//! never changed. A crash may leave an incomplete record at the end of the file; it can be removed by
//! [`AppendFile::truncate`].

use super::error::Result;
use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Interval between syncs to the disk, 1 s: appending a record syncs the file if the last sync is at least as old as
/// this. A crash of the program loses no record. A power failure loses the records since the last sync.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// File to which records can only be appended. It is locked against other writers until this value is dropped.
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    /// Path of the file as text, for error messages.
    path: String,
    /// Length of the file, in bytes, without a record that is just being written. If writing the record fails, the file
    /// is truncated to this length, so that no incomplete record stays in it.
    complete_bytes: u64,
    /// Time at which the file was last synced to the disk; before the first sync, the time at which it was opened.
    last_sync: Instant,
}

impl AppendFile {
    /// Opens or creates the file at `path` and locks it. Returns the opened file and the bytes that it contains.
    ///
    /// # Errors
    /// If `path` is no regular file, if it cannot be opened, read or locked, or if another program has locked it; the
    /// message names the file.
    pub fn open(path: &Path) -> Result<(AppendFile, Vec<u8>)> {
        let name = path.display().to_string();
        let fault = |error: io::Error| format!("{name}: {error}; expected a file to append to");
        if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
            return Err(format!("{name} is no file: expected one to append to").into());
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let mut file = file.map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!(
                    "{name} is being written by another program: expected its end, or another file"
                )
                .into());
            }
            // If the file system does not support locks, continue without one.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(fault(error).into()),
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(fault)?;
        let file = AppendFile {
            file,
            path: name,
            complete_bytes: content.len() as u64,
            last_sync: Instant::now(),
        };
        Ok((file, content))
    }

    /// Truncates the file to `length` bytes, to remove an incomplete record left by a crash. Does nothing if the file
    /// is not longer than this.
    ///
    /// # Errors
    /// If the file cannot be truncated; the message names the file.
    pub fn truncate(&mut self, length: u64) -> Result<()> {
        if length < self.complete_bytes {
            let result = self.file.set_len(length);
            result.map_err(|error| format!("{}: {error}", self.path))?;
            self.complete_bytes = length;
        }
        Ok(())
    }

    /// Appends `record`, the bytes of one complete record. Syncs the file to the disk if the last sync was at least a
    /// second ago. After an error, the file contains only its earlier records.
    ///
    /// # Errors
    /// If the file cannot be written or synced, for example because the disk is full; the message names the file.
    pub fn append(&mut self, record: &[u8]) -> Result<()> {
        let is_sync_due = self.last_sync.elapsed() >= SYNC_INTERVAL;
        let mut written = self.file.write_all(record);
        if is_sync_due {
            written = written.and_then(|()| self.sync_data());
        }
        if let Err(error) = written {
            // Remove what was written of `record`. If this fails, too, the incomplete record stays at the end of the
            // file, where programs that read the file ignore it.
            let _ = self.file.set_len(self.complete_bytes);
            return Err(format!("{}: {error}; what was in it before is kept", self.path).into());
        }
        self.complete_bytes += record.len() as u64;
        Ok(())
    }

    /// Serialises `value` as one line of JSON and appends the line to the file.
    ///
    /// # Errors
    /// If `value` cannot be serialised, or if the file cannot be written or synced.
    pub fn append_line(&mut self, value: &impl Serialize) -> Result<()> {
        self.append(&json_line(value)?)
    }

    /// Syncs the file: returns once all records appended so far are on the disk, where a power failure cannot destroy
    /// them.
    ///
    /// # Errors
    /// If the file cannot be synced; the message names the file.
    pub fn sync(&mut self) -> Result<()> {
        self.sync_data()
            .map_err(|error| format!("{}: {error}", self.path).into())
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.last_sync = Instant::now();
        Ok(())
    }
}

/// Serialises `value` as one line of JSON. Returns its bytes, with a newline at the end.
///
/// # Errors
/// If `value` cannot be serialised.
pub fn json_line(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    Ok(text)
}

impl Drop for AppendFile {
    fn drop(&mut self) {
        // `drop` cannot report an error. The operating system has received all records, so only a power failure could
        // lose them.
        let _ = self.file.sync_data();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_paths_that_are_not_files() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(AppendFile::open(folder.path()).is_err());
        assert!(AppendFile::open(Path::new("/dev/null")).is_err());
        assert!(AppendFile::open(&folder.path().join("missing/out")).is_err());
    }
}
