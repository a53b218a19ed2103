//! Saves a game as a match log in the platform's format, and reads one to resume it.
//!
//! Seats and strengths of bots are known to play alone. They have a key of their own, which other tools ignore.

use super::game::Game;
use super::seat::Seat;
use super::table::Table;
use crate::board::{Move, Player};
use crate::budget::Budget;
use crate::tools::record::judge::key;
use crate::tools::record::log;
use crate::tools::record::replayed::Replayed;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::thinking::level::{LEVELS, Strength};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A game read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The moves; a last answer that was refused is left out.
    pub moves: Vec<Move>,
    /// Who played black and white, if play wrote the file.
    pub seats: Option<[Seat; 2]>,
    /// The players' names.
    pub names: [Option<String>; 2],
}

impl Saved {
    /// Tests if the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let game = Game::with_moves([Seat::Human; 2], self.moves.clone());
        game.is_ok_and(|game| game.winner().is_some())
    }
}

/// A player as play writes it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase")]
enum SavedSeat {
    Human,
    Bot(SavedStrength),
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
    seats: [SavedSeat; 2],
    names: [Option<String>; 2],
}

impl From<Seat> for SavedSeat {
    fn from(seat: Seat) -> SavedSeat {
        match seat {
            Seat::Human => SavedSeat::Human,
            Seat::Bot(Strength::Level(level)) => SavedSeat::Bot(SavedStrength::Level(level)),
            Seat::Bot(Strength::Budget(Budget::Time(time))) => {
                SavedSeat::Bot(SavedStrength::TimeMs(time.as_millis() as u64))
            }
            Seat::Bot(Strength::Budget(Budget::Iterations(limit))) => {
                SavedSeat::Bot(SavedStrength::Iterations(limit))
            }
        }
    }
}

impl SavedSeat {
    fn seat(&self) -> Result<Seat, String> {
        Ok(match *self {
            SavedSeat::Human => Seat::Human,
            SavedSeat::Bot(SavedStrength::Level(level)) => {
                if !(1..=LEVELS.len()).contains(&usize::from(level)) {
                    return Err(format!("level {level}, expected 1 to {}", LEVELS.len()));
                }
                Seat::Bot(Strength::Level(level))
            }
            SavedSeat::Bot(SavedStrength::TimeMs(time)) => {
                Seat::Bot(Strength::Budget(Budget::Time(Duration::from_millis(time))))
            }
            SavedSeat::Bot(SavedStrength::Iterations(limit)) => {
                Seat::Bot(Strength::Budget(Budget::Iterations(limit)))
            }
        })
    }
}

/// Writes a game, finished or not. Replaces an existing file only if it is a match log.
///
/// # Errors
/// If the file is something else or can't be written.
pub fn save(path: &Path, table: &Table) -> Result<(), ToolError> {
    let is_log =
        |content: &[u8]| std::str::from_utf8(content).is_ok_and(|text| parse(text).is_ok());
    let target = Target::replacing(path, "a match log", is_log)?;
    target.write(text(table).as_bytes())
}

/// Reads a match log.
///
/// # Errors
/// If the file can't be read or is damaged; the message names it.
pub fn read(path: &Path) -> Result<Saved, ToolError> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    parse(&text).map_err(|error| format!("{name}: {error}").into())
}

fn parse(text: &str) -> Result<Saved, ToolError> {
    let game = Replayed::read(text)?;
    let turns = game
        .moves()
        .iter()
        .map(|turn| Move::from_coordinates(turn.numbers()).expect("the judge accepted it"));
    let value: Value = serde_json::from_str(log::without_mark(text)).unwrap_or_default();
    let fault = |error: String| format!("\"play\": {error}");
    let (seats, names) = match value.get("play") {
        None => (None, log::names(text)),
        Some(play) => {
            let play = Play::deserialize(play).map_err(|error| fault(error.to_string()))?;
            let [black, white] = &play.seats;
            let seats = [black.seat().map_err(fault)?, white.seat().map_err(fault)?];
            (Some(seats), play.names)
        }
    };
    Ok(Saved {
        moves: turns.collect(),
        seats,
        names,
    })
}

/// The match log of a game.
fn text(table: &Table) -> String {
    let game = &table.game;
    let players: serde_json::Map<_, _> = [Player::Black, Player::White]
        .map(|player| {
            let name = table.names[player as usize].clone();
            let name = name.unwrap_or_else(|| game.seat(player).to_string());
            (key(player).to_owned(), name.into())
        })
        .into_iter()
        .collect();
    let play = Play {
        seats: game.seats().map(SavedSeat::from),
        names: table.names.clone(),
    };
    serde_json::json!({ "players": players, "play": play, "log": log::of_moves(game.moves()) })
        .to_string()
        + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::IllegalMove;

    #[test]
    fn every_prefix_of_a_game_is_a_sound_log() -> Result<(), IllegalMove> {
        let line = ["c1 c6 f6", "f8 f7 e7", "c6 c5 c6"].map(|text| text.parse().expect("a move"));
        for ply in 0..=line.len() {
            let game = Game::with_moves([Seat::Human; 2], line[..ply].to_vec())?;
            let replayed = Replayed::read(&text(&Table::new(game))).expect("sound");
            assert_eq!(replayed.plies(), ply);
            assert_eq!(replayed.name(Player::Black), "human");
        }
        Ok(())
    }

    #[test]
    fn players_and_names_come_back() {
        for strength in [
            Strength::Level(3),
            Strength::Budget(Budget::Time(Duration::from_millis(20))),
            Strength::Budget(Budget::Iterations(7)),
        ] {
            let mut table = Table::new(Game::new([Seat::Bot(strength), Seat::Human]));
            table.names = [None, Some("Zoë".to_owned())];
            let saved = parse(&text(&table)).expect("sound");
            assert_eq!(saved.seats, Some([Seat::Bot(strength), Seat::Human]));
            assert_eq!(saved.names, table.names);
        }
    }

    #[test]
    fn a_damaged_strength_is_named() {
        let table = Table::new(Game::new([Seat::Bot(Strength::Level(3)), Seat::Human]));
        for (level, complaint) in [
            ("12", "level 12, expected 1 to 10"),
            ("\"x\"", "invalid type"),
        ] {
            let damaged = text(&table).replace("\"level\":3", &format!("\"level\":{level}"));
            let error = parse(&damaged).expect_err("damaged").to_string();
            assert!(
                error.contains("\"play\": ") && error.contains(complaint),
                "{error}"
            );
        }
    }
}
