//! One game of the arena, played under the platform's conditions.

use super::record::{Cause, GameRecord, TurnCost};
use crate::board::Player;
use crate::tools::platform::process::utterances::Utterances;
use crate::tools::platform::process::{LaunchArgs, Limits, TurnError, TurnReport};
use crate::tools::player::contender::Contender;
use crate::tools::player::openings;
use crate::tools::player::schedule::Fixture;
use crate::tools::player::spec::Spec;
use crate::tools::record::judge::{Coordinates, Demand, Judge, Verdict};
use crate::tools::record::log::{Answer, LogEntry};
use crate::tools::support::error::ToolError;
use std::time::Duration;

/// The conditions that all games share.
pub struct MatchRules<'a> {
    /// All players, by number.
    pub specs: &'a [Spec],
    /// The limits of a turn.
    pub limits: Limits,
    /// How to start processes.
    pub launch: LaunchArgs,
    /// Bytes of standard error kept beside the last ones.
    pub words: usize,
    /// Random plies of an opening.
    pub plies: usize,
    /// Seed of the openings and the engines
    pub seed: u64,
    /// Whether the games are broken off.
    pub broken_off: &'a (dyn Fn() -> bool + Sync),
}

/// A finished game.
pub struct Played {
    /// Its record.
    pub game: GameRecord,
    /// Its log in the platform's shape.
    pub log: Vec<LogEntry>,
    /// Standard error of black and white.
    pub words: [Utterances; 2],
    /// How the loser's process ended, if it ended badly.
    pub why: Option<String>,
}

impl MatchRules<'_> {
    /// Plays a game; nothing if it was broken off.
    ///
    /// # Errors
    /// If a player can't be started, or this machine fails.
    pub fn play(&self, game: Fixture) -> Result<Option<Played>, ToolError> {
        let mut judge = Judge::default();
        let mut log = vec![LogEntry::Judge(judge.opening())];
        let mut moves: Vec<Coordinates> = Vec::new();
        for turn in openings::opening(self.seed, game.opening, self.plies) {
            let colour = judge.board().to_move();
            moves.push(turn.into());
            let response = serde_json::to_value(Coordinates::from(turn)).ok();
            let output = judge.answer(Verdict::Ok, response.as_ref());
            log.push(LogEntry::Bot(
                colour,
                Answer {
                    response,
                    ..Answer::silent(Verdict::Ok)
                },
            ));
            log.push(LogEntry::Judge(output));
        }
        let mut players = self.players(game)?;
        let mut turns = Vec::new();
        loop {
            let colour = judge.board().to_move();
            let player = &mut players[colour as usize];
            let record = seen_by(colour, &moves);
            let mut turn = match player.turn(judge.board(), &record, self.limits, self.broken_off) {
                Ok(turn) => turn,
                Err(TurnError::BrokenOff) => return Ok(None),
                Err(error) => {
                    let spec = &self.specs[game.players[colour as usize]];
                    return Err(format!("{}: {error}", spec.text).into());
                }
            };
            turns.push(cost(&turn));
            let output = judge.answer(turn.verdict, turn.response.as_ref());
            moves.extend(output.display.last_move);
            let finish = (output.command == Demand::Finish)
                .then(|| cause(&output.display.err, turn.verdict));
            let why = turn.why.take();
            log.push(LogEntry::Bot(colour, turn.into()));
            log.push(LogEntry::Judge(output));
            if let Some(cause) = finish {
                let record = GameRecord {
                    game: game.number,
                    players: game.players,
                    opening: self.plies,
                    moves: moves.into_iter().map(written).collect(),
                    // It is still the loser's turn, after a fault as well as without a move.
                    winner: !judge.board().to_move() as usize,
                    cause,
                    turns,
                    address: None,
                };
                return Ok(Some(Played {
                    game: record,
                    log,
                    words: players.map(Contender::end),
                    why,
                }));
            }
        }
    }

    /// Black and white, who have not moved yet.
    fn players(&self, game: Fixture) -> Result<[Contender; 2], ToolError> {
        let seed = self.seed.wrapping_add(game.number as u64);
        let player = |number: usize| {
            let launch = self.launch.launch(self.words)?;
            Ok::<_, ToolError>(Contender::new(&self.specs[number], seed, launch))
        };
        let [black, white] = game.players;
        Ok([player(black)?, player(white)?])
    }
}

/// A move as the platform writes it.
fn written(turn: Coordinates) -> String {
    turn.numbers().map(|number| number.to_string()).join(" ")
}

/// The requests and own responses of a player, in turn.
fn seen_by(colour: Player, moves: &[Coordinates]) -> Vec<Coordinates> {
    let opening = (colour == Player::Black).then_some(Coordinates::NONE);
    opening.into_iter().chain(moves.iter().copied()).collect()
}

fn cost(turn: &TurnReport) -> TurnCost {
    let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    TurnCost {
        wall_ms: ms(turn.wall),
        cpu_ms: ms(turn.cpu),
        memory_mb: (turn.memory as f64 / 1e5).round() / 10.0,
    }
}

/// Why a game ended, from the judge's words.
fn cause(err: &Option<String>, verdict: Verdict) -> Cause {
    match err.as_deref() {
        None => Cause::NoMoves,
        Some("INVALIDMOVE") => Cause::InvalidMove,
        Some(_) if verdict == Verdict::Ok => Cause::InvalidInput,
        Some(_) => Cause::Verdict(verdict),
    }
}
