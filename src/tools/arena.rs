//! `amazons arena`: [`run`] plays games between two or more bots under Botzone's time and memory limits, and reports
//! scores and Elo differences. A bot is an external program, or this program's own bot with settings such as
//! `self:level=5`.

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
use base::error::Result;
use tournament::Tournament;

/// Plays the games of `amazons arena`, or prints the report of `amazons arena report`. Returns the exit code: 0, or 130
/// if Ctrl-C interrupted the games.
///
/// # Errors
/// - If there are fewer than two bots, or more than two with `--sprt`.
/// - If a file can't be read or written, or `--out` names an existing file without `--resume`.
/// - If a bot can't be started.
pub fn run(args: Args) -> Result<u8> {
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
