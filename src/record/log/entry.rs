//! Entries of a match log, in Botzone's format.

use crate::judge::{Coordinates, Output, Verdict, key, response};
use engine::board::{Move, Player};
use engine::console::quoted;
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::fmt;

/// A bot's answer in a match log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Botzone's verdict on the turn; `None` if no bot on Botzone made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Move as JSON, if the bot's output could be parsed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<Value>,
    /// Debug text that the replay shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Value>,
    /// Time of the turn, in milliseconds.
    #[serde(default, deserialize_with = "lenient_number")]
    pub time: u64,
    /// Memory of the bot, in MB.
    #[serde(default, deserialize_with = "lenient_number")]
    pub memory: u64,
    /// Whether the bot's process was kept running after the turn.
    #[serde(default)]
    pub keep_running: bool,
}

impl From<Move> for Answer {
    /// Returns an answer with the verdict `OK` and this move.
    fn from(turn: Move) -> Answer {
        Answer::good(Coordinates::from(turn).to_value())
    }
}

impl Answer {
    /// Returns an answer with the verdict `OK`, without time and memory.
    #[must_use]
    pub fn good(response: Value) -> Answer {
        Answer {
            verdict: Some(Verdict::Ok),
            response: Some(response),
            ..Answer::default()
        }
    }
}

/// Deserialises a number leniently: drops its fraction, and turns any other value into 0.
fn lenient_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_f64().unwrap_or_default() as u64)
}

/// An entry of a match log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogEntry {
    /// An output of the judge.
    Judge(Output),
    /// A bot's answer, with the colour that the bot plays.
    Bot(Player, Answer),
}

/// An error in a match log or another record: its place, and what is wrong there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogError {
    /// Line number, from 1; `None` if the format is not read by lines.
    pub line: Option<usize>,
    /// Index of the log entry, from 0; `None` if the error is not in one entry.
    pub entry: Option<usize>,
    /// Description of the error.
    pub fault: String,
}

impl LogError {
    /// Returns an error in the log entry with the index `entry`.
    #[must_use]
    pub fn at(entry: usize, fault: String) -> LogError {
        LogError {
            entry: Some(entry),
            ..LogError::whole(fault)
        }
    }

    /// Returns an error that concerns the whole text.
    #[must_use]
    pub fn whole(fault: String) -> LogError {
        LogError {
            fault,
            ..LogError::default()
        }
    }

    /// Converts the error's line number from a part of a text to the whole text; `lines_before` is the number of lines before
    /// the part.
    pub fn shift(&mut self, lines_before: usize) {
        self.line = Some(lines_before + self.line.unwrap_or(1));
        // For a part of one line, serde_json reports "line 1", which is wrong in the whole text.
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

/// Deserialises an object within an entry. The error message is escaped and shortened.
fn read_part<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T, String> {
    let object = value
        .as_object()
        .ok_or_else(|| format!("{name}: expected an object"))?;
    T::deserialize(object).map_err(|error| format!("{name}: {}", quoted(&error.to_string())))
}

/// Parses an entry of a match log.
///
/// # Errors
/// If the value is neither a judge's output nor a bot's answer; the message says what is wrong.
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

/// Returns an entry as JSON, in Botzone's format.
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
