//! Splits a text of moves into tokens: words, numbers, annotation symbols, results, tags, comments and brackets.

use super::is_squares;
use engine::console::quoted;

/// A token of a text of moves, such as a square, a bracket or a comment.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    /// Kind of the token, such as a square, a bracket or a comment.
    pub kind: Kind,
    /// Text of the token, exactly as in the source text.
    pub text: &'a str,
    /// Position of the token: byte offset of its first character from the beginning of the text.
    pub offset: usize,
    /// Number of the line that contains the beginning of the token. Counted from 0: the first line of the text has
    /// number 0.
    pub line: usize,
}

/// Kind of a token. A token is one of the parts into which a text of moves is split, such as a square, a move number or
/// a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word: letters and digits, beginning with a letter, such as `c1` (a square) or `c1c6f6` (a move).
    Word,
    /// An integer that may be one of a move's six coordinates, or the number of a move.
    Number,
    /// A move number: a number with dots after it, such as `1.`, or a number directly before a letter.
    MoveNumber,
    /// A separator between squares, such as `-`, `x` or a comma.
    Separator,
    /// The character `*`. Between two squares of a move it is a separator; anywhere else it is a result, which means
    /// that the game is unfinished or its result unknown.
    Star,
    /// The end of a move: a line break, or a semicolon that does not begin a comment.
    Break,
    /// Opening bracket of an arrow's square or of a variation.
    Open,
    /// Closing bracket of an arrow's square or of a variation.
    Close,
    /// An annotation symbol of a move, such as `!` or `??`, or its numeric code in PGN, such as `$1`.
    Sign,
    /// A comment; the value is its text, without the braces around it.
    Comment(String),
    /// A PGN tag such as `[White "Anna"]`; the values are its name (`White`) and its value (`Anna`).
    Tag(String, String),
    /// Result of a game, such as `1-0`, `B+R` or `black wins`.
    Result,
    /// A comment or PGN tag whose closing bracket is missing. The token extends to the end of the text. The value is
    /// the error message for the user.
    Fault(String),
    /// Any other text, such as a decimal fraction. It is an error in a list of moves.
    Other,
}

/// Characters that may separate the squares of a move, besides brackets and `*`.
const SEPARATORS: &str = "-‐‑–—−→>=x×/,，:：.…~";

/// Notations of a game's result. First: the result as written in a text, in upper or lower case. Second: the result to
/// store. `1-0` and `0-1` are stored unchanged, because the game's tags decide whether they mean that black or that
/// white has won.
const RESULTS: [(&str, &str); 16] = [
    ("1/2-1/2", "Draw"),
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1–0", "1-0"),
    ("0–1", "0-1"),
    ("black wins", "B+"),
    ("white wins", "W+"),
    ("black won", "B+"),
    ("white won", "W+"),
    ("black resigns", "W+R"),
    ("white resigns", "B+R"),
    ("draw", "Draw"),
    ("先手胜", "1-0"),
    ("后手胜", "0-1"),
    ("黑胜", "B+"),
    ("白胜", "W+"),
];

