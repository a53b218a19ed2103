//! Saves a game as a match log in Botzone's format, and loads a match log to resume it.
//!
//! Who plays each colour and how strong the bots are is stored in an extra key, `play`, which other tools ignore.

use super::game::Game;
use super::play_state::PlayState;
use super::player_kind::PlayerKind;
use analysis::level::{LEVELS, Strength};
use base::error::ToolError;
use base::files::OutputFile;
use engine::board::Player;
use engine::budget::Budget;
use record::charset::Opened;
use record::checked_game::CheckedGame;
use record::file::open_record;
use record::log::{self, Answer};
use record::tree::Record;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// A bot's strength as stored in the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedStrength {
    Level(u8),
    TimeMs(u64),
    Iterations(u64),
}

/// Value of the key `play` in a match log.
#[derive(Debug, Serialize, Deserialize)]
struct PlayKey {
    #[serde(rename = "seats")]
    players: [PlayerKind; 2],
    names: [Option<String>; 2],
}

/// Serializes a bot's strength, as a field of [`PlayerKind`].
pub fn write_strength<S: Serializer>(strength: &Strength, to: S) -> Result<S::Ok, S::Error> {
    let saved = match *strength {
        Strength::Level(level) => SavedStrength::Level(level),
        Strength::Budget(Budget::Time(time)) => SavedStrength::TimeMs(time.as_millis() as u64),
        Strength::Budget(Budget::Iterations(limit)) => SavedStrength::Iterations(limit),
    };
    saved.serialize(to)
}

/// Deserializes a bot's strength, as a field of [`PlayerKind`]; rejects levels that don't exist.
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

/// Saves a game, finished or not. Overwrites an existing file only if it is a match log.
///
/// # Errors
/// If `path` is an existing file of another kind, or can't be written.
pub fn save(path: &Path, state: &PlayState) -> Result<(), ToolError> {
    // Other formats may hold more than a match log can, such as variations, so they are not overwritten.
    let is_log = |content: &[u8]| {
        let text = std::str::from_utf8(content);
        text.is_ok_and(|text| log::read(text).is_ok()) && read(path, state.game.players()).is_ok()
    };
    let target = OutputFile::replacing(path, "a match log", is_log)?;
    target.write(to_log(state).as_bytes())
}

/// Reads a match log, or another record of a game from the start position. Also returns a remark on what was assumed about the
/// record, see [`CheckedGame::remark`]. If the last answer in a log was rejected, it is left out. `players` says who plays if the
/// file has no key `play`.
///
/// # Errors
/// If the file can't be read or parsed; the message names the file.
pub fn read(
    path: &Path,
    players: [PlayerKind; 2],
) -> Result<(PlayState, Option<String>), ToolError> {
    let name = path.display();
    let Opened { text, games } = open_record(path).map_err(|error| format!("{name}: {error}"))?;
    let game = Record::first(games).map_err(ToolError::from);
    let read = game.and_then(|Record { game, .. }| {
        let state = restore(&text, &game, players)?;
        Ok((state, game.remark()))
    });
    read.map_err(|error| format!("{name}: {error}").into())
}

/// Builds the game of a file from `text`, its content, and `game`, its checked moves; restores the players from the key `play`.
fn restore(
    text: &str,
    game: &CheckedGame,
    players: [PlayerKind; 2],
) -> Result<PlayState, ToolError> {
    game.check_start()?;
    let value: Value = serde_json::from_str(log::strip_bom(text)).unwrap_or_default();
    let PlayKey { players, names } = match value.get("play") {
        None => PlayKey {
            players,
            names: game.names.clone(),
        },
        Some(play) => PlayKey::deserialize(play).map_err(|error| format!("\"play\": {error}"))?,
    };
    let game = Game::with_moves(players, game.turns()).expect("the judge accepted the moves");
    Ok(PlayState {
        names,
        ..PlayState::new(game)
    })
}

/// Returns the game as the text of a match log.
#[must_use]
pub fn to_log(state: &PlayState) -> String {
    let game = &state.game;
    let name = |player: Player| {
        let name = state.names[player as usize].clone();
        Some(name.unwrap_or_else(|| game.player_kind(player).to_string()))
    };
    let play = PlayKey {
        players: game.players(),
        names: state.names.clone(),
    };
    log::write(
        &[Player::Black, Player::White].map(name),
        Some(json!(play)),
        game.moves().iter().copied().map(Answer::from),
    )
}
