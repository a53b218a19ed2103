//! Detects the character set of a game file ([`parse`]): lists candidates, decodes and parses the file under each of
//! them, and chooses the candidate under which most of the file can be parsed.
//!
//! Callers pass in the decoder, because the program and the browser each have their own. Both decoders know the labels
//! of the Encoding Standard (<https://encoding.spec.whatwg.org>).

use super::formats;
use super::log::LogError;
use super::tree::Record;
use engine::console::quoted;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Reason why a character set is a candidate for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CandidateReason {
    /// The file begins with the byte order mark of this character set.
    ByteOrderMark,
    /// The file declares this character set in its SGF property `CA`, such as `CA[GB18030]`.
    Declared,
    /// A guess: one of the common character sets, or UTF-16 if one of the first two bytes is 0.
    Assumed,
}

/// A character set that a file may have, with the file's content decoded under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Label in the Encoding Standard, such as `GB18030`. It may be unknown to the decoder if it was declared in the
    /// file.
    pub label: String,
    /// Reason why this character set is a candidate: a byte order mark, a declaration in the file, or a guess.
    pub origin: CandidateReason,
    /// Content of the file, decoded under this character set. `None` as long as the file has not been decoded. Also
    /// `None` if decoding failed, because the label is unknown to the decoder or the bytes are invalid.
    pub text: Option<String>,
}

/// A game file after decoding and parsing: its text under the most plausible character set, and its games.
#[derive(Clone, Debug)]
pub struct DecodedFile {
    /// Content of the file, decoded under the chosen character set.
    pub text: String,
    /// Games of the file, in the order of the file; always at least one element. A game that cannot be parsed is an
    /// `Err`. If the character set is uncertain, each game and each error contains a warning about it.
    pub games: Vec<Result<Record, LogError>>,
}

/// Byte order marks. First: the bytes at the beginning of a file. Second: label, in the Encoding Standard, of the
/// character set that they indicate.
const BYTE_ORDER_MARKS: [(&[u8], &str); 3] = [
    (&[0xef, 0xbb, 0xbf], "UTF-8"),
    (&[0xff, 0xfe], "UTF-16LE"),
    (&[0xfe, 0xff], "UTF-16BE"),
];

/// Labels of the character sets to try even if a file declares none, the most likely first. `windows-1252` is last
/// because it can decode any bytes.
const GUESSES: [&str; 3] = ["UTF-8", "GB18030", "windows-1252"];

