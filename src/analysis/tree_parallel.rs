//! Search with one or more threads, which share one tree ([`TreeParallel`]).
//!
//! With one thread, the search gives exactly the results of the bot's search. With several threads, results depend on
//! which thread is faster.

mod searched;
mod turn;

pub use searched::SearchedTurn;
pub use turn::ChosenMove;

use engine::board::{Board, Move, Player, squares};
use engine::budget::Budget;
use engine::clock::{Clock, ClockGaps, TimeSource};
use engine::eval::Networks;
use engine::mcts::{Params, Search, Worker};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// Number of iterations after which [`TreeParallel::search_for`] reads the clock again. The clock is not read in each
/// iteration, because reading it takes time.
const ITERATIONS_PER_CLOCK_READ: u64 = 16;

/// Resources, parameters and networks of a search.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// Maximum memory of the search tree, in bytes.
    pub memory: usize,
    /// Number of threads, which share the tree; 0 counts as 1.
    pub threads: usize,
    /// Seed of the random number generators. Thread n (counted from 0) uses this seed plus n.
    pub seed: u64,
    /// Tunable parameters of the search.
    pub params: Params,
    /// Value network and policy network.
    pub networks: Networks,
}

impl SearchSettings {
    /// Creates settings with the search parameters and networks of the bot as submitted to Botzone.
    ///
    /// - `memory`: maximum size of the search tree, in bytes.
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

/// The search of the engine, with one thread or with several.
enum AnySearch {
    /// A search with one thread. It is a little faster, because no other thread changes its tree.
    Alone(Search),
    Shared(Search<AtomicU32>),
}

/// Evaluates `$result`, where `$search` is the engine's search in the [`AnySearch`] `$any`.
macro_rules! with_search {
    ($any:expr, $search:ident => $result:expr) => {
        match $any {
            AnySearch::Alone($search) => $result,
            AnySearch::Shared($search) => $result,
        }
    };
}
use with_search;

/// A search by one or more threads, which share one tree.
pub struct TreeParallel {
    search: AnySearch,
    /// Memory, number of threads, seed, parameters and networks of this search.
    pub settings: SearchSettings,
    /// True if the move that [`TreeParallel::choose_move`] returned last was also played in the search tree. Only then
    /// can the next call of `choose_move` continue with this tree.
    has_played: bool,
    /// Number of iterations by [`TreeParallel::search_for`] since the last call of [`TreeParallel::set_board`], summed
    /// over all threads and all calls.
    pub iterations: u64,
    /// Length in plies of the longest sequence of moves that [`TreeParallel::search_for`] examined since the last call
    /// of [`TreeParallel::set_board`].
    pub depth: usize,
}

impl TreeParallel {
    /// Creates a search of `board` with an empty search tree.
    #[must_use]
    pub fn new(board: &Board, settings: &SearchSettings) -> TreeParallel {
        let networks = settings.networks.clone();
        let (board, memory) = (board.clone(), settings.memory);
        let (seed, params) = (settings.seed, settings.params);
        let search = if settings.threads > 1 {
            let search = Search::for_threads(settings.threads, board, memory, seed, params);
            AnySearch::Shared(search.with_networks(networks))
        } else {
            AnySearch::Alone(Search::new(board, memory, seed, params).with_networks(networks))
        };
        TreeParallel {
            search,
            settings: settings.clone(),
            has_played: false,
            iterations: 0,
            depth: 0,
        }
    }

    /// Returns the position at the root of the search tree.
    #[must_use]
    pub fn board(&self) -> &Board {
        with_search!(&self.search, search => search.board())
    }

    /// Returns the number of bytes that the search tree occupies at present.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        with_search!(&self.search, search => search.tree().bytes_in_use())
    }

    /// Searches until `budget` is spent, the winner is proven, or `is_aborted` returns true. A number of iterations is
    /// shared by all threads; a time may be used by each of them. Only the calling thread calls `is_aborted`.
    pub fn search(&mut self, budget: Budget, is_aborted: impl Fn() -> bool) {
        let clock = Clock::wall_only();
        match &mut self.search {
            AnySearch::Alone(search) => _ = budget.spend(search, &clock, is_aborted),
            AnySearch::Shared(search) => search_together(search, budget, &clock, &is_aborted),
        }
    }

    /// Plays the move `turn` in the search tree, and keeps only the subtree of the position after it.
    ///
    /// # Panics
    /// If `turn` is illegal.
    pub fn advance_root(&mut self, turn: Move) {
        with_search!(&mut self.search, search => search.advance_root(turn)).expect("a legal move");
    }

    /// Continues the search for at most `time`. Stops earlier if all calls since the last call of
    /// [`TreeParallel::set_board`] together have made `max_iterations` iterations, or if the winner is proven.
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

    /// Makes `board` the position to search, and resets `iterations` and `depth` to 0. What happens to the search tree
    /// depends on `board`:
    ///
    /// - It is the position at the root: the tree is kept.
    /// - One move leads to it from the root: the subtree after this move is kept.
    /// - Otherwise the tree is emptied.
    pub fn set_board(&mut self, board: &Board) {
        (self.iterations, self.depth) = (0, 0);
        if self.board() == board || self.advance_to(board) {
            return;
        }
        with_search!(&mut self.search, search => search.set_board(board.clone()));
    }

