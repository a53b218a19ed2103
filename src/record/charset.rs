//! Detects the character set of a game file: lists candidates, parses the file under each of them, and chooses the candidate
//! that preserves most of the games.
//!
//! Callers pass in the decoder, because the program and the browser each have their own. Both decoders know the labels of the
//! Encoding Standard (<https://encoding.spec.whatwg.org>).

use super::formats;
use super::log::LogError;
use super::tree::Record;
use engine::console::quoted;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How the character set of a file was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// By a byte order mark at the beginning of the file.
    ByteOrderMark,
    /// By the SGF property `CA[…]` in the file.
    Declared,
    /// By a guess, since nothing in the file names its character set.
    Assumed,
}

/// A character set that may be that of a file, with the content decoded under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Label in the Encoding Standard, such as `GB18030`; an unknown label is possible if the file declares it.
    pub label: String,
    /// How this character set was determined.
    pub origin: Origin,
    /// Content of the file, decoded; `None` if it was not decoded yet, if the label is unknown, or if the bytes are
    /// invalid in this character set.
    pub text: Option<String>,
}

/// A file decoded under the chosen character set, with the games parsed from it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Decoded content of the file.
    pub text: String,
    /// Games of the file, at least one, as [`Record::read_all`] returns them; an uncertain character set adds a warning
    /// to each.
    pub games: Vec<Result<Record, LogError>>,
}

/// Byte order marks, each with the label of its character set.
const BYTE_ORDER_MARKS: [(&[u8], &str); 3] = [
    (&[0xef, 0xbb, 0xbf], "UTF-8"),
    (&[0xff, 0xfe], "UTF-16LE"),
    (&[0xfe, 0xff], "UTF-16BE"),
];

/// Labels of the character sets to guess, in this order. `windows-1252` comes last because it can decode any bytes.
const GUESSES: [&str; 3] = ["UTF-8", "GB18030", "windows-1252"];

