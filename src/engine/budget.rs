//! Limits on the search for one turn: a time or a number of iterations.

use crate::clock::{Clock, Gaps, TimeSource};
use crate::mcts::{Progress, Search};
use std::time::Duration;

/// Work between two readings of the clock, in units of about 45 ns: usually eight iterations. Counting the moves of one
/// large endgame can exceed it.
const WORK_PER_LOOK: u64 = 256;

/// Limit on the search for one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Time limit, measured from the start of the turn's clock.
    Time(Duration),
    /// Number of iterations, however long they take.
    Iterations(u64),
}

impl Budget {
    /// Searches until the budget is spent, the winner is proven, or `broken_off` returns true. `broken_off` is called
    /// before every iteration. A time budget always allows at least one iteration.
    ///
    /// Returns the gaps between clock readings.
    pub fn spend<T: TimeSource>(
        self,
        search: &mut Search,
        clock: &Clock<T>,
        broken_off: impl Fn() -> bool,
    ) -> Gaps {
        let mut gaps = Gaps::NONE;
        // Amount of work at which the clock is read next: after the first iteration, then every `WORK_PER_LOOK`.
        let mut next_look = 1;
        let mut goes_on = |done: Progress| match self {
            Budget::Iterations(most) => done.iterations < most,
            Budget::Time(_) if done.work < next_look => true,
            Budget::Time(time) => {
                next_look = done.work.saturating_add(WORK_PER_LOOK);
                let elapsed = clock.elapsed();
                gaps.look(elapsed);
                elapsed < time
            }
        };
        search.run_while(|done| !broken_off() && goes_on(done));
        gaps
    }
}
