//! Saves the games of `amazons online match` ([`MatchStore`]) in two files: one with the finished games (`--out`), and
//! one with the running matches. If the program is killed, a later call with `--resume` continues these matches.

use super::session::MatchSession;
use crate::arena::export::write_match_log;
use crate::arena::report::Standings;
use crate::arena::results::{ArenaHeader, Cause, GameRecord, TurnCost};
use crate::platform::address::{Id, MatchAddress};
use base::append::AppendFile;
use base::error::Result;
use base::schedule::{self, ScheduledGame, Shard};
use engine::board::{Move, Player};
use record::checked_game::{CheckedGame, Outcome};
use record::judge::Coordinates;
use record::log::{self, Answer};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// First bytes of every line in the file of running matches. If the last line of the file is incomplete, these bytes
/// show whether this program has written it.
const LINE_PREFIX: &[u8] = b"{\"game\":";

/// Games to play: opponents, number of games, time limit and files. An empty list `against` stands for the command
/// `serve`: it plays every match that someone starts on Botzone with this program as a player, without a fixed number of
/// games.
#[derive(Debug, Default, clap::Args)]
pub struct MatchPlan {
    /// Botzone ids of the bot versions to play against, separated by commas
    #[arg(long, value_name = "BOT", required = true, value_delimiter = ',')]
    pub against: Vec<Id>,
    /// Number of games against each bot, at least 1; you are black and white in turn, beginning with black
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// Maximum number of matches at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub concurrent: u16,
    /// Time limit of your turns in seconds, which Botzone is asked to set
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    pub limit_seconds: u32,
    /// Append every finished game to this file, in the format of the arena
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Resume an earlier run: skip the games in the file of --out, and continue the unfinished matches
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Write the match log of every game to this folder
    #[arg(long, value_name = "DIR")]
    pub export: Option<PathBuf>,
}

impl MatchPlan {
    /// Returns the players and conditions of the planned games, to be stored in the first line of the file of `--out`.
    /// Player 0 is this program, the other players are the bots. `think_time` is our thinking time for a turn.
    fn header(&self, think_time: Duration) -> ArenaHeader {
        let bots: Vec<String> = self.against.iter().map(Id::to_string).collect();
        let with = |us: &str| [&[us.to_owned()], &bots[..]].concat();
        let (seconds, think_time) = (self.limit_seconds, think_time.as_millis());
        ArenaHeader {
            players: with("me"),
            names: with("amazons"),
            gauntlet: true,
            games: self.games as usize,
            plies: 0,
            seed: 0,
            conditions: format!("Botzone, {seconds} s a turn, {think_time} ms to think"),
        }
    }

    /// Returns the id of the bot that is our opponent in `game`. Player 0 in `game.players` is this program; player i
    /// is the bot `against[i - 1]`.
    ///
    /// # Panics
    /// If `game` does not belong to this plan.
    pub fn bot(&self, game: ScheduledGame) -> Id {
        self.against[game.players.into_iter().sum::<usize>() - 1]
    }
}

/// Returns our colour in `game`: black if the first of `game.players` is player 0, which is this program; else white.
pub fn our_colour(game: ScheduledGame) -> Player {
    match game.players[0] {
        0 => Player::Black,
        _ => Player::White,
    }
}

/// State of a planned game, stored as a line of JSON in the file of running matches. If several lines are about the
/// same game, only the last of them is valid.
#[derive(Serialize, Deserialize)]
struct RunningGame {
    /// Number of the game among all games of the user's command, from 0.
    game: usize,
    /// Id of the game's match on Botzone. `None` in two cases:
    /// - `done` is false: Botzone may have started a match, but its reply with the id has not been received.
    /// - `done` is true: the id is not needed, because there is no match to continue.
    id: Option<String>,
    /// Known moves of the match in order, each as six numbers such as `0 2 0 5 3 5`. If the last move is ours, Botzone
    /// may not have confirmed it yet.
    moves: Vec<String>,
    /// False while a match of this game is being started or played. True otherwise: the game is finished, or its match
    /// was aborted or could not be started, so that a new match will be started for it.
    done: bool,
}

impl RunningGame {
    const fn new(game: ScheduledGame, done: bool) -> RunningGame {
        RunningGame {
            game: game.number,
            id: None,
            moves: Vec::new(),
            done,
        }
    }

