//! Multi-threaded search: each thread grows a tree of its own, and [`RootParallel`] merges the results.
//!
//! This is root parallelisation (Chaslot, Winands & van den Herik 2008). The threads search the same position
//! independently, with different exploration factors, so that they do not all make the same mistakes. For each move, the
//! visits of all threads are added up, and the mean values are averaged, weighted by visits. A proof by one thread
//! counts for all threads. With one thread, the search gives exactly the results of the bot's single-threaded search.

mod merged;
mod turn;

pub use merged::SearchedTurn;
pub use turn::ChosenMove;

use engine::board::{Board, Move, squares};
use engine::budget::Budget;
use engine::clock::Clock;
use engine::eval::Networks;
use engine::inspect::Tree;
use engine::mcts::{Params, Search};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Maximum time between two checks whether the search is to be aborted, while the first thread has finished and waits
/// for the other threads.
const ABORT_POLL: Duration = Duration::from_millis(10);

/// Number of iterations after which [`RootParallel::search_for`] reads the clock again. The clock is not read in each
/// iteration, because reading it takes time.
const ITERATIONS_PER_CLOCK_READ: u64 = 16;

/// Factors by which threads multiply the exploration parameters of the search, so that the threads explore different
/// moves. Thread n (from 0) uses the element with index n modulo 8.
const EXPLORATION_FACTORS: [f32; 8] = [1.0, 1.2, 0.85, 1.4, 0.7, 1.1, 0.92, 1.3];

/// Resources, parameters and networks of a search.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// Maximum memory of all threads' search trees together, in bytes.
    pub memory: usize,
    /// Number of threads, each with a tree of its own; 0 counts as 1.
    pub threads: usize,
    /// Seed of the random number generators. Thread n (counted from 0) uses this seed plus n.
    pub seed: u64,
    /// Tunable parameters of the search. Two of them, `explore_amazon` and `explore_arrow`, are multiplied by a factor
    /// that differs between threads; the factor of the first thread is 1.
    pub params: Params,
    /// Value network and policy network that all threads use.
    pub networks: Networks,
}

impl SearchSettings {
    /// Creates settings with the search parameters and networks of the bot as submitted to Botzone.
    ///
    /// - `memory`: maximum size of all search trees together, in bytes.
    /// - `threads`: number of threads; 0 counts as 1.
    /// - `seed`: seed of the random number generators.
    #[must_use]
    pub fn new(memory: usize, threads: usize, seed: u64) -> SearchSettings {
        SearchSettings {
            memory,
            threads,
            seed,
            params: Params::default(),
            networks: Networks::default(),
        }
    }
}

/// A search by one or more threads, each with a search tree of its own; their results are merged.
pub struct RootParallel {
    /// One search per thread; there is at least one. Each thread multiplies the exploration parameters of `settings` by
    /// its element of [`EXPLORATION_FACTORS`], so that the threads explore different moves. The factor of the first
    /// thread is 1.
    searches: Vec<Search>,
    /// Memory, number of threads, seed, parameters and networks of this search.
    pub settings: SearchSettings,
    /// True if the move that [`RootParallel::choose_move`] returned last was also played in the search trees. Only then
    /// can the next call of `choose_move` continue with these trees.
    has_played: bool,
    /// Number of iterations by [`RootParallel::search_for`] since the last call of [`RootParallel::set_board`], summed
    /// over all threads and all calls.
    pub iterations: u64,
    /// Length in plies of the longest sequence of moves that [`RootParallel::search_for`] examined since the last call
    /// of [`RootParallel::set_board`].
    pub depth: usize,
}

impl RootParallel {
    /// Creates a search of `board` with empty search trees. The memory of `settings` is divided equally among the
    /// threads.
    #[must_use]
    pub fn new(board: &Board, settings: &SearchSettings) -> RootParallel {
        let (threads, params) = (settings.threads.max(1), settings.params);
        let member = |number: usize| {
            let memory = settings.memory / threads;
            let times = EXPLORATION_FACTORS[number % EXPLORATION_FACTORS.len()];
            let seed = settings.seed.wrapping_add(number as u64);
            let params = Params {
                explore_amazon: params.explore_amazon * times,
                explore_arrow: params.explore_arrow * times,
                ..params
            };
            let search = Search::new(board.clone(), memory, seed, params);
            search.with_networks(settings.networks.clone())
        };
        RootParallel {
            searches: (0..threads).map(member).collect(),
            settings: settings.clone(),
            has_played: false,
            iterations: 0,
            depth: 0,
        }
    }

