//! Legal choices for each part of a turn: the amazon, its destination, and the arrow's square.

use engine::board::{Board, Square, squares};
use engine::movegen;

/// Returns the set of squares that may be chosen next, as a bitboard. `chosen` holds the turn's squares so far: none, an
/// amazon, or an amazon and its destination.
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

/// Returns the amazons of the side to move that have at least one legal move, as a bitboard.
#[must_use]
pub fn movable_amazons(board: &Board) -> u64 {
    squares(board.amazons(board.to_move()))
        .filter(|&from| targets_from(board, from) != 0)
        .fold(0, |set, from| set | from.bit())
}

/// Returns the set of squares that a queen on `from` can reach, as a bitboard.
fn targets_from(board: &Board, from: Square) -> u64 {
    let mut set = 0;
    movegen::for_each_target(board, from, |square| set |= square.bit());
    set
}
