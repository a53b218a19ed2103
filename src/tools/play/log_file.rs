//! [`save`] writes a game as a match log in Botzone's format. [`read`] loads a match log or another game record, to
//! resume the game.
//!
//! A match log that `amazons play` saves has the extra key `play`, which other tools ignore: who plays each colour, how
//! strong the bots are, and the players' names.

use super::game::Game;
use super::play_state::PlayState;
use super::player_kind::PlayerKind;
use analysis::level::{LEVELS, Strength};
use base::error::{Result, ToolError};
use base::files::OutputFile;
use engine::board::Player;
use engine::budget::Budget;
use record::charset::DecodedFile;
use record::checked_game::CheckedGame;
use record::file::open_record;
use record::log::{self, Answer};
use record::tree::Record;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// How strong a bot plays, as the saved match log stores it in JSON: `{"level": 6}`, `{"time_ms": 500}` or
/// `{"iterations": 1000}`. The time in milliseconds or the number of search iterations is for each turn of the bot.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedStrength {
    Level(u8),
    TimeMs(u64),
    Iterations(u64),
}

/// Value of the key `play` in a match log that `amazons play` saves. `players` says who plays black and white (a person
/// or the bot); `names` has the players' names from the file that the game was loaded from. In both arrays black comes
/// first.
#[derive(Debug, Serialize, Deserialize)]
struct PlayValue {
    #[serde(rename = "seats")]
    players: [PlayerKind; 2],
    names: [Option<String>; 2],
}

/// Serializes how strong the bot of [`PlayerKind::Bot`] plays: `{"level": 6}`, `{"time_ms": 500}` or `{"iterations":
/// 1000}`; the last two are milliseconds or search iterations for each turn.
///
/// # Errors
/// If the serializer `to` fails.
pub fn write_strength<S: Serializer>(strength: &Strength, to: S) -> Result<S::Ok, S::Error> {
    let saved = match *strength {
        Strength::Level(level) => SavedStrength::Level(level),
        Strength::Budget(Budget::Time(time)) => SavedStrength::TimeMs(time.as_millis() as u64),
        Strength::Budget(Budget::Iterations(limit)) => SavedStrength::Iterations(limit),
    };
    saved.serialize(to)
}

/// Deserializes how strong the bot of [`PlayerKind::Bot`] plays from `{"level": 6}`, `{"time_ms": 500}` or
/// `{"iterations": 1000}`; the last two are milliseconds or search iterations for each turn.
///
/// # Errors
/// If the value has another form than these three, or if the level is not from 1 to 15.
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

/// Saves the game of `state`, finished or not, as a match log in the file `path`. Overwrites an existing file only if
/// it is a match log.
///
/// # Errors
/// If `path` is an existing file other than a match log, or can't be written.
pub fn save(path: &Path, state: &PlayState) -> Result<()> {
    // Only match logs are overwritten. A file of another format, such as SGF, may contain variations, which a match log
    // can't store.
    let is_log = |content: &[u8]| {
        let text = std::str::from_utf8(content);
        text.is_ok_and(|text| log::read(text).is_ok()) && read(path, state.game.players()).is_ok()
    };
    let target = OutputFile::replacing_if(path, "a match log", is_log)?;
    target.write(to_log(state).as_bytes())
}

/// Reads the first game of the file `path`, a match log or another game record. If the record ends with a response that
/// the judge rejected (illegal or missing move), the response is left out.
///
/// Returns first the state of the game; second the warnings about the record as one line, `None` if there are none.
/// `players`: who plays black and white, in this order, if the file has no key `play`.
///
/// # Errors
/// If the file can't be read or parsed, or if the game does not begin at the start position. The message names the
/// file.
pub fn read(path: &Path, players: [PlayerKind; 2]) -> Result<(PlayState, Option<String>)> {
    let name = path.display();
    let DecodedFile { text, games } =
        open_record(path).map_err(|error| format!("{name}: {error}"))?;
    let game = Record::first(games).map_err(ToolError::from);
    let read = game.and_then(|Record { game, .. }| {
        let state = restore(&text, &game, players)?;
        Ok((state, game.warning()))
    });
    read.map_err(|error| format!("{name}: {error}").into())
}

/// Creates the state of a game that was loaded from a file.
///
/// - `text`: content of the file. Its key `play`, if there is one, says who plays black and white.
/// - `game`: the moves and names that were read from `text`.
/// - `players`: who plays black and white, in this order, if `text` has no key `play`.
///
/// # Errors
/// If the game does not begin at the start position, or if the key `play` can't be parsed.
fn restore(text: &str, game: &CheckedGame, players: [PlayerKind; 2]) -> Result<PlayState> {
    game.check_start()?;
    let value: Value = serde_json::from_str(log::strip_bom(text)).unwrap_or_default();
    let names = game.names.clone();
    let PlayValue { players, names } = match value.get("play") {
        None => PlayValue { players, names },
        Some(play) => PlayValue::deserialize(play).map_err(|error| format!("\"play\": {error}"))?,
    };
    let game = Game::with_moves(players, game.turns()).expect("the judge accepted the moves");
    let mut state = PlayState::new(game);
    state.names = names;
    Ok(state)
}

/// Returns the text of a match log, in JSON, with the moves of the game, who plays each colour, and the players' names.
#[must_use]
pub fn to_log(state: &PlayState) -> String {
    let game = &state.game;
    let name = |player: Player| {
        let name = state.names[player as usize].clone();
        Some(name.unwrap_or_else(|| game.player_kind(player).to_string()))
    };
    let (players, names) = (game.players(), state.names.clone());
    let play = PlayValue { players, names };
    let names = [Player::Black, Player::White].map(name);
    let answers = game.moves().iter().copied().map(Answer::from);
    log::write(&names, Some(json!(play)), answers)
}
