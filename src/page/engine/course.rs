//! The review of a game, a position at a time: what `amazons analyze` and `amazons review` find.

use super::moves;
use super::question::{Effort, Start, Task};
use analysis::analysed::{Analysis, Source};
use analysis::ply::Ply;
use analysis::position::{Outlook, Position, Searcher, means};
use analysis::solved::Solving;
use engine::board::Board;
use engine::budget::Budget;
use record::replayed::Replayed;
use record::tree::Record;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// The page ends a review by ending its worker.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A review under way.
pub struct Course {
    source: Source,
    effort: Effort,
    /// What was found in the positions so far.
    positions: Vec<Position>,
    /// Then the end is solved.
    solving: Solving,
}

impl Course {
    /// The review of a game, at its first position.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn of(task: Task) -> Result<Course, String> {
        let record = Record::of_nodes(Board::start(), task.nodes);
        let game = record.map_err(|(_, fault)| fault)?.game;
        Ok(Course {
            source: Source {
                title: task.title,
                game,
            },
            effort: task.effort,
            positions: Vec::new(),
            solving: Solving::new(task.effort.memory_mb << 20, task.nodes_to_solve),
        })
    }

    /// Searches the next position; once all are searched, solves the next one from the end backward. The answer holds the
    /// analysis of the game so far, and after how many moves the next position is to be solved: nothing at the end.
    ///
    /// # Errors
    /// If it can't be written as JSON.
    pub fn next(&mut self) -> Result<Value, String> {
        let (game, at) = (&self.source.game, self.positions.len());
        if at <= game.plies() {
            self.positions.push(searched(game, at, self.effort));
        } else if let Some(after) = self.solving.next(game) {
            self.solving.solve(game, after, &NEVER);
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

/// The analysis of the position before the last of some moves, and of that move. Without `start` they are a game's first.
///
/// # Errors
/// If there is no move, or an illegal one, or `start` is no position.
pub fn tried(start: Option<&Start>, words: &[String], effort: Effort) -> Result<Value, String> {
    let start = start.map_or_else(|| Ok(Board::start()), Start::board)?;
    let game = Replayed::at(start).with(&moves(words)?)?;
    let at = game.plies().checked_sub(1).ok_or("no move, expected one")?;
    let before = searched(&game, at, effort);
    let after = Outlook::from(&searched(&game, at + 1, effort));
    let ply = Ply::new(&game, at, before, Some(&after));
    serde_json::to_value(ply).map_err(|error| error.to_string())
}

/// What a search of the position after so many plies finds.
fn searched(game: &Replayed, at: usize, effort: Effort) -> Position {
    let searcher = Searcher {
        budget: Budget::Iterations(effort.iterations),
        means: means(effort.memory_mb << 20, 1),
        multipv: effort.candidates,
        stop: &NEVER,
    };
    let found = searcher.position(&game.board_at(at), game.move_at(at));
    found.expect("nobody breaks it off")
}
