//! Match logs in the platform's shape: a list that alternates the judge's output and a bot's answer.
//!
//! A bot's input is read as a log, too. Other keys of real logs (`debug`, `raw`, …) are ignored.

mod check;
mod entry;
mod input;

pub use check::check;
pub use entry::{Answer, LogEntry, LogError, write_entry};
pub(super) use input::is_simple;

use super::judge::{Judge, key};
use engine::board::Player;
use entry::read_entry;
use serde_json::{Map, Value, json};

/// Reads a log: a list of entries, an object with such a list under `log` or `logs`, or a bot's input.
///
/// # Errors
/// If the text is none of these, or an entry is neither the judge's nor a bot's.
pub fn read(text: &str) -> Result<Vec<LogEntry>, LogError> {
    let text = without_mark(text);
    if input::is_simple(text) {
        return input::simple(text).map_err(LogError::whole);
    }
    let value: Value = serde_json::from_str(text).map_err(|error| not_json(text, &error))?;
    if value.get("requests").is_some() {
        return input::json(&value).map_err(LogError::whole);
    }
    let list = ["log", "logs"].iter().find_map(|name| value.get(name));
    let list = list.unwrap_or(&value).as_array();
    let list = list.ok_or_else(|| LogError::whole(EXPECTED.to_owned()))?;
    list.iter()
        .enumerate()
        .map(|(number, value)| read_entry(value).map_err(|fault| LogError::at(number, fault)))
        .collect()
}

/// Description of the expected text.
const EXPECTED: &str = "expected a list of entries, an object with such a list under \"log\" or \"logs\", or a bot's \
    input";

/// A text without the byte order mark that some editors, such as Windows' Notepad, put in front.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The names of black and white, where a log is an object that has them under `players` or `names`.
#[must_use]
pub fn names(text: &str) -> [Option<String>; 2] {
    let value: Value = serde_json::from_str(without_mark(text)).unwrap_or_default();
    let list = ["players", "names"].iter().find_map(|name| value.get(name));
    [Player::Black, Player::White].map(|player| {
        let list = list?;
        let entry = list
            .get(player as usize)
            .or_else(|| list.get(key(player)))?;
        let name = entry.get("name").unwrap_or(entry).as_str()?;
        Some(name.to_owned())
    })
}

/// Returns the log of a game from the start with these answers: the judge's outputs between them.
#[must_use]
pub fn entries(answers: impl IntoIterator<Item = Answer>) -> Vec<LogEntry> {
    let mut judge = Judge::default();
    let mut entries = vec![LogEntry::Judge(judge.opening())];
    for answer in answers {
        let player = judge.board().to_move();
        let output = judge.answer(answer.verdict, answer.response.as_ref());
        entries.push(LogEntry::Bot(player, answer));
        entries.push(LogEntry::Judge(output));
    }
    entries
}

/// The text of a log of a game from the start: the names that are known, what `amazons play` and the page keep under
/// `play`, and the entries as the platform writes them.
#[must_use]
pub fn write(
    names: &[Option<String>; 2],
    play: Option<Value>,
    answers: impl IntoIterator<Item = Answer>,
) -> String {
    let entries: Vec<Value> = entries(answers).iter().map(write_entry).collect();
    let known = [Player::Black, Player::White].into_iter().zip(names);
    let known =
        known.filter_map(|(player, name)| Some((key(player).to_owned(), json!(name.as_ref()?))));
    let mut text = json!({ "players": known.collect::<Map<_, _>>() });
    if let Some(play) = play {
        text["play"] = play;
    }
    text["log"] = Value::from(entries);
    format!("{text}\n")
}

/// The fault of a text that is not JSON, with the entry in which it lies.
fn not_json(text: &str, error: &serde_json::Error) -> LogError {
    let lines = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let offset = lines.map(str::len).sum::<usize>() + error.column();
    LogError {
        entry: entries_before(&text.as_bytes()[..offset.min(text.len())]),
        ..LogError::whole(format!("not JSON: {error}; {EXPECTED}"))
    }
}

/// Number of the entry in which a text ends; nothing if no list is open there.
fn entries_before(text: &[u8]) -> Option<usize> {
    // Every open bracket with the number of commas directly in it.
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' => open.push((*byte, 0)),
            b']' | b'}' => drop(open.pop()),
            b',' => {
                if let Some((_, commas)) = open.last_mut() {
                    *commas += 1;
                }
            }
            b'"' => skip_string(&mut bytes),
            _ => {}
        }
    }
    let list = open.iter().find(|(bracket, _)| *bracket == b'[');
    list.map(|&(_, commas)| commas)
}

/// Skips to the end of a JSON string whose opening quote has been read.
fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}
