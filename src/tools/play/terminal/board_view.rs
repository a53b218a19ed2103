//! [`BoardView`] draws the board of the full-screen interface. In terminals without colours, it uses letters, shaded
//! squares and text styles instead of colours.

use super::layout::Layout;
use super::picture::{OWNER_MARK, PICTURES, Pictures};
use engine::board::{Board, Cell, Move, Player, SIDE, Square};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// Draws a position on the board of the full-screen interface, with highlighted squares and marks.
pub struct BoardView<'a> {
    /// Position and size of the board on the screen.
    pub layout: &'a Layout,
    /// Position to draw.
    pub board: &'a Board,
    /// Squares that may be chosen next in the turn, to mark, as a bitboard (bit n = square n; 0 = a1, 1 = b1).
    pub targets: u64,
    /// Square on which the amazon chosen in this turn is drawn: its destination if one is chosen, else its own square.
    /// `None` if no amazon is chosen.
    pub chosen: Option<Square>,
    /// Last move played, whose three squares are highlighted; `None` at the start.
    pub last_move: Option<Move>,
    /// Suggested move to show as a hint: its three squares are highlighted and numbered 1, 2 and 3. `None` if no hint
    /// is shown.
    pub hint: Option<Move>,
    /// Likely owner of each square (index = square; 0 = a1, 1 = b1), which is marked on empty squares: positive for
    /// black (up to 1), negative for white (down to -1), 0 for neither. `None` if the user has not turned on the marks.
    pub owners: Option<[f32; 64]>,
    /// Square that the keyboard cursor is on.
    pub cursor: Square,
    /// True to use colours. If false, letters, shaded squares and text styles such as bold take their place.
    pub colours: bool,
}

/// Colours of squares and pieces, from the 256-colour palette, which does not depend on the terminal's theme.
pub mod colour {
    use ratatui::style::Color;

    /// Background colours of the light and dark squares of the board: index = (column + row) mod 2.
    pub const SQUARE: [Color; 2] = [Color::Indexed(180), Color::Indexed(137)];
    /// Background colours of the squares of the last move, if light and if dark: index = (column + row) mod 2.
    pub const LAST_MOVE: [Color; 2] = [Color::Indexed(186), Color::Indexed(143)];
    pub const CHOSEN: Color = Color::Indexed(74);
    /// Background colour of the three squares of a hint: amazon, destination, arrow.
    pub const HINT: Color = Color::Indexed(175);
    /// Background colour of a square with an arrow.
    pub const ARROW_SQUARE: Color = Color::Indexed(237);
    /// Background colour of the square that the last arrow hit.
    pub const LAST_ARROW_SQUARE: Color = Color::Indexed(58);
    pub const ARROW: Color = Color::Indexed(247);
    /// Colour in which black amazons, the outline of white amazons and the numbers on a hint's squares are drawn.
    pub const BLACK: Color = Color::Indexed(16);
    pub const WHITE: Color = Color::Indexed(231);
    /// Colour of the marks on squares that may be chosen next.
    pub const TARGET: Color = Color::Indexed(22);
    pub const CURSOR: Color = Color::Indexed(160);
}

/// Text style (besides the colour) of the cursor and of the numbers on a hint's squares.
const MARK_STYLE: Style = Style::new().add_modifier(Modifier::BOLD);

