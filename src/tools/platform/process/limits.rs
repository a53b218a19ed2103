//! The limits of a bot's turn, and their options on the command line.

use crate::botzone::options::DAY_MS;
use clap::value_parser;
use std::fmt;
use std::time::Duration;

/// The largest limit of memory in MB, far beyond any machine's.
const MAX_MEMORY_MB: u64 = 1_000_000_000;

/// The limits of a bot's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time of the first turn of a game.
    pub first: Duration,
    /// Time of any other turn.
    pub later: Duration,
    /// Resident memory, in bytes.
    pub memory: u64,
    /// Whether CPU time counts instead of wall time.
    pub by_cpu: bool,
}

/// The limits on the command line; Botzone's by default.
#[derive(Clone, Debug, clap::Args)]
pub struct LimitArgs {
    /// Time limit of a bot's first turn in milliseconds, up to a day
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(u64).range(1..=DAY_MS))]
    first_ms: u64,
    /// Time limit of a later turn in milliseconds, up to a day
    #[arg(long, default_value_t = 1000, value_parser = value_parser!(u64).range(1..=DAY_MS))]
    time_ms: u64,
    /// Limit of resident memory, MB
    #[arg(long, default_value_t = 256, value_parser = value_parser!(u64).range(1..=MAX_MEMORY_MB))]
    memory_mb: u64,
    /// Limit CPU time instead of wall time, for busy machines
    #[arg(long)]
    cpu_time: bool,
}

impl LimitArgs {
    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        Limits {
            first: Duration::from_millis(self.first_ms),
            later: Duration::from_millis(self.time_ms),
            memory: self.memory_mb * 1_000_000,
            by_cpu: self.cpu_time,
        }
    }
}

impl fmt::Display for LimitArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = if self.cpu_time { "CPU" } else { "wall" };
        let LimitArgs {
            first_ms,
            time_ms,
            memory_mb,
            ..
        } = self;
        write!(
            f,
            "first turn {first_ms} ms, later {time_ms} ms of {time} time, {memory_mb} MB"
        )
    }
}
