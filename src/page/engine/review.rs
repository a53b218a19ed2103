//! Reviews a game one position at a time, with the results of `amazons analyze` and `amazons review`.

use super::parse_moves;
use super::question::{ReviewTask, SearchLimits, StartPosition};
use analysis::analysed::{Analysis, Source};
use analysis::ply::Ply;
use analysis::position::{Outlook, SearchedPosition, Searcher, analysis_settings};
use analysis::solved::GameSolver;
use engine::board::Board;
use engine::budget::Budget;
use record::checked_game::CheckedGame;
use record::tree::Record;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// Stop flag that is never set: the page ends a review by terminating its worker.
static NEVER_STOP: AtomicBool = AtomicBool::new(false);

/// A review in progress.
pub struct Review {
    source: Source,
    limits: SearchLimits,
    /// Search results of the positions so far.
    positions: Vec<SearchedPosition>,
    /// Solver for the end of the game, which runs after all positions are searched.
    solving: GameSolver,
}

impl Review {
    /// Prepares the review of a game without searching a position.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn new(task: ReviewTask) -> Result<Review, String> {
        let record = Record::of_nodes(Board::start(), task.nodes);
        let game = record.map_err(|(_, fault)| fault)?.game;
        Ok(Review {
            source: Source {
                title: task.title,
                game,
            },
            limits: task.limits,
            positions: Vec::new(),
            solving: GameSolver::new(task.limits.memory_mb << 20, task.nodes_to_solve),
        })
    }

    /// Searches the next position. After all positions are searched, solves them one per call, from the end of the game
    /// backward.
    ///
    /// Returns the analysis so far. The field `to_solve` holds the number of moves before the next position to solve; `null`
    /// after the last one.
    ///
    /// # Errors
    /// If the analysis can't be written as JSON.
    pub fn advance(&mut self) -> Result<Value, String> {
        let (game, at) = (&self.source.game, self.positions.len());
        if at <= game.plies() {
            self.positions.push(search_position(game, at, self.limits));
        } else if let Some(after) = self.solving.next(game) {
            self.solving.solve(game, after, &NEVER_STOP);
        }
        let mut found = Analysis::new(&self.source, 0, self.positions.clone());
        let solved = self.solving.found(game);
        if !solved.positions.is_empty() {
            found = found.with_solved(solved);
        }
        let Analysis { summary, plies } = found;
        Ok(json!({
            "summary": summary,
            "plies": plies,
            "searched": self.positions.len(),
            "of": game.plies() + 1,
            "to_solve": self.solving.next(game),
        }))
    }
}

/// Analyses the last of the moves in `words`: searches the positions before and after this move. Without `start`, the moves
/// begin at the game's standard start position.
///
/// # Errors
/// If there is no move, a move is illegal, or `start` is not a valid position.
pub fn try_move(
    start: Option<&StartPosition>,
    words: &[String],
    limits: SearchLimits,
) -> Result<Value, String> {
    let start = start.map_or_else(|| Ok(Board::start()), StartPosition::board)?;
    let game = CheckedGame::at(start).with(&parse_moves(words)?)?;
    let at = game.plies().checked_sub(1).ok_or("no move, expected one")?;
    let before = search_position(&game, at, limits);
    let after = Outlook::from(&search_position(&game, at + 1, limits));
    let ply = Ply::new(&game, at, before, Some(&after));
    serde_json::to_value(ply).map_err(|error| error.to_string())
}

/// Searches the position after `at` moves of the game.
fn search_position(game: &CheckedGame, at: usize, limits: SearchLimits) -> SearchedPosition {
    let searcher = Searcher {
        budget: Budget::Iterations(limits.iterations),
        settings: analysis_settings(limits.memory_mb << 20, 1),
        multipv: limits.candidates,
        stop: &NEVER_STOP,
    };
    let found = searcher.position(&game.board_at(at), game.move_at(at));
    found.expect("nobody breaks it off")
}
