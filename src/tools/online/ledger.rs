//! What is kept of the matches: the schedule with its journal, the file beside it, and the results so far.

use super::client::{Challenge, Client};
use super::contest::{Plan, colour, of_log, of_seat, opponent};
use super::news::verdict;
use super::poll::Ending;
use super::seat::Seat;
use super::state::{Entry, StateFile};
use crate::tools::analysis::glossary::Language;
use crate::tools::arena::export::export;
use crate::tools::arena::report::Standings;
use crate::tools::platform::address::Id;
use crate::tools::player::schedule::{self, Fixture, Shard};
use crate::tools::record::log;
use crate::tools::record::replayed::Replayed;
use crate::tools::support::append::AppendFile;
use crate::tools::support::error::ToolError;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// What is kept.
pub struct Ledger {
    client: Arc<Client>,
    plan: Plan,
    standings: Standings,
    journal: Option<AppendFile>,
    /// The file beside the journal.
    pub state: Option<StateFile>,
    /// Games that are not under way.
    pub waiting: VecDeque<Fixture>,
    /// Games under way, and those that are over and not in the journal yet.
    running: BTreeMap<Id, Fixture>,
    /// Games that are over and not in the journal yet.
    pub ended: BTreeMap<Id, (Ending, Box<Seat>)>,
    /// Games whose result is known, but whose log could not be had.
    pub missing: Vec<Id>,
    /// All matches that are over, and whether we have won.
    results: Vec<(Id, Option<bool>)>,
}

/// What has come of a game that is over.
pub enum Outcome {
    /// Nothing yet: its log is to be fetched again.
    Later,
    /// It is in the journal: its bot, and the score against that.
    Score(Id, String),
    /// It is not, and won't be in this run: why.
    Missing(String),
}

impl Ledger {
    /// A plan's games, or those that are left of them in a journal.
    ///
    /// # Errors
    /// If a file can't be read or written, or is one of other games.
    pub fn open(client: Arc<Client>, plan: Plan, thinking: Duration) -> Result<Ledger, ToolError> {
        let header = plan.header(thinking);
        let (players, games) = (header.players.len(), header.games);
        let (standings, journal) = Standings::open(header, plan.out.as_deref(), plan.resume)?;
        if let Some(folder) = &plan.export {
            let made = fs::create_dir_all(folder);
            made.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let state = plan.out.as_deref().map(StateFile::beside);
        let all = Shard { index: 0, count: 1 };
        let games = schedule::games(players, true, games, all);
        let waiting = games
            .into_iter()
            .filter(|game| !standings.games.contains_key(&game.number));
        Ok(Ledger {
            client,
            waiting: waiting.collect(),
            plan,
            standings,
            journal,
            state: state.map(|path| StateFile::open(&path)).transpose()?,
            running: BTreeMap::new(),
            ended: BTreeMap::new(),
            missing: Vec::new(),
            results: Vec::new(),
        })
    }

    /// Tests if there is no schedule: whatever comes at tables is played.
    #[must_use]
    pub const fn is_table(&self) -> bool {
        self.plan.against.is_empty()
    }

    /// Tests if a match is a game of the schedule.
    #[must_use]
    pub fn has(&self, id: Id) -> bool {
        self.running.contains_key(&id)
    }

    /// The bot that a game is against.
    #[must_use]
    pub fn bot(&self, game: Fixture) -> Id {
        self.plan.against[opponent(game) - 1]
    }

    /// Takes the next game to start, if there is room for it.
    pub fn next(&mut self) -> Option<(Fixture, Challenge)> {
        let has_room = self.running.len() - self.ended.len() < self.plan.concurrent.into();
        let game = has_room.then(|| self.waiting.pop_front())??;
        let challenge = Challenge {
            against: self.bot(game),
            colour: colour(game),
            seconds: self.plan.limit_seconds,
        };
        Some((game, challenge))
    }

    /// A game is under way as a match.
    pub fn start(&mut self, id: Id, game: Fixture) {
        self.running.insert(id, game);
    }

    /// Takes back a game that could not be started. Returns whether no other one is under way.
    pub fn put_back(&mut self, game: Fixture) -> bool {
        self.waiting.push_front(game);
        self.running.is_empty()
    }

    /// Takes in a match that an earlier run has left. Returns its seat; nothing if no game is left for it.
    ///
    /// # Errors
    /// If what it left makes no sense, or the file can't be written.
    pub fn resume(&mut self, entry: Entry) -> Result<Option<Seat>, ToolError> {
        let id = entry.id;
        let at = self
            .waiting
            .iter()
            .position(|game| game.number == entry.game);
        let Some(game) = at.and_then(|at| self.waiting.remove(at)) else {
            self.write(Entry {
                done: true,
                ..entry
            })?;
            return Ok(None);
        };
        self.start(id, game);
        let seat = entry.seat(colour(game));
        let seat = seat.map_err(|error| format!("match {id} of the last run: {error}"))?;
        if let Some(scores) = entry.scores {
            let ending = Ending {
                id,
                slot: colour(game) as usize,
                scores: scores.to_vec(),
            };
            self.results.push((id, ending.won()));
            self.ended.insert(id, (ending, Box::new(seat.clone())));
        }
        Ok(Some(seat))
    }

    /// Keeps what is known of a match of the schedule. An answer is on the disk when this returns.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn keep(&mut self, id: Id, seat: &Seat) -> Result<(), ToolError> {
        match self.running.get(&id) {
            Some(game) => self.write(Entry::new(id, game.number).with(seat)),
            None => Ok(()),
        }
    }

