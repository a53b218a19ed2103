//! Plays one game of `amazons arena` ([`MatchConditions::play`]): starts both bots, limits the time and memory of each
//! turn, and judges the bots' answers by the rules of Botzone's judge.

use super::args::Args;
use super::results::{Cause, GameRecord, TurnCost};
use crate::platform::process::stderr_buffer::StderrBuffer;
use crate::platform::process::{TurnError, TurnReport};
use crate::player::bot_player::BotPlayer;
use crate::player::spec::PlayerSpec;
use analysis::rejection::RejectedAnswer;
use base::error::{Result, ToolError};
use base::openings;
use base::schedule::ScheduledGame;
use record::checked_game::{CheckedGame, Fault};
use record::judge::{Coordinates, OutputKind};
use record::log::{Answer, LogEntry, entries_from};
use std::time::Duration;

/// Bots and settings that all games of one run of `amazons arena` share. [`MatchConditions::play`] plays one of the
/// games.
pub struct MatchConditions<'a> {
    /// The bots, in the order of the command line, each with what is needed to start it. A game to play
    /// (`ScheduledGame`) contains the indices of its two bots in this slice.
    pub specs: &'a [PlayerSpec],
    /// Command-line arguments of `amazons arena`. A game needs only some of them: the limits of time and memory, the
    /// random seed, the number of random plies at its start, and the options for starting bots.
    pub args: &'a Args,
    /// Function that returns true if running games must be aborted: after Ctrl-C, after an error in any game, or when
    /// the sequential probability ratio test of `--sprt` has accepted one of its hypotheses.
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
}

/// Finished game of `amazons arena`: result and moves, Botzone match log, the bots' standard error, and the loser's
/// last answer if the judge rejected it.
pub struct FinishedGame {
    /// Players, moves and result of the game, with time and memory of each turn, as stored in the file of `--out`.
    pub game: GameRecord,
    /// Match log of the game in Botzone's format: alternately an output of the judge and an answer of a bot.
    pub log: Vec<LogEntry>,
    /// Output of each bot to standard error in the game, indexed by colour: 0 for black's bot, 1 for white's.
    pub stderr: [StderrBuffer; 2],
    /// Last answer of the loser if the judge rejected it, for example an illegal move or no answer within the time
    /// limit; `None` if the game ended because the loser had no legal move.
    pub rejection: Option<RejectedAnswer>,
}

impl MatchConditions<'_> {
    /// Plays `game`: first the random moves of its opening, then the bots' turns until the game ends. Returns the
    /// finished game, or `None` if the function `self.is_cancelled` returned true before the end of the game.
    ///
    /// # Errors
    /// - If a bot can't be started.
    /// - If the operating system fails to run a bot, for example for lack of memory.
    /// - If `--sandbox` is used and its temporary folder for a bot can't be created.
    pub fn play(&self, game: ScheduledGame) -> Result<Option<FinishedGame>> {
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
            let history = Coordinates::history(colour, &played.moves);
            let limits = self.args.limits;
            let turn = match player.play_turn(board, &history, limits, self.is_cancelled) {
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
                let fault = Fault::from_output(&output, Some(turn.verdict));
                let record = GameRecord {
                    game: game.number,
                    players: game.players,
                    opening: plies,
                    moves: played.moves.iter().map(Coordinates::to_string).collect(),
                    // At the end of a game, the side to move has lost: it has no legal move, or the judge rejected its
                    // answer. The winner is the other side.
                    winner: !played.judge.board().to_move() as usize,
                    cause: fault.map_or(Cause::NoMoves, Cause::from),
                    turns,
                    address: None,
                };
                return Ok(Some(FinishedGame {
                    game: record,
                    log: entries_from(played.answers),
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
        wall_ms: ms(turn.wall_time),
        cpu_ms: ms(turn.cpu_time),
        memory_mb: (turn.peak_memory as f64 / 1e5).round() / 10.0,
    }
}
