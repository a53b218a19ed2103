//! `amazons arena`: plays matches between bots under Botzone's time and memory limits, or between settings of this
//! program's own engine.

mod args;
pub(super) mod export;
mod referee;
pub mod report;
pub mod results;
pub mod stats;
mod tournament;

pub use args::Args;

use crate::player::spec::PlayerSpec;
use args::Subcommand;
use base::error::ToolError;
use tournament::Tournament;

/// Runs `amazons arena` or `amazons arena report`. Returns the exit code: 0, or 130 if Ctrl-C ended the games.
///
/// # Errors
/// If a file can't be read or written, a player can't be started, or the arguments contradict each other.
pub fn run(args: Args) -> Result<u8, ToolError> {
    if let Some(Subcommand::Report { files, json }) = &args.command {
        report::merge_files(files)?.print(*json, None)?;
        return Ok(0);
    }
    let specs: Vec<PlayerSpec> = match (&args.a, &args.b) {
        (Some(a), Some(b)) => vec![a.clone(), b.clone()],
        _ => args.players.clone(),
    };
    if specs.len() < 2 {
        return Err("expected --a and --b, or --player at least twice".into());
    }
    if args.sprt.is_some() && specs.len() != 2 {
        return Err("--sprt: expected two players".into());
    }
    Tournament::new(args, specs)?.run()
}
