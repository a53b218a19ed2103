//! Saving a game as a match log of the platform's shape, and reading one to go on with.

use super::game::Game;
use crate::board::{Move, Player};
use crate::tools::ToolError;
use crate::tools::judge::{Coordinates, Judge, Verdict, key};
use crate::tools::log::{self, Answer, Entry};
use crate::tools::replay::game::Game as Replayed;
use std::fs;
use std::path::Path;

/// Writes a game, finished or not. A file that is there is replaced only if it is a match log itself.
///
/// # Errors
/// If the file is something else or can't be written.
pub fn save(path: &Path, game: &Game) -> Result<(), ToolError> {
    let name = path.display();
    if path.exists() && read(path).is_err() {
        return Err(format!("{name} is there and is no match log: expected another file").into());
    }
    fs::write(path, text(game)).map_err(|error| format!("{name}: {error}").into())
}

/// The moves of a match log; a last answer that was refused is left out.
///
/// # Errors
/// If the file can't be read or is damaged; the message names it.
pub fn read(path: &Path) -> Result<Vec<Move>, ToolError> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let game = Replayed::read(&text).map_err(|error| format!("{name}: {error}"))?;
    let turns = game
        .moves()
        .iter()
        .map(|turn| Move::from_coordinates(turn.numbers()).expect("the judge accepted it"));
    Ok(turns.collect())
}

/// The match log of a game.
fn text(game: &Game) -> String {
    let mut judge = Judge::default();
    let mut entries = vec![log::write_entry(&Entry::Judge(judge.opening()))];
    for &turn in game.moves() {
        let player = judge.board().to_move();
        let answer = Answer {
            response: serde_json::to_value(Coordinates::from(turn)).ok(),
            ..Answer::silent(Verdict::Ok)
        };
        let output = judge.answer(answer.verdict, answer.response.as_ref());
        entries.push(log::write_entry(&Entry::Bot(player, answer)));
        entries.push(log::write_entry(&Entry::Judge(output)));
    }
    let players: serde_json::Map<_, _> = [Player::Black, Player::White]
        .map(|player| (key(player).to_owned(), game.seat(player).to_string().into()))
        .into_iter()
        .collect();
    serde_json::json!({ "players": players, "log": entries }).to_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::game::Seat;
    use super::*;
    use crate::board::IllegalMove;

    #[test]
    fn every_prefix_of_a_game_is_a_sound_log() -> Result<(), IllegalMove> {
        let line = ["c1 c6 f6", "f8 f7 e7", "c6 c5 c6"].map(|text| text.parse().expect("a move"));
        for ply in 0..=line.len() {
            let game = Game::with_moves([Seat::Human; 2], line[..ply].to_vec())?;
            let replayed = Replayed::read(&text(&game)).expect("sound");
            assert_eq!(replayed.plies(), ply);
            assert_eq!(replayed.name(Player::Black), "human");
        }
        Ok(())
    }
}