    /// Returns the position at the root of the search trees.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.first_search().board()
    }

    /// Returns the search of the first thread, which uses the exploration parameters of the settings unchanged; the
    /// other threads multiply them by factors.
    #[must_use]
    pub fn first_search(&self) -> &Search {
        &self.searches[0]
    }

    /// Returns the number of bytes that the search trees of all threads together occupy at present.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        let trees = self.searches.iter().map(Search::tree);
        trees.map(Tree::bytes_in_use).sum()
    }

    /// Searches until `budget` is spent or `is_aborted` returns true. Stops earlier if the winner is proven; for
    /// several threads, this depends on `budget`:
    ///
    /// - Time: each thread may use all of it. All threads stop as soon as one of them has proven the winner.
    /// - Number of iterations: it is divided among the threads. A thread stops early only if it has proven the winner
    ///   itself.
    pub fn search(&mut self, budget: Budget, is_aborted: impl Fn() -> bool) {
        let clock = Clock::wall_only();
        let threads = self.searches.len();
        let is_over = AtomicBool::new(false);
        let search = |number: usize, member: &mut Search, is_aborted: &dyn Fn() -> bool| {
            let should_stop = || is_over.load(Ordering::Relaxed) || is_aborted();
            let own_budget = thread_budget(budget, number, threads);
            own_budget.spend(member, &clock, should_stop);
            if matches!(budget, Budget::Time(_)) && is_proven(member) {
                is_over.store(true, Ordering::Relaxed);
            }
        };
        let (first, others) = self.searches.split_at_mut(1);
        if others.is_empty() {
            return search(0, &mut first[0], &is_aborted);
        }
        thread::scope(|scope| {
            // This channel carries no messages; it tells when the other threads have finished. Each of them drops its
            // sender at its end. When the last sender is dropped, the channel is closed, and `recv_timeout` returns at
            // once.
            let (working, finished) = mpsc::channel::<()>();
            for (number, member) in (1..).zip(others) {
                let working = working.clone();
                scope.spawn(move || {
                    search(number, member, &|| false);
                    drop(working);
                });
            }
            drop(working);
            search(0, &mut first[0], &is_aborted);
            // Only the first thread calls `is_aborted`, because this function need not be thread-safe. If it returns
            // true, the flag `is_over` tells the other threads to stop.
            is_over.fetch_or(is_aborted(), Ordering::Relaxed);
            while finished.recv_timeout(ABORT_POLL) == Err(RecvTimeoutError::Timeout) {
                is_over.fetch_or(is_aborted(), Ordering::Relaxed);
            }
        });
    }

    /// Plays the move `turn` in all search trees, and keeps only the subtree of the position after it.
    ///
    /// # Panics
    /// If `turn` is illegal.
    pub fn advance_root(&mut self, turn: Move) {
        for member in &mut self.searches {
            member.advance_root(turn).expect("a legal move");
        }
    }

    /// Continues the search for at most `time`. Stops earlier if all calls since the last call of
    /// [`RootParallel::set_board`] together have made `max_iterations` iterations. A thread also stops as soon as it
    /// has proven the winner.
    pub fn search_for(&mut self, time: Duration, max_iterations: u64) {
        let (clock, asked) = (Clock::wall_only(), Cell::new(0));
        let is_over = || {
            let number: u64 = asked.replace(asked.get() + 1);
            number.is_multiple_of(ITERATIONS_PER_CLOCK_READ) && clock.elapsed() >= time
        };
        let left = max_iterations.saturating_sub(self.iterations);
        self.search(Budget::Iterations(left), is_over);
        let report = self.report();
        self.iterations += report.iterations;
        self.depth = self.depth.max(report.depth);
    }

    /// Makes `board` the position to search, and resets `iterations` and `depth` to 0. What happens to the search trees
    /// depends on `board`:
    ///
    /// - It is the position at their root: they are kept.
    /// - One move leads to it from their root: the subtrees after this move are kept.
    /// - Otherwise they are emptied.
    pub fn set_board(&mut self, board: &Board) {
        (self.iterations, self.depth) = (0, 0);
        if self.board() == board || self.advance_to(board) {
            return;
        }
        for member in &mut self.searches {
            member.set_board(board.clone());
        }
    }

    /// Plays in all search trees the move that leads from the position at their root to `board`, and returns true. If
    /// no single move leads there, changes nothing and returns false.
    pub fn advance_to(&mut self, board: &Board) -> bool {
        let turn = move_between(self.board(), board);
        turn.map(|turn| self.advance_root(turn)).is_some()
    }
}

/// Tests if `search`, the search of one thread, has proven the winner of its position.
fn is_proven(search: &Search) -> bool {
    search.winner().is_some()
}

/// Returns the part of `budget` for the thread with the index `number` (from 0), one of `threads` threads. Each thread
/// gets all of a time budget, or an equal part of a number of iterations.
fn thread_budget(budget: Budget, number: usize, threads: usize) -> Budget {
    match budget {
        Budget::Time(time) => Budget::Time(time),
        Budget::Iterations(all) => {
            let all = all.saturating_add(threads as u64 - 1 - number as u64);
            Budget::Iterations(all / threads as u64)
        }
    }
}

