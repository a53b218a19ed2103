//! A log of bounded length for warnings about the input. Logging never blocks or fails.

use std::fmt::Display;
use std::io::Write;

/// Maximum length of all warnings of a session, in bytes. They fit into the smallest pipe buffer of Linux, so writing
/// never blocks, even if nobody reads the pipe.
pub const MAX_WARNING_BYTES: usize = 4096;

/// Final line of the log, written when the next warning would not fit.
const LAST: &str = "further complaints are left out\n";

/// A log of at most [`MAX_WARNING_BYTES`] bytes that ignores write errors.
pub struct WarningLog<W> {
    log: W,
    /// Number of bytes that may still be written; 0 after [`LAST`].
    left: usize,
}

impl<W: Write> WarningLog<W> {
    /// Creates an empty log.
    pub const fn new(log: W) -> WarningLog<W> {
        WarningLog {
            log,
            left: MAX_WARNING_BYTES,
        }
    }

    /// Writes a warning as one line, or [`LAST`] if the warning does not fit. Write errors are ignored.
    pub fn warn(&mut self, complaint: impl Display) {
        if self.left == 0 {
            return;
        }
        let mut line = format!("{complaint}\n");
        if line.len() + LAST.len() > self.left {
            LAST.clone_into(&mut line);
            self.left = 0;
        } else {
            self.left -= line.len();
        }
        let _ = self.log.write_all(line.as_bytes());
    }
}
