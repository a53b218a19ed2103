//! Messages of the game, without their wording: notes, states, questions.

use super::command::Action;
use super::player_kind::PlayerKind;
use super::selection::Selection;
use crate::board::{Move, Player, Square};
use crate::tools::analysis::analysed::Analysis;
use crate::tools::thinking::mind::Thought;
use std::path::PathBuf;
use std::time::Duration;

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A player has moved.
    Played(Player, Move),
    /// So many turns were taken back.
    TakenBack(usize),
    /// So many turns were played again.
    PlayedAgain(usize),
    /// An earlier game, with so many turns, is back.
    BackInGame(usize),
    /// Which squares may be chosen next.
    Legal(Selection, Vec<Square>),
    /// A game has begun.
    NewGame,
    /// The game was written to a file.
    Saved(PathBuf),
    /// So many turns were read from a file.
    Loaded(usize, PathBuf),
    /// A game of so many turns that was left is resumed.
    Continued(usize),
    /// A game of so many turns was left and can be resumed.
    Left(usize),
    /// Who plays black and white from now on.
    Seats([PlayerKind; 2]),
    /// The least time of a turn between two bots.
    Pace(Duration),
    /// The question was answered with no.
    NotDone,
    /// Advice on the position is there.
    Advised(Thought),
    /// What the review of the game has found.
    Reviewed(Box<Analysis>),
    /// The review has begun.
    Reviewing,
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
    /// The game is over.
    Over {
        /// Who has won.
        winner: Player,
    },
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
