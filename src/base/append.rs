//! Files to which whole records are appended: one writer at a time, nothing is rewritten, a partial record is removed.

use super::error::ToolError;
use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time until appended records are forced onto the disk. A crash of the program loses none of them; a power
/// cut loses at most this much. What must not be lost at all is followed by [`AppendFile::sync`].
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A file to which records are appended, locked for the life of this value.
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    name: String,
    /// Bytes of the whole records in the file.
    length: u64,
    synced: Instant,
}

impl AppendFile {
    /// Opens or creates a file and locks it. Also returns its content.
    ///
    /// # Errors
    /// If it can't be read or written, or another program is writing to it; the message names it.
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
            // A file system without locks leaves the file unlocked.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(fault(error).into()),
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(fault)?;
        let file = AppendFile {
            file,
            name,
            length: content.len() as u64,
            synced: Instant::now(),
        };
        Ok((file, content))
    }

    /// Cuts the file after so many bytes, to remove a partial record that a crash left.
    ///
    /// # Errors
    /// If the file can't be cut; the message names it.
    pub fn cut(&mut self, length: u64) -> Result<(), ToolError> {
        if length < self.length {
            let result = self.file.set_len(length);
            result.map_err(|error| format!("{}: {error}", self.name))?;
            self.length = length;
        }
        Ok(())
    }

    /// Appends a whole record, or nothing.
    ///
    /// # Errors
    /// If it can't be written; the message names the file.
    pub fn append(&mut self, record: &[u8]) -> Result<(), ToolError> {
        let is_due = self.synced.elapsed() >= SYNC_EVERY;
        let written = self.file.write_all(record);
        let written = written.and_then(|()| if is_due { self.force() } else { Ok(()) });
        if let Err(error) = written {
            // A partial record is cut off. If even that fails, readers skip it.
            let _ = self.file.set_len(self.length);
            return Err(format!("{}: {error}; what was in it before is kept", self.name).into());
        }
        self.length += record.len() as u64;
        Ok(())
    }

    /// Appends a line of JSON, or nothing.
    ///
    /// # Errors
    /// As [`AppendFile::append`].
    pub fn append_line(&mut self, line: &impl Serialize) -> Result<(), ToolError> {
        self.append(&json_line(line)?)
    }

    /// Forces what was appended onto the disk.
    ///
    /// # Errors
    /// If that fails; the message names the file.
    pub fn sync(&mut self) -> Result<(), ToolError> {
        self.force()
            .map_err(|error| format!("{}: {error}", self.name).into())
    }

    fn force(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.synced = Instant::now();
        Ok(())
    }
}

/// A line of JSON as it is appended.
///
/// # Errors
/// If the value is none in JSON.
pub fn json_line(line: &impl Serialize) -> Result<Vec<u8>, ToolError> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    Ok(text)
}

impl Drop for AppendFile {
    fn drop(&mut self) {
        // A failure has nobody to be reported to; the system has the records already.
        let _ = self.file.sync_data();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(AppendFile::open(folder.path()).is_err());
        assert!(AppendFile::open(Path::new("/dev/null")).is_err());
        assert!(AppendFile::open(&folder.path().join("missing/out")).is_err());
    }
}
