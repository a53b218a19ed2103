//! `amazons play`: a game at the terminal, among people, against the bot, or between two bots.

pub mod autosave;
pub mod bot;
pub mod command;
pub mod file;
pub mod game;
pub mod message;
mod plain;
pub mod refusal;
pub mod review;
pub mod seat;
pub mod selection;
pub mod sitting;
pub mod table;
mod terminal;
pub mod thinker;
pub mod words;

use crate::botzone::options::seed_from_time;
use crate::budget::Budget;
use crate::tools::player::spec::MAX_THREADS;
use crate::tools::support::error::ToolError;
use crate::tools::support::language::Language;
use crate::tools::thinking::level::{LEVELS, Strength};
use autosave::Autosave;
use clap::ValueEnum;
use command::Action;
use message::Note;
use seat::Seat;
use sitting::{ActionResult, Setup, Sitting};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;
use words::Words;

/// The bot's level if nothing is said.
const DEFAULT_LEVEL: u8 = 4;

/// Seconds of a turn between two bots on the whole terminal, if nothing is said: slow enough to follow.
const DEFAULT_PACE: f32 = 1.0;

/// Play at the terminal: with each other, against the bot, or watch two bots
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Match log to resume; players and levels are those of the log unless options name others
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Resume the game that was left last
    #[arg(long = "continue", conflicts_with = "file")]
    go_on: bool,
    /// Who plays black, the colour that begins [default: human]
    #[arg(long, value_name = "WHO")]
    black: Option<Who>,
    /// Who plays white [default: bot]
    #[arg(long, value_name = "WHO")]
    white: Option<Who>,
    /// The bot's level, from 1 for a beginner to 10 for the bot as it is uploaded [default: 4]
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u8).range(1..=LEVELS.len() as i64))]
    level: Option<u8>,
    /// Milliseconds the bot thinks about a move
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    bot_time_ms: Option<u64>,
    /// Iterations the bot thinks about a move
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u64).range(1..))]
    bot_iterations: Option<u64>,
    /// Threads of the bot where its time or iterations are named, at level 10 and for hints; lower levels keep to one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Least seconds of a turn between two bots [default: 1, with --plain 0]
    #[arg(long, value_name = "SECONDS", value_parser = pace)]
    pace: Option<f32>,
    /// Seed of the bot's random choices [default: from the time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Language [default: from LC_ALL, LC_MESSAGES, LANG]
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// Don't save the running game automatically
    #[arg(long)]
    no_autosave: bool,
    /// Play over lines of text, for pipes and screen readers
    #[arg(long)]
    plain: bool,
    /// Play over lines of text, with the board described in words instead of drawn
    #[arg(long)]
    words: bool,
}

/// Reads seconds.
fn pace(text: &str) -> Result<f32, String> {
    let seconds = text
        .parse()
        .ok()
        .filter(|seconds| (0.0..=60.0).contains(seconds));
    seconds.ok_or_else(|| "expected seconds from 0 to 60".to_owned())
}

/// Who plays a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Who {
    /// Somebody at this terminal
    Human,
    /// The engine
    Bot,
}

impl Args {
    /// How strong the bot is said to be.
    fn strength(&self) -> Option<Strength> {
        let time = self
            .bot_time_ms
            .map(|ms| Budget::Time(Duration::from_millis(ms)));
        let budget = time.or(self.bot_iterations.map(Budget::Iterations));
        let level = self.level.map(Strength::Level);
        budget.map(Strength::Budget).or(level)
    }

    /// Default seats of black and white.
    fn seats(&self) -> [Seat; 2] {
        let strength = self.strength().unwrap_or(Strength::Level(DEFAULT_LEVEL));
        let seat = |who| match who {
            Who::Human => Seat::Human,
            Who::Bot => Seat::Bot(strength),
        };
        [
            seat(self.black.unwrap_or(Who::Human)),
            seat(self.white.unwrap_or(Who::Bot)),
        ]
    }

    /// The seats and bots' strengths that the command line names, which replace a file's.
    fn changes(&self, seats: [Seat; 2]) -> [Option<Seat>; 2] {
        let [black, white] = self.seats();
        let change =
            |said: Option<Who>, by_args: Seat, by_file: Seat| match (by_file, self.strength()) {
                _ if said.is_some() => Some(by_args),
                (Seat::Bot(_), Some(strength)) => Some(Seat::Bot(strength)),
                _ => None,
            };
        [
            change(self.black, black, seats[0]),
            change(self.white, white, seats[1]),
        ]
    }

    /// The words of the language asked for, or of the user's environment.
    fn language(&self) -> &'static dyn Words {
        let environment = || Language::of_environment(|name| std::env::var(name).ok());
        self.lang.unwrap_or_else(environment).words()
    }

    /// The folder of running games; without a home there is none, as with `--no-autosave`.
    fn autosave(&self) -> Result<Option<Autosave>, ToolError> {
        match Autosave::default_folder().filter(|_| !self.no_autosave) {
            Some(folder) => Autosave::new(&folder).map(Some),
            None => Ok(None),
        }
    }
}

/// Plays; returns the exit code.
///
/// # Errors
/// If the file to resume is damaged, or the terminal is none.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let plain = args.plain || args.words;
    let is_at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !plain && !is_at_terminal {
        return Err("play: input or output is no terminal, expected --plain".into());
    }
    let words = args.language();
    let (autosave, fault) = match args.autosave() {
        Ok(autosave) => (autosave, None),
        Err(error) => (None, Some(Note::NotKept(error.to_string()))),
    };
    let pace = args.pace.unwrap_or(if plain { 0.0 } else { DEFAULT_PACE });
    let mut sitting = Sitting::new(Setup {
        seats: args.seats(),
        strength: args.strength().unwrap_or(Strength::Level(DEFAULT_LEVEL)),
        seed: args.seed.unwrap_or_else(seed_from_time),
        threads: args.threads.into(),
        pace: Duration::from_secs_f32(pace),
        autosave,
    });
    let note = begin(&mut sitting, args).map_err(|complaint| words.complaint(&complaint))?;
    let note = note.or(fault);
    if plain {
        plain::run(
            sitting,
            words,
            args.words,
            note,
            io::stdin().lock(),
            io::stdout(),
        )?;
        return Ok(0);
    }
    terminal::run(sitting, words, note)
}

/// Resumes the named game, or offers the one that was left.
fn begin(sitting: &mut Sitting, args: &Args) -> ActionResult {
    let note = match &args.file {
        Some(file) => sitting.act(&Action::Load(file.clone()))?,
        None if args.go_on => sitting.act(&Action::Continue)?,
        None => return Ok(sitting.left().map(Note::Left)),
    };
    sitting.reseat(args.changes(sitting.game().seats()));
    Ok(note)
}
