//! The type [`Clock`]: measures the time that a turn takes, as an upper bound on both wall time and CPU time.
//!
//! Botzone may limit wall time or CPU time, so a turn must respect its limit by both measures. The bot has one thread,
//! so during a turn its CPU time grows no faster than wall time. Therefore the elapsed time of a turn is the sum of the
//! wall time since the start of the turn and the CPU time that the bot used between its last answer and that start.

mod system;

pub use system::SystemTime;

use std::time::Duration;

/// Source of wall time and CPU time: the operating system, or a simulated clock in tests.
pub trait TimeSource: Copy {
    /// Returns the wall time since a fixed moment, for example the start of the program. It never decreases.
    #[must_use]
    fn wall(self) -> Duration;

    /// Returns the CPU time that this process has used since its start; zero on systems that do not report it.
    #[must_use]
    fn cpu(self) -> Duration;
}

/// Stopwatch for one turn, which reads the time source `T`. Its time is an upper bound on the wall time and on the CPU
/// time of the turn.
#[derive(Clone, Copy, Debug)]
pub struct Clock<T> {
    time: T,
    /// Wall time at the start of the turn, as returned by [`TimeSource::wall`].
    started: Duration,
    /// CPU time that the process used between its last answer and the start of this turn. It counts towards this turn.
    used_before: Duration,
}

impl Clock<SystemTime> {
    /// Starts a clock that measures wall time only, for turns without a limit on CPU time.
    #[must_use]
    pub fn wall_only() -> Clock<SystemTime> {
        // The maximum `cpu_before` exceeds any CPU time, so no CPU time from before the start counts towards the turn.
        Clock::start(SystemTime::default(), Duration::MAX)
    }
}

impl<T: TimeSource> Clock<T> {
    /// Starts the clock of a turn. `time` is the source of wall time and CPU time.
    ///
    /// `cpu_before` is the CPU time that the process had used at its last answer, or zero on the first turn. CPU time
    /// used since then, such as that of the start of the process, counts towards this turn.
    #[must_use]
    pub fn start(time: T, cpu_before: Duration) -> Clock<T> {
        Clock {
            time,
            started: time.wall(),
            used_before: time.cpu().saturating_sub(cpu_before),
        }
    }

    /// Returns the elapsed time of the turn: an upper bound on its wall time and on its CPU time.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let since_start = self.time.wall().saturating_sub(self.started);
        self.used_before.saturating_add(since_start)
    }
}

/// Gaps between successive readings of the clock of a turn. A long gap reveals that the machine stalled.
#[derive(Clone, Copy, Debug)]
pub struct ClockGaps {
    /// Time from the start of the turn to the latest clock reading; zero before the first reading.
    pub last: Duration,
    /// Longest gap between two successive clock readings; the start of the turn counts as a reading.
    pub longest: Duration,
}

impl ClockGaps {
    /// Value at the start of a turn, before any clock reading: both times are zero.
    pub const NONE: ClockGaps = ClockGaps {
        last: Duration::ZERO,
        longest: Duration::ZERO,
    };

    /// Updates the latest reading and the longest gap with a new clock reading. `elapsed` is the time since the start
    /// of the turn.
    pub fn record(&mut self, elapsed: Duration) {
        self.longest = self.longest.max(elapsed.saturating_sub(self.last));
        self.last = elapsed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a clock of wall time only does not count CPU time that the process used before the clock started.
    #[test]
    fn wall_only_clock_ignores_earlier_cpu_time() {
        let time = SystemTime::default();
        while cfg!(target_os = "linux") && time.cpu() < Duration::from_millis(20) {}
        let started = time.wall();
        let elapsed = Clock::wall_only().elapsed();
        assert!(elapsed <= time.wall() - started);
    }
}