impl BoardView<'_> {
    /// Draws squares and pieces, then the hint, the cursor and the coordinates on top.
    pub fn draw(&self, buffer: &mut Buffer) {
        for square in Square::all() {
            self.draw_square(square, buffer);
        }
        self.draw_hint(buffer);
        self.draw_cursor(buffer);
        self.draw_coordinates(buffer);
    }

    fn draw_square(&self, square: Square, buffer: &mut Buffer) {
        let rect = self.layout.rect(square);
        let background = self.background(square);
        let foreground = self.with_foreground(background, self.foreground(square));
        let Some(pictures) = usize::from(self.layout.square_height).checked_sub(2) else {
            buffer.set_style(rect, background);
            let letter = format!(" {} ", self.letter(square));
            buffer.set_string(rect.x, rect.y, letter, foreground);
            return;
        };
        let pictures = &PICTURES[pictures];
        for position in rect.positions() {
            let texture = self.texture(square);
            buffer[position].set_symbol(texture).set_style(background);
        }
        self.draw_picture(square, self.picture(square, pictures), foreground, buffer);
        if self.colours && self.board[square] == Cell::Amazon(Player::White) {
            let interior = Style::new().fg(colour::WHITE).bg(colour::BLACK);
            self.draw_picture(square, pictures.interior, interior, buffer);
        }
    }

    /// Draws a picture in the middle of a square. `rows` has the picture's lines of characters, from top to bottom;
    /// blanks leave the square's background visible. If colours are off, replaces each block character by the letter of
    /// the square, such as `B`; pictures of arrows stay the same.
    fn draw_picture(&self, square: Square, rows: &[&str], style: Style, buffer: &mut Buffer) {
        let rect = self.layout.rect(square);
        let is_arrow = self.board[square] == Cell::Arrow;
        let top = rect.y + (rect.height - rows.len() as u16) / 2;
        for (row, y) in rows.iter().zip(top..) {
            let left = rect.x + (rect.width - row.chars().count() as u16) / 2;
            for (symbol, x) in row.chars().zip(left..).filter(|&(symbol, _)| symbol != ' ') {
                match self.colours || is_arrow {
                    true => buffer[(x, y)].set_char(symbol),
                    false => buffer[(x, y)].set_symbol(self.letter(square)),
                };
                buffer[(x, y)].set_style(style);
            }
        }
    }

    /// Returns the picture of the amazon, arrow or mark on a square, as lines of characters. Empty if the square has
    /// none of these. `pictures` has the pictures for the current size of the squares.
    fn picture(&self, square: Square, pictures: &Pictures) -> &'static [&'static str] {
        match self.board[square] {
            Cell::Amazon(_) => pictures.amazon,
            Cell::Arrow => pictures.arrow,
            Cell::Empty if self.targets & square.bit() != 0 => pictures.target,
            Cell::Empty if self.owner(square).is_some() => OWNER_MARK,
            Cell::Empty | Cell::Border => &[],
        }
    }

    /// Returns the player who is likely to own the empty square `square`. `None` if it is likely to be neither's, if it
    /// is occupied, or if the user has not turned on the marks of likely owners.
    fn owner(&self, square: Square) -> Option<Player> {
        let owner = self.owners.as_ref()?[square.index()];
        match owner {
            _ if self.board[square] != Cell::Empty || owner == 0.0 => None,
            _ if owner > 0.0 => Some(Player::Black),
            _ => Some(Player::White),
        }
    }

    /// Returns one character for what is on a square, such as `B` for a black amazon. The character replaces the whole
    /// picture if squares are one row high. If colours are off, it replaces the block characters in the picture.
    fn letter(&self, square: Square) -> &'static str {
        match self.board[square] {
            Cell::Amazon(Player::Black) => "B",
            Cell::Amazon(Player::White) => "W",
            Cell::Arrow => "x",
            _ if self.targets & square.bit() != 0 => "+",
            _ if let Some(owner) = self.owner(square) => match (owner, self.colours) {
                (_, true) => "·",
                (Player::Black, false) => "b",
                (Player::White, false) => "w",
            },
            _ if self.colours => " ",
            _ => ".",
        }
    }

    /// Returns the character that fills the background of a square: `░` or a blank. Without colours, `░` fills empty
    /// dark squares, to tell them from light squares; but squares that may be chosen next have a blank.
    fn texture(&self, square: Square) -> &'static str {
        let is_free = self.board[square] == Cell::Empty && self.targets & square.bit() == 0;
        let is_shaded = is_free && shade(square) == 1 && !self.colours;
        if is_shaded { "░" } else { " " }
    }

    /// Returns the colour in which the amazon, arrow or mark on a square is drawn; for the picture of a white amazon,
    /// the colour of its outline.
    fn foreground(&self, square: Square) -> Color {
        match self.board[square] {
            Cell::Amazon(Player::White) if self.layout.square_height == 1 => colour::WHITE,
            Cell::Arrow => colour::ARROW,
            Cell::Empty if self.targets & square.bit() != 0 => colour::TARGET,
            Cell::Empty if self.owner(square) == Some(Player::White) => colour::WHITE,
            _ => colour::BLACK,
        }
    }

    /// Adds `foreground` as text colour to `style`; returns `style` unchanged if colours are off.
    const fn with_foreground(&self, style: Style, foreground: Color) -> Style {
        match self.colours {
            true => style.fg(foreground),
            false => style,
        }
    }

    /// Returns the style of a square's background, which highlights the chosen square and the squares of the last move.
    /// With colours, the style is a background colour. Without colours, the chosen square has reversed text; the
    /// squares of the last move have bold, underlined text.
    fn background(&self, square: Square) -> Style {
        let is_in = |turn: Option<Move>| {
            turn.is_some_and(|turn| [turn.from, turn.to, turn.arrow].contains(&square))
        };
        let (chosen, last) = (self.chosen == Some(square), is_in(self.last_move));
        if !self.colours {
            return Style::new().add_modifier(match (chosen, last) {
                (true, _) => Modifier::REVERSED,
                (false, true) => Modifier::BOLD | Modifier::UNDERLINED,
                (false, false) => Modifier::empty(),
            });
        }
        Style::new().bg(match self.board[square] {
            _ if chosen => colour::CHOSEN,
            _ if is_in(self.hint) => colour::HINT,
            Cell::Arrow if last => colour::LAST_ARROW_SQUARE,
            Cell::Arrow => colour::ARROW_SQUARE,
            _ if last => colour::LAST_MOVE[shade(square)],
            _ => colour::SQUARE[shade(square)],
        })
    }

    /// Draws numbers on the three squares of the hint: 1 for the amazon, 2 for its destination, 3 for the arrow's
    /// square.
    fn draw_hint(&self, buffer: &mut Buffer) {
        let Some(turn) = self.hint else { return };
        let squares = [turn.from, turn.to, turn.arrow].into_iter();
        for (square, symbol) in squares.zip(["1", "2", "3"]) {
            let rect = self.layout.rect(square);
            // The arrow may hit the square from which the amazon moved, where the number `1` is drawn. The number `3`
            // is then drawn one column further right.
            let beside = u16::from(symbol == "3" && square == turn.from);
            let style = self.with_foreground(MARK_STYLE, colour::BLACK);
            buffer.set_string(rect.x + beside, rect.y, symbol, style);
        }
    }

    fn draw_cursor(&self, buffer: &mut Buffer) {
        let rect = self.layout.rect(self.cursor);
        let (left, right, top, bottom) = (rect.x, rect.right() - 1, rect.y, rect.bottom() - 1);
        let style = self.with_foreground(MARK_STYLE, colour::CURSOR);
        if self.layout.square_height == 1 {
            buffer.set_string(left, top, "[", style);
            buffer.set_string(right, top, "]", style);
            return;
        }
        for (x, y, corner) in [
            (left, top, "▛"),
            (right, top, "▜"),
            (left, bottom, "▙"),
            (right, bottom, "▟"),
        ] {
            buffer.set_string(x, y, corner, style);
        }
    }

    /// Draws file letters (a to h) above the board and rank numbers (1 to 8) to its left. The letter and the number of
    /// the square under the cursor are in reverse video.
    fn draw_coordinates(&self, buffer: &mut Buffer) {
        let style = |of_cursor: bool| match of_cursor {
            true => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
            false => Style::new().add_modifier(Modifier::DIM),
        };
        for place in 0..SIDE as u8 {
            let square = Square::new(place, place).expect("on the board");
            let rect = self.layout.rect(square);
            let (file, rank) = (char::from(b'a' + place), place + 1);
            let (x, y) = (rect.x + (rect.width - 1) / 2, self.layout.squares.y - 1);
            let at_cursor = style(place == self.cursor.x());
            buffer.set_string(x, y, file.to_string(), at_cursor);
            let (x, y) = (self.layout.squares.x - 2, rect.y + (rect.height - 1) / 2);
            let at_cursor = style(place == self.cursor.y());
            buffer.set_string(x, y, rank.to_string(), at_cursor);
        }
    }
}

/// Returns 0 if a square of the chequered board is drawn light, 1 if dark: (column + row) mod 2; a1 is light.
fn shade(square: Square) -> usize {
    usize::from((square.x() + square.y()) % 2)
}
