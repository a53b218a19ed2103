//! [`Review`]: the analysis of a whole game, in steps. Each request of the page either searches one position or tries
//! to prove, with the solver, who wins it. The results equal those of `amazons analyze` and `amazons review`.

use super::parse_moves;
use super::request::{ReviewTask, SearchLimits, StartPosition};
use analysis::analysed::{Analysis, TitledGame};
use analysis::ply::Ply;
use analysis::position::{Outlook, SearchedPosition, Searcher, analysis_settings};
use analysis::solved::GameSolver;
use engine::board::Board;
use engine::budget::Budget;
use record::checked_game::CheckedGame;
use record::tree::Record;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// Stop flag that is passed to all searches. It is always false: to end a review, the page terminates the web worker in
/// which this code runs.
static NEVER_STOP: AtomicBool = AtomicBool::new(false);

/// Analysis of a whole game, one position at a time. First all positions of the game are searched in order. Then the
/// proof-number solver tries to prove the winner of each position, from the last one backward, until it fails in three
/// successive positions.
pub struct Review {
    source: TitledGame,
    limits: SearchLimits,
    /// Search results of the positions searched so far. Index n is the position after the first n plies of the game.
    positions: Vec<SearchedPosition>,
    /// Proof-number solver, which tries to prove who wins. It is used after all positions are searched, from the last
    /// position of the game backward.
    solver: GameSolver,
}

impl Review {
    /// Creates the review of the game in `task`. Does not search any position yet.
    ///
    /// # Errors
    /// If a move is illegal, or `task.nodes` are not in depth-first order.
    pub fn new(task: ReviewTask) -> Result<Review, String> {
        let record = Record::from_nodes(Board::start(), task.nodes);
        let game = record.map_err(|(_, fault)| fault)?.game;
        Ok(Review {
            source: TitledGame {
                title: task.title,
                game,
            },
            limits: task.limits,
            positions: Vec::new(),
            solver: GameSolver::new(task.limits.memory_mb << 20, task.nodes_to_solve),
        })
    }

    /// Analyses one more position of the game. The first calls search all positions in order, one per call. Each
    /// further call tries to prove the winner of a position, from the last one backward, until this fails in three
    /// successive positions.
    ///
    /// Returns the analysis so far as a JSON object:
    ///
    /// - `summary`: summary of the game
    /// - `plies`: analysis of each ply searched so far
    /// - `searched`: number of positions searched so far
    /// - `of`: number of all positions of the game
    /// - `to_solve`: next position whose winner is to be proven, as the number of plies before it; null if there is
    ///   none
    ///
    /// # Errors
    /// If the analysis can't be written as JSON.
    pub fn advance(&mut self) -> Result<Value, String> {
        let (game, at) = (&self.source.game, self.positions.len());
        if at <= game.plies() {
            self.positions.push(search_position(game, at, self.limits));
        } else if let Some(after) = self.solver.next_position(game) {
            self.solver.solve(game, after, &NEVER_STOP);
        }
        let mut found = Analysis::new(&self.source, 0, self.positions.clone());
        let solved = self.solver.results(game);
        if !solved.positions.is_empty() {
            found = found.with_solved(solved);
        }
        let Analysis { summary, plies } = found;
        Ok(json!({
            "summary": summary,
            "plies": plies,
            "searched": self.positions.len(),
            "of": game.plies() + 1,
            "to_solve": self.solver.next_position(game),
        }))
    }
}

/// Rates the last move in `move_texts` by searches of the positions before and after it. Returns a [`Ply`] as JSON,
/// which contains for example the move's win probability and its loss against the best move. `move_texts` are moves
/// such as `c1 c6 f6`, played from `start` or, if that is `None`, from the standard start position.
///
/// # Errors
/// If `move_texts` is empty, a text is not a legal move, or `start` is not a valid position.
pub fn analyse_last_move(
    start: Option<&StartPosition>,
    move_texts: &[String],
    limits: SearchLimits,
) -> Result<Value, String> {
    let start = start.map_or_else(|| Ok(Board::start()), StartPosition::board)?;
    let game = CheckedGame::from_start(start).with_moves(&parse_moves(move_texts)?)?;
    let at = game.plies().checked_sub(1).ok_or("no move, expected one")?;
    let before = search_position(&game, at, limits);
    let after = Outlook::from(&search_position(&game, at + 1, limits));
    let ply = Ply::new(&game, at, before, Some(&after));
    serde_json::to_value(ply).map_err(|error| error.to_string())
}

/// Searches the position after the first `plies` moves of `game`. If the search prefers another move to the game's next
/// move, it also searches the positions after these two moves:
///
/// - the position after the best move, unless the winner is already proven
/// - the position after the game's move, unless the first search estimates that this move loses less than 0.05 of win
///   probability
/// - both positions once more, with 12 times the iterations, if the game's move loses at least 0.10 of win probability
fn search_position(game: &CheckedGame, plies: usize, limits: SearchLimits) -> SearchedPosition {
    let searcher = Searcher {
        budget: Budget::Iterations(limits.iterations),
        settings: analysis_settings(limits.memory_mb << 20, 1),
        multipv: limits.candidates,
        stop: &NEVER_STOP,
    };
    let found = searcher.search_position(&game.board_at(plies), game.move_at(plies));
    found.expect("nobody breaks it off")
}
