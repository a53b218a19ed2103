//! Main loop of `amazons online`: start a match, fetch a log, search answers to all requests, poll, and repeat.

use super::backoff::Backoff;
use super::client::Client;
use super::messages;
use super::poll::{MatchResult, PollReply, parse_request};
use super::session::MatchSession;
use super::store::{MatchStore, UnfinishedGames, our_colour};
use crate::platform::address::Id;
use crate::platform::http::RequestError;
use analysis::glossary::{Language, Term};
use analysis::level::Strength;
use analysis::root_parallel::{RootParallel, SearchSettings};
use base::error::ToolError;
use base::schedule::ScheduledGame;
use base::workers::{EXIT_INTERRUPTED, stop_on_interrupt};
use engine::botzone::Form;
use engine::budget::Budget;
use engine::console::{print, visible};
use record::checked_game::CheckedGame;
use record::judge::Coordinates;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Number of tries to fetch the log of a finished match. After them, a later run has to fetch the log.
const MAX_LOG_FETCHES: u32 = 8;

/// Number of rejected starts in a row that end the program, counted only if no match of ours is running.
const MAX_REJECTED_STARTS: u32 = 5;

/// Maximum time in seconds that a poll stays open, that a new match takes to appear in polls, and between two messages.
const MAX_WAIT_SECONDS: u32 = 60;

/// Seconds without a request of a match after which its public log is fetched.
const QUIET_SECONDS: u32 = 90;

/// Longest time between two checks for Ctrl-C.
const INTERRUPT_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// A running match, or a finished one whose log is not fetched yet.
struct Match {
    session: MatchSession,
    /// The game of the schedule; `None` at a table.
    game: Option<ScheduledGame>,
    engine: RootParallel,
    is_over: bool,
    /// Back-off for fetching the log: the time of the next fetch, and the number of fetches since the last valid request.
    log_backoff: Backoff,
}

impl Match {
    /// Tests if the match is being played. A match at a table does not count while its request fits no known position.
    fn is_running(&self) -> bool {
        !self.is_over && (self.game.is_some() || !self.session.has_stray_request())
    }

    /// Tests if the match is finished and its log is still to be fetched in this run.
    fn waits_for_log(&self) -> bool {
        self.is_over && self.log_backoff.errors < MAX_LOG_FETCHES
    }

    fn is_log_due(&self, now: Instant) -> bool {
        self.log_backoff.next_try <= now && self.is_over == self.waits_for_log()
    }
}

/// The state of the main loop.
pub struct Driver {
    client: Arc<Client>,
    store: MatchStore,
    search_settings: SearchSettings,
    /// Time to think in a turn, shared by all running matches.
    think_time: Duration,
    language: Language,
    stop: &'static AtomicBool,
    is_closing: bool,
    matches: BTreeMap<Id, Match>,
    /// A game whose start got no reply, and when to give up waiting: if a poll started after that time shows no match, there is
    /// none.
    uncertain_start: Option<(ScheduledGame, Instant)>,
    /// Ids of finished matches, whose late requests are ignored.
    finished: BTreeSet<Id>,
    /// Length of a second: shorter for a server on this machine, which need not be spared.
    second: Duration,
    poll_backoff: Backoff,
    start_backoff: Backoff,
    /// Time of the last message to the user.
    last_message: Instant,
}

impl Driver {
    /// Returns a driver that has not started yet. From now on Ctrl-C asks it to stop.
    pub fn new(
        client: Client,
        store: MatchStore,
        search_settings: SearchSettings,
        think_time: Duration,
        language: Language,
    ) -> Result<Driver, ToolError> {
        let is_loopback = client.origin.is_loopback();
        let second = Duration::from_millis(if is_loopback { 20 } else { 1000 });
        Ok(Driver {
            client: Arc::new(client),
            store,
            search_settings,
            think_time,
            language,
            stop: stop_on_interrupt()?,
            is_closing: false,
            matches: BTreeMap::new(),
            uncertain_start: None,
            finished: BTreeSet::new(),
            poll_backoff: Backoff::new(second, 300),
            start_backoff: Backoff::new(second, 300),
            second,
            last_message: Instant::now(),
        })
    }

