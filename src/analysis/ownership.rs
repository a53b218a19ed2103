//! Estimates for each square which player will own it at the end of the game, from the distances of both players'
//! amazons in queen moves and in king moves.
//!
//! The estimate of an empty square is the mean of two numbers, each from 1 (surely black's) to −1 (surely white's). The
//! first compares distances in queen moves, the second distances in king moves: see [`ownership`]. The
//! static evaluation uses the same numbers. Its term “queen territory” is the sum of the first number over all empty
//! squares, its term “king position” the sum of the second.

use engine::bitboard::{Slides, union, with_neighbours};
use engine::board::{Board, Player, squares};
use engine::eval::KING_UNIT;

/// Entry of a distance table for a square that none of a player's amazons can reach; greater than any real distance.
const UNREACHED: u8 = u8::MAX;

/// Estimates the owner of each of the 64 squares at the end of the game, row by row from a1: from 1 (surely black's) to
/// −1 (surely white's).
///
/// - Empty square: the mean of two numbers. First: 1 if black's nearest amazon needs fewer queen moves to the
///   square than white's, −1 if it needs more, 0 if equally many. Second: white's distance from the square in king
///   moves minus black's, divided by 6 and clamped to ±1. If only one player can reach the square, both numbers are
///   1 (black) or −1 (white); if neither can, both are 0.
/// - Square of an amazon: 1 for black's, −1 for white's.
/// - Square of an arrow: 0.
#[must_use]
pub fn ownership(board: &Board) -> [f32; 64] {
    let slides = Slides::over(board.empty());
    let players = [Player::Black, Player::White];
    let queen_step = |from| union(slides.rays_from(from)) & board.empty();
    let king_step = |from| with_neighbours(from) & board.empty();
    let queen = players.map(|player| distances(board, player, queen_step));
    let king = players.map(|player| distances(board, player, king_step));
    std::array::from_fn(|at| {
        let queen = queen[1][at].cmp(&queen[0][at]) as i8;
        let king = (f32::from(king[1][at]) - f32::from(king[0][at])) / KING_UNIT as f32;
        (f32::from(queen) + king.clamp(-1.0, 1.0)) / 2.0
    })
}

/// Returns for each of the 64 squares the number of steps from the player's nearest amazon; [`UNREACHED`] if no amazon
/// can reach the square. `step` maps a bit set of squares to the empty squares that are one step away from them.
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
