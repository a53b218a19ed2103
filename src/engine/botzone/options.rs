//! The options of a session and their defaults: time, memory, seed.

use crate::budget::Budget;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A day in milliseconds: the upper limit of every time.
pub const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Limit on the search tree in MiB: ids of lines have 30 bits.
pub const MAX_MEMORY_MB: usize = 32_768;

/// Options of the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Time for a turn.
    pub time: Duration,
    /// Whether later turns end earlier on a machine that stalls, see `margin.rs`.
    pub heeds_stalls: bool,
    /// Time for the bot's first turn of a game.
    pub first_time: Duration,
    /// Memory of the search tree, in bytes.
    pub memory: usize,
    /// Seed of every random choice; without one, the time is the seed.
    pub seed: Option<u64>,
    /// Iterations a turn, instead of time.
    pub iterations: Option<u64>,
}

impl Default for Options {
    /// Botzone gives 2 s for a first turn and 1 s for a later one. What stays unused is more than 999 of 1,000 turns took
    /// beyond their time on a machine with too much to do (`benches/EXPERIMENTS.md`).
    fn default() -> Options {
        Options {
            time: Duration::from_millis(960),
            heeds_stalls: true,
            first_time: Duration::from_millis(1940),
            memory: 176 << 20,
            seed: None,
            iterations: None,
        }
    }
}

impl Options {
    /// What the bot may spend on a turn, the first one of a game or a later one.
    #[must_use]
    pub fn budget(&self, is_first: bool) -> Budget {
        match self.iterations {
            Some(iterations) => Budget::Iterations(iterations),
            None if is_first => Budget::Time(self.first_time),
            None => Budget::Time(self.time),
        }
    }
}

/// A seed that differs from one start to the next.
#[must_use]
pub fn seed_from_time() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}