    /// Plays until all games are finished or Ctrl-C stops the program. `left` are the games of an earlier run. Returns the exit
    /// code.
    pub fn run(mut self, unfinished: UnfinishedGames) -> Result<u8, ToolError> {
        self.resume(unfinished)?;
        if self.is_serving() {
            self.print_message(messages::WAITING_FOR_MATCHES, &[])?;
        }
        let end = self.run_loop();
        if self.is_serving() {
            return end.map(|()| 0);
        }
        print(self.store.standings.text(None))?;
        end?;
        if !self.matches.is_empty() {
            let names: Vec<String> = self.matches.keys().map(Id::to_string).collect();
            let names = names.join(", ");
            let fault =
                format!("no logs of {names}: repeat the command with --resume to fetch them");
            return Err(fault.into());
        }
        Ok(self.store.waiting.front().map_or(0, |_| EXIT_INTERRUPTED))
    }

    /// Adds the matches of an earlier run, and fetches their logs for the moves played meanwhile.
    fn resume(&mut self, unfinished: UnfinishedGames) -> Result<(), ToolError> {
        for (game, known) in unfinished {
            let Some((id, session)) = known else {
                self.uncertain_start =
                    Some((game, Instant::now() + self.second * MAX_WAIT_SECONDS));
                continue;
            };
            self.print_message(messages::RESUMED, &[&id, &session.moves.len()])?;
            self.add(id, session, Some(game)).log_backoff.next_try = Instant::now();
        }
        Ok(())
    }

    fn run_loop(&mut self) -> Result<(), ToolError> {
        while !self.is_done() {
            self.start_match()?;
            self.fetch_log()?;
            self.answer_requests()?;
            if self.is_serving()
                || self.uncertain_start.is_some()
                || self.count_matches(Match::is_running) > 0
            {
                self.poll()?;
            } else {
                self.wait_for(|_| thread::sleep(INTERRUPT_CHECK_INTERVAL))?;
            }
            if self.last_message.elapsed() > self.second * MAX_WAIT_SECONDS && !self.is_serving() {
                let counts =
                    [Match::is_running, Match::waits_for_log].map(|is| self.count_matches(is));
                let [running, logs] = counts;
                self.print_message(
                    messages::STATUS,
                    &[&running, &logs, &self.store.waiting.len()],
                )?;
            }
        }
        Ok(())
    }

    /// Tests if there is no schedule: then every match at a table is played.
    fn is_serving(&self) -> bool {
        self.store.plan.against.is_empty()
    }

    fn count_matches(&self, is: fn(&Match) -> bool) -> usize {
        self.matches.values().filter(|found| is(found)).count()
    }

    /// Tests if no work is left.
    fn is_done(&self) -> bool {
        let mut matches = self.matches.values();
        let is_open = matches.any(|found| found.is_running() || found.waits_for_log());
        let has_more = self.is_serving() || !self.store.waiting.is_empty();
        !is_open
            && self.uncertain_start.is_none()
            && (!has_more || self.stop.load(Ordering::SeqCst))
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
            let result = result.recv_timeout(INTERRUPT_CHECK_INTERVAL);
            if self.stop.load(Ordering::SeqCst) && !self.is_closing {
                self.is_closing = true;
                self.print_message(messages::CLOSING, &[])?;
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
            engine: RootParallel::new(&session.board, &self.search_settings),
            session,
            game,
            is_over: false,
            log_backoff: Backoff::new(self.second, 60),
        };
        added.log_backoff.next_try += self.second * QUIET_SECONDS;
        self.matches.entry(id).or_insert(added)
    }