    /// Returns the id of the game's match, and the match's state, which is restored from the saved moves. Returns
    /// `None` if the id is unknown. `colour` is our colour.
    ///
    /// # Errors
    /// If the id is malformed, or a move is malformed or illegal.
    fn restore_session(&self, colour: Player) -> Result<Option<(Id, MatchSession)>> {
        let Some(id) = &self.id else {
            return Ok(None);
        };
        let moves: Result<Vec<Move>, _> = self.moves.iter().map(|turn| turn.parse()).collect();
        Ok(Some((id.parse()?, MatchSession::resume(colour, &moves?)?)))
    }
}

/// Opens the file of running matches, or creates it. Its path is `journal`, the path of the file of finished games
/// (`--out`), with `.running` appended. Removes an incomplete last line of the file. Empties the file if all its games
/// are done. Returns the file, and the last saved state of each unfinished game, keyed by the game's number.
///
/// # Errors
/// - If the file can't be read or written, or another program is writing to it.
/// - If a line is not the state of a game as JSON, so that the file does not belong to this program.
fn open_running(journal: &Path) -> Result<(AppendFile, BTreeMap<usize, RunningGame>)> {
    let mut path = journal.as_os_str().to_owned();
    path.push(".running");
    let (mut file, bytes) = AppendFile::open(path.as_ref())?;
    // The last line may be incomplete after a crash of this program: remove it. But if its beginning differs from
    // `LINE_PREFIX`, the file is not ours: leave it unchanged and report an error.
    let last_newline = bytes.iter().rposition(|&byte| byte == b'\n');
    let (complete, cut) = bytes.split_at(last_newline.map_or(0, |at| at + 1));
    let is_ours = cut.iter().zip(LINE_PREFIX).all(|(found, due)| found == due);
    let lines = complete.split_inclusive(|&byte| byte == b'\n');
    let mut unfinished = BTreeMap::new();
    for (number, line) in (1..).zip(lines.chain((!is_ours).then_some(cut))) {
        let entry: RunningGame = serde_json::from_slice(line).map_err(|_| {
            let expected = "expected a file of amazons online with its running matches";
            format!("{}:{number}: {expected}", path.display())
        })?;
        unfinished.insert(entry.game, entry);
    }
    unfinished.retain(|_, entry| !entry.done);
    let is_empty = unfinished.is_empty();
    file.truncate(if is_empty { 0 } else { complete.len() as u64 })?;
    Ok((file, unfinished))
}

/// Games that an earlier call of the program started but did not finish, each as a pair. First: the game; second: id
/// and state of its match, or `None` if it is unknown whether Botzone has started a match.
pub type UnfinishedGames = Vec<(ScheduledGame, Option<(Id, MatchSession)>)>;

/// Planned games of `amazons online match`: those that are finished, those that are not started yet, and the files in
/// which finished games and running matches are saved.
pub struct MatchStore {
    /// Games to play: opponents, number of games and time limit. Also contains the paths of the file for finished games
    /// (`--out`) and of the folder for match logs (`--export`).
    pub plan: MatchPlan,
    /// Finished games with their results, from which our scores against the bots are computed.
    pub standings: Standings,
    journal: Option<AppendFile>,
    running: Option<AppendFile>,
    /// Games that are not started yet. The front element is started next.
    pub waiting: VecDeque<ScheduledGame>,
}

