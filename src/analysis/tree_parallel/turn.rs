//! Chooses the bot's move at a given playing strength: [`TreeParallel::choose_move`].

use super::{SearchSettings, TreeParallel};
use crate::level::{Method, Strength, sample_move};
use engine::board::{Board, Move, Player};
use engine::botzone::options::Options;
use engine::budget::Budget;
use engine::eval::{MAX_LOG_ODDS, evaluate_board, log_odds, probability};
use engine::mcts::from_perspective;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::mem;

/// A chosen move, with the win probability of black in the position before it, according to the search or the static
/// evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChosenMove {
    /// Move that the bot should play.
    pub turn: Move,
    /// Win probability of black in the position before the move, from 0 to 1.
    pub black_wins: f32,
}

impl ChosenMove {
    /// Returns the win probability of `player` in the position before the move, from 0 to 1.
    #[must_use]
    pub fn win_probability(&self, player: Player) -> f32 {
        from_perspective(player, self.black_wins)
    }
}

impl TreeParallel {
    /// Chooses a move for the side to move in `board`. `strength` is a playing level (1 to 15) or a search budget.
    ///
    /// - Levels 1 to 14: each call starts with an empty search tree, so that earlier calls have no influence.
    /// - Level 15 or a search budget: the call continues with the search tree of the previous call if `board` is the
    ///   position after the move chosen there and one reply. Otherwise it starts with an empty tree.
    ///
    /// Returns `None` if there is no legal move, or if `is_aborted` returned true.
    pub fn choose_move(
        &mut self,
        board: &Board,
        strength: Strength,
        is_aborted: &dyn Fn() -> bool,
    ) -> Option<ChosenMove> {
        if is_aborted() {
            return None;
        }
        let is_level = matches!(strength, Strength::Level(_));
        match strength.method() {
            Method::Sample(count) => self.sample_move(board, count),
            Method::Search(budget) if is_level => {
                // Playing levels search with one thread, whatever number the settings give: each level's strength was
                // measured with one thread, and more threads would change it.
                let settings = SearchSettings {
                    threads: 1,
                    ..self.settings.clone()
                };
                TreeParallel::new(board, &settings).search_move(budget, is_aborted)
            }
            Method::Search(budget) => self.choose_with_tree(board, |_| budget, is_aborted),
            Method::Botzone => {
                let options = Options::default();
                self.choose_with_tree(board, |is_first| options.budget(is_first), is_aborted)
            }
        }
    }

    /// Draws `count` random legal moves without repetition, or takes all legal moves if there are fewer. Returns the
    /// one after which the static evaluation (without search) is best for the side to move, or any one of several equal
    /// ones. Returns `None` if there is no legal move. The random numbers depend only on the seed in `self.settings`
    /// and on the empty squares of `board`.
    fn sample_move(&self, board: &Board, count: usize) -> Option<ChosenMove> {
        let seed = self.settings.seed ^ board.empty();
        let turn = sample_move(board, count, &mut SmallRng::seed_from_u64(seed))?;
        let log_odds = log_odds(evaluate_board(board).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS));
        let black_wins = probability(log_odds);
        Some(ChosenMove { turn, black_wins })
    }

    /// Searches `board` and returns the best move. Also plays this move in the search tree, so that the search of the
    /// next turn can continue with this tree.
    ///
    /// Continues with the tree of the previous turn if the move chosen in that turn was played in it and one further
    /// move (the opponent's) leads to `board`. Otherwise starts with an empty tree. `budget` is a function that returns
    /// the search budget. Its argument is true if the tree is empty, as in the first turn of a game.
    ///
    /// Returns `None` if the search was aborted or there is no legal move.
    fn choose_with_tree(
        &mut self,
        board: &Board,
        budget: impl Fn(bool) -> Budget,
        is_aborted: &dyn Fn() -> bool,
    ) -> Option<ChosenMove> {
        let is_first = !(mem::take(&mut self.has_played) && self.advance_to(board));
        if is_first {
            *self = TreeParallel::new(board, &self.settings);
        }
        let chosen = self.search_move(budget(is_first), is_aborted)?;
        self.advance_root(chosen.turn);
        self.has_played = true;
        Some(chosen)
    }

    /// Searches the position at the root of the search tree, and returns the best move. Returns `None` if the search
    /// was aborted or there is no legal move.
    fn search_move(&mut self, budget: Budget, is_aborted: &dyn Fn() -> bool) -> Option<ChosenMove> {
        self.search(budget, is_aborted);
        if is_aborted() {
            return None;
        }
        let turn = self.best_move()?;
        let win_probability = self.report().win_probability;
        let black_wins = from_perspective(self.board().to_move(), win_probability);
        Some(ChosenMove { turn, black_wins })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::LEVELS;
    use std::cell::Cell;
    use std::time::Duration;

    const NEVER: &dyn Fn() -> bool = &|| false;

    /// Returns a new search of the start position.
    fn search(threads: usize) -> TreeParallel {
        TreeParallel::new(&Board::start(), &SearchSettings::new(8 << 20, threads, 5))
    }

    /// Tests that the second move depends on the search tree of the first turn only if both moves are chosen with a
    /// search budget. If either is chosen at a playing level below 15, the second move is that of a new search.
    #[test]
    fn budgets_reuse_the_tree_and_levels_do_not() {
        let few = |iterations| Strength::Budget(Budget::Iterations(iterations));
        let second = |first: Strength, then: Strength| {
            let (mut board, mut reused) = (Board::start(), search(1));
            let chosen = reused.choose_move(&board, first, NEVER).expect("a move");
            board.play(chosen.turn).expect("legal");
            let reply = search(1).choose_move(&board, few(100), NEVER);
            board.play(reply.expect("a move").turn).expect("legal");
            let anew = search(1).choose_move(&board, then, NEVER);
            reused.choose_move(&board, then, NEVER) == anew
        };
        assert!(!second(few(3000), few(30)));
        assert!(second(few(3000), Strength::Level(7)));
        assert!(second(Strength::Level(10), few(30)));
    }

    /// Tests at levels 1 to 6 that the number of threads and earlier turns do not change the chosen move: it equals
    /// that of a new search with one thread. At levels 7 to 15, which search longer, only tests that the move is legal
    /// and its win probability lies between 0 and 1.
    #[test]
    fn levels_ignore_threads_and_earlier_turns() {
        let mut game = search(3);
        let mut board = Board::start();
        for level in (1..=6).chain(1..=6) {
            let strength = Strength::Level(level);
            let chosen = game.choose_move(&board, strength, NEVER).expect("a move");
            let alone = search(1).choose_move(&board, strength, NEVER);
            assert_eq!(Some(chosen), alone);
            board.play(chosen.turn).expect("legal");
        }
        for level in 7..=LEVELS.len() as u8 {
            let chosen = game.choose_move(&board, Strength::Level(level), NEVER);
            let chosen = chosen.expect("a move");
            board.play(chosen.turn).expect("legal");
            assert!((0.0..=1.0).contains(&chosen.black_wins));
        }
    }

    #[test]
    fn aborted_search_returns_no_move() {
        let hours = Strength::Budget(Budget::Time(Duration::from_secs(86_400)));
        for strength in [Strength::Level(1), Strength::Level(15), hours] {
            for looks in [0, 1, 5] {
                let asked = Cell::new(0);
                let is_aborted = || asked.replace(asked.get() + 1) >= looks;
                let chosen = search(2).choose_move(&Board::start(), strength, &is_aborted);
                assert_eq!(
                    chosen.is_some(),
                    strength == Strength::Level(1) && looks > 0
                );
            }
        }
    }
}
