//! Saves a game as a match log in the platform's format, and reads one to resume it.
//!
//! Seats and strengths of bots are known to play alone. They have a key of their own, which other tools ignore.

use super::game::Game;
use super::player_kind::PlayerKind;
use super::table::Table;
use crate::board::{Move, Player};
use crate::budget::Budget;
use crate::tools::record::charset::Opened;
use crate::tools::record::log::{self, Answer};
use crate::tools::record::replayed::Replayed;
use crate::tools::record::tree::Record;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::{Target, open_record};
use crate::tools::thinking::level::{LEVELS, Strength};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// A game read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The moves; a last answer that was refused is left out.
    pub moves: Vec<Move>,
    /// Who played black and white, if play wrote the file.
    pub seats: Option<[PlayerKind; 2]>,
    /// The players' names.
    pub names: [Option<String>; 2],
    /// What was assumed of the record, see [`Replayed::remark`].
    pub remark: Option<String>,
}

impl Saved {
    /// Tests if the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let game = Game::with_moves([PlayerKind::Human; 2], self.moves.clone());
        game.is_ok_and(|game| game.winner().is_some())
    }
}

/// A bot's strength as play writes it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedStrength {
    Level(u8),
    TimeMs(u64),
    Iterations(u64),
}

/// The part of a file that only play reads.
#[derive(Debug, Serialize, Deserialize)]
struct Play {
    seats: [PlayerKind; 2],
    names: [Option<String>; 2],
}

/// Writes a bot's strength for [`PlayerKind`].
pub fn write_strength<S: Serializer>(strength: &Strength, to: S) -> Result<S::Ok, S::Error> {
    let saved = match *strength {
        Strength::Level(level) => SavedStrength::Level(level),
        Strength::Budget(Budget::Time(time)) => SavedStrength::TimeMs(time.as_millis() as u64),
        Strength::Budget(Budget::Iterations(limit)) => SavedStrength::Iterations(limit),
    };
    saved.serialize(to)
}

/// Reads a bot's strength for [`PlayerKind`].
pub fn read_strength<'de, D: Deserializer<'de>>(from: D) -> Result<Strength, D::Error> {
    match SavedStrength::deserialize(from)? {
        SavedStrength::Level(level) if (1..=LEVELS.len()).contains(&level.into()) => {
            Ok(Strength::Level(level))
        }
        SavedStrength::Level(level) => {
            let fault = format!("level {level}, expected 1 to {}", LEVELS.len());
            Err(D::Error::custom(fault))
        }
        SavedStrength::TimeMs(ms) => Ok(Strength::Budget(Budget::Time(Duration::from_millis(ms)))),
        SavedStrength::Iterations(most) => Ok(Strength::Budget(Budget::Iterations(most))),
    }
}

/// Writes a game, finished or not. Replaces an existing file only if it is a match log.
///
/// # Errors
/// If the file is something else or can't be written.
pub fn save(path: &Path, table: &Table) -> Result<(), ToolError> {
    // Another record may hold more than a log can.
    let is_log = |content: &[u8]| {
        let text = std::str::from_utf8(content);
        text.is_ok_and(|text| log::read(text).is_ok() && parse(text).is_ok())
    };
    let target = Target::replacing(path, "a match log", is_log)?;
    target.write(text(table).as_bytes())
}

/// Reads a match log, or another record of a game from the start position.
///
/// # Errors
/// If the file can't be read or is damaged; the message names it.
pub fn read(path: &Path) -> Result<Saved, ToolError> {
    let name = path.display();
    let Opened { text, games } = open_record(path).map_err(|error| format!("{name}: {error}"))?;
    let game = Record::first(games).map_err(ToolError::from);
    let saved = game.and_then(|record| saved(&text, &record.game));
    saved.map_err(|error| format!("{name}: {error}").into())
}

fn parse(text: &str) -> Result<Saved, ToolError> {
    saved(text, &Replayed::read(text)?)
}

/// The game of a text, with what play has written beside it.
fn saved(text: &str, game: &Replayed) -> Result<Saved, ToolError> {
    game.check_start()?;
    let value: Value = serde_json::from_str(log::without_mark(text)).unwrap_or_default();
    let (seats, names) = match value.get("play") {
        None => (None, game.names.clone()),
        Some(play) => {
            let play = Play::deserialize(play).map_err(|error| format!("\"play\": {error}"))?;
            (Some(play.seats), play.names)
        }
    };
    Ok(Saved {
        moves: game.turns(),
        seats,
        names,
        remark: game.remark(),
    })
}

/// The match log of a game.
fn text(table: &Table) -> String {
    let game = &table.game;
    let name = |player: Player| {
        let name = table.names[player as usize].clone();
        Some(name.unwrap_or_else(|| game.seat(player).to_string()))
    };
    let play = Play {
        seats: game.seats(),
        names: table.names.clone(),
    };
    log::write(
        &[Player::Black, Player::White].map(name),
        Some(json!(play)),
        game.moves().iter().copied().map(Answer::from),
    )
}
