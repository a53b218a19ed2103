//! [`Budget`], the limit of the search in one turn: a time or a number of iterations.

use crate::clock::{Clock, ClockGaps, TimeSource};
use crate::mcts::{Progress, Search};
use std::time::Duration;

/// Minimum amount of search work between two readings of the clock, in units of [`Progress::work`]. Outside endgames,
/// one iteration counts 32 units, so that the clock is read after every eighth iteration.
const WORK_PER_CLOCK_READING: u64 = 256;

/// Limit on the search in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Maximum time, counted from the start of the clock that is passed to [`Budget::spend`].
    Time(Duration),
    /// Maximum number of iterations; the time is not limited.
    Iterations(u64),
}

impl Budget {
    /// Runs `search` until this limit is reached, until the winner is proven, or until `is_cancelled` returns true.
    /// `is_cancelled` is called before every iteration. With a time limit, at least one iteration is run even if no
    /// time is left, unless the search is cancelled.
    ///
    /// Returns the times between the clock readings. If the limit is a number of iterations, the clock is not read, and
    /// all of them are zero.
    pub fn spend<T: TimeSource>(
        self,
        search: &mut Search,
        clock: &Clock<T>,
        is_cancelled: impl Fn() -> bool,
    ) -> ClockGaps {
        let mut gaps = ClockGaps::NONE;
        // Amount of work at which the clock is read next. The initial value 1 makes the first reading come after the
        // first iteration.
        let mut next_reading = 1;
        let mut may_continue = |done: Progress| match self {
            Budget::Iterations(most) => done.iterations < most,
            Budget::Time(_) if done.work < next_reading => true,
            Budget::Time(time) => {
                next_reading = done.work.saturating_add(WORK_PER_CLOCK_READING);
                let elapsed = clock.elapsed();
                gaps.record(elapsed);
                elapsed < time
            }
        };
        search.run_while(|done| !is_cancelled() && may_continue(done));
        gaps
    }
}
