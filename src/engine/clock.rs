//! The type [`Clock`]: a stopwatch for one turn of the bot. It shows the sum of two times:
//!
//! - the CPU time that the process used between its previous answer and the start of this turn,
//! - the wall time since the start of this turn.
//!
//! Botzone may limit the wall time or the CPU time of a turn. The sum is never less than either of them: during a turn,
//! the CPU time of the bot grows no faster than wall time, because the bot has one thread.

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

/// Stopwatch for one turn. It shows the wall time since the start of the turn, plus the CPU time that the process used
/// between its previous answer and this start. The sum is at least the wall time and at least the CPU time of the turn;
/// Botzone may limit either. `T` is the source of these times.
#[derive(Clone, Copy, Debug)]
pub struct Clock<T> {
    time: T,
    /// Wall time at the start of the turn, as returned by [`TimeSource::wall`].
    started: Duration,
    /// CPU time that the process used between the answer of the previous turn and the start of this turn, for example
    /// to start the process. The clock adds it to the time of this turn.
    used_before: Duration,
}

impl Clock<SystemTime> {
    /// Starts a clock that measures only wall time, for turns whose CPU time is not limited.
    #[must_use]
    pub fn wall_only() -> Clock<SystemTime> {
        // Passes `Duration::MAX` as the CPU time at the previous answer. The clock subtracts it from the CPU time used
        // so far, and takes a negative result as 0. So it counts no CPU time from before the start.
        Clock::start(SystemTime::default(), Duration::MAX)
    }
}

impl<T: TimeSource> Clock<T> {
    /// Starts the clock of a turn.
    ///
    /// - `time`: source of wall time and CPU time.
    /// - `cpu_before`: CPU time that the process had used when it sent its previous answer; zero in the first turn. CPU
    ///   time used since then, for example to start the process, counts as a part of this turn.
    #[must_use]
    pub fn start(time: T, cpu_before: Duration) -> Clock<T> {
        Clock {
            time,
            started: time.wall(),
            used_before: time.cpu().saturating_sub(cpu_before),
        }
    }

    /// Returns the time that the turn has taken so far. It is the wall time since the start of the turn, plus the CPU
    /// time that the process used between its previous answer and this start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let since_start = self.time.wall().saturating_sub(self.started);
        self.used_before.saturating_add(since_start)
    }
}

/// Finds the longest gap between two successive readings of the clock of a turn. A long gap shows that the machine did
/// not let the program run for so long.
#[derive(Clone, Copy, Debug)]
pub struct ClockGaps {
    /// Time from the start of the turn to the latest reading of the clock; zero if the clock was not read yet.
    pub last: Duration,
    /// Longest gap between two successive clock readings of the turn. The start of the turn counts as a reading.
    pub longest: Duration,
}

impl ClockGaps {
    /// Value for the start of a turn, when the clock was not read yet: the latest reading and the longest gap between
    /// readings are both zero.
    pub const NONE: ClockGaps = ClockGaps {
        last: Duration::ZERO,
        longest: Duration::ZERO,
    };

    /// Records a reading of the turn's clock: updates the latest reading and the longest gap between two readings.
    /// `elapsed` is the time from the start of the turn to this reading.
    pub fn record(&mut self, elapsed: Duration) {
        self.longest = self.longest.max(elapsed.saturating_sub(self.last));
        self.last = elapsed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a clock made by [`Clock::wall_only`] shows only the wall time since its start. Clocks made by
    /// [`Clock::start`] also count CPU time that the process used before.
    #[test]
    fn wall_only_clock_ignores_earlier_cpu_time() {
        let time = SystemTime::default();
        while cfg!(target_os = "linux") && time.cpu() < Duration::from_millis(20) {}
        let started = time.wall();
        let elapsed = Clock::wall_only().elapsed();
        assert!(elapsed <= time.wall() - started);
    }
}
