//! The engine of this program as a player of one game.

use super::spec::EngineSpec;
use crate::board::{Board, Move};
use crate::budget::Budget;
use crate::clock::Clock;
use crate::tools::platform::process::{TurnError, TurnReport};
use crate::tools::record::judge::{Coordinates, Verdict};
use crate::tools::thinking::root_parallel::RootParallel;
use std::time::Duration;

/// The engine as a player.
pub struct Engine {
    spec: EngineSpec,
    search: RootParallel,
}

impl Engine {
    /// An engine at the start of a game; `seed` is the game's.
    #[must_use]
    pub fn new(spec: EngineSpec, seed: u64) -> Engine {
        let (start, seed) = (Board::start(), seed ^ spec.seed);
        let search = RootParallel::new(&start, spec.memory, seed, spec.params, spec.threads);
        Engine { spec, search }
    }

    /// Plays a turn on a board. The trees are kept if the board is two plies after the last one.
    ///
    /// # Errors
    /// If the game is broken off.
    pub fn turn(
        &mut self,
        board: &Board,
        broken_off: &dyn Fn() -> bool,
    ) -> Result<TurnReport, TurnError> {
        let clock = Clock::of_wall();
        let answer = self.think(board, broken_off);
        if broken_off() {
            return Err(TurnError::BrokenOff);
        }
        let wall = clock.elapsed();
        Ok(TurnReport {
            verdict: Verdict::Ok,
            response: answer
                .and_then(|(answer, _)| serde_json::to_value(Coordinates::from(answer)).ok()),
            debug: None,
            wall,
            cpu: wall,
            memory: self.search.bytes_in_use() as u64,
            keep_running: true,
            why: None,
        })
    }

    /// Finds a move on a board, with the mover's win probability, and plays it in the trees. They are kept as in
    /// [`Engine::turn`]. Finds nothing where there is no move, or if the game is broken off.
    pub fn think(&mut self, board: &Board, broken_off: &dyn Fn() -> bool) -> Option<(Move, f32)> {
        let clock = Clock::of_wall();
        self.search.follow(board);
        self.search.spend(self.spec.budget, &clock, broken_off);
        if broken_off() {
            return None;
        }
        let answer = self.search.best_move()?;
        let win_probability = self.search.report().win_probability;
        self.search.advance_root(answer);
        Some((answer, win_probability))
    }

    /// Goes on searching on the opponent's time, until it is broken off or the winner is certain.
    pub fn ponder(&mut self, broken_off: &dyn Fn() -> bool) {
        let without_end = Budget::Time(Duration::MAX);
        self.search
            .spend(without_end, &Clock::of_wall(), broken_off);
    }
}
