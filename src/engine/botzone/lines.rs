//! Reads input line by line, with a maximum length of a line and without blank lines.

use std::io::{self, BufRead, Read};

/// Maximum length of a line, in bytes: 1 MiB. The longest record of a real game has 3 KB; the platform may add 100 KB
/// each of its text fields `data` and `globaldata`.
pub const MAX_LINE: usize = 1 << 20;

/// A non-blank line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// The line without a byte order mark and without white space around it. Invalid UTF-8 becomes U+FFFD.
    pub text: String,
    /// Whether the line has more than [`MAX_LINE`] bytes; `text` then holds only the first [`MAX_LINE`] bytes.
    pub is_truncated: bool,
}

/// Reader of the non-blank lines of an input.
pub struct Lines<R> {
    input: R,
    /// Whether the last line returned was truncated, so that the next read must first skip the rest of that line.
    skips_rest: bool,
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader of the lines of `input`.
    pub const fn new(input: R) -> Lines<R> {
        Lines {
            input,
            skips_rest: false,
        }
    }

    /// Reads the next non-blank line. Returns `None` at the end of the input.
    ///
    /// A line longer than [`MAX_LINE`] bytes is returned as soon as that many bytes are read, because its end may never
    /// come. The next call skips the rest of the line.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn next(&mut self) -> io::Result<Option<InputLine>> {
        if self.skips_rest {
            self.input.skip_until(b'\n')?;
            self.skips_rest = false;
        }
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let mut bounded = self.input.by_ref().take(MAX_LINE as u64);
            if bounded.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.skips_rest = bytes.len() == MAX_LINE && !bytes.ends_with(b"\n");
            let text = String::from_utf8_lossy(&bytes);
            // Some systems write a byte order mark (U+FEFF) at the beginning of a text.
            let text = text.trim().trim_start_matches('\u{feff}').trim();
            if self.skips_rest || !text.is_empty() {
                return Ok(Some(InputLine {
                    text: text.to_owned(),
                    is_truncated: self.skips_rest,
                }));
            }
        }
    }
}