/// Iterator over the tokens of a text; skips whitespace except line breaks.
#[derive(Clone)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Tokens<'a> {
    /// Creates an iterator over the tokens of `text`.
    pub const fn new(text: &'a str) -> Tokens<'a> {
        Tokens {
            text,
            at: 0,
            line: 0,
        }
    }

    /// Classifies the token at the beginning of `rest`, the part of the text that is not split into tokens yet. Returns
    /// the kind of the token, then its length in bytes. `first` must be the first character of `rest`.
    fn kind_at(&self, rest: &str, first: char) -> (Kind, usize) {
        let is_digit = |c: char| c.is_ascii_digit();
        let is_word_char = |c: char| c.is_ascii_alphanumeric();
        let follows_digit = rest[first.len_utf8()..].starts_with(is_digit);
        if let Some((_, length)) = parse_result(rest) {
            return (Kind::Result, length);
        }
        match first {
            ';' | '；' => classify_semicolon(rest, first),
            '\n' => (Kind::Break, 1),
            '{' => match rest.split_once('}') {
                Some((comment, _)) => (comment_token(&comment[1..]), comment.len() + 1),
                None => {
                    let fault = "\"{\" has no end, expected }".to_owned();
                    (Kind::Fault(fault), rest.len())
                }
            },
            '[' => parse_tag(rest).unwrap_or((Kind::Open, 1)),
            '(' | '（' => (Kind::Open, first.len_utf8()),
            ')' | '）' | ']' => (Kind::Close, first.len_utf8()),
            '!' | '?' => (Kind::Sign, prefix_length(rest, |c| "!?".contains(c))),
            '$' if follows_digit => (Kind::Sign, 1 + prefix_length(&rest[1..], is_digit)),
            '*' => (Kind::Star, 1),
            '-' if follows_digit && !self.text[..self.at].ends_with(char::is_alphanumeric) => {
                parse_number(rest, 1)
            }
            '0'..='9' => parse_number(rest, 0),
            'x' | 'X' if !follows_digit && prefix_length(rest, is_word_char) == 1 => {
                (Kind::Separator, 1)
            }
            'a'..='z' | 'A'..='Z' => (Kind::Word, prefix_length(rest, is_word_char)),
            _ if SEPARATORS.contains(first) => (Kind::Separator, first.len_utf8()),
            _ => {
                let is_end = |c: char| c.is_whitespace() || "!?(){}[];；（）".contains(c);
                let length = prefix_length(rest, |c| !is_end(c)).max(first.len_utf8());
                (Kind::Other, length)
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest =
            self.text[self.at..].trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
        self.at = self.text.len() - rest.len();
        let (kind, length) = self.kind_at(rest, rest.chars().next()?);
        let token = Token {
            kind,
            text: &rest[..length],
            offset: self.at,
            line: self.line,
        };
        self.at += length;
        self.line += token.text.matches('\n').count();
        Some(token)
    }
}

/// Returns the byte length of the longest prefix of `text` whose characters all satisfy `is_part`.
fn prefix_length(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// Parses a game's result, such as `black wins`, at the beginning of `text`. Returns the result to store, such as `B+`,
/// and the length in bytes of the result in `text`. Returns `None` if `text` does not begin with a result.
pub fn parse_result(text: &str) -> Option<(String, usize)> {
    let ends = |length: usize| !text[length..].starts_with(|c: char| c.is_ascii_alphanumeric());
    for (spelling, result) in RESULTS {
        let length = spelling.len();
        let begin = text.get(..length);
        if begin.is_some_and(|begin| begin.eq_ignore_ascii_case(spelling)) && ends(length) {
            return Some((result.to_owned(), length));
        }
    }
    let [b'B' | b'b' | b'W' | b'w', b'+', ..] = text.as_bytes() else {
        return None;
    };
    let length = 2 + prefix_length(&text[2..], |c| c.is_ascii_alphanumeric() || c == '.');
    Some((text[..1].to_uppercase() + &text[1..length], length))
}

/// Classifies the semicolon `first` at the beginning of `rest`. It begins a comment if a word follows that is neither a
/// square nor a result, and if there is no digit up to the end of the line. Otherwise it ends a move. Returns the kind
/// of the token, then its length in bytes.
fn classify_semicolon(rest: &str, first: char) -> (Kind, usize) {
    let after = rest[first.len_utf8()..].trim_start_matches([' ', '\t']);
    let word = after.split(|c: char| !c.is_alphanumeric()).next();
    let word = word.unwrap_or_default();
    if !word.is_empty() && !is_squares(word) && parse_result(after).is_none() {
        let prose = after.lines().next().unwrap_or_default();
        if !prose.contains(|c: char| c.is_ascii_digit()) {
            return (comment_token(prose), rest.len() - after.len() + prose.len());
        }
    }
    (Kind::Break, first.len_utf8())
}

/// Creates a comment token from `text`: removes whitespace at both ends, and converts line breaks to `\n`.
fn comment_token(text: &str) -> Kind {
    Kind::Comment(text.trim().replace("\r\n", "\n"))
}

/// Parses a number at the beginning of `rest`. Returns the kind of the token, then its length in bytes.
///
/// - [`Kind::Other`]: a decimal fraction such as `1.5`
/// - [`Kind::MoveNumber`]: a number before a letter, or before punctuation such as `.` or `:`. The token includes the
///   punctuation, but not the letter.
/// - [`Kind::Number`]: any other number; it may be a coordinate
///
/// `sign_length` is 1 if the number begins with a minus sign, otherwise 0.
fn parse_number(rest: &str, sign_length: usize) -> (Kind, usize) {
    let after = rest[sign_length..].trim_start_matches(|c: char| c.is_ascii_digit());
    let rest_after = after.trim_start_matches(['.', '…', ':', '．', '、']);
    if after.starts_with('.') && rest_after.starts_with(|c: char| c.is_ascii_digit()) {
        let length = prefix_length(rest_after, |c| c.is_ascii_digit() || c == '.');
        return (Kind::Other, rest.len() - rest_after.len() + length);
    }
    let is_of_move =
        rest_after.len() < after.len() || after.starts_with(|c: char| c.is_ascii_alphabetic());
    let kind = match is_of_move {
        true => Kind::MoveNumber,
        false => Kind::Number,
    };
    (kind, rest.len() - rest_after.len())
}

/// Parses a PGN tag such as `[Name "value"]` at the beginning of `rest`. Returns the kind and the length in bytes of
/// the token, or `None` if the bracket does not begin a tag.
fn parse_tag(rest: &str) -> Option<(Kind, usize)> {
    let inner = rest[1..].trim_start();
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, value) = inner.split_at(end);
    let value = value.trim_start().strip_prefix('"')?;
    if name.is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut letters = value.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next().map(|(_, letter)| letter)),
            '"' => {
                let after = value[at + 1..].trim_start().strip_prefix(']')?;
                return Some((Kind::Tag(name.to_owned(), text), rest.len() - after.len()));
            }
            '\n' => break,
            letter => text.push(letter),
        }
    }
    let fault = format!("the tag \"{}\" has no end, expected \"]", quoted(name));
    Some((Kind::Fault(fault), rest.len()))
}
