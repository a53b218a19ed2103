//! The input of an analysis: match logs, or moves on the command line.

use crate::board::Move;
use crate::console::quoted;
use crate::tools::analysis::analysed::Source;
use crate::tools::platform::source::LogSource;
use crate::tools::record::replayed::Replayed;
use crate::tools::study::complain_of_remark;
use crate::tools::support::error::{ToolError, complain_of};

/// The arguments that name the games.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct Input {
    /// Match logs of the platform, inputs of bots, or other records: files, or ids or addresses of matches
    #[arg(value_name = "FILE")]
    files: Vec<LogSource>,
    /// Moves from the start instead of a log, for example "c1 c6 b5; a6a4h4"
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl Input {
    /// Reads the games in order. Unreadable ones are reported on standard error and skipped.
    #[must_use]
    pub fn read(&self) -> Vec<Source> {
        let moves = self
            .moves
            .iter()
            .map(|moves| ("--moves".to_owned(), read_moves(moves)));
        let files = self
            .files
            .iter()
            .map(|file| (file.to_string(), read_log(file)));
        let report = |(title, game): (String, Result<Replayed, ToolError>)| match game {
            Ok(game) => {
                complain_of_remark(&title, &game);
                Some(Source { title, game })
            }
            Err(error) => {
                complain_of(&title, &error);
                None
            }
        };
        moves.chain(files).filter_map(report).collect()
    }

    /// Number of games named.
    #[must_use]
    pub fn count(&self) -> usize {
        self.files.len() + usize::from(self.moves.is_some())
    }
}

fn read_log(file: &LogSource) -> Result<Replayed, ToolError> {
    let text = file
        .read()
        .map_err(|error| format!("{error}; expected a match log"))?;
    Ok(Replayed::read(&text)?)
}

/// Reads moves that are separated by semicolons.
fn read_moves(text: &str) -> Result<Replayed, ToolError> {
    let parts = text.split(';').map(str::trim);
    let parts = (1..).zip(parts.filter(|part| !part.is_empty()));
    let moves = parts.map(|(ply, part)| {
        let read: Result<Move, _> = part.parse();
        read.map_err(|error| format!("ply {ply}, \"{}\": {error}", quoted(part)))
    });
    let moves: Vec<Move> = moves.collect::<Result<_, String>>()?;
    Ok(Replayed::of_moves(&moves)?)
}
