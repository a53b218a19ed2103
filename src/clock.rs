//! The time of a turn: what the platform allows and what is left of it.
//!
//! It is not known whether Botzone limits wall time or CPU time, so the larger of the two counts.

use std::time::{Duration, Instant};

/// Iterations between two looks at the clock, a fraction of a millisecond together.
const ITERATIONS_PER_LOOK: u64 = 64;

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
    cpu_before: Duration,
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
            cpu_before,
            budget,
        }
    }

    /// Changes the budget, counted from the same start.
    #[must_use]
    pub const fn with_budget(self, budget: Duration) -> Clock {
        Clock { budget, ..self }
    }

    /// Time that the turn has taken so far: the larger of wall and CPU time.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started
            .elapsed()
            .max(cpu_time().saturating_sub(self.cpu_before))
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
