//! When to ask the platform: modestly, and after errors less and less often.

use super::backoff::Backoff;
use crate::botzone::options::seed_from_time;
use std::time::{Duration, Instant};

/// The times between requests.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Pause before a poll, after one that brought nothing.
    pub pause: Duration,
    /// Longest time that a poll stays open.
    pub hold: Duration,
    /// Shortest time that a poll stays open.
    pub shortest: Duration,
    /// Wait after the first error.
    pub retry: Duration,
    /// Longest wait after an error.
    pub longest: Duration,
    /// Silence in a match after which its public log is asked.
    pub quiet: Duration,
}

const ON_THE_PLATFORM: Timing = Timing {
    pause: Duration::from_secs(1),
    hold: Duration::from_secs(60),
    shortest: Duration::from_secs(1),
    retry: Duration::from_secs(5),
    longest: Duration::from_secs(300),
    quiet: Duration::from_secs(90),
};

const HERE: Timing = Timing {
    pause: Duration::from_millis(2),
    hold: Duration::from_secs(1),
    shortest: Duration::from_millis(20),
    retry: Duration::from_millis(10),
    longest: Duration::from_millis(200),
    quiet: Duration::from_millis(500),
};

impl Timing {
    /// The times for the platform, or for a server on this machine, which needs no modesty.
    #[must_use]
    pub const fn of(is_loopback: bool) -> Timing {
        match is_loopback {
            false => ON_THE_PLATFORM,
            true => HERE,
        }
    }
}

/// What is waited for.
pub struct Waits {
    timing: Timing,
    poll_errors: Backoff,
    start_errors: Backoff,
    /// Nothing new is expected before.
    paused_until: Instant,
    /// After an error, nothing is sent before.
    poll_again: Instant,
    start_again: Instant,
}

impl Waits {
    /// Nothing to wait for.
    #[must_use]
    pub fn new(timing: Timing) -> Waits {
        let now = Instant::now();
        let backoff = |seed| Backoff::new(timing.retry, timing.longest, seed);
        let seed = seed_from_time();
        Waits {
            timing,
            poll_errors: backoff(seed),
            start_errors: backoff(!seed),
            paused_until: now,
            poll_again: now,
            start_again: now,
        }
    }

    /// Tests if a poll may begin. An answer to send ends a pause, but not the wait after an error.
    #[must_use]
    pub fn may_poll(&self, has_answer: bool) -> bool {
        let now = Instant::now();
        now >= self.poll_again && (has_answer || now >= self.paused_until)
    }

    /// Tests if a match may be started.
    #[must_use]
    pub fn may_start(&self) -> bool {
        Instant::now() >= self.start_again
    }

    /// The time until the next of the waits is over.
    #[must_use]
    pub fn rest(&self) -> Duration {
        let now = Instant::now();
        let waits = [self.paused_until, self.poll_again, self.start_again];
        let left = waits.iter().filter(|&&until| until > now);
        let least = left.map(|until| until.duration_since(now)).min();
        least.unwrap_or(Duration::MAX)
    }

    /// A poll went well.
    pub fn polled(&mut self, brought_news: bool) {
        self.poll_errors.reset();
        if !brought_news {
            self.paused_until = Instant::now() + self.timing.pause;
        }
    }

    /// A poll failed. Returns the wait.
    pub fn poll_failed(&mut self, is_closed: bool) -> Duration {
        let wait = self.wait(is_closed, |waits| &mut waits.poll_errors);
        self.poll_again = Instant::now() + wait;
        wait
    }

    /// A match was started.
    pub const fn started(&mut self) {
        self.start_errors.reset();
    }

    /// A match was not started, or aborted. Returns the wait.
    pub fn start_failed(&mut self, is_closed: bool) -> Duration {
        let wait = self.wait(is_closed, |waits| &mut waits.start_errors);
        self.start_again = Instant::now() + wait;
        wait
    }

    /// Failures to start a match in a row.
    #[must_use]
    pub const fn starts_failed(&self) -> u32 {
        self.start_errors.errors()
    }

    /// The wait after an error; the longest one while the platform is closed for maintenance.
    fn wait(&mut self, is_closed: bool, of: impl Fn(&mut Waits) -> &mut Backoff) -> Duration {
        let wait = of(self).fail();
        match is_closed {
            true => wait.max(self.timing.longest),
            false => wait,
        }
    }
}
