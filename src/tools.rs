//! The local tools: Botzone on one's own machine.

pub mod analyze;
pub mod arena;
mod files;
pub mod games;
pub mod journal;
pub mod judge;
pub mod log;
pub mod play;
pub mod player;
pub mod process;
pub mod replay;
pub mod review;
pub mod selfplay;
pub mod spec;
pub mod spsa;
pub mod tune;
pub mod wire;
mod workers;

use crate::console::{complain, print, visible};
use clap::{Parser, Subcommand};
use std::io::{self, Read};

/// What a tool fails with: a message for standard error. The exit code is 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;

/// A Botzone bot for the Game of the Amazons on 8x8, with tools for its author.
#[derive(Debug, Parser)]
#[command(name = "amazons", version)]
struct Cli {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Debug, Subcommand)]
enum Tool {
    /// Answer a log on standard input as the platform's judge does
    Judge,
    Arena(Box<arena::Args>),
    Play(play::Args),
    /// Check match logs and report on them, or rebuild one of their positions
    Replay(replay::Args),
    Analyze(analyze::Args),
    Review(review::Args),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::Args),
    Tune(tune::Args),
    Spsa(spsa::Args),
}

/// What `--help` says of the tools.
pub const HELP: &str = "
Local tools, each with a --help of its own:
  amazons play      play at the terminal, with each other or against the bot
  amazons judge     answer a log as the platform's judge does
  amazons replay    check match logs, rebuild positions, run a bot against a log
  amazons analyze   search every position of a game: probabilities, best moves, a report for the browser
  amazons review    sum a game up: turning points, mistakes, accuracy
  amazons arena     play bots against each other under Botzone's conditions
  amazons selfplay  let the engine play itself, for fitting
  amazons tune      fit the phase weights to games of self-play
  amazons spsa      tune numbers of the search in games against itself
";

/// Names of the tools, each a subcommand.
pub const NAMES: &[&str] = &[
    "analyze", "arena", "judge", "play", "replay", "review", "selfplay", "spsa", "tune",
];

/// Runs the tool that a command line names; returns the exit code.
#[must_use]
pub fn run(args: &[String]) -> u8 {
    let cli = match Cli::try_parse_from(
        std::iter::once("amazons").chain(args.iter().map(String::as_str)),
    ) {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be done about a closed standard error.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let result = match cli.tool {
        Tool::Judge => judge_log(),
        Tool::Arena(args) => arena::run(*args),
        Tool::Play(args) => play::run(&args),
        Tool::Replay(args) => replay::run(&args),
        Tool::Analyze(args) => analyze::run(&args),
        Tool::Review(args) => review::run(&args),
        Tool::SelfPlay(args) => selfplay::run(&args),
        Tool::Tune(args) => tune::run(&args),
        Tool::Spsa(args) => spsa::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) if reader_has_gone(&error) => 0,
        Err(error) => {
            for line in error.to_string().lines() {
                complain(format_args!("amazons: {}", visible(line)));
            }
            2
        }
    }
}

/// Tests if a tool ended because nobody reads its output any more, as behind `| head`: they have seen enough.
fn reader_has_gone(error: &ToolError) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints the judge's next output for a log on standard input.
fn judge_log() -> Result<u8, ToolError> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let entries = log::read(&text)?;
    let mut judge = judge::Judge::default();
    let mut output = judge.opening();
    for entry in &entries {
        if let log::Entry::Bot(_, answer) = entry
            && !judge.is_over()
        {
            output = judge.answer(answer.verdict, answer.response.as_ref());
        }
    }
    print(format_args!("{}\n", serde_json::to_string(&output)?))?;
    Ok(0)
}
