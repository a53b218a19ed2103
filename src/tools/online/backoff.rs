//! How long to wait after an error: longer after each further one, and never quite the same.

use super::timing::Timing;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::time::{Duration, Instant};

/// The waits after errors in a row.
pub struct Backoff {
    timing: Timing,
    /// Errors in a row.
    pub errors: u32,
    /// Nothing is tried again before.
    pub until: Instant,
    rng: SmallRng,
}

impl Backoff {
    /// No error yet.
    #[must_use]
    pub fn new(timing: Timing, now: Instant, seed: u64) -> Backoff {
        Backoff {
            timing,
            errors: 0,
            until: now,
            rng: SmallRng::seed_from_u64(seed),
        }
    }

    /// Takes one more error, and returns the wait: at first about [`Timing::retry`], then each time about twice the last one
    /// up to [`Timing::longest`], and up to a quarter of it more. `is_closed`: the platform is closed for maintenance.
    pub fn fail(&mut self, now: Instant, is_closed: bool) -> Duration {
        let Timing { retry, longest, .. } = self.timing;
        let doublings = self.errors.min(16);
        self.errors = self.errors.saturating_add(1);
        let wait = retry.saturating_mul(1 << doublings).min(longest);
        let jitter = f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
        let mut wait = wait + wait.mul_f64(jitter / 4.0);
        if is_closed {
            wait = wait.max(self.timing.closed);
        }
        self.until = now + wait;
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_the_longest_and_begin_anew() {
        let (timing, now) = (Timing::of(false), Instant::now());
        let mut backoff = Backoff::new(timing, now, 1);
        for expected in [5, 10, 20, 40, 80, 160, 300, 300, 300] {
            let wait = backoff.fail(now, false).as_secs_f64() / f64::from(expected);
            assert!((1.0..=1.25).contains(&wait), "{expected}: {wait}");
        }
        backoff.errors = 0;
        assert!(backoff.fail(now, false) < Duration::from_secs(7));
        let longest = timing.longest.mul_f64(1.25);
        assert!((0..100_000).all(|_| backoff.fail(now, false) <= longest));
    }
}
