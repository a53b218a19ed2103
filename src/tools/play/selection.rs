//! The chosen squares of a turn, and the squares that may be chosen next.

use crate::board::{Board, Square, squares};
use crate::movegen;

/// The chosen part of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Nothing yet.
    Nothing,
    /// The amazon that is to move.
    Amazon(Square),
    /// The amazon and where it goes; the arrow is still to be shot.
    Walk {
        /// Where the amazon stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
}

impl Selection {
    /// The set of squares that may be chosen next.
    #[must_use]
    pub fn choices(self, board: &Board) -> u64 {
        match self {
            Selection::Nothing => movable(board),
            Selection::Amazon(from) => targets_from(board, from),
            Selection::Walk { from, to } => {
                let mut moved = board.clone();
                moved.move_amazon(from, to);
                targets_from(&moved, to)
            }
        }
    }
}

/// The amazons of the player to move that can move.
#[must_use]
pub fn movable(board: &Board) -> u64 {
    squares(board.amazons(board.to_move()))
        .filter(|&from| targets_from(board, from) != 0)
        .fold(0, |set, from| set | from.bit())
}

/// The squares that a queen on `from` reaches.
fn targets_from(board: &Board, from: Square) -> u64 {
    let mut set = 0;
    movegen::for_each_target(board, from, |square| set |= square.bit());
    set
}
