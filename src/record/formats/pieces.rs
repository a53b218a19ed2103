//! Splits a text into sections ([`Section`]): its games, and the other text before, between and after them.

use super::{Format, fen, moves};
use engine::console::quoted;

/// A section of a file's text: one game, or text between games that is no part of a game.
pub struct Section<'a> {
    /// Text of this section of the file: one game, or other text between games. Without whitespace at its beginning and
    /// end.
    pub text: &'a str,
    /// Number of lines in the game file before the first line of this section's `text`.
    pub lines_before: usize,
    /// True if [`split`] took this section of the file for a game. The caller skips any other section, with a warning
    /// to the user.
    pub is_game: bool,
}

impl Section<'_> {
    /// Returns a warning for the user that this section is not part of a game and was skipped: with its line numbers
    /// and the first 40 characters.
    pub fn skip_warning(&self) -> String {
        let first = self.lines_before + 1;
        let lines = match self.text.lines().count() {
            1 => format!("line {first}"),
            count => format!("lines {first} to {}", self.lines_before + count),
        };
        let line = self.text.lines().next().unwrap_or_default();
        let begin: String = line.chars().take(40).collect();
        let begin = quoted(&begin);
        format!("left out, as no part of a game: {lines}, \"{begin}\"")
    }
}

/// Splits `text`, which is in the given format, into sections, in the order of the text. Each section is a game, or
/// text that is no part of a game. There is at least one game, unless `text` is blank.
pub fn split(format: Format, text: &str) -> Vec<Section<'_>> {
    let mut starts = match format {
        Format::Sgf => sgf_starts(text),
        Format::Ccgc => line_starts(text, |line| line.starts_with("#[")),
        Format::Fen => line_starts(text, fen::is_position),
        Format::Log if !is_log_archive(text) => {
            return vec![Section {
                text,
                lines_before: 0,
                is_game: true,
            }];
        }
        Format::Log => line_starts(text, |line| !line.is_empty()),
        Format::Moves => moves::game_starts(text).map(|at| (at, true)).collect(),
    };
    if starts.first().is_none_or(|&(at, _)| at > 0) {
        starts.insert(0, (0, format == Format::Moves || starts.is_empty()));
    }
    let ends = starts[1..].iter().map(|&(at, _)| at).chain([text.len()]);
    let (mut pieces, mut lines) = (Vec::new(), 0);
    for (&(start, is_game), end) in starts.iter().zip(ends) {
        let part = &text[start..end];
        let blank = part.len() - part.trim_start().len();
        let piece = Section {
            text: part.trim(),
            lines_before: lines + part[..blank].matches('\n').count(),
            is_game,
        };
        lines += part.matches('\n').count();
        if !piece.text.is_empty() {
            pieces.push(piece);
        }
    }
    pieces
}

/// Finds the lines of `text` at which games begin: those for which `begins` returns true. First: byte offset of the
/// line in `text`. Second: always true, which means that the section beginning at this line is a game. Compare
/// [`sgf_starts`], which also returns sections that are no games.
fn line_starts(text: &str, begins: impl Fn(&str) -> bool) -> Vec<(usize, bool)> {
    let (mut starts, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        if begins(line.trim()) {
            starts.push((at, true));
        }
        at += line.len();
    }
    starts
}

/// Tests if `text` looks like a collection of Botzone's match logs, one log per line. It must have at least two lines
/// that are not blank, and at least half of these must begin with `{` and end with `}`.
fn is_log_archive(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (count, objects) = lines.fold((0, 0), |(count, objects), line| {
        let is_object = line.starts_with('{') && line.ends_with('}');
        (count + 1, objects + usize::from(is_object))
    });
    count > 1 && 2 * objects >= count
}

/// Tests if an SGF game begins anywhere in `text`.
pub fn has_sgf(text: &str) -> bool {
    text.match_indices('(')
        .any(|(at, _)| starts_with_sgf(&text[at..]))
}

/// Tests if `text` looks like the beginning of an SGF game: it begins with `(`, `;` and a property such as `GM[`.
fn starts_with_sgf(text: &str) -> bool {
    let node = text
        .strip_prefix('(')
        .and_then(|rest| rest.trim_start().strip_prefix(';'));
    node.is_some_and(|node| {
        let name = node.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ';');
        let value = name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        value.len() < name.len() && value.trim_start().starts_with('[')
    })
}

/// Finds where the games in an SGF text begin and end. Other text, such as a note, may stand between them. Returns
/// pairs in ascending order of their offsets. First: byte offset in `text`. Second: true if a game begins at this
/// offset, false if a game ends there.
///
/// A game begins at `(` if an SGF node follows. At the beginning of the text, after whitespace, `(` alone suffices.
fn sgf_starts(text: &str) -> Vec<(usize, bool)> {
    let first = text.len() - text.trim_start().len();
    let (mut starts, mut end) = (Vec::new(), 0);
    for (at, _) in text.match_indices('(') {
        if at >= end && (at == first || starts_with_sgf(&text[at..])) {
            end = at + sgf_length(&text[at..]);
            starts.extend([(at, true), (end, false)]);
        }
    }
    starts
}

/// Returns the length in bytes of the SGF game at the beginning of `text`: up to and including the game's closing
/// parenthesis. If this parenthesis is missing, the game extends to the end of `text`.
fn sgf_length(text: &str) -> usize {
    let mut depth = 0;
    let mut brackets = brackets(text).filter(|(_, bracket)| b"()".contains(bracket));
    let last = brackets.find(|&(_, bracket)| {
        depth += if bracket == b'(' { 1 } else { -1 };
        depth == 0
    });
    last.map_or(text.len(), |(at, _)| at + 1)
}

/// Counts the values in square brackets of an SGF text. Under a wrong character set, some brackets become part of other
/// characters; therefore the decoding with the most values is the likeliest.
pub fn count_values(text: &str) -> usize {
    brackets(text)
        .filter(|&(_, bracket)| bracket == b']')
        .count()
}

/// Iterates over the brackets that are part of SGF's syntax: parentheses around games and variations, and the square
/// brackets around a value. Skips brackets inside a value. First: byte offset of the bracket in `text`. Second: ASCII
/// code of the bracket.
fn brackets(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut is_value, mut is_escaped) = (false, false);
    text.bytes().enumerate().filter(move |&(_, letter)| {
        if std::mem::take(&mut is_escaped) {
            return false;
        }
        match letter {
            b'\\' => is_escaped = is_value,
            b'[' => return !std::mem::replace(&mut is_value, true),
            b']' => return std::mem::take(&mut is_value),
            b'(' | b')' => return !is_value,
            _ => {}
        }
        false
    })
}
