//! Exponential back-off: the delay before the next try grows with each error in a row.

use engine::botzone::options::seed_from_time;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

/// State of the back-off for one kind of request.
pub struct Backoff {
    second: Duration,
    /// Longest delay, in units of `second`, without jitter.
    longest: u32,
    /// Number of errors in a row.
    pub errors: u32,
    /// Time before which nothing is tried again.
    pub until: Instant,
    rng: SmallRng,
}

impl Backoff {
    /// Returns a back-off without errors. `second` is the length of a second; a server on this machine is given shorter ones,
    /// because it need not be spared.
    pub fn new(second: Duration, longest: u32) -> Backoff {
        Backoff {
            second,
            longest,
            errors: 0,
            until: Instant::now(),
            rng: SmallRng::seed_from_u64(seed_from_time()),
        }
    }

    /// Records an error and returns the delay until the next try: 5 s, 10 s, … up to `longest`, plus up to 25 % jitter.
    pub fn fail(&mut self) -> Duration {
        let doubled = 5 << self.errors.min(16);
        self.errors += 1;
        let wait = self.second * doubled.min(self.longest);
        let wait = wait.mul_f64(self.rng.random_range(1.0..1.25));
        self.until = Instant::now() + wait;
        wait
    }
}
