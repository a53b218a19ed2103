//! Lines of input, of bounded length.

use std::io::{self, BufRead, Read};

/// Limit on the bytes of a line. The longest real record has 3 KB; the platform may add 100 KB of `data` and as much
/// of `globaldata`.
pub const MAX_LINE: usize = 1 << 20;

/// A line that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// The text, without white space around it and byte order marks before it; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Whether the line is longer than [`MAX_LINE`] bytes; the text then holds only these.
    pub is_cut: bool,
}

/// The lines of an input.
pub struct Lines<R> {
    input: R,
    /// Whether the input is inside a line that was cut.
    in_cut_line: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of an input from here on.
    pub const fn new(input: R) -> Lines<R> {
        Lines {
            input,
            in_cut_line: false,
        }
    }

    /// Reads the next line that is not blank; nothing at the end of the input.
    ///
    /// A line that is too long is returned at the bound, because its end may never come. The next call discards the
    /// rest.
    ///
    /// # Errors
    /// If the input can't be read.
    pub fn next(&mut self) -> io::Result<Option<InputLine>> {
        if self.in_cut_line {
            self.input.skip_until(b'\n')?;
            self.in_cut_line = false;
        }
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let mut bounded = self.input.by_ref().take(MAX_LINE as u64);
            if bounded.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.in_cut_line = bytes.len() == MAX_LINE && !bytes.ends_with(b"\n");
            let text = String::from_utf8_lossy(&bytes);
            // Some systems write a byte order mark before the first line of a text.
            let text = text.trim().trim_start_matches('\u{feff}').trim();
            if self.in_cut_line || !text.is_empty() {
                return Ok(Some(InputLine {
                    text: text.to_owned(),
                    is_cut: self.in_cut_line,
                }));
            }
        }
    }
}
