//! How long to wait after an error: longer after each further one, and never quite the same.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

/// The waits after errors in a row.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    errors: u32,
    rng: SmallRng,
}

impl Backoff {
    /// No error yet. The first wait is about `first`, each further one about twice the last, up to `longest`.
    #[must_use]
    pub fn new(first: Duration, longest: Duration, seed: u64) -> Backoff {
        Backoff {
            first,
            longest,
            errors: 0,
            rng: SmallRng::seed_from_u64(seed),
        }
    }

    /// All is well again.
    pub const fn reset(&mut self) {
        self.errors = 0;
    }

    /// Errors in a row.
    #[must_use]
    pub const fn errors(&self) -> u32 {
        self.errors
    }

    /// The wait after one more error: the wait that is due and up to a quarter of it more.
    pub fn fail(&mut self) -> Duration {
        let doublings = self.errors.min(16);
        self.errors = self.errors.saturating_add(1);
        let wait = self.first.saturating_mul(1 << doublings).min(self.longest);
        let jitter = f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
        wait + wait.mul_f64(jitter / 4.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_the_longest_and_begin_anew() {
        let [first, longest] = [5, 300].map(Duration::from_secs);
        let mut backoff = Backoff::new(first, longest, 1);
        for expected in [5, 10, 20, 40, 80, 160, 300, 300, 300] {
            let wait = backoff.fail().as_secs_f64() / f64::from(expected);
            assert!((1.0..=1.25).contains(&wait), "{expected}: {wait}");
        }
        backoff.reset();
        assert_eq!(backoff.errors(), 0);
        assert!(backoff.fail() < Duration::from_secs(7));
        let mut endless = Backoff::new(first, longest, 2);
        assert!((0..100_000).all(|_| endless.fail() <= longest.mul_f64(1.25)));
    }
}
