//! Measures the time that a turn has taken.
//!
//! Botzone may limit wall time or CPU time, so a turn respects its limit by both measures. The bot has one thread, so
//! during a turn its CPU time grows no faster than wall time. Elapsed time is therefore defined as the wall time since
//! the start of the turn, plus the CPU time used before the start. This is an upper bound on both measures.

mod system;

pub use system::SystemTime;

use std::time::Duration;

/// A source of wall time and CPU time: the system, or a mock in tests.
pub trait TimeSource: Copy {
    /// Returns the wall time since a fixed moment. It never decreases.
    #[must_use]
    fn wall(self) -> Duration;

    /// Returns the CPU time that this process has used; zero on systems that do not report it.
    #[must_use]
    fn cpu(self) -> Duration;
}

/// Stopwatch for one turn.
#[derive(Clone, Copy, Debug)]
pub struct Clock<T> {
    time: T,
    /// Wall time at the start of the turn.
    started: Duration,
    /// CPU time charged to this turn that was used before its start.
    used_before: Duration,
}

impl Clock<SystemTime> {
    /// Starts a clock that measures only wall time, for turns without a limit on CPU time.
    #[must_use]
    pub fn wall_only() -> Clock<SystemTime> {
        // An unlimited `cpu_before` charges no earlier CPU time to this turn.
        Clock::start(SystemTime::default(), Duration::MAX)
    }
}

impl<T: TimeSource> Clock<T> {
    /// Starts the clock of a turn.
    ///
    /// `cpu_before` is the CPU time charged to earlier turns. It is zero on the first turn, so that the start of the
    /// process counts; on later turns it is the process's CPU time at the last answer.
    #[must_use]
    pub fn start(time: T, cpu_before: Duration) -> Clock<T> {
        Clock {
            time,
            started: time.wall(),
            used_before: time.cpu().saturating_sub(cpu_before),
        }
    }

    /// Returns the time that the turn has taken so far: at least its wall time and at least its CPU time.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let since_start = self.time.wall().saturating_sub(self.started);
        self.used_before.saturating_add(since_start)
    }
}

/// Gaps between successive readings of a turn's clock, which reveal stalls of the machine.
#[derive(Clone, Copy, Debug)]
pub struct ClockGaps {
    /// Time from the start of the turn to the last clock reading.
    pub last: Duration,
    /// Longest time between two successive clock readings.
    pub longest: Duration,
}

impl ClockGaps {
    /// State at the start of a turn, before any clock reading.
    pub const NONE: ClockGaps = ClockGaps {
        last: Duration::ZERO,
        longest: Duration::ZERO,
    };

    /// Records a clock reading of `elapsed`.
    pub fn record(&mut self, elapsed: Duration) {
        self.longest = self.longest.max(elapsed.saturating_sub(self.last));
        self.last = elapsed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CPU time that other threads used earlier is not charged to the turn.
    #[test]
    fn a_clock_of_wall_time_begins_at_nothing() {
        let time = SystemTime::default();
        while cfg!(target_os = "linux") && time.cpu() < Duration::from_millis(20) {}
        let started = time.wall();
        let elapsed = Clock::wall_only().elapsed();
        assert!(elapsed <= time.wall() - started);
    }
}
