//! Match logs in the platform's shape: a list that alternates the judge's output and a bot's answer.
//!
//! Where a log is read a bot's input is understood, too. Real logs carry more keys than are read here (`debug`, `raw`, …); they are kept out of the way.

mod record;

use super::judge::{Command, Coordinates, Judge, Output, Verdict, key};
use crate::board::{Board, Move, Player};
use crate::console::quoted;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// A bot's answer in a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What the platform found out about the turn.
    pub verdict: Verdict,
    /// The move, if the bot gave an answer that could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<Value>,
    /// What the bot wants to be seen in the replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Value>,
    /// Time of the turn in milliseconds.
    #[serde(default, deserialize_with = "amount")]
    pub time: u64,
    /// Memory of the bot in MB.
    #[serde(default, deserialize_with = "amount")]
    pub memory: u64,
    /// Whether the bot was kept running.
    #[serde(default)]
    pub keep_running: bool,
}

impl Answer {
    /// A turn without an answer, that took no time.
    #[must_use]
    pub const fn silent(verdict: Verdict) -> Answer {
        Answer {
            verdict,
            response: None,
            debug: None,
            time: 0,
            memory: 0,
            keep_running: false,
        }
    }
}

/// Reads an amount leniently: fractions are cut off, and what is no amount is 0.
fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_f64().unwrap_or_default() as u64)
}

/// One entry of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The judge's output.
    Judge(Output),
    /// A bot's answer.
    Bot(Player, Answer),
}

/// Why a log can't be read: at which entry, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    /// Number of the entry, from 0; nothing if the text as a whole is not a log.
    pub entry: Option<usize>,
    /// What is wrong.
    pub fault: String,
}

impl LogError {
    /// A fault of the text as a whole.
    const fn whole(fault: String) -> LogError {
        LogError { entry: None, fault }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry {
            Some(entry) => write!(f, "entry {entry}: {}", self.fault),
            None => f.write_str(&self.fault),
        }
    }
}

impl std::error::Error for LogError {}

/// Reads a log: a list of entries, an object with such a list under `log` or `logs`, or a bot's input.
///
/// # Errors
/// If the text is none of these, or an entry is neither the judge's nor a bot's.
pub fn read(text: &str) -> Result<Vec<Entry>, LogError> {
    let text = without_mark(text);
    if record::is_simple(text) {
        return record::simple(text).map_err(LogError::whole);
    }
    let value: Value = serde_json::from_str(text).map_err(|error| not_json(text, &error))?;
    if value.get("requests").is_some() {
        return record::json(&value).map_err(LogError::whole);
    }
    let list = ["log", "logs"].iter().find_map(|name| value.get(name));
    let list = list.unwrap_or(&value).as_array();
    let list = list.ok_or_else(|| LogError::whole(EXPECTED.to_owned()))?;
    list.iter()
        .enumerate()
        .map(|(number, value)| {
            read_entry(value).map_err(|fault| LogError {
                entry: Some(number),
                fault,
            })
        })
        .collect()
}

/// What a text has to be.
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

/// Why a text is not JSON, and in which entry it stops being so.
fn not_json(text: &str, error: &serde_json::Error) -> LogError {
    let lines = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let offset = lines.map(str::len).sum::<usize>() + error.column();
    LogError {
        entry: entries_before(&text.as_bytes()[..offset.min(text.len())]),
        fault: format!("not JSON: {error}; {EXPECTED}"),
    }
}

/// Number of the entry that the end of a text lies in; nothing if no list is open there.
fn entries_before(text: &[u8]) -> Option<usize> {
    // Every bracket that is still open, and the commas seen directly in it.
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

/// Goes behind the end of a JSON string whose opening quote has been read.
fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}

/// What is wrong with a part of a log; what the log has there may be long.
fn fault(part: &str, error: &serde_json::Error) -> String {
    format!("{part}: {}", quoted(&error.to_string()))
}

fn read_entry(value: &Value) -> Result<Entry, String> {
    if let Some(output) = value.get("output") {
        let output =
            Output::deserialize(output).map_err(|error| fault("judge's output", &error))?;
        return Ok(Entry::Judge(output));
    }
    for player in [Player::Black, Player::White] {
        if let Some(answer) = value.get(key(player)) {
            let answer = Answer::deserialize(answer)
                .map_err(|error| fault(&format!("{player}'s answer"), &error))?;
            return Ok(Entry::Bot(player, answer));
        }
    }
    Err("expected an object with \"output\" (the judge's), \"0\" or \"1\" (a bot's)".to_owned())
}

