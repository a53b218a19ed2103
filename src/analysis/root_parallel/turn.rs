//! How the search plays: it chooses moves as strong as it is told to, and follows a game.

use super::{Means, RootParallel};
use crate::level::{Method, Strength, glance};
use engine::board::{Board, Move, Player};
use engine::botzone::options::Options;
use engine::budget::Budget;
use engine::eval::{MAX_LOG_ODDS, evaluate_board, log_odds, probability};
use engine::mcts::seen_by;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::mem;

/// A move that was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// The move.
    pub turn: Move,
    /// Win probability of black.
    pub black_wins: f32,
}

impl Thought {
    /// Win probability of a player.
    #[must_use]
    pub fn win_probability(&self, player: Player) -> f32 {
        seen_by(player, self.black_wins)
    }
}

impl RootParallel {
    /// Chooses a move. By a budget, or as the uploaded bot, the search goes on with its trees from turn to turn.
    ///
    /// Finds nothing if there is no move, or if the search is broken off.
    pub fn think(
        &mut self,
        board: &Board,
        strength: Strength,
        broken_off: &dyn Fn() -> bool,
    ) -> Option<Thought> {
        if broken_off() {
            return None;
        }
        let is_level = matches!(strength, Strength::Level(_));
        match strength.method() {
            Method::Glance(count) => self.glance(board, count),
            Method::Search(budget) if is_level => {
                // One thread is what the levels are measured with.
                let means = Means {
                    threads: 1,
                    ..self.means.clone()
                };
                RootParallel::new(board, &means).decide(budget, broken_off)
            }
            Method::Search(budget) => self.think_on(board, |_| budget, broken_off),
            Method::Uploaded => {
                let options = Options::default();
                self.think_on(board, |is_first| options.budget(is_first), broken_off)
            }
        }
    }

    /// Chooses the best of some random moves. Which ones depends on the seed and the position alone.
    fn glance(&self, board: &Board, count: usize) -> Option<Thought> {
        let seed = self.means.seed ^ board.empty();
        let turn = glance(board, count, &mut SmallRng::seed_from_u64(seed))?;
        let log_odds = log_odds(evaluate_board(board).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS));
        let black_wins = probability(log_odds);
        Some(Thought { turn, black_wins })
    }

    /// Chooses a move with the trees of the turn before, if one move leads from there to the board, and plays it in them.
    /// `budget`: that of a first turn or a later one.
    fn think_on(
        &mut self,
        board: &Board,
        budget: impl Fn(bool) -> Budget,
        broken_off: &dyn Fn() -> bool,
    ) -> Option<Thought> {
        let is_first = !(mem::take(&mut self.has_played) && self.follow_turn(board));
        if is_first {
            *self = RootParallel::new(board, &self.means);
        }
        let thought = self.decide(budget(is_first), broken_off)?;
        self.advance_root(thought.turn);
        self.has_played = true;
        Some(thought)
    }

    /// Searches, and chooses the best move.
    fn decide(&mut self, budget: Budget, broken_off: &dyn Fn() -> bool) -> Option<Thought> {
        self.spend(budget, broken_off);
        if broken_off() {
            return None;
        }
        let turn = self.best_move()?;
        let win_probability = self.report().win_probability;
        let black_wins = seen_by(self.board().to_move(), win_probability);
        Some(Thought { turn, black_wins })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::LEVELS;
    use std::cell::Cell;
    use std::time::Duration;

    const NEVER: &dyn Fn() -> bool = &|| false;

    /// An engine at the start of a game.
    fn engine(threads: usize) -> RootParallel {
        RootParallel::new(&Board::start(), &Means::new(8 << 20, threads, 5))
    }

    /// Only by a budget or as the uploaded bot the second turn finds more than that of a new engine.
    #[test]
    fn trees_are_kept_from_turn_to_turn_unless_a_level_plays() {
        let few = |iterations| Strength::Budget(Budget::Iterations(iterations));
        let second = |first: Strength, then: Strength| {
            let (mut board, mut kept) = (Board::start(), engine(1));
            let thought = kept.think(&board, first, NEVER).expect("a move");
            board.play(thought.turn).expect("legal");
            let reply = engine(1).think(&board, few(100), NEVER).expect("a move");
            board.play(reply.turn).expect("legal");
            let anew = engine(1).think(&board, then, NEVER);
            kept.think(&board, then, NEVER) == anew
        };
        assert!(!second(few(3000), few(30)));
        assert!(second(few(3000), Strength::Level(7)));
        assert!(second(Strength::Level(10), few(30)));
    }

    /// Each level chooses as in an engine of its own that has never thought before, whatever the threads.
    #[test]
    fn a_level_is_as_strong_whoever_plays_it() {
        let mut game = engine(3);
        let mut board = Board::start();
        for level in (1..=6).chain(1..=6) {
            let strength = Strength::Level(level);
            let thought = game.think(&board, strength, NEVER).expect("a move");
            let alone = engine(1).think(&board, strength, NEVER);
            assert_eq!(Some(thought), alone);
            board.play(thought.turn).expect("legal");
        }
        for level in 7..=LEVELS.len() as u8 {
            let thought = game.think(&board, Strength::Level(level), NEVER);
            let thought = thought.expect("a move");
            board.play(thought.turn).expect("legal");
            assert!((0.0..=1.0).contains(&thought.black_wins));
        }
    }

    #[test]
    fn a_search_that_is_broken_off_finds_nothing() {
        let hours = Strength::Budget(Budget::Time(Duration::from_secs(86_400)));
        for strength in [Strength::Level(1), Strength::Level(15), hours] {
            for looks in [0, 1, 5] {
                let asked = Cell::new(0);
                let broken_off = || asked.replace(asked.get() + 1) >= looks;
                let thought = engine(2).think(&Board::start(), strength, &broken_off);
                assert_eq!(
                    thought.is_some(),
                    strength == Strength::Level(1) && looks > 0
                );
            }
        }
    }
}
