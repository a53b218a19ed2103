//! The board: squares, players, moves, playing them and taking them back, drawing and notation.
//!
//! The array of cells is the truth. Sets of amazons and of empty squares are kept in step with it, because the
//! evaluation works on sets. A turn has two halves: an amazon moves, then it shoots. [`Board::move_amazon`] and
//! [`Board::shoot`] play one half each, unchecked; [`Board::play`] checks every rule and plays both.

use std::fmt;
use std::ops::{Index, Not};
use std::str::FromStr;

/// Number of squares along one side of the board.
pub const SIDE: usize = 8;

/// Number of arrows on a full board: one on every square without an amazon.
pub const MAX_ARROWS: usize = SIDE * SIDE - 8;

/// Cells in a row of the padded array: eight squares, a border cell on each side, and padding to a power of two, so
/// that coordinates follow by shifts.
const PADDED_ROW: usize = 16;

/// Cells of the padded array, with a border row above and one below.
const CELLS: usize = PADDED_ROW * (SIDE + 2);

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
    /// use amazons::board::Square;
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

/// What stands on a cell of the padded array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// An amazon of the player.
    Amazon(Player),
    /// An arrow.
    Arrow,
    /// Beyond the edge of the board.
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

/// A whole turn: an amazon moves from `from` to `to` and shoots an arrow to `arrow`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the amazon stood.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// Where its arrow lands.
    pub arrow: Square,
}

impl Move {
    /// The six coordinates `x0 y0 x1 y1 x2 y2` of the platform: from, to, arrow.
    #[must_use]
    pub const fn coordinates(self) -> [u8; 6] {
        let Move { from, to, arrow } = self;
        [from.x(), from.y(), to.x(), to.y(), arrow.x(), arrow.y()]
    }

    /// The move with the six coordinates `x0 y0 x1 y1 x2 y2`.
    ///
    /// # Errors
    /// If a coordinate is outside 0..=7.
    pub fn from_coordinates(coordinates: [i64; 6]) -> Result<Move, ParseMoveError> {
        let square = |at: usize| {
            let [x, y] = [coordinates[at], coordinates[at + 1]];
            let (column, row) = (u8::try_from(x).ok(), u8::try_from(y).ok());
            column
                .zip(row)
                .and_then(|(x, y)| Square::new(x, y))
                .ok_or(ParseMoveError::OffBoard { x, y })
        };
        Ok(Move {
            from: square(0)?,
            to: square(2)?,
            arrow: square(4)?,
        })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.from, self.to, self.arrow)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a square or a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseMoveError {
    /// A pair of coordinates lies outside 0..=7.
    OffBoard {
        /// The column that was given.
        x: i64,
        /// The row that was given.
        y: i64,
    },
    /// A word is neither a square such as `c1` nor a number.
    NotASquare(String),
    /// The text has neither six numbers nor three squares, but so many squares.
    WrongCount(usize),
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseMoveError::OffBoard { x, y } => {
                write!(f, "({x}, {y}) is off the board: coordinates go from 0 to 7")
            }
            ParseMoveError::NotASquare(word) => {
                write!(f, "\"{word}\" is not a square: expected a1 to h8")
            }
            ParseMoveError::WrongCount(count) => {
                let noun = if *count == 1 { "square" } else { "squares" };
                write!(
                    f,
                    "expected six coordinates \"x0 y0 x1 y1 x2 y2\" or three squares \"c1 c6 f6\", found {count} {noun}"
                )
            }
        }
    }
}

impl std::error::Error for ParseMoveError {}

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

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads a move in any of the forms of [`parse_squares`].
    ///
    /// ```
    /// use amazons::board::Move;
    /// let turn: Move = "2 0 2 5 5 5".parse().unwrap();
    /// assert_eq!(turn.to_string(), "c1 c6 f6");
    /// assert_eq!("c1c6f6".parse(), Ok(turn));
    /// ```
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        match parse_squares(text)?[..] {
            [from, to, arrow] => Ok(Move { from, to, arrow }),
            ref squares => Err(ParseMoveError::WrongCount(squares.len())),
        }
    }
}

