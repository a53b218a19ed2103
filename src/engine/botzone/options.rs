//! Options of the bot and their defaults: time, memory, seed, and number of iterations.

use crate::budget::Budget;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Number of milliseconds in a day. It is the maximum value of every command-line option that is a time.
pub const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Maximum value, in MiB, of the command-line option for the size of the search tree: 32 GiB.
pub const MAX_MEMORY_MIB: usize = 32_768;

/// Options of the bot for one [`Session`](super::Session), a run of its process in which it plays one game: limits of
/// time, memory and search iterations, and the seed of the random number generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Maximum time for each turn of the bot except its first in a game.
    pub time: Duration,
    /// True if the bot shortens its search in each turn except the first, because the operating system may suspend the
    /// process (a stall). It then subtracts from `time` the expected length of a stall, from 0 to 160 ms, estimated
    /// from recent turns. False if the user sets the time on the command line.
    pub adapts_to_stalls: bool,
    /// Maximum time for the bot's first turn of a game, which Botzone allows to be longer.
    pub first_time: Duration,
    /// Maximum memory for the search tree, in bytes.
    pub memory: usize,
    /// Seed of the random number generator of the search. `None`: the program derives a seed from the current time.
    pub seed: Option<u64>,
    /// Number of search iterations per turn, in place of the time limits; `None` to limit the search by time.
    pub iterations: Option<u64>,
}

impl Default for Options {
    /// Returns the default options, for Botzone, which allows 2 s for the bot's first turn and 1 s for each later turn.
    /// The bot searches for 1.94 s and 0.96 s, so that 60 ms and 40 ms remain for all else. In tests on an overloaded
    /// machine, one turn in 1,000 took longer than allowed (`benches/EXPERIMENTS.md`).
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
    /// Returns the limit of the search in one turn: the number of iterations if it is set, otherwise the time.
    /// `is_first` selects [`Options::first_time`] instead of [`Options::time`].
    #[must_use]
    pub fn budget(&self, is_first: bool) -> Budget {
        match self.iterations {
            Some(iterations) => Budget::Iterations(iterations),
            None if is_first => Budget::Time(self.first_time),
            None => Budget::Time(self.time),
        }
    }
}

/// Returns a seed for the random number generator: the number of nanoseconds since 1970, modulo 2^64.
#[must_use]
pub fn seed_from_time() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}
