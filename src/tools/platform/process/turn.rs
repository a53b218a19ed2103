//! The outcome of a bot's turn, or the failure that leaves none.

use crate::system::{Company, means_a_busy_machine};
use record::judge::Verdict;
use serde_json::Value;
use std::fmt;
use std::io;
use std::time::Duration;

/// The outcome of a bot's turn.
#[derive(Clone, Debug, Default)]
pub struct TurnReport {
    /// The platform's verdict.
    pub verdict: Verdict,
    /// The answer, if it could be read.
    pub response: Option<Value>,
    /// The debug text of an answer in JSON.
    pub debug: Option<Value>,
    /// What the bot printed in this turn, the marker left out; bytes that are no UTF-8 are replaced.
    pub said: String,
    /// Wall time from the input to the marker, or to the end of the process.
    pub wall: Duration,
    /// CPU time of the process in this turn.
    pub cpu: Duration,
    /// Peak resident memory so far, in bytes.
    pub memory: u64,
    /// The processes and threads that were seen last, and whether a socket ever was, where they are counted.
    pub company: Company,
    /// Whether the bot asked to be kept running.
    pub keep_running: bool,
    /// How the process ended, if it ended badly.
    pub why: Option<String>,
}

/// A failure that leaves a turn without outcome. Nothing that a running bot does is among them.
#[derive(Debug)]
pub enum TurnError {
    /// The game was broken off.
    BrokenOff,
    /// The bot could not be started.
    NotStarted(io::Error),
    /// This machine failed.
    Host(io::Error),
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnError::BrokenOff => f.write_str("broken off"),
            TurnError::NotStarted(error) => write!(f, "could not be started: {error}"),
            TurnError::Host(error) => write!(f, "this machine failed, not the bot: {error}"),
        }
    }
}

impl std::error::Error for TurnError {}

impl From<io::Error> for TurnError {
    fn from(error: io::Error) -> TurnError {
        TurnError::Host(error)
    }
}

impl TurnError {
    /// The error of a failed start, by the system's number: the command's fault, or the machine's.
    #[must_use]
    pub fn not_started(number: i32) -> TurnError {
        let error = io::Error::from_raw_os_error(number);
        if means_a_busy_machine(number) {
            TurnError::Host(error)
        } else {
            TurnError::NotStarted(error)
        }
    }
}
