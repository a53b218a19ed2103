//! Squares: their coordinates, names and sets, and their cells in the padded array of the board.

use super::ParseMoveError;
use std::fmt;
use std::str::FromStr;

/// Number of squares along one side of the board.
pub const SIDE: usize = 8;

/// Cells in a row of the padded array: eight squares, a border cell on each side, and padding to a power of two, so
/// that coordinates follow by shifts.
pub(super) const PADDED_ROW: usize = 16;

/// The eight queen directions as steps in the padded array.
pub(crate) const STEPS: [isize; 8] = {
    let row = PADDED_ROW as isize;
    [-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1]
};

/// One of the 64 squares; `x` grows to the right, `y` grows downwards, `index = 8·y + x`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square at column `x` and row `y`, or nothing if a coordinate is 8 or more.
    ///
    /// ```
    /// use crate::board::Square;
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

    /// The square with the given index, taken modulo 64.
    #[must_use]
    pub const fn wrapping(index: u32) -> Square {
        Square(index as u8 & 63)
    }

    /// Column, 0..8 from the left.
    #[must_use]
    pub const fn x(self) -> u8 {
        self.0 & 7
    }

    /// Row, 0..8 from the top.
    #[must_use]
    pub const fn y(self) -> u8 {
        self.0 >> 3
    }

    /// `8·y + x`, 0..64.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds this square alone.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// All squares, by rows from the top.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// Index of the square's cell in the padded array.
    pub(crate) const fn padded(self) -> usize {
        PADDED_ROW * (self.y() as usize + 1) + self.x() as usize + 1
    }

    /// The square of a cell of the padded array; the cell must not be a border cell.
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

/// The squares of a set, from the lowest index up.
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
