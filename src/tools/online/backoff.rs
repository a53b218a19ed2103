//! Exponential back-off ([`Backoff`]): the delay before the next attempt at a request doubles with each consecutive
//! error.

use engine::botzone::options::seed_from_time;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

/// Delays between the attempts at one type of request, such as polls: the time of the next attempt, and the number of
/// consecutive failed attempts.
pub struct Backoff {
    time_unit: Duration,
    /// Maximum delay before an attempt, in multiples of `time_unit`. Up to 25 % of random time (jitter) is added to the
    /// delay.
    max_units: u32,
    /// Number of consecutive failed attempts. The caller resets the number to 0 after a success.
    pub failures: u32,
    /// Earliest time of the next attempt.
    pub next_attempt: Instant,
    rng: SmallRng,
}

impl Backoff {
    /// Returns a back-off without failed attempts, whose first attempt is possible at once. A delay is at most
    /// `max_units` times `time_unit`, plus up to 25 % of random time. `time_unit` is one second, or less for a server
    /// on this machine.
    pub fn new(time_unit: Duration, max_units: u32) -> Backoff {
        Backoff {
            time_unit,
            max_units,
            failures: 0,
            next_attempt: Instant::now(),
            rng: SmallRng::seed_from_u64(seed_from_time()),
        }
    }

    /// Records that an attempt has failed. Returns the delay until the next attempt: 5, 10, 20, … times `time_unit`,
    /// but at most `max_units` times, plus up to 25 % of random time.
    pub fn record_failure(&mut self) -> Duration {
        let doubled = 5 << self.failures.min(16);
        self.failures += 1;
        let delay = self.time_unit * doubled.min(self.max_units);
        let delay = delay.mul_f64(self.rng.random_range(1.0..1.25));
        self.next_attempt = Instant::now() + delay;
        delay
    }
}
