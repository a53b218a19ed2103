//! Draws the board. Shapes and signs tell whatever colours tell.

use super::layout::Layout;
use super::picture::{OWNER, PICTURES, Pictures};
use engine::board::{Board, Cell, Move, Player, SIDE, Square};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// The board with everything to draw on it.
pub struct BoardView<'a> {
    pub layout: &'a Layout,
    pub board: &'a Board,
    /// The squares that may be chosen.
    pub targets: u64,
    /// The amazon that is chosen, where it stands now.
    pub chosen: Option<Square>,
    /// The move that was played last.
    pub last: Option<Move>,
    /// The move that is advised.
    pub hint: Option<Move>,
    /// Ownership of each square, from 1 (black) to -1 (white), if it is shown.
    pub owners: Option<[f32; 64]>,
    pub cursor: Square,
    /// Whether the terminal shows colours.
    pub colours: bool,
}

/// The colours of a square, from the 256 that terminals share: a board looks alike on light and dark ones.
pub mod colour {
    use ratatui::style::Color;

    /// Squares of the two shades.
    pub const GROUND: [Color; 2] = [Color::Indexed(180), Color::Indexed(137)];
    /// Squares of the last move.
    pub const LAST: [Color; 2] = [Color::Indexed(186), Color::Indexed(143)];
    pub const CHOSEN: Color = Color::Indexed(74);
    /// Squares of a hint.
    pub const HINT: Color = Color::Indexed(175);
    /// A square with an arrow.
    pub const BURNT: Color = Color::Indexed(237);
    /// The square of the last arrow.
    pub const LAST_BURNT: Color = Color::Indexed(58);
    pub const ARROW: Color = Color::Indexed(247);
    /// Black's amazons, the outline of white's, and signs.
    pub const BLACK: Color = Color::Indexed(16);
    pub const WHITE: Color = Color::Indexed(231);
    /// The mark of a square that may be chosen.
    pub const TARGET: Color = Color::Indexed(22);
    pub const CURSOR: Color = Color::Indexed(160);
}

/// The style of the cursor and of numbers.
const SIGN: Style = Style::new().add_modifier(Modifier::BOLD);

impl BoardView<'_> {
    /// Draws everything.
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
        let ground = self.ground(square);
        let ink = self.inked(ground, self.ink(square));
        let Some(pictures) = usize::from(self.layout.scale).checked_sub(2) else {
            buffer.set_style(rect, ground);
            buffer.set_string(rect.x, rect.y, format!(" {} ", self.letter(square)), ink);
            return;
        };
        let pictures = &PICTURES[pictures];
        for position in rect.positions() {
            let symbol = self.texture(square);
            buffer[position].set_symbol(symbol).set_style(ground);
        }
        self.draw_picture(square, self.picture(square, pictures), ink, buffer);
        if self.colours && self.board[square] == Cell::Amazon(Player::White) {
            let body = Style::new().fg(colour::WHITE).bg(colour::BLACK);
            self.draw_picture(square, pictures.body, body, buffer);
        }
    }

    /// Draws a picture in the middle of a square. Without colours it is made of letters: a block that is black on one
    /// terminal is white on another.
    fn draw_picture(&self, square: Square, rows: &[&str], style: Style, buffer: &mut Buffer) {
        let rect = self.layout.rect(square);
        let is_arrow = self.board[square] == Cell::Arrow;
        let top = rect.y + (rect.height - rows.len() as u16) / 2;
        for (row, y) in rows.iter().zip(top..) {
            let left = rect.x + (rect.width - row.chars().count() as u16) / 2;
            for (sign, x) in row.chars().zip(left..).filter(|&(sign, _)| sign != ' ') {
                match self.colours || is_arrow {
                    true => buffer[(x, y)].set_char(sign),
                    false => buffer[(x, y)].set_symbol(self.letter(square)),
                };
                buffer[(x, y)].set_style(style);
            }
        }
    }

    /// The picture on a square.
    fn picture(&self, square: Square, pictures: &Pictures) -> &'static [&'static str] {
        match self.board[square] {
            Cell::Amazon(_) => pictures.amazon,
            Cell::Arrow => pictures.arrow,
            Cell::Empty if self.targets & square.bit() != 0 => pictures.target,
            Cell::Empty if self.owner(square).is_some() => OWNER,
            Cell::Empty | Cell::Border => &[],
        }
    }

    /// The player closer to an empty square, if territory is shown.
    fn owner(&self, square: Square) -> Option<Player> {
        let owner = self.owners.as_ref()?[square.index()];
        match owner {
            _ if self.board[square] != Cell::Empty || owner == 0.0 => None,
            _ if owner > 0.0 => Some(Player::Black),
            _ => Some(Player::White),
        }
    }

    /// The letter of a square where squares are one row high, or of its picture without colours.
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

    /// The texture of an empty square, by which shades differ without colours.
    fn texture(&self, square: Square) -> &'static str {
        let plain = self.colours || shade(square) == 0 || self.board[square] != Cell::Empty;
        if plain || self.targets & square.bit() != 0 {
            " "
        } else {
            "░"
        }
    }

    /// The colour of what is drawn on a square.
    fn ink(&self, square: Square) -> Color {
        match self.board[square] {
            Cell::Amazon(Player::White) if self.layout.scale == 1 => colour::WHITE,
            Cell::Arrow => colour::ARROW,
            Cell::Empty if self.targets & square.bit() != 0 => colour::TARGET,
            Cell::Empty if self.owner(square) == Some(Player::White) => colour::WHITE,
            _ => colour::BLACK,
        }
    }

    /// A style with ink of a colour, if the terminal shows colours.
    const fn inked(&self, style: Style, ink: Color) -> Style {
        match self.colours {
            true => style.fg(ink),
            false => style,
        }
    }

    /// The style of a square without its piece.
    fn ground(&self, square: Square) -> Style {
        let is_in = |turn: Option<Move>| {
            turn.is_some_and(|turn| [turn.from, turn.to, turn.arrow].contains(&square))
        };
        let (chosen, last) = (self.chosen == Some(square), is_in(self.last));
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
            Cell::Arrow if last => colour::LAST_BURNT,
            Cell::Arrow => colour::BURNT,
            _ if last => colour::LAST[shade(square)],
            _ => colour::GROUND[shade(square)],
        })
    }

    /// Numbers the squares of the hint: from, to, arrow.
    fn draw_hint(&self, buffer: &mut Buffer) {
        let Some(turn) = self.hint else { return };
        for (square, sign) in [turn.from, turn.to, turn.arrow]
            .into_iter()
            .zip(["1", "2", "3"])
        {
            let rect = self.layout.rect(square);
            // An arrow back to the amazon's origin is numbered beside the origin's number.
            let beside = u16::from(sign == "3" && square == turn.from);
            let style = self.inked(SIGN, colour::BLACK);
            buffer.set_string(rect.x + beside, rect.y, sign, style);
        }
    }

    fn draw_cursor(&self, buffer: &mut Buffer) {
        let rect = self.layout.rect(self.cursor);
        let (left, right, top, bottom) = (rect.x, rect.right() - 1, rect.y, rect.bottom() - 1);
        let style = self.inked(SIGN, colour::CURSOR);
        if self.layout.scale == 1 {
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

    /// The files above and the ranks beside the squares, the cursor's own in reverse.
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

/// Which of the two shades a square has.
fn shade(square: Square) -> usize {
    usize::from((square.x() + square.y()) % 2)
}
