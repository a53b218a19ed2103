//! When to ask the platform: modestly, and less and less often while that brings errors or nothing.
//!
//! Nothing here looks at a clock: the time comes in, so that a test can let an hour go by.

use super::backoff::Backoff;
use std::time::{Duration, Instant};

/// The times between requests.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Pause after a poll that brought nothing; after each further one in a row twice as long.
    pub pause: Duration,
    /// Longest such pause.
    pub longest_pause: Duration,
    /// Most polls a minute in the long run, whatever they bring.
    pub most_polls: u32,
    /// Longest time that a poll stays open.
    pub hold: Duration,
    /// Wait after the first error; after each further one in a row about twice as long.
    pub retry: Duration,
    /// Longest wait after an error.
    pub longest: Duration,
    /// Shortest wait while the platform is closed for maintenance.
    pub closed: Duration,
    /// Silence in a match after which its public log is asked.
    pub quiet: Duration,
}

/// A request must not wait for longer than a second for the poll that shows it, so this pause doesn't grow.
const ON_THE_PLATFORM: Timing = Timing {
    pause: Duration::from_secs(1),
    longest_pause: Duration::from_secs(1),
    most_polls: 120,
    hold: Duration::from_secs(60),
    retry: Duration::from_secs(5),
    longest: Duration::from_secs(300),
    closed: Duration::from_secs(300),
    quiet: Duration::from_secs(90),
};

const HERE: Timing = Timing {
    pause: Duration::from_millis(2),
    longest_pause: Duration::from_millis(250),
    most_polls: 60_000,
    hold: Duration::from_secs(1),
    retry: Duration::from_millis(10),
    longest: Duration::from_secs(5),
    closed: Duration::from_millis(200),
    quiet: Duration::from_millis(500),
};

/// Shortest time that a poll stays open. One that is given up may still reach a slow server, after the next: its answers
/// would then be sent twice.
pub const SHORTEST: Duration = Duration::from_secs(1);

/// Polls that may follow each other at once before [`Timing::most_polls`] spreads them.
const BURST: u32 = 20;

impl Timing {
    /// The times for the platform, or for a server on this machine, which needs less modesty.
    #[must_use]
    pub const fn of(is_loopback: bool) -> Timing {
        match is_loopback {
            false => ON_THE_PLATFORM,
            true => HERE,
        }
    }

    /// The pause after so many fetches of a log.
    #[must_use]
    pub fn log_pause(&self, fetches: u32) -> Duration {
        let doublings = fetches.saturating_sub(1).min(16);
        self.retry
            .saturating_mul(1 << doublings)
            .min(self.retry * 12)
    }
}

/// What is waited for.
pub struct Waits {
    /// The times between requests.
    pub timing: Timing,
    /// The waits after polls that failed.
    pub polls: Backoff,
    /// The waits after matches that were not started, or aborted.
    pub starts: Backoff,
    /// Polls in a row that brought nothing.
    in_vain: u32,
    /// Whether an answer was decided since the last poll began. One that is sent again is none: it takes its turn.
    pub has_answer: bool,
    /// Nothing new is expected before.
    paused_until: Instant,
    /// When the polls so far would have begun, had each kept its distance from the one before.
    spread_until: Instant,
}

impl Waits {
    /// Nothing to wait for.
    #[must_use]
    pub fn new(timing: Timing, now: Instant, seed: u64) -> Waits {
        Waits {
            timing,
            polls: Backoff::new(timing, now, seed),
            starts: Backoff::new(timing, now, !seed),
            in_vain: 0,
            has_answer: false,
            paused_until: now,
            spread_until: now,
        }
    }

    /// When a poll may begin. An answer that was decided since the last one ends a pause, but no other wait.
    fn poll_at(&self) -> Instant {
        let distance = self.distance() * BURST;
        let spread = self.spread_until.checked_sub(distance);
        let paused = Some(self.paused_until).filter(|_| !self.has_answer);
        let waits = spread.into_iter().chain(paused);
        waits.fold(self.polls.until, Instant::max)
    }

    /// The distance of polls in the long run.
    fn distance(&self) -> Duration {
        Duration::from_secs(60) / self.timing.most_polls
    }

