//! Stores a bot's standard error in limited memory: its beginning and its end.

use engine::console::visible;
use std::fmt::{self, Display};

/// Maximum number of bytes saved from the beginning of a bot's standard error.
const HEAD: usize = 1 << 20;

/// Number of bytes saved from the end of a bot's standard error.
const TAIL: usize = 4096;

/// Maximum number of lines that [`Display`] shows from the end of standard error.
const LINES: usize = 20;

/// Standard error of a bot; if it is long, only its beginning and its end.
#[derive(Clone, Debug, Default)]
pub struct StderrBuffer {
    /// First bytes of standard error, at most [`HEAD`].
    head: Vec<u8>,
    /// Last bytes of standard error. These may be more than [`TAIL`], because older bytes are removed only now and then.
    tail: Vec<u8>,
    total: usize,
}

impl StderrBuffer {
    /// Appends bytes of standard error.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len();
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 2 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
    }

    /// Tests if the bot has printed nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the total number of bytes printed, including those that were not saved.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.total
    }

    /// Returns the whole standard error; if it is too long, its beginning and its end, with the number of missing bytes
    /// between them.
    #[must_use]
    pub fn all(&self) -> Vec<u8> {
        let tail = self.tail();
        let between = self.total.saturating_sub(self.head.len() + tail.len());
        let mut all = self.head.clone();
        if between > 0 {
            all.extend_from_slice(format!("\n[{between} bytes left out]\n").as_bytes());
        }
        let behind_the_head = (self.total - self.head.len()).min(tail.len());
        all.extend_from_slice(&tail[tail.len() - behind_the_head..]);
        all
    }

    fn tail(&self) -> &[u8] {
        &self.tail[self.tail.len().saturating_sub(TAIL)..]
    }
}

/// Prints the last lines, each on a new line and indented, with control characters escaped.
impl Display for StderrBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.tail());
        let lines: Vec<&str> = text.lines().collect();
        for line in &lines[lines.len().saturating_sub(LINES)..] {
            write!(f, "\n    {}", visible(line))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_are_saved() {
        let bytes: Vec<u8> = (0..300_000_u32).flat_map(u32::to_be_bytes).collect();
        for size in [
            0,
            1,
            TAIL + 1,
            HEAD - 1,
            HEAD + 9,
            HEAD + TAIL,
            HEAD + 70_000,
        ] {
            let mut words = StderrBuffer::default();
            bytes[..size].chunks(999).for_each(|part| words.push(part));
            assert!(words.tail.len() <= 2 * TAIL + 999);
            let left_out = size.saturating_sub(HEAD + TAIL);
            let expected = match left_out {
                0 => bytes[..size].to_vec(),
                _ => {
                    let note = format!("\n[{left_out} bytes left out]\n");
                    [&bytes[..HEAD], note.as_bytes(), &bytes[size - TAIL..size]].concat()
                }
            };
            assert!(words.all() == expected, "{size} bytes");
        }
    }
}