    /// Starts the next match of the schedule, if fewer than the maximum are running and the back-off allows it.
    fn start_match(&mut self) -> Result<(), ToolError> {
        let has_room = self.count_matches(Match::is_running) < self.store.plan.concurrent.into();
        let is_time =
            self.uncertain_start.is_none() && Instant::now() >= self.start_backoff.next_try;
        if !has_room || !is_time || self.stop.load(Ordering::SeqCst) {
            return Ok(());
        }
        let Some(game) = self.store.next_game()? else {
            return Ok(());
        };
        self.uncertain_start = Some((game, Instant::now() + self.second * MAX_WAIT_SECONDS));
        let (bot, seconds) = (self.store.plan.bot(game), self.store.plan.limit_seconds);
        let fault = match self
            .wait_for(move |client| client.start_match(bot, our_colour(game), seconds))?
        {
            Some(Ok(id)) if !self.matches.contains_key(&id) => return self.begin_match(id, game),
            Some(Err(RequestError::Unauthorized(why))) => return Err(why.into()),
            Some(Err(fault)) => fault,
            _ => RequestError::bad_reply("the reply names no new match"),
        };
        if let RequestError::TimedOut | RequestError::BadReply(_) = fault {
            return self.print_message(messages::START_UNCERTAIN, &[&(game.number + 1), &fault]);
        }
        self.uncertain_start = None;
        let wait = self.requeue(game)?;
        // The platform also rejects a start if too many matches are running: then it helps to wait for the end of one.
        let is_alone = self.count_matches(Match::is_running) == 0
            && self.start_backoff.errors >= MAX_REJECTED_STARTS;
        match fault {
            RequestError::Rejected(why) if is_alone => {
                Err(format!("no match started: {why}").into())
            }
            _ => self.print_message(messages::START_FAILED, &[&fault, &wait.as_secs()]),
        }
    }

    /// Returns a game to the queue and counts the failure. Returns the delay until the next start.
    fn requeue(&mut self, game: ScheduledGame) -> Result<Duration, ToolError> {
        self.store.requeue(game)?;
        Ok(self.start_backoff.record_error())
    }

    /// Adds the match `id` of a game that was started.
    fn begin_match(&mut self, id: Id, game: ScheduledGame) -> Result<(), ToolError> {
        (self.uncertain_start, self.start_backoff.errors) = (None, 0);
        let session = MatchSession::new(Some(our_colour(game)));
        self.store.save(game, id, &session)?;
        self.add(id, session, Some(game));
        let side = Term::from(our_colour(game)).text(self.language);
        let bot = self.store.plan.bot(game);
        self.print_message(messages::STARTED, &[&id, &(game.number + 1), &side, &bot])
    }

    /// Polls once the back-off allows it, and sends all answers that are ready.
    fn poll(&mut self) -> Result<(), ToolError> {
        let rest = self
            .poll_backoff
            .next_try
            .saturating_duration_since(Instant::now());
        self.wait_for(move |_| thread::sleep(rest))?;
        let matches = self.matches.iter_mut();
        let answers = matches.filter_map(|(&id, found)| Some((id, found.session.take_answer()?)));
        let answers: Vec<(Id, String)> = answers.collect();
        let sent: Vec<Id> = answers.iter().map(|&(id, _)| id).collect();
        let (start_time, timeout) = (Instant::now(), self.second * MAX_WAIT_SECONDS);
        let Some(reply) = self.wait_for(move |client| client.poll(&answers, timeout))? else {
            return Ok(());
        };
        self.poll_backoff.next_try = start_time + self.second / 2;
        let fault = match reply {
            Ok(reply) => return self.process_reply(reply, start_time),
            Err(fault @ (RequestError::Rejected(_) | RequestError::Unauthorized(_))) => {
                return Err(fault.into());
            }
            Err(fault) => fault,
        };
        let may_have_arrived = !matches!(fault, RequestError::NotSent(_));
        for (_, found) in self.matches.iter_mut().filter(|(id, _)| sent.contains(id)) {
            found.session.handle_failed_poll(may_have_arrived);
        }
        if fault == RequestError::TimedOut {
            return self.delay_next_poll(start_time);
        }
        let wait = self.poll_backoff.record_error();
        self.print_message(messages::POLL_FAILED, &[&fault, &wait.as_secs()])
    }