/// Reads squares as people type them: `c1 c6 f6`, `c1-c6/f6`, `c1,c6,f6`, `c1c6f6` and mixtures, or the six
/// coordinates of the platform.
///
/// # Errors
/// At the first word that is not a square, or lies off the board.
pub fn parse_squares(text: &str) -> Result<Vec<Square>, ParseMoveError> {
    if let Some(numbers) = six_numbers(text) {
        let Move { from, to, arrow } = Move::from_coordinates(numbers)?;
        return Ok(vec![from, to, arrow]);
    }
    let mut squares = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || "-/,".contains(c)) {
        // A word that can't be cut into pairs is no row of squares: the error names it whole.
        let length = if word.is_ascii() && word.len() % 2 == 0 {
            2
        } else {
            word.len()
        };
        for start in (0..word.len()).step_by(length) {
            squares.push(word[start..start + length].parse()?);
        }
    }
    Ok(squares)
}

/// The numbers of a text that consists of six numbers.
fn six_numbers(text: &str) -> Option<[i64; 6]> {
    let mut words = text.split_whitespace();
    let mut numbers = [0; 6];
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}

/// The two legs of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// The amazon's move.
    Walk,
    /// The arrow's flight.
    Shot,
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Leg::Walk => "the amazon",
            Leg::Shot => "the arrow",
        })
    }
}

/// Which rule a move breaks, and on which square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The first square does not hold an amazon of the player to move.
    NotYourAmazon {
        /// The first square of the move.
        square: Square,
        /// Whose turn it is.
        player: Player,
        /// What stands there instead.
        found: Cell,
    },
    /// A leg ends where it began.
    StandsStill {
        /// Which leg.
        leg: Leg,
        /// Where it begins and ends.
        square: Square,
    },
    /// A leg does not follow a rank, file or diagonal.
    NotAQueenLine {
        /// Which leg.
        leg: Leg,
        /// Where it begins.
        from: Square,
        /// Where it ends.
        to: Square,
    },
    /// Something stands on the way of a leg or on its end.
    Blocked {
        /// Which leg.
        leg: Leg,
        /// The first square that is not free.
        square: Square,
        /// What stands there.
        found: Cell,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::NotYourAmazon {
                square,
                player,
                found,
            } => {
                write!(f, "{square} holds {found}, expected an amazon of {player}")
            }
            IllegalMove::StandsStill { leg, square } => {
                write!(f, "{leg} stays on {square}, expected another square")
            }
            IllegalMove::NotAQueenLine { leg, from, to } => {
                write!(
                    f,
                    "{leg} goes from {from} to {to}, expected a rank, file or diagonal"
                )
            }
            IllegalMove::Blocked { leg, square, found } => {
                write!(f, "{leg} is blocked on {square} by {found}")
            }
        }
    }
}

impl std::error::Error for IllegalMove {}

/// Why sets of squares are not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidBoard {
    /// Two pieces stand on one square.
    SharedSquare {
        /// The first such square.
        square: Square,
    },
    /// A player has more or fewer than four amazons.
    AmazonCount {
        /// The player.
        player: Player,
        /// The number of amazons.
        count: u32,
    },
}

impl fmt::Display for InvalidBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidBoard::SharedSquare { square } => {
                write!(f, "{square} holds two pieces, expected at most one")
            }
            InvalidBoard::AmazonCount { player, count } => {
                write!(f, "{player} has {count} amazons, expected 4")
            }
        }
    }
}

impl std::error::Error for InvalidBoard {}

