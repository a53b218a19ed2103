//! Entries of a match log in Botzone's format: outputs of the judge and answers of the bots.

use crate::judge::{Coordinates, Output, Verdict, player_key, response_of};
use engine::board::{Move, Player};
use engine::console::quoted;
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::fmt;

/// A bot's answer in a match log: its move, with the verdict, time and memory of the turn in which it gave the answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Botzone's verdict on the turn, such as `OK` or `TLE`; `None` if Botzone gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The bot's move in JSON. If it is well-formed, it can be deserialised as [`Coordinates`]. `None` if the bot's
    /// output could not be parsed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<Value>,
    /// Text for debugging that the bot sent, which Botzone shows beside the replay; `None` if the bot sent none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Value>,
    /// Time that the bot used in this turn, in milliseconds; 0 if unknown.
    #[serde(default, deserialize_with = "lenient_number")]
    pub time: u64,
    /// Memory that the bot's process used in this turn, in MB; 0 if unknown.
    #[serde(default, deserialize_with = "lenient_number")]
    pub memory: u64,
    /// True if Botzone kept the bot's process running after this answer, for the next turn.
    #[serde(default)]
    pub keep_running: bool,
}

impl From<Move> for Answer {
    /// Creates the answer that consists of the move `turn`, with the verdict `OK`; time and memory are 0.
    fn from(turn: Move) -> Answer {
        Answer::good(Coordinates::from(turn).to_value())
    }
}

impl Answer {
    /// Creates the answer that consists of `response`, a move in JSON, with the verdict `OK`; time and memory are 0.
    #[must_use]
    pub fn good(response: Value) -> Answer {
        Answer {
            verdict: Some(Verdict::Ok),
            response: Some(response),
            ..Answer::default()
        }
    }
}

/// Deserialises a number without failing: drops a fraction, and turns any value that is not a number into 0.
fn lenient_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_f64().unwrap_or_default() as u64)
}

/// An entry of a match log in Botzone's format: an output of the judge, or a bot's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum LogEntry {
    /// Output of the judge (the program that checks moves) after a bot's answer, or at the start of the game.
    Judge(Output),
    /// Answer of a bot. First: the colour that the bot plays; second: its answer.
    Bot(Player, Answer),
}

/// An error in a file with games, such as a match log, or a warning about it: the line or log entry concerned, and what
/// is wrong there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogError {
    /// Number of the line concerned, counted from 1; `None` if the format has no lines, or if the error concerns the
    /// whole text.
    pub line: Option<usize>,
    /// Index of the log entry concerned, counted from 0; `None` if the error concerns no single log entry.
    pub entry: Option<usize>,
    /// Description of what is wrong, in English.
    pub fault: String,
}

impl LogError {
    /// Creates an error about one entry of a match log. `entry` is its index, counted from 0; `fault` says in English
    /// what is wrong.
    #[must_use]
    pub fn in_entry(entry: usize, fault: String) -> LogError {
        LogError {
            entry: Some(entry),
            ..LogError::in_text(fault)
        }
    }

    /// Creates an error about a text as a whole, without the number of a line or entry. `fault` says in English what is
    /// wrong.
    #[must_use]
    pub fn in_text(fault: String) -> LogError {
        LogError {
            fault,
            ..LogError::default()
        }
    }

    /// Adds `lines_before` to the error's line number, so that it counts from the start of a file instead of from the
    /// start of one game in it. `lines_before` is the number of lines in the file before this game. If the error has no
    /// line number, it gets that of the game's first line.
    pub fn add_line_offset(&mut self, lines_before: usize) {
        self.line = Some(lines_before + self.line.unwrap_or(1));
        // In a message of serde_json, “line 1” means the first line of the game. It is removed, because this may be
        // another line of the file.
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

/// Deserialises a JSON object into a value of type `T`. `name` says what the object is, such as `judge's output`; error
/// messages begin with it.
///
/// # Errors
/// If `value` is not an object, lacks a field of `T`, or has a field of a wrong type. The message is escaped and
/// shortened for display.
fn read_object<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T, String> {
    let object = value
        .as_object()
        .ok_or_else(|| format!("{name}: expected an object"))?;
    T::deserialize(object).map_err(|error| format!("{name}: {}", quoted(&error.to_string())))
}

/// Parses an entry of a match log. It is an object with a judge's output under the key `output`, or with a bot's answer
/// under `0` (black) or `1` (white).
///
/// # Errors
/// If `value` has none of these keys, or if the value of the key has a wrong form. The message says which.
pub fn read_entry(value: &Value) -> Result<LogEntry, String> {
    if let Some(output) = value.get("output") {
        return Ok(LogEntry::Judge(read_object("judge's output", output)?));
    }
    for player in [Player::Black, Player::White] {
        if let Some(entry) = value.get(player_key(player)) {
            let answer = Answer {
                response: response_of(entry).cloned(),
                ..read_object(&format!("{player}'s answer"), entry)?
            };
            return Ok(LogEntry::Bot(player, answer));
        }
    }
    Err("expected an object with \"output\" (the judge's), \"0\" or \"1\" (a bot's)".to_owned())
}

/// Converts an entry of a match log to JSON in Botzone's format.
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
        LogEntry::Bot(player, answer) => json!({ (player_key(*player)): answer }),
    }
}
