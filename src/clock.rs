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
pub mod tests {
    use super::*;
    use std::cell::Cell;

    pub const MS: Duration = Duration::from_millis(1);

    /// A time that stands still until it is set. It counts the looks at the wall clock.
    #[derive(Default)]
    pub struct Settable {
        pub wall: Cell<Duration>,
        pub cpu: Cell<Duration>,
        pub looks: Cell<u32>,
    }

    impl Settable {
        fn at(wall: Duration, cpu: Duration) -> Settable {
            Settable {
                wall: Cell::new(wall),
                cpu: Cell::new(cpu),
                ..Settable::default()
            }
        }
    }

    impl TimeSource for &Settable {
        fn wall(self) -> Duration {
            self.looks.set(self.looks.get() + 1);
            self.wall.get()
        }

        fn cpu(self) -> Duration {
            self.cpu.get()
        }
    }

    /// Wall time counts from the start, CPU time as far as it was used before it and no turn has accounted for it.
    #[test]
    fn a_turn_takes_its_wall_time_and_the_cpu_time_before_it() {
        for (cpu_before, used) in [(0, 300), (100, 200), (300, 0), (400, 0)] {
            let time = Settable::at(5000 * MS, 300 * MS);
            let clock = Clock::start(&time, cpu_before * MS);
            // One thread uses at most as much CPU time as wall time goes by.
            for (wall, cpu) in [(0, 0), (929, 1), (929, 929), (4000, 2000)] {
                time.wall.set((5000 + wall) * MS);
                time.cpu.set((300 + cpu) * MS);
                assert_eq!(clock.elapsed(), (wall + used) * MS);
            }
        }
    }

    #[test]
    fn the_longest_gap_is_the_longest_before_a_look() {
        let mut gaps = Gaps::NONE;
        let mut longest = Vec::new();
        for look in [5, 6, 6, 14, 15, 13, 20, 40] {
            gaps.look(look * MS);
            longest.push(gaps.longest.as_millis());
        }
        assert_eq!(longest, [5, 5, 5, 8, 8, 8, 8, 20]);
    }

    #[test]
    fn huge_times_do_not_overflow() {
        let time = Settable::at(MS, Duration::MAX);
        let clock = Clock::start(&time, Duration::MAX);
        time.wall.set(Duration::MAX);
        assert_eq!(clock.elapsed(), Duration::MAX - MS);
        let clock = Clock::start(&time, Duration::ZERO);
        assert_eq!(clock.elapsed(), Duration::MAX);
        // A source that goes back breaks its promise; even so there is no panic.
        time.wall.set(Duration::ZERO);
        assert!(clock.elapsed() >= Duration::ZERO);
    }

    /// Whatever other threads have used before is not the turn's.
    #[test]
    fn a_clock_of_wall_time_begins_at_nothing() {
        let time = SystemTime::default();
        while cfg!(target_os = "linux") && time.cpu() < 20 * MS {}
        let started = time.wall();
        let elapsed = Clock::of_wall().elapsed();
        assert!(elapsed <= time.wall() - started);
    }

    #[test]
    fn the_system_has_a_wall_clock_and_a_cpu_clock_that_go_on() {
        let time = SystemTime::default();
        let (wall, cpu) = (time.wall(), time.cpu());
        while time.wall() == wall || (cfg!(target_os = "linux") && time.cpu() == cpu) {}
        assert!(time.wall() > wall && time.cpu() >= cpu);
    }
}
