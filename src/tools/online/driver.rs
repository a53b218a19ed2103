//! Main loop of `amazons online`: starts a match, downloads a log, searches for answers to all requests, polls, and
//! repeats.

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
use engine::console::{escaped, print};
use record::checked_game::CheckedGame;
use record::judge::Coordinates;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of attempts to fetch the log of a finished match. If all of them fail, this run of the program gives
/// up; a later run with `--resume` can fetch the log.
const MAX_LOG_FETCHES: u32 = 8;

/// If the platform rejects the start of a match and at least this many starts have failed consecutively, the program
/// ends, unless one of our matches is running.
const MAX_REJECTED_STARTS: u32 = 5;

/// Time limit for each of three waits: for the reply to a poll, for a started match to appear in a poll's reply, and
/// between two messages. In seconds, or shorter units of time for a server on this machine.
const MAX_WAIT_SECONDS: u32 = 60;

/// Time after which the public log of a match is fetched if the match has sent no new request. In seconds, or shorter
/// units of time for a server on this machine.
const QUIET_SECONDS: u32 = 90;

/// Maximum time between two checks for Ctrl-C.
const INTERRUPT_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Match that is running, or that is finished but whose log has not been fetched yet.
struct Match {
    session: MatchSession,
    /// Game of the schedule that is played in this match; `None` if others started the match at a table on the
    /// platform.
    game: Option<ScheduledGame>,
    engine: RootParallel,
    is_over: bool,
    /// Back-off for fetching the log: the time of the next attempt, and the number of attempts since the last valid
    /// request.
    log_backoff: Backoff,
}

impl Match {
    /// Tests if the match is being played. A match that others started at a table does not count as being played while
    /// its last request fits no known position.
    fn is_running(&self) -> bool {
        !self.is_over && (self.game.is_some() || !self.session.has_stray_request())
    }

    /// Tests if the match is finished and its log is still to be fetched in this run, after fewer than
    /// [`MAX_LOG_FETCHES`] attempts.
    fn waits_for_log(&self) -> bool {
        self.is_over && self.log_backoff.errors < MAX_LOG_FETCHES
    }

    fn is_log_due(&self, now: Instant) -> bool {
        self.log_backoff.next_try <= now && self.is_over == self.waits_for_log()
    }
}

/// State of the main loop: the client, the schedule, all open matches, and the delays before the next requests.
pub struct Driver {
    client: Arc<Client>,
    store: MatchStore,
    search_settings: SearchSettings,
    /// Thinking time for a turn if one match is running; several running matches divide it equally.
    think_time: Duration,
    language: Language,
    stop: &'static AtomicBool,
    is_closing: bool,
    matches: BTreeMap<Id, Match>,
    /// Game for which this program has asked the platform to start a match, without a clear reply yet, and a deadline:
    /// if a poll sent after the deadline shows no match for the game, the platform has started none. `None` if there is
    /// no such game.
    uncertain_start: Option<(ScheduledGame, Instant)>,
    /// Ids of finished matches. Requests of these matches that still arrive are ignored.
    finished: BTreeSet<Id>,
    /// Unit of all delays: one second, or 20 ms for a server on this machine, which need not be protected from frequent
    /// requests.
    time_unit: Duration,
    poll_backoff: Backoff,
    start_backoff: Backoff,
    /// Time at which the last message to the user was printed.
    last_message: Instant,
}