    /// Plays in the search tree the move that leads from the position at its root to `board`, and returns true. If no
    /// single move leads there, changes nothing and returns false.
    pub fn advance_to(&mut self, board: &Board) -> bool {
        let turn = move_between(self.board(), board);
        turn.map(|turn| self.advance_root(turn)).is_some()
    }
}

/// Searches with all threads of `search` until `budget` is spent, the winner is proven, or `is_aborted` returns true. A
/// round ends when a thread has used up its memory; then all threads get new memory.
fn search_together(
    search: &mut Search<AtomicU32>,
    budget: Budget,
    clock: &Clock<impl TimeSource + Sync>,
    is_aborted: &dyn Fn() -> bool,
) {
    let is_round_over = AtomicBool::new(true);
    search.begin();
    while is_round_over.swap(false, Ordering::Relaxed) && search.winner().is_none() && !is_aborted()
    {
        search.run_round(|shared, workers| {
            let threads = workers.len();
            let run = |number: usize, worker: &mut Worker, is_aborted: &dyn Fn() -> bool| {
                let mut gaps = ClockGaps::NONE;
                let mut may_continue =
                    thread_budget(budget, number, threads).condition(clock, &mut gaps);
                let winner = worker.run(shared, &mut |progress| {
                    !is_round_over.load(Ordering::Relaxed)
                        && !is_aborted()
                        && may_continue(progress)
                });
                if winner.is_some() || worker.is_short_of_memory() || is_aborted() {
                    is_round_over.store(true, Ordering::Relaxed);
                }
                winner
            };
            run_all(workers, run, is_aborted)
        });
    }
}

/// Calls `run` for every worker, with its number, each on a thread of its own; the calling thread runs the first one.
/// Passes `is_aborted` only to the first call, because this function need not be thread-safe. Returns the winner if a
/// call has proven it.
fn run_all(
    workers: &mut [Worker],
    run: impl Fn(usize, &mut Worker, &dyn Fn() -> bool) -> Option<Player> + Sync,
    is_aborted: &dyn Fn() -> bool,
) -> Option<Player> {
    let (first, others) = workers.split_first_mut().expect("there is a worker");
    let run = &run;
    thread::scope(|scope| {
        let others = (1..).zip(others);
        let others: Vec<_> = others
            .map(|(number, worker)| scope.spawn(move || run(number, worker, &|| false)))
            .collect();
        let winner = run(0, first, is_aborted);
        let winners = others
            .into_iter()
            .map(|other| other.join().expect("no panic"));
        winners.fold(winner, Option::or)
    })
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
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    const MEMORY: usize = 16 << 20;

    fn settings(threads: usize) -> SearchSettings {
        SearchSettings::new(MEMORY, threads, 7)
    }

    fn searched(board: &Board, threads: usize, budget: Budget) -> TreeParallel {
        let mut search = TreeParallel::new(board, &settings(threads));
        search.search(budget, || false);
        search
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
    fn threads_share_the_iterations_and_the_tree() {
        let search = searched(&Board::start(), 3, Budget::Iterations(3001));
        let report = search.report();
        assert_eq!(report.iterations, 3001);
        assert!(search.bytes_in_use() < MEMORY);
        assert_eq!(
            report.principal_variation.first(),
            search.best_move().as_ref()
        );
        let visits: u32 = search.turns().iter().map(|turn| turn.arrow.visits).sum();
        assert_eq!(visits, 3001, "every iteration is counted once");
    }

    /// Returns the winner of `board` if a search with `threads` threads and little memory proves one.
    fn proven_winner(board: &Board, threads: usize) -> Option<Player> {
        let settings = SearchSettings::new(1 << 16, threads, 7);
        let mut search = TreeParallel::new(board, &settings);
        search.search(Budget::Iterations(20_000), || false);
        assert!(
            search
                .best_move()
                .is_some_and(|turn| board.check(turn).is_ok())
        );
        let wins = search.report().win_probability > 0.5;
        let winner = if wins {
            board.to_move()
        } else {
            !board.to_move()
        };
        search.is_proven().then_some(winner)
    }

    #[test]
    fn threads_prove_the_same_winners_as_one() {
        let mut random = SmallRng::seed_from_u64(3);
        let mut proven = 0;
        for _ in 0..60 {
            let mut board = Board::start();
            while board.empty().count_ones() > 18
                && let Some(&turn) = movegen::moves(&board).choose(&mut random)
            {
                board.play(turn).expect("legal");
            }
            if movegen::count(&board) > 0
                && let Some(winner) = proven_winner(&board, 1)
            {
                proven += 1;
                assert_eq!(proven_winner(&board, 4), Some(winner), "{board:?}");
            }
        }
        assert!(proven > 20, "only {proven} were proven");
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
        let mut sliced = TreeParallel::new(&Board::start(), &settings(1));
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

    #[test]
    fn abort_ends_a_search_with_several_threads() {
        let asked = Cell::new(0);
        let mut search = TreeParallel::new(&Board::start(), &settings(3));
        search.search(Budget::Iterations(u64::MAX), || {
            asked.replace(asked.get() + 1) > 100
        });
        assert!(asked.get() > 100);
        assert!(search.report().iterations >= 100);
    }
}
