//! Estimates for each square which player will own it at the end of the game, from the distances of both players'
//! amazons in queen moves and in king moves.
//!
//! The static evaluation uses the same distances. The sum of the estimates of all empty squares is the mean of two
//! terms of that evaluation: queen territory and king position.

use engine::bitboard::{Slides, union, with_neighbours};
use engine::board::{Board, Player, squares};
use engine::eval::KING_UNIT;

/// Stands for the distance of a square that none of a player's amazons can reach. It is greater than all distances of
/// reachable squares.
const UNREACHED: u8 = u8::MAX;

/// Estimated owner of each of the 64 squares, indexed row by row from a1: from 1 (black's) to −1 (white's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ownership(pub [f32; 64]);

impl Ownership {
    /// Estimates the owner of each square in a position, from 1 (black's) to −1 (white's):
    ///
    /// - Empty square: the mean of two numbers. The first is 1 if black is nearer in queen moves, −1 if white is
    ///   nearer, 0 otherwise. The second is white's king distance minus black's, divided by 6 and clamped to ±1.
    /// - Square of an amazon: 1 for black's, −1 for white's.
    /// - Square of an arrow: 0.
    #[must_use]
    pub fn in_position(board: &Board) -> Ownership {
        let slides = Slides::over(board.empty());
        let players = [Player::Black, Player::White];
        let queen = players.map(|player| {
            distances(board, player, |from| {
                union(slides.rays_from(from)) & board.empty()
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

/// Returns the distance of every square from the player's nearest amazon, in steps; [`UNREACHED`] if no amazon can
/// reach it. `step` maps a set of squares to the squares one step away.
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
