//! A player of one game: a process, or the engine itself.

use super::spec::{EngineSpec, Kind, Spec};
use crate::board::Board;
use crate::clock::Clock;
use crate::mcts::Search;
use crate::tools::platform::judge::{Coordinates, Verdict};
use crate::tools::platform::process::words::Words;
use crate::tools::platform::process::{Launch, Limits, Process, Turn, TurnError};

/// A player of one game.
pub enum Player {
    /// A process.
    Process(Box<Process>),
    /// The engine in this process.
    Engine(Box<Engine>),
}

impl Player {
    /// A player who has not moved yet; `seed` is the game's, `launch` says how a process is started.
    #[must_use]
    pub fn new(spec: &Spec, seed: u64, launch: Launch) -> Player {
        match &spec.kind {
            Kind::Process(process) => {
                Player::Process(Box::new(Process::new(process.clone(), launch)))
            }
            Kind::Engine(engine) => Player::Engine(Box::new(Engine::new(engine.clone(), seed))),
        }
    }

    /// Plays a turn on the given board; `record` holds the player's requests and own responses in turn.
    /// `broken_off` is asked again and again.
    ///
    /// # Errors
    /// If a process can't be started, the machine fails, or the game is broken off.
    pub fn turn(
        &mut self,
        board: &Board,
        record: &[Coordinates],
        limits: Limits,
        broken_off: &dyn Fn() -> bool,
    ) -> Result<Turn, TurnError> {
        match self {
            Player::Process(process) => process.turn(record, limits, broken_off),
            Player::Engine(engine) => engine.turn(board, broken_off),
        }
    }

    /// Ends the player; returns what it has said on standard error.
    #[must_use]
    pub fn end(self) -> Words {
        match self {
            Player::Process(mut process) => {
                process.stop();
                process.words().clone()
            }
            Player::Engine(_) => Words::default(),
        }
    }
}

/// The engine as a player.
pub struct Engine {
    spec: EngineSpec,
    search: Search,
}

impl Engine {
    fn new(spec: EngineSpec, seed: u64) -> Engine {
        let search = Search::new(Board::start(), spec.memory, seed ^ spec.seed, spec.params);
        Engine { spec, search }
    }

    /// Thinks about a board. The tree follows if the board is two plies further than the last one.
    fn turn(&mut self, board: &Board, broken_off: &dyn Fn() -> bool) -> Result<Turn, TurnError> {
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
        Ok(Turn {
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
