//! Search budget of one turn: a time limit or a number of iterations.

use crate::clock::{Clock, ClockGaps, TimeSource};
use crate::mcts::{Progress, Search};
use std::time::Duration;

/// Minimum work between two readings of the clock, in units of [`Progress::work`] (about 45 ns): usually that of eight
/// iterations. A single iteration that counts the moves of a large endgame may take more.
const WORK_PER_CLOCK_READING: u64 = 256;

/// Limit on the search in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Time limit, measured from the start of the clock of the turn.
    Time(Duration),
    /// Maximum number of iterations, regardless of time.
    Iterations(u64),
}

impl Budget {
    /// Runs `search` until the budget is spent, the winner is proven, or `is_cancelled` returns true. `is_cancelled` is
    /// called before every iteration. A time budget allows at least one iteration, unless `is_cancelled` returns true.
    ///
    /// Returns the gaps between the clock readings, all zero if the budget is a number of iterations.
    pub fn spend<T: TimeSource>(
        self,
        search: &mut Search,
        clock: &Clock<T>,
        is_cancelled: impl Fn() -> bool,
    ) -> ClockGaps {
        let mut gaps = ClockGaps::NONE;
        // Work at which the clock is read next: after the first iteration, and then every `WORK_PER_CLOCK_READING`
        // units.
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
