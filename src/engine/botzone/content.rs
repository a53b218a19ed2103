//! [`TurnInput`], the input of a turn as Botzone sends it: all moves of the game so far, or only the opponent's newest
//! move.

use crate::board::Move;
use crate::console::quoted;
use std::fmt::Display;

/// Maximum number of moves that the bot reads as the input of one turn. After the same number of unusable lines before
/// its first answer, the bot answers. A real game needs at most 57: "no move" for black's first turn, and one move for
/// each of the 56 squares that can receive an arrow.
pub const MAX_ENTRIES: usize = 128;

/// One move as received in the input of a turn. It is parsed but not checked against the rules, so it may be illegal,
/// missing or unreadable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Move with all coordinates on the board. It may be illegal.
    Move(Move),
    /// No move was played, because it is the first turn of the game. Black then receives -1 for all six coordinates.
    Nothing,
    /// Input that is not a move. The string is an error message: it quotes the input and says what was expected.
    Unreadable(String),
}

impl Entry {
    /// Converts six coordinates `[x0, y0, x1, y1, x2, y2]`, of the amazon's start, its destination and the arrow.
    /// Returns [`Entry::Nothing`] if all are -1, [`Entry::Unreadable`] if one is outside 0 to 7, otherwise
    /// [`Entry::Move`].
    #[must_use]
    pub fn from_coordinates(coordinates: [i64; 6]) -> Entry {
        if coordinates == [-1; 6] {
            return Entry::Nothing;
        }
        Move::from_coordinates(coordinates)
            .map_or_else(|fault| Entry::Unreadable(fault.to_string()), Entry::Move)
    }

    /// Returns an [`Entry::Unreadable`] for the input `text`. Its error message is `"text": expected …`; `text` is
    /// shortened and escaped, and the argument `expected` stands in place of `…`.
    #[must_use]
    pub fn unreadable(text: &str, expected: impl Display) -> Entry {
        Entry::Unreadable(format!("\"{}\": expected {expected}", quoted(text)))
    }
}

/// Moves that the platform sends as the input of one turn, in either protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnInput {
    /// All moves of the game so far, in order. The opponent's moves (requests) alternate with the bot's (responses),
    /// and the first and the last are requests. If the bot plays black, the first request is [`Entry::Nothing`]. After
    /// the bot's first turn, a list with a single move may also be the opponent's newest move.
    History(Vec<Entry>),
    /// Only the newest request: the opponent's last move, or [`Entry::Nothing`] in black's first turn.
    Request(Entry),
}

impl TurnInput {
    /// Tests if the bot's first turn of a game can have this input: it contains at most one move.
    #[must_use]
    pub fn is_first(&self) -> bool {
        match self {
            TurnInput::History(entries) => entries.len() < 2,
            TurnInput::Request(_) => true,
        }
    }
}
