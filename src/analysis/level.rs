//! Strengths of the bot: levels from one that a child beats to the uploaded bot, or a budget.

use engine::board::{Board, Move, Player};
use engine::budget::Budget;
use engine::eval::evaluate_board;
use engine::movegen;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use std::fmt;

/// The bot's way to choose moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Draws so many of its moves at random and plays the one with the best evaluation after it.
    Glance(usize),
    /// Searches, anew for every move.
    Search(Budget),
    /// Searches as the uploaded bot does: as long, in as much memory, and with its tree from the last turn.
    Uploaded,
}

/// A search with so many iterations.
const fn iterations(most: u64) -> Method {
    Method::Search(Budget::Iterations(most))
}

/// The levels, from 1. Each wins 65 to 90 of 100 games against the one before.
pub const LEVELS: [Method; 15] = [
    Method::Glance(2),
    Method::Glance(4),
    Method::Glance(10),
    Method::Glance(25),
    Method::Glance(200),
    iterations(10),
    iterations(30),
    iterations(100),
    iterations(300),
    iterations(1_000),
    iterations(3_000),
    iterations(10_000),
    iterations(35_000),
    iterations(120_000),
    Method::Uploaded,
];

/// The level for somebody who names none.
pub const DEFAULT_LEVEL: u8 = 6;

/// The strength of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// One of the levels, from 1.
    Level(u8),
    /// A budget chosen by the user.
    Budget(Budget),
}

impl Strength {
    /// This strength's way to choose moves.
    ///
    /// # Panics
    /// If there is no such level.
    #[must_use]
    pub fn method(self) -> Method {
        match self {
            Strength::Level(level) => LEVELS[usize::from(level) - 1],
            Strength::Budget(budget) => Method::Search(budget),
        }
    }
}

/// As match logs name a bot.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Level(level) => write!(f, "level {level}"),
            Strength::Budget(Budget::Time(time)) => write!(f, "{} ms", time.as_millis()),
            Strength::Budget(Budget::Iterations(1)) => f.write_str("1 iteration"),
            Strength::Budget(Budget::Iterations(most)) => write!(f, "{most} iterations"),
        }
    }
}

/// The best of `count` random moves by the evaluation after it; nothing if there is no move.
#[must_use]
pub fn glance(board: &Board, count: usize, random: &mut SmallRng) -> Option<Move> {
    let mut moves = movegen::moves(board);
    let (seen, _) = moves.partial_shuffle(random, count.max(1));
    seen.iter().copied().max_by_key(|&turn| {
        let mut after = board.clone();
        after.play(turn).expect("a generated move is legal");
        match board.to_move() {
            Player::Black => evaluate_board(&after),
            Player::White => -evaluate_board(&after),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Games that the first of two glances wins, of forty with both colours.
    fn wins(first: usize, second: usize) -> usize {
        let mut random = SmallRng::seed_from_u64(1);
        let mut wins = 0;
        for game in 0..40 {
            let mut board = Board::start();
            let counts = [[first, second], [second, first]][game % 2];
            while let Some(turn) = glance(&board, counts[board.to_move() as usize], &mut random) {
                board.play(turn).expect("legal");
            }
            wins += usize::from(counts[!board.to_move() as usize] == first);
        }
        wins
    }

    #[test]
    fn who_sees_more_moves_wins_more_games() {
        assert!(wins(2, 1) > 24, "even the first level beats chance");
        assert!(wins(6, 2) > 24);
        assert!(wins(usize::MAX, 2) > 36, "one ply of all moves");
    }
}
