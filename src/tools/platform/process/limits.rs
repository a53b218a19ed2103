//! The limits of a bot's turn.

use analysis::refusal::TurnLimits;
use clap::builder::TypedValueParser;
use clap::value_parser;
use engine::botzone::options::DAY_MS;
use std::fmt;
use std::time::Duration;

/// A megabyte, in bytes.
pub(super) const MB: u64 = 1_000_000;

/// The largest limit of memory in MB, far beyond any machine's.
const MAX_MEMORY_MB: u64 = 1_000_000_000;

/// The limits of a bot's turn, as options of the command line; Botzone's by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct Limits {
    /// Time limit of a bot's first turn in milliseconds, up to a day
    #[arg(long = "first-ms", value_name = "FIRST_MS", default_value = "2000", value_parser = ms())]
    pub first: Duration,
    /// Time limit of a later turn in milliseconds, up to a day
    #[arg(long = "time-ms", value_name = "TIME_MS", default_value = "1000", value_parser = ms())]
    pub later: Duration,
    /// Limit of resident memory, MB
    // Here it is in bytes.
    #[arg(long = "memory-mb", value_name = "MEMORY_MB", default_value = "256", value_parser = value_parser!(u64).range(1..=MAX_MEMORY_MB).map(|mb| mb * MB))]
    pub memory: u64,
    /// Limit CPU time instead of wall time, for busy machines
    #[arg(long = "cpu-time")]
    pub by_cpu: bool,
}

impl Limits {
    /// The time limit of a turn after which the bot has seen so many requests and responses.
    #[must_use]
    pub const fn time(&self, record: usize) -> Duration {
        if record <= 1 { self.first } else { self.later }
    }

    /// What a bot is allowed in its turn after so many plies.
    #[must_use]
    pub const fn of_turn(&self, plies: usize) -> TurnLimits {
        let record = plies + 1 - plies % 2;
        TurnLimits {
            ms: self.time(record).as_millis() as u64,
            mb: self.memory / MB,
        }
    }
}

/// Reads milliseconds.
fn ms() -> impl TypedValueParser<Value = Duration> {
    value_parser!(u64)
        .range(1..=DAY_MS)
        .map(Duration::from_millis)
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, later] = [self.first, self.later].map(|time| time.as_millis());
        let time = if self.by_cpu { "CPU" } else { "wall" };
        let mb = self.memory / MB;
        write!(
            f,
            "first turn {first} ms, later {later} ms of {time} time, {mb} MB"
        )
    }
}