impl Driver {
    /// Returns a driver without matches, and installs the Ctrl-C handler: after Ctrl-C, the driver starts no more
    /// matches.
    ///
    /// # Errors
    /// If a Ctrl-C handler is already installed.
    pub fn new(
        client: Client,
        store: MatchStore,
        search_settings: SearchSettings,
        think_time: Duration,
        language: Language,
    ) -> Result<Driver, ToolError> {
        let is_loopback = client.origin.is_loopback();
        let time_unit = Duration::from_millis(if is_loopback { 20 } else { 1000 });
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
            poll_backoff: Backoff::new(time_unit, 300),
            start_backoff: Backoff::new(time_unit, 300),
            time_unit,
            last_message: Instant::now(),
        })
    }

    /// Plays until all games of the schedule are finished, or after Ctrl-C until the running matches are finished.
    /// `unfinished` are the games that an earlier run did not finish. Returns the exit code: 0, or 130 if games of the
    /// schedule are left.
    ///
    /// # Errors
    /// If the platform rejects a request permanently, a file or the output can't be written, or the log of a match
    /// can't be fetched.
    pub fn run(mut self, unfinished: UnfinishedGames) -> Result<u8, ToolError> {
        self.resume_matches(unfinished)?;
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

    /// Adds the matches of `unfinished`, which an earlier run of the program did not finish, and schedules the download
    /// of their logs, which show the moves played meanwhile. A game without a known match becomes the uncertain start.
    ///
    /// # Errors
    /// If standard output can't be written.
    fn resume_matches(&mut self, unfinished: UnfinishedGames) -> Result<(), ToolError> {
        for (game, known) in unfinished {
            let Some((id, session)) = known else {
                self.uncertain_start =
                    Some((game, Instant::now() + self.time_unit * MAX_WAIT_SECONDS));
                continue;
            };
            self.print_message(messages::RESUMED, &[&id, &session.moves.len()])?;
            self.add_match(id, session, Some(game)).log_backoff.next_try = Instant::now();
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
            if self.last_message.elapsed() > self.time_unit * MAX_WAIT_SECONDS && !self.is_serving()
            {
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

    /// Tests if the user's command is `serve`, which has no schedule but plays every match that others start at a
    /// table.
    fn is_serving(&self) -> bool {
        self.store.plan.against.is_empty()
    }

    fn count_matches(&self, is: fn(&Match) -> bool) -> usize {
        self.matches.values().filter(|found| is(found)).count()
    }

    /// Tests if the main loop can end: no match is running, no match may have been started unnoticed, no match waits
    /// for its log, and no further match will be started.
    fn is_done(&self) -> bool {
        let mut matches = self.matches.values();
        let is_open = matches.any(|found| found.is_running() || found.waits_for_log());
        let has_more = self.is_serving() || !self.store.waiting.is_empty();
        !is_open
            && self.uncertain_start.is_none()
            && (!has_more || self.stop.load(Ordering::SeqCst))
    }

    /// Runs `work` on a new thread and waits for its result, checking for Ctrl-C meanwhile. Returns `None` if `work`
    /// panics, or if the main loop can end before the result arrives.
    ///
    /// # Errors
    /// If the system can't create a thread, or standard output can't be written.
    fn wait_for<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Client) -> T + Send + 'static,
    ) -> Result<Option<T>, ToolError> {
        let (client, (sender, result)) = (Arc::clone(&self.client), mpsc::channel());
        // Sending fails if the main loop no longer waits for the result; that is no error.
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

    fn add_match(
        &mut self,
        id: Id,
        session: MatchSession,
        game: Option<ScheduledGame>,
    ) -> &mut Match {
        let mut added = Match {
            engine: RootParallel::new(&session.board, &self.search_settings),
            session,
            game,
            is_over: false,
            log_backoff: Backoff::new(self.time_unit, 60),
        };
        added.log_backoff.next_try += self.time_unit * QUIET_SECONDS;
        self.matches.entry(id).or_insert(added)
    }

    /// Starts the next match of the schedule, if fewer matches than `--concurrent` are running, no earlier start is
    /// uncertain and the delay after a failed start is over.
    ///
    /// # Errors
    /// If the URL is wrong, starts are rejected repeatedly while no match is running, or a file can't be written.
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
        self.uncertain_start = Some((game, Instant::now() + self.time_unit * MAX_WAIT_SECONDS));
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
        // The platform also rejects a start if too many matches are running. So while one of our matches is running, a
        // later start may succeed.
        let is_alone = self.count_matches(Match::is_running) == 0
            && self.start_backoff.errors >= MAX_REJECTED_STARTS;
        match fault {
            RequestError::Rejected(why) if is_alone => {
                Err(format!("no match started: {why}").into())
            }
            _ => self.print_message(messages::START_FAILED, &[&fault, &wait.as_secs()]),
        }
    }

    /// Puts `game` back into the queue of games to be started, after its start failed or its match was aborted. Returns
    /// the delay until the next start of a match.
    ///
    /// # Errors
    /// If the file of running matches can't be written.
    fn requeue(&mut self, game: ScheduledGame) -> Result<Duration, ToolError> {
        self.store.requeue(game)?;
        Ok(self.start_backoff.record_error())
    }

    /// Adds the match `id`, which the platform has started for `game`, saves the match to disk and prints a message.
    ///
    /// # Errors
    /// If the file of running matches or standard output can't be written.
    fn begin_match(&mut self, id: Id, game: ScheduledGame) -> Result<(), ToolError> {
        (self.uncertain_start, self.start_backoff.errors) = (None, 0);
        let session = MatchSession::new(Some(our_colour(game)));
        self.store.save(game, id, &session)?;
        self.add_match(id, session, Some(game));
        let side = Term::from(our_colour(game)).text(self.language);
        let bot = self.store.plan.bot(game);
        self.print_message(messages::STARTED, &[&id, &(game.number + 1), &side, &bot])
    }

    /// Waits until the next poll is due, then polls: sends all answers that are due and processes the platform's reply.
    ///
    /// # Errors
    /// If the platform rejects the poll permanently, or a file or standard output can't be written.
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
        let (start_time, timeout) = (Instant::now(), self.time_unit * MAX_WAIT_SECONDS);
        let Some(reply) = self.wait_for(move |client| client.poll(&answers, timeout))? else {
            return Ok(());
        };
        self.poll_backoff.next_try = start_time + self.time_unit / 2;
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

    /// Processes the complete reply to a poll that was sent at `start_time`.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
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

    /// Delays the next poll by one unit of time (a second). `start_time` is when a poll was sent that brought no news.
    /// If that was after the deadline of an uncertain start, the platform has started no match, so the game is put back
    /// into the queue.
    ///
    /// # Errors
    /// If the file of running matches can't be written.
    fn delay_next_poll(&mut self, start_time: Instant) -> Result<(), ToolError> {
        self.poll_backoff.next_try = Instant::now() + self.time_unit;
        if let Some((game, _)) = self
            .uncertain_start
            .take_if(|(_, until)| start_time >= *until)
        {
            self.requeue(game)?;
        }
        Ok(())
    }

    /// Processes the request `text` of the match `id`. Returns true if the request is new and valid, so that it needs
    /// an answer.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn process_request(&mut self, id: Id, text: &str) -> Result<bool, ToolError> {
        // Replace a request that can't be parsed by a move off the board, which fits no known position.
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
                None => drop(self.add_match(id, MatchSession::new(None), None)),
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

    /// Searches for moves that answer all open requests, one after another. The running matches share the thinking time
    /// equally, so that requests that arrive meanwhile can still be answered in time.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn answer_requests(&mut self) -> Result<(), ToolError> {
        let matches: Vec<Id> = self.matches.keys().copied().collect();
        let time = self.think_time / self.count_matches(Match::is_running).max(1) as u32;
        matches
            .into_iter()
            .try_for_each(|id| self.answer_request(id, time))
    }

    /// If the match `id` has an open request, searches for the duration `time` for a move and saves the move to disk.
    /// The next poll sends the move as our answer.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn answer_request(&mut self, id: Id, time: Duration) -> Result<(), ToolError> {
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
            (0, Instant::now() + self.time_unit * QUIET_SECONDS);
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

    /// Processes the result of a match. Returns true if the result is news, false if the match is not known or had
    /// already ended.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
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

    /// Fetches the public log of one match whose log is due, if any. The log of a match is due if the match is
    /// finished, if its last request fits no known position, or if it has sent no new request for [`QUIET_SECONDS`].
    ///
    /// # Errors
    /// If a file or standard output can't be written.
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
                // If there is no log, the match may have just begun. So try the stray request (which fits no known
                // position) as the first request of the match.
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

    /// Processes the complete log of the finished match `id`: `log` is the parsed game, `text` the downloaded text. If
    /// the match belongs to a game of the schedule, adds the game to the journal.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
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

    /// Prints a message as one line in the user's language, with `values` in its placeholders. Control characters are
    /// escaped, because the values may contain text from other people.
    ///
    /// # Errors
    /// If standard output can't be written.
    fn print_message(&mut self, message: Term, values: &[&dyn Display]) -> Result<(), ToolError> {
        self.last_message = Instant::now();
        let line = message.of(self.language, values);
        Ok(print(format_args!("{}\n", escaped(line.trim_end())))?)
    }
}
