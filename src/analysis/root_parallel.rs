//! One search by several threads: a tree each, whose findings are merged.
//!
//! Each thread searches the position on its own (root parallelisation; Chaslot, Winands & van den Herik 2008). They explore
//! more or less than each other, so that they do not all make the same mistakes. Visits of the same turn are added up, and
//! means weighted by them. A proof of one is a proof for all. One thread alone is the bot's search, bit for bit.

mod merged;
mod turn;

pub use merged::SearchedTurn;
pub use turn::Thought;

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

/// Longest time in which nobody asks whether a search is broken off, where its first thread has finished.
const LOOK: Duration = Duration::from_millis(10);

/// Iterations of a slice between two looks at the clock.
const ITERATIONS_PER_LOOK: u64 = 16;

/// How many times as much as the bot each thread explores. Further threads begin with the first one again.
const EXPLORES: [f32; 8] = [1.0, 1.2, 0.85, 1.4, 0.7, 1.1, 0.92, 1.3];

/// What a search has to think with.
#[derive(Clone, Debug)]
pub struct Means {
    /// Memory of its trees together, in bytes.
    pub memory: usize,
    /// Its threads.
    pub threads: usize,
    /// Seed of its random choices.
    pub seed: u64,
    /// The tunable numbers.
    pub params: Params,
    /// The networks.
    pub networks: Networks,
}

impl Means {
    /// With the numbers and networks of the uploaded bot.
    #[must_use]
    pub fn new(memory: usize, threads: usize, seed: u64) -> Means {
        Means {
            memory,
            threads,
            seed,
            params: Params::default(),
            networks: Networks::default(),
        }
    }
}

/// A search by one or more threads.
pub struct RootParallel {
    /// Never empty. The first one is that of the bot.
    members: Vec<Search>,
    /// What it has to think with.
    pub means: Means,
    /// Whether the trees are those of a turn that was played in them.
    has_played: bool,
    /// Iterations of all slices since the position was set.
    pub iterations: u64,
    /// Length of the longest path since then, in plies.
    pub depth: usize,
}

impl RootParallel {
    /// A search from a position, by at least one thread.
    #[must_use]
    pub fn new(board: &Board, means: &Means) -> RootParallel {
        let (threads, params) = (means.threads.max(1), means.params);
        let member = |number: usize| {
            let (memory, times) = (means.memory / threads, EXPLORES[number % EXPLORES.len()]);
            let seed = means.seed.wrapping_add(number as u64);
            let params = Params {
                explore_amazon: params.explore_amazon * times,
                explore_arrow: params.explore_arrow * times,
                ..params
            };
            let search = Search::new(board.clone(), memory, seed, params);
            search.with_networks(means.networks.clone())
        };
        RootParallel {
            members: (0..threads).map(member).collect(),
            means: means.clone(),
            has_played: false,
            iterations: 0,
            depth: 0,
        }
    }

    /// The position.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.first().board()
    }

    /// The search of the first thread.
    #[must_use]
    pub fn first(&self) -> &Search {
        &self.members[0]
    }

    /// Memory that the trees take, in bytes.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        let trees = self.members.iter().map(Search::tree);
        trees.map(Tree::bytes_in_use).sum()
    }

    /// Searches until the budget is spent, `broken_off` returns true, or, if the budget is a time, a member knows the
    /// winner. Iterations are shared out, so that their number is that of all together.
    pub fn spend(&mut self, budget: Budget, broken_off: impl Fn() -> bool) {
        let clock = Clock::of_wall();
        let threads = self.members.len();
        let is_over = AtomicBool::new(false);
        let search = |number: usize, member: &mut Search, broken_off: &dyn Fn() -> bool| {
            let over = || is_over.load(Ordering::Relaxed) || broken_off();
            let share = share(budget, number, threads);
            share.spend(member, &clock, over);
            if matches!(budget, Budget::Time(_)) && is_proven(member) {
                is_over.store(true, Ordering::Relaxed);
            }
        };
        let (first, others) = self.members.split_at_mut(1);
        if others.is_empty() {
            return search(0, &mut first[0], &broken_off);
        }
        thread::scope(|scope| {
            // Every thread holds a sender. When they are gone, all have finished.
            let (working, finished) = mpsc::channel::<()>();
            for (number, member) in (1..).zip(others) {
                let working = working.clone();
                scope.spawn(move || {
                    search(number, member, &|| false);
                    drop(working);
                });
            }
            drop(working);
            search(0, &mut first[0], &broken_off);
            // Only this thread may ask, as long as any of them works.
            is_over.fetch_or(broken_off(), Ordering::Relaxed);
            while finished.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                is_over.fetch_or(broken_off(), Ordering::Relaxed);
            }
        });
    }

    /// Plays a move and keeps what is known about the position after it.
    ///
    /// # Panics
    /// If the move breaks a rule.
    pub fn advance_root(&mut self, turn: Move) {
        for member in &mut self.members {
            member.advance_root(turn).expect("a legal move");
        }
    }

    /// Goes on for some time, or until so many iterations are done since the position was set, or the winner is certain.
    pub fn slice(&mut self, time: Duration, most: u64) {
        let (clock, asked) = (Clock::of_wall(), Cell::new(0));
        let is_over = || {
            let number: u64 = asked.replace(asked.get() + 1);
            number.is_multiple_of(ITERATIONS_PER_LOOK) && clock.elapsed() >= time
        };
        let left = most.saturating_sub(self.iterations);
        self.spend(Budget::Iterations(left), is_over);
        let report = self.report();
        self.iterations += report.iterations;
        self.depth = self.depth.max(report.depth);
    }

    /// Brings the search to a board. What is known is kept if the board is the same, or a move leads there.
    pub fn follow(&mut self, board: &Board) {
        (self.iterations, self.depth) = (0, 0);
        if self.board() == board || self.follow_turn(board) {
            return;
        }
        for member in &mut self.members {
            member.set_board(board.clone());
        }
    }

    /// Plays the move that leads to a board, if there is one. Returns whether there is.
    pub fn follow_turn(&mut self, board: &Board) -> bool {
        let turn = turn_between(self.board(), board);
        turn.map(|turn| self.advance_root(turn)).is_some()
    }
}

