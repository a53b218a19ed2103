//! [`Lines`] reads input line by line: it skips blank lines and cuts each line after 1 MiB.

use std::io::{self, BufRead, Read};

/// Maximum length of an input line, in bytes: 1 MiB. The moves of a real game take at most 3 KB, and the platform's
/// stored texts `data` and `globaldata` up to 100 KB each.
pub const MAX_LINE: usize = 1 << 20;

/// A non-blank line of the bot's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// Text of the line without a byte order mark and without white space around it. Invalid UTF-8 becomes U+FFFD.
    pub text: String,
    /// True if the line had more than [`MAX_LINE`] bytes; `text` then contains only its first [`MAX_LINE`] bytes.
    pub is_truncated: bool,
}

/// Reader of the non-blank lines of the input `R`.
pub struct Lines<R> {
    input: R,
    /// True if the most recently returned line was longer than [`MAX_LINE`] bytes. The rest of this line is then still
    /// in the input, and must be skipped before the next line is read.
    was_truncated: bool,
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader of the non-blank lines of `input`.
    pub const fn new(input: R) -> Lines<R> {
        Lines {
            input,
            was_truncated: false,
        }
    }

    /// Reads the next non-blank line. Returns `None` at the end of the input.
    ///
    /// A line longer than [`MAX_LINE`] bytes is truncated, and its rest is skipped by the next call. This call does not
    /// wait for the end of such a line.
    ///
    /// # Errors
    /// The error of the input if it cannot be read.
    pub fn next(&mut self) -> io::Result<Option<InputLine>> {
        if self.was_truncated {
            self.input.skip_until(b'\n')?;
            self.was_truncated = false;
        }
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let mut bounded = self.input.by_ref().take(MAX_LINE as u64);
            if bounded.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.was_truncated = bytes.len() == MAX_LINE && !bytes.ends_with(b"\n");
            let text = String::from_utf8_lossy(&bytes);
            // Remove the byte order mark (U+FEFF) that some systems write at the beginning of a text, and white space
            // before and after it.
            let text = text.trim().trim_start_matches('\u{feff}').trim();
            if self.was_truncated || !text.is_empty() {
                return Ok(Some(InputLine {
                    text: text.to_owned(),
                    is_truncated: self.was_truncated,
                }));
            }
        }
    }
}
