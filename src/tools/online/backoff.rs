//! Exponential back-off: how long to wait after errors in a row.

use engine::botzone::options::seed_from_time;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

/// The waits after errors in a row.
pub struct Backoff {
    second: Duration,
    /// Longest wait, in seconds.
    longest: u32,
    /// Errors in a row.
    pub errors: u32,
    /// Nothing is tried again before.
    pub until: Instant,
    rng: SmallRng,
}

impl Backoff {
    /// No error yet. `second`: how long a second is; less for a server on this machine, which needs no modesty.
    pub fn new(second: Duration, longest: u32) -> Backoff {
        Backoff {
            second,
            longest,
            errors: 0,
            until: Instant::now(),
            rng: SmallRng::seed_from_u64(seed_from_time()),
        }
    }

    /// Records an error. Returns the wait until the next try: 5 s, 10 s, up to the longest, plus up to 25 % jitter.
    pub fn fail(&mut self) -> Duration {
        let doubled = 5 << self.errors.min(16);
        self.errors += 1;
        let wait = self.second * doubled.min(self.longest);
        let wait = wait.mul_f64(self.rng.random_range(1.0..1.25));
        self.until = Instant::now() + wait;
        wait
    }
}
