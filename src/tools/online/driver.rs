//! Main loop of `amazons online`: start a match, fetch a log, search answers to all requests, poll, and repeat.

use super::backoff::Backoff;
use super::client::Client;
use super::news;
use super::poll::{Ending, PollReply, read_request};
use super::session::MatchSession;
use super::store::{Left, MatchStore, colour};
use crate::platform::address::Id;
use crate::platform::web::Fault;
use analysis::glossary::{Language, Term};
use analysis::level::Strength;
use analysis::root_parallel::{Means, RootParallel};
use base::error::ToolError;
use base::schedule::ScheduledGame;
use base::workers::{EXIT_INTERRUPTED, stop_on_interrupt};
use engine::botzone::Form;
use engine::budget::Budget;
use engine::console::{print, visible};
use record::judge::Coordinates;
use record::replayed::Replayed;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Number of tries to fetch the log of a finished match. After them, a later run has to fetch the log.
const MAX_FETCHES: u32 = 8;

/// Number of rejected starts in a row that end the program, counted only if no match of ours is running.
const MAX_REFUSALS: u32 = 5;

/// Maximum time in seconds that a poll stays open, that a new match takes to appear in polls, and between two messages.
const LONG: u32 = 60;

/// Seconds without a request of a match after which its public log is fetched.
const QUIET: u32 = 90;

/// Longest time between two checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

/// A running match, or a finished one whose log is not fetched yet.
struct Match {
    session: MatchSession,
    /// The game of the schedule; `None` at a table.
    game: Option<ScheduledGame>,
    engine: RootParallel,
    is_over: bool,
    /// Back-off for fetching the log: the time of the next fetch, and the number of fetches since the last valid request.
    log: Backoff,
}

impl Match {
    /// Tests if the match is being played. A match at a table does not count while its request fits no known position.
    fn is_running(&self) -> bool {
        !self.is_over && (self.game.is_some() || !self.session.is_astray())
    }

    /// Tests if the match is finished and its log is still to be fetched in this run.
    fn waits_for_log(&self) -> bool {
        self.is_over && self.log.errors < MAX_FETCHES
    }

    fn wants_log(&self, now: Instant) -> bool {
        self.log.until <= now && self.is_over == self.waits_for_log()
    }
}

/// The state of the main loop.
pub struct Driver {
    client: Arc<Client>,
    store: MatchStore,
    means: Means,
    /// Time to think in a turn, shared by all running matches.
    thinking: Duration,
    language: Language,
    stop: &'static AtomicBool,
    is_closing: bool,
    matches: BTreeMap<Id, Match>,
    /// A game whose start got no reply, and when to give up waiting: if a poll begun after that time shows no match, there is
    /// none.
    unsure: Option<(ScheduledGame, Instant)>,
    /// Ids of finished matches, whose late requests are ignored.
    over: BTreeSet<Id>,
    /// Length of a second: shorter for a server on this machine, which need not be spared.
    second: Duration,
    polls: Backoff,
    starts: Backoff,
    /// Time of the last message to the user.
    told: Instant,
}

impl Driver {
    /// Returns a driver that has not started yet. From now on Ctrl-C asks it to stop.
    pub fn new(
        client: Client,
        store: MatchStore,
        means: Means,
        thinking: Duration,
        language: Language,
    ) -> Result<Driver, ToolError> {
        let is_loopback = client.origin.is_loopback();
        let second = Duration::from_millis(if is_loopback { 20 } else { 1000 });
        Ok(Driver {
            client: Arc::new(client),
            store,
            means,
            thinking,
            language,
            stop: stop_on_interrupt()?,
            is_closing: false,
            matches: BTreeMap::new(),
            unsure: None,
            over: BTreeSet::new(),
            polls: Backoff::new(second, 300),
            starts: Backoff::new(second, 300),
            second,
            told: Instant::now(),
        })
    }

    /// Plays until all games are finished or Ctrl-C stops the program. `left` are the games of an earlier run. Returns the exit
    /// code.
    pub fn run(mut self, left: Left) -> Result<u8, ToolError> {
        self.resume(left)?;
        if self.is_table() {
            self.tell(news::WAITING, &[])?;
        }
        let end = self.work();
        if self.is_table() {
            return end.map(|()| 0);
        }
        print(self.store.standings.text(None))?;
        end?;
        if !self.matches.is_empty() {
            let names: Vec<String> = self.matches.keys().map(Id::to_string).collect();
            let names = names.join(", ");
            let fault = format!("no logs of {names}: the same command with --resume asks again");
            return Err(fault.into());
        }
        Ok(self.store.waiting.front().map_or(0, |_| EXIT_INTERRUPTED))
    }

