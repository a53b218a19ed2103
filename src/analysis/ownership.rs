//! Ownership of squares, from the queen and king distances of both players' amazons.
//!
//! The distances are those of the evaluation. Summed over the board, the two parts are its queen territory and king
//! position.

use engine::bitboard::{Slides, union, with_neighbours};
use engine::board::{Board, Player, squares};
use engine::eval::KING_UNIT;

/// The distance of an unreachable square: greater than every other by more than the king's horizon.
const UNREACHED: u8 = u8::MAX;

/// Ownership of all squares by index, from 1 (black) to -1 (white).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ownership(pub [f32; 64]);

impl Ownership {
    /// Ownership in a position: the mean of the sign of the queen distances and a sixth of the lead in king steps, which is
    /// at most six, as if only one player reaches the square. It is 0 for equal distances and for arrows; the square of an
    /// amazon is its player's.
    #[must_use]
    pub fn in_position(board: &Board) -> Ownership {
        let slides = Slides::over(board.empty());
        let players = [Player::Black, Player::White];
        let queen = players.map(|player| {
            distances(board, player, |from| {
                union(slides.from(from)) & board.empty()
            })
        });
        let king = players
            .map(|player| distances(board, player, |from| with_neighbours(from) & board.empty()));
        Ownership(std::array::from_fn(|at| {
            let queen = queen[1][at].cmp(&queen[0][at]) as i8;
            let king = (f32::from(king[1][at]) - f32::from(king[0][at])) / KING_UNIT as f32;
            (f32::from(queen) + king.clamp(-1.0, 1.0)) / 2.0
        }))
    }

    /// Ownership at the end of a line's positions: the mean of the last two, so that neither player has moved last.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    pub fn at_the_end(positions: &[Board]) -> Ownership {
        let last = positions.iter().rev().take(2);
        let mean = Ownership::mean(last.map(|board| (1.0, Ownership::in_position(board))));
        mean.expect("a position")
    }

    /// The mean by weights; nothing of none.
    #[must_use]
    pub fn mean(all: impl Iterator<Item = (f32, Ownership)>) -> Option<Ownership> {
        let (mut sum, mut weights) = ([0.0; 64], 0.0);
        for (weight, one) in all {
            weights += weight;
            for (sum, one) in sum.iter_mut().zip(one.0) {
                *sum += weight * one;
            }
        }
        (weights > 0.0).then(|| Ownership(sum.map(|sum| sum / weights)))
    }

    /// By how many squares a player is ahead.
    #[must_use]
    pub fn lead(&self, player: Player) -> f32 {
        let black: f32 = self.0.iter().sum();
        match player {
            Player::Black => black,
            Player::White => -black,
        }
    }
}

/// Number of steps from the nearest amazon of a player to every square; `step` says what is one step away.
fn distances(board: &Board, player: Player, step: impl Fn(u64) -> u64) -> [u8; 64] {
    let mut distances = [UNREACHED; 64];
    let (mut front, mut reached) = (board.amazons(player), 0);
    let mut distance = 0;
    while front != 0 {
        for square in squares(front) {
            distances[square.index()] = distance;
        }
        reached |= front;
        front = step(front) & !reached;
        distance += 1;
    }
    distances
}
