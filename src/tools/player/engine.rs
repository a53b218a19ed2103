//! The engine of this program as a player of one game.

use super::spec::EngineSpec;
use crate::board::Board;
use crate::clock::Clock;
use crate::mcts::Search;
use crate::tools::platform::judge::{Coordinates, Verdict};
use crate::tools::platform::process::{TurnError, TurnReport};

/// The engine as a player.
pub struct Engine {
    spec: EngineSpec,
    search: Search,
}

impl Engine {
    /// An engine at the start of a game; `seed` is the game's.
    #[must_use]
    pub fn new(spec: EngineSpec, seed: u64) -> Engine {
        let search = Search::new(Board::start(), spec.memory, seed ^ spec.seed, spec.params);
        Engine { spec, search }
    }

    /// Plays a turn on a board. The tree is kept if the board is two plies after the last one.
    ///
    /// # Errors
    /// If the game is broken off.
    pub fn turn(
        &mut self,
        board: &Board,
        broken_off: &dyn Fn() -> bool,
    ) -> Result<TurnReport, TurnError> {
        let clock = Clock::of_wall();
        self.follow(board);
        self.spec.budget.spend(&mut self.search, &clock, broken_off);
        if broken_off() {
            return Err(TurnError::BrokenOff);
        }
        let answer = self.search.best_move();
        if let Some(answer) = answer {
            self.search
                .advance_root(answer)
                .expect("the best move is legal");
        }
        let wall = clock.elapsed();
        Ok(TurnReport {
            verdict: Verdict::Ok,
            response: answer
                .and_then(|answer| serde_json::to_value(Coordinates::from(answer)).ok()),
            debug: None,
            wall,
            cpu: wall,
            memory: self.search.tree().bytes_in_use() as u64,
            keep_running: true,
            why: None,
        })
    }

    /// Brings the search to a board.
    fn follow(&mut self, board: &Board) {
        if self.search.board() == board {
            return;
        }
        let reply = crate::movegen::moves(self.search.board())
            .into_iter()
            .find(|&turn| {
                let mut after = self.search.board().clone();
                after.play(turn).is_ok() && after == *board
            });
        match reply {
            Some(reply) => self
                .search
                .advance_root(reply)
                .expect("a generated move is legal"),
            None => self.search.set_board(board.clone()),
        }
    }
}