impl MatchStore {
    /// Opens the files that `plan` names. Returns the store, and the games that an earlier call of the program started
    /// but did not finish. `think_time` is our thinking time for a turn, which is saved in the first line of the file
    /// of `--out`.
    ///
    /// # Errors
    /// - If a file or folder can't be read, written or created.
    /// - If the file of `--out` exists, but `--resume` was not given.
    /// - If the first line of the file of `--out` has other bots, limits or thinking time than `plan`, or more games.
    pub fn open_files(
        plan: MatchPlan,
        think_time: Duration,
    ) -> Result<(MatchStore, UnfinishedGames)> {
        let header = plan.header(think_time);
        let all = Shard { index: 0, count: 1 };
        let games = schedule::games_of_shard(header.players.len(), true, header.games, all);
        let (standings, journal) = Standings::open_file(header, plan.out.as_deref(), plan.resume)?;
        if let Some(folder) = &plan.export {
            let made = fs::create_dir_all(folder);
            made.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let running = plan.out.as_deref().map(open_running).transpose()?;
        let (running, entries) = running.unzip();
        let mut entries = entries.unwrap_or_default();
        let (mut waiting, mut unfinished) = (VecDeque::new(), Vec::new());
        let is_left = |game: &ScheduledGame| !standings.games.contains_key(&game.number);
        for game in games.into_iter().filter(is_left) {
            match entries.remove(&game.number) {
                Some(entry) => unfinished.push((game, entry.restore_session(our_colour(game))?)),
                None => waiting.push_back(game),
            }
        }
        let store = MatchStore {
            plan,
            standings,
            journal,
            running,
            waiting,
        };
        Ok((store, unfinished))
    }

    /// Removes the next game from `waiting` and returns it; the caller must start its match. Returns `None` if no game
    /// is waiting. Before returning, the function saves to disk that the match is being started. After a crash, a later
    /// call of the program thus knows that a match may exist.
    ///
    /// # Errors
    /// If the file of running matches can't be written.
    pub fn take_next_game(&mut self) -> Result<Option<ScheduledGame>> {
        let game = self.waiting.pop_front();
        let save = |game| self.write_state(&RunningGame::new(game, false));
        game.map_or(Ok(()), save)?;
        Ok(game)
    }

    /// Puts `game` back at the front of `waiting`, so that a new match is started for it. Also saves in the file of
    /// running matches that its old match is over. After a crash, the program thus does not try to continue that match.
    ///
    /// # Errors
    /// If the file of running matches can't be written.
    pub fn requeue(&mut self, game: ScheduledGame) -> Result<()> {
        self.waiting.push_front(game);
        self.write_state(&RunningGame::new(game, true))
    }

    /// Saves the state of the match `id`, in which `game` is played, in the file of running matches. The saved moves
    /// are those of `session`, including our last answer. When the function returns, they are on disk. Without `--out`,
    /// nothing is saved.
    ///
    /// # Errors
    /// If the file of running matches can't be written.
    pub fn save(&mut self, game: ScheduledGame, id: Id, session: &MatchSession) -> Result<()> {
        let text = |turn: Move| Coordinates::from(turn).to_string();
        self.write_state(&RunningGame {
            id: Some(id.to_string()),
            moves: session.known_moves().map(text).collect(),
            ..RunningGame::new(game, false)
        })
    }

    fn write_state(&mut self, state: &RunningGame) -> Result<()> {
        if let Some(running) = &mut self.running {
            running.append_line(state)?;
            running.sync()?;
        }
        Ok(())
    }

    /// Appends the finished game `game` to the file of `--out`; with `--export`, also writes its match log. `log` is
    /// the parsed match log, `text` the log's text, `address` the match's public address. Returns our score against the
    /// bot as a line of text, and the path of the written match log, if any.
    ///
    /// # Errors
    /// - If the log does not contain the end of the game.
    /// - If a file can't be written.
    pub fn record_result(
        &mut self,
        game: ScheduledGame,
        address: &MatchAddress,
        text: &str,
        log: &CheckedGame,
    ) -> Result<(String, Option<PathBuf>)> {
        let record = game_record(game, address.to_string(), log)
            .ok_or("the log does not contain the end of the game")?;
        let names = &self.standings.header.names;
        let folder = self.plan.export.as_deref();
        let path = folder.map(|folder| write_match_log(folder, names, &record, &log::read(text)?));
        let path = path.transpose()?;
        if let Some(journal) = &mut self.journal {
            journal.append_line(&record)?;
            // Make sure that the finished game is on disk before the file of running matches says that it is done.
            // Otherwise a crash between the two writes could lose the game.
            journal.sync()?;
        }
        self.standings.add(record);
        self.write_state(&RunningGame::new(game, true))?;
        let bot = game.players.into_iter().sum();
        Ok((self.standings.score_line(0, bot), path))
    }
}

/// Returns the finished game `game` as it will be stored in the file of `--out`. Its moves and result come from `log`,
/// the match's parsed log; `address` is the match's public address. Returns `None` if the log shows no winner.
fn game_record(game: ScheduledGame, address: String, log: &CheckedGame) -> Option<GameRecord> {
    let cost = |answer: &Answer| TurnCost {
        wall_ms: answer.time as f64,
        cpu_ms: answer.time as f64,
        memory_mb: answer.memory as f64,
    };
    Some(GameRecord {
        game: game.number,
        players: game.players,
        opening: 0,
        moves: log.moves.iter().map(Coordinates::to_string).collect(),
        winner: log.outcome().winner()? as usize,
        cause: match log.outcome() {
            Outcome::Fault { fault, .. } => fault.into(),
            _ => Cause::NoMoves,
        },
        turns: log.answers.iter().map(cost).collect(),
        address: Some(address),
    })
}
