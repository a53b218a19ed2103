//! The types [`Player`] (black or white) and [`Cell`] (the content of a square).

use std::fmt;
use std::ops::Not;

/// One of the two players; black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The player who moves first.
    Black,
    /// The player who moves second.
    White,
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::Black => Player::White,
            Player::White => Player::Black,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Black => "black",
            Player::White => "white",
        })
    }
}

/// Content of one cell of a board's array: one of the 64 squares, or a border cell around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A square without a piece, which amazons and arrows can enter.
    Empty,
    /// An amazon of the given player.
    Amazon(Player),
    /// An arrow, which blocks the square for the rest of the game.
    Arrow,
    /// A cell outside the 8×8 board. It blocks queen moves like an arrow does, so that the listing of moves need not
    /// test whether a move leaves the board.
    Border,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cell::Empty => "an empty square",
            Cell::Amazon(Player::Black) => "a black amazon",
            Cell::Amazon(Player::White) => "a white amazon",
            Cell::Arrow => "an arrow",
            Cell::Border => "the border",
        })
    }
}
