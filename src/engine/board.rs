//! The type [`Board`]: a position. Plays moves and takes them back, checks whether they are legal, and draws the
//! position as text.
//!
//! A board stores the position twice, and every change updates both: as an array of cells, and as bitboards of the
//! amazons and of the empty squares, which the evaluation uses. A turn has two parts: an amazon moves, then it shoots
//! an arrow. [`Board::move_amazon`] and [`Board::shoot`] play one part without checking it; [`Board::play`] checks a
//! whole turn against the rules and plays it.

mod illegal;
#[cfg(feature = "serde")]
mod notation;
mod piece;
mod square;
mod whole_turn;

pub use illegal::{ActionKind, IllegalMove, InvalidBoard};
pub use piece::{Cell, Player};
pub(crate) use square::STEPS;
pub use square::{SIDE, Square, squares};
pub use whole_turn::{Move, ParseMoveError, parse_squares};

use square::PADDED_ROW;
use std::fmt;
use std::ops::Index;

/// Maximum number of arrows on the board: 56, one on every square without an amazon.
pub const MAX_ARROWS: usize = SIDE * SIDE - 8;

/// Number of cells in a board's array: ten rows of [`PADDED_ROW`] cells each, for the eight rows of the board and one
/// row of border cells above and below them.
const CELLS: usize = PADDED_ROW * (SIDE + 2);

/// A position: the contents of the 64 squares and the side to move. Each player has four amazons. In the example, the
/// text `c1 c6 f6` is the move of an amazon from c1 to c6, which then shoots an arrow to f6.
///
/// ```
/// use engine::board::{Board, Player};
/// let mut board = Board::start();
/// board.play("c1 c6 f6".parse().unwrap()).unwrap();
/// assert_eq!(board.to_move(), Player::White);
/// assert_eq!(format!("\n{board}"), "
///   a b c d e f g h
/// 1 . . . . . B . .
/// 2 . . . . . . . .
/// 3 B . . . . . . B
/// 4 . . . . . . . .
/// 5 . . . . . . . .
/// 6 W . B . . x . W
/// 7 . . . . . . . .
/// 8 . . W . . W . .
/// ");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [Cell; CELLS],
    amazons: [u64; 2],
    empty: u64,
    to_move: Player,
}

impl Board {
    /// Returns the start position, with black to move.
    #[must_use]
    pub fn start() -> Board {
        let set = |squares: [(u8, u8); 4]| {
            squares
                .iter()
                .fold(0, |set, &(x, y)| set | 1 << (8 * y + x))
        };
        let black = set([(0, 2), (2, 0), (5, 0), (7, 2)]);
        let white = set([(0, 5), (2, 7), (5, 7), (7, 5)]);
        Board::with_pieces([black, white], 0, Player::Black)
    }

    /// Builds a position from three bitboards: black's amazons, white's amazons, and arrows. Bit `8·y + x` of a
    /// bitboard is the square in column `x` and row `y`.
    ///
    /// # Errors
    /// - [`InvalidBoard::SharedSquare`] if two pieces share a square.
    /// - [`InvalidBoard::AmazonCount`] if a player does not have exactly four amazons.
    ///
    /// ```
    /// use engine::board::{Board, InvalidBoard, Player};
    /// let [black, white] = [0xf, 0xf << 56];
    /// let board = Board::from_bitboards(black, white, 0xff << 8, Player::White).unwrap();
    /// assert_eq!((board.arrow_count(), board.to_move()), (8, Player::White));
    /// let five = Board::from_bitboards(0x1f, white, 0, Player::Black);
    /// assert_eq!(five, Err(InvalidBoard::AmazonCount { player: Player::Black, count: 5 }));
    /// ```
    pub fn from_bitboards(
        black: u64,
        white: u64,
        arrows: u64,
        to_move: Player,
    ) -> Result<Board, InvalidBoard> {
        let shared = black & white | (black | white) & arrows;
        if let Some(square) = squares(shared).next() {
            return Err(InvalidBoard::SharedSquare { square });
        }
        for (player, amazons) in [(Player::Black, black), (Player::White, white)] {
            let count = amazons.count_ones();
            if count != 4 {
                return Err(InvalidBoard::AmazonCount { player, count });
            }
        }
        Ok(Board::with_pieces([black, white], arrows, to_move))
    }

