//! Complaints about the input, which must never cost an answer.

use std::fmt::Display;
use std::io::Write;

/// Bytes that a session complains with at most: the smallest buffer of a pipe on Linux, so that none has to be read.
pub const MAX_COMPLAINTS: usize = 4096;

/// What is said when there is no room for another complaint.
const LAST: &str = "further complaints are left out\n";

/// A log that takes a bounded number of bytes, and whose errors don't matter.
pub struct Complaints<W> {
    log: W,
    /// Bytes that may still be written; 0 once the last word is said.
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

    /// Writes a line, or that no more will come. If it can't be written there is nobody to tell.
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
