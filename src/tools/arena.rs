//! The arena: plays matches between bots under Botzone's conditions, or between settings of this program's engine.

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

/// Runs the arena and returns the exit code.
///
/// # Errors
/// If files can't be read or written, or the arguments contradict each other.
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
