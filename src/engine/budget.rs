//! Limits on the search for one turn: a time or a number of iterations.

use crate::clock::{Clock, ClockGaps, TimeSource};
use crate::mcts::{Progress, Search};
use std::time::Duration;

/// Work between two readings of the clock, in units of about 45 ns: usually eight iterations. Counting the moves of one
/// large endgame can exceed it.
const WORK_PER_CLOCK_READING: u64 = 256;

/// Limit on the search for one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Time limit, measured from the start of the turn's clock.
    Time(Duration),
    /// Number of iterations, however long they take.
    Iterations(u64),
}

impl Budget {
    /// Searches until the budget is spent, the winner is proven, or `is_cancelled` returns true. `is_cancelled` is
    /// called before every iteration. A time budget always allows at least one iteration.
    ///
    /// Returns the gaps between clock readings.
    pub fn spend<T: TimeSource>(
        self,
        search: &mut Search,
        clock: &Clock<T>,
        is_cancelled: impl Fn() -> bool,
    ) -> ClockGaps {
        let mut gaps = ClockGaps::NONE;
        // Amount of work at which the clock is read next: after the first iteration, then every
        // `WORK_PER_CLOCK_READING`.
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
