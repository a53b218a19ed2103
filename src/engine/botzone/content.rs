//! The content of a turn: the record of the game, or one entry of it.

use crate::board::Move;
use crate::console::quoted;
use std::fmt::Display;

/// Limit on the entries of a record or the lines of a turn. A game has at most 57: black's first request, and a move
/// for each of the 56 squares that an arrow can take.
pub const MAX_ENTRIES: usize = 128;

/// One entry of a game's record, as sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A move, not yet checked against the rules.
    Move(Move),
    /// Six times -1: no move comes before black's first.
    Nothing,
    /// Anything else: what was sent and what was expected.
    Unreadable(String),
}

impl Entry {
    /// The entry of six coordinates.
    #[must_use]
    pub fn from_coordinates(coordinates: [i64; 6]) -> Entry {
        if coordinates == [-1; 6] {
            return Entry::Nothing;
        }
        Move::from_coordinates(coordinates)
            .map_or_else(|fault| Entry::Unreadable(fault.to_string()), Entry::Move)
    }

    /// The entry of a text that is not what was expected.
    #[must_use]
    pub fn unreadable(text: &str, expected: impl Display) -> Entry {
        Entry::Unreadable(format!("\"{}\": expected {expected}", quoted(text)))
    }
}

/// What a turn brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The whole record: requests and own responses alternate; a request is first and last. A record of one request may
    /// also be the opponent's answer to our last move.
    History(Vec<Entry>),
    /// A request alone: the game's first one, or the opponent's answer to our last move.
    Request(Entry),
}

impl Turn {
    /// Tests if this appears to be the bot's first turn of a game.
    #[must_use]
    pub fn is_first(&self) -> bool {
        match self {
            Turn::History(entries) => entries.len() < 2,
            Turn::Request(_) => true,
        }
    }
}
