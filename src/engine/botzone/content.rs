//! [`TurnInput`], the input of a turn as Botzone sends it: all moves of the game so far, or only the opponent's newest move.

use crate::board::Move;
use crate::console::quoted;
use std::fmt::Display;

/// Maximum number of moves in the input of a turn, and of unusable lines before the first answer. A real game has at
/// most 57 entries: an empty one for black's first turn, and one for each of the 56 squares that can receive an arrow.
pub const MAX_ENTRIES: usize = 128;

/// A move in the input of a turn, parsed but not checked against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Move with all coordinates on the board. It may be illegal.
    Move(Move),
    /// No move, written as -1 for all six coordinates. Black receives it in its first turn, because no move was played
    /// yet.
    Nothing,
    /// Input that is not a move. The string is an error message: it quotes the input and says what was expected.
    Unreadable(String),
}

impl Entry {
    /// Converts the coordinates `[x0, y0, x1, y1, x2, y2]` of the amazon's start, its destination and the arrow to an
    /// entry. Returns [`Entry::Nothing`] if all are -1, otherwise [`Entry::Unreadable`] if a coordinate is outside 0 to
    /// 7.
    #[must_use]
    pub fn from_coordinates(coordinates: [i64; 6]) -> Entry {
        if coordinates == [-1; 6] {
            return Entry::Nothing;
        }
        Move::from_coordinates(coordinates)
            .map_or_else(|fault| Entry::Unreadable(fault.to_string()), Entry::Move)
    }

    /// Returns an [`Entry::Unreadable`] with the message `"text": expected …`, in which `text` is shortened and
    /// escaped.
    #[must_use]
    pub fn unreadable(text: &str, expected: impl Display) -> Entry {
        Entry::Unreadable(format!("\"{}\": expected {expected}", quoted(text)))
    }
}

/// Moves that the platform sends as the input of one turn, in either protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnInput {
    /// All moves of the game so far, in order: the opponent's moves (requests) alternate with the bot's (responses).
    /// The first and the last are requests; the first request to black is [`Entry::Nothing`]. A list of one entry can
    /// also be the opponent's newest move in a later turn.
    History(Vec<Entry>),
    /// Only the newest request: the opponent's last move, or [`Entry::Nothing`] in black's first turn.
    Request(Entry),
}

impl TurnInput {
    /// Tests if this input is possible in the bot's first turn of a game: it has at most one entry.
    #[must_use]
    pub fn is_first(&self) -> bool {
        match self {
            TurnInput::History(entries) => entries.len() < 2,
            TurnInput::Request(_) => true,
        }
    }
}
