//! The time of a turn: what the platform allows and what is left of it.
//!
//! It is not known whether Botzone limits wall time or CPU time, so both have to stay within. The bot has one
//! thread: from the start of a turn on it can't use more CPU time than wall time goes by. So what counts is
//! the wall time, and the CPU time that was used before: by neither measure does a turn take longer.

use std::time::{Duration, Instant};

/// Work of a search between two looks at the clock, in units of some 45 ns: eight iterations as a rule. One that
/// counts a large endgame is more than that by itself.
const WORK_PER_LOOK: u64 = 256;

/// What tells the time: the system, or a test.
pub trait TimeSource: Copy {
    /// Wall time since a moment that stays the same; never goes back.
    #[must_use]
    fn wall(self) -> Duration;

    /// CPU time that this process has used since it began; zero where the system can't tell.
    #[must_use]
    fn cpu(self) -> Duration;
}

/// The system's time.
#[derive(Clone, Copy, Debug)]
pub struct SystemTime {
    origin: Instant,
}

impl Default for SystemTime {
    fn default() -> SystemTime {
        SystemTime {
            origin: Instant::now(),
        }
    }
}

impl TimeSource for SystemTime {
    fn wall(self) -> Duration {
        self.origin.elapsed()
    }

    #[cfg(target_os = "linux")]
    fn cpu(self) -> Duration {
        // The standard library has no CPU clock. C's `clock` takes nothing and returns a number, on Linux of
        // microseconds, so declaring it is all that is unsafe about it. Other systems have other units.
        #[allow(unsafe_code)]
        unsafe extern "C" {
            safe fn clock() -> std::ffi::c_long;
        }
        Duration::from_micros(u64::try_from(clock()).unwrap_or(0))
    }

    #[cfg(not(target_os = "linux"))]
    fn cpu(self) -> Duration {
        Duration::ZERO
    }
}

/// The clock of one turn.
#[derive(Clone, Copy, Debug)]
pub struct Clock<T> {
    time: T,
    /// Wall time at the start of the turn.
    started: Duration,
    /// CPU time used for this turn before the start.
    used_before: Duration,
    budget: Duration,
    /// Work that is done before the next look.
    next_look: u64,
}

impl<T: TimeSource> Clock<T> {
    /// Starts a turn's clock now.
    ///
    /// `cpu_before` is the process's CPU time that other turns account for: zero on the first turn,
    /// so that the start of the process counts, later its reading when the last answer went out.
    #[must_use]
    pub fn start(time: T, budget: Duration, cpu_before: Duration) -> Clock<T> {
        Clock {
            time,
            started: time.wall(),
            used_before: time.cpu().saturating_sub(cpu_before),
            budget,
            next_look: 1,
        }
    }

    /// Changes the budget, counted from the same start.
    #[must_use]
    pub fn with_budget(self, budget: Duration) -> Clock<T> {
        Clock { budget, ..self }
    }

