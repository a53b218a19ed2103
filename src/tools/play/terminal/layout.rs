//! [`Layout`]: computes the areas of the full-screen interface from the size of the terminal.

use engine::board::{SIDE, Square};
use ratatui::layout::{Position, Rect, Size};

/// Number of rows of the screen that are not rows of squares: title, file letters, three rows of messages, status line,
/// input and keys.
const OTHER_ROWS: u16 = 8;
/// Number of columns to the left of the board, which show the rank numbers 1 to 8.
const RANK_COLUMNS: u16 = 3;
/// Minimum width of the terminal in columns, so that the texts below the board fit.
const MIN_COLUMNS: u16 = 50;
/// Minimum width in columns of the panel beside the board, which shows the players and the list of moves. If fewer
/// columns are left, no panel is shown.
const MIN_PANEL_COLUMNS: u16 = 30;
/// Maximum height of a square, in rows of the terminal.
const MAX_SQUARE_HEIGHT: u16 = 4;

/// Where each part of the full-screen interface is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub title: Rect,
    /// Area of the board's 64 squares, without the letters and numbers around them.
    pub squares: Rect,
    /// Height of a square in rows of the terminal, from 1 to [`MAX_SQUARE_HEIGHT`].
    pub square_height: u16,
    /// Area to the right of the board with the players and the list of moves; `None` if the terminal is too narrow for
    /// it.
    pub panel: Option<Rect>,
    /// Area below the board for messages: the result of the last command, such as an error, or a hint.
    pub message: Rect,
    /// Row for the text about the state of the game, such as who has won or what the side to move has to do.
    pub status: Rect,
    /// Row in which the user types commands.
    pub input: Rect,
    pub keys: Rect,
}

/// Returns the width in columns of a square that is `height` rows high: twice the height, because a character is about
/// twice as high as wide. For height 1 it is 3, so that a letter fits between the two brackets that mark the keyboard
/// cursor.
pub const fn square_width(height: u16) -> u16 {
    if height == 1 { 3 } else { 2 * height }
}

impl Layout {
    /// Size of the smallest terminal that can show the game, in columns and rows.
    pub const MIN_SIZE: Size = Size::new(MIN_COLUMNS, SIDE as u16 + OTHER_ROWS);

    /// Returns the layout with the largest squares that fit into `area`, or `None` if `area` is too small.
    #[must_use]
    pub fn fit(area: Rect) -> Option<Layout> {
        let Size { width, height } = Layout::MIN_SIZE;
        if area.width < width || area.height < height {
            return None;
        }
        let side = SIDE as u16;
        let fits = |square_height: &u16| {
            side * square_height + OTHER_ROWS <= area.height
                && side * square_width(*square_height) + RANK_COLUMNS < area.width
        };
        let square_height = (1..=MAX_SQUARE_HEIGHT).rev().find(fits)?;
        let (width, height) = (side * square_width(square_height), side * square_height);
        let squares = Rect::new(area.x + RANK_COLUMNS, area.y + 2, width, height);
        let lines = |y: u16, height: u16| Rect::new(area.x + 1, y, area.width - 2, height);
        let below = squares.bottom();
        let free = area.right() - squares.right();
        let (x, y) = (squares.right() + 2, squares.y - 1);
        let panel = || Rect::new(x, y, free - 3, squares.height + 1);
        Some(Layout {
            title: lines(area.y, 1),
            squares,
            square_height,
            panel: (free >= MIN_PANEL_COLUMNS + 3).then(panel),
            message: lines(below, area.bottom() - 3 - below),
            status: lines(area.bottom() - 3, 1),
            input: lines(area.bottom() - 2, 1),
            keys: lines(area.bottom() - 1, 1),
        })
    }

    /// Returns the area of the screen that `square` covers.
    #[must_use]
    pub fn rect(&self, square: Square) -> Rect {
        let (width, height) = (square_width(self.square_height), self.square_height);
        let x = self.squares.x + u16::from(square.x()) * width;
        let y = self.squares.y + u16::from(square.y()) * height;
        Rect::new(x, y, width, height)
    }

    /// Returns the square of the board at a place of the screen (column and row), such as that of a mouse click; `None`
    /// if there is none.
    #[must_use]
    pub fn square_at(&self, position: Position) -> Option<Square> {
        Square::all().find(|&square| self.rect(square).contains(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: u16, height: u16) -> Option<Layout> {
        Layout::fit(Rect::new(0, 0, width, height))
    }

    #[test]
    fn squares_grow_with_the_terminal() {
        let Size { width, height } = Layout::MIN_SIZE;
        assert_eq!(layout(width - 1, height), None);
        assert_eq!(layout(width, height - 1), None);
        for (width, height, square_height, panel) in [
            (width, height, 1, false),
            (80, 24, 2, true),
            (120, 40, MAX_SQUARE_HEIGHT, true),
            (60, 24, 2, false),
            (50, 100, 2, false),
            (250, 16, 1, true),
            (400, 100, MAX_SQUARE_HEIGHT, true),
        ] {
            let layout = layout(width, height).expect("large enough");
            let found = (layout.square_height, layout.panel.is_some());
            assert_eq!(found, (square_height, panel), "{width}x{height}");
            let area = Rect::new(0, 0, width, height);
            for part in [
                layout.title,
                layout.squares,
                layout.message,
                layout.status,
                layout.keys,
            ] {
                assert_eq!(part.intersection(area), part, "{width}x{height}");
                assert!(part.height > 0, "{width}x{height}");
            }
        }
    }
}
