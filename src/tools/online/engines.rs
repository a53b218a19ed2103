//! The engines of all matches: one each. They share the cores, and may use the opponent's time while one runs alone.

use crate::board::Board;
use crate::tools::platform::address::Id;
use crate::tools::thinking::level::Strength;
use crate::tools::thinking::mind::{Mind, Thought};
use crate::tools::thinking::root_parallel::Means;
use crate::tools::thinking::worker::Worker;
use std::collections::BTreeMap;
use std::io;

/// The engines.
pub struct Engines {
    /// How long each thinks.
    pub strength: Strength,
    /// What each has to think with.
    pub means: Means,
    /// Matches at a time that share the threads, though there may be fewer of them; without a number each has them all.
    pub shared_by: Option<usize>,
    /// Whether a match that runs alone uses the opponent's time, too.
    pub ponder: bool,
    /// Each with its number of threads.
    pub workers: BTreeMap<Id, (usize, Worker)>,
}

impl Engines {
    /// The threads of each of so many matches.
    fn threads(&self, matches: usize) -> usize {
        let all = self.means.threads;
        self.shared_by
            .map_or(all, |least| (all / matches.max(least).max(1)).max(1))
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
        let threads = self.threads(others + 1);
        let is_as_wanted = |(count, _): &(usize, Worker)| *count == threads;
        if !self.workers.get(&id).is_some_and(is_as_wanted) {
            let seed = self.means.seed ^ others as u64;
            let means = Means {
                threads,
                seed,
                ..self.means.clone()
            };
            let worker = Worker::start(Mind::new(means))?;
            self.workers.insert(id, (threads, worker));
            self.allow_pondering();
        }
        self.workers[&id].1.ask(board, self.strength, report);
        Ok(())
    }

    /// Ends the engine of a match.
    pub fn end(&mut self, id: Id) {
        self.workers.remove(&id);
        self.allow_pondering();
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

    #[test]
    fn matches_at_a_time_share_the_threads() {
        let engines = |threads, shared_by| Engines {
            strength: Strength::Budget(Budget::Iterations(1)),
            means: Means::new(1 << 20, threads, 1),
            shared_by,
            ponder: false,
            workers: BTreeMap::new(),
        };
        let reserved = engines(8, Some(3));
        let shares = [1, 3, 4, 9].map(|count| reserved.threads(count));
        assert_eq!(shares, [2, 2, 2, 1]);
        assert_eq!(engines(3, None).threads(9), 3);
        let mut engines = engines(4, Some(1));
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
    }
}
