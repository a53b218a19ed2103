//! Reads and writes match logs of games in Botzone's format: lists in which the judge's outputs and the bots' answers
//! alternate.
//!
//! The input that Botzone sends to a bot can be read as a log, too. Unknown keys of a log, such as `raw`, are ignored.

mod check;
mod entry;
mod input;

pub use check::check;
pub use entry::{Answer, LogEntry, LogError, write_entry};
pub(super) use input::is_simple_input;

use super::judge::{Judge, player_key};
use engine::board::Player;
use entry::read_entry;
use serde_json::{Map, Value, json};

/// Parses a match log in one of these forms:
///
/// - a JSON list of log entries (judge's outputs and bots' answers),
/// - a JSON object with such a list under `log` or `logs`,
/// - the input that Botzone sends to a bot, in the JSON protocol or in the simple protocol.
///
/// Does not check the game, except the moves of a bot's input: see `check`.
///
/// # Errors
/// If the text has none of these forms, if an entry is neither a judge's output nor a bot's answer, or if a bot's input
/// contains an illegal move.
pub fn read(text: &str) -> Result<Vec<LogEntry>, LogError> {
    let text = strip_bom(text);
    if input::is_simple_input(text) {
        return input::read_simple_input(text).map_err(LogError::in_text);
    }
    let value: Value = serde_json::from_str(text).map_err(|error| json_error(text, &error))?;
    if value.get("requests").is_some() {
        return input::read_json_input(&value).map_err(LogError::in_text);
    }
    let list = ["log", "logs"].iter().find_map(|name| value.get(name));
    let list = list.unwrap_or(&value).as_array();
    let list = list.ok_or_else(|| LogError::in_text(EXPECTED_FORMS.to_owned()))?;
    list.iter()
        .enumerate()
        .map(|(number, value)| read_entry(value).map_err(|fault| LogError::in_entry(number, fault)))
        .collect()
}

/// Part of error messages: says in which forms a match log is accepted.
const EXPECTED_FORMS: &str = "expected a list of entries, an object with such a list under \"log\" or \"logs\", or a bot's \
    input";

/// Returns `text` without the byte order mark (U+FEFF) that some editors, such as Windows' Notepad, write at the start
/// of a file.
#[must_use]
pub fn strip_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns the names of black and of white from a match log in JSON, where they stand under the key `players` or
/// `names`. A name is `None` if it is missing, or if `text` is not JSON.
#[must_use]
pub fn player_names(text: &str) -> [Option<String>; 2] {
    let value: Value = serde_json::from_str(strip_bom(text)).unwrap_or_default();
    let list = ["players", "names"].iter().find_map(|name| value.get(name));
    [Player::Black, Player::White].map(|player| {
        let list = list?;
        let entry = list
            .get(player as usize)
            .or_else(|| list.get(player_key(player)))?;
        let name = entry.get("name").unwrap_or(entry).as_str()?;
        Some(name.to_owned())
    })
}

/// Builds the match log of a game that begins in the standard start position: the judge's first output, followed by
/// each of `answers` (black's first) and the judge's output on this answer.
#[must_use]
pub fn entries_from(answers: impl IntoIterator<Item = Answer>) -> Vec<LogEntry> {
    let mut judge = Judge::default();
    let mut entries = vec![LogEntry::Judge(judge.first_output())];
    for answer in answers {
        let player = judge.board().to_move();
        let output = judge.answer(answer.verdict, answer.response.as_ref());
        entries.push(LogEntry::Bot(player, answer));
        entries.push(LogEntry::Judge(output));
    }
    entries
}

/// Formats a game from the standard start position as a match log, a JSON object in one line with these keys:
///
/// - `players`: object with the names of the players as far as they are known.
/// - `play`: the argument `play`, which says which bots or persons play; left out if `None`.
/// - `log`: the judge's outputs and the players' `answers`, in Botzone's format.
#[must_use]
pub fn write(
    names: &[Option<String>; 2],
    play: Option<Value>,
    answers: impl IntoIterator<Item = Answer>,
) -> String {
    let entries: Vec<Value> = entries_from(answers).iter().map(write_entry).collect();
    let known = [Player::Black, Player::White].into_iter().zip(names);
    let known = known
        .filter_map(|(player, name)| Some((player_key(player).to_owned(), json!(name.as_ref()?))));
    let mut text = json!({ "players": known.collect::<Map<_, _>>() });
    if let Some(play) = play {
        text["play"] = play;
    }
    text["log"] = Value::from(entries);
    format!("{text}\n")
}

/// Creates the error for a `text` that is not JSON, from the parser's `error`. If the syntax error lies in an entry of
/// the match log, the returned error holds the entry's index (from 0).
fn json_error(text: &str, error: &serde_json::Error) -> LogError {
    let lines = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let offset = lines.map(str::len).sum::<usize>() + error.column();
    LogError {
        entry: entry_index(&text.as_bytes()[..offset.min(text.len())]),
        ..LogError::in_text(format!("not JSON: {error}; {EXPECTED_FORMS}"))
    }
}

/// Returns the index (from 0) of the log entry in which a JSON syntax error lies. `text` is the part of the match log
/// before the error. Returns `None` if the error does not lie inside a list.
fn entry_index(text: &[u8]) -> Option<usize> {
    // Brackets that are open at the present byte, the outermost first. First: the bracket, `[` or `{`; second: the
    // number of commas that were read directly inside it.
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

/// Advances `bytes` past the closing quote of a JSON string whose opening quote has been read.
fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}
