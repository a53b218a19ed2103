//! Exponential back-off ([`Backoff`]): the delay before the next attempt at a request doubles with each consecutive
//! error.

use engine::botzone::options::seed_from_time;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

/// Decides when to repeat a type of request after errors: the delay doubles with each consecutive error. The fields
/// give the time of the next attempt and the number of consecutive failed attempts.
pub struct Backoff {
    time_unit: Duration,
    /// Maximum delay before an attempt, as a number of `time_unit`s. To this, a random time of up to 25 % of the delay
    /// is added.
    max_units: u32,
    /// Number of consecutive failed attempts at the request. After a success, the user of this struct sets the number
    /// to 0.
    pub failures: u32,
    /// Earliest time of the next attempt at the request.
    pub next_attempt: Instant,
    rng: SmallRng,
}

impl Backoff {
    /// Creates the state before the first attempt, which may be made at once. After errors, a delay is at most
    /// `max_units` times `time_unit`, plus a random time of up to 25 %. Pass one second as `time_unit`, or less if the
    /// server is on this machine.
    pub fn new(time_unit: Duration, max_units: u32) -> Backoff {
        Backoff {
            time_unit,
            max_units,
            failures: 0,
            next_attempt: Instant::now(),
            rng: SmallRng::seed_from_u64(seed_from_time()),
        }
    }

    /// Records that an attempt has failed, and sets the time of the next attempt. Returns the delay until then. It is 5
    /// times `time_unit` after the first error and doubles with each further error, up to `max_units` times; a random
    /// time of up to 25 % is added.
    pub fn record_failure(&mut self) -> Duration {
        let doubled = 5 << self.failures.min(16);
        self.failures += 1;
        let delay = self.time_unit * doubled.min(self.max_units);
        let delay = delay.mul_f64(self.rng.random_range(1.0..1.25));
        self.next_attempt = Instant::now() + delay;
        delay
    }
}