/// A position: the contents of every square, and the player to move. Each player has four amazons.
///
/// ```
/// use amazons::board::{Board, Player};
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
    /// The position in which every game begins, black to move.
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

    /// The position with the given sets of amazons and arrows. Bit `8·y + x` of a set is the square in column `x`
    /// and row `y`.
    ///
    /// # Errors
    /// If two pieces share a square, or a player has not four amazons.
    ///
    /// ```
    /// use amazons::board::{Board, InvalidBoard, Player};
    /// let [black, white] = [0xf, 0xf << 56];
    /// let board = Board::from_sets(black, white, 0xff << 8, Player::White).unwrap();
    /// assert_eq!((board.arrow_count(), board.to_move()), (8, Player::White));
    /// let five = Board::from_sets(0x1f, white, 0, Player::Black);
    /// assert_eq!(five, Err(InvalidBoard::AmazonCount { player: Player::Black, count: 5 }));
    /// ```
    pub fn from_sets(
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

    /// [`Board::from_sets`] of sets that are known to be right.
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
            board.put(square, cell);
        }
        board
    }

    /// The player whose turn it is.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    /// Makes it the given player's turn.
    pub fn set_to_move(&mut self, player: Player) {
        self.to_move = player;
    }

    /// The set of the player's amazons.
    #[must_use]
    pub const fn amazons(&self, player: Player) -> u64 {
        self.amazons[player as usize]
    }

    /// The set of empty squares.
    #[must_use]
    pub const fn empty(&self) -> u64 {
        self.empty
    }

    /// The set of squares that hold an arrow.
    #[must_use]
    pub const fn arrows(&self) -> u64 {
        !(self.empty | self.amazons[0] | self.amazons[1])
    }

    /// Number of arrows on the board, the measure of a game's phase.
    #[must_use]
    pub const fn arrow_count(&self) -> usize {
        self.arrows().count_ones() as usize
    }

    /// What stands on a cell of the padded array.
    pub(crate) fn cell(&self, padded: usize) -> Cell {
        self.cells[padded]
    }

    /// Changes one cell of the array, and no set.
    pub(crate) fn put(&mut self, square: Square, cell: Cell) {
        self.cells[square.padded()] = cell;
    }

    /// Moves an amazon of the player to move. Its arrow is still to be shot, so the turn does not pass.
    ///
    /// The squares are not checked against the rules: see [`Board::check`].
    #[doc(hidden)]
    pub fn move_amazon(&mut self, from: Square, to: Square) {
        self.put(to, self[from]);
        self.put(from, Cell::Empty);
        self.amazons[self.to_move as usize] ^= from.bit() | to.bit();
        self.empty ^= from.bit() | to.bit();
    }

    /// Puts an arrow on an empty square, which is not checked, and passes the turn.
    #[doc(hidden)]
    pub fn shoot(&mut self, target: Square) {
        self.put(target, Cell::Arrow);
        self.empty ^= target.bit();
        self.to_move = !self.to_move;
    }

    /// Takes back [`Board::shoot`].
    #[doc(hidden)]
    pub fn unshoot(&mut self, target: Square) {
        self.put(target, Cell::Empty);
        self.empty ^= target.bit();
        self.to_move = !self.to_move;
    }

    /// Plays a move of the player to move.
    ///
    /// # Errors
    /// If the move breaks a rule; the board is then as before.
    pub fn play(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.check(turn)?;
        self.move_amazon(turn.from, turn.to);
        self.shoot(turn.arrow);
        Ok(())
    }

    /// Takes back the move that was played last.
    pub fn take_back(&mut self, turn: Move) {
        self.unshoot(turn.arrow);
        self.move_amazon(turn.to, turn.from);
    }

    /// Tests a move of the player to move against the rules of the game.
    ///
    /// # Errors
    /// The first rule that the move breaks.
    pub fn check(&self, turn: Move) -> Result<(), IllegalMove> {
        let Move { from, to, arrow } = turn;
        if self[from] != Cell::Amazon(self.to_move) {
            return Err(IllegalMove::NotYourAmazon {
                square: from,
                player: self.to_move,
                found: self[from],
            });
        }
        self.check_leg(Leg::Walk, from, to, from)?;
        self.check_leg(Leg::Shot, to, arrow, from)
    }

    /// Tests one leg of a turn; `vacated`, the square that the amazon leaves, counts as empty.
    fn check_leg(
        &self,
        leg: Leg,
        from: Square,
        to: Square,
        vacated: Square,
    ) -> Result<(), IllegalMove> {
        let dx = i32::from(to.x()) - i32::from(from.x());
        let dy = i32::from(to.y()) - i32::from(from.y());
        if dx == 0 && dy == 0 {
            return Err(IllegalMove::StandsStill { leg, square: from });
        }
        if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
            return Err(IllegalMove::NotAQueenLine { leg, from, to });
        }
        let step = dx.signum() + dy.signum() * SIDE as i32;
        for distance in 1..=dx.abs().max(dy.abs()) {
            let square = Square::wrapping((from.index() as i32 + step * distance) as u32);
            if self[square] != Cell::Empty && square != vacated {
                return Err(IllegalMove::Blocked {
                    leg,
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
    /// Draws the board: `B` and `W` for amazons, `x` for arrows, `.` for empty squares.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  a b c d e f g h")?;
        for y in 0..SIDE as u8 {
            write!(f, "{}", y + 1)?;
            for x in 0..SIDE as u8 {
                let mark = match self[Square(8 * y + x)] {
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