    /// Processes the complete reply to a poll that began at `begun`.
    fn process_reply(&mut self, reply: PollReply, start_time: Instant) -> Result<(), ToolError> {
        self.poll_backoff.errors = 0;
        for (id, found) in &mut self.matches {
            if !reply.requests.contains_key(id) {
                found.session.note_missing_request();
            }
        }
        let mut is_news = false;
        for (id, request) in reply.requests {
            is_news |= self.process_request(id, &request)?;
        }
        for result in reply.results {
            is_news |= self.end_match(result)?;
        }
        match is_news {
            true => Ok(()),
            false => self.delay_next_poll(start_time),
        }
    }

    /// Delays the next poll. If a started match has not appeared by its deadline, its start has failed, and the game is queued
    /// again.
    fn delay_next_poll(&mut self, start_time: Instant) -> Result<(), ToolError> {
        self.poll_backoff.next_try = Instant::now() + self.second;
        if let Some((game, _)) = self
            .uncertain_start
            .take_if(|(_, until)| start_time >= *until)
        {
            self.requeue(game)?;
        }
        Ok(())
    }

    /// Processes a request. Returns whether it is new and valid.
    fn process_request(&mut self, id: Id, text: &str) -> Result<bool, ToolError> {
        // A request that can't be parsed is treated like a move off the board: it fits no known position.
        let unparsable = (Coordinates::new([-2; 6]), Form::Simple);
        let (request, form) = parse_request(text).unwrap_or(unparsable);
        if self.finished.contains(&id) {
            return Ok(false);
        }
        if !self.matches.contains_key(&id) {
            let fits = |&(game, _): &(ScheduledGame, Instant)| {
                let mut session = MatchSession::new(Some(our_colour(game)));
                session.receive_request(request, form);
                session.needs_answer()
            };
            match self.uncertain_start.filter(fits) {
                Some((game, _)) => self.begin_match(id, game)?,
                None if self.is_closing => return Ok(false),
                None => drop(self.add(id, MatchSession::new(None), None)),
            }
        }
        let Some(found) = self.matches.get_mut(&id) else {
            return Ok(false);
        };
        found.session.receive_request(request, form);
        if found.session.has_stray_request() && found.log_backoff.errors == 0 {
            found.log_backoff.next_try = Instant::now();
        }
        let needs_answer = found.session.needs_answer();
        let (ply, last) = (found.session.moves.len(), found.session.moves.last());
        if let Some(&theirs) = last.filter(|_| needs_answer) {
            self.print_message(messages::OPPONENT_MOVE, &[&id, &ply, &theirs])?;
        }
        Ok(needs_answer)
    }

    /// Answers all open requests, one after another. All running matches share the time of a turn, so that requests that arrive
    /// meanwhile can still be answered in time.
    fn answer_requests(&mut self) -> Result<(), ToolError> {
        let matches: Vec<Id> = self.matches.keys().copied().collect();
        let time = self.think_time / self.count_matches(Match::is_running).max(1) as u32;
        matches.into_iter().try_for_each(|id| self.answer(id, time))
    }

    /// Searches an answer to the match's request, if there is one, and saves it to disk. The next poll sends it.
    fn answer(&mut self, id: Id, time: Duration) -> Result<(), ToolError> {
        let Some(found) = self
            .matches
            .get_mut(&id)
            .filter(|found| found.session.needs_answer())
        else {
            return Ok(());
        };
        let (start_time, strength) = (Instant::now(), Strength::Budget(Budget::Time(time)));
        let board = &found.session.board;
        let Some(thought) = found.engine.think(board, strength, &|| false) else {
            return Ok(());
        };
        let percent = 100.0 * thought.win_probability(board.to_move());
        found.session.set_answer(thought.turn);
        (found.log_backoff.errors, found.log_backoff.next_try) =
            (0, Instant::now() + self.second * QUIET_SECONDS);
        if let Some(game) = found.game {
            self.store.save(game, id, &found.session)?;
        }
        let (percent, ms) = (format!("{percent:.0}"), start_time.elapsed().as_millis());
        let ply = found.session.moves.len() + 1;
        self.print_message(
            messages::OUR_MOVE,
            &[&id, &ply, &thought.turn, &percent, &ms],
        )
    }

