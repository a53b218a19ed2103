//! Content of a turn as Botzone sends it: either the whole game record, or only the newest entry.

use crate::board::Move;
use crate::console::quoted;
use std::fmt::Display;

/// Maximum number of entries in a game record, and of unusable lines before the first answer. A real record has at most
/// 57 entries: the empty first request to black, and one move for each of the 56 squares that can hold an arrow.
pub const MAX_ENTRIES: usize = 128;

/// One entry of a game record, parsed but not checked against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A move whose coordinates lie on the board; it may still be illegal.
    Move(Move),
    /// Six times -1, which stands for no move: the first request to black, who moves before the opponent.
    Nothing,
    /// Input that could not be parsed; the string quotes the input and says what was expected.
    Unreadable(String),
}

impl Entry {
    /// Converts six coordinates to an entry: a move, [`Entry::Nothing`] for six times -1, or [`Entry::Unreadable`] if a
    /// coordinate is not on the board. The order is x and y of the amazon's start, its target and the arrow.
    #[must_use]
    pub fn from_coordinates(coordinates: [i64; 6]) -> Entry {
        if coordinates == [-1; 6] {
            return Entry::Nothing;
        }
        Move::from_coordinates(coordinates)
            .map_or_else(|fault| Entry::Unreadable(fault.to_string()), Entry::Move)
    }

    /// Returns an [`Entry::Unreadable`] whose message quotes `text` and says that `expected` was expected instead.
    #[must_use]
    pub fn unreadable(text: &str, expected: impl Display) -> Entry {
        Entry::Unreadable(format!("\"{}\": expected {expected}", quoted(text)))
    }
}

/// What the platform sends in one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The whole game record: requests (moves of the opponent) alternate with responses (moves of the bot), and the
    /// first and last entries are requests. A record of one entry may also be the opponent's answer to the bot's last
    /// move.
    History(Vec<Entry>),
    /// A single request: the first of the game, or the opponent's answer to the bot's last move.
    Request(Entry),
}

impl Turn {
    /// Tests if this can be the bot's first turn of a game: a single request, or a record of fewer than two entries.
    #[must_use]
    pub fn is_first(&self) -> bool {
        match self {
            Turn::History(entries) => entries.len() < 2,
            Turn::Request(_) => true,
        }
    }
}
