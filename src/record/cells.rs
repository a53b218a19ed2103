//! A position as the page has it: a letter for every square by rows from a1, `b`, `w`, `x` for an arrow, `.` for none.

use engine::board::{Board, Cell, Player, Square};
use serde::Serialize;

/// A position in letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cells {
    /// The letters of the squares.
    pub cells: String,
    /// Who is to move.
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

/// The board of 64 letters.
///
/// # Errors
/// If there are more or fewer, another letter, or not four amazons of each player.
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

/// The letters of a board.
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
