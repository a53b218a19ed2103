//! Append-only files: locked by one writer, never rewritten, and repaired after a crash by removing an incomplete last
//! record.

use super::error::ToolError;
use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Minimum age of the last sync to the disk, 1 s, at which an append syncs again. A crash of the program loses no
/// record; a power failure loses the records since the last sync. Callers that must not lose these records call
/// [`AppendFile::sync`].
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Append-only file, locked against other writers until this value is dropped.
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    /// Path of the file, for error messages.
    name: String,
    /// Number of bytes of the complete records in the file.
    complete_bytes: u64,
    /// Time of the last sync to the disk.
    last_sync: Instant,
}

impl AppendFile {
    /// Opens or creates the file at `path` and locks it. Returns the file, and its content so far.
    ///
    /// # Errors
    /// If `path` is no regular file, cannot be read or written, or another program is writing to it; the message names
    /// the file.
    pub fn open(path: &Path) -> Result<(AppendFile, Vec<u8>), ToolError> {
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
            // If the file system has no locks, continue without one.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(fault(error).into()),
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(fault)?;
        let file = AppendFile {
            file,
            name,
            complete_bytes: content.len() as u64,
            last_sync: Instant::now(),
        };
        Ok((file, content))
    }

    /// Truncates the file to `length` bytes, to remove an incomplete record left by a crash. Does nothing if the file
    /// is not longer.
    ///
    /// # Errors
    /// If the file cannot be truncated; the message names the file.
    pub fn truncate(&mut self, length: u64) -> Result<(), ToolError> {
        if length < self.complete_bytes {
            let result = self.file.set_len(length);
            result.map_err(|error| format!("{}: {error}", self.name))?;
            self.complete_bytes = length;
        }
        Ok(())
    }

    /// Appends the bytes of one complete record, and syncs if the last sync was at least a second ago. After an error,
    /// the file contains only its earlier records.
    ///
    /// # Errors
    /// If the file cannot be written; the message names the file.
    pub fn append(&mut self, record: &[u8]) -> Result<(), ToolError> {
        let is_sync_due = self.last_sync.elapsed() >= SYNC_INTERVAL;
        let written = self.file.write_all(record);
        let written = written.and_then(|()| {
            if is_sync_due {
                self.sync_data()
            } else {
                Ok(())
            }
        });
        if let Err(error) = written {
            // Remove the incomplete record. If the removal fails, too, readers ignore the record.
            let _ = self.file.set_len(self.complete_bytes);
            return Err(format!("{}: {error}; what was in it before is kept", self.name).into());
        }
        self.complete_bytes += record.len() as u64;
        Ok(())
    }

    /// Appends `line`, serialised as one line of JSON.
    ///
    /// # Errors
    /// As for [`AppendFile::append`], or if the value cannot be serialized.
    pub fn append_line(&mut self, line: &impl Serialize) -> Result<(), ToolError> {
        self.append(&json_line(line)?)
    }

    /// Syncs the file: returns once all appended records are on the disk.
    ///
    /// # Errors
    /// If the file cannot be synced; the message names the file.
    pub fn sync(&mut self) -> Result<(), ToolError> {
        self.sync_data()
            .map_err(|error| format!("{}: {error}", self.name).into())
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.last_sync = Instant::now();
        Ok(())
    }
}

/// Serialises `line` as one line of JSON, including the newline.
///
/// # Errors
/// If the value cannot be serialized.
pub fn json_line(line: &impl Serialize) -> Result<Vec<u8>, ToolError> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    Ok(text)
}

impl Drop for AppendFile {
    fn drop(&mut self) {
        // Errors cannot be reported here, and all records have already been passed to the operating system.
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
