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
    /// More squares than a turn still needs.
    TooManySquares {
        /// How many were given.
        given: usize,
        /// How many are missing.
        missing: usize,
    },
    /// The square is no legal choice.
    Illegal {
        /// The rule that is broken.
        fault: BrokenRule,
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
        /// The command.
        command: String,
        /// What was expected.
        expected: Expected,
        /// What was there.
        found: String,
    },
    /// Something follows a complete command.
    TooMuch {
        /// The command.
        command: String,
        /// What follows it.
        rest: String,
    },
    /// A word should have been a square.
    Square(ParseMoveError),
    /// A file can't be read or written, and why.
    Tool(String),
}

/// The rule that a choice breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenRule {
    /// One of the rules of a move.
    Rule(IllegalMove),
    /// The amazon can't move.
    ShutIn(Square),
}

impl Refusal {
    /// Why a square is no legal choice.
    ///
    /// # Panics
    /// If it is one.
    #[must_use]
    pub fn illegal(board: &Board, choice: Selection, square: Square) -> Refusal {
        let player = board.to_move();
        let fault = match choice {
            Selection::Nothing if board[square] == Cell::Amazon(player) => {
                BrokenRule::ShutIn(square)
            }
            Selection::Nothing => BrokenRule::Rule(IllegalMove::NotYourAmazon {
                square,
                player,
                found: board[square],
            }),
            // An arrow back to where the amazon came from is always legal: the fault lies with the walk.
            Selection::Amazon(from) => broken_rule(board, from, square, from),
            Selection::Walk { from, to } => broken_rule(board, from, to, square),
        };
        Refusal::Illegal {
            fault,
            choice,
            legal: choice.choices(board),
        }
    }
}

/// The rule that a move breaks.
fn broken_rule(board: &Board, from: Square, to: Square, arrow: Square) -> BrokenRule {
    let rule = board.check(Move { from, to, arrow });
    BrokenRule::Rule(rule.expect_err("the square is no legal choice"))
}

impl From<ToolError> for Refusal {
    fn from(error: ToolError) -> Refusal {
        Refusal::Tool(error.to_string())
    }
}
