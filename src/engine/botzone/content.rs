//! [`TurnInput`], the input of a turn as Botzone sends it: all moves of the game so far, or only the opponent's newest
//! move.

use crate::board::Move;
use crate::console::quoted;
use std::fmt::Display;

/// Maximum number of moves that the bot reads as the input of one turn. It is also the maximum number of unusable lines
/// that the bot skips before its first answer. A real game needs at most 57 moves: "no move" for black's first turn,
/// and one move for each of the 56 squares that can receive an arrow.
pub const MAX_SENT_MOVES: usize = 128;

/// One move as Botzone sent it, not yet checked against the rules. It may also be missing or unreadable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentMove {
    /// Move whose six coordinates are all from 0 to 7. The move was not checked against the rules and may be illegal.
    Move(Move),
    /// Six coordinates of -1, which black receives in the first turn of the game, because no move has been played yet.
    NoMove,
    /// Text from Botzone that is not a move. The string is an error message, which quotes this text and says what was
    /// expected.
    Unreadable(String),
}

impl SentMove {
    /// Converts six coordinates `[x0, y0, x1, y1, x2, y2]`, of the amazon's start, its destination and the arrow.
    /// Returns [`SentMove::NoMove`] if all are -1, [`SentMove::Unreadable`] if one is outside 0 to 7, otherwise
    /// [`SentMove::Move`].
    #[must_use]
    pub fn from_coordinates(coordinates: [i64; 6]) -> SentMove {
        if coordinates == [-1; 6] {
            return SentMove::NoMove;
        }
        Move::from_coordinates(coordinates)
            .map_or_else(|why| SentMove::Unreadable(why.to_string()), SentMove::Move)
    }

    /// Returns a [`SentMove::Unreadable`] for the input `text`. Its error message is `"text": expected …`, with `text`
    /// shortened and escaped, and with `expected` in place of `…`.
    #[must_use]
    pub fn unreadable(text: &str, expected: impl Display) -> SentMove {
        SentMove::Unreadable(format!("\"{}\": expected {expected}", quoted(text)))
    }
}

/// Moves that the platform sends as the input of one turn, in either protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnInput {
    /// All moves of the game so far, in order. The opponent's moves alternate with the bot's; the first and the last
    /// are the opponent's. If the bot plays black, the first is [`SentMove::NoMove`].
    ///
    /// After the bot's first turn, a list with a single move may instead contain the opponent's newest move. The
    /// function `replayed_game::begins_history` tells the two apart, by the positions in which the move is legal.
    History(Vec<SentMove>),
    /// Only the opponent's newest move, or [`SentMove::NoMove`] if the bot plays black and this is the first turn.
    Request(SentMove),
}

impl TurnInput {
    /// Tests if the input contains at most one move, like the input of the game's first turn. The input of a later turn
    /// can also be a single move, the opponent's newest. Therefore, a caller must also check that the bot has not
    /// answered yet.
    #[must_use]
    pub fn is_first(&self) -> bool {
        match self {
            TurnInput::History(moves) => moves.len() < 2,
            TurnInput::Request(_) => true,
        }
    }
}
