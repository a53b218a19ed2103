//! A case: a part of a game that the bot plays under Botzone's conditions.

use super::Args;
use super::bot::Bot;
use super::texts;
use super::trace::{Trace, Turn};
use crate::platform::process::{
    Launch, Process, ProcessSpec, TestConditions, TurnError, TurnReport,
};
use analysis::glossary::{LEVEL, Language};
use analysis::level::Strength;
use analysis::root_parallel::{RootParallel, SearchSettings};
use base::error::ToolError;
use engine::board::{Board, Move, Player};
use engine::botzone::Form;
use engine::movegen;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use record::checked_game::{CheckedGame, player_at};
use record::judge::{Coordinates, OutputKind};
use record::log::{Answer, entries};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Duration for which a bot's CPU time is measured between its first two turns, to detect that it thinks in the opponent's
/// turn.
const IDLE_MEASUREMENT: Duration = Duration::from_millis(100);

/// Time that a bot gets to become idle after its first answer, before its CPU time between turns is measured.
const SETTLE_TIME: Duration = Duration::from_millis(100);

/// Subject of a case; each subject has one line in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// First turns of a game, in both interactions.
    FirstTurns,
    /// Turns later in a game, often after moves that the bot did not choose itself.
    Histories,
    /// Positions that rarely occur, such as those with a single legal move.
    RarePositions,
    /// Games that are played to their end.
    Games,
}

/// Player of the moves between the bot's turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Plays uniformly random legal moves.
    Random,
    /// Plays at a level of `amazons play`.
    Level(u8),
}

impl Opponent {
    /// Returns the opponent's name for reports.
    #[must_use]
    pub fn name(self, language: Language) -> String {
        match self {
            Opponent::Random => texts::RANDOM_MOVES.text(language).to_owned(),
            Opponent::Level(level) => LEVEL.of(language, &[&level]),
        }
    }
}

/// A part of a game that the bot plays under Botzone's conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Name on the command line and in file names, such as `simple-first-black`.
    pub name: String,
    /// Subject of the case, which decides its line in the report.
    pub group: Group,
    /// Interaction: the format of the bot's input and output (simple or JSON).
    pub form: Form,
    /// Moves before the bot's first turn. Their number determines the bot's colour.
    pub opening: Vec<Move>,
    /// Maximum number of turns that the bot plays.
    pub turns: usize,
    /// Player of the moves between the bot's turns.
    pub opponent: Opponent,
    /// Whether every turn starts a new process of the bot.
    pub fresh: bool,
    /// Number of turns after which the bot's process is ended and started anew; 0 if it is never ended.
    pub restart: usize,
    /// Whether lines of `data` and `globaldata` follow the history of moves in the bot's input.
    pub with_data: bool,
    /// Random seed of the opponent.
    pub seed: u64,
}

impl Case {
    /// Returns the bot's colour.
    #[must_use]
    pub const fn colour(&self) -> Player {
        player_at(self.opening.len())
    }
}

/// Settings that all cases have in common.
pub struct CaseRunner<'a> {
    /// The bot to check.
    pub bot: &'a Bot,
    /// Options of the command line.
    pub args: &'a Args,
    /// Flag that Ctrl-C sets.
    pub stop: &'a AtomicBool,
}

