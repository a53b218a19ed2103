//! What is kept of the matches: the schedule with its journal, the file beside it, and the results so far.

use super::client::{Challenge, Client};
use super::contest::{self, Contest};
use super::news::{News, summary};
use super::poll::Ending;
use super::seat::Seat;
use super::state::{Entry, StateFile};
use crate::board::Player;
use crate::tools::analysis::glossary::Language;
use crate::tools::platform::address::{Id, MatchAddress};
use crate::tools::player::schedule::Fixture;
use crate::tools::support::error::ToolError;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is kept.
pub struct Ledger {
    client: Arc<Client>,
    contest: Option<Contest>,
    state: Option<StateFile>,
    /// Matches that are over and not in the journal yet.
    ended: BTreeMap<Id, (Ending, Box<Seat>)>,
    results: Vec<(MatchAddress, Option<bool>)>,
}

impl Ledger {
    /// The games to play, if there is a schedule, and the file beside its journal.
    #[must_use]
    pub const fn new(
        client: Arc<Client>,
        contest: Option<Contest>,
        state: Option<StateFile>,
    ) -> Ledger {
        Ledger {
            client,
            contest,
            state,
            ended: BTreeMap::new(),
            results: Vec::new(),
        }
    }

    /// The schedule.
    #[must_use]
    pub const fn contest(&self) -> Option<&Contest> {
        self.contest.as_ref()
    }

    /// The game of the schedule that a match is.
    fn fixture(&self, id: Id) -> Option<Fixture> {
        self.contest.as_ref()?.fixture(id)
    }

    /// Tests if a match is a game of the schedule.
    #[must_use]
    pub fn has(&self, id: Id) -> bool {
        self.fixture(id).is_some()
    }

    /// Tests if a match is over and not in the journal yet.
    #[must_use]
    pub fn is_over(&self, id: Id) -> bool {
        self.ended.contains_key(&id)
    }

    /// Tests if the journal waits for no match.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.ended.is_empty()
    }

    /// Takes the next game to start, if there is room for it.
    pub fn next(&mut self) -> Option<(Fixture, Challenge)> {
        let contest = self.contest.as_mut()?;
        let has_room = contest.running() - self.ended.len() < contest.concurrent();
        has_room.then(|| contest.take_next())?
    }

    /// A game is under way as a match. Returns our colour, and the news of it.
    pub fn start(&mut self, id: Id, game: Fixture) -> Option<(Player, News)> {
        let contest = self.contest.as_mut()?;
        contest.started(id, game);
        let (colour, bot) = (contest::colour(game), contest.opponent(game));
        Some((colour, News::Started(id, game.number + 1, colour, bot)))
    }

    /// Takes back a game that could not be started. Returns whether no other one is under way.
    pub fn put_back(&mut self, game: Fixture) -> bool {
        self.contest.as_mut().is_some_and(|contest| {
            contest.put_back(game);
            contest.running() == 0
        })
    }

    /// Takes in a match that an earlier run has left. Returns its seat; nothing if no game is left for it.
    ///
    /// # Errors
    /// If what it left makes no sense, or the file can't be written.
    pub fn resume(&mut self, entry: Entry) -> Result<Option<Seat>, ToolError> {
        let id = entry.id;
        let contest = self.contest.as_mut();
        let Some(game) = contest.and_then(|contest| contest.resume(id, entry.game)) else {
            self.write(Entry {
                done: true,
                ..entry
            })?;
            return Ok(None);
        };
        let colour = contest::colour(game);
        let seat = entry.seat(colour);
        let seat = seat.map_err(|error| format!("match {id} of the last run: {error}"))?;
        if let Some(scores) = entry.scores {
            let ending = Ending {
                id,
                slot: colour as usize,
                scores: scores.to_vec(),
            };
            self.results.push(self.result(&ending));
            self.ended.insert(id, (ending, Box::new(seat.clone())));
        }
        Ok(Some(seat))
    }

    /// Keeps what is known of a match of the schedule. An answer is on the disk when this returns.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn keep(&mut self, id: Id, seat: &Seat) -> Result<(), ToolError> {
        match self.fixture(id) {
            Some(game) => self.write(Entry::new(id, game.number).with(seat)),
            None => Ok(()),
        }
    }

    /// Takes a match that was aborted. Returns whether its game is to be played again.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn abort(&mut self, id: Id) -> Result<bool, ToolError> {
        let (Some(game), Some(contest)) = (self.fixture(id), &mut self.contest) else {
            return Ok(false);
        };
        contest.abort(id);
        self.forget(id, game)?;
        Ok(true)
    }

    /// Takes the end of a match. Returns the news of it.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn end(&mut self, ending: Ending, seat: Box<Seat>) -> Result<News, ToolError> {
        let (address, won) = self.result(&ending);
        self.results.push((address.clone(), won));
        if let Some(game) = self.fixture(ending.id) {
            self.write(Entry {
                scores: ending.scores[..].try_into().ok(),
                ..Entry::new(ending.id, game.number).with(&seat)
            })?;
            self.ended.insert(ending.id, (ending, seat));
        }
        Ok(News::Over(address, won))
    }

    /// The address of a match that is over, and whether we have won it.
    fn result(&self, ending: &Ending) -> (MatchAddress, Option<bool>) {
        let won = ending.winner().map(|winner| winner == ending.slot);
        (self.client.address(ending.id), won)
    }

    /// Writes a game that is over into the journal, from its log, or without one if there will be none. Returns the news,
    /// if that was it.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn finish(
        &mut self,
        id: Id,
        log: Result<String, String>,
        is_last: bool,
    ) -> Result<Option<News>, ToolError> {
        let address = self.client.address(id);
        let game = self.fixture(id);
        let (Some(contest), Some(game), Some((ending, seat))) =
            (&mut self.contest, game, self.ended.get(&id))
        else {
            return Ok(None);
        };
        let done = match log {
            Ok(text) => contest.finish(ending, &address, &text)?,
            Err(why) => Err(why),
        };
        match done {
            Err(_) if !is_last => return Ok(None),
            Err(why) if !contest.finish_without_log(ending, &address, seat)? => {
                // It stays in the file beside the journal: a later run asks again.
                self.ended.remove(&id);
                return Ok(Some(News::NoLog(id, why)));
            }
            _ => {}
        }
        let news = News::Score(contest.opponent(game), contest.score(game));
        self.ended.remove(&id);
        self.forget(id, game)?;
        Ok(Some(news))
    }

    /// Nothing is left to do for a match.
    fn forget(&mut self, id: Id, game: Fixture) -> Result<(), ToolError> {
        self.write(Entry {
            done: true,
            ..Entry::new(id, game.number)
        })
    }

    fn write(&mut self, entry: Entry) -> Result<(), ToolError> {
        match &mut self.state {
            Some(state) => state.keep(entry),
            None => Ok(()),
        }
    }

    /// The score so far.
    #[must_use]
    pub fn score(&self) -> Vec<String> {
        if let Some(contest) = &self.contest {
            return contest.lines();
        }
        let results = self.results.iter();
        let count = |wanted| results.clone().filter(|(_, won)| *won == wanted).count();
        vec![format!("{}-{}", count(Some(true)), count(Some(false)))]
    }

    /// The matches that are over with their addresses, and the score.
    #[must_use]
    pub fn summary(&self, language: Language) -> String {
        let lines = self.results.iter();
        let lines = lines.map(|(address, won)| summary(address, *won, language) + "\n");
        let text: String = lines.collect();
        text + &match &self.contest {
            Some(contest) => contest.standings().text(None),
            None => self.score().join("\n") + "\n",
        }
    }
}
