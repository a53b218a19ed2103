//! Plays one game of the arena under the platform's conditions.

use super::args::Args;
use super::results::{Cause, GameRecord, TurnCost};
use crate::platform::process::utterances::Utterances;
use crate::platform::process::{TurnError, TurnReport};
use crate::player::contender::Contender;
use crate::player::spec::Spec;
use analysis::refusal::Refused;
use base::error::ToolError;
use base::openings;
use base::schedule::ScheduledGame;
use record::judge::{Coordinates, Demand};
use record::log::{Answer, LogEntry, entries};
use record::replayed::{Fault, Replayed};
use std::time::Duration;

/// The settings that all games of the arena share.
pub struct MatchRules<'a> {
    /// All players; other fields refer to them by index.
    pub specs: &'a [Spec],
    /// The arguments of the command line.
    pub args: &'a Args,
    /// Returns true if running games are to be abandoned.
    pub broken_off: &'a (dyn Fn() -> bool + Sync),
}

/// A finished game with all that can be written about it.
pub struct Played {
    /// Record of the game for the arena's file.
    pub game: GameRecord,
    /// Match log in the platform's format.
    pub log: Vec<LogEntry>,
    /// Standard error of the two bots, black's first.
    pub words: [Utterances; 2],
    /// The answer that lost the game, if the judge rejected one.
    pub refused: Option<Refused>,
}

impl MatchRules<'_> {
    /// Plays one game. Returns `None` if it was abandoned.
    ///
    /// # Errors
    /// If a player can't be started, or the operating system fails.
    pub fn play(&self, game: ScheduledGame) -> Result<Option<Played>, ToolError> {
        let plies = self.args.plies.into();
        let mut played = Replayed::default();
        for turn in openings::random_opening(self.args.seed, game.opening, plies) {
            played.add(Answer::from(turn));
        }
        let seed = self.args.seed.wrapping_add(game.number as u64);
        let [black, white] = game.players.map(|number| {
            let launch = self.args.launch.launch()?;
            Ok::<_, ToolError>(Contender::new(&self.specs[number], seed, launch))
        });
        let mut players = [black?, white?];
        let mut turns = Vec::new();
        loop {
            let board = played.judge.board();
            let colour = board.to_move();
            let player = &mut players[colour as usize];
            let record = Coordinates::record(colour, &played.moves);
            let limits = self.args.limits;
            let turn = match player.turn(board, &record, limits, self.broken_off) {
                Ok(turn) => turn,
                Err(TurnError::BrokenOff) => return Ok(None),
                Err(error) => {
                    let spec = &self.specs[game.players[colour as usize]];
                    return Err(format!("{}: {error}", spec.text).into());
                }
            };
            turns.push(cost(&turn));
            let output = played.add(Answer::from(&turn));
            if output.command == Demand::Finish {
                let fault = Fault::of(&output, Some(turn.verdict));
                let record = GameRecord {
                    game: game.number,
                    players: game.players,
                    opening: plies,
                    moves: played.moves.iter().map(Coordinates::to_string).collect(),
                    // The side to move has lost: after a fault, and also if it has no move.
                    winner: !played.judge.board().to_move() as usize,
                    cause: fault.map_or(Cause::NoMoves, Cause::from),
                    turns,
                    address: None,
                };
                return Ok(Some(Played {
                    game: record,
                    log: entries(played.answers),
                    words: players.map(Contender::end),
                    refused: fault.map(|_| turn.refused(&played.moves, limits)),
                }));
            }
        }
    }
}

fn cost(turn: &TurnReport) -> TurnCost {
    let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    TurnCost {
        wall_ms: ms(turn.wall),
        cpu_ms: ms(turn.cpu),
        memory_mb: (turn.memory as f64 / 1e5).round() / 10.0,
    }
}
