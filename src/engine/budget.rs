//! [`Budget`], the limit of the search in one turn: a time or a number of iterations.

use crate::clock::{Clock, ClockGaps, TimeSource};
use crate::mcts::{Progress, Search};
use std::time::Duration;

/// Minimum work of the search between two readings of the clock, in units of [`Progress::work`]. An iteration outside
/// endgames counts 32 units and takes 1.4 µs, so that the clock is read after every eighth iteration.
const WORK_PER_CLOCK_READING: u64 = 256;

/// Limit on the search in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Maximum time, measured by the clock that [`Budget::spend`] receives, from the start of this clock.
    Time(Duration),
    /// Maximum number of iterations; the time is not limited.
    Iterations(u64),
}

impl Budget {
    /// Runs `search` until it reaches this limit, the winner is proven, or `is_cancelled` returns true. `is_cancelled`
    /// is called before every iteration. Unless it cancels the search, a time limit allows at least one iteration, even
    /// if the time is already over.
    ///
    /// Returns the gaps between the clock readings; all zero if the limit is a number of iterations.
    pub fn spend<T: TimeSource>(
        self,
        search: &mut Search,
        clock: &Clock<T>,
        is_cancelled: impl Fn() -> bool,
    ) -> ClockGaps {
        let mut gaps = ClockGaps::NONE;
        // Amount of work after which the clock is read next: 1 unit, so that the clock is read after the first
        // iteration.
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
