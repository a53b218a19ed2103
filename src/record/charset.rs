//! In which character set a file of others is written: which sets come into question, and which one keeps most of its games.
//!
//! Decoding is left to the caller: both the program and a browser have the sets of the Encoding Standard
//! (<https://encoding.spec.whatwg.org>) under the same labels.

use super::formats;
use super::log::LogError;
use super::tree::Record;
use engine::console::quoted;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What names a character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The byte order mark at the beginning of the file.
    Mark,
    /// A property of SGF in the file, `CA[…]`.
    Declared,
    /// Nothing in the file.
    Assumed,
}

/// A character set in which a file may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its label; one that a file declares may be unknown.
    pub label: String,
    /// What names it.
    pub origin: Origin,
    /// The file decoded by it; nothing if the label is unknown, or the file can't be in this set.
    pub text: Option<String>,
}

/// A file that was decoded and read.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The text.
    pub text: String,
    /// Its games as [`Record::read_all`] reads them, with a remark on the character set that was assumed.
    pub games: Vec<Result<Record, LogError>>,
}

/// Byte order marks, and what they mean.
const MARKS: [(&[u8], &str); 3] = [
    (&[0xef, 0xbb, 0xbf], "UTF-8"),
    (&[0xff, 0xfe], "UTF-16LE"),
    (&[0xfe, 0xff], "UTF-16BE"),
];

/// The sets that are assumed if nothing is declared, in the order in which they are tried. The last one fits any file.
const ASSUMED: [&str; 3] = ["UTF-8", "GB18030", "windows-1252"];

/// Names of character sets outside the Encoding Standard, and their labels in it.
const OTHER_NAMES: [(&str, &str); 7] = [
    ("cp936", "gbk"),
    ("cp932", "shift_jis"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("cp65001", "utf-8"),
    ("utf_8", "utf-8"),
    ("windows-936", "gbk"),
];

/// Longest name of a character set that is looked at, in bytes.
const LONGEST_NAME: usize = 40;

/// Reads a file. `decode` decodes bytes by a label, or returns nothing if the label is unknown or the bytes don't fit.
#[must_use]
pub fn open(content: &[u8], decode: impl Fn(&str, &[u8]) -> Option<String>) -> Opened {
    let mut candidates = candidates(content);
    for candidate in &mut candidates {
        candidate.text = decode(&candidate.label, content);
    }
    judge(candidates)
}

/// Returns the sets in which a file may be written, the likeliest first; they still lack their texts.
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
    let mark = MARKS.iter().find(|(mark, _)| content.starts_with(mark));
    if let Some((_, label)) = mark {
        add((*label).to_owned(), Origin::Mark);
    }
    // The first letter of a record is one of ASCII.
    match *content {
        [1..=0x7f, 0, ..] => add("UTF-16LE".to_owned(), Origin::Assumed),
        [0, 1..=0x7f, ..] => add("UTF-16BE".to_owned(), Origin::Assumed),
        _ => {}
    }
    // Without other bytes nothing depends on the set, except after the escapes of ISO-2022-JP.
    let is_plain = content.is_ascii() && !content.contains(&0x1b);
    if let Some(label) = declared(content).filter(|_| !is_plain) {
        add(label, Origin::Declared);
    }
    let is_utf8 = std::str::from_utf8(content).is_ok();
    for label in &ASSUMED[..if is_utf8 { 1 } else { 3 }] {
        add((*label).to_owned(), Origin::Assumed);
    }
    found
}

/// Returns the set that the bytes of SGF seem to declare. Whether they do can be told only of the text.
fn declared(content: &[u8]) -> Option<String> {
    let names = content.windows(3).enumerate();
    let mut names = names.filter(|(_, name)| name == b"CA[");
    let (at, _) = names.find(|&(at, _)| at == 0 || !content[at - 1].is_ascii_alphanumeric())?;
    let value = &content[at + 3..content.len().min(at + 3 + LONGEST_NAME)];
    let end = value.iter().position(|&byte| byte == b']')?;
    Some(label(&String::from_utf8_lossy(&value[..end])))
}

/// Returns the label of a name that a file gives to a set.
fn label(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    other.map_or(name, |(_, label)| (*label).to_owned())
}

/// Reads the text under which most of the file's games is kept, of equal ones the first. Under a wrong set a bracket may
/// become a part of a letter: then a value does not end, and a move is lost.
#[must_use]
pub fn judge(candidates: Vec<Candidate>) -> Opened {
    let mut best: Option<(Kept, Candidate, Opened)> = None;
    let mut rejected = Vec::new();
    for mut candidate in candidates {
        let text = candidate.text.take();
        let is_so = |text: &String| {
            candidate.origin != Origin::Declared || declares(text, &candidate.label)
        };
        let Some(text) = text.filter(is_so) else {
            rejected.push(candidate);
            continue;
        };
        let games = formats::read_all(&text);
        let kept = kept(&text, &games);
        if best.as_ref().is_none_or(|(known, ..)| kept > *known) {
            let worse = best.replace((kept, candidate, Opened { text, games }));
            rejected.extend(worse.map(|(_, candidate, _)| candidate));
        }
    }
    let Some((_, chosen, mut opened)) = best else {
        let fault = "in no character set that is known here, expected a text".to_owned();
        return Opened {
            text: String::new(),
            games: vec![Err(LogError::whole(fault))],
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

/// Number of nodes, then of values, then of faults: the more, and the fewer faults, the more of a file is kept.
type Kept = (usize, usize, Reverse<usize>);

/// Measures how much of a file's games was read.
fn kept(text: &str, games: &[Result<Record, LogError>]) -> Kept {
    let nodes = games.iter().flatten().map(|record| record.nodes.len());
    let faults = games.iter().filter(|game| game.is_err()).count();
    (nodes.sum(), formats::values(text), Reverse(faults))
}

/// Tests if a decoded text declares a set, so that its name was not only a part of a comment. A text whose games are all
/// damaged may do so.
fn declares(text: &str, name: &str) -> bool {
    let declared = formats::declared_charsets(text);
    declared.is_empty() || declared.iter().any(|declared| label(declared) == name)
}

/// Says what was assumed of a file, if anything was.
fn remark(chosen: &Candidate, rejected: &[Candidate], text: &str) -> Option<String> {
    let name = &chosen.label;
    let is_named = |other: &&Candidate| match other.origin {
        Origin::Mark => true,
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
        Origin::Assumed if name == ASSUMED[0] => None,
        Origin::Assumed => Some(format!(
            "the file declares no character set: {name} is assumed"
        )),
        Origin::Declared => {
            let declared = formats::declared_charsets(text);
            let all: BTreeSet<String> = declared.iter().map(|name| label(name)).collect();
            let all: Vec<String> = all.into_iter().filter(|name| !name.is_empty()).collect();
            let others = quoted(&all.join(", ")).to_string();
            (all.len() > 1).then(|| {
                format!("the games of the file declare several character sets ({others}): all are read as {name}")
            })
        }
        Origin::Mark => None,
    }
}