    /// Takes a match that was aborted. Returns whether its game is to be played again.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn abort(&mut self, id: Id) -> Result<bool, ToolError> {
        let Some(game) = self.running.remove(&id) else {
            return Ok(false);
        };
        self.waiting.push_front(game);
        self.forget(id, game.number)?;
        Ok(true)
    }

    /// Takes the end of a match.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn end(&mut self, ending: Ending, seat: Box<Seat>) -> Result<(), ToolError> {
        let id = ending.id;
        self.results.push((id, ending.won()));
        if let Some(game) = self.running.get(&id) {
            self.write(Entry {
                scores: ending.scores[..].try_into().ok(),
                ..Entry::new(id, game.number).with(&seat)
            })?;
            self.ended.insert(id, (ending, seat));
        }
        Ok(())
    }

    /// Writes a game that is over into the journal: from its log, or from what we know of it if there will be none.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn finish(
        &mut self,
        id: Id,
        log: Result<String, String>,
        is_last: bool,
    ) -> Result<Outcome, ToolError> {
        let (Some(&game), Some((ending, seat))) = (self.running.get(&id), self.ended.get(&id))
        else {
            return Ok(Outcome::Later);
        };
        let read = |text: String| {
            let log = Replayed::read(&text).map_err(|error| error.to_string())?;
            Ok((of_log(game, ending, &log)?, text))
        };
        let mut record = match log.and_then(read) {
            Ok((record, text)) => {
                if let (Some(folder), Ok(entries)) = (&self.plan.export, log::read(&text)) {
                    export(folder, &self.standings.header.names, &record, &entries)?;
                }
                record
            }
            Err(_) if !is_last => return Ok(Outcome::Later),
            Err(why) => match of_seat(game, ending, seat) {
                Ok(record) => record,
                Err(_) => {
                    // It stays in the file beside the journal: a later run asks again.
                    self.running.remove(&id);
                    self.ended.remove(&id);
                    self.missing.push(id);
                    return Ok(Outcome::Missing(why));
                }
            },
        };
        record.address = Some(self.client.address(id).to_string());
        if let Some(journal) = &mut self.journal {
            journal.append_line(&record)?;
            // The file beside it forgets the match next.
            journal.sync()?;
        }
        self.standings.add(record);
        self.running.remove(&id);
        self.ended.remove(&id);
        self.forget(id, game.number)?;
        Ok(Outcome::Score(self.bot(game), self.score(opponent(game))))
    }

    /// Nothing is left to do for a match.
    fn forget(&mut self, id: Id, game: usize) -> Result<(), ToolError> {
        self.write(Entry {
            done: true,
            ..Entry::new(id, game)
        })
    }

    fn write(&mut self, entry: Entry) -> Result<(), ToolError> {
        match &mut self.state {
            Some(state) => state.keep(entry),
            None => Ok(()),
        }
    }

    /// The score against a bot, by its number.
    fn score(&self, bot: usize) -> String {
        self.standings.score_line(0, bot)
    }

    /// The score so far: how many games are over, and the score against each bot; at tables, the score of all matches.
    #[must_use]
    pub fn scores(&self) -> Vec<String> {
        if self.is_table() {
            let results = self.results.iter();
            let count = |wanted| results.clone().filter(|(_, won)| *won == wanted).count();
            return vec![format!("{}-{}", count(Some(true)), count(Some(false)))];
        }
        let done = self.standings.games.len();
        let all = done + self.waiting.len() + self.running.len() + self.missing.len();
        let score = |(at, bot)| format!("{bot}  {}", self.score(at));
        let scores = (1..).zip(&self.plan.against).map(score);
        [format!("{done}/{all}")]
            .into_iter()
            .chain(scores)
            .collect()
    }

    /// The matches that are over with their addresses, and the score.
    #[must_use]
    pub fn summary(&self, language: Language) -> String {
        let line = |&(id, won): &(Id, Option<bool>)| {
            let address = self.client.address(id);
            format!("{:4}  {address}\n", verdict(won, language))
        };
        let text: String = self.results.iter().map(line).collect();
        text + &match self.is_table() {
            true => self.scores().join("\n") + "\n",
            false => self.standings.text(None),
        }
    }
}
