//! The time that a turn has taken.
//!
//! Botzone may limit wall time or CPU time, so a turn keeps within its budget by both. The bot has one thread: after
//! the start of a turn it uses no more CPU time than wall time. Elapsed time is therefore the wall time since the
//! start plus the CPU time used before it, an upper bound on both.

mod system;

pub use system::SystemTime;

use std::time::Duration;

/// A source of time: the system, or a test.
pub trait TimeSource: Copy {
    /// Wall time since a fixed moment. It never goes back.
    #[must_use]
    fn wall(self) -> Duration;

    /// CPU time of this process since it began; zero where the system can't tell.
    #[must_use]
    fn cpu(self) -> Duration;
}

/// The clock of one turn.
#[derive(Clone, Copy, Debug)]
pub struct Clock<T> {
    time: T,
    /// Wall time at the start of the turn.
    started: Duration,
    /// CPU time that counts for this turn but was used before its start.
    used_before: Duration,
}

impl Clock<SystemTime> {
    /// Starts a clock now that counts wall time alone, for a turn that nobody limits by CPU time.
    #[must_use]
    pub fn of_wall() -> Clock<SystemTime> {
        // All CPU time so far is accounted for.
        Clock::start(SystemTime::default(), Duration::MAX)
    }
}

impl<T: TimeSource> Clock<T> {
    /// Starts a turn's clock now.
    ///
    /// `cpu_before`: the CPU time of the process that earlier turns account for. It is zero on the first turn, so that
    /// the start of the process counts. Later it is the reading at the last answer.
    #[must_use]
    pub fn start(time: T, cpu_before: Duration) -> Clock<T> {
        Clock {
            time,
            started: time.wall(),
            used_before: time.cpu().saturating_sub(cpu_before),
        }
    }

    /// Time that the turn has taken so far: at least its wall time and at least its CPU time.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let since_start = self.time.wall().saturating_sub(self.started);
        self.used_before.saturating_add(since_start)
    }
}

/// The longest time in which a turn's clock was not looked at.
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    /// The time from the start of the turn to the last look.
    pub last: Duration,
    /// The longest gap before a look.
    pub longest: Duration,
}

impl Gaps {
    /// A turn whose clock was not looked at yet.
    pub const NONE: Gaps = Gaps {
        last: Duration::ZERO,
        longest: Duration::ZERO,
    };

    /// Takes note of a look at the clock, which showed so much.
    pub fn look(&mut self, elapsed: Duration) {
        self.longest = self.longest.max(elapsed.saturating_sub(self.last));
        self.last = elapsed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What other threads have used before is not the turn's.
    #[test]
    fn a_clock_of_wall_time_begins_at_nothing() {
        let time = SystemTime::default();
        while cfg!(target_os = "linux") && time.cpu() < Duration::from_millis(20) {}
        let started = time.wall();
        let elapsed = Clock::of_wall().elapsed();
        assert!(elapsed <= time.wall() - started);
    }
}