    /// Builds a position from three bitboards (black's amazons, white's amazons, arrows) and the side to move. Does not
    /// check whether they are a valid position, unlike [`Board::from_bitboards`].
    fn with_pieces([black, white]: [u64; 2], arrows: u64, to_move: Player) -> Board {
        let mut board = Board {
            cells: [Cell::Border; CELLS],
            amazons: [black, white],
            empty: !(black | white | arrows),
            to_move,
        };
        for square in Square::all() {
            let cell = match square.bit() {
                bit if black & bit != 0 => Cell::Amazon(Player::Black),
                bit if white & bit != 0 => Cell::Amazon(Player::White),
                bit if arrows & bit != 0 => Cell::Arrow,
                _ => Cell::Empty,
            };
            board.set_cell(square, cell);
        }
        board
    }

    /// Returns the side to move: the player who must move an amazon, or shoot the arrow of an amazon that has just
    /// moved.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    /// Makes `player` the side to move. Does not change amazons and arrows.
    pub fn set_to_move(&mut self, player: Player) {
        self.to_move = player;
    }

    /// Returns the bitboard of `player`'s four amazons. Bit `8·y + x` is the square in column `x` (0 = a) and row `y`
    /// (0 = row 1, at the top).
    #[must_use]
    pub const fn amazons(&self, player: Player) -> u64 {
        self.amazons[player as usize]
    }

    /// Returns the bitboard of the empty squares. Bit `8·y + x` is the square in column `x` (0 = a) and row `y` (0 =
    /// row 1, at the top).
    #[must_use]
    pub const fn empty(&self) -> u64 {
        self.empty
    }

    /// Returns the bitboard of the arrows. Bit `8·y + x` is the square in column `x` (0 = a) and row `y` (0 = row 1, at
    /// the top).
    #[must_use]
    pub const fn arrows(&self) -> u64 {
        !(self.empty | self.amazons[0] | self.amazons[1])
    }

    /// Returns the number of arrows on the board, from 0 to 56. In a game in which no player passes, it is the number
    /// of turns played. The evaluation has different weights for different numbers of arrows.
    #[must_use]
    pub const fn arrow_count(&self) -> usize {
        self.arrows().count_ones() as usize
    }

    /// Returns the content of one cell of the board's array, which has border cells around the 64 squares. `padded` is
    /// the index in the array; [`Square::padded`] converts a square to it.
    pub(crate) fn cell(&self, padded: usize) -> Cell {
        self.cells[padded]
    }

    /// Sets the content of `square` in the board's array of cells to `cell`. Does not change the board's bitboards: the
    /// caller must update them, too.
    pub(crate) fn set_cell(&mut self, square: Square, cell: Cell) {
        self.cells[square.padded()] = cell;
    }

    /// Plays the first part of a turn: moves the amazon of the side to move from `from` to `to`. The side to move stays
    /// the same, because the arrow must still be shot.
    ///
    /// Does not check whether the move is legal; [`Board::check`] does that for a whole turn.
    pub fn move_amazon(&mut self, from: Square, to: Square) {
        self.set_cell(to, self[from]);
        self.set_cell(from, Cell::Empty);
        self.amazons[self.to_move as usize] ^= from.bit() | to.bit();
        self.empty ^= from.bit() | to.bit();
    }

    /// Removes an amazon of the side to move from the square `from`, and puts it nowhere else. The caller must make
    /// sure that an amazon of this side stands on `from`.
    ///
    /// Needed to imitate Botzone's judge, the program that checks moves there: when it refuses an illegal move, it has
    /// already removed the amazon from the board.
    pub fn lift_amazon(&mut self, from: Square) {
        self.set_cell(from, Cell::Empty);
        self.amazons[self.to_move as usize] ^= from.bit();
        self.empty ^= from.bit();
    }