    /// Adds the matches of an earlier run, and fetches their logs for the moves played meanwhile.
    fn resume(&mut self, left: Left) -> Result<(), ToolError> {
        for (game, known) in left {
            let Some((id, session)) = known else {
                self.unsure = Some((game, Instant::now() + self.second * LONG));
                continue;
            };
            self.tell(news::RESUMED, &[&id, &session.moves.len()])?;
            self.add(id, session, Some(game)).log.until = Instant::now();
        }
        Ok(())
    }

    fn work(&mut self) -> Result<(), ToolError> {
        while !self.is_done() {
            self.start_match()?;
            self.fetch_log()?;
            self.think()?;
            if self.is_table() || self.unsure.is_some() || self.count(Match::is_running) > 0 {
                self.poll()?;
            } else {
                self.wait_for(|_| thread::sleep(LOOK))?;
            }
            if self.told.elapsed() > self.second * LONG && !self.is_table() {
                let counts = [Match::is_running, Match::waits_for_log].map(|is| self.count(is));
                let [running, logs] = counts;
                self.tell(news::STILL, &[&running, &logs, &self.store.waiting.len()])?;
            }
        }
        Ok(())
    }

    /// Tests if there is no schedule: then every match at a table is played.
    fn is_table(&self) -> bool {
        self.store.plan.against.is_empty()
    }

    fn count(&self, is: fn(&Match) -> bool) -> usize {
        self.matches.values().filter(|found| is(found)).count()
    }

    /// Tests if no work is left.
    fn is_done(&self) -> bool {
        let mut matches = self.matches.values();
        let is_open = matches.any(|found| found.is_running() || found.waits_for_log());
        let has_more = self.is_table() || !self.store.waiting.is_empty();
        !is_open && self.unsure.is_none() && (!has_more || self.stop.load(Ordering::SeqCst))
    }

