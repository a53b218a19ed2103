//! Positions as strings of 64 letters, as the web page uses them. The squares are ordered a1, b1, …, h8; `b` is a black
//! amazon, `w` a white amazon, `x` an arrow, `.` an empty square.

use engine::board::{Board, Cell, Player, Square};
use serde::Serialize;

/// A position in the form that the web page uses: a string with one letter per square, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cells {
    /// One letter per square, in the order a1, b1, …, h8: `b` (black amazon), `w` (white amazon), `x` (arrow) or `.`
    /// (empty).
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

/// Parses a position from `cells`, a string of 64 letters for the squares a1, b1, …, h8: `b` (black amazon), `w` (white
/// amazon), `x` (arrow) or `.` (empty). `to_move` becomes the side to move of the position.
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
    Board::from_bitboards(black, white, arrows, to_move).map_err(|error| error.to_string())
}

/// Writes the squares of `board` as 64 letters, in the order a1, b1, …, h8: `b` (black amazon), `w` (white amazon), `x`
/// (arrow) or `.` (empty).
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
