//! The engines of all matches: one each. They share the cores, and may use the opponent's time while one runs alone.

use crate::board::Board;
use crate::tools::platform::address::Id;
use crate::tools::player::spec::EngineSpec;
use crate::tools::thinking::mind::{Mind, Thought};
use crate::tools::thinking::root_parallel::Means;
use crate::tools::thinking::worker::Worker;
use std::collections::BTreeMap;
use std::io;

/// How many threads a search has.
#[derive(Clone, Copy, Debug)]
pub enum Threads {
    /// So many, however many matches there are.
    Each(usize),
    /// So many for all matches at a time, which are at least so many.
    Shared {
        /// For all matches.
        all: usize,
        /// Matches that a share is reserved for.
        matches: usize,
    },
}

impl Threads {
    /// The threads of each of so many matches.
    fn of_each(self, matches: usize) -> usize {
        match self {
            Threads::Each(count) => count,
            Threads::Shared {
                all,
                matches: least,
            } => (all / matches.max(least).max(1)).max(1),
        }
    }
}

/// The engines.
pub struct Engines {
    spec: EngineSpec,
    threads: Threads,
    ponder: bool,
    /// Each with its number of threads.
    workers: BTreeMap<Id, (usize, Worker)>,
}

impl Engines {
    /// No match yet.
    #[must_use]
    pub fn new(spec: EngineSpec, threads: Threads, ponder: bool) -> Engines {
        Engines {
            spec,
            threads,
            ponder,
            workers: BTreeMap::new(),
        }
    }

    /// Lets the engine of a match think about a board; a thought under way there is broken off. An engine whose share of
    /// the cores has changed begins anew.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn ask(
        &mut self,
        id: Id,
        board: &Board,
        report: impl FnOnce(Thought) + Send + 'static,
    ) -> io::Result<()> {
        let others = self.workers.keys().filter(|&&other| other != id).count();
        let threads = self.threads.of_each(others + 1);
        let is_as_wanted = |(count, _): &(usize, Worker)| *count == threads;
        if !self.workers.get(&id).is_some_and(is_as_wanted) {
            let seed = self.spec.means.seed ^ others as u64;
            let means = Means {
                threads,
                seed,
                ..self.spec.means.clone()
            };
            let worker = Worker::start(Mind::new(means))?;
            self.workers.insert(id, (threads, worker));
            self.allow_pondering();
        }
        self.workers[&id].1.ask(board, self.spec.strength, report);
        Ok(())
    }

    /// Ends the engine of a match.
    pub fn end(&mut self, id: Id) {
        self.workers.remove(&id);
        self.allow_pondering();
    }

    /// Ends all engines.
    pub fn end_all(&mut self) {
        self.workers.clear();
    }

    /// Lets a single match use the opponent's time. Several share the processor between their turns.
    fn allow_pondering(&self) {
        let is_alone = self.workers.len() == 1;
        for (_, worker) in self.workers.values() {
            worker.let_ponder(self.ponder && is_alone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::tools::thinking::level::Strength;

    #[test]
    fn matches_at_a_time_share_the_threads() {
        let spec = EngineSpec {
            strength: Strength::Budget(Budget::Iterations(1)),
            means: Means::new(1 << 20, 1, 1),
            files: Vec::new(),
        };
        let shared = Threads::Shared { all: 4, matches: 1 };
        let mut engines = Engines::new(spec, shared, false);
        let ids = [1, 2].map(|n| format!("{n:024x}").parse().expect("an id"));
        let ask = |engines: &mut Engines, at: usize| {
            engines
                .ask(ids[at], &Board::start(), drop)
                .expect("threads");
            let of = |id| engines.workers.get(id).map_or(0, |(count, _)| *count);
            [of(&ids[0]), of(&ids[1])]
        };
        assert_eq!(ask(&mut engines, 0), [4, 0]);
        assert_eq!(ask(&mut engines, 1), [4, 2]);
        assert_eq!(ask(&mut engines, 0), [2, 2]);
        engines.end(ids[1]);
        assert_eq!(ask(&mut engines, 0), [4, 0]);
        let reserved = Threads::Shared { all: 8, matches: 3 };
        assert_eq!(
            [1, 3, 4, 9].map(|count| reserved.of_each(count)),
            [2, 2, 2, 1]
        );
        assert_eq!(Threads::Each(3).of_each(9), 3);
    }
}
