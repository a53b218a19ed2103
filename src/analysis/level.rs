//! Playing strength: fifteen levels, from beginner to the bot as it plays on Botzone, or a search budget chosen by the
//! user.

use engine::board::{Board, Move};
use engine::budget::Budget;
use engine::eval::evaluate_board;
use engine::movegen;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use std::fmt;

/// Algorithm by which the bot chooses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Draws this number of random legal moves without repetition, and plays the one of them after which the static
    /// evaluation (without search) is best for the bot.
    Sample(usize),
    /// Plays the best move of a search with this budget: a time, or a number of iterations.
    Search(Budget),
    /// Plays as the bot does on Botzone: within Botzone's time limits, and with the search tree that it kept from its
    /// previous move.
    Botzone,
}

/// Returns the method that plays the best move of a search with at most `max_iterations` iterations.
const fn search_iterations(max_iterations: u64) -> Method {
    Method::Search(Budget::Iterations(max_iterations))
}

/// Method by which the bot chooses moves at each level; `LEVELS[0]` is level 1. In measurements, each level from 2 on
/// won 65 to 90 of 100 games against the level below it.
pub const LEVELS: [Method; 15] = [
    Method::Sample(2),
    Method::Sample(4),
    Method::Sample(10),
    Method::Sample(25),
    Method::Sample(200),
    search_iterations(10),
    search_iterations(30),
    search_iterations(100),
    search_iterations(300),
    search_iterations(1_000),
    search_iterations(3_000),
    search_iterations(10_000),
    search_iterations(35_000),
    search_iterations(120_000),
    Method::Botzone,
];

/// Default level (counted from 1) in games against the bot.
pub const DEFAULT_LEVEL: u8 = 6;

/// Playing strength that a user can choose: a level, or a search budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Number of a level in [`LEVELS`], counted from 1.
    Level(u8),
    /// Search budget per move: a time limit, or a maximum number of iterations.
    Budget(Budget),
}

impl Strength {
    /// Returns the algorithm by which a bot of this strength chooses its moves.
    ///
    /// # Panics
    /// If the level is 0 or beyond the end of [`LEVELS`].
    #[must_use]
    pub fn method(self) -> Method {
        match self {
            Strength::Level(level) => LEVELS[usize::from(level) - 1],
            Strength::Budget(budget) => Method::Search(budget),
        }
    }
}

/// Formats the strength for the bot's name in match logs: a level (“level 6”), or a search budget per move (“500 ms” or
/// “100 iterations”).
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

/// Draws `count` random legal moves (at least one) without repetition. Returns the one after which the static
/// evaluation (without search) is best for the player who makes it.
///
/// Returns `None` if there is no legal move.
#[must_use]
pub fn sample_move(board: &Board, count: usize, random: &mut SmallRng) -> Option<Move> {
    let mut moves = movegen::moves(board);
    let (sampled, _) = moves.partial_shuffle(random, count.max(1));
    sampled.iter().copied().max_by_key(|&turn| {
        let mut after = board.clone();
        after.play(turn).expect("a generated move is legal");
        let black = evaluate_board(&after);
        [black, -black][board.to_move() as usize]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Plays forty games between two bots and returns how many the first bot wins. Each turn, a bot draws random legal
    /// moves, and plays the one after which the static evaluation is best for it. The first bot draws `first` moves,
    /// the second bot `second`. The colours alternate from game to game.
    fn count_wins(first: usize, second: usize) -> usize {
        let mut random = SmallRng::seed_from_u64(1);
        let mut wins = 0;
        for game in 0..40 {
            let mut board = Board::start();
            let counts = [[first, second], [second, first]][game % 2];
            while let Some(turn) =
                sample_move(&board, counts[board.to_move() as usize], &mut random)
            {
                board.play(turn).expect("legal");
            }
            wins += usize::from(counts[!board.to_move() as usize] == first);
        }
        wins
    }

    #[test]
    fn sampling_more_moves_wins_more_games() {
        assert!(count_wins(2, 1) > 24, "even the first level beats chance");
        assert!(count_wins(6, 2) > 24);
        assert!(count_wins(usize::MAX, 2) > 36, "one ply of all moves");
    }
}
