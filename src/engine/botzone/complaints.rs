//! Complaints about the input, which must never cost an answer.

use std::fmt::Display;
use std::io::Write;

/// Limit on the bytes of a session's complaints: the smallest buffer of a pipe on Linux, so that nobody has to read
/// them.
pub const MAX_COMPLAINTS: usize = 4096;

/// The last complaint, when there is no room for another.
const LAST: &str = "further complaints are left out\n";

/// A log of bounded length that ignores errors.
pub struct Complaints<W> {
    log: W,
    /// Bytes that may still be written; 0 after the last complaint.
    left: usize,
}

impl<W: Write> Complaints<W> {
    /// An empty log.
    pub const fn new(log: W) -> Complaints<W> {
        Complaints {
            log,
            left: MAX_COMPLAINTS,
        }
    }

    /// Writes a line, or the last complaint if it doesn't fit. Errors are ignored: there is nobody to tell.
    pub fn complain(&mut self, complaint: impl Display) {
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
