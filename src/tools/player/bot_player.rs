//! Plays the turns of one player in one game: an external bot, or this program's engine.

use super::spec::{Kind, PlayerSpec};
use crate::platform::process::stderr_buffer::StderrBuffer;
use crate::platform::process::{Launch, Limits, Process, TurnError, TurnReport};
use analysis::level::Strength;
use analysis::root_parallel::{RootParallel, SearchSettings};
use engine::board::Board;
use engine::clock::Clock;
use record::judge::Coordinates;

/// Player in one game, with its process or search tree, which continues to exist between turns.
pub enum BotPlayer {
    /// External bot, run as a child process.
    Process(Box<Process>),
    /// This program's engine, run within this process: its search, and the strength at which it plays.
    Engine(Box<RootParallel>, Strength),
}

impl BotPlayer {
    /// Returns a player at the start of a game. `seed` is the game's random seed, used by the engine only; `launch`
    /// says how to start an external bot's process.
    #[must_use]
    pub fn new(spec: &PlayerSpec, seed: u64, launch: Launch) -> BotPlayer {
        match &spec.kind {
            Kind::Process(process) => {
                BotPlayer::Process(Box::new(Process::new(process.clone(), launch)))
            }
            Kind::Engine(engine) => {
                let search_settings = engine.search_settings.clone();
                let seed = seed ^ search_settings.seed;
                let search_settings = SearchSettings {
                    seed,
                    ..search_settings
                };
                let search = RootParallel::new(&Board::start(), &search_settings);
                BotPlayer::Engine(Box::new(search), engine.strength)
            }
        }
    }

    /// Plays a turn on `board`. `record` alternates between requests to the player and the player's earlier responses,
    /// and ends with the request that the player is to answer. If `is_cancelled` returns true during the turn, the turn
    /// is cancelled.
    ///
    /// # Errors
    /// If a process can't be started, if the system fails, or if the turn is cancelled.
    pub fn play_turn(
        &mut self,
        board: &Board,
        record: &[Coordinates],
        limits: Limits,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<TurnReport, TurnError> {
        let (search, strength) = match self {
            BotPlayer::Process(process) => return process.play_turn(record, limits, is_cancelled),
            BotPlayer::Engine(search, strength) => (search, *strength),
        };
        let clock = Clock::wall_only();
        let thought = search.think(board, strength, is_cancelled);
        if is_cancelled() {
            return Err(TurnError::Cancelled);
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

    /// Ends the player's process, if there is one, and returns what the process wrote to standard error; empty for the
    /// engine.
    #[must_use]
    pub fn stop(self) -> StderrBuffer {
        match self {
            BotPlayer::Process(mut process) => {
                process.stop();
                process.stderr().clone()
            }
            BotPlayer::Engine(..) => StderrBuffer::default(),
        }
    }
}
