//! What the page may ask, as it stands in JSON.

use super::moves;
use crate::board::{Board, Player, Square};
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
    Set(Setting),
    /// Search the position for some milliseconds, up to a number of iterations since it was set.
    Search {
        ms: u64,
        iterations: Option<u64>,
        /// Number of best moves in the answer.
        candidates: usize,
    },
    /// Choose the best of so many random moves of the position.
    Glance { count: usize, seed: u64 },
    /// Read a match log.
    Read { text: String },
    /// Write a match log.
    Write(WholeGame),
    /// Begin the review of a game.
    Review(Task),
    /// Review its next position.
    Next,
    /// Judge the last of some moves from the start.
    Try {
        moves: Vec<String>,
        #[serde(flatten)]
        effort: Effort,
    },
}

/// A position: squares, and moves from there on.
#[derive(Debug, Deserialize)]
pub struct Setting {
    /// A letter for every square by rows from a1: `b`, `w`, `x` for an arrow, `.` for none.
    cells: String,
    /// Who moves first: `black` or `white`.
    to_move: String,
    moves: Vec<String>,
    /// MiB of the search tree.
    pub memory_mb: usize,
    /// Whether to forget what is known from the position before.
    #[serde(default)]
    pub afresh: bool,
}

impl Setting {
    /// The position after the moves.
    ///
    /// # Errors
    /// If the squares are no position, or a move is illegal.
    pub fn board(&self) -> Result<Board, String> {
        let to_move = match self.to_move.as_str() {
            "black" => Player::Black,
            "white" => Player::White,
            other => return Err(format!("\"{other}\" to move, expected black or white")),
        };
        let [mut black, mut white, mut arrows] = [0; 3];
        if self.cells.len() != 64 {
            return Err(format!("{} squares, expected 64", self.cells.len()));
        }
        for (square, cell) in Square::all().zip(self.cells.chars()) {
            match cell {
                'b' => black |= square.bit(),
                'w' => white |= square.bit(),
                'x' => arrows |= square.bit(),
                '.' => {}
                other => return Err(format!("{square} holds '{other}', expected b, w, x or .")),
            }
        }
        let board = Board::from_sets(black, white, arrows, to_move);
        let mut board = board.map_err(|error| error.to_string())?;
        for turn in moves(&self.moves)? {
            board
                .play(turn)
                .map_err(|error| format!("{turn}: {error}"))?;
        }
        Ok(board)
    }
}

/// A game to be written as a match log.
#[derive(Debug, Deserialize)]
pub struct WholeGame {
    pub moves: Vec<String>,
    /// Black's and white's.
    pub names: [String; 2],
    /// What the page alone reads: who played.
    #[serde(default)]
    pub play: Value,
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
    /// Its log; without one its moves count.
    pub log: Option<String>,
    #[serde(default)]
    pub moves: Vec<String>,
    #[serde(flatten)]
    pub effort: Effort,
}
