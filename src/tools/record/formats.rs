//! Records that others write: in which format a text is, and a record in each of them.

mod ccgc;
mod draft;
pub mod fen;
mod moves;
mod sgf;

use super::log::{self, LogError, without_mark};
use super::replayed::Replayed;
use super::tree::Record;
use serde::Deserialize;

/// A way to write a record down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "tools", derive(clap::ValueEnum))]
pub enum Format {
    /// Match log of the platform, in JSON: the moves as its judge writes them, and the names
    Log,
    /// SGF (FF 4, GM 18): the whole record with variations and comments, from any position
    Sgf,
    /// The form of China's national contest, with squares of 8x8 (its own board is 10x10): moves, names, winner, date, event
    Ccgc,
    /// Numbered moves such as c1-c6(f6)
    Moves,
    /// The last position, in the manner of chess's FEN
    Fen,
}

impl Format {
    /// The format that a text seems to be in; what is like nothing else should be a match log.
    fn of(text: &str) -> Format {
        let text = text.trim_start();
        match () {
            () if text.starts_with('(') && !moves::begins(text) => Format::Sgf,
            () if text.starts_with("#[") => Format::Ccgc,
            () if fen::is_position(text) => Format::Fen,
            () if log::is_simple(text) => Format::Log,
            () if moves::begins(text) => Format::Moves,
            () => Format::Log,
        }
    }

    /// The usual ending of a file's name.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Log => "json",
            Format::Sgf => "sgf",
            Format::Ccgc | Format::Moves => "txt",
            Format::Fen => "fen",
        }
    }

    /// Writes a record, as far as the format can hold it.
    ///
    /// # Errors
    /// If the game begins at a position that the format can't tell.
    pub fn write(self, record: &Record) -> Result<String, String> {
        let game = &record.game;
        if !matches!(self, Format::Sgf | Format::Fen) {
            game.check_start()?;
        }
        Ok(match self {
            Format::Log => log::write(&game.names, None, game.answers.iter().cloned()),
            Format::Sgf => sgf::write(record),
            Format::Ccgc => ccgc::write(record),
            Format::Moves => moves::write(&game.turns()),
            Format::Fen => fen::write(&game.board_at(game.plies())),
        })
    }
}

/// Reads a record in any format, of a file with several games the first.
pub(super) fn read(text: &str) -> Result<Record, LogError> {
    let text = without_mark(text);
    match Format::of(text) {
        Format::Log => Ok(Record::of(Replayed::of_log(text)?)),
        Format::Sgf => sgf::read(text)?.record(),
        Format::Ccgc => ccgc::read(text)?.record(),
        Format::Moves => moves::read(text, 1)?.record(),
        Format::Fen => fen::read(text)?.record(),
    }
}

/// Reads all games of a text in any format: SGF alone holds several.
pub(super) fn read_all(text: &str) -> Vec<Result<Record, LogError>> {
    let sgf = without_mark(text);
    match Format::of(sgf) {
        Format::Sgf => sgf::read_all(sgf).map(|draft| draft?.record()).collect(),
        _ => vec![read(text)],
    }
}

/// A fault in a line of a text.
fn at_line(line: usize, fault: &impl std::fmt::Display) -> LogError {
    LogError::whole(format!("line {line}: {fault}"))
}

/// Why a record of the game's usual size is refused.
const TEN: &str = "a game on ten by ten squares; expected one on eight by eight, the only board that is known here";
