//! Estimates who will own each square, from the queen and king distances of both players' amazons.
//!
//! The distances are those of the evaluation. Summed over the board, ownership is the mean of the evaluation's queen territory
//! and king position.

use engine::bitboard::{Slides, union, with_neighbours};
use engine::board::{Board, Player, squares};
use engine::eval::KING_UNIT;

/// Distance of unreachable squares. It exceeds every real distance by more than six king steps, where the lead is clamped.
const UNREACHED: u8 = u8::MAX;

/// Ownership of the 64 squares, indexed row by row from a1: from 1 (black's) to −1 (white's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ownership(pub [f32; 64]);

impl Ownership {
    /// Estimates ownership in a position; positive values favour black.
    ///
    /// The ownership of an empty square is the mean of two numbers: the sign of the lead in queen distance, and a sixth of the
    /// lead in king distance, clamped to ±1. The square of an amazon belongs to its player (±1), and the square of an arrow to
    /// nobody (0).
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
}

/// Returns the number of steps from the player's nearest amazon to every square. `step` maps a set of squares to the squares
/// that are one step away.
fn distances(board: &Board, player: Player, step: impl Fn(u64) -> u64) -> [u8; 64] {
    let mut distances = [UNREACHED; 64];
    let (mut frontier, mut reached) = (board.amazons(player), 0);
    let mut distance = 0;
    while frontier != 0 {
        for square in squares(frontier) {
            distances[square.index()] = distance;
        }
        reached |= frontier;
        frontier = step(frontier) & !reached;
        distance += 1;
    }
    distances
}