    /// Runs `work` on a thread of its own and waits for its result, while checking for Ctrl-C. Returns `None` if no work is
    /// left for the program before the result comes.
    fn wait_for<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Client) -> T + Send + 'static,
    ) -> Result<Option<T>, ToolError> {
        let (client, (sender, result)) = (Arc::clone(&self.client), mpsc::channel());
        // Sending fails if the receiver has stopped waiting; that is no error.
        thread::Builder::new().spawn(move || drop(sender.send(work(&client))))?;
        loop {
            let result = result.recv_timeout(LOOK);
            if self.stop.load(Ordering::SeqCst) && !self.is_closing {
                self.is_closing = true;
                self.tell(news::CLOSING, &[])?;
            }
            match result {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Timeout) if !self.is_done() => {}
                Err(_) => return Ok(None),
            }
        }
    }

    fn add(&mut self, id: Id, session: MatchSession, game: Option<ScheduledGame>) -> &mut Match {
        let mut added = Match {
            engine: RootParallel::new(&session.board, &self.means),
            session,
            game,
            is_over: false,
            log: Backoff::new(self.second, 60),
        };
        added.log.until += self.second * QUIET;
        self.matches.entry(id).or_insert(added)
    }

    /// Starts the next match of the schedule, if fewer than the maximum are running and the back-off allows it.
    fn start_match(&mut self) -> Result<(), ToolError> {
        let has_room = self.count(Match::is_running) < self.store.plan.concurrent.into();
        let is_time = self.unsure.is_none() && Instant::now() >= self.starts.until;
        if !has_room || !is_time || self.stop.load(Ordering::SeqCst) {
            return Ok(());
        }
        let Some(game) = self.store.next()? else {
            return Ok(());
        };
        self.unsure = Some((game, Instant::now() + self.second * LONG));
        let (bot, seconds) = (self.store.plan.bot(game), self.store.plan.limit_seconds);
        let fault = match self.wait_for(move |client| client.start(bot, colour(game), seconds))? {
            Some(Ok(id)) if !self.matches.contains_key(&id) => return self.begin(id, game),
            Some(Err(Fault::Unwelcome(why))) => return Err(why.into()),
            Some(Err(fault)) => fault,
            _ => Fault::broken("no new match is named"),
        };
        if let Fault::Silent | Fault::Broken(_) = fault {
            return self.tell(news::UNSURE, &[&(game.number + 1), &fault]);
        }
        self.unsure = None;
        let wait = self.put_back(game)?;
        // The platform also rejects a start if too many matches are running: then it helps to wait for the end of one.
        let is_alone = self.count(Match::is_running) == 0 && self.starts.errors >= MAX_REFUSALS;
        match fault {
            Fault::Refused(why) if is_alone => Err(format!("no match begins: {why}").into()),
            _ => self.tell(news::NOT_STARTED, &[&fault, &wait.as_secs()]),
        }
    }

    /// Returns a game to the queue and counts the failure. Returns the delay until the next start.
    fn put_back(&mut self, game: ScheduledGame) -> Result<Duration, ToolError> {
        self.store.put_back(game)?;
        Ok(self.starts.fail())
    }

    /// Adds the match `id` of a game that was started.
    fn begin(&mut self, id: Id, game: ScheduledGame) -> Result<(), ToolError> {
        (self.unsure, self.starts.errors) = (None, 0);
        let session = MatchSession::new(Some(colour(game)));
        self.store.keep(game, id, &session)?;
        self.add(id, session, Some(game));
        let side = Term::from(colour(game)).text(self.language);
        let bot = self.store.plan.bot(game);
        self.tell(news::STARTED, &[&id, &(game.number + 1), &side, &bot])
    }

    /// Polls once the back-off allows it, and sends all answers that are ready.
    fn poll(&mut self) -> Result<(), ToolError> {
        let rest = self.polls.until.saturating_duration_since(Instant::now());
        self.wait_for(move |_| thread::sleep(rest))?;
        let matches = self.matches.iter_mut();
        let answers = matches.filter_map(|(&id, found)| Some((id, found.session.send()?)));
        let answers: Vec<(Id, String)> = answers.collect();
        let sent: Vec<Id> = answers.iter().map(|&(id, _)| id).collect();
        let (begun, hold) = (Instant::now(), self.second * LONG);
        let Some(reply) = self.wait_for(move |client| client.poll(&answers, hold))? else {
            return Ok(());
        };
        self.polls.until = begun + self.second / 2;
        let fault = match reply {
            Ok(reply) => return self.take_reply(reply, begun),
            Err(fault @ (Fault::Refused(_) | Fault::Unwelcome(_))) => return Err(fault.into()),
            Err(fault) => fault,
        };
        let may_have_come = !matches!(fault, Fault::NotSent(_));
        for (_, found) in self.matches.iter_mut().filter(|(id, _)| sent.contains(id)) {
            found.session.lose(may_have_come);
        }
        if fault == Fault::Silent {
            return self.hear_nothing_new(begun);
        }
        let wait = self.polls.fail();
        self.tell(news::TROUBLE, &[&fault, &wait.as_secs()])
    }

    /// Processes the complete reply to a poll that began at `begun`.
    fn take_reply(&mut self, reply: PollReply, begun: Instant) -> Result<(), ToolError> {
        self.polls.errors = 0;
        for (id, found) in &mut self.matches {
            if !reply.requests.contains_key(id) {
                found.session.hear_nothing();
            }
        }
        let mut is_news = false;
        for (id, request) in reply.requests {
            is_news |= self.take_request(id, &request)?;
        }
        for ending in reply.endings {
            is_news |= self.end(ending)?;
        }
        match is_news {
            true => Ok(()),
            false => self.hear_nothing_new(begun),
        }
    }

    /// Delays the next poll. If a started match has not appeared by its deadline, its start has failed, and the game is queued
    /// again.
    fn hear_nothing_new(&mut self, begun: Instant) -> Result<(), ToolError> {
        self.polls.until = Instant::now() + self.second;
        if let Some((game, _)) = self.unsure.take_if(|(_, until)| begun >= *until) {
            self.put_back(game)?;
        }
        Ok(())
    }

    /// Processes a request. Returns whether it is new and valid.
    fn take_request(&mut self, id: Id, text: &str) -> Result<bool, ToolError> {
        // A request that can't be parsed is treated like a move off the board: it fits no known position.
        let unreadable = (Coordinates::new([-2; 6]), Form::Simple);
        let (request, form) = read_request(text).unwrap_or(unreadable);
        if self.over.contains(&id) {
            return Ok(false);
        }
        if !self.matches.contains_key(&id) {
            let fits = |&(game, _): &(ScheduledGame, Instant)| {
                let mut session = MatchSession::new(Some(colour(game)));
                session.hear(request, form);
                session.is_due()
            };
            match self.unsure.filter(fits) {
                Some((game, _)) => self.begin(id, game)?,
                None if self.is_closing => return Ok(false),
                None => drop(self.add(id, MatchSession::new(None), None)),
            }
        }
        let Some(found) = self.matches.get_mut(&id) else {
            return Ok(false);
        };
        found.session.hear(request, form);
        if found.session.is_astray() && found.log.errors == 0 {
            found.log.until = Instant::now();
        }
        let is_due = found.session.is_due();
        let (ply, last) = (found.session.moves.len(), found.session.moves.last());
        if let Some(&theirs) = last.filter(|_| is_due) {
            self.tell(news::THEIRS, &[&id, &ply, &theirs])?;
        }
        Ok(is_due)
    }

    /// Answers all open requests, one after another. All running matches share the time of a turn, so that requests that arrive
    /// meanwhile can still be answered in time.
    fn think(&mut self) -> Result<(), ToolError> {
        let matches: Vec<Id> = self.matches.keys().copied().collect();
        let time = self.thinking / self.count(Match::is_running).max(1) as u32;
        matches.into_iter().try_for_each(|id| self.answer(id, time))
    }

    /// Searches an answer to the match's request, if there is one, and saves it to disk. The next poll sends it.
    fn answer(&mut self, id: Id, time: Duration) -> Result<(), ToolError> {
        let Some(found) = self
            .matches
            .get_mut(&id)
            .filter(|found| found.session.is_due())
        else {
            return Ok(());
        };
        let (begun, strength) = (Instant::now(), Strength::Budget(Budget::Time(time)));
        let board = &found.session.board;
        let Some(thought) = found.engine.think(board, strength, &|| false) else {
            return Ok(());
        };
        let percent = 100.0 * thought.win_probability(board.to_move());
        found.session.decide(thought.turn);
        (found.log.errors, found.log.until) = (0, Instant::now() + self.second * QUIET);
        if let Some(game) = found.game {
            self.store.keep(game, id, &found.session)?;
        }
        let (percent, ms) = (format!("{percent:.0}"), begun.elapsed().as_millis());
        let ply = found.session.moves.len() + 1;
        self.tell(news::OURS, &[&id, &ply, &thought.turn, &percent, &ms])
    }

    /// Processes the end of a match. Returns whether it was unknown before.
    fn end(&mut self, Ending { id, won }: Ending) -> Result<bool, ToolError> {
        let Some(found) = self.matches.get_mut(&id).filter(|found| !found.is_over) else {
            return Ok(false);
        };
        (found.is_over, found.log.errors, found.log.until) = (true, 0, Instant::now());
        let game = found.game;
        if won.is_none() || game.is_none() {
            self.matches.remove(&id);
        }
        if let (None, Some(game)) = (won, game) {
            self.put_back(game)?;
        }
        self.over.insert(id);
        let news = match won {
            Some(true) => news::WON,
            Some(false) => news::LOST,
            None => news::ABORTED,
        };
        self.tell(news, &[&id, &self.client.address(id)])?;
        Ok(true)
    }

    /// Fetches the next log that is due: of a finished match, one whose request fits no position, or one without requests for
    /// long.
    fn fetch_log(&mut self) -> Result<(), ToolError> {
        let now = Instant::now();
        let mut matches = self.matches.iter();
        let Some((&id, _)) = matches.find(|(_, found)| found.wants_log(now)) else {
            return Ok(());
        };
        let log = self.wait_for(move |client| client.log(id))?;
        let (Some(log), Some(found)) = (log, self.matches.get_mut(&id)) else {
            return Ok(());
        };
        let wait = found.log.fail();
        let why = match log {
            Ok((log, text)) if log.outcome().winner().is_some() => {
                return self.take_end(id, &log, &text);
            }
            Ok((log, _)) => {
                found.session.learn(&log.turns());
                "it is behind".to_owned()
            }
            Err(error) => {
                // If there is no log, the match may have just begun: the request is tried as its first one.
                if let Fault::Refused(_) = error {
                    found.session.begin();
                }
                error.to_string()
            }
        };
        let is_news = found.session.is_astray() && found.log.errors == 1;
        match found.is_over {
            true => self.tell(news::LATER, &[&id, &why, &wait.as_secs()]),
            false if is_news => self.tell(news::PUZZLING, &[&id, &why]),
            false => Ok(()),
        }
    }

    /// Processes the complete log of a finished match. A scheduled game is added to the journal.
    fn take_end(&mut self, id: Id, log: &Replayed, text: &str) -> Result<(), ToolError> {
        let Match { session, game, .. } = &self.matches[&id];
        let (us, game) = (session.colour, *game);
        let won = us.map(|us| log.outcome().winner() == Some(us));
        self.end(Ending { id, won })?;
        let Some(game) = game else {
            return Ok(());
        };
        let address = self.client.address(id);
        let (score, path) = self.store.finish(game, &address, text, log)?;
        self.matches.remove(&id);
        let (bot, path) = (self.store.plan.bot(game), path.unwrap_or_default());
        self.tell(news::SCORE, &[&bot, &score, &path.display()])
    }

    /// Prints a message on a line. Control characters in texts of others are escaped.
    fn tell(&mut self, news: Term, parts: &[&dyn Display]) -> Result<(), ToolError> {
        self.told = Instant::now();
        let line = news.of(self.language, parts);
        Ok(print(format_args!("{}\n", visible(line.trim_end())))?)
    }
}
