//! Ownership of squares, from the queen and king distances of both players' amazons.
//!
//! The distances are those of the evaluation. Summed over the board, the two parts are its queen territory and king
//! position.

use crate::bitboard::{Slides, union, with_neighbours};
use crate::board::{Board, Move, Player, squares};
use crate::eval::KING_UNIT;

/// The distance of an unreachable square: greater than every other by more than the king's horizon.
const UNREACHED: u8 = u8::MAX;

/// Shares of a square by distance; positive numbers are black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Sign of the queen distances: 1 if black is closer, -1 if white is, 0 if equal.
    pub queen: i8,
    /// Black's lead in king steps, at most six; six if only black reaches the square.
    pub king: i8,
}

impl Share {
    /// Ownership from 1 (black) to -1 (white): the mean of the sign of the queen distances and a sixth of the lead in
    /// king steps. It is 0 for equal distances and for arrows.
    #[must_use]
    pub fn ownership(self) -> f32 {
        (f32::from(self.queen) + f32::from(self.king) / KING_UNIT as f32) / 2.0
    }
}

/// The shares of all squares by index. The square of an amazon is its player's, at distance 0.
#[must_use]
pub fn shares(board: &Board) -> [Share; 64] {
    let slides = Slides::over(board.empty());
    let players = [Player::Black, Player::White];
    let queen = players.map(|player| {
        distances(board, player, |from| {
            union(slides.from(from)) & board.empty()
        })
    });
    let king = players
        .map(|player| distances(board, player, |from| with_neighbours(from) & board.empty()));
    // So many steps make a square fully one player's.
    let most = KING_UNIT as i16;
    std::array::from_fn(|at| Share {
        queen: queen[1][at].cmp(&queen[0][at]) as i8,
        king: (i16::from(king[1][at]) - i16::from(king[0][at])).clamp(-most, most) as i8,
    })
}

/// Ownership of all squares by index, from 1 (black) to -1 (white).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ownership(pub [f32; 64]);

impl Ownership {
    /// Ownership in a position, by its distances.
    #[must_use]
    pub fn in_position(board: &Board) -> Ownership {
        Ownership(shares(board).map(Share::ownership))
    }

    /// Ownership at the end of a line: the mean of its last two positions, so that neither player has moved last.
    ///
    /// # Panics
    /// If a move is illegal.
    #[must_use]
    pub fn at_the_end(board: &Board, line: &[Move]) -> Ownership {
        let mut boards = vec![board.clone()];
        for &turn in line {
            let mut next = boards[boards.len() - 1].clone();
            next.play(turn).expect("a line is legal");
            boards.push(next);
        }
        let last = boards.iter().rev().take(2);
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
