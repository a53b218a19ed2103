//! Pictures of amazons, arrows and marks, in pixels: half a character high, a character wide.

use crate::board::{Cell, Player};

/// One pixel of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixel {
    /// The square shows through.
    Clear,
    /// The line of a drawing.
    Line,
    /// What a line encloses; without colours it is left blank.
    Body,
}

/// A picture: `#` for [`Pixel::Line`], `o` for [`Pixel::Body`].
pub struct Sprite(&'static [&'static str]);

impl Sprite {
    /// The pixel at a place of a square so many pixels wide and high; the picture is in its middle.
    #[must_use]
    pub fn pixel(&self, x: u16, y: u16, side: u16) -> Pixel {
        let margin = (usize::from(side) - self.0.len()) / 2;
        let at = |place: u16| usize::from(place).checked_sub(margin);
        let row = at(y).and_then(|y| self.0.get(y));
        match row.zip(at(x)).and_then(|(row, x)| row.as_bytes().get(x)) {
            Some(b'#') => Pixel::Line,
            Some(b'o') => Pixel::Body,
            _ => Pixel::Clear,
        }
    }
}

/// The picture of what stands on a square so many pixels wide and high.
#[must_use]
pub fn of_cell(cell: Cell, side: u16) -> Sprite {
    let large = side >= 8;
    Sprite(match cell {
        Cell::Amazon(Player::Black) if large => &BLACK_LARGE,
        Cell::Amazon(Player::Black) => &BLACK,
        Cell::Amazon(Player::White) if large => &WHITE_LARGE,
        Cell::Amazon(Player::White) => &WHITE,
        Cell::Arrow if large => &ARROW_LARGE,
        Cell::Arrow => &ARROW,
        Cell::Empty | Cell::Border => &[],
    })
}

/// The mark of a square that may be chosen.
pub const TARGET: Sprite = Sprite(&["##", "##"]);

const BLACK: [&str; 4] = [
    ".##.", //
    "####", //
    "####", //
    ".##.",
];

const WHITE: [&str; 4] = [
    ".##.", //
    "#oo#", //
    "#oo#", //
    ".##.",
];

const ARROW: [&str; 4] = [
    "#..#", //
    ".##.", //
    ".##.", //
    "#..#",
];

const BLACK_LARGE: [&str; 6] = [
    "#.##.#", //
    "#.##.#", //
    "######", //
    ".####.", //
    ".####.", //
    "######",
];

const WHITE_LARGE: [&str; 6] = [
    "#.##.#", //
    "##oo##", //
    "#oooo#", //
    ".#oo#.", //
    ".#oo#.", //
    "######",
];

const ARROW_LARGE: [&str; 6] = [
    "#....#", //
    ".#..#.", //
    "..##..", //
    "..##..", //
    ".#..#.", //
    "#....#",
];
