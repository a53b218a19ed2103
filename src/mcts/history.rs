//! History: how much better or worse than expected a half-move turned out, wherever in the tree it was tried.
//!
//! Positions of one tree have most of the board in common. So a half-move that did well in some of them is likely to do well in
//! others: it is expected to be better than networks and evaluation say (the history heuristic, Schaeffer 1983; in the prior of a
//! tree search as in progressive history, Nijssen and Winands 2010).

use super::expansion::Choice;
use super::tree::HalfMove;
use crate::board::{Player, Square};
use crate::eval;

/// Values of 0 that a mean begins with.
const FIRST_COUNT: f32 = 3.0;

/// Values after which the mean forgets.
const MOST_COUNT: f32 = 1000.0;

/// Half-moves of one player and kind: from any square to any.
const HALF_MOVES: usize = 64 * 64;

/// Means by player and half-move: an amazon's from its square to another, an arrow's from the amazon to its square.
pub struct History {
    /// How far the log-odds lay above what was expected, in units of 1 / [`eval::LOG_ODDS_ONE`].
    means: Vec<i32>,
    /// Values in each mean.
    counts: Vec<f32>,
}

impl Default for History {
    fn default() -> History {
        History {
            means: vec![0; 4 * HALF_MOVES],
            counts: vec![FIRST_COUNT; 4 * HALF_MOVES],
        }
    }
}

impl History {
    /// Takes a value of a half-move. `surprise`: how far it lies above what was expected of the node, in log-odds of the player.
    #[inline(always)]
    pub fn add(&mut self, player: Player, choice: Choice, half_move: HalfMove, surprise: f32) {
        let at = row(player, choice, half_move.from()) + half_move.to().index();
        let (mean, count) = (&mut self.means[at], &mut self.counts[at]);
        *count = (*count + 1.0).min(MOST_COUNT);
        let surprise = eval::LOG_ODDS_ONE as f32 * surprise;
        *mean += ((surprise - *mean as f32) / *count) as i32;
    }

    /// How far half-moves from a square are likely to lie above what networks and evaluation expect, by the square that they
    /// lead to, in units of 1 / [`eval::LOG_ODDS_ONE`].
    #[must_use]
    #[inline(always)]
    pub fn from(&self, player: Player, choice: Choice, from: Square) -> &[i32; 64] {
        let row = &self.means[row(player, choice, from)..];
        row.first_chunk().expect("a row for each square")
    }
}

/// Where the row of half-moves from a square begins. An arrow flies from the amazon, wherever its own half-move says.
#[inline(always)]
fn row(player: Player, choice: Choice, from: Square) -> usize {
    let (kind, from) = match choice {
        Choice::Amazon => (0, from),
        Choice::Arrow(amazon) => (2, amazon),
    };
    (kind + usize::from(player == Player::White)) * HALF_MOVES + 64 * from.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(index: usize) -> Square {
        Square::wrapping(index as u32)
    }

    #[test]
    fn a_surprise_belongs_to_one_half_move_of_one_player() {
        let mut history = History::default();
        let (from, to) = (square(3), square(42));
        let half_moves = [
            (Choice::Amazon, HalfMove::amazon(from, to)),
            (Choice::Arrow(from), HalfMove::arrow(to)),
        ];
        let players = [Player::Black, Player::White];
        let mut expected = 0.1;
        for player in players {
            for (choice, half_move) in half_moves {
                history.add(player, choice, half_move, expected);
                expected += 0.1;
            }
        }
        let mut expected = 0.1;
        for player in players {
            for (choice, half_move) in half_moves {
                let row = history.from(player, choice, half_move.from());
                let found = row[to.index()] as f32 / eval::LOG_ODDS_ONE as f32;
                assert!(
                    (found - expected / (FIRST_COUNT + 1.0)).abs() < 1e-6,
                    "{found}"
                );
                expected += 0.1;
            }
        }
        let known = history.means.iter().filter(|&&mean| mean != 0);
        assert_eq!(known.count(), 4);
    }

    #[test]
    fn a_mean_follows_what_changes() {
        let mut history = History::default();
        let (choice, half_move) = (Choice::Arrow(square(0)), HalfMove::arrow(square(9)));
        let mut after = |surprise, times| {
            for _ in 0..times {
                history.add(Player::White, choice, half_move, surprise);
            }
            let mean = history.from(Player::White, choice, square(0))[9];
            mean as f32 / eval::LOG_ODDS_ONE as f32
        };
        assert!((0.19..0.2).contains(&after(0.2, 100)));
        assert!((0.0995..0.1005).contains(&after(0.1, 10_000)));
    }
}