    /// Processes the end of a match. Returns whether it was unknown before.
    fn end_match(&mut self, MatchResult { id, won }: MatchResult) -> Result<bool, ToolError> {
        let Some(found) = self.matches.get_mut(&id).filter(|found| !found.is_over) else {
            return Ok(false);
        };
        (
            found.is_over,
            found.log_backoff.errors,
            found.log_backoff.next_try,
        ) = (true, 0, Instant::now());
        let game = found.game;
        if won.is_none() || game.is_none() {
            self.matches.remove(&id);
        }
        if let (None, Some(game)) = (won, game) {
            self.requeue(game)?;
        }
        self.finished.insert(id);
        let message = match won {
            Some(true) => messages::WON,
            Some(false) => messages::LOST,
            None => messages::ABORTED,
        };
        self.print_message(message, &[&id, &self.client.address(id)])?;
        Ok(true)
    }

    /// Fetches the next log that is due: of a finished match, one whose request fits no position, or one without requests for
    /// long.
    fn fetch_log(&mut self) -> Result<(), ToolError> {
        let now = Instant::now();
        let mut matches = self.matches.iter();
        let Some((&id, _)) = matches.find(|(_, found)| found.is_log_due(now)) else {
            return Ok(());
        };
        let log = self.wait_for(move |client| client.fetch_log(id))?;
        let (Some(log), Some(found)) = (log, self.matches.get_mut(&id)) else {
            return Ok(());
        };
        let wait = found.log_backoff.record_error();
        let why = match log {
            Ok((log, text)) if log.outcome().winner().is_some() => {
                return self.finish_match(id, &log, &text);
            }
            Ok((log, _)) => {
                found.session.apply_log(&log.turns());
                "it is not complete yet".to_owned()
            }
            Err(error) => {
                // If there is no log, the match may have just begun: the request is tried as its first one.
                if let RequestError::Rejected(_) = error {
                    found.session.accept_stray_request();
                }
                error.to_string()
            }
        };
        let is_news = found.session.has_stray_request() && found.log_backoff.errors == 1;
        match found.is_over {
            true => self.print_message(messages::LOG_NOT_READY, &[&id, &why, &wait.as_secs()]),
            false if is_news => self.print_message(messages::STRAY_REQUEST, &[&id, &why]),
            false => Ok(()),
        }
    }

    /// Processes the complete log of a finished match. A scheduled game is added to the journal.
    fn finish_match(&mut self, id: Id, log: &CheckedGame, text: &str) -> Result<(), ToolError> {
        let Match { session, game, .. } = &self.matches[&id];
        let (us, game) = (session.colour, *game);
        let won = us.map(|us| log.outcome().winner() == Some(us));
        self.end_match(MatchResult { id, won })?;
        let Some(game) = game else {
            return Ok(());
        };
        let address = self.client.address(id);
        let (score, path) = self.store.record_result(game, &address, text, log)?;
        self.matches.remove(&id);
        let (bot, path) = (self.store.plan.bot(game), path.unwrap_or_default());
        self.print_message(messages::SCORE, &[&bot, &score, &path.display()])
    }

    /// Prints a message on a line. Control characters in texts of others are escaped.
    fn print_message(&mut self, message: Term, values: &[&dyn Display]) -> Result<(), ToolError> {
        self.last_message = Instant::now();
        let line = message.of(self.language, values);
        Ok(print(format_args!("{}\n", visible(line.trim_end())))?)
    }
}
