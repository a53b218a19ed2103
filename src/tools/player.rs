//! A player of one game: a process, or the engine itself.

use super::judge::{Coordinates, Verdict};
use super::process::{Limits, Process, Turn};
use super::spec::{EngineSpec, Kind, Spec};
use crate::board::Board;
use crate::mcts::Search;
use std::time::Instant;

/// A player of one game.
pub enum Player {
    /// A process.
    Process(Process),
    /// The engine in this process.
    Engine(Box<Engine>),
}

impl Player {
    /// A player who has not moved yet; `seed` is the game's.
    #[must_use]
    pub fn new(spec: &Spec, seed: u64) -> Player {
        match &spec.kind {
            Kind::Process(process) => Player::Process(Process::new(process.clone())),
            Kind::Engine(engine) => Player::Engine(Box::new(Engine::new(engine.clone(), seed))),
        }
    }

    /// Plays a turn on the given board; `record` holds the player's requests and own responses in turn.
    pub fn turn(&mut self, board: &Board, record: &[Coordinates], limits: Limits) -> Turn {
        match self {
            Player::Process(process) => process.turn(record, limits),
            Player::Engine(engine) => engine.turn(board),
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
    fn turn(&mut self, board: &Board) -> Turn {
        let start = Instant::now();
        self.follow(board);
        match self.spec.iterations {
            Some(limit) => self.search.run(|iterations| iterations < limit),
            None => self.search.run(|iterations| {
                iterations == 0
                    || !iterations.is_multiple_of(32)
                    || start.elapsed() < self.spec.time
            }),
        }
        let answer = self.search.best_move();
        if let Some(answer) = answer {
            self.search
                .advance_root(answer)
                .expect("the best move is legal");
        }
        let wall = start.elapsed();
        Turn {
            verdict: Verdict::Ok,
            response: answer
                .and_then(|answer| serde_json::to_value(Coordinates::from(answer)).ok()),
            debug: None,
            wall,
            cpu: wall,
            memory: self.search.tree().bytes_in_use() as u64,
            keep_running: true,
        }
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
