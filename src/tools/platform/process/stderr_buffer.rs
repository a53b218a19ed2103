//! [`StderrBuffer`] stores the beginning and the end of what a bot writes to standard error, so that memory is limited.

use engine::console::escaped;
use std::fmt::{self, Display};

/// Maximum number of bytes stored from the beginning of a bot's standard error: 1 MiB.
const HEAD_BYTES: usize = 1 << 20;

/// Number of bytes from the end of a bot's standard error that are stored in any case: the last 4 KiB, or all if the
/// bot has written less. For speed, the buffer may hold up to twice as many between removals of old bytes.
const TAIL_BYTES: usize = 4096;

/// Maximum number of lines from the end of standard error that are displayed.
const MAX_SHOWN_LINES: usize = 20;

/// Output of a bot to standard error. Of a text of more than about 1 MiB, only the first 1 MiB and the last 4
/// KiB are stored.
#[derive(Clone, Debug, Default)]
pub struct StderrBuffer {
    /// First bytes that the bot has written, at most [`HEAD_BYTES`].
    head: Vec<u8>,
    /// Last bytes that the bot has written: at least [`TAIL_BYTES`], or all if there are fewer. When the number of
    /// bytes exceeds twice this minimum, the oldest bytes are removed. Removing them more often would be slower,
    /// because each removal moves the bytes that stay.
    tail: Vec<u8>,
    total_bytes: usize,
}

impl StderrBuffer {
    /// Appends bytes that the bot has written to standard error.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total_bytes += bytes.len();
        let room = HEAD_BYTES - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 2 * TAIL_BYTES {
            self.tail.drain(..self.tail.len() - TAIL_BYTES);
        }
    }

    /// Tests if the bot has written nothing to standard error.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total_bytes == 0
    }

    /// Returns the number of bytes that the bot has written to standard error, including bytes that were not stored.
    #[must_use]
    pub const fn total_bytes(&self) -> usize {
        self.total_bytes
    }

    /// Returns what the bot has written to standard error. If bytes are missing in the middle, the line `[N bytes left
    /// out]` replaces them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let tail = self.tail();
        let kept = self.head.len() + tail.len();
        let missing = self.total_bytes.saturating_sub(kept);
        let mut bytes = self.head.clone();
        if missing > 0 {
            bytes.extend_from_slice(format!("\n[{missing} bytes left out]\n").as_bytes());
        }
        let after_head = (self.total_bytes - self.head.len()).min(tail.len());
        bytes.extend_from_slice(&tail[tail.len() - after_head..]);
        bytes
    }

    fn tail(&self) -> &[u8] {
        &self.tail[self.tail.len().saturating_sub(TAIL_BYTES)..]
    }
}

/// Formats the last 20 lines, each after a line break and indented, with control characters escaped.
impl Display for StderrBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.tail());
        let lines: Vec<&str> = text.lines().collect();
        for line in &lines[lines.len().saturating_sub(MAX_SHOWN_LINES)..] {
            write!(f, "\n    {}", escaped(line))?;
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
            TAIL_BYTES + 1,
            HEAD_BYTES - 1,
            HEAD_BYTES + 9,
            HEAD_BYTES + TAIL_BYTES,
            HEAD_BYTES + 70_000,
        ] {
            let mut buffer = StderrBuffer::default();
            bytes[..size].chunks(999).for_each(|part| buffer.push(part));
            assert!(buffer.tail.len() <= 2 * TAIL_BYTES + 999);
            let left_out = size.saturating_sub(HEAD_BYTES + TAIL_BYTES);
            let expected = match left_out {
                0 => bytes[..size].to_vec(),
                _ => {
                    let note = format!("\n[{left_out} bytes left out]\n");
                    let tail = &bytes[size - TAIL_BYTES..size];
                    [&bytes[..HEAD_BYTES], note.as_bytes(), tail].concat()
                }
            };
            assert!(buffer.to_bytes() == expected, "{size} bytes");
        }
    }
}
