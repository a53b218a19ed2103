//! File formats of game records: detects the format of a text, and converts texts to and from [`Record`].

mod ccgc;
mod draft;
pub mod fen;
mod moves;
mod pieces;
mod sgf;

use super::checked_game::CheckedGame;
use super::log::{self, LogError, strip_bom};
use super::tree::Record;
use serde::Deserialize;

/// File format of a game record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "native", derive(clap::ValueEnum))]
pub enum Format {
    /// Match log of Botzone, in JSON: the moves, times, memory and the names
    Log,
    /// SGF (FF 4, GM 18): the whole record with variations and comments, from any position
    Sgf,
    /// Format of China's national computer game contest, but only for 8x8 boards (the contest plays on 10x10): moves,
    /// names, winner, date, event
    Ccgc,
    /// Numbered moves of the main line, such as 1. c1-c6(f6)
    Moves,
    /// Last position only, in a notation like chess's FEN
    Fen,
}

impl Format {
    /// Detects the format of `text`. Returns [`Format::Log`] if no other format fits.
    fn detect(text: &str) -> Format {
        let text = text.trim_start();
        // Both `[` and `{` are ambiguous: JSON, a PGN tag or a comment. Test for JSON before SGF, because a bot's debug
        // text in a JSON match log may contain SGF.
        let inner = text.strip_prefix('[').map(str::trim_start);
        let is_json = inner.map_or(text.starts_with('{'), |inner| {
            !inner.starts_with(|letter: char| letter.is_ascii_alphabetic())
        });
        match () {
            () if fen::is_position(text) => Format::Fen,
            () if !log::is_simple_input(text) && moves::is_moves(text) => Format::Moves,
            () if text.starts_with('(') => Format::Sgf,
            () if is_json => Format::Log,
            () if pieces::has_sgf(text) => Format::Sgf,
            () if text.lines().any(|line| line.trim_start().starts_with("#[")) => Format::Ccgc,
            () => Format::Log,
        }
    }

    /// Parses `text`, which must contain exactly one game in this format.
    ///
    /// # Errors
    /// At the first syntax error or illegal move; in a match log also at the first entry that differs from what the
    /// judge would write.
    fn read(self, text: &str) -> Result<Record, LogError> {
        match self {
            Format::Log => Ok(Record::from_game(CheckedGame::from_log(text)?)),
            Format::Sgf => sgf::read(text)?.into_record(),
            Format::Ccgc => ccgc::read(text)?.into_record(),
            Format::Moves => moves::read(text)?.into_record(),
            Format::Fen => fen::read(text)?.into_record(),
        }
    }

    /// Returns the usual file name extension of this format, without a dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Log => "json",
            Format::Sgf => "sgf",
            Format::Ccgc | Format::Moves => "txt",
            Format::Fen => "fen",
        }
    }

    /// Returns the text to write between two games in the same file: for [`Format::Moves`] a line break, so that an
    /// empty line separates the games; for other formats nothing.
    #[must_use]
    pub const fn separator(self) -> &'static str {
        if matches!(self, Format::Moves) {
            "\n"
        } else {
            ""
        }
    }

    /// Converts a record to text in this format. Leaves out whatever the format can't express, such as variations.
    ///
    /// # Errors
    /// If the game does not begin at the standard start position, and the format is neither SGF nor FEN.
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

/// Parses all games of a text in any format of [`Format`]. The result has at least one element; a game that can't be
/// parsed is an error. Text outside the games is skipped, with a warning. The warning is stored in the next game that
/// can be parsed, or in the last one if none follows.
#[must_use]
pub fn read_all(text: &str) -> Vec<Result<Record, LogError>> {
    let text = strip_bom(text);
    if text.trim().is_empty() {
        return vec![Err(LogError::in_text(
            "no text, expected the record of a game".to_owned(),
        ))];
    }
    let format = Format::detect(text);
    let pieces = pieces::split(format, text);
    let (mut games, mut left_out) = (Vec::new(), Vec::new());
    for piece in &pieces {
        if !piece.is_game {
            left_out.push(piece.skip_warning());
            continue;
        }
        let mut game = format.read(piece.text);
        match &mut game {
            Ok(record) => left_out.drain(..).for_each(|remark| record.warn(remark)),
            Err(fault) if pieces.len() > 1 || piece.lines_before > 0 => {
                fault.add_line_offset(piece.lines_before);
            }
            Err(_) => {}
        }
        games.push(game);
    }
    if let Some(last) = games.iter_mut().rev().find_map(|game| game.as_mut().ok()) {
        left_out.drain(..).for_each(|remark| last.warn(remark));
    }
    games
}

/// Returns the character sets that the games in `text` declare in the SGF property `CA`, one per game: an empty string
/// if a game declares none. Games with syntax errors are left out. If the text is not SGF, the result is one empty
/// string.
pub(super) fn declared_charsets(text: &str) -> Vec<String> {
    let text = strip_bom(text);
    if Format::detect(text) != Format::Sgf {
        return vec![String::new()];
    }
    let games = pieces::split(Format::Sgf, text).into_iter();
    games.filter_map(|game| sgf::charset(game.text)).collect()
}

/// Counts the values in square brackets, if `text` is in one of the formats with such values, SGF and CCGC; otherwise
/// returns 0. Decoding under a wrong character set may lose brackets, so a greater number is a sign of the right
/// character set.
pub(super) fn count_values(text: &str) -> usize {
    match Format::detect(strip_bom(text)) {
        Format::Sgf | Format::Ccgc => pieces::count_values(text),
        Format::Log | Format::Moves | Format::Fen => 0,
    }
}

/// Creates an error whose message is `fault`, about line `line` (counted from 1) of a text.
fn at_line(line: usize, fault: &impl std::fmt::Display) -> LogError {
    LogError {
        line: Some(line),
        ..LogError::in_text(fault.to_string())
    }
}

/// Error message for a record on 10x10 squares, the usual board of Amazons, which this program does not support.
const TEN_BY_TEN: &str = "a game on ten by ten squares; expected one on eight by eight, the only board that is known here";
