//! `amazons play`: a game at the terminal, among people, against the bot, or between two bots.

pub mod bot;
pub mod command;
pub mod file;
pub mod game;
mod plain;
pub mod session;
mod terminal;

use super::ToolError;
use crate::board::Move;
use crate::options::seed_from_time;
use bot::{LEVELS, Strength};
use clap::ValueEnum;
use game::{Game, Seat};
use session::Session;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

/// The bot's level if nothing is said.
const DEFAULT_LEVEL: u8 = 5;

/// Play at the terminal: with each other, against the bot, or watch two bots
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Match log to go on with
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Who plays black, the colour that begins
    #[arg(long, value_name = "WHO", default_value = "human")]
    black: Who,
    /// Who plays white
    #[arg(long, value_name = "WHO", default_value = "bot")]
    white: Who,
    /// The bot's level, each thinking four times as long as the one before [default: 5]
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u8).range(1..=LEVELS.len() as i64))]
    level: Option<u8>,
    /// Milliseconds the bot thinks about a move
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    bot_time_ms: Option<u64>,
    /// Iterations the bot thinks about a move
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u64).range(1..))]
    bot_iterations: Option<u64>,
    /// Seed of the bot's random choices [default: from the time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Play over lines of text, for pipes and screen readers
    #[arg(long)]
    plain: bool,
    /// Say the board in words instead of drawing it
    #[arg(long, requires = "plain")]
    words: bool,
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
    /// How long the bot thinks.
    fn strength(&self) -> Strength {
        let time = self
            .bot_time_ms
            .map(|time| Strength::Time(Duration::from_millis(time)));
        let iterations = self.bot_iterations.map(Strength::Iterations);
        time.or(iterations)
            .unwrap_or(Strength::Level(self.level.unwrap_or(DEFAULT_LEVEL)))
    }

    /// Who plays black and white.
    fn seats(&self) -> [Seat; 2] {
        [self.black, self.white].map(|who| match who {
            Who::Human => Seat::Human,
            Who::Bot => Seat::Bot(self.strength()),
        })
    }
}

/// Plays; returns the exit code.
///
/// # Errors
/// If the file to go on with is damaged, or the terminal is none.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let mut session = Session::new(
        Game::new(args.seats()),
        args.seed.unwrap_or_else(seed_from_time),
    );
    if let Some(file) = &args.file {
        session.load(file)?;
    }
    if args.plain {
        plain::run(session, args.words, io::stdin().lock(), io::stdout())?;
        return Ok(0);
    }
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err("play: input or output is no terminal, expected --plain".into());
    }
    terminal::run(session)
}

/// The moves of a game, a line for both players' turns.
fn record(moves: &[Move]) -> String {
    let rounds = moves.chunks(2).enumerate().map(|(number, turns)| {
        let turns: Vec<String> = turns.iter().map(Move::to_string).collect();
        format!("{:2}. {}", number + 1, turns.join("  "))
    });
    match moves {
        [] => "no moves yet".to_owned(),
        _ => rounds.collect::<Vec<_>>().join("\n"),
    }
}

/// Both players' win probabilities for people.
fn chances(black_wins: f32) -> String {
    let black = 100.0 * black_wins;
    format!("black {black:.1} %, white {:.1} %", 100.0 - black)
}
