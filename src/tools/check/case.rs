//! A test case of `amazons check` ([`Case`]): turns of the bot from a given opening. [`CaseRunner`] plays it under
//! Botzone's limits of time and memory.

use super::Args;
use super::bot::Bot;
use super::texts;
use super::trace::{Trace, Turn};
use crate::platform::process::{
    Launch, Process, ProcessSpec, TestConditions, TurnError, TurnReport,
};
use analysis::glossary::{LEVEL, Language};
use analysis::level::Strength;
use analysis::tree_parallel::{SearchSettings, TreeParallel};
use base::error::Result;
use engine::board::{Board, Move, Player};
use engine::botzone::Protocol;
use engine::movegen;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use record::checked_game::{CheckedGame, player_at};
use record::judge::{Coordinates, OutputKind};
use record::log::{Answer, entries_from};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Time between the bot's first and second turn during which its CPU time is measured. A high CPU time shows that the
/// bot ponders (thinks during the opponent's turn).
const IDLE_MEASUREMENT: Duration = Duration::from_millis(100);

/// Pause between the bot's first answer and the measurement of its CPU time, so that the bot can finish its work for
/// that turn. The measurement shows if the bot thinks during the opponent's turn.
const SETTLE_TIME: Duration = Duration::from_millis(100);

/// Group of test cases. The report of a check shows the results of each group in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Cases with the first two turns of a game: one for each protocol (simple, JSON) and each colour of the bot.
    FirstTurns,
    /// Cases with two to four turns of the bot, most of them after random moves of both players. They test how the bot
    /// reads the moves played before its turn, both in a new process and in a process that was kept running after the
    /// bot's previous turn.
    Histories,
    /// Cases with turns from positions that rarely occur in games, such as a position with a single legal move.
    RarePositions,
    /// Cases with whole games, played until they end.
    Games,
}

/// Opponent of the bot in a test case. It chooses the moves between the bot's turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Opponent that chooses uniformly at random among the legal moves.
    Random,
    /// Opponent that plays like the bot of `amazons play` at this level, from 1 (weakest).
    Level(u8),
}

impl Opponent {
    /// Returns the opponent's name for reports, such as "level 3" for [`Opponent::Level`].
    #[must_use]
    pub fn name(self, language: Language) -> String {
        match self {
            Opponent::Random => texts::RANDOM_MOVES.text(language).to_owned(),
            Opponent::Level(level) => LEVEL.fill(language, &[&level]),
        }
    }
}

/// Test case of `amazons check`: the moves before the bot's first turn, the number of the bot's turns, the opponent,
/// and how the bot's process is started and restarted.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Unique name of the case for `--repeat` and in file names, such as `simple-first-black`.
    pub name: String,
    /// Group to which the case belongs, such as the cases with whole games. The report has one line for each group.
    pub group: Group,
    /// Protocol of Botzone in which the bot gets its input and gives its answers: simple (lines of numbers) or JSON.
    pub protocol: Protocol,
    /// Moves of both players before the bot's first turn, beginning with black's first move. The bot plays black if
    /// their number is even, else white.
    pub opening: Vec<Move>,
    /// Maximum number of turns that the bot plays in this case. The case ends earlier if the game ends.
    pub turns: usize,
    /// Opponent that plays between the bot's turns: random moves, or a level of `amazons play`.
    pub opponent: Opponent,
    /// True if every turn starts a new process of the bot, as after a restart by Botzone. False if the bot's process is
    /// kept running when the bot asks for it.
    pub fresh: bool,
    /// Number of the bot's turns after which its process is ended, to test a restart: the next turn starts a new
    /// process. This happens only once in the case. 0 means never.
    pub restart_after: usize,
    /// True if the bot's input in the simple protocol ends, as on Botzone, with lines for the data that Botzone stores
    /// for a bot (`data` and `globaldata`). The lines are sent only in the first turn of a process.
    pub with_data: bool,
    /// Seed of the opponent's random choices.
    pub seed: u64,
}

impl Case {
    /// Returns the colour that the bot plays: black after an even number of opening moves, else white.
    #[must_use]
    pub const fn colour(&self) -> Player {
        player_at(self.opening.len())
    }
}

/// Object that plays test cases with the bot that `amazons check` tests ([`CaseRunner::play`]).
pub struct CaseRunner<'a> {
    /// The bot to check.
    pub bot: &'a Bot,
    /// Command-line options of `amazons check`.
    pub args: &'a Args,
    /// Flag that is true after Ctrl-C. A turn that is being played is then cancelled.
    pub stop: &'a AtomicBool,
}

