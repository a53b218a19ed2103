//! Contents of a turn as Botzone sends it: the whole record of the game, or its last entry.

use crate::board::Move;
use crate::console::quoted;
use std::fmt::Display;

/// Maximum number of entries in a record, and of lines in a turn. A real game has at most 57: black's first request,
/// and one move for each of the 56 squares that can hold an arrow.
pub const MAX_ENTRIES: usize = 128;

/// One entry of a game's record, as Botzone sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A move that was not checked against the rules.
    Move(Move),
    /// Six times -1: sent to black on the first turn, which has no move before it.
    Nothing,
    /// Input that could not be parsed; the text quotes it and says what was expected.
    Unreadable(String),
}

impl Entry {
    /// Classifies six coordinates as a move, [`Entry::Nothing`] or [`Entry::Unreadable`].
    #[must_use]
    pub fn from_coordinates(coordinates: [i64; 6]) -> Entry {
        if coordinates == [-1; 6] {
            return Entry::Nothing;
        }
        Move::from_coordinates(coordinates)
            .map_or_else(|fault| Entry::Unreadable(fault.to_string()), Entry::Move)
    }

    /// Builds the error entry for `text`, in place of which `expected` was expected.
    #[must_use]
    pub fn unreadable(text: &str, expected: impl Display) -> Entry {
        Entry::Unreadable(format!("\"{}\": expected {expected}", quoted(text)))
    }
}

/// Content of one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The whole record: requests alternate with the bot's own responses, and the first and last entries are requests.
    /// A single request can also be the opponent's answer to the bot's last move.
    History(Vec<Entry>),
    /// One request: the first of the game, or the opponent's answer to the bot's last move.
    Request(Entry),
}

impl Turn {
    /// Tests if this seems to be the bot's first turn of a game.
    #[must_use]
    pub fn is_first(&self) -> bool {
        match self {
            Turn::History(entries) => entries.len() < 2,
            Turn::Request(_) => true,
        }
    }
}
