//! The time of a turn: what the platform allows and what is left of it.
//!
//! It is not known whether Botzone limits wall time or CPU time, so both have to stay within. The bot has one
//! thread: from the start of a turn on it can't use more CPU time than wall time goes by. So what counts is
//! the wall time, and the CPU time that was used before: by neither measure does a turn take longer.

use std::time::{Duration, Instant};

/// Iterations between two looks at the clock: a few microseconds as a rule, a few milliseconds where each of
/// them counts a large endgame.
const ITERATIONS_PER_LOOK: u64 = 8;

/// CPU time that this process has used since it began; zero where the system can't tell.
#[cfg(unix)]
#[must_use]
pub fn cpu_time() -> Duration {
    // The standard library has no CPU clock. C's `clock` takes nothing, returns a number, and POSIX
    // fixes its unit, so declaring it is all that is unsafe about it.
    #[allow(unsafe_code)]
    unsafe extern "C" {
        safe fn clock() -> std::ffi::c_long;
    }
    Duration::from_micros(u64::try_from(clock()).unwrap_or(0))
}

/// CPU time that this process has used since it began; zero where the system can't tell.
#[cfg(not(unix))]
#[must_use]
pub fn cpu_time() -> Duration {
    Duration::ZERO
}

/// The clock of one turn.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    /// CPU time used for this turn before the start.
    used_before: Duration,
    budget: Duration,
}

impl Clock {
    /// Starts a turn's clock now.
    ///
    /// `cpu_before` is the process's CPU time that other turns account for: zero on the first turn,
    /// so that the start of the process counts, later its reading when the last answer went out.
    #[must_use]
    pub fn start(budget: Duration, cpu_before: Duration) -> Clock {
        Clock {
            started: Instant::now(),
            used_before: cpu_time().saturating_sub(cpu_before),
            budget,
        }
    }

    /// Changes the budget, counted from the same start.
    #[must_use]
    pub const fn with_budget(self, budget: Duration) -> Clock {
        Clock { budget, ..self }
    }

    /// Time that the turn has taken so far, no less than its wall time and its CPU time.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.used_before + self.started.elapsed()
    }

    /// Tests if there is time for another iteration after so many; looks at the clock now and then.
    /// There is always time for the first one.
    #[must_use]
    pub fn allows(&self, iterations: u64) -> bool {
        iterations == 0
            || !iterations.is_multiple_of(ITERATIONS_PER_LOOK)
            || self.elapsed() < self.budget
    }
}
