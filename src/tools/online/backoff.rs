//! Exponential back-off: the delay before the next try grows with each error in a row.

use engine::botzone::options::seed_from_time;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

/// State of the back-off for one kind of request.
pub struct Backoff {
    second: Duration,
    /// Maximum delay, in units of `second`, without jitter.
    max_seconds: u32,
    /// Number of errors in a row.
    pub errors: u32,
    /// Time before which nothing is tried again.
    pub next_try: Instant,
    rng: SmallRng,
}

impl Backoff {
    /// Returns a back-off without errors. `second` is the length of a second; a server on this machine is given shorter ones,
    /// because it need not be spared.
    pub fn new(second: Duration, max_seconds: u32) -> Backoff {
        Backoff {
            second,
            max_seconds,
            errors: 0,
            next_try: Instant::now(),
            rng: SmallRng::seed_from_u64(seed_from_time()),
        }
    }

    /// Records an error and returns the delay until the next try: 5 s, 10 s, … up to `max_seconds`, plus up to 25 % jitter.
    pub fn record_error(&mut self) -> Duration {
        let doubled = 5 << self.errors.min(16);
        self.errors += 1;
        let delay = self.second * doubled.min(self.max_seconds);
        let delay = delay.mul_f64(self.rng.random_range(1.0..1.25));
        self.next_try = Instant::now() + delay;
        delay
    }
}
