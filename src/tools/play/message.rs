//! Messages of the game, in no language yet: notes, states, questions.

use super::command::Action;
use super::player_kind::PlayerKind;
use super::selection::Selection;
use crate::board::{Move, Player};
use crate::tools::analysis::glossary::Term;
use crate::tools::thinking::mind::Thought;
use std::path::PathBuf;
use std::time::Duration;

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// What is always said alike.
    Said(Term),
    /// What is said of a number of turns.
    OfTurns(Term, usize),
    Played(Player, Move),
    /// The set of squares that may be chosen next.
    Legal(Selection, u64),
    /// The game was written to a file.
    Saved(PathBuf),
    /// So many turns were read from a file; what was assumed of it.
    Loaded(usize, PathBuf, Option<String>),
    /// Who plays black and white from now on.
    Seats([PlayerKind; 2]),
    /// The least time of a turn between two bots.
    Pace(Duration),
    /// Advice on the position is there.
    Advised(Thought),
    /// A step of the primer begins.
    Task(usize),
    /// The primer is done.
    Learned,
    /// The running game can't be kept, and why.
    NotKept(String),
}

/// The state of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Something is asked.
    Asked(Question),
    /// An earlier position is shown.
    Looking {
        /// How many are on the board that is shown.
        ply: usize,
        /// How many there are.
        plies: usize,
    },
    /// The player has won.
    Over(Player),
    /// The bot thinks about the player's move.
    Thinking(Player),
    /// The bot waits with the player's move.
    Paused(Player),
    /// The player is to choose.
    Choose(Player, Selection),
}

/// A question before something would be lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether to write over another game.
    Overwrite(PathBuf),
    /// Whether to leave a game that is not saved.
    Leave(Action),
}
