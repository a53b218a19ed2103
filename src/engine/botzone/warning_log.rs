//! A log of bounded length for warnings about the input. Logging never blocks or fails.

use std::fmt::Display;
use std::io::Write;

/// Maximum length of all warnings of a session, in bytes. They fit into the smallest pipe buffer of Linux, so writing
/// never blocks, even if nobody reads the pipe.
pub const MAX_LOG_BYTES: usize = 4096;

/// Final line of the log, written when the next warning would not fit.
const OMITTED: &str = "further complaints are left out\n";

/// A log of at most [`MAX_LOG_BYTES`] bytes that ignores write errors.
pub struct WarningLog<W> {
    log: W,
    /// Number of bytes that may still be written; 0 after [`OMITTED`].
    bytes_left: usize,
}

impl<W: Write> WarningLog<W> {
    /// Creates an empty log.
    pub const fn new(log: W) -> WarningLog<W> {
        WarningLog {
            log,
            bytes_left: MAX_LOG_BYTES,
        }
    }

    /// Writes a warning as one line, or [`OMITTED`] if the warning does not fit. Write errors are ignored.
    pub fn warn(&mut self, warning: impl Display) {
        if self.bytes_left == 0 {
            return;
        }
        let mut line = format!("{warning}\n");
        if line.len() + OMITTED.len() > self.bytes_left {
            OMITTED.clone_into(&mut line);
            self.bytes_left = 0;
        } else {
            self.bytes_left -= line.len();
        }
        let _ = self.log.write_all(line.as_bytes());
    }
}
