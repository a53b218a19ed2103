//! Whose a square is, from the queen and king distances of both players' amazons.
//!
//! The same distances as those of the evaluation, square by square: summed over the board the two parts
//! are its queen territory and its king position.

use crate::bitboard::{Slides, union, with_neighbours};
use crate::board::{Board, Player, squares};
use crate::eval::KING_UNIT;

/// The distance of a square that is not reached at all: further than any that is, by more than a king needs.
const UNREACHED: u8 = u8::MAX;

/// How a square is shared by distance, each number positive where black is closer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Whose queen distance is smaller: 1 black's, -1 white's, 0 equal.
    pub queen: i8,
    /// By how many king steps black is closer, at most six; six if black alone reaches the square.
    pub king: i8,
}

impl Share {
    /// From 1, black's, to -1, white's: the mean of the sign of the queen distances and a sixth of the lead
    /// in king steps. 0 where both are as close, and where an arrow lies.
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
    std::array::from_fn(|at| Share {
        queen: queen[1][at].cmp(&queen[0][at]) as i8,
        king: lead(king[0][at], king[1][at]),
    })
}

/// By how much `own` is smaller, within ± the steps that make a square fully one player's.
fn lead(own: u8, other: u8) -> i8 {
    let most = KING_UNIT as i16;
    (i16::from(other) - i16::from(own)).clamp(-most, most) as i8
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
