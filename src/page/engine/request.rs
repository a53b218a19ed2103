//! [`Request`]: requests of the web page to its engine, and their JSON format.

use super::parse_moves;
use engine::board::{Board, Player};
use record::cells;
use record::charset::Candidate;
use record::checked_game::CheckedGame;
use record::formats::Format;
use record::tree::Node;
use serde::Deserialize;
use serde_json::Value;

/// A request from the page to the engine. The JSON field `ask` holds the variant's name in snake case, such as
/// `sample_move`; the other fields are those of the variant.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Request {
    /// Runs the benchmark of `amazons bench` with `iterations` search iterations for each of its fixed positions.
    Bench { iterations: u64 },
    /// Returns the method by which the bot chooses its moves at the strength `level` of `amazons play`, counted from 1:
    /// the number of random moves to draw, the number of search iterations, or the search time.
    Level { level: usize },
    /// Sets the position that [`Request::Search`] and [`Request::SampleMove`] use.
    Set {
        /// Position before the first of `moves`.
        #[serde(flatten)]
        start: StartPosition,
        /// Moves played from `start`, each as a text such as `c1 c6 f6` (origin, destination, arrow's square). The
        /// position after the last move becomes the position to search.
        moves: Vec<String>,
        /// Memory limit of the search tree, in MiB.
        memory_mb: usize,
        /// True: the search starts with an empty tree. False (the default): it reuses the subtree of the position to
        /// search, if the last search tree contains this position and has the same memory limit.
        #[serde(default)]
        afresh: bool,
    },
    /// Continues the search of the current position and returns its results so far. The search stops at the first of
    /// these events: `ms` milliseconds have passed; the search has made `iterations` iterations since the position was
    /// set (`None`: no limit); the winner is proven.
    Search {
        ms: u64,
        iterations: Option<u64>,
        /// Maximum number of candidate moves in the response.
        candidates: usize,
    },
    /// Draws `count` random legal moves, with a random generator seeded by `seed`. Returns the one after which the
    /// static evaluation is best for the player who moves. The bot's weakest levels play this way.
    SampleMove { count: usize, seed: u64 },
    /// Explains the fault in a bot's `answer`: why Botzone's judge (the platform's referee program) rejected it.
    /// `answer` is JSON text from a match log. `moves` are the moves from the start position to this answer.
    Fault { moves: Vec<String>, answer: String },
    /// Parses the games of a file. `texts` contains the file's content, decoded once with each character set that the
    /// file may have. Only the text in which the parser finds the most positions is used.
    Read { texts: Vec<Candidate> },
    /// Writes a game as text in a record format, such as SGF.
    Write(WriteTask),
    /// Starts the review (analysis of all positions) of a game. Each [`Request::Next`] then analyses one position.
    Review(ReviewTask),
    /// Analyses one more position of the game under review, and returns the analysis of the game so far. For a game of
    /// n moves, the first n + 1 requests search its positions in order. Each further request tries to prove the winner
    /// of a position with a proof-number solver, from the last position backward.
    ///
    /// The review is finished when all positions have been searched and the field `to_solve` of the response is null.
    Next,
    /// Rates the last of `moves`, for example a move that the user tries out: searches the positions before and after
    /// it. Returns the win probability after the move, from 0 to 1, and its loss of win probability against the best
    /// move, both for the player who made the move. Also returns the best moves in the position before it.
    ///
    /// `start` is the position before all moves, `None` the standard start position.
    Try {
        start: Option<StartPosition>,
        moves: Vec<String>,
        #[serde(flatten)]
        limits: SearchLimits,
    },
    /// Explains why one move is better than another, both in the position `start`. `lines` holds two sequences of moves
    /// from there. First: the better move and the replies to it. Second: the worse move and the replies to it.
    Why {
        start: StartPosition,
        lines: [Vec<String>; 2],
    },
}

/// Position in the page's JSON format: 64 characters for the squares, and the side to move.
#[derive(Debug, Deserialize)]
pub struct StartPosition {
    /// One character per square, in the order a1, b1, …, h8: `b` black amazon, `w` white amazon, `x` arrow, `.` empty.
    cells: String,
    /// Side to move: `black` or `white`.
    to_move: String,
}

impl StartPosition {
    /// Converts the position from the page's JSON format to a board.
    ///
    /// # Errors
    /// If `cells` is not a valid position, or `to_move` is neither `black` nor `white`.
    pub fn board(&self) -> Result<Board, String> {
        let to_move = match self.to_move.as_str() {
            "black" => Player::Black,
            "white" => Player::White,
            other => return Err(format!("\"{other}\" to move, expected black or white")),
        };
        cells::read(&self.cells, to_move)
    }

    /// Plays the moves `move_texts`, such as `c1 c6 f6`, from this position, and returns the game as a [`CheckedGame`]:
    /// a game whose moves were checked by the rules.
    ///
    /// # Errors
    /// If the position is invalid, or a text in `move_texts` is not a legal move.
    pub fn game_with(&self, move_texts: &[String]) -> Result<CheckedGame, String> {
        CheckedGame::from_start(self.board()?).with_moves(&parse_moves(move_texts)?)
    }
}

/// A game to write as text, and the format in which to write it.
#[derive(Debug, Deserialize)]
pub struct WriteTask {
    /// Format of the text, such as SGF or `Log`, the JSON log of a match on Botzone.
    pub format: Format,
    /// Position before the first move.
    pub start: StartPosition,
    /// Nodes of the game tree, including variations, in depth-first order. A node is a position with the move that led
    /// to it; the first node is the start position.
    pub nodes: Vec<Node>,
    /// Names of the two players, black first; `None` for an unknown name.
    pub names: [Option<String>; 2],
    /// JSON value for the field `play` of a match log (format `Log`), which names the bots or persons that played. If
    /// it is `None`, the log gets no such field. Other formats ignore the value.
    pub play: Option<Value>,
}

/// Limits for each position: number of iterations after which the search stops, number of candidate moves in the
/// response, and memory of the search tree in MiB.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct SearchLimits {
    /// Number of search iterations per position.
    pub iterations: u64,
    /// Maximum number of candidate moves that the response lists for each position, the best first.
    pub candidates: usize,
    /// Memory limit, in MiB, for each search tree. In a review, the solver's transposition table has the same limit.
    pub memory_mb: usize,
}

/// Request to review a game, that is, to analyse all its positions: the game, and limits for search and solver.
#[derive(Debug, Deserialize)]
pub struct ReviewTask {
    /// Title of the game, which the analysis repeats unchanged.
    pub title: String,
    /// Nodes of the game tree in depth-first order; a node is a position with the move that led to it. The first node
    /// is the standard start position. Only the main line, without variations, is reviewed.
    pub nodes: Vec<Node>,
    /// Limits for the search of each position: number of search iterations, number of candidate moves to list, and
    /// memory in MiB.
    #[serde(flatten)]
    pub limits: SearchLimits,
    /// Maximum number of search nodes that the proof-number solver may visit to prove the winner of one position.
    pub nodes_to_solve: u64,
}
