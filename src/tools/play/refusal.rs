//! Reasons why something was not done, in no language yet.

use super::command::Expected;
use super::selection::Selection;
use crate::board::{Board, Cell, IllegalMove, Move, ParseMoveError, Player, Square};
use crate::tools::analysis::glossary::Term;
use crate::tools::support::error::ToolError;

/// Reasons why a request was not carried out: what is wrong with it, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// For a reason that is always the same.
    Because(Term),
    /// The game is over: the player has won.
    Over(Player),
    /// It is a bot's turn.
    BotsTurn(Player),
    /// So many squares were given, and the turn needs only so many more.
    TooManySquares(usize, usize),
    /// The amazon on the square can't move; the set of squares holds those that can.
    ShutIn(Square, u64),
    /// The square is no legal choice.
    Illegal {
        /// The rule that is broken.
        fault: IllegalMove,
        /// What is to be chosen.
        choice: Selection,
        /// The set of squares that may be chosen.
        legal: u64,
    },
    /// The game has only so many turns, fewer than are to be shown.
    NoSuchTurn(usize),
    /// The first word is neither a command nor a square.
    Unknown(String),
    /// The argument of a command is missing or something else.
    Expected {
        command: String,
        /// What was expected.
        expected: Expected,
        /// What was there.
        found: String,
    },
    /// Something follows a complete command.
    TooMuch {
        command: String,
        /// What follows it.
        rest: String,
    },
    /// A word should have been a square.
    Square(ParseMoveError),
    /// A file can't be read or written, and why.
    Tool(String),
}

impl Refusal {
    /// Why a square is no legal choice.
    ///
    /// # Panics
    /// If it is one.
    #[must_use]
    pub fn illegal(board: &Board, choice: Selection, square: Square) -> Refusal {
        let (player, legal) = (board.to_move(), choice.choices(board));
        let broken = |from, to, arrow| {
            let rule = board.check(Move { from, to, arrow });
            rule.expect_err("the square is no legal choice")
        };
        let fault = match choice {
            Selection::Nothing if board[square] == Cell::Amazon(player) => {
                return Refusal::ShutIn(square, legal);
            }
            Selection::Nothing => IllegalMove::NotYourAmazon {
                square,
                player,
                found: board[square],
            },
            // An arrow back to where the amazon came from is always legal: the fault lies with the walk.
            Selection::Amazon(from) => broken(from, square, from),
            Selection::Walk { from, to } => broken(from, to, square),
        };
        Refusal::Illegal {
            fault,
            choice,
            legal,
        }
    }
}

impl From<ToolError> for Refusal {
    fn from(error: ToolError) -> Refusal {
        Refusal::Tool(error.to_string())
    }
}
