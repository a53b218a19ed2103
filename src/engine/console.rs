//! Prints messages on standard output and standard error, and escapes text from untrusted sources.
//!
//! Escaping prevents untrusted text from controlling the terminal.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};

/// Maximum length, in bytes of UTF-8 before escaping, of an untrusted text that a message quotes.
pub const MAX_QUOTED_BYTES: usize = 200;

/// Untrusted text that is displayed with control characters and similar characters escaped. The functions [`escaped`]
/// and [`quoted`] create it: the first displays the whole text, the second at most 200 bytes of it.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a> {
    text: &'a str,
    /// Maximum number of bytes of `text` to display, before escaping; `usize::MAX` if the whole text is displayed.
    limit: usize,
}

/// Returns a wrapper that displays `text` with escapes in place of control characters and of characters that change the
/// writing direction.
///
/// ```
/// use engine::console::escaped;
/// assert_eq!(escaped("\x1b[2J亚马逊\n").to_string(), "\\u{1b}[2J亚马逊\\n");
/// ```
#[must_use]
pub const fn escaped(text: &str) -> Escaped<'_> {
    Escaped {
        text,
        limit: usize::MAX,
    }
}

/// Returns a wrapper that displays the first [`MAX_QUOTED_BYTES`] bytes of `text`, with control characters escaped. A
/// longer text is cut between two characters and ends with `…`.
#[must_use]
pub const fn quoted(text: &str) -> Escaped<'_> {
    Escaped {
        text,
        limit: MAX_QUOTED_BYTES,
    }
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, character) in self.text.char_indices() {
            if at + character.len_utf8() > self.limit {
                return f.write_char('…');
            }
            if is_unsafe(character) {
                write!(f, "{}", character.escape_default())?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// Tests if `character` is a control character, a line separator, or a character that changes the writing direction.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the text `lines` with each line indented by two spaces.
///
/// ```
/// use engine::console::indented;
/// assert_eq!(indented("a\nb\n"), "  a\n  b\n");
/// ```
#[must_use]
pub fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}

/// Formats a number with its noun: with the singular `one` if the number is 1, otherwise with the plural `many`.
///
/// ```
/// use engine::console::with_noun;
/// assert_eq!(with_noun(1, "ply", "plies"), "1 ply");
/// assert_eq!(with_noun(0, "ply", "plies"), "0 plies");
/// ```
#[must_use]
pub fn with_noun(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Prints `text` on standard output, without adding a newline, and flushes it.
///
/// # Errors
/// The error of the system if standard output cannot be written; its kind is [`io::ErrorKind::BrokenPipe`] if the
/// reader has closed the pipe.
pub fn print(text: impl Display) -> io::Result<()> {
    print_any(&text)
}

/// Prints `text` on standard output and flushes it. This is the part of [`print()`] that is not generic, so that it is
/// compiled only once and not for every type of text.
fn print_any(text: &dyn Display) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let written = write!(output, "{text}").and_then(|()| output.flush());
    written.map_err(|error| io::Error::new(error.kind(), format!("standard output: {error}")))
}

/// Prints `line` and a newline on standard error. Errors are ignored, because there is no other place to report them.
pub fn print_error(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        for (text, shown) in [
            ("plain, é, 中文", "plain, é, 中文"),
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("a\tb\r\n", "a\\tb\\r\\n"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("\u{202e}abc\u{2066}", "\\u{202e}abc\\u{2066}"),
        ] {
            assert_eq!(escaped(text).to_string(), shown);
        }
    }

    #[test]
    fn a_quotation_is_cut_between_characters() {
        let long = "中".repeat(100);
        let shown = quoted(&long).to_string();
        assert_eq!(shown, "中".repeat(MAX_QUOTED_BYTES / 3) + "…");
        let whole = "a".repeat(MAX_QUOTED_BYTES);
        assert_eq!(quoted(&whole).to_string(), whole);
    }
}
