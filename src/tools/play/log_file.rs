//! Saves a game as a match log in the platform's format, and reads one to resume it.
//!
//! Seats and strengths of bots are known to play alone. They have a key of their own, which other tools ignore.

use super::game::Game;
use super::player_kind::PlayerKind;
use super::table::Table;
use analysis::level::{LEVELS, Strength};
use base::error::ToolError;
use base::files::Target;
use engine::board::Player;
use engine::budget::Budget;
use record::charset::Opened;
use record::file::open_record;
use record::log::{self, Answer};
use record::replayed::Replayed;
use record::tree::Record;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

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
        text.is_ok_and(|text| log::read(text).is_ok()) && read(path, table.game.seats()).is_ok()
    };
    let target = Target::replacing(path, "a match log", is_log)?;
    target.write(text(table).as_bytes())
}

/// Reads a match log, or another record of a game from the start position, and what was assumed of it, see
/// [`Replayed::remark`]. A last answer that was refused is left out. `seats`: who plays if play has not written the file.
///
/// # Errors
/// If the file can't be read or is damaged; the message names it.
pub fn read(path: &Path, seats: [PlayerKind; 2]) -> Result<(Table, Option<String>), ToolError> {
    let name = path.display();
    let Opened { text, games } = open_record(path).map_err(|error| format!("{name}: {error}"))?;
    let game = Record::first(games).map_err(ToolError::from);
    let read = game.and_then(|Record { game, .. }| {
        let table = table_of(&text, &game, seats)?;
        Ok((table, game.remark()))
    });
    read.map_err(|error| format!("{name}: {error}").into())
}

/// The game of a text, with what play has written beside it.
fn table_of(text: &str, game: &Replayed, seats: [PlayerKind; 2]) -> Result<Table, ToolError> {
    game.check_start()?;
    let value: Value = serde_json::from_str(log::without_mark(text)).unwrap_or_default();
    let Play { seats, names } = match value.get("play") {
        None => Play {
            seats,
            names: game.names.clone(),
        },
        Some(play) => Play::deserialize(play).map_err(|error| format!("\"play\": {error}"))?,
    };
    let game = Game::with_moves(seats, game.turns()).expect("the judge accepted the moves");
    Ok(Table {
        names,
        ..Table::new(game)
    })
}

/// The match log of a game.
#[must_use]
pub fn text(table: &Table) -> String {
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
