//! Lines of input, none of them kept beyond a bound.

use std::io::{self, BufRead, Read};

/// Longest line in bytes that is read. The longest real record has 3 KB, and beside it the platform may send 100 KB
/// of `data` and as much `globaldata`.
pub const MAX_LINE: usize = 1 << 20;

/// A line that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// The text, without white space around it; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Whether the line goes on behind [`MAX_LINE`] bytes, which are all that the text holds of it.
    pub is_cut: bool,
}

/// The lines of an input.
pub struct Lines<R> {
    input: R,
    /// Whether the input stands in the middle of a line that was cut.
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
    /// A line beyond the bound is returned as soon as the bound is reached: its end may never come. What follows of
    /// it is read and thrown away with the next call.
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
            let text = text.trim();
            if self.in_cut_line || !text.is_empty() {
                return Ok(Some(InputLine {
                    text: text.to_owned(),
                    is_cut: self.in_cut_line,
                }));
            }
        }
    }
}
