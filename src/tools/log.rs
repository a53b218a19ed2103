//! Match logs in the platform's shape: a list that alternates the judge's output and a bot's answer.
//!
//! Real logs carry more keys than are read here (`debug`, `raw`, …); they are kept out of the way.

use super::judge::{Judge, Output, Verdict, key};
use crate::board::Player;
use serde::{Deserialize, Serialize};
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
    #[serde(default)]
    pub time: u64,
    /// Memory of the bot in MB.
    #[serde(default)]
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

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry {
            Some(entry) => write!(f, "entry {entry}: {}", self.fault),
            None => f.write_str(&self.fault),
        }
    }
}

impl std::error::Error for LogError {}

/// Reads a log: a list of entries, or an object with such a list under `log`.
///
/// # Errors
/// If the text is not JSON, or an entry is neither the judge's nor a bot's.
pub fn read(text: &str) -> Result<Vec<Entry>, LogError> {
    let whole = |fault| LogError { entry: None, fault };
    let value: Value = serde_json::from_str(text)
        .map_err(|error| whole(format!("not JSON: {error}; expected a list of entries")))?;
    let list = value.get("log").unwrap_or(&value).as_array();
    let list = list.ok_or_else(|| whole("expected a list of entries".to_owned()))?;
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

fn read_entry(value: &Value) -> Result<Entry, String> {
    if let Some(output) = value.get("output") {
        let output =
            Output::deserialize(output).map_err(|error| format!("judge's output: {error}"))?;
        return Ok(Entry::Judge(output));
    }
    for player in [Player::Black, Player::White] {
        if let Some(answer) = value.get(key(player)) {
            let answer = Answer::deserialize(answer)
                .map_err(|error| format!("{player}'s answer: {error}"))?;
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
                return fail("the judge's output, expected a bot's answer".to_owned());
            }
            Entry::Judge(output) if *output != expected => {
                let [found, expected] = [output, &expected]
                    .map(|output| serde_json::to_string(output).unwrap_or_default());
                return fail(format!(
                    "the judge's output is {found}, expected {expected}"
                ));
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
