//! The search of the position that the page shows, in slices.

use crate::board::Board;
use crate::budget::Budget;
use crate::clock::Clock;
use crate::mcts::Params;
use crate::tools::analysis::ownership::shares;
use crate::tools::analysis::position::{Candidate, Position};
use crate::tools::thinking::root_parallel::RootParallel;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// Seed of every search, that of `amazons analyze`.
const SEED: u64 = 1;

/// Iterations between two looks at the clock: less than a millisecond's.
const ITERATIONS_PER_LOOK: u64 = 128;

/// A search and how far it has come.
pub struct Live {
    search: RootParallel,
    memory_mb: usize,
    /// Iterations since the position was set.
    iterations: u64,
    depth: usize,
}

/// What is known of a position. Probabilities are those of the player to move.
#[derive(Serialize)]
struct Findings {
    iterations: u64,
    /// Iterations through the position's best amazon move, those of earlier positions counted.
    visits: u32,
    depth: usize,
    win_probability: f32,
    proven: bool,
    candidates: Vec<Candidate>,
    /// [`Share::ownership`](crate::tools::analysis::ownership::Share::ownership) of each square by rows from a1.
    ownership: Vec<f32>,
}

impl Live {
    /// A search of a board. What is known is kept if it is known of that board, or of the one a move before.
    pub fn on(board: Board, memory_mb: usize, known: Option<Live>) -> Live {
        let mut live = known
            .filter(|live| live.memory_mb == memory_mb)
            .unwrap_or_else(|| Live {
                search: RootParallel::new(&board, memory_mb << 20, SEED, Params::default(), 1),
                memory_mb,
                iterations: 0,
                depth: 0,
            });
        (live.iterations, live.depth) = (0, 0);
        live.search.follow(&board);
        live
    }

    pub const fn board(&self) -> &Board {
        self.search.board()
    }

    /// Searches for some milliseconds, or until so many iterations are done since the position was set, or the winner is
    /// certain.
    pub fn spend(&mut self, ms: u64, most: Option<u64>) {
        let clock = Clock::of_wall();
        let most = most.unwrap_or(u64::MAX);
        while self.iterations < most && clock.elapsed() < Duration::from_millis(ms) {
            let wanted = ITERATIONS_PER_LOOK.min(most - self.iterations);
            self.search
                .spend(Budget::Iterations(wanted), &clock, || false);
            let report = self.search.report();
            self.iterations += report.iterations;
            self.depth = self.depth.max(report.depth);
            if report.iterations < wanted {
                break;
            }
        }
    }

    /// What is known so far, with so many best moves.
    ///
    /// # Errors
    /// If it can't be written as JSON.
    pub fn findings(&self, candidates: usize) -> Result<Value, String> {
        let found = Position::of(&self.search, candidates, None);
        let findings = Findings {
            iterations: self.iterations,
            visits: found.report.visits,
            depth: self.depth,
            win_probability: found.report.win_probability,
            proven: found.proven,
            candidates: found.candidates,
            ownership: shares(self.board()).map(|share| share.ownership()).to_vec(),
        };
        serde_json::to_value(findings).map_err(|error| error.to_string())
    }
}