/// Whether a member knows the winner.
fn is_proven(member: &Search) -> bool {
    member.winner().is_some()
}

/// What one of so many threads may spend of a budget.
fn share(budget: Budget, number: usize, threads: usize) -> Budget {
    match budget {
        Budget::Time(time) => Budget::Time(time),
        Budget::Iterations(all) => {
            let all = all.saturating_add(threads as u64 - 1 - number as u64);
            Budget::Iterations(all / threads as u64)
        }
    }
}

/// The move that leads from a board to another, if one does.
fn turn_between(before: &Board, after: &Board) -> Option<Move> {
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

    fn means(threads: usize) -> Means {
        Means::new(MEMORY, threads, 7)
    }

    fn searched(board: &Board, threads: usize, budget: Budget) -> RootParallel {
        let mut search = RootParallel::new(board, &means(threads));
        search.spend(budget, || false);
        search
    }

    /// A position with few empty squares, and moves.
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
    fn one_thread_is_the_search_bit_for_bit() {
        let board = Board::start();
        let budget = Budget::Iterations(3000);
        let mut alone = Search::new(board.clone(), MEMORY, 7, Params::default());
        budget.spend(&mut alone, &Clock::of_wall(), || false);
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
            first.members[0].report().visits,
            first.members[1].report().visits,
            "each explores in its own way"
        );
    }

    #[test]
    fn the_move_between_two_boards_is_found() {
        let mut board = Board::start();
        while let Some(&turn) = movegen::moves(&board).last() {
            let before = board.clone();
            board.play(turn).expect("legal");
            assert_eq!(turn_between(&before, &board), Some(turn));
            assert_eq!(turn_between(&board, &before), None, "no move leads back");
            assert_eq!(turn_between(&before, &before), None);
        }
    }

    #[test]
    fn slices_of_any_size_find_what_the_whole_search_finds() {
        let mut random = SmallRng::seed_from_u64(1);
        let whole = searched(&Board::start(), 1, Budget::Iterations(2000));
        let mut sliced = RootParallel::new(&Board::start(), &means(1));
        let mut most = 0;
        while most < 2000 {
            most = 2000.min(most + random.random_range(0..400));
            sliced.slice(Duration::MAX, most);
            assert_eq!(sliced.iterations, most);
        }
        assert_eq!(
            format!("{:?}", sliced.turns()),
            format!("{:?}", whole.turns())
        );
        assert_eq!(sliced.depth, whole.report().depth);
        sliced.slice(Duration::ZERO, u64::MAX);
        assert_eq!(sliced.iterations, 2000, "there was no time");
    }

    /// Waits for ever if nobody asks after the first thread has finished.
    #[test]
    fn a_search_whose_first_thread_has_finished_is_broken_off() {
        let mut search = searched(&nearly_over(), 2, Budget::Iterations(u64::MAX));
        assert!(search.is_proven() && search.members.iter().all(is_proven));
        assert!([0.0, 1.0].contains(&search.report().win_probability));
        let best = search.best_move();
        assert_eq!(search.report().principal_variation.first(), best.as_ref());
        search.members[1].set_board(Board::start());
        let asked = Cell::new(0);
        search.spend(Budget::Iterations(u64::MAX), || {
            asked.replace(asked.get() + 1) > 2
        });
        assert!(!is_proven(&search.members[1]));
    }
}
