//! Pictures of amazons and marks, in pixels: four to a character, each twice as high as wide.

use crate::board::{Cell, Player};

/// One pixel of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixel {
    /// The square shows through.
    Clear,
    /// The line of a drawing.
    Line,
    /// The inside of a drawing.
    Body,
}

/// A picture: `#` for [`Pixel::Line`], `o` for the body.
pub struct Sprite {
    rows: &'static [&'static str],
    /// What the body consists of.
    body: Pixel,
}

impl Sprite {
    /// The four pixels of a character, row by row, with the picture in the middle of a square of so many rows.
    #[must_use]
    pub fn pixels(&self, column: u16, row: u16, scale: u16) -> [Pixel; 4] {
        let (x, y) = (2 * usize::from(column), 2 * usize::from(row));
        let height = 2 * usize::from(scale);
        [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| {
            let row = within(y, height, self.rows.len()).map(|y| self.rows[y].as_bytes());
            match row.and_then(|row| Some(row[within(x, 2 * height, row.len())?])) {
                Some(b'#') => Pixel::Line,
                Some(b'o') => self.body,
                _ => Pixel::Clear,
            }
        })
    }
}

/// The position of a place within something of the given length in the middle of `whole`, if it lies there.
fn within(place: usize, whole: usize, length: usize) -> Option<usize> {
    let place = place.checked_sub((whole - length) / 2)?;
    (place < length).then_some(place)
}

/// The picture of an amazon, where squares have so many rows; nothing else has one. Only white's has a body that is
/// not of the line's colour.
#[must_use]
pub fn of_amazon(cell: Cell, scale: u16) -> Sprite {
    let rows: &[_] = match cell {
        Cell::Amazon(_) if scale >= 4 => &LARGE_AMAZON,
        Cell::Amazon(_) => &AMAZON,
        Cell::Arrow | Cell::Empty | Cell::Border => &[],
    };
    let body = match cell {
        Cell::Amazon(Player::White) => Pixel::Body,
        _ => Pixel::Line,
    };
    Sprite { rows, body }
}

/// The mark of a square that may be chosen, where squares have so many rows.
#[must_use]
pub fn of_target(scale: u16) -> Sprite {
    mark(match scale {
        4.. => &["####", "####"],
        _ => &["##", "##"],
    })
}

/// The mark of a square to which one player is closer.
#[must_use]
pub fn of_owner() -> Sprite {
    mark(&["##"])
}

const fn mark(rows: &'static [&'static str]) -> Sprite {
    let body = Pixel::Line;
    Sprite { rows, body }
}

const AMAZON: [&str; 4] = [
    "..####..", //
    ".#oooo#.", //
    ".#oooo#.", //
    "..####..",
];

const LARGE_AMAZON: [&str; 6] = [
    "##..####..##", //
    "#o##oooo##o#", //
    "#oooooooooo#", //
    ".#oooooooo#.", //
    "..##oooo##..", //
    ".##########.",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A character has but a foreground and a background.
    #[test]
    fn no_character_needs_three_colours() {
        for (cell, scale) in [Player::Black, Player::White]
            .map(Cell::Amazon)
            .into_iter()
            .flat_map(|cell| (2..=4).map(move |scale| (cell, scale)))
        {
            for (column, row) in (0..2 * scale).flat_map(|x| (0..scale).map(move |y| (x, y))) {
                let pixels = of_amazon(cell, scale).pixels(column, row, scale);
                let kinds =
                    [Pixel::Clear, Pixel::Line, Pixel::Body].map(|kind| pixels.contains(&kind));
                assert_ne!(kinds, [true; 3], "{cell} at scale {scale}");
            }
        }
    }
}
