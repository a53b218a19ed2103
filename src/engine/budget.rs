//! [`Budget`], the limit of the search in one turn: a time or a number of iterations.

use crate::clock::{Clock, ClockGaps, TimeSource};
use crate::mcts::{Progress, Search};
use std::time::Duration;

/// Minimum amount of search work between two readings of the clock, in the unit of [`Progress::work`]. One search
/// iteration is 32 units, so that the clock is read after every eighth iteration. In endgames, the search also counts
/// the moves that the players have left. This work is added, so that the clock is read after fewer iterations.
const WORK_PER_CLOCK_READING: u64 = 256;

/// Limit on the search in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Time at which the search stops. It is counted from the start of the clock that is passed to [`Budget::spend`],
    /// thus includes the time that the bot has spent in this turn before the search.
    Time(Duration),
    /// Maximum number of iterations; the time is not limited.
    Iterations(u64),
}

impl Budget {
    /// Runs iterations of `search` until this limit is reached, until the winner is proven, or until `is_cancelled`
    /// returns true. `is_cancelled` is called before every iteration. Unless the search is cancelled, a time limit
    /// allows at least one iteration, even if no time is left.
    ///
    /// Returns the time of the last reading of the clock, and the longest gap between two readings. A long gap shows
    /// that the process was suspended. Both times are zero if the limit is a number of iterations, because the clock is
    /// then not read.
    pub fn spend<T: TimeSource>(
        self,
        search: &mut Search,
        clock: &Clock<T>,
        is_cancelled: impl Fn() -> bool,
    ) -> ClockGaps {
        let mut gaps = ClockGaps::NONE;
        let mut may_continue = self.condition(clock, &mut gaps);
        search.run_while(|done| !is_cancelled() && may_continue(done));
        drop(may_continue);
        gaps
    }

    /// Returns the condition under which the next iteration may be run: a function of the progress so far. It writes
    /// its readings of `clock` to `gaps`.
    pub fn condition<T: TimeSource>(
        self,
        clock: &Clock<T>,
        gaps: &mut ClockGaps,
    ) -> impl FnMut(Progress) -> bool {
        // Amount of search work after which the clock is read next, in the unit of `Progress::work`. The first value,
        // 1, is exceeded after the first iteration. Each reading adds `WORK_PER_CLOCK_READING` to the work done by
        // then.
        let mut next_reading = 1;
        move |done: Progress| match self {
            Budget::Iterations(most) => done.iterations < most,
            Budget::Time(_) if done.work < next_reading => true,
            Budget::Time(time) => {
                next_reading = done.work.saturating_add(WORK_PER_CLOCK_READING);
                let elapsed = clock.elapsed();
                gaps.record(elapsed);
                elapsed < time
            }
        }
    }
}