/// Returns the move that leads from `before` to `after`; `None` if no single move does.
fn move_between(before: &Board, after: &Board) -> Option<Move> {
    let [old, new] = [before, after].map(|board| board.amazons(before.to_move()));
    let first = |set| squares(set).next();
    let turn = Move {
        from: first(old & !new)?,
        to: first(new & !old)?,
        arrow: first(after.arrows() & !before.arrows())?,
    };
    let mut board = before.clone();
    (board.play(turn).is_ok() && board == *after).then_some(turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::movegen;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    const MEMORY: usize = 16 << 20;

    fn settings(threads: usize) -> SearchSettings {
        SearchSettings::new(MEMORY, threads, 7)
    }

    fn searched(board: &Board, threads: usize, budget: Budget) -> RootParallel {
        let mut search = RootParallel::new(board, &settings(threads));
        search.search(budget, || false);
        search
    }

    /// Returns a position with at most nine empty squares and at least two legal moves.
    fn nearly_over() -> Board {
        let played_to_the_end = |step: usize| {
            let mut board = Board::start();
            while board.empty().count_ones() > 9 {
                let moves = movegen::moves(&board);
                board.play(*moves.get(step % moves.len().max(1))?).ok()?;
            }
            (movegen::count(&board) > 1).then_some(board)
        };
        (1..).find_map(played_to_the_end).expect("some game")
    }

    #[test]
    fn one_thread_equals_the_bots_search() {
        let board = Board::start();
        let budget = Budget::Iterations(3000);
        let mut alone = Search::new(board.clone(), MEMORY, 7, Params::default());
        budget.spend(&mut alone, &Clock::wall_only(), || false);
        let one = searched(&board, 1, budget);
        assert_eq!(one.report(), alone.report());
        assert_eq!(one.best_move(), alone.best_move());
    }

    #[test]
    fn threads_share_the_iterations_and_the_memory() {
        let [first, second] =
            [(); 2].map(|()| searched(&Board::start(), 3, Budget::Iterations(3001)));
        let report = first.report();
        assert_eq!(report.iterations, 3001);
        assert_eq!(report, second.report(), "the same every time");
        assert!(first.bytes_in_use() < MEMORY);
        assert_eq!(
            report.principal_variation.first(),
            first.best_move().as_ref()
        );
        let visits: u32 = first.edges(None).iter().map(|edge| edge.visits).sum();
        assert_eq!(visits, 3001, "every iteration is counted once");
        assert_ne!(
            first.searches[0].report().visits,
            first.searches[1].report().visits,
            "each explores in its own way"
        );
    }

    #[test]
    fn the_move_between_two_boards_is_found() {
        let mut board = Board::start();
        while let Some(&turn) = movegen::moves(&board).last() {
            let before = board.clone();
            board.play(turn).expect("legal");
            assert_eq!(move_between(&before, &board), Some(turn));
            assert_eq!(move_between(&board, &before), None, "no move leads back");
            assert_eq!(move_between(&before, &before), None);
        }
    }

    #[test]
    fn slices_of_any_size_equal_one_search() {
        let mut random = SmallRng::seed_from_u64(1);
        let whole = searched(&Board::start(), 1, Budget::Iterations(2000));
        let mut sliced = RootParallel::new(&Board::start(), &settings(1));
        let mut most = 0;
        while most < 2000 {
            most = 2000.min(most + random.random_range(0..400));
            sliced.search_for(Duration::MAX, most);
            assert_eq!(sliced.iterations, most);
        }
        assert_eq!(
            format!("{:?}", sliced.turns()),
            format!("{:?}", whole.turns())
        );
        assert_eq!(sliced.depth, whole.report().depth);
        sliced.search_for(Duration::ZERO, u64::MAX);
        assert_eq!(sliced.iterations, 2000, "there was no time");
    }

    /// An abort ends the search even if the first thread has already finished and waits for the others. If it did not,
    /// this test would never end.
    #[test]
    fn abort_works_after_first_thread_has_finished() {
        let mut search = searched(&nearly_over(), 2, Budget::Iterations(u64::MAX));
        assert!(search.is_proven() && search.searches.iter().all(is_proven));
        assert!([0.0, 1.0].contains(&search.report().win_probability));
        let best = search.best_move();
        assert_eq!(search.report().principal_variation.first(), best.as_ref());
        search.searches[1].set_board(Board::start());
        let asked = Cell::new(0);
        search.search(Budget::Iterations(u64::MAX), || {
            asked.replace(asked.get() + 1) > 2
        });
        assert!(!is_proven(&search.searches[1]));
    }
}
