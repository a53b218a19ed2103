//! The local tools: Botzone on one's own machine. `tools/README.md` describes each of them.

pub mod analysis;
pub mod arena;
mod cli;
pub mod online;
pub mod platform;
pub mod play;
pub mod player;
pub mod study;
pub mod support;
pub mod training;

use crate::console::{complain, visible};
use cli::Invocation;
use std::ffi::OsString;
use std::io;
use support::error::ToolError;

/// Does what a command line, program name included, asks for: a tool runs here, and a command of the engine is
/// handed to `engine`. Returns the exit code.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    engine: impl FnOnce(crate::cli::Command) -> u8,
) -> u8 {
    let result = match cli::parse(args) {
        Ok(Invocation::Engine(command)) => return engine(command),
        Ok(Invocation::Tool(tool)) => tool.run(),
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
