//! Reads input line by line, with a maximum line length.

use std::io::{self, BufRead, Read};

/// Maximum length of a line, in bytes. The longest real record has 3 KB; the platform may add 100 KB each of `data` and
/// `globaldata`.
pub const MAX_LINE: usize = 1 << 20;

/// A line of input that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// The line, trimmed of white space and of a leading byte order mark. Invalid UTF-8 is replaced.
    pub text: String,
    /// Whether the line was longer than [`MAX_LINE`] bytes; `text` then holds only these bytes.
    pub is_truncated: bool,
}

/// Reader of non-blank lines.
pub struct Lines<R> {
    input: R,
    /// Whether the rest of a truncated line is still to be skipped.
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

    /// Reads the next line that is not blank. Returns `None` at the end of the input.
    ///
    /// A line that is too long is returned as soon as [`MAX_LINE`] bytes are read, because its end may never come. The
    /// next call skips the rest.
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
            // Some systems write a byte order mark before the first line of a text.
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
