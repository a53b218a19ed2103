//! The budget of a search for a turn: a time or a number of iterations.

use crate::clock::{Clock, Gaps, TimeSource};
use crate::mcts::{Progress, Search};
use std::time::Duration;

/// Work of a search between two looks at the clock, in units of about 45 ns: usually eight iterations. Counting one
/// large endgame can exceed it.
const WORK_PER_LOOK: u64 = 256;

/// The budget of a search for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Time from the start of the turn's clock.
    Time(Duration),
    /// Number of iterations, however long they take.
    Iterations(u64),
}

impl Budget {
    /// Searches until the budget is spent, the winner is certain, or `broken_off` returns true; it is asked before
    /// every iteration. There is always time for the first iteration.
    ///
    /// Returns the gaps between the looks at the clock.
    pub fn spend<T: TimeSource>(
        self,
        search: &mut Search,
        clock: &Clock<T>,
        broken_off: impl Fn() -> bool,
    ) -> Gaps {
        let mut meter = Meter::new(self, clock);
        search.run_while(|done| !broken_off() && meter.allows(done));
        meter.gaps
    }
}

/// Tells when a search has used up its budget.
struct Meter<'a, T> {
    budget: Budget,
    clock: &'a Clock<T>,
    /// Amount of work at which the clock is read next.
    next_look: u64,
    gaps: Gaps,
}

impl<T: TimeSource> Meter<'_, T> {
    const fn new(budget: Budget, clock: &Clock<T>) -> Meter<'_, T> {
        Meter {
            budget,
            clock,
            next_look: 1,
            gaps: Gaps::NONE,
        }
    }

    /// Tests if another iteration fits in. The clock is read after the first iteration, then after every
    /// `WORK_PER_LOOK` units of work.
    fn allows(&mut self, done: Progress) -> bool {
        let time = match self.budget {
            Budget::Iterations(most) => return done.iterations < most,
            Budget::Time(time) => time,
        };
        if done.work < self.next_look {
            return true;
        }
        self.next_look = done.work.saturating_add(WORK_PER_LOOK);
        let elapsed = self.clock.elapsed();
        self.gaps.look(elapsed);
        elapsed < time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::clock::tests::{MS, Settable};
    use crate::mcts::{ITERATION_WORK, Params};
    use std::cell::Cell;

    const fn done(work: u64) -> Progress {
        Progress {
            iterations: work / ITERATION_WORK,
            work,
        }
    }

    /// Tests if a budget of which nothing was asked before has room for a second iteration.
    fn has_room(budget: Duration, clock: &Clock<&Settable>) -> bool {
        Meter::new(Budget::Time(budget), clock).allows(done(ITERATION_WORK))
    }

    #[test]
    fn time_lasts_until_it_has_gone_by_since_the_start_of_the_clock() {
        let time = Settable::default();
        time.wall.set(5000 * MS);
        let clock = Clock::start(&time, Duration::ZERO);
        let mut without_time = Meter::new(Budget::Time(Duration::ZERO), &clock);
        assert!(without_time.allows(done(0)), "the first iteration");
        for (wall, expected) in [
            (5000, [false, true, true]),
            (5959, [false, true, true]),
            (5960, [false, false, true]),
            (6939, [false, false, true]),
            (6940, [false, false, false]),
        ] {
            time.wall.set(wall * MS);
            let found = [0, 960, 1940].map(|budget| has_room(budget * MS, &clock));
            assert_eq!(found, expected, "at {wall} ms");
        }
    }

    /// The numbers of the steps, each of some work, before which the clock is looked at.
    fn looks(budget: Budget, works: impl IntoIterator<Item = u64>) -> Vec<usize> {
        let time = Settable::default();
        let clock = Clock::start(&time, Duration::ZERO);
        let mut meter = Meter::new(budget, &clock);
        let (mut work, mut looks) = (0, Vec::new());
        for (step, more) in works.into_iter().enumerate() {
            time.looks.set(0);
            assert!(meter.allows(done(work)));
            looks.extend((time.looks.get() > 0).then_some(step));
            work += more;
        }
        looks
    }

    #[test]
    fn the_clock_is_looked_at_after_the_first_iteration_then_every_eight_of_them_or_a_large_endgame()
     {
        let works = [ITERATION_WORK; 30];
        let mut endgame = works;
        (endgame[10], endgame[11], endgame[12]) = (9_000, 9_000, WORK_PER_LOOK - 1);
        for (budget, works, expected) in [
            (Budget::Time(MS), works, &[1, 9, 17, 25][..]),
            (Budget::Time(MS), endgame, &[1, 9, 11, 12, 14, 22]),
            (Budget::Iterations(30), works, &[]),
        ] {
            assert_eq!(looks(budget, works), expected);
        }
    }

    #[test]
    fn a_search_spends_its_iterations_unless_it_is_broken_off() {
        let time = Settable::default();
        let clock = Clock::start(&time, Duration::ZERO);
        for (budget, broken_off_after, expected) in [(7, 100, 7), (7, 3, 3), (7, 0, 0)] {
            let mut search = Search::new(Board::start(), 1 << 20, 1, Params::default());
            let asked = Cell::new(0);
            let broken_off = || asked.replace(asked.get() + 1) == broken_off_after;
            Budget::Iterations(budget).spend(&mut search, &clock, broken_off);
            assert_eq!(search.report().iterations, expected);
        }
    }
}