    /// Tests if a poll may begin.
    #[must_use]
    pub fn may_poll(&self, now: Instant) -> bool {
        now >= self.poll_at()
    }

    /// The time until the next of the waits is over.
    #[must_use]
    pub fn rest(&self, now: Instant) -> Duration {
        let waits = [self.poll_at(), self.starts.until];
        let left = waits.iter().filter(|&&until| until > now);
        let least = left.map(|until| until.duration_since(now)).min();
        least.unwrap_or(Duration::MAX)
    }

    /// A poll begins.
    pub fn poll_begins(&mut self, now: Instant) {
        self.has_answer = false;
        self.spread_until = self.spread_until.max(now) + self.distance();
    }

    /// A poll went well.
    pub fn polled(&mut self, now: Instant, brought_news: bool) {
        self.polls.errors = 0;
        if brought_news {
            self.in_vain = 0;
            return;
        }
        let pause = self.timing.pause.saturating_mul(1 << self.in_vain.min(16));
        self.paused_until = now + pause.min(self.timing.longest_pause);
        self.in_vain = self.in_vain.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polls in an hour against a server that answers at once, as many as are allowed. `end`: what a poll comes to.
    fn polls_in_an_hour(is_loopback: bool, end: impl Fn(&mut Waits, Instant)) -> u32 {
        let mut now = Instant::now();
        let over = now + Duration::from_secs(3600);
        let mut waits = Waits::new(Timing::of(is_loopback), now, 1);
        let mut polls = 0;
        while now < over {
            if waits.may_poll(now) {
                polls += 1;
                waits.poll_begins(now);
                end(&mut waits, now);
                assert!(polls < 10_000_000, "without end");
            } else {
                now += waits.rest(now);
            }
        }
        polls
    }

    #[test]
    fn a_poll_that_brings_nothing_is_followed_by_a_wait_whatever_the_reason() {
        let nothing = |waits: &mut Waits, now| waits.polled(now, false);
        assert!((3590..=3601).contains(&polls_in_an_hour(false, nothing)));
        // Four a second here, after the first few.
        assert!((14_000..=14_410).contains(&polls_in_an_hour(true, nothing)));
    }

    #[test]
    fn after_errors_even_a_server_on_this_machine_is_asked_less_and_less() {
        let error = |waits: &mut Waits, now| {
            waits.polls.fail(now, false);
        };
        assert!(polls_in_an_hour(false, error) < 20);
        assert!(polls_in_an_hour(true, error) < 740);
        let closed = |waits: &mut Waits, now| {
            waits.polls.fail(now, true);
        };
        assert!(polls_in_an_hour(false, closed) <= 12);
    }

    /// Whatever a server says, and however fast: an answer to each poll, news with each poll.
    #[test]
    fn polls_are_bounded_even_if_each_brings_something() {
        let news = |waits: &mut Waits, now| waits.polled(now, true);
        let answers = |waits: &mut Waits, now| {
            waits.polled(now, false);
            waits.has_answer = true;
        };
        for (is_loopback, most) in [(false, 120), (true, 60_000)] {
            let most = most * 60 + 2 * BURST;
            assert!(polls_in_an_hour(is_loopback, news) <= most);
            assert!(polls_in_an_hour(is_loopback, answers) <= most);
        }
    }

    #[test]
    fn an_answer_ends_a_pause_and_news_begin_the_pauses_anew() {
        let start = Instant::now();
        let mut waits = Waits::new(Timing::of(true), start, 1);
        for _ in 0..10 {
            waits.poll_begins(start);
            waits.polled(start, false);
        }
        assert!(!waits.may_poll(start + Duration::from_millis(249)));
        waits.has_answer = true;
        assert!(waits.may_poll(start));
        waits.poll_begins(start);
        assert!(!waits.may_poll(start + Duration::from_millis(249)));
        waits.polled(start, true);
        waits.polled(start, false);
        assert!(waits.may_poll(start + Duration::from_millis(2)));
    }

    #[test]
    fn pauses_between_fetches_of_a_log_grow() {
        let seconds = |fetches| Timing::of(false).log_pause(fetches).as_secs();
        assert_eq!([1, 2, 3, 4, 5, 100].map(seconds), [5, 10, 20, 40, 60, 60]);
    }
}
