//! [`WarningLog`] writes warnings about Botzone's input, at most 4 KiB in a run of the bot's process, so that writing
//! to a pipe never blocks. It ignores write errors.

use std::fmt::Display;
use std::io::Write;

/// Maximum total size of the warnings in a run of the bot's process, in bytes. The smallest pipe buffer of Linux has
/// this size, so that writing the warnings to a pipe does not block even if no process reads it.
pub const MAX_LOG_BYTES: usize = 4096;

/// Note that replaces the first warning for which the log has no more room. Nothing is written after it.
const OMISSION_NOTE: &str = "further complaints are left out\n";

/// Writer of warnings to `W`, limited to [`MAX_LOG_BYTES`] bytes in total. Errors of `W` are ignored.
pub struct WarningLog<W> {
    log: W,
    /// Number of bytes that may still be written; 0 after [`OMISSION_NOTE`] was written.
    bytes_left: usize,
}

impl<W: Write> WarningLog<W> {
    /// Creates a log that writes to `log`, at most [`MAX_LOG_BYTES`] bytes.
    pub const fn new(log: W) -> WarningLog<W> {
        WarningLog {
            log,
            bytes_left: MAX_LOG_BYTES,
        }
    }

    /// Writes `warning` and a newline. If they do not fit, writes that further warnings are omitted, and ignores this
    /// and all later warnings. Errors of the underlying writer are ignored.
    pub fn warn(&mut self, warning: impl Display) {
        if self.bytes_left == 0 {
            return;
        }
        let mut line = format!("{warning}\n");
        if line.len() + OMISSION_NOTE.len() > self.bytes_left {
            OMISSION_NOTE.clone_into(&mut line);
            self.bytes_left = 0;
        } else {
            self.bytes_left -= line.len();
        }
        let _ = self.log.write_all(line.as_bytes());
    }
}
