//! What the page may ask, as it stands in JSON.

use super::moves;
use engine::board::{Board, Player};
use record::cells;
use record::charset::Candidate;
use record::formats::Format;
use record::replayed::Replayed;
use record::tree::Node;
use serde::Deserialize;
use serde_json::Value;

/// A question; its name stands under `ask`.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Question {
    /// Search the fixed positions of `amazons bench`, so many iterations each.
    Bench { iterations: u64 },
    /// How does a level choose its moves?
    Level { level: usize },
    /// Think on another position.
    Set {
        /// A first position, and moves from there on.
        #[serde(flatten)]
        start: Start,
        moves: Vec<String>,
        /// MiB of the search tree.
        memory_mb: usize,
        /// Whether to forget what is known from the position before.
        #[serde(default)]
        afresh: bool,
    },
    /// Search the position for some milliseconds, up to a number of iterations since it was set.
    Search {
        ms: u64,
        iterations: Option<u64>,
        /// Number of best moves in the answer.
        candidates: usize,
    },
    /// Choose the best of so many random moves of the position.
    Glance { count: usize, seed: u64 },
    /// Read the games of a file, decoded by each character set in which it may be written.
    Read { texts: Vec<Candidate> },
    /// Write a record.
    Write(WholeGame),
    /// Begin the review of a game.
    Review(Task),
    /// Review its next position.
    Next,
    /// Judge the last of some moves from a position, or from the start of the game.
    Try {
        start: Option<Start>,
        moves: Vec<String>,
        #[serde(flatten)]
        effort: Effort,
    },
    /// Why is a position's first line of moves good, and the second one not?
    Why {
        start: Start,
        lines: [Vec<String>; 2],
    },
}

/// A position.
#[derive(Debug, Deserialize)]
pub struct Start {
    /// As in [`cells::read`].
    cells: String,
    /// Who is to move: `black` or `white`.
    to_move: String,
}

impl Start {
    /// The position.
    ///
    /// # Errors
    /// If the squares are none.
    pub fn board(&self) -> Result<Board, String> {
        let to_move = match self.to_move.as_str() {
            "black" => Player::Black,
            "white" => Player::White,
            other => return Err(format!("\"{other}\" to move, expected black or white")),
        };
        cells::read(&self.cells, to_move)
    }

    /// The game that has come from the position by some moves.
    ///
    /// # Errors
    /// If the squares are no position, or a move is illegal.
    pub fn with(&self, words: &[String]) -> Result<Replayed, String> {
        Replayed::at(self.board()?).with(&moves(words)?)
    }
}

/// A game to be written.
#[derive(Debug, Deserialize)]
pub struct WholeGame {
    pub format: Format,
    pub start: Start,
    /// As in [`Record::nodes`](record::tree::Record::nodes).
    pub nodes: Vec<Node>,
    /// Black's and white's.
    pub names: [Option<String>; 2],
    /// Who played, for a match log.
    pub play: Option<Value>,
}

/// How hard a review searches.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Effort {
    /// Iterations for each position.
    pub iterations: u64,
    /// Number of best moves of each position.
    pub candidates: usize,
    /// MiB of each search's tree.
    pub memory_mb: usize,
}

/// A game to be reviewed.
#[derive(Debug, Deserialize)]
pub struct Task {
    /// What the game is called.
    pub title: String,
    /// Its main line from the start, as in [`Record::nodes`](record::tree::Record::nodes).
    pub nodes: Vec<Node>,
    #[serde(flatten)]
    pub effort: Effort,
    /// Nodes that the solver looks at for each position at most.
    pub nodes_to_solve: u64,
}
