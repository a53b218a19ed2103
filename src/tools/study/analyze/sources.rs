//! [`Input`]: the games that a command such as `amazons analyze` reads, from files, from Botzone, or from moves on the
//! command line.

use crate::platform::source::LogSource;
use crate::study::print_warnings;
use analysis::analysed::TitledGame;
use base::error::{Result, ok_or_print};
use engine::board::Move;
use engine::console::quoted;
use record::checked_game::CheckedGame;

/// The arguments that name the games to analyse.
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
    /// Reads all games. Returns the games in the order of the command line, and true if all could be read. A game that
    /// can't be read is reported on standard error and left out.
    #[must_use]
    pub fn read(&self) -> (Vec<TitledGame>, bool) {
        let moves = self.moves.iter();
        let moves = moves.map(|moves| ("--moves".to_owned(), read_moves(moves)));
        let files = self.files.iter().flat_map(LogSource::games);
        let files = files.map(|(title, game)| (title, game.map(|record| record.game)));
        let mut all_read = true;
        let mut sources = Vec::new();
        for (title, game) in moves.chain(files) {
            let Some(game) = ok_or_print(&title, game) else {
                all_read = false;
                continue;
            };
            print_warnings(&title, &game);
            sources.push(TitledGame { title, game });
        }
        (sources, all_read)
    }
}

/// Parses the moves of a game from the start position. Semicolons separate the moves; a move has three squares, with or
/// without spaces between them, such as `c1 c6 b5; a6a4h4`.
///
/// # Errors
/// If a move can't be parsed or is illegal; the message names its ply.
fn read_moves(text: &str) -> Result<CheckedGame> {
    let parts = text.split(';').map(str::trim);
    let parts = (1..).zip(parts.filter(|part| !part.is_empty()));
    let moves = parts.map(|(ply, part)| {
        let read: Result<Move, _> = part.parse();
        read.map_err(|error| format!("ply {ply}, \"{}\": {error}", quoted(part)))
    });
    let moves: Vec<Move> = moves.collect::<Result<_, String>>()?;
    Ok(CheckedGame::from_moves(&moves)?)
}
