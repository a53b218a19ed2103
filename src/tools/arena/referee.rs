//! Plays one game of the arena by the rules of the platform's judge, with limits on each turn's time and memory.

use super::args::Args;
use super::results::{Cause, GameRecord, TurnCost};
use crate::platform::process::stderr_buffer::StderrBuffer;
use crate::platform::process::{TurnError, TurnReport};
use crate::player::bot_player::BotPlayer;
use crate::player::spec::PlayerSpec;
use analysis::rejection::RejectedAnswer;
use base::error::ToolError;
use base::openings;
use base::schedule::ScheduledGame;
use record::checked_game::{CheckedGame, Fault};
use record::judge::{Coordinates, OutputKind};
use record::log::{Answer, LogEntry, entries};
use std::time::Duration;

/// Players and settings that are the same in all games of an arena; [`MatchConditions::play`] plays one of the games.
pub struct MatchConditions<'a> {
    /// Specifications of all players. A [`ScheduledGame`] names its players by their indices in this slice.
    pub specs: &'a [PlayerSpec],
    /// Command-line arguments of `amazons arena`: limits, random seed, length of the openings, and how to start bots.
    pub args: &'a Args,
    /// Returns true once running games must stop: after Ctrl-C, after an error, or when the SPRT has decided.
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
}

/// Finished game, with the data for all output files and messages.
pub struct FinishedGame {
    /// Record of the game for the file that `--out` names.
    pub game: GameRecord,
    /// Match log in the platform's format: outputs of the judge and answers of the bots, alternately.
    pub log: Vec<LogEntry>,
    /// Standard error of the two bots: black's, then white's.
    pub stderr: [StderrBuffer; 2],
    /// Answer that lost the game because the judge rejected it; `None` if the loser had no legal move.
    pub rejection: Option<RejectedAnswer>,
}

impl MatchConditions<'_> {
    /// Plays one game to its end. Returns `None` if `is_cancelled` returned true during the game.
    ///
    /// # Errors
    /// If a player can't be started, or the operating system fails.
    pub fn play(&self, game: ScheduledGame) -> Result<Option<FinishedGame>, ToolError> {
        let plies = self.args.plies.into();
        let mut played = CheckedGame::default();
        for turn in openings::random_opening(self.args.seed, game.opening, plies) {
            played.add(Answer::from(turn));
        }
        let seed = self.args.seed.wrapping_add(game.number as u64);
        let [black, white] = game.players.map(|number| {
            let launch = self.args.launch.launch()?;
            Ok::<_, ToolError>(BotPlayer::new(&self.specs[number], seed, launch))
        });
        let mut players = [black?, white?];
        let mut turns = Vec::new();
        loop {
            let board = played.judge.board();
            let colour = board.to_move();
            let player = &mut players[colour as usize];
            let record = Coordinates::history(colour, &played.moves);
            let limits = self.args.limits;
            let turn = match player.play_turn(board, &record, limits, self.is_cancelled) {
                Ok(turn) => turn,
                Err(TurnError::Cancelled) => return Ok(None),
                Err(error) => {
                    let spec = &self.specs[game.players[colour as usize]];
                    return Err(format!("{}: {error}", spec.text).into());
                }
            };
            turns.push(turn_cost(&turn));
            let output = played.add(Answer::from(&turn));
            if output.command == OutputKind::Finish {
                let fault = Fault::of(&output, Some(turn.verdict));
                let record = GameRecord {
                    game: game.number,
                    players: game.players,
                    opening: plies,
                    moves: played.moves.iter().map(Coordinates::to_string).collect(),
                    // The side to move has lost: it has no legal move, or the judge rejected its answer.
                    winner: !played.judge.board().to_move() as usize,
                    cause: fault.map_or(Cause::NoMoves, Cause::from),
                    turns,
                    address: None,
                };
                return Ok(Some(FinishedGame {
                    game: record,
                    log: entries(played.answers),
                    stderr: players.map(BotPlayer::stop),
                    rejection: fault.map(|_| turn.rejection(&played.moves, limits)),
                }));
            }
        }
    }
}

fn turn_cost(turn: &TurnReport) -> TurnCost {
    let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    TurnCost {
        wall_ms: ms(turn.wall),
        cpu_ms: ms(turn.cpu),
        memory_mb: (turn.memory as f64 / 1e5).round() / 10.0,
    }
}
