//! The tokens of a text of moves: words, numbers, signs, results, tags, comments and brackets, each with its line.

use super::is_squares;
use engine::console::quoted;

/// A token of a text.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    /// What the token is.
    pub kind: Kind,
    /// The token as it stands in the text.
    pub text: &'a str,
    /// Offset of the token in the text, in bytes.
    pub at: usize,
    /// The line in which the token begins, from 0.
    pub line: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters and digits that begin with a letter
    Word,
    /// A number that may be a coordinate
    Number,
    /// The number of a move, as its dot or the square after it shows
    MoveNumber,
    /// What may stand between squares
    Separator,
    /// `*`: a result that is unknown, or what stands between squares
    Star,
    /// End of a line or a semicolon: no move goes on after it
    Break,
    /// An opening bracket: of an arrow's square, or `(` of a variation
    Open,
    /// A closing bracket
    Close,
    /// `!`, `??` and the like, or `$` with the number of such a sign
    Sign,
    /// A comment, without its braces
    Comment(String),
    /// Name and value of a tag
    Tag(String, String),
    /// A result: `1-0`, `0-1`, or as SGF has it
    Result,
    /// A token that has no end, which takes the rest of the text, and what is wrong
    Fault(String),
    /// Anything else
    Other,
}

/// What is read between squares, besides brackets and `*`.
const SEPARATORS: &str = "-‐‑–—−→>=x×/,，:：.…~";

/// Ways to write a result, and what is kept of them.
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

/// The tokens of a text, to its end.
#[derive(Clone)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Tokens<'a> {
    /// Returns the tokens of a text.
    pub const fn of(text: &'a str) -> Tokens<'a> {
        Tokens {
            text,
            at: 0,
            line: 0,
        }
    }

    /// Returns kind and length of the token with which `rest` begins.
    fn kind_at(&self, rest: &str, first: char) -> (Kind, usize) {
        let is_digit = |c: char| c.is_ascii_digit();
        let is_of_word = |c: char| c.is_ascii_alphanumeric();
        let follows_digit = rest[first.len_utf8()..].starts_with(is_digit);
        if let Some((_, length)) = result(rest) {
            return (Kind::Result, length);
        }
        match first {
            ';' | '；' => semicolon(rest, first),
            '\n' => (Kind::Break, 1),
            '{' => match rest.split_once('}') {
                Some((comment, _)) => (comment_of(&comment[1..]), comment.len() + 1),
                None => {
                    let fault = "\"{\" has no end, expected }".to_owned();
                    (Kind::Fault(fault), rest.len())
                }
            },
            '[' => tag(rest).unwrap_or((Kind::Open, 1)),
            '(' | '（' => (Kind::Open, first.len_utf8()),
            ')' | '）' | ']' => (Kind::Close, first.len_utf8()),
            '!' | '?' => (Kind::Sign, run(rest, |c| "!?".contains(c))),
            '$' if follows_digit => (Kind::Sign, 1 + run(&rest[1..], is_digit)),
            '*' => (Kind::Star, 1),
            '-' if follows_digit && !self.text[..self.at].ends_with(char::is_alphanumeric) => {
                number(rest, 1)
            }
            '0'..='9' => number(rest, 0),
            'x' | 'X' if !follows_digit && run(rest, is_of_word) == 1 => (Kind::Separator, 1),
            'a'..='z' | 'A'..='Z' => (Kind::Word, run(rest, is_of_word)),
            _ if SEPARATORS.contains(first) => (Kind::Separator, first.len_utf8()),
            _ => {
                let is_end = |c: char| c.is_whitespace() || "!?(){}[];；（）".contains(c);
                let length = run(rest, |c| !is_end(c)).max(first.len_utf8());
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
            at: self.at,
            line: self.line,
        };
        self.at += length;
        self.line += token.text.matches('\n').count();
        Some(token)
    }
}

/// Returns the length of the longest beginning of a text that consists of such letters.
fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// Reads a result at the beginning of a text: what is kept of it, and its length.
pub fn result(text: &str) -> Option<(String, usize)> {
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
    let length = 2 + run(&text[2..], |c| c.is_ascii_alphanumeric() || c == '.');
    Some((text[..1].to_uppercase() + &text[1..length], length))
}

/// Reads a semicolon. Words without a digit that are no squares make the rest of its line a comment.
fn semicolon(rest: &str, first: char) -> (Kind, usize) {
    let after = rest[first.len_utf8()..].trim_start_matches([' ', '\t']);
    let word = after.split(|c: char| !c.is_alphanumeric()).next();
    let word = word.unwrap_or_default();
    if !word.is_empty() && !is_squares(word) && result(after).is_none() {
        let prose = after.lines().next().unwrap_or_default();
        if !prose.contains(|c: char| c.is_ascii_digit()) {
            return (comment_of(prose), rest.len() - after.len() + prose.len());
        }
    }
    (Kind::Break, first.len_utf8())
}

/// Returns a comment without blanks around it, with ends of lines as SGF has them.
fn comment_of(text: &str) -> Kind {
    Kind::Comment(text.trim().replace("\r\n", "\n"))
}

/// Reads a number, with the dots that follow the number of a move. A decimal fraction is no such number.
fn number(rest: &str, sign: usize) -> (Kind, usize) {
    let after = rest[sign..].trim_start_matches(|c: char| c.is_ascii_digit());
    let rest_after = after.trim_start_matches(['.', '…', ':', '．', '、']);
    if after.starts_with('.') && rest_after.starts_with(|c: char| c.is_ascii_digit()) {
        let length = run(rest_after, |c| c.is_ascii_digit() || c == '.');
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

/// Reads a tag, `[Name "value"]`, if a text begins with a name and a quote in brackets.
fn tag(rest: &str) -> Option<(Kind, usize)> {
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
