//! Exponential back-off ([`Backoff`]): the delay before the next attempt at a request doubles with each consecutive
//! error.

use engine::botzone::options::seed_from_time;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

/// Exponential back-off for one type of request: the delay before the next attempt at the request doubles with each
/// consecutive error. The fields give the time of the next attempt and the number of consecutive failed attempts.
pub struct Backoff {
    time_unit: Duration,
    /// Maximum delay before the next attempt at the request, in units of `time_unit`, which is 1 s for Botzone. The
    /// delay is then lengthened by a random time of up to 25 %.
    max_units: u32,
    /// Number of consecutive failed attempts at the request. After a success, the user of this struct sets the number
    /// to 0.
    pub failures: u32,
    /// Earliest time of the next attempt at the request.
    pub next_attempt: Instant,
    rng: SmallRng,
}

impl Backoff {
    /// Creates the state before the first attempt, which may be made at once. `time_unit` is the unit of the delays:
    /// pass one second, or less if the server is on this machine. `max_units` is the maximum delay after an error, as a
    /// number of these units; a random time of up to 25 % of the delay is added to it.
    pub fn new(time_unit: Duration, max_units: u32) -> Backoff {
        Backoff {
            time_unit,
            max_units,
            failures: 0,
            next_attempt: Instant::now(),
            rng: SmallRng::seed_from_u64(seed_from_time()),
        }
    }

    /// Records that an attempt has failed, sets the time of the next attempt, and returns the delay until then. The
    /// delay is 5 times `time_unit` after the first of consecutive errors. It doubles with each further one, up to
    /// `max_units` times `time_unit`. A random time of up to 25 % of the delay is added to it.
    pub fn record_failure(&mut self) -> Duration {
        let doubled = 5 << self.failures.min(16);
        self.failures += 1;
        let delay = self.time_unit * doubled.min(self.max_units);
        let delay = delay.mul_f64(self.rng.random_range(1.0..1.25));
        self.next_attempt = Instant::now() + delay;
        delay
    }
}