    /// Time that the turn has taken so far, no less than its wall time and its CPU time.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let since_start = self.time.wall().saturating_sub(self.started);
        self.used_before.saturating_add(since_start)
    }

    /// Tests if there is time for another iteration after so much work; looks at the clock after the first one
    /// and then whenever enough was done since. There is always time for the first one.
    #[must_use]
    pub fn allows(&mut self, work: u64) -> bool {
        if work < self.next_look {
            return true;
        }
        self.next_look = work.saturating_add(WORK_PER_LOOK);
        self.elapsed() < self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::ITERATION_WORK;
    use std::cell::Cell;

    const MS: Duration = Duration::from_millis(1);

    /// A time that stands still until it is set, and counts how often the wall clock is looked at.
    #[derive(Default)]
    struct Settable {
        wall: Cell<Duration>,
        cpu: Cell<Duration>,
        looks: Cell<u32>,
    }

    impl Settable {
        fn at(wall: Duration, cpu: Duration) -> Settable {
            Settable {
                wall: Cell::new(wall),
                cpu: Cell::new(cpu),
                looks: Cell::new(0),
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

    /// Tests if a clock that was not asked before allows a second iteration.
    fn allows(clock: &Clock<&Settable>) -> bool {
        let mut clock = *clock;
        clock.allows(ITERATION_WORK)
    }

    #[test]
    fn a_budget_lasts_until_it_has_gone_by_on_the_wall_clock() {
        let time = Settable::at(5000 * MS, Duration::ZERO);
        let clock = Clock::start(&time, 930 * MS, Duration::ZERO);
        for (wall, allowed) in [(5000, true), (5929, true), (5930, false), (9000, false)] {
            time.wall.set(wall * MS);
            assert_eq!(allows(&clock), allowed, "at {wall} ms");
            assert_eq!(clock.elapsed(), (wall - 5000) * MS);
        }
    }

    #[test]
    fn another_budget_counts_from_the_same_start() {
        let time = Settable::default();
        let clock = Clock::start(&time, 930 * MS, Duration::ZERO);
        time.wall.set(1000 * MS);
        let longer = clock.with_budget(1880 * MS);
        assert!(!allows(&clock) && allows(&longer));
        time.wall.set(1880 * MS);
        assert!(!allows(&longer));
    }

    #[test]
    fn cpu_time_used_before_the_turn_counts_unless_a_turn_has_accounted_for_it() {
        for (cpu_before, used) in [(0, 300), (100, 200), (300, 0), (400, 0)] {
            let time = Settable::at(Duration::ZERO, 300 * MS);
            let clock = Clock::start(&time, 930 * MS, cpu_before * MS);
            assert_eq!(clock.elapsed(), used * MS);
            time.wall.set((929 - used) * MS);
            assert!(allows(&clock));
            time.wall.set((930 - used) * MS);
            assert!(!allows(&clock));
        }
    }

    /// One thread uses at most as much CPU time as wall time goes by.
    #[test]
    fn a_turn_takes_no_less_than_its_wall_time_and_its_cpu_time() {
        for (before, wall, cpu) in [(0, 50, 50), (0, 50, 1), (30, 50, 50), (30, 50, 0)] {
            let time = Settable::at(7 * MS, before * MS);
            let clock = Clock::start(&time, MS, Duration::ZERO);
            time.wall.set((7 + wall) * MS);
            time.cpu.set((before + cpu) * MS);
            assert!(clock.elapsed() >= wall * MS);
            assert!(clock.elapsed() >= (before + cpu) * MS);
        }
    }

    #[test]
    fn without_a_budget_there_is_time_for_the_first_iteration_alone() {
        let time = Settable::at(MS, 10 * MS);
        let mut clock = Clock::start(&time, Duration::ZERO, Duration::ZERO);
        assert!(clock.allows(0));
        assert!(!clock.allows(ITERATION_WORK));
    }

    /// The numbers of the steps, each of some work, before which a clock looks at the time.
    fn looks(works: impl IntoIterator<Item = u64>) -> Vec<usize> {
        let time = Settable::default();
        let mut clock = Clock::start(&time, MS, Duration::ZERO);
        let (mut done, mut looks) = (0, Vec::new());
        for (step, work) in works.into_iter().enumerate() {
            time.looks.set(0);
            assert!(clock.allows(done));
            looks.extend((time.looks.get() > 0).then_some(step));
            done += work;
        }
        looks
    }

    #[test]
    fn the_clock_is_looked_at_after_the_first_iteration_and_every_eight_of_them() {
        assert_eq!(looks([ITERATION_WORK; 30]), [1, 9, 17, 25]);
    }

    #[test]
    fn a_large_endgame_is_followed_by_a_look() {
        let mut works = [ITERATION_WORK; 30];
        (works[10], works[11], works[12]) = (9_000, 9_000, WORK_PER_LOOK - 1);
        assert_eq!(looks(works), [1, 9, 11, 12, 14, 22]);
    }

    #[test]
    fn huge_times_neither_overflow_nor_end() {
        let time = Settable::at(MS, Duration::MAX);
        let clock = Clock::start(&time, Duration::MAX, Duration::MAX);
        time.wall.set(Duration::MAX - MS);
        assert!(allows(&clock));
        let clock = Clock::start(&time, Duration::MAX, Duration::ZERO);
        time.wall.set(Duration::MAX);
        assert_eq!(clock.elapsed(), Duration::MAX);
        // A source that goes back, which it must not, is no reason to panic.
        time.wall.set(Duration::ZERO);
        assert!(clock.elapsed() >= Duration::ZERO);
    }

    #[test]
    fn the_system_has_a_wall_clock_and_a_cpu_clock_that_go_on() {
        let time = SystemTime::default();
        let (wall, cpu) = (time.wall(), time.cpu());
        while time.wall() == wall || (cfg!(target_os = "linux") && time.cpu() == cpu) {}
        assert!(time.wall() > wall && time.cpu() >= cpu);
    }
}
