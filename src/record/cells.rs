//! Positions as strings of 64 letters, the form that the web page uses: rank by rank from a1, `b` for a black amazon, `w` for
//! a white amazon, `x` for an arrow, `.` for an empty square.

use engine::board::{Board, Cell, Player, Square};
use serde::Serialize;

/// A position in the page's form: 64 letters for the squares, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cells {
    /// One letter per square, row by row from a1 (a1, b1, …, h8): `b`, `w` (amazons), `x` (arrow) or `.` (empty).
    pub cells: String,
    /// Side to move.
    pub to_move: Player,
}

impl From<&Board> for Cells {
    fn from(board: &Board) -> Cells {
        Cells {
            cells: write(board),
            to_move: board.to_move(),
        }
    }
}

/// Parses 64 letters, row by row from a1, into a board with `to_move` as the side to move.
///
/// # Errors
/// If the string does not have 64 letters, if a letter is not `b`, `w`, `x` or `.`, or if a player does not have four
/// amazons.
pub fn read(cells: &str, to_move: Player) -> Result<Board, String> {
    let [mut black, mut white, mut arrows] = [0; 3];
    if cells.len() != 64 {
        return Err(format!("{} squares, expected 64", cells.len()));
    }
    for (square, cell) in Square::all().zip(cells.chars()) {
        match cell {
            'b' => black |= square.bit(),
            'w' => white |= square.bit(),
            'x' => arrows |= square.bit(),
            '.' => {}
            other => return Err(format!("{square} holds '{other}', expected b, w, x or .")),
        }
    }
    Board::from_sets(black, white, arrows, to_move).map_err(|error| error.to_string())
}

/// Returns a board's squares as 64 letters, row by row from a1: `b`, `w`, `x` (arrow) or `.` (empty).
#[must_use]
pub fn write(board: &Board) -> String {
    let letter = |square| match board[square] {
        Cell::Amazon(Player::Black) => 'b',
        Cell::Amazon(Player::White) => 'w',
        Cell::Arrow => 'x',
        Cell::Empty | Cell::Border => '.',
    };
    Square::all().map(letter).collect()
}