impl CaseRunner<'_> {
    /// Plays a case. `is_time_up` is called after every turn and ends the case if it returns true.
    ///
    /// # Errors
    /// If the bot can't be started, or an operation of the system fails.
    pub fn play<'c>(
        &self,
        case: &'c Case,
        is_time_up: &dyn Fn() -> bool,
    ) -> Result<Trace<'c>, ToolError> {
        let launch = self.args.launch.launch()?;
        let mut process = self.process(case, launch.clone(), usize::MAX);
        let mut opponent = opponent(case);
        let mut game = CheckedGame::default();
        for &turn in &case.opening {
            game.add(Answer::from(turn));
        }
        let mut trace = Trace::new(case, self.args.limits);
        while trace.turns.is_empty() || trace.turns.len() < case.turns && !is_time_up() {
            if case.restart > 0 && trace.turns.len() == case.restart {
                process.stop();
            }
            let is_new_process = !process.is_running();
            let record = Coordinates::history(case.colour(), &game.moves);
            let report = match process.play_turn(&record, self.args.limits, &self.is_stopped()) {
                Ok(report) => report,
                Err(TurnError::Cancelled) => break,
                Err(error) => return Err(format!("{}: {error}", self.bot.name).into()),
            };
            let moves = game.moves.clone();
            let output = game.add((&report).into());
            trace.turns.push(Turn {
                moves,
                input: process.turn_input(&record, is_new_process),
                is_new_process,
                limit: self.args.limits.turn_time(record.len()),
                report,
                is_rejected: output.display.err.is_some(),
            });
            if output.command == OutputKind::Finish {
                break;
            }
            if trace.turns.len() == 1 {
                process.run_idle(SETTLE_TIME)?;
                trace.idle = process.run_idle(IDLE_MEASUREMENT)?;
            }
            let Some(reply) = opponent(game.judge.board()) else {
                break;
            };
            if game.add(Answer::from(reply)).command == OutputKind::Finish {
                break;
            }
        }
        process.stop();
        trace.stderr = process.stderr().clone();
        trace.log = entries(game.answers);
        if trace.is_early_timeout() {
            trace.report_at_input_end = self.report_at_input_end(&trace, launch)?;
        }
        Ok(trace)
    }

    /// Replays the turns of a case with an input that ends after the last turn. Returns the report on that turn, or `None`
    /// after Ctrl-C.
    fn report_at_input_end(
        &self,
        trace: &Trace,
        launch: Launch,
    ) -> Result<Option<TurnReport>, ToolError> {
        let mut process = self.process(trace.case, launch, trace.turns.len());
        let mut last = None;
        for turn in &trace.turns {
            let record = Coordinates::history(trace.case.colour(), &turn.moves);
            match process.play_turn(&record, self.args.limits, &self.is_stopped()) {
                Ok(report) => last = Some(report),
                Err(TurnError::Cancelled) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(last)
    }

    /// Returns a function that tests if the user pressed Ctrl-C.
    fn is_stopped(&self) -> impl Fn() -> bool {
        || self.stop.load(Ordering::SeqCst)
    }

    /// Creates the bot's process, not started yet, whose input ends after `max_input_turns` turns.
    fn process(&self, case: &Case, launch: Launch, max_input_turns: usize) -> Process {
        let spec = ProcessSpec {
            fresh: case.fresh,
            ..self.bot.spec(case.form)
        };
        let mut process = Process::new(spec, launch);
        process.conditions = TestConditions {
            counts_processes: true,
            sends_data: case.with_data,
            max_input_turns,
            slowdown: self.args.slower,
        };
        process
    }
}

/// Memory of the opponent's search tree, in bytes.
const OPPONENT_MEMORY_BYTES: usize = 16 << 20;

/// Function that returns an opponent's move, or `None` if there is no legal move.
type Reply = dyn FnMut(&Board) -> Option<Move>;

/// Returns the function that chooses the opponent's moves in a case.
fn opponent(case: &Case) -> Box<Reply> {
    match case.opponent {
        Opponent::Random => {
            let mut random = SmallRng::seed_from_u64(case.seed);
            Box::new(move |board| movegen::moves(board).choose(&mut random).copied())
        }
        Opponent::Level(level) => {
            let search_settings = SearchSettings::new(OPPONENT_MEMORY_BYTES, 1, case.seed);
            let mut search = RootParallel::new(&Board::start(), &search_settings);
            let strength = Strength::Level(level);
            Box::new(move |board| Some(search.think(board, strength, &|| false)?.turn))
        }
    }
}
