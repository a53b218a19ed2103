//! The type [`Move`]: a whole turn (amazon's move and arrow shot), with conversions from and to coordinates and text.

use super::Square;
use std::fmt;
use std::str::FromStr;

/// A whole turn: an amazon moves from `from` to `to` and shoots an arrow to `arrow`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Square from which the amazon moves.
    pub from: Square,
    /// Square to which the amazon moves.
    pub to: Square,
    /// Square on which the arrow lands.
    pub arrow: Square,
}

impl Move {
    /// Returns the move in the notation of Botzone's protocol: six coordinates `x0 y0 x1 y1 x2 y2`, column and row of
    /// the start square, the end square and the arrow. Columns 0 to 7 stand for a to h, rows 0 to 7 for 1 to 8.
    #[must_use]
    pub const fn coordinates(self) -> [u8; 6] {
        let Move { from, to, arrow } = self;
        [from.x(), from.y(), to.x(), to.y(), arrow.x(), arrow.y()]
    }

    /// Builds a move from the six coordinates of Botzone's protocol, from 0 to 7: column and row of the start square,
    /// the end square and the arrow. Does not check whether the move is legal.
    ///
    /// # Errors
    /// [`ParseMoveError::OffBoard`] with the first square that has a coordinate below 0 or above 7.
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

/// Reason why a text is not a square or a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseMoveError {
    /// A square is off the board: its column or its row is below 0 or above 7.
    OffBoard {
        /// Column of the square as it was given, counted from 0. It may be any integer; columns on the board are 0 to
        /// 7.
        x: i64,
        /// Row of the square as it was given, counted from 0. It may be any integer; rows on the board are 0 to 7.
        y: i64,
    },
    /// A part of the text is not the name of a square; the names are `a1` to `h8`. The value is this part. A text of
    /// six coordinates, such as `2 0 2 5 5 5`, does not cause this error: it needs no names of squares.
    NotASquare(String),
    /// The text consists of squares, but a move needs exactly three. The value is the number of squares in the text.
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
                    "expected six coordinates \"x0 y0 x1 y1 x2 y2\" or three squares \"c1 c6 b5\", found {count} {noun}"
                )
            }
        }
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Parses a move: three squares such as `c1 c6 f6`, or six coordinates such as `2 0 2 5 5 5`, in any notation that
    /// [`parse_squares`] accepts.
    ///
    /// ```
    /// use engine::board::Move;
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

/// Tests if a character may separate the squares of a move in a text: white space, hyphen, en dash, slash, comma, or a
/// parenthesis (also a full-width one).
fn is_separator(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '-' | '–' | '/' | ',' | '(' | ')' | '（' | '）')
}

/// Parses a sequence of squares as people type moves: `c1 c6 f6`, `c1-c6/f6`, `c1-c6(f6)`, `c1,c6,f6`, `c1c6f6` and
/// mixtures. Also accepts six coordinates (column and row of three squares, from 0), such as `2 0 2 5 5 5`. Returns the
/// squares in the order of the text, any number of them; the caller must check how many there are.
///
/// # Errors
/// - [`ParseMoveError::NotASquare`] with the first part of the text that is not a square.
/// - [`ParseMoveError::OffBoard`] with the first of three pairs of coordinates that is outside the board.
pub fn parse_squares(text: &str) -> Result<Vec<Square>, ParseMoveError> {
    if let Some(numbers) = six_numbers(text) {
        let Move { from, to, arrow } = Move::from_coordinates(numbers)?;
        return Ok(vec![from, to, arrow]);
    }
    let mut squares = Vec::new();
    for word in text.split(is_separator) {
        // Squares may follow each other without a separator, as in `c1c6f6`. A word of odd length or with non-ASCII
        // letters cannot be such a sequence; it is parsed as one square, so that the error contains the whole word.
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

/// Parses a text of exactly six integers separated by white space. Returns `None` for any other text.
fn six_numbers(text: &str) -> Option<[i64; 6]> {
    let numbers: Result<Vec<i64>, _> = text.split_whitespace().map(str::parse).collect();
    numbers.ok()?.try_into().ok()
}
