//! [`legal_choices`]: the squares that may be chosen next in a turn, for the amazon, its destination or its arrow.

use engine::board::{Board, Square, squares};
use engine::movegen;

/// Returns the squares that may be chosen next in a turn, as a bitboard (bit n = square n; 0 = a1, 1 = b1). `chosen`
/// has the squares chosen so far:
///
/// - none: returns the amazons that can move
/// - an amazon: returns its possible destinations
/// - an amazon and its destination: returns the squares for its arrow
#[must_use]
pub fn legal_choices(board: &Board, chosen: &[Square]) -> u64 {
    match *chosen {
        [] => movable_amazons(board),
        [from] => squares_reached_from(board, from),
        [from, to, ..] => {
            let mut moved = board.clone();
            moved.move_amazon(from, to);
            squares_reached_from(&moved, to)
        }
    }
}

/// Returns the squares of those amazons of the side to move that have a legal move, as a bitboard (bit n = square n; 0
/// = a1, 1 = b1).
#[must_use]
pub fn movable_amazons(board: &Board) -> u64 {
    squares(board.amazons(board.to_move()))
        .filter(|&from| squares_reached_from(board, from) != 0)
        .fold(0, |set, from| set | from.bit())
}

/// Returns the squares to which an amazon on `from` can move, or at which it can shoot, as a bitboard (bit n = square
/// n; 0 = a1, 1 = b1). Amazons and arrows move like a chess queen, over empty squares to an empty square.
fn squares_reached_from(board: &Board, from: Square) -> u64 {
    let mut set = 0;
    movegen::for_each_target(board, from, |square| set |= square.bit());
    set
}
