//! Questions that the page may ask, as they stand in JSON.

use super::parse_moves;
use engine::board::{Board, Player};
use record::cells;
use record::charset::Candidate;
use record::checked_game::CheckedGame;
use record::formats::Format;
use record::tree::Node;
use serde::Deserialize;
use serde_json::Value;

/// A question from the page. The JSON field `ask` holds the name of the variant in lower case.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Question {
    /// Searches the fixed positions of `amazons bench` with `iterations` iterations each.
    Bench { iterations: u64 },
    /// Asks how a level chooses its moves.
    Level { level: usize },
    /// Sets the position to search.
    Set {
        /// Start position, from which `moves` lead to the position to search.
        #[serde(flatten)]
        start: StartPosition,
        moves: Vec<String>,
        /// Memory of the search tree in MiB.
        memory_mb: usize,
        /// Whether to discard the search tree of the previous position.
        #[serde(default)]
        afresh: bool,
    },
    /// Searches the position for `ms` milliseconds, or until `iterations` iterations were run since the position was set.
    Search {
        ms: u64,
        iterations: Option<u64>,
        /// Maximum number of best moves in the answer.
        candidates: usize,
    },
    /// Chooses the best of `count` random moves without a search.
    SampleMove { count: usize, seed: u64 },
    /// Explains why the judge rejected `answer`, given as in a match log, after `moves` from the start of a game.
    Fault { moves: Vec<String>, answer: String },
    /// Reads the games of a file. `texts` holds its content once per possible character set.
    Read { texts: Vec<Candidate> },
    /// Writes a game record in a file format.
    Write(WriteTask),
    /// Starts the review of a game.
    Review(ReviewTask),
    /// Continues the review by one position.
    Next,
    /// Judges the last of `moves`, which begin at `start` or at the standard start position.
    Try {
        start: Option<StartPosition>,
        moves: Vec<String>,
        #[serde(flatten)]
        limits: SearchLimits,
    },
    /// Asks why the first of two lines of moves from `start` is better than the second.
    Why {
        start: StartPosition,
        lines: [Vec<String>; 2],
    },
}

/// Position as the page sends it.
#[derive(Debug, Deserialize)]
pub struct StartPosition {
    /// The 64 squares as letters, as in [`cells::read`].
    cells: String,
    /// Side to move: `black` or `white`.
    to_move: String,
}

impl StartPosition {
    /// Returns the position as a board.
    ///
    /// # Errors
    /// If `cells` is not a valid position, or `to_move` is not a player.
    pub fn board(&self) -> Result<Board, String> {
        let to_move = match self.to_move.as_str() {
            "black" => Player::Black,
            "white" => Player::White,
            other => return Err(format!("\"{other}\" to move, expected black or white")),
        };
        cells::read(&self.cells, to_move)
    }

    /// Returns the game that begins at this position with the moves in `words`.
    ///
    /// # Errors
    /// If the position is invalid, or a move can't be read or is illegal.
    pub fn game_with(&self, words: &[String]) -> Result<CheckedGame, String> {
        CheckedGame::at(self.board()?).with(&parse_moves(words)?)
    }
}

/// A game to write as text in a file format.
#[derive(Debug, Deserialize)]
pub struct WriteTask {
    pub format: Format,
    pub start: StartPosition,
    /// Moves of the game with its variations, as in [`Record::nodes`](record::tree::Record::nodes).
    pub nodes: Vec<Node>,
    /// Names of black and white.
    pub names: [Option<String>; 2],
    /// Content of the match log's field `play`: who played. Other formats ignore it.
    pub play: Option<Value>,
}

/// Iterations, candidates and memory that each search of a review uses.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct SearchLimits {
    /// Number of iterations per position.
    pub iterations: u64,
    /// Maximum number of best moves to return per position.
    pub candidates: usize,
    /// Memory of each search tree in MiB.
    pub memory_mb: usize,
}

/// A game to review, with the limits of its searches.
#[derive(Debug, Deserialize)]
pub struct ReviewTask {
    /// Title of the game in the analysis.
    pub title: String,
    /// Main line of the game from the start, as in [`Record::nodes`](record::tree::Record::nodes).
    pub nodes: Vec<Node>,
    #[serde(flatten)]
    pub limits: SearchLimits,
    /// Maximum number of nodes that the solver searches per position.
    pub nodes_to_solve: u64,
}
