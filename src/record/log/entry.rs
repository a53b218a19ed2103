//! The entries of a match log, as the platform writes them.

use crate::judge::{Coordinates, Output, Verdict, key, response};
use engine::board::{Move, Player};
use engine::console::quoted;
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::fmt;

/// A bot's answer in a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What the platform found out about the turn. Who is no bot of the platform may have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What the judge reads: the move, if the bot gave an answer that could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<Value>,
    /// The debug text that the replay shows.
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

impl From<Move> for Answer {
    /// A good answer with a move.
    fn from(turn: Move) -> Answer {
        Answer::good(Coordinates::from(turn).to_value())
    }
}

impl Answer {
    /// A good answer, without time or memory.
    #[must_use]
    pub fn good(response: Value) -> Answer {
        Answer {
            verdict: Some(Verdict::Ok),
            response: Some(response),
            ..Answer::default()
        }
    }
}

/// Reads an amount leniently: fractions are cut off, anything else is 0.
fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_f64().unwrap_or_default() as u64)
}

/// One entry of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogEntry {
    /// The judge's output.
    Judge(Output),
    /// A bot's answer.
    Bot(Player, Answer),
}

/// The fault of a log: the entry, and what was expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogError {
    /// Number of the line, from 1, if the text is read by lines.
    pub line: Option<usize>,
    /// Number of the entry, from 0; nothing if the text as a whole is not a log.
    pub entry: Option<usize>,
    /// What is wrong.
    pub fault: String,
}

impl LogError {
    /// A fault of an entry.
    #[must_use]
    pub fn at(entry: usize, fault: String) -> LogError {
        LogError {
            entry: Some(entry),
            ..LogError::whole(fault)
        }
    }

    /// A fault of the text as a whole.
    #[must_use]
    pub fn whole(fault: String) -> LogError {
        LogError {
            fault,
            ..LogError::default()
        }
    }

    /// Makes this fault of a part of a text one of the whole text, in which so many lines stand before the part.
    pub fn shift(&mut self, lines_before: usize) {
        self.line = Some(lines_before + self.line.unwrap_or(1));
        // What stands on one line, the reader of JSON calls line 1.
        self.fault = self.fault.replace(" at line 1 column ", " at column ");
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, number) in [("line", self.line), ("entry", self.entry)] {
            if let Some(number) = number {
                write!(f, "{name} {number}: ")?;
            }
        }
        f.write_str(&self.fault)
    }
}

impl std::error::Error for LogError {}

/// Reads a part of an entry, an object. A fault is quoted: it may be long.
fn read_part<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T, String> {
    let object = value
        .as_object()
        .ok_or_else(|| format!("{name}: expected an object"))?;
    T::deserialize(object).map_err(|error| format!("{name}: {}", quoted(&error.to_string())))
}

/// Reads an entry from its value.
///
/// # Errors
/// If it is neither the judge's nor a bot's; the message says what is wrong.
pub fn read_entry(value: &Value) -> Result<LogEntry, String> {
    if let Some(output) = value.get("output") {
        return Ok(LogEntry::Judge(read_part("judge's output", output)?));
    }
    for player in [Player::Black, Player::White] {
        if let Some(entry) = value.get(key(player)) {
            let answer = Answer {
                response: response(entry).cloned(),
                ..read_part(&format!("{player}'s answer"), entry)?
            };
            return Ok(LogEntry::Bot(player, answer));
        }
    }
    Err("expected an object with \"output\" (the judge's), \"0\" or \"1\" (a bot's)".to_owned())
}

/// The value of an entry as the platform writes it.
#[must_use]
pub fn write_entry(entry: &LogEntry) -> Value {
    match entry {
        LogEntry::Judge(output) => json!({
            "output": output,
            "verdict": "OK",
            "time": 0,
            "memory": 0,
            "keep_running": false,
        }),
        LogEntry::Bot(player, answer) => json!({ (key(*player)): answer }),
    }
}
