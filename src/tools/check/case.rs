//! A case: a stretch of a game under the platform's conditions, and how it is played.

use super::Args;
use super::bot::Bot;
use super::trace::{Trace, Turn};
use super::words;
use crate::platform::process::{Launch, Process, ProcessSpec, Trial, TurnError, TurnReport};
use analysis::glossary::{LEVEL, Language};
use analysis::level::Strength;
use analysis::root_parallel::{Means, RootParallel};
use base::error::ToolError;
use engine::board::{Board, Move, Player};
use engine::botzone::Form;
use engine::movegen;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use record::judge::{Coordinates, Demand};
use record::log::{Answer, entries};
use record::replayed::{Replayed, player_at};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a bot that was kept running is left alone after its first turn, to see whether it goes on thinking.
const LEFT_ALONE: Duration = Duration::from_millis(100);

/// How long it may finish before that.
const SETTLING: Duration = Duration::from_millis(100);

/// What a case is about; a line of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// The bot's first turns of a game, in every interaction that it understands.
    FirstTurns,
    /// Later turns with the whole record, which the bot did not always play itself.
    Histories,
    /// Positions that hardly ever come up.
    RarePositions,
    /// Games.
    Games,
}

/// Who plays against the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Any legal move, all alike.
    Random,
    /// A level of `amazons play`.
    Level(u8),
}

impl Opponent {
    /// What it is called.
    #[must_use]
    pub fn name(self, language: Language) -> String {
        match self {
            Opponent::Random => words::RANDOM_MOVES.text(language).to_owned(),
            Opponent::Level(level) => LEVEL.of(language, &[&level]),
        }
    }
}

/// A stretch of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name on the command line and in file names.
    pub name: String,
    /// What it is about.
    pub group: Group,
    /// The interaction.
    pub form: Form,
    /// The moves before the bot's first turn. They tell its colour.
    pub opening: Vec<Move>,
    /// Most turns of the bot.
    pub turns: usize,
    /// Who plays between them.
    pub opponent: Opponent,
    /// Whether the bot is started anew for every turn.
    pub fresh: bool,
    /// After how many turns the platform ends the bot, which is then started anew; 0 for never.
    pub restart: usize,
    /// Whether lines of `data` stand behind the record.
    pub with_data: bool,
    /// Seed of the opponent.
    pub seed: u64,
}

impl Case {
    /// The bot's colour.
    #[must_use]
    pub const fn colour(&self) -> Player {
        player_at(self.opening.len())
    }
}

/// What all cases share.
pub struct Conditions<'a> {
    /// The bot.
    pub bot: &'a Bot,
    /// What the user has asked for.
    pub args: &'a Args,
    /// Set by Ctrl-C.
    pub stop: &'a AtomicBool,
}

impl Conditions<'_> {
    /// Plays a case to its end, or until the time is over, which is asked between turns.
    ///
    /// # Errors
    /// If the bot can't be started, or this machine fails.
    pub fn play<'c>(
        &self,
        case: &'c Case,
        out_of_time: &dyn Fn() -> bool,
    ) -> Result<Trace<'c>, ToolError> {
        let launch = self.args.launch.launch()?;
        let mut process = self.process(case, launch.clone(), usize::MAX);
        let mut opponent = opponent(case);
        let mut game = Replayed::default();
        for &turn in &case.opening {
            game.add(Answer::from(turn));
        }
        let mut trace = Trace::new(case, self.args.limits);
        while trace.turns.is_empty() || trace.turns.len() < case.turns && !out_of_time() {
            if case.restart > 0 && trace.turns.len() == case.restart {
                process.stop();
            }
            let began_process = !process.is_running();
            let record = Coordinates::record(case.colour(), &game.moves);
            let report = match process.turn(&record, self.args.limits, &self.is_stopped()) {
                Ok(report) => report,
                Err(TurnError::BrokenOff) => break,
                Err(error) => return Err(format!("{}: {error}", self.bot.name).into()),
            };
            let moves = game.moves.clone();
            let output = game.add((&report).into());
            trace.turns.push(Turn {
                moves,
                input: process.input(&record, began_process),
                began_process,
                limit: self.args.limits.time(record.len()),
                report,
                is_refused: output.display.err.is_some(),
            });
            if output.command == Demand::Finish {
                break;
            }
            if trace.turns.len() == 1 {
                process.idle(SETTLING)?;
                trace.idle = process.idle(LEFT_ALONE)?;
            }
            let Some(reply) = opponent(game.judge.board()) else {
                break;
            };
            if game.add(Answer::from(reply)).command == Demand::Finish {
                break;
            }
        }
        process.stop();
        trace.words = process.words().clone();
        trace.log = entries(game.answers);
        if trace.is_early_and_late() {
            trace.once_input_ends = self.once_input_ends(&trace, launch)?;
        }
        Ok(trace)
    }

    /// The turns of a case once more, with an input that ends behind the last one. Returns how that one went; nothing if it
    /// is broken off.
    fn once_input_ends(
        &self,
        trace: &Trace,
        launch: Launch,
    ) -> Result<Option<TurnReport>, ToolError> {
        let mut process = self.process(trace.case, launch, trace.turns.len());
        let mut last = None;
        for turn in &trace.turns {
            let record = Coordinates::record(trace.case.colour(), &turn.moves);
            match process.turn(&record, self.args.limits, &self.is_stopped()) {
                Ok(report) => last = Some(report),
                Err(TurnError::BrokenOff) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(last)
    }

    /// Tests if Ctrl-C has come.
    fn is_stopped(&self) -> impl Fn() -> bool {
        || self.stop.load(Ordering::SeqCst)
    }

    /// The bot, not running yet. Its input ends behind so many turns.
    fn process(&self, case: &Case, launch: Launch, turns_of_input: usize) -> Process {
        let spec = ProcessSpec {
            fresh: case.fresh,
            ..self.bot.spec(case.form)
        };
        let mut process = Process::new(spec, launch);
        process.trial = Trial {
            counted: true,
            with_data: case.with_data,
            turns_of_input,
            slower: self.args.slower,
        };
        process
    }
}

/// Memory of the opponent's search, in bytes.
const OPPONENTS_MEMORY: usize = 16 << 20;

/// Finds an opponent's move; there is one as long as the game goes on.
type Reply = dyn FnMut(&Board) -> Option<Move>;

/// Returns what finds the moves of a case's opponent.
fn opponent(case: &Case) -> Box<Reply> {
    match case.opponent {
        Opponent::Random => {
            let mut random = SmallRng::seed_from_u64(case.seed);
            Box::new(move |board| movegen::moves(board).choose(&mut random).copied())
        }
        Opponent::Level(level) => {
            let means = Means::new(OPPONENTS_MEMORY, 1, case.seed);
            let mut search = RootParallel::new(&Board::start(), &means);
            let strength = Strength::Level(level);
            Box::new(move |board| Some(search.think(board, strength, &|| false)?.turn))
        }
    }
}
