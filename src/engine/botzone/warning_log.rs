//! Log for warnings about the input, limited to 4 KiB per session. Logging never blocks and never fails.

use std::fmt::Display;
use std::io::Write;

/// Maximum total size of the warnings of a session, in bytes. They fit into the smallest pipe buffer of Linux (4 KiB),
/// so writing never blocks, even if nobody reads the pipe.
pub const MAX_LOG_BYTES: usize = 4096;

/// Last line of the log, written instead of the first warning that does not fit.
const OMITTED: &str = "further complaints are left out\n";

/// Writer of warnings: at most [`MAX_LOG_BYTES`] bytes in total. Write errors are ignored.
pub struct WarningLog<W> {
    log: W,
    /// Number of bytes that may still be written; 0 after [`OMITTED`] was written.
    bytes_left: usize,
}

impl<W: Write> WarningLog<W> {
    /// Creates a log that writes to `log` and has its full size left.
    pub const fn new(log: W) -> WarningLog<W> {
        WarningLog {
            log,
            bytes_left: MAX_LOG_BYTES,
        }
    }

    /// Writes `warning` and a newline. If they do not fit, writes [`OMITTED`] instead, once, and drops all later
    /// warnings. Write errors are ignored.
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
