//! Reviews a game one position per request; the results equal those of `amazons analyze` and `amazons review`.

use super::parse_moves;
use super::request::{ReviewTask, SearchLimits, StartPosition};
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

/// Stop flag for the searches, always false: the page ends a review by terminating the web worker.
static NEVER_STOP: AtomicBool = AtomicBool::new(false);

/// A review in progress: first all positions are searched, then the end of the game is solved.
pub struct Review {
    source: Source,
    limits: SearchLimits,
    /// Search results of the positions searched so far; index n is the position after n plies.
    positions: Vec<SearchedPosition>,
    /// Solver of the game's last positions; runs after all positions are searched.
    solver: GameSolver,
}

impl Review {
    /// Creates the review of the game in `task`; searches no position yet.
    ///
    /// # Errors
    /// If a move is illegal, or the nodes are out of order.
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
            solver: GameSolver::new(task.limits.memory_mb << 20, task.nodes_to_solve),
        })
    }

    /// Searches the next position; after the last position, solves one position per call, from the end of the game
    /// backward.
    ///
    /// Returns the analysis so far as JSON: `summary`, `plies`, the numbers of positions `searched` and to search
    /// (`of`), and in `to_solve` the next position to solve, as a number of plies from the start; null if no position
    /// is left.
    ///
    /// # Errors
    /// If the analysis can't be written as JSON.
    pub fn advance(&mut self) -> Result<Value, String> {
        let (game, at) = (&self.source.game, self.positions.len());
        if at <= game.plies() {
            self.positions.push(search_position(game, at, self.limits));
        } else if let Some(after) = self.solver.next(game) {
            self.solver.solve(game, after, &NEVER_STOP);
        }
        let mut found = Analysis::new(&self.source, 0, self.positions.clone());
        let solved = self.solver.found(game);
        if !solved.positions.is_empty() {
            found = found.with_solved(solved);
        }
        let Analysis { summary, plies } = found;
        Ok(json!({
            "summary": summary,
            "plies": plies,
            "searched": self.positions.len(),
            "of": game.plies() + 1,
            "to_solve": self.solver.next(game),
        }))
    }
}

/// Returns the analysis of the last of the moves `words` as JSON of a [`Ply`], from searches of the positions before
/// and after this move. `start` is the position before all moves; `None` is the standard start position.
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

/// Searches the position after `at` plies of the game; rates also the move that was played there.
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
