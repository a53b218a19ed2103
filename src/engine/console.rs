//! Text for people on standard output and standard error.
//!
//! Nothing here panics. A failure to write to standard error is ignored, one to standard output is an error. Text of
//! unknown origin is escaped, so that it can't control the terminal.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};

/// Largest number of bytes of a foreign text that a message quotes.
pub const QUOTE_LIMIT: usize = 200;

/// A text of unknown origin, safe to show: see [`visible`] and [`quoted`].
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a> {
    text: &'a str,
    limit: usize,
}

/// A whole text, with control characters and changes of writing direction escaped.
///
/// ```
/// use crate::console::visible;
/// assert_eq!(visible("\x1b[2J亚马逊\n").to_string(), "\\u{1b}[2J亚马逊\\n");
/// ```
#[must_use]
pub const fn visible(text: &str) -> Visible<'_> {
    Visible {
        text,
        limit: usize::MAX,
    }
}

/// A text as [`visible`] shows it, cut after [`QUOTE_LIMIT`] bytes; `…` marks the cut.
#[must_use]
pub const fn quoted(text: &str) -> Visible<'_> {
    Visible {
        text,
        limit: QUOTE_LIMIT,
    }
}

impl Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, character) in self.text.char_indices() {
            if at + character.len_utf8() > self.limit {
                return f.write_char('…');
            }
            if steers(character) {
                write!(f, "{}", character.escape_default())?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// Tests if a character is a control character, or one that changes the direction of writing.
fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Lines of text, each with two blanks before it.
///
/// ```
/// use crate::console::indented;
/// assert_eq!(indented("a\nb\n"), "  a\n  b\n");
/// ```
#[must_use]
pub fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}

/// A number with the noun that it counts.
///
/// ```
/// use crate::console::counted;
/// assert_eq!(counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(counted(0, "ply", "plies"), "0 plies");
/// ```
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Prints a text on standard output.
///
/// # Errors
/// If it can't be written; the kind is [`io::ErrorKind::BrokenPipe`] where the reader has gone.
pub fn print(text: impl Display) -> io::Result<()> {
    print_any(&text)
}

/// [`print`] of any text: one function for all types.
fn print_any(text: &dyn Display) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let written = write!(output, "{text}").and_then(|()| output.flush());
    written.map_err(|error| io::Error::new(error.kind(), format!("standard output: {error}")))
}

/// Prints a line on standard error. A failure is ignored: there is nobody to tell.
pub fn complain(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped_and_the_rest_is_kept() {
        for (text, shown) in [
            ("plain, é, 中文", "plain, é, 中文"),
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("a\tb\r\n", "a\\tb\\r\\n"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("\u{202e}abc\u{2066}", "\\u{202e}abc\\u{2066}"),
        ] {
            assert_eq!(visible(text).to_string(), shown);
        }
    }

    #[test]
    fn a_quotation_is_cut_between_characters() {
        let long = "中".repeat(100);
        let shown = quoted(&long).to_string();
        assert_eq!(shown, "中".repeat(QUOTE_LIMIT / 3) + "…");
        let whole = "a".repeat(QUOTE_LIMIT);
        assert_eq!(quoted(&whole).to_string(), whole);
    }
}
