//! [`TurnReport`], the result of a bot's turn, and [`TurnError`], a reason why there is no result.

use crate::system::{ProcessStats, is_resource_shortage};
use record::judge::Verdict;
use serde_json::Value;
use std::fmt;
use std::io;
use std::time::Duration;

/// Report on a bot's turn: its answer, the verdict, and the time and memory used.
#[derive(Clone, Debug, Default)]
pub struct TurnReport {
    /// Botzone's verdict on the turn, such as OK or TLE (time limit exceeded).
    pub verdict: Verdict,
    /// The bot's move as JSON; `None` if the verdict is not OK or the bot's output contains no move.
    pub response: Option<Value>,
    /// Value of the member `debug` in the bot's answer; `None` if there is none or the bot uses the simple protocol.
    pub debug: Option<Value>,
    /// Output of the bot to standard output in this turn, without the line by which it asks to be kept running.
    /// Invalid UTF-8 is replaced by U+FFFD.
    pub output: String,
    /// Wall time of the turn, including the start of a new process, until the bot asked to be kept running or closed
    /// its output.
    pub wall_time: Duration,
    /// CPU time that all processes of the bot together have used in this turn.
    pub cpu_time: Duration,
    /// Peak resident memory of the bot's processes, in bytes, since they were started. It may have occurred in an
    /// earlier turn.
    pub peak_memory: u64,
    /// Numbers of the bot's processes and threads at the latest measurement of time and memory, and whether the bot had
    /// a network socket at any measurement. All are 0 or false unless
    /// [`TestConditions::counts_processes`](super::TestConditions::counts_processes) is true.
    pub process_stats: ProcessStats,
    /// True if the bot's process is kept running, suspended, until the next turn.
    pub keep_running: bool,
    /// Description of a runtime error or an abnormal exit, such as `exit code 1`. `None` if the exit code is 0, the
    /// process is kept running, or the bot exceeded its time or memory limit.
    pub exit_reason: Option<String>,
}

/// Reason why a turn could not be completed, so that there is no [`TurnReport`]. A failure of the bot while it runs,
/// such as exceeding a limit, is not such an error: the turn then has a report with a verdict.
#[derive(Debug)]
pub enum TurnError {
    /// The caller has cancelled the turn.
    Cancelled,
    /// The bot's program could not be started, for the reason in the operating system's error, such as a missing file.
    NotStarted(io::Error),
    /// The operating system could not create, measure, suspend or kill processes, for example because memory was short.
    /// The bot is not the cause.
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
    /// Returns the error for a bot that could not be started. `number` is the operating system's error number. The
    /// error is [`TurnError::System`] if the machine lacks resources such as memory, otherwise
    /// [`TurnError::NotStarted`].
    #[must_use]
    pub fn not_started(number: i32) -> TurnError {
        let error = io::Error::from_raw_os_error(number);
        match is_resource_shortage(number) {
            true => TurnError::System(error),
            false => TurnError::NotStarted(error),
        }
    }
}
