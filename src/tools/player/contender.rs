//! A player of one game: a process, or the engine itself.

use super::spec::{Kind, Spec};
use crate::platform::process::utterances::Utterances;
use crate::platform::process::{Launch, Limits, Process, TurnError, TurnReport};
use analysis::level::Strength;
use analysis::root_parallel::{Means, RootParallel};
use engine::board::Board;
use engine::clock::Clock;
use record::judge::Coordinates;

/// A player of one game.
pub enum Contender {
    /// A process.
    Process(Box<Process>),
    /// The engine in this process.
    Engine(Box<RootParallel>, Strength),
}

impl Contender {
    /// A player at the start of a game. `seed`: the game's; `launch`: how to start a process.
    #[must_use]
    pub fn new(spec: &Spec, seed: u64, launch: Launch) -> Contender {
        match &spec.kind {
            Kind::Process(process) => {
                Contender::Process(Box::new(Process::new(process.clone(), launch)))
            }
            Kind::Engine(engine) => {
                let means = engine.means.clone();
                let seed = seed ^ means.seed;
                let means = Means { seed, ..means };
                let search = RootParallel::new(&Board::start(), &means);
                Contender::Engine(Box::new(search), engine.strength)
            }
        }
    }

    /// Plays a turn on the given board. `record`: the player's requests and own responses in turn. `broken_off` is
    /// polled during the turn.
    ///
    /// # Errors
    /// If a process can't be started, the machine fails, or the game is broken off.
    pub fn turn(
        &mut self,
        board: &Board,
        record: &[Coordinates],
        limits: Limits,
        broken_off: &dyn Fn() -> bool,
    ) -> Result<TurnReport, TurnError> {
        let (search, strength) = match self {
            Contender::Process(process) => return process.turn(record, limits, broken_off),
            Contender::Engine(search, strength) => (search, *strength),
        };
        let clock = Clock::of_wall();
        let thought = search.think(board, strength, broken_off);
        if broken_off() {
            return Err(TurnError::BrokenOff);
        }
        let wall = clock.elapsed();
        Ok(TurnReport {
            response: thought.map(|thought| Coordinates::from(thought.turn).to_value()),
            wall,
            cpu: wall,
            memory: search.bytes_in_use() as u64,
            keep_running: true,
            ..TurnReport::default()
        })
    }

    /// Ends the player and returns its standard error.
    #[must_use]
    pub fn end(self) -> Utterances {
        match self {
            Contender::Process(mut process) => {
                process.stop();
                process.words().clone()
            }
            Contender::Engine(..) => Utterances::default(),
        }
    }
}
