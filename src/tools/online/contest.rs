//! The games that `match` plays: which one comes next, and the journal of those that are over.

use super::client::Challenge;
use super::poll::Ending;
use super::seat::Seat;
use crate::board::Player;
use crate::movegen;
use crate::tools::arena::export::export;
use crate::tools::arena::report::Standings;
use crate::tools::arena::results::{self, Cause, GameRecord, MatchHeader, TurnCost};
use crate::tools::platform::address::{Id, MatchAddress};
use crate::tools::player::schedule::{self, Fixture, Shard};
use crate::tools::record::judge::{Coordinates, Verdict};
use crate::tools::record::log;
use crate::tools::record::replayed::{Fault, Outcome, Replayed};
use crate::tools::support::append::AppendFile;
use crate::tools::support::error::ToolError;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

/// Our name in reports; it is player 0 of the journal.
const OUR_NAME: &str = "amazons";

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The bots to play against.
    pub bots: Vec<Id>,
    /// Games against each of them.
    pub games: usize,
    /// Matches at a time.
    pub concurrent: usize,
    /// Our time for a turn, in seconds.
    pub seconds: u32,
    /// How long we think, as text for people.
    pub thinking: String,
}

/// The games of a plan.
pub struct Contest {
    plan: Plan,
    standings: Standings,
    journal: Option<AppendFile>,
    export: Option<PathBuf>,
    /// Games that are not under way.
    waiting: VecDeque<Fixture>,
    /// Games under way, and those that are over and not in the journal yet.
    running: BTreeMap<Id, Fixture>,
    /// Games whose log could not be had.
    missing: Vec<Id>,
}

impl Contest {
    /// A plan's games, or those that are left of them in a journal.
    ///
    /// # Errors
    /// If the journal can't be read or written, or is one of other games.
    pub fn new(
        plan: Plan,
        out: Option<&Path>,
        resume: bool,
        export: Option<PathBuf>,
    ) -> Result<Contest, ToolError> {
        let header = header(&plan);
        let mut standings = Standings::new(header.clone());
        let mut journal = None;
        if let Some(path) = out {
            let (opened, games) = results::open(path, &header, resume)?;
            journal = Some(opened);
            games.into_iter().for_each(|game| standings.add(game));
        }
        if let Some(folder) = &export {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let all = Shard { index: 0, count: 1 };
        let games = schedule::games(plan.bots.len() + 1, true, plan.games, all);
        let waiting = games.into_iter().filter(|game| !standings.has(game.number));
        Ok(Contest {
            waiting: waiting.collect(),
            plan,
            standings,
            journal,
            export,
            running: BTreeMap::new(),
            missing: Vec::new(),
        })
    }

    /// The games so far.
    #[must_use]
    pub const fn standings(&self) -> &Standings {
        &self.standings
    }

    /// The score against each bot, and how many games are over.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let done = self.standings.games().len();
        let all = done + self.waiting.len() + self.running.len() + self.missing.len();
        let score = |(at, bot)| format!("{bot}  {}", self.standings.score_line(0, at));
        let scores = (1..).zip(&self.plan.bots).map(score);
        std::iter::once(format!("{done}/{all}"))
            .chain(scores)
            .collect()
    }

    /// The score against the bot that a game is against.
    #[must_use]
    pub fn score(&self, game: Fixture) -> String {
        self.standings.score_line(0, opponent(game))
    }

    /// The game of a match.
    #[must_use]
    pub fn fixture(&self, id: Id) -> Option<Fixture> {
        self.running.get(&id).copied()
    }

    /// Number of games under way or not in the journal yet.
    #[must_use]
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// Most matches at a time.
    #[must_use]
    pub const fn concurrent(&self) -> usize {
        self.plan.concurrent
    }

