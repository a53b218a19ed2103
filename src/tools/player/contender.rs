//! A player that takes part in one game: a bot's process, or this program's engine.

use super::spec::{Kind, Spec};
use crate::platform::process::utterances::Utterances;
use crate::platform::process::{Launch, Limits, Process, TurnError, TurnReport};
use analysis::level::Strength;
use analysis::root_parallel::{Means, RootParallel};
use engine::board::Board;
use engine::clock::Clock;
use record::judge::Coordinates;

/// A player that takes part in one game.
pub enum Contender {
    /// A bot that runs as a separate process.
    Process(Box<Process>),
    /// The engine, in this process, with its strength.
    Engine(Box<RootParallel>, Strength),
}

impl Contender {
    /// Creates a player for a new game. `seed` is the game's random seed; `launch` says how to start a bot's process.
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

    /// Plays a turn on `board`. `record` holds the player's requests and its own earlier responses, alternately. `broken_off`
    /// is polled during the turn and cancels it.
    ///
    /// # Errors
    /// If a process can't be started, an operation of the system fails, or `broken_off` returns true.
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

    /// Ends the player's process, if any, and returns what it wrote to standard error.
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