/// Character set names that occur in files but not in the Encoding Standard. First: the name in a file, in lower case.
/// Second: the standard's label for the same character set.
const ALIASES: [(&str, &str); 7] = [
    ("cp936", "gbk"),
    ("cp932", "shift_jis"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("cp65001", "utf-8"),
    ("utf_8", "utf-8"),
    ("windows-936", "gbk"),
];

/// Maximum length in bytes of a character set name in `CA[…]`, including the closing bracket.
const MAX_NAME_BYTES: usize = 40;

/// Finds the character set of a game file: decodes and parses the file under each candidate, and returns the result
/// with the most game tree nodes (positions). Under a wrong character set some moves cannot be parsed, so that there
/// are fewer nodes (see [`choose`]).
///
/// `decode(label, bytes)` must decode the bytes under the character set with this label of the Encoding Standard. It
/// must return `None` if the label is unknown, or if the bytes are invalid under it.
#[must_use]
pub fn parse(content: &[u8], decode: impl Fn(&str, &[u8]) -> Option<String>) -> DecodedFile {
    let mut candidates = candidates(content);
    for candidate in &mut candidates {
        candidate.text = decode(&candidate.label, content);
    }
    choose(candidates)
}

/// Returns the candidates for the character set of a file, the likeliest first. Their texts are `None`: decode
/// `content` under each character set and store the text in [`Candidate::text`] before you call [`choose`].
#[must_use]
pub fn candidates(content: &[u8]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |label: String, origin: CandidateReason| {
        let mut labels = found.iter().map(|other| &other.label);
        if !labels.any(|other| other.eq_ignore_ascii_case(&label)) {
            found.push(Candidate {
                label,
                origin,
                text: None,
            });
        }
    };
    let mark = BYTE_ORDER_MARKS
        .iter()
        .find(|(mark, _)| content.starts_with(mark));
    if let Some((_, label)) = mark {
        add((*label).to_owned(), CandidateReason::ByteOrderMark);
    }
    // A game file begins with an ASCII character. In UTF-16 this character has two bytes, and one of them is zero.
    match *content {
        [1..=0x7f, 0, ..] => add("UTF-16LE".to_owned(), CandidateReason::Assumed),
        [0, 1..=0x7f, ..] => add("UTF-16BE".to_owned(), CandidateReason::Assumed),
        _ => {}
    }
    // A text of ASCII characters is the same in all character sets, so its declaration is irrelevant. The exception is
    // ISO-2022-JP, which switches alphabets by escape bytes (0x1b).
    let is_ascii_only = content.is_ascii() && !content.contains(&0x1b);
    if let Some(label) = declared_label(content).filter(|_| !is_ascii_only) {
        add(label, CandidateReason::Declared);
    }
    let is_utf8 = std::str::from_utf8(content).is_ok();
    for label in &GUESSES[..if is_utf8 { 1 } else { 3 }] {
        add((*label).to_owned(), CandidateReason::Assumed);
    }
    found
}

/// Returns the label of the character set that a file declares, such as `gbk` for `CA[GBK]`. `content` is the file as
/// bytes; the first `CA[…]` counts. Returns `None` if there is no `CA[…]`. The `CA[…]` may be part of a comment instead
/// of an SGF property; [`declares`] checks this after decoding.
fn declared_label(content: &[u8]) -> Option<String> {
    let names = content.windows(3).enumerate();
    let mut names = names.filter(|(_, name)| name == b"CA[");
    let (at, _) = names.find(|&(at, _)| at == 0 || !content[at - 1].is_ascii_alphanumeric())?;
    let value = &content[at + 3..content.len().min(at + 3 + MAX_NAME_BYTES)];
    let end = value.iter().position(|&byte| byte == b']')?;
    Some(standard_label(&String::from_utf8_lossy(&value[..end])))
}

/// Returns the label for a character set name: the label in [`ALIASES`], or else the name itself in lower case.
fn standard_label(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let other = ALIASES.iter().find(|(other, _)| *other == name);
    other.map_or(name, |(_, label)| (*label).to_owned())
}

/// Chooses the best of the candidates, whose texts must be decoded already, and returns its text and games. The best
/// candidate is the one whose games have the most nodes; of equal candidates the first. If no candidate has a text, the
/// result has an empty text, and an error as its only game.
///
/// A wrong character set gives fewer nodes: a closing bracket may become part of a multi-byte character, so that moves
/// are lost.
#[must_use]
pub fn choose(candidates: Vec<Candidate>) -> DecodedFile {
    let mut best: Option<(ParseScore, Candidate, DecodedFile)> = None;
    let mut rejected = Vec::new();
    for mut candidate in candidates {
        let text = candidate.text.take();
        let is_plausible = |text: &String| {
            candidate.origin != CandidateReason::Declared || declares(text, &candidate.label)
        };
        let Some(text) = text.filter(is_plausible) else {
            rejected.push(candidate);
            continue;
        };
        let games = formats::read_all(&text);
        let score = parse_score(&text, &games);
        if best.as_ref().is_none_or(|(known, ..)| score > *known) {
            let worse = best.replace((score, candidate, DecodedFile { text, games }));
            rejected.extend(worse.map(|(_, candidate, _)| candidate));
        }
    }
    let Some((_, chosen, mut opened)) = best else {
        let fault = "in no character set that is known here, expected a text".to_owned();
        return DecodedFile {
            text: String::new(),
            games: vec![Err(LogError::in_text(fault))],
        };
    };
    if let Some(remark) = uncertainty_warning(&chosen, &rejected, &opened.text) {
        opened.games.iter_mut().for_each(|game| match game {
            Ok(record) => record.warn(remark.clone()),
            Err(error) => error.fault += &format!("; {remark}"),
        });
    }
    opened
}

/// Quality of a decoded text, to compare character sets; the greatest is the best. First: number of game tree nodes.
/// Second: number of values in square brackets. Third: number of games with errors, reversed because fewer are better.
/// The second and third number decide only if the numbers before them are equal.
type ParseScore = (usize, usize, Reverse<usize>);

/// Returns a score for how much of `text` could be parsed; the greatest score is the best. More game tree nodes are
/// better. If the nodes are equal in number, more values in square brackets are better, and then fewer games with
/// errors. `text` is the file decoded under one character set; `games` are the games parsed from it.
fn parse_score(text: &str, games: &[Result<Record, LogError>]) -> ParseScore {
    let nodes = games.iter().flatten().map(|record| record.nodes.len());
    let faults = games.iter().filter(|game| game.is_err()).count();
    (nodes.sum(), formats::count_values(text), Reverse(faults))
}

/// Tests if an SGF game in `text` declares in its property `CA` a character set whose label is `name`. Also returns
/// true if no game of `text` can be parsed, because it is then unknown what the games declare.
fn declares(text: &str, name: &str) -> bool {
    let declared = formats::declared_charsets(text);
    let mut labels = declared.iter().map(|declared| standard_label(declared));
    declared.is_empty() || labels.any(|label| label == name)
}

/// Returns a warning for the user if the character set `chosen` is uncertain, otherwise `None`. It is uncertain if it
/// is a guess other than UTF-8, if the file declares another character set, or if the games of the file declare
/// several. `rejected` are the candidates that were not chosen; `text` is the file, decoded under `chosen`.
fn uncertainty_warning(chosen: &Candidate, rejected: &[Candidate], text: &str) -> Option<String> {
    let name = &chosen.label;
    let is_named = |other: &&Candidate| match other.origin {
        CandidateReason::ByteOrderMark => true,
        CandidateReason::Declared => declares(text, &other.label),
        CandidateReason::Assumed => false,
    };
    if let Some(other) = rejected.iter().find(is_named) {
        let other = quoted(&other.label);
        return Some(format!(
            "the character set \"{other}\", which the file declares, is unknown or does not fit: {name} is assumed"
        ));
    }
    match chosen.origin {
        CandidateReason::Assumed if name == GUESSES[0] => None,
        CandidateReason::Assumed => Some(format!(
            "the file declares no character set: {name} is assumed"
        )),
        CandidateReason::Declared => {
            let declared = formats::declared_charsets(text);
            let all: BTreeSet<String> = declared.iter().map(|name| standard_label(name)).collect();
            let all: Vec<String> = all.into_iter().filter(|name| !name.is_empty()).collect();
            let others = quoted(&all.join(", ")).to_string();
            (all.len() > 1).then(|| {
                format!("the games of the file declare several character sets ({others}): all are read as {name}")
            })
        }
        CandidateReason::ByteOrderMark => None,
    }
}
