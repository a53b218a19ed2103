//! The report on a bot's turn, and the errors that prevent a report.

use crate::system::{ProcessStats, is_resource_shortage};
use record::judge::Verdict;
use serde_json::Value;
use std::fmt;
use std::io;
use std::time::Duration;

/// Report on a bot's turn: its answer, the verdict, and the time and memory used.
#[derive(Clone, Debug, Default)]
pub struct TurnReport {
    /// Verdict that Botzone would give on the turn, such as OK or TLE.
    pub verdict: Verdict,
    /// Bot's move as JSON; `None` if the verdict is not OK or the output contains no move.
    pub response: Option<Value>,
    /// Value of the key `debug` in an answer of the JSON interaction; `None` if there is none.
    pub debug: Option<Value>,
    /// Standard output of the turn, without the line by which the bot asks to keep its process running; invalid UTF-8
    /// is replaced.
    pub output: String,
    /// Wall time of the turn: from its beginning, including the start of a new process, until the bot asks to keep its
    /// process running or its output ends.
    pub wall: Duration,
    /// CPU time of all processes of the bot in this turn.
    pub cpu: Duration,
    /// Peak resident memory of the bot's processes since their start, in bytes.
    pub memory: u64,
    /// Numbers of processes and threads at the last measurement, and whether any measurement found a network socket;
    /// all zero unless the test conditions ask for these counts.
    pub process_stats: ProcessStats,
    /// Whether the bot's process is kept running for the next turn.
    pub keep_running: bool,
    /// Description of how the bot failed or its process ended, such as `exit code 1`; `None` after exit code 0, an
    /// exceeded limit, or if the process is kept running.
    pub exit_reason: Option<String>,
}

/// Reason why there is no report on a turn. A fault of a running bot is no such error: the turn's report has a verdict
/// for it.
#[derive(Debug)]
pub enum TurnError {
    /// The caller cancelled the turn.
    Cancelled,
    /// The bot's command could not be started.
    NotStarted(io::Error),
    /// This machine failed, not the bot, for example for lack of memory.
    System(io::Error),
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnError::Cancelled => f.write_str("cancelled"),
            TurnError::NotStarted(error) => write!(f, "could not be started: {error}"),
            TurnError::System(error) => write!(f, "this machine failed, not the bot: {error}"),
        }
    }
}

impl std::error::Error for TurnError {}

impl From<io::Error> for TurnError {
    fn from(error: io::Error) -> TurnError {
        TurnError::System(error)
    }
}

impl TurnError {
    /// Returns the error for a failed start with the system's error number `number`: [`TurnError::System`] if the
    /// machine lacks resources, otherwise [`TurnError::NotStarted`].
    #[must_use]
    pub fn not_started(number: i32) -> TurnError {
        let error = io::Error::from_raw_os_error(number);
        if is_resource_shortage(number) {
            TurnError::System(error)
        } else {
            TurnError::NotStarted(error)
        }
    }
}