impl CaseRunner<'_> {
    /// Plays `case` and returns its record: the bot's turns, output and measurements. The case ends early after Ctrl-C,
    /// or if `is_time_up` returns true between two turns.
    ///
    /// # Errors
    /// - If the bot can't be started.
    /// - If the operating system fails to run the bot, for example for lack of memory.
    /// - If `--sandbox` is used and its temporary folder for a bot can't be created.
    pub fn play<'c>(&self, case: &'c Case, is_time_up: &dyn Fn() -> bool) -> Result<Trace<'c>> {
        let launch = self.args.launch.launch()?;
        let mut process = self.new_process(case, launch.clone(), usize::MAX);
        let mut opponent = reply_function(case);
        let mut game = CheckedGame::default();
        for &turn in &case.opening {
            game.add(Answer::from(turn));
        }
        let mut trace = Trace::new(case, self.args.limits);
        while trace.turns.is_empty() || trace.turns.len() < case.turns && !is_time_up() {
            if case.restart_after > 0 && trace.turns.len() == case.restart_after {
                process.stop();
            }
            let is_new_process = !process.is_running();
            let history = Coordinates::history(case.colour(), &game.moves);
            let report = match process.play_turn(&history, self.args.limits, &self.is_stopped()) {
                Ok(report) => report,
                Err(TurnError::Cancelled) => break,
                Err(error) => return Err(format!("{}: {error}", self.bot.name).into()),
            };
            let moves = game.moves.clone();
            let output = game.add((&report).into());
            trace.turns.push(Turn {
                moves,
                input: process.turn_input(&history, is_new_process),
                is_new_process,
                limit: self.args.limits.turn_time(history.len()),
                report,
                is_rejected: output.display.err.is_some(),
            });
            if output.command == OutputKind::Finish {
                break;
            }
            if trace.turns.len() == 1 {
                process.run_idle(SETTLE_TIME)?;
                trace.pondering_cpu = process.run_idle(IDLE_MEASUREMENT)?;
            }
            let reply = opponent(game.judge.board());
            let output = reply.map(|reply| game.add(Answer::from(reply)));
            if output.is_none_or(|output| output.command == OutputKind::Finish) {
                break;
            }
        }
        process.stop();
        trace.stderr = process.stderr().clone();
        trace.log = entries_from(game.answers);
        if trace.is_early_timeout() {
            trace.report_at_input_end = self.report_at_input_end(&trace, launch)?;
        }
        Ok(trace)
    }

    /// Finds out if a bot that exceeded its time limit was waiting for the end of its input. Plays the turns of `trace`
    /// again with a new process, but closes the bot's input after the last turn, which is the one that was too slow.
    /// Returns the report on the last turn of the new process, or `None` after Ctrl-C.
    ///
    /// # Errors
    /// - If the bot can't be started.
    /// - If the operating system fails to run the bot, for example for lack of memory.
    fn report_at_input_end(&self, trace: &Trace, launch: Launch) -> Result<Option<TurnReport>> {
        let mut process = self.new_process(trace.case, launch, trace.turns.len());
        let mut last = None;
        for turn in &trace.turns {
            let history = Coordinates::history(trace.case.colour(), &turn.moves);
            match process.play_turn(&history, self.args.limits, &self.is_stopped()) {
                Ok(report) => last = Some(report),
                Err(TurnError::Cancelled) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(last)
    }

    /// Returns a function that tells whether the user has pressed Ctrl-C.
    fn is_stopped(&self) -> impl Fn() -> bool {
        || self.stop.load(Ordering::SeqCst)
    }

    /// Returns a process of the bot. The operating system starts it only when its first turn is played. `case` tells
    /// which protocol it uses and whether each turn starts a new process. `launch` tells how to start it: in a sandbox
    /// or not. After `max_input_turns` turns, the bot's standard input is closed.
    fn new_process(&self, case: &Case, launch: Launch, max_input_turns: usize) -> Process {
        let spec = ProcessSpec {
            restarts: case.fresh,
            ..self.bot.spec(case.protocol)
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

/// Memory limit of the opponent's search tree, in bytes.
const OPPONENT_MEMORY_BYTES: usize = 16 << 20;

/// Function that chooses the opponent's move in a position; returns `None` if there is no legal move.
type ReplyFn = dyn FnMut(&Board) -> Option<Move>;

/// Returns a function that chooses the opponent's moves in the test case `case`. It takes a position with the opponent
/// to move, and returns the move, or `None` if there is no legal move.
fn reply_function(case: &Case) -> Box<ReplyFn> {
    match case.opponent {
        Opponent::Random => {
            let mut random = SmallRng::seed_from_u64(case.seed);
            Box::new(move |board| movegen::moves(board).choose(&mut random).copied())
        }
        Opponent::Level(level) => {
            let search_settings = SearchSettings::new(OPPONENT_MEMORY_BYTES, 1, case.seed);
            let mut search = TreeParallel::new(&Board::start(), &search_settings);
            let strength = Strength::Level(level);
            Box::new(move |board| Some(search.choose_move(board, strength, &|| false)?.turn))
        }
    }
}
