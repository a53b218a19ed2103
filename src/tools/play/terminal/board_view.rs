//! Draws the board. Shapes and signs tell whatever colours tell.

use super::layout::Layout;
use super::sprite::{self, Pixel, Sprite};
use crate::board::{Board, Cell, Move, Player, SIDE, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
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

/// Characters by the pixels that are inked: top left 1, top right 2, bottom left 4, bottom right 8.
const BLOCKS: [&str; 16] = [
    " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
];

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
        let style = self.ground(square);
        buffer.set_style(rect, style);
        if self.layout.scale == 1 {
            let ink = self.ink(square, Pixel::Line, style);
            buffer.set_string(rect.x, rect.y, format!(" {} ", self.letter(square)), ink);
            return;
        }
        let sprite = self.sprite(square);
        for position in rect.positions() {
            let (column, row) = (position.x - rect.x, position.y - rect.y);
            let pixels = sprite.pixels(column, row, self.layout.scale);
            let (symbol, style) = self.character(square, pixels, style);
            buffer[position].set_symbol(symbol).set_style(style);
        }
        if self.board[square] == Cell::Arrow {
            self.draw_arrow(rect, self.ink(square, Pixel::Line, style), buffer);
        }
    }

    /// Crosses a square out, in thin lines: in the end most squares have an arrow.
    fn draw_arrow(&self, rect: Rect, style: Style, buffer: &mut Buffer) {
        let size = self.layout.scale;
        let x = rect.x + (rect.width - size) / 2;
        for step in 0..size {
            let (left, right, y) = (x + step, x + size - 1 - step, rect.y + step);
            buffer.set_string(left, y, "╲", style);
            buffer.set_string(right, y, if left == right { "╳" } else { "╱" }, style);
        }
    }

    /// The picture on a square.
    fn sprite(&self, square: Square) -> Sprite {
        match self.board[square] {
            Cell::Empty if self.targets & square.bit() != 0 => sprite::of_target(self.layout.scale),
            Cell::Empty if self.owner(square).is_some() => sprite::of_owner(),
            cell => sprite::of_amazon(cell, self.layout.scale),
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

    /// The character for four pixels.
    fn character(
        &self,
        square: Square,
        pixels: [Pixel; 4],
        ground: Style,
    ) -> (&'static str, Style) {
        // A block that is black on one terminal is white on another.
        if !self.colours && pixels != [Pixel::Clear; 4] {
            return (self.letter(square), ground);
        }
        let Some(ink) = pixels.into_iter().find(|&pixel| pixel != Pixel::Clear) else {
            return (self.texture(square), ground);
        };
        let inked = pixels.map(|pixel| usize::from(pixel == ink));
        let symbol = BLOCKS[inked[0] + 2 * inked[1] + 4 * inked[2] + 8 * inked[3]];
        let style = self.ink(square, ink, ground);
        match pixels.into_iter().find(|&pixel| pixel != ink) {
            Some(Pixel::Clear) | None => (symbol, style),
            Some(paper) => (symbol, style.bg(self.colour(square, paper))),
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

    fn ink(&self, square: Square, pixel: Pixel, ground: Style) -> Style {
        match self.colours {
            true => ground.fg(self.colour(square, pixel)),
            false => ground,
        }
    }

    /// The colour of a pixel on a square.
    fn colour(&self, square: Square, pixel: Pixel) -> Color {
        match (self.board[square], pixel) {
            (Cell::Amazon(Player::White), Pixel::Body) => colour::WHITE,
            (Cell::Amazon(Player::White), _) if self.layout.scale == 1 => colour::WHITE,
            (Cell::Arrow, _) => colour::ARROW,
            (Cell::Empty, _) if self.targets & square.bit() != 0 => colour::TARGET,
            (Cell::Empty, _) if self.owner(square) == Some(Player::White) => colour::WHITE,
            _ => colour::BLACK,
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
        // An arrow back to the amazon's origin is numbered beside the origin's number.
        let beside = u16::from(turn.arrow == turn.from);
        let signs = [
            (turn.from, 0, "1"),
            (turn.to, 0, "2"),
            (turn.arrow, beside, "3"),
        ];
        for (square, column, sign) in signs {
            let rect = self.layout.rect(square);
            let style = self.sign_style(colour::BLACK);
            buffer.set_string(rect.x + column, rect.y, sign, style);
        }
    }

    fn draw_cursor(&self, buffer: &mut Buffer) {
        let rect = self.layout.rect(self.cursor);
        let (left, right, top, bottom) = (rect.x, rect.right() - 1, rect.y, rect.bottom() - 1);
        let style = self.sign_style(colour::CURSOR);
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

    fn sign_style(&self, colour: Color) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if self.colours {
            style.fg(colour)
        } else {
            style
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
