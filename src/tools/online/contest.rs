//! The games that `match` plays, and how one of them went.

use super::poll::Ending;
use super::seat::Seat;
use crate::board::{Move, Player};
use crate::tools::arena::results::{Cause, GameRecord, MatchHeader, TurnCost};
use crate::tools::platform::address::Id;
use crate::tools::player::schedule::Fixture;
use crate::tools::record::judge::Coordinates;
use crate::tools::record::log::Answer;
use crate::tools::record::replayed::{Outcome, Replayed};
use std::path::PathBuf;
use std::time::Duration;

/// Our name in reports; it is player 0 of the journal.
const OUR_NAME: &str = "amazons";

/// What is to be played: games against bots, or without any, whatever comes at tables.
#[derive(Debug, Default, clap::Args)]
pub struct Plan {
    /// Versions of bots to play against: their ids, separated by commas
    #[arg(long, value_name = "BOT", required = true, value_delimiter = ',')]
    pub against: Vec<Id>,
    /// Games against each bot; you are black in half of them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// Matches at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub concurrent: u16,
    /// Seconds of your turns, as asked of the platform
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    pub limit_seconds: u32,
    /// Append every finished game to this file, a journal of the arena
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Resume after the games in the file, and the matches that were under way
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Write the match log of every game into this folder
    #[arg(long, value_name = "DIR")]
    pub export: Option<PathBuf>,
}

impl Plan {
    /// The header of its journal.
    #[must_use]
    pub fn header(&self, thinking: Duration) -> MatchHeader {
        let bots: Vec<String> = self.against.iter().map(Id::to_string).collect();
        let with = |us: &str| [&[us.to_owned()], &bots[..]].concat();
        let (seconds, thinking) = (self.limit_seconds, thinking.as_millis());
        MatchHeader {
            players: with("me"),
            names: with(OUR_NAME),
            gauntlet: true,
            games: self.games as usize,
            plies: 0,
            seed: 0,
            conditions: format!("Botzone, {seconds} s a turn, {thinking} ms to think"),
        }
    }
}

/// Our colour in a game.
#[must_use]
pub const fn colour(game: Fixture) -> Player {
    match game.players[0] {
        0 => Player::Black,
        _ => Player::White,
    }
}

/// The number of the other player in a game: we are player 0.
#[must_use]
pub fn opponent(game: Fixture) -> usize {
    game.players[0].max(game.players[1])
}

/// A game's record from its log.
///
/// # Errors
/// If the log does not tell of that end.
pub fn of_log(fixture: Fixture, ending: &Ending, game: &Replayed) -> Result<GameRecord, String> {
    let (winner, cause) = match game.outcome() {
        Outcome::Running { .. } => return Err("the log has no end yet".to_owned()),
        Outcome::NoMove { winner } => (winner, Cause::NoMoves),
        Outcome::Fault { winner, fault } => (winner, fault.into()),
    };
    if ending.winner() != Some(winner as usize) {
        return Err("the log tells of another winner than the platform".to_owned());
    }
    let cost = |answer: &Answer| TurnCost {
        wall_ms: answer.time as f64,
        cpu_ms: answer.time as f64,
        memory_mb: answer.memory as f64,
    };
    Ok(GameRecord {
        game: fixture.number,
        players: fixture.players,
        opening: 0,
        moves: game.moves.iter().map(Coordinates::to_string).collect(),
        winner: winner as usize,
        cause,
        turns: game.answers.iter().map(cost).collect(),
        address: None,
    })
}

/// A game's record from our moves, if our last one has ended it: the opponent's last move is known from the log alone.
///
/// # Errors
/// If it has not.
pub fn of_seat(fixture: Fixture, ending: &Ending, seat: &Seat) -> Result<GameRecord, String> {
    let moves: Vec<Move> = seat.moves().iter().copied().chain(seat.answer()).collect();
    of_log(fixture, ending, &Replayed::of_moves(&moves)?)
}
