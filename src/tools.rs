//! The local tools: Botzone on one's own machine.

pub mod analyze;
mod append;
pub mod arena;
mod cli;
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
use crate::options;
use cli::Task;
use std::ffi::OsString;
use std::io::{self, Read};

/// What a tool fails with: a message for standard error. The exit code is 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;

/// Does what a command line, program name included, asks for: a tool runs here, and a command of the engine is
/// handed to `engine`. Returns the exit code.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    engine: impl FnOnce(options::Command) -> u8,
) -> u8 {
    let result = match cli::parse(args) {
        Ok(Task::Engine(command)) => return engine(command),
        Ok(Task::Tool(tool)) => tool.run(),
        Err(refused) => cli::explain(&refused),
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
    io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| format!("standard input: {error}; expected a match log"))?;
    let entries = log::read(&text).map_err(|error| format!("standard input: {error}"))?;
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
