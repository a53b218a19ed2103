//! Options of a session and their defaults: time, memory, and seed.

use crate::budget::Budget;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Number of milliseconds in a day: the upper limit of every time option.
pub const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Maximum size of the search tree, in MiB. The 30-bit ids of its 64-byte lines would allow twice as much.
pub const MAX_MEMORY_MB: usize = 32_768;

/// Options of the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Time for a turn, except the first.
    pub time: Duration,
    /// Whether turns after the first end earlier on a machine that stalls; see `safety_margin.rs`.
    pub adapts_to_stalls: bool,
    /// Time for the bot's first turn of a game.
    pub first_time: Duration,
    /// Memory of the search tree, in bytes.
    pub memory: usize,
    /// Seed of all random choices; `None` to derive one from the time.
    pub seed: Option<u64>,
    /// Number of iterations per turn. If set, the time options are ignored.
    pub iterations: Option<u64>,
}

impl Default for Options {
    /// Botzone allows 2 s for a first turn and 1 s for later turns. The time left unused is more than 999 of 1,000
    /// turns needed beyond their budget on an overloaded machine (`benches/EXPERIMENTS.md`).
    fn default() -> Options {
        Options {
            time: Duration::from_millis(960),
            adapts_to_stalls: true,
            first_time: Duration::from_millis(1940),
            memory: 176 << 20,
            seed: None,
            iterations: None,
        }
    }
}

impl Options {
    /// Returns the search budget of a turn. `is_first` tells if the turn is the bot's first of a game.
    #[must_use]
    pub fn budget(&self, is_first: bool) -> Budget {
        match self.iterations {
            Some(iterations) => Budget::Iterations(iterations),
            None if is_first => Budget::Time(self.first_time),
            None => Budget::Time(self.time),
        }
    }
}

/// Returns a seed from the system time, which differs from one start of the program to the next.
#[must_use]
pub fn seed_from_time() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}
