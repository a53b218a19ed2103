//! [`legal_choices`]: the squares that may be chosen next in a turn, for the amazon, its destination or its arrow.

use engine::board::{Board, Square, squares};
use engine::movegen;

/// Returns the bitboard of squares that may be chosen next. `chosen` are the squares already chosen in this turn: none,
/// an amazon, or an amazon and its destination.
#[must_use]
pub fn legal_choices(board: &Board, chosen: &[Square]) -> u64 {
    match *chosen {
        [] => movable_amazons(board),
        [from] => targets_from(board, from),
        [from, to, ..] => {
            let mut moved = board.clone();
            moved.move_amazon(from, to);
            targets_from(&moved, to)
        }
    }
}

/// Returns the bitboard of amazons of the side to move that have at least one legal move.
#[must_use]
pub fn movable_amazons(board: &Board) -> u64 {
    squares(board.amazons(board.to_move()))
        .filter(|&from| targets_from(board, from) != 0)
        .fold(0, |set, from| set | from.bit())
}

/// Returns the bitboard of squares that an amazon or arrow reaches from `from`, moving like a chess queen.
fn targets_from(board: &Board, from: Square) -> u64 {
    let mut set = 0;
    movegen::for_each_target(board, from, |square| set |= square.bit());
    set
}