    /// Tests if no game is left to start.
    #[must_use]
    pub fn is_all_started(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Games whose result is known, but not how they went.
    #[must_use]
    pub fn missing(&self) -> &[Id] {
        &self.missing
    }

    /// The bot that a game is against.
    #[must_use]
    pub fn opponent(&self, game: Fixture) -> Id {
        self.plan.bots[opponent(game) - 1]
    }

    /// Takes the next game to start.
    pub fn take_next(&mut self) -> Option<(Fixture, Challenge)> {
        let game = self.waiting.pop_front()?;
        let challenge = Challenge {
            against: self.opponent(game),
            colour: colour(game),
            seconds: self.plan.seconds,
        };
        Some((game, challenge))
    }

    /// Takes back a game that could not be started, or was aborted.
    pub fn put_back(&mut self, game: Fixture) {
        self.waiting.push_front(game);
    }

    /// Takes back the game of a match that was aborted.
    pub fn abort(&mut self, id: Id) {
        if let Some(game) = self.running.remove(&id) {
            self.put_back(game);
        }
    }

    /// A game is under way as a match.
    pub fn started(&mut self, id: Id, game: Fixture) {
        self.running.insert(id, game);
    }

    /// Finds the game of an earlier run that is under way as a match; nothing if it is none of these games, or over.
    pub fn resume(&mut self, id: Id, number: usize) -> Option<Fixture> {
        let at = self.waiting.iter().position(|game| game.number == number)?;
        let game = self.waiting.remove(at)?;
        self.started(id, game);
        Some(game)
    }

    /// Writes a game that is over, from its public log.
    ///
    /// # Errors
    /// An inner one if the log does not tell of that end; an outer one if the journal can't be written.
    pub fn finish(
        &mut self,
        ending: &Ending,
        address: &MatchAddress,
        text: &str,
    ) -> Result<Result<(), String>, ToolError> {
        let Some(&fixture) = self.running.get(&ending.id) else {
            return Ok(Ok(()));
        };
        let read = Replayed::read(text).map_err(|error| error.to_string());
        let record = match read.and_then(|log| of_log(fixture, ending, &log)) {
            Ok(record) => record,
            Err(error) => return Ok(Err(error)),
        };
        let record = GameRecord {
            address: Some(address.to_string()),
            ..record
        };
        if let (Some(folder), Ok(entries)) = (&self.export, log::read(text)) {
            export(folder, &self.standings.header().names, &record, &entries)?;
        }
        self.write(ending.id, record)?;
        Ok(Ok(()))
    }

    /// Writes a game that is over, from what we know of it; returns whether that was enough. The opponent's last move
    /// is known from the log alone.
    ///
    /// # Errors
    /// If the journal can't be written.
    pub fn finish_without_log(
        &mut self,
        ending: &Ending,
        address: &MatchAddress,
        seat: &Seat,
    ) -> Result<bool, ToolError> {
        let Some(&fixture) = self.running.get(&ending.id) else {
            return Ok(true);
        };
        match of_seat(fixture, ending, seat) {
            Some(mut record) => {
                record.address = Some(address.to_string());
                self.write(ending.id, record)?;
                Ok(true)
            }
            None => {
                self.running.remove(&ending.id);
                self.missing.push(ending.id);
                Ok(false)
            }
        }
    }

    fn write(&mut self, id: Id, record: GameRecord) -> Result<(), ToolError> {
        if let Some(journal) = &mut self.journal {
            journal.append_line(&record)?;
            // The file beside it forgets the match next.
            journal.sync()?;
        }
        self.standings.add(record);
        self.running.remove(&id);
        Ok(())
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
fn opponent(game: Fixture) -> usize {
    game.players[0].max(game.players[1])
}

/// The header of a plan's journal.
fn header(plan: &Plan) -> MatchHeader {
    let bots = plan.bots.iter().map(Id::to_string);
    let players: Vec<String> = std::iter::once("me".to_owned()).chain(bots).collect();
    let mut names = players.clone();
    OUR_NAME.clone_into(&mut names[0]);
    MatchHeader {
        players,
        names,
        gauntlet: true,
        games: plan.games,
        plies: 0,
        seed: 0,
        conditions: format!("Botzone, {} s a turn, {}", plan.seconds, plan.thinking),
    }
}

/// A game's record from its log.
fn of_log(fixture: Fixture, ending: &Ending, game: &Replayed) -> Result<GameRecord, String> {
    let (winner, cause) = match game.outcome() {
        Outcome::Running { .. } => return Err("the log has no end yet".to_owned()),
        Outcome::NoMove { winner } => (winner, Cause::NoMoves),
        Outcome::Fault { winner, fault } => (winner, cause(fault)),
    };
    if ending.winner() != Some(winner as usize) {
        return Err("the log tells of another winner than the platform".to_owned());
    }
    let cost = |answer: &log::Answer| TurnCost {
        wall_ms: answer.time as f64,
        cpu_ms: answer.time as f64,
        memory_mb: answer.memory as f64,
    };
    Ok(GameRecord {
        game: fixture.number,
        players: fixture.players,
        opening: 0,
        moves: game.moves().iter().map(Coordinates::to_string).collect(),
        winner: winner as usize,
        cause,
        turns: game.answers().iter().map(cost).collect(),
        address: None,
    })
}

/// A game's record from our moves, if our last one has ended it.
fn of_seat(fixture: Fixture, ending: &Ending, seat: &Seat) -> Option<GameRecord> {
    let mut board = seat.board().clone();
    board.play(seat.answer()?).ok()?;
    let winner = !board.to_move() as usize;
    if movegen::count(&board) > 0 || ending.winner() != Some(winner) {
        return None;
    }
    let moves = seat.moves().iter().copied().chain(seat.answer());
    let moves = moves.map(|turn| Coordinates::from(turn).to_string());
    let moves: Vec<String> = moves.collect();
    let unknown = TurnCost {
        wall_ms: 0.0,
        cpu_ms: 0.0,
        memory_mb: 0.0,
    };
    Some(GameRecord {
        game: fixture.number,
        players: fixture.players,
        opening: 0,
        turns: vec![unknown; moves.len()],
        moves,
        winner,
        cause: Cause::NoMoves,
        address: None,
    })
}

/// The fault of the loser as the journal has it.
const fn cause(fault: Fault) -> Cause {
    match fault {
        Fault::Illegal => Cause::InvalidMove,
        Fault::NoMove(Verdict::Ok) => Cause::InvalidInput,
        Fault::NoMove(verdict) => Cause::Verdict(verdict),
    }
}
