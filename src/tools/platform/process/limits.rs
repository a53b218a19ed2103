//! Time and memory limits of a bot's turns.

use analysis::rejection::TurnLimits;
use clap::builder::TypedValueParser;
use clap::value_parser;
use engine::botzone::options::DAY_MS;
use std::fmt;
use std::time::Duration;

/// Number of bytes in a megabyte (MB), the unit of memory limits.
pub(super) const MB: u64 = 1_000_000;

/// Maximum number that the command-line option `--memory-mb` accepts, in MB. It equals 10^15 bytes, more memory than
/// any machine has.
const MAX_MEMORY_MB: u64 = 1_000_000_000;

/// Time and memory limits of a bot's turns, set by command line options. The defaults are Botzone's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct Limits {
    /// Time limit of a bot's first turn in milliseconds, up to a day
    #[arg(long = "first-ms", value_name = "FIRST_MS", default_value = "2000", value_parser = milliseconds_parser())]
    pub first: Duration,
    /// Time limit of each turn but the first in milliseconds, up to a day
    #[arg(long = "time-ms", value_name = "TIME_MS", default_value = "1000", value_parser = milliseconds_parser())]
    pub later: Duration,
    /// Limit of the bot's resident memory in MB
    // The value of this field is in bytes. The value of the command-line option is in MB, which are 1,000,000 bytes.
    #[arg(long = "memory-mb", value_name = "MEMORY_MB", default_value = "256", value_parser = value_parser!(u64).range(1..=MAX_MEMORY_MB).map(|mb| mb * MB))]
    pub memory_bytes: u64,
    /// Measure the time limits in CPU time instead of wall time, for busy machines
    #[arg(long = "cpu-time")]
    pub by_cpu: bool,
}

impl Limits {
    /// Returns the time limit of a turn: `first` if `entries` is at most 1, which means the bot's first turn, otherwise
    /// `later`. `entries` is the number of moves in the turn's input, of both players: 1 in the bot's first turn, 3 in
    /// its second, and so on. If the bot plays black, its first input is the entry "no move", which counts, too.
    #[must_use]
    pub const fn turn_time(&self, entries: usize) -> Duration {
        if entries <= 1 { self.first } else { self.later }
    }

    /// Returns the time and memory limits of the turn that follows after `plies` moves (of both players together).
    #[must_use]
    pub const fn turn_limits(&self, plies: usize) -> TurnLimits {
        let entries = plies + 1 - plies % 2;
        TurnLimits {
            time_ms: self.turn_time(entries).as_millis() as u64,
            memory_mb: self.memory_bytes / MB,
        }
    }
}

/// Returns a command line parser for a whole number of milliseconds from 1 to a day.
fn milliseconds_parser() -> impl TypedValueParser<Value = Duration> {
    let milliseconds = value_parser!(u64).range(1..=DAY_MS);
    milliseconds.map(Duration::from_millis)
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, later] = [self.first, self.later].map(|time| time.as_millis());
        let time = if self.by_cpu { "CPU" } else { "wall" };
        let mb = self.memory_bytes / MB;
        write!(f, "first turn {first} ms, later {later} ms of ")?;
        write!(f, "{time} time, {mb} MB")
    }
}
