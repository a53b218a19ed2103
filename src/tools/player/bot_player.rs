//! [`BotPlayer`] plays the turns of one player in one game: an external bot, or this program's engine.

use super::spec::{Kind, PlayerSpec};
use crate::platform::process::stderr_buffer::StderrBuffer;
use crate::platform::process::{Launch, Limits, Process, TurnError, TurnReport};
use analysis::level::Strength;
use analysis::tree_parallel::TreeParallel;
use engine::board::Board;
use engine::clock::Clock;
use record::judge::Coordinates;

/// A player in one game, for either colour. From one turn to the next, this program's engine keeps its search tree, and
/// an external bot keeps its process if it asked to be kept running.
pub enum BotPlayer {
    /// External bot, run as a child process.
    Process(Box<Process>),
    /// This program's engine, run within this process. First: its search, which keeps its tree from turn to turn.
    /// Second: how strong it plays (a level, or a time or number of iterations for each turn).
    Engine(Box<TreeParallel>, Strength),
}

impl BotPlayer {
    /// Creates the player that `spec` describes, ready for the first turn of a game.
    ///
    /// - `seed`: random seed of the game, used by this program's engine only.
    /// - `launch`: how the process of an external bot is started and whether it runs in a sandbox; used for external
    ///   bots only.
    #[must_use]
    pub fn new(spec: &PlayerSpec, seed: u64, launch: Launch) -> BotPlayer {
        match &spec.kind {
            Kind::Process(process) => {
                BotPlayer::Process(Box::new(Process::new(process.clone(), launch)))
            }
            Kind::Engine(engine) => {
                let mut search_settings = engine.search_settings.clone();
                search_settings.seed ^= seed;
                let search = TreeParallel::new(&Board::start(), &search_settings);
                BotPlayer::Engine(Box::new(search), engine.strength)
            }
        }
    }

    /// Lets the player choose a move in the position `board`, without playing the move. Returns a report with the
    /// player's response and the time and memory used. If `is_cancelled` returns true, ends the turn at once with an
    /// error.
    ///
    /// - `history`: all moves of the game so far, for an external bot; ignored by this program's engine. The opponent's
    ///   moves (the judge's requests) and the bot's moves (its responses) alternate.
    /// - `limits`: limits of the bot's time and memory, for an external bot; ignored by this program's engine.
    ///
    /// # Errors
    /// - [`TurnError::Cancelled`] if `is_cancelled` has returned true.
    /// - [`TurnError::NotStarted`] if the bot's process can't be started.
    /// - [`TurnError::System`] if the operating system fails, for example for lack of memory.
    pub fn play_turn(
        &mut self,
        board: &Board,
        history: &[Coordinates],
        limits: Limits,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<TurnReport, TurnError> {
        let (search, strength) = match self {
            BotPlayer::Process(process) => return process.play_turn(history, limits, is_cancelled),
            BotPlayer::Engine(search, strength) => (search, *strength),
        };
        let clock = Clock::wall_only();
        let thought = search.choose_move(board, strength, is_cancelled);
        if is_cancelled() {
            return Err(TurnError::Cancelled);
        }
        let wall = clock.elapsed();
        Ok(TurnReport {
            response: thought.map(|thought| Coordinates::from(thought.turn).to_value()),
            wall_time: wall,
            cpu_time: wall,
            peak_memory: search.bytes_in_use() as u64,
            keep_running: true,
            ..TurnReport::default()
        })
    }

    /// Ends the process of an external bot, and returns what the bot has written to standard error. For this program's
    /// engine, which has no process, returns an empty buffer.
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