    /// Plays the second part of a turn: puts an arrow on `target` and makes the opponent the side to move. The caller
    /// must make sure that `target` is empty.
    pub fn shoot(&mut self, target: Square) {
        self.set_cell(target, Cell::Arrow);
        self.empty ^= target.bit();
        self.to_move = !self.to_move;
    }

    /// Undoes [`Board::shoot`]: removes the arrow from `target` and makes the player who shot it the side to move
    /// again.
    pub fn unshoot(&mut self, target: Square) {
        self.set_cell(target, Cell::Empty);
        self.empty ^= target.bit();
        self.to_move = !self.to_move;
    }

    /// Plays the move `turn` (amazon's move and arrow shot) of the side to move, if it is legal.
    ///
    /// # Errors
    /// The first rule that the move breaks, in the order of [`Board::check`]. The board is then unchanged.
    pub fn play(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.check(turn)?;
        self.move_amazon(turn.from, turn.to);
        self.shoot(turn.arrow);
        Ok(())
    }

    /// Takes back the move `turn` (amazon's move and arrow shot), which must be the last move that was played on this
    /// board. The player who made it is then to move again.
    pub fn take_back(&mut self, turn: Move) {
        self.unshoot(turn.arrow);
        self.move_amazon(turn.to, turn.from);
    }

    /// Checks if the move `turn` is legal for the side to move. The amazon and then the arrow must each go like a chess
    /// queen over empty squares; the square that the amazon leaves counts as empty for the arrow.
    ///
    /// # Errors
    /// The first rule that the move breaks; the amazon is checked first, then the arrow.
    pub fn check(&self, turn: Move) -> Result<(), IllegalMove> {
        let Move { from, to, arrow } = turn;
        if self[from] != Cell::Amazon(self.to_move) {
            return Err(IllegalMove::NotYourAmazon {
                square: from,
                player: self.to_move,
                found: self[from],
            });
        }
        self.check_action(ActionKind::Move, from, to, from)?;
        self.check_action(ActionKind::Shot, to, arrow, from)
    }

    /// Checks if an amazon's move or an arrow shot goes in a straight or diagonal line over empty squares.
    ///
    /// - `action`: whether `from` and `to` belong to an amazon's move or to an arrow shot; needed only for the error.
    /// - `from`, `to`: start and end square of the move or shot.
    /// - `vacated`: the square that the amazon leaves in this turn, which counts as empty.
    ///
    /// # Errors
    /// The rule that the move or shot breaks.
    fn check_action(
        &self,
        action: ActionKind,
        from: Square,
        to: Square,
        vacated: Square,
    ) -> Result<(), IllegalMove> {
        let dx = i32::from(to.x()) - i32::from(from.x());
        let dy = i32::from(to.y()) - i32::from(from.y());
        if dx == 0 && dy == 0 {
            return Err(IllegalMove::StandsStill {
                action,
                square: from,
            });
        }
        if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
            return Err(IllegalMove::NotAQueenLine { action, from, to });
        }
        let step = dx.signum() + dy.signum() * SIDE as i32;
        for distance in 1..=dx.abs().max(dy.abs()) {
            let square = Square::wrapping((from.index() as i32 + step * distance) as u32);
            if self[square] != Cell::Empty && square != vacated {
                return Err(IllegalMove::Blocked {
                    action,
                    square,
                    found: self[square],
                });
            }
        }
        Ok(())
    }
}

impl Index<Square> for Board {
    type Output = Cell;

    fn index(&self, square: Square) -> &Cell {
        &self.cells[square.padded()]
    }
}

impl fmt::Display for Board {
    /// Draws the board as text with eight rows, row 1 at the top: `B` and `W` are amazons, `x` arrows, `.` empty
    /// squares. Letters above and numbers on the left name columns and rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  a b c d e f g h")?;
        for y in 0..SIDE as u8 {
            write!(f, "{}", y + 1)?;
            for x in 0..SIDE as u8 {
                let mark = match self[Square::wrapping((8 * y + x).into())] {
                    Cell::Amazon(Player::Black) => 'B',
                    Cell::Amazon(Player::White) => 'W',
                    Cell::Arrow => 'x',
                    _ => '.',
                };
                write!(f, " {mark}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
