//! The type [`Square`]: one of the 64 squares of the board. Converts it to and from coordinates, names such as `c1`,
//! bitboards, and indices in a board's array of cells, which has border cells around the squares.

use super::ParseMoveError;
use std::fmt;
use std::str::FromStr;

/// Number of rows and of columns of the board.
pub const SIDE: usize = 8;

/// Number of cells in one row of a board's array: the eight squares of the row and eight border cells. It is a power of
/// two, so that shifts and masks convert an index to coordinates.
pub(super) const PADDED_ROW: usize = 16;

/// Index offsets, in a board's array of cells, for one step in each of a chess queen's eight directions: north-west,
/// north, north-east, west, east, south-west, south, south-east. North is towards row 0, the top row (row 1 in the
/// notation of moves). The array has rows of 16 cells.
pub(crate) const STEPS: [isize; 8] = {
    let row = PADDED_ROW as isize;
    [-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1]
};

/// One of the 64 squares, stored as the index `8·y + x`. Column `x` is 0 for a to 7 for h. Row `y` is 0 for row 1 to 7
/// for row 8. Row 1 is at the top, unlike in chess diagrams. So a1 at the top left has the index 0, h8 at the bottom
/// right 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square in column `x` and row `y`, or `None` if either is greater than 7.
    ///
    /// ```
    /// use engine::board::Square;
    /// assert_eq!(Square::new(2, 0).unwrap().to_string(), "c1");
    /// assert_eq!(Square::new(8, 0), None);
    /// ```
    #[must_use]
    pub const fn new(x: u8, y: u8) -> Option<Square> {
        if x < 8 && y < 8 {
            Some(Square(8 * y + x))
        } else {
            None
        }
    }

    /// Returns the square whose index (`8·y + x`) is `index` modulo 64.
    #[must_use]
    pub const fn wrapping(index: u32) -> Square {
        Square(index as u8 & 63)
    }

    /// Returns the column, from 0 (left, letter a) to 7 (letter h).
    #[must_use]
    pub const fn x(self) -> u8 {
        self.0 & 7
    }

    /// Returns the row, from 0 (row 1 in the notation of moves, at the top of the board) to 7 (row 8, at the bottom).
    #[must_use]
    pub const fn y(self) -> u8 {
        self.0 >> 3
    }

    /// Returns the index `8·y + x`, from 0 to 63.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the bitboard that contains only this square: bit number [`Square::index`] is set.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Iterates over all 64 squares in the order of their indices: a1 to h1, then a2 to h2, and so on up to h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// Returns the index `16·(y + 1) + x + 1` of this square in a board's array of cells, which has border cells around
    /// the squares.
    pub(crate) const fn padded(self) -> usize {
        PADDED_ROW * (self.y() as usize + 1) + self.x() as usize + 1
    }

    /// Returns the square with the index `cell` in a board's array of cells, which must not be the index of a border
    /// cell. Inverse of [`Square::padded`].
    pub(crate) const fn from_padded(cell: usize) -> Square {
        Square((SIDE * (cell / PADDED_ROW - 1) + cell % PADDED_ROW - 1) as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x()), self.y() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Iterates over the squares in the bitboard `set`, from the lowest index to the highest.
pub fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| Square::wrapping(set.trailing_zeros()));
        set &= set.wrapping_sub(1);
        lowest
    })
}

impl FromStr for Square {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Square, ParseMoveError> {
        match text.as_bytes() {
            [column @ (b'a'..=b'h' | b'A'..=b'H'), row @ b'1'..=b'8'] => Ok(Square(
                8 * (row - b'1') + (column.to_ascii_lowercase() - b'a'),
            )),
            _ => Err(ParseMoveError::NotASquare(text.to_owned())),
        }
    }
}