/// The value of an entry as the platform writes it.
#[must_use]
pub fn write_entry(entry: &Entry) -> Value {
    let to_value = |result: Result<Value, serde_json::Error>| result.expect("logs are JSON");
    let mut object = Map::new();
    match entry {
        Entry::Judge(output) => {
            object.insert("output".to_owned(), to_value(serde_json::to_value(output)));
            object.insert("verdict".to_owned(), Value::from("OK"));
            object.insert("time".to_owned(), Value::from(0));
            object.insert("memory".to_owned(), Value::from(0));
            object.insert("keep_running".to_owned(), Value::from(false));
        }
        Entry::Bot(player, answer) => {
            object.insert(
                key(*player).to_owned(),
                to_value(serde_json::to_value(answer)),
            );
        }
    }
    Value::Object(object)
}

/// Checks a log step by step: the order of its entries, whose turn it is, and every output of the judge.
///
/// Returns the judge as it is after the last entry. A log may end after any entry.
///
/// # Errors
/// At the first entry that is out of order, or differs from what the judge says.
pub fn check(entries: &[Entry]) -> Result<Judge, LogError> {
    let mut judge = Judge::default();
    let mut expected = judge.opening();
    for (number, entry) in entries.iter().enumerate() {
        let fail = |fault: String| {
            Err(LogError {
                entry: Some(number),
                fault,
            })
        };
        match entry {
            Entry::Judge(_) if number % 2 == 1 => {
                let expected = if judge.is_over() {
                    "the end: the game is over"
                } else {
                    "a bot's answer"
                };
                return fail(format!("the judge's output, expected {expected}"));
            }
            Entry::Judge(output) if *output != expected => {
                return Err(wrong_output(entries, number, &judge, &expected));
            }
            Entry::Judge(_) => {}
            Entry::Bot(player, _) if number % 2 == 0 => {
                return fail(format!("{player}'s answer, expected the judge's output"));
            }
            Entry::Bot(player, _) if judge.is_over() => {
                return fail(format!(
                    "{player}'s answer, expected the end: the game is over"
                ));
            }
            Entry::Bot(player, _) if *player != judge.board().to_move() => {
                return fail(format!(
                    "{player}'s answer, expected {}'s",
                    judge.board().to_move()
                ));
            }
            Entry::Bot(_, answer) => {
                expected = judge.answer(answer.verdict, answer.response.as_ref())
            }
        }
    }
    Ok(judge)
}

/// What is wrong where the judge's output in a log, entry `number`, is not the expected one.
fn wrong_output(entries: &[Entry], number: usize, judge: &Judge, expected: &Output) -> LogError {
    let Entry::Judge(found) = &entries[number] else {
        unreachable!("only the judge's entries are compared with its output");
    };
    let refused = expected.display.err.as_ref();
    if let (Some(err), Command::Request, [.., Entry::Bot(player, answer)]) =
        (refused, found.command, &entries[..number])
    {
        let why = answer.response.as_ref();
        let why = why.and_then(|response| objection(judge.board(), response));
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        return LogError {
            entry: Some(number - 1),
            fault: format!(
                "{player}'s answer is refused ({err}{why}), expected the end of the game, but the log goes on"
            ),
        };
    }
    let [found, expected] =
        [found, expected].map(|output| serde_json::to_value(output).unwrap_or_default());
    LogError {
        entry: Some(number),
        fault: format!(
            "the judge's {}",
            difference("output", Some(&found), Some(&expected))
        ),
    }
}

/// Why a response is not a legal move; nothing if it is one.
#[must_use]
pub fn objection(board: &Board, response: &Value) -> Option<String> {
    let Some(coordinates) = Coordinates::read(response) else {
        let response = response.to_string();
        return Some(format!(
            "{}, expected six integers x0 to y2",
            quoted(&response)
        ));
    };
    match Move::from_coordinates(coordinates.numbers()) {
        Ok(turn) => board.check(turn).err().map(|fault| fault.to_string()),
        Err(fault) => Some(fault.to_string()),
    }
}

/// The first part in which two values differ, with its path.
fn difference(path: &str, found: Option<&Value>, expected: Option<&Value>) -> String {
    if let (Some(Value::Object(found)), Some(Value::Object(expected))) = (found, expected) {
        let mut keys = expected.keys().chain(found.keys());
        if let Some(key) = keys.find(|&key| found.get(key) != expected.get(key)) {
            let path = format!("{path}.{key}");
            return difference(&path, found.get(key), expected.get(key));
        }
    }
    let [found, expected] =
        [found, expected].map(|value| value.map_or("missing".to_owned(), Value::to_string));
    let [path, found] = [path, &found].map(quoted);
    format!("{path} is {found}, expected {expected}")
}