/// Pairs of a common character set name that the Encoding Standard lacks, and the standard's label for the same set.
const ALIASES: [(&str, &str); 7] = [
    ("cp936", "gbk"),
    ("cp932", "shift_jis"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("cp65001", "utf-8"),
    ("utf_8", "utf-8"),
    ("windows-936", "gbk"),
];

/// Maximum number of bytes after `CA[` in which the closing bracket is looked for.
const MAX_NAME_BYTES: usize = 40;

/// Decodes a file under each candidate character set, parses the texts, and returns the best result (see [`choose`]).
///
/// `decode(label, bytes)` returns the text, or `None` if the label is unknown or the bytes are invalid in that
/// character set.
#[must_use]
pub fn open(content: &[u8], decode: impl Fn(&str, &[u8]) -> Option<String>) -> Opened {
    let mut candidates = candidates(content);
    for candidate in &mut candidates {
        candidate.text = decode(&candidate.label, content);
    }
    choose(candidates)
}

/// Returns the candidate character sets of a file, the likeliest first; [`Candidate::text`] is still `None`.
#[must_use]
pub fn candidates(content: &[u8]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |label: String, origin: Origin| {
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
        add((*label).to_owned(), Origin::ByteOrderMark);
    }
    // Every record begins with an ASCII character: if one of the first two bytes is zero, the text is UTF-16.
    match *content {
        [1..=0x7f, 0, ..] => add("UTF-16LE".to_owned(), Origin::Assumed),
        [0, 1..=0x7f, ..] => add("UTF-16BE".to_owned(), Origin::Assumed),
        _ => {}
    }
    // Plain ASCII decodes alike in all character sets, except ISO-2022-JP, which switches alphabets by escape bytes (0x1b).
    let is_ascii_only = content.is_ascii() && !content.contains(&0x1b);
    if let Some(label) = declared(content).filter(|_| !is_ascii_only) {
        add(label, Origin::Declared);
    }
    let is_utf8 = std::str::from_utf8(content).is_ok();
    for label in &GUESSES[..if is_utf8 { 1 } else { 3 }] {
        add((*label).to_owned(), Origin::Assumed);
    }
    found
}

/// Returns the label in the first `CA[…]` among the bytes of a file; `None` if there is none. It may lie within a
/// comment: only the decoded text shows if it is a property (see [`declares`]).
fn declared(content: &[u8]) -> Option<String> {
    let names = content.windows(3).enumerate();
    let mut names = names.filter(|(_, name)| name == b"CA[");
    let (at, _) = names.find(|&(at, _)| at == 0 || !content[at - 1].is_ascii_alphanumeric())?;
    let value = &content[at + 3..content.len().min(at + 3 + MAX_NAME_BYTES)];
    let end = value.iter().position(|&byte| byte == b']')?;
    Some(standard_label(&String::from_utf8_lossy(&value[..end])))
}

/// Converts a character set name to lower case, and to the Encoding Standard's label if [`ALIASES`] lists the name.
fn standard_label(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let other = ALIASES.iter().find(|(other, _)| *other == name);
    other.map_or(name, |(_, label)| (*label).to_owned())
}

/// Parses each candidate's text and returns the result with the most nodes; the first of equals. If no candidate has a
/// text, the result holds a single error.
///
/// Under a wrong character set a closing bracket may become part of a multi-byte character. Then a property value does
/// not end, and moves are lost.
#[must_use]
pub fn choose(candidates: Vec<Candidate>) -> Opened {
    let mut best: Option<(ParseScore, Candidate, Opened)> = None;
    let mut rejected = Vec::new();
    for mut candidate in candidates {
        let text = candidate.text.take();
        let is_plausible = |text: &String| {
            candidate.origin != Origin::Declared || declares(text, &candidate.label)
        };
        let Some(text) = text.filter(is_plausible) else {
            rejected.push(candidate);
            continue;
        };
        let games = formats::read_all(&text);
        let score = parse_score(&text, &games);
        if best.as_ref().is_none_or(|(known, ..)| score > *known) {
            let worse = best.replace((score, candidate, Opened { text, games }));
            rejected.extend(worse.map(|(_, candidate, _)| candidate));
        }
    }
    let Some((_, chosen, mut opened)) = best else {
        let fault = "in no character set that is known here, expected a text".to_owned();
        return Opened {
            text: String::new(),
            games: vec![Err(LogError::in_text(fault))],
        };
    };
    if let Some(remark) = remark(&chosen, &rejected, &opened.text) {
        opened.games.iter_mut().for_each(|game| match game {
            Ok(record) => record.remark(remark.clone()),
            Err(error) => error.fault += &format!("; {remark}"),
        });
    }
    opened
}

/// Score of a decoding, higher is better: number of nodes, number of bracketed values, and number of damaged games
/// (reversed).
type ParseScore = (usize, usize, Reverse<usize>);

/// Computes the score of the decoded `text` and its parsed `games`.
fn parse_score(text: &str, games: &[Result<Record, LogError>]) -> ParseScore {
    let nodes = games.iter().flatten().map(|record| record.nodes.len());
    let faults = games.iter().filter(|game| game.is_err()).count();
    (nodes.sum(), formats::count_values(text), Reverse(faults))
}

/// Tests if a game in `text` has the property `CA` with the label `name`. Also true if all games are damaged, because
/// then no property can be read.
fn declares(text: &str, name: &str) -> bool {
    let declared = formats::declared_charsets(text);
    declared.is_empty()
        || declared
            .iter()
            .any(|declared| standard_label(declared) == name)
}

/// Returns a warning if the character set `chosen` is a guess other than UTF-8, or contradicts the file's declarations;
/// otherwise `None`.
fn remark(chosen: &Candidate, rejected: &[Candidate], text: &str) -> Option<String> {
    let name = &chosen.label;
    let is_named = |other: &&Candidate| match other.origin {
        Origin::ByteOrderMark => true,
        Origin::Declared => declares(text, &other.label),
        Origin::Assumed => false,
    };
    if let Some(other) = rejected.iter().find(is_named) {
        let other = quoted(&other.label);
        return Some(format!(
            "the character set \"{other}\", which the file declares, is unknown or does not fit: {name} is assumed"
        ));
    }
    match chosen.origin {
        Origin::Assumed if name == GUESSES[0] => None,
        Origin::Assumed => Some(format!(
            "the file declares no character set: {name} is assumed"
        )),
        Origin::Declared => {
            let declared = formats::declared_charsets(text);
            let all: BTreeSet<String> = declared.iter().map(|name| standard_label(name)).collect();
            let all: Vec<String> = all.into_iter().filter(|name| !name.is_empty()).collect();
            let others = quoted(&all.join(", ")).to_string();
            (all.len() > 1).then(|| {
                format!("the games of the file declare several character sets ({others}): all are read as {name}")
            })
        }
        Origin::ByteOrderMark => None,
    }
}
