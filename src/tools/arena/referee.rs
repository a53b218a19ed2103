//! One game of the arena, played under the platform's conditions.

use super::args::Args;
use super::results::{Cause, GameRecord, TurnCost};
use crate::tools::analysis::refusal::Refused;
use crate::tools::platform::process::utterances::Utterances;
use crate::tools::platform::process::{TurnError, TurnReport};
use crate::tools::player::contender::Contender;
use crate::tools::player::openings;
use crate::tools::player::schedule::Fixture;
use crate::tools::player::spec::Spec;
use crate::tools::record::judge::{Coordinates, Demand};
use crate::tools::record::log::{Answer, LogBuilder, LogEntry};
use crate::tools::record::replayed::Fault;
use crate::tools::support::error::ToolError;
use std::time::Duration;

/// Bytes of a bot's standard error per game kept for `--stderr`, beside the last ones.
const MAX_STDERR: usize = 1 << 20;

/// The conditions that all games share.
pub struct MatchRules<'a> {
    /// All players, by number.
    pub specs: &'a [Spec],
    /// What the user has asked for.
    pub args: &'a Args,
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
    /// The answer by which it was lost, if the judge refused one.
    pub refused: Option<Refused>,
}

impl MatchRules<'_> {
    /// Plays a game; nothing if it was broken off.
    ///
    /// # Errors
    /// If a player can't be started, or this machine fails.
    pub fn play(&self, game: Fixture) -> Result<Option<Played>, ToolError> {
        let plies = self.args.plies.into();
        let mut log = LogBuilder::default();
        let mut moves: Vec<Coordinates> = Vec::new();
        for turn in openings::opening(self.args.seed, game.opening, plies) {
            let turn = Coordinates::from(turn);
            moves.push(turn);
            log.add(Answer::good(turn.to_value()));
        }
        let seed = self.args.seed.wrapping_add(game.number as u64);
        let words = self.args.stderr.as_ref().map_or(0, |_| MAX_STDERR);
        let [black, white] = game.players.map(|number| {
            let launch = self.args.launch.launch(words)?;
            Ok::<_, ToolError>(Contender::new(&self.specs[number], seed, launch))
        });
        let mut players = [black?, white?];
        let mut turns = Vec::new();
        loop {
            let board = log.judge.board();
            let colour = board.to_move();
            let player = &mut players[colour as usize];
            let record = Coordinates::record(colour, &moves);
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
            let output = log.add(Answer::from(&turn));
            moves.extend(output.display.last_move);
            if output.command == Demand::Finish {
                let fault = Fault::of(&output, Some(turn.verdict));
                let record = GameRecord {
                    game: game.number,
                    players: game.players,
                    opening: plies,
                    moves: moves.iter().map(Coordinates::to_string).collect(),
                    // It is still the loser's turn, after a fault as well as without a move.
                    winner: !log.judge.board().to_move() as usize,
                    cause: fault.map_or(Cause::NoMoves, Cause::from),
                    turns,
                    address: None,
                };
                return Ok(Some(Played {
                    game: record,
                    log: log.entries,
                    words: players.map(Contender::end),
                    refused: fault.map(|_| turn.refused(&moves, limits)),
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
