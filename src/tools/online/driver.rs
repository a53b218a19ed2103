//! Main loop of `amazons online` ([`Driver`]). One pass of the loop starts at most one match, downloads at most one
//! match log, searches for an answer to each new request of Botzone to move, and asks Botzone for further requests (a
//! poll).

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
use analysis::tree_parallel::{SearchSettings, TreeParallel};
use base::error::Result;
use base::schedule::ScheduledGame;
use base::workers::{EXIT_INTERRUPTED, stop_on_interrupt};
use engine::botzone::Protocol;
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

/// Maximum number of attempts to download the log of a finished match. If all fail, the user can download the log later
/// by repeating the command with `--resume`.
const MAX_LOG_FETCHES: u32 = 8;

/// Number of consecutive failed attempts to start a match after which the program gives up. It gives up only if Botzone
/// has rejected the last attempt and none of our matches is running.
const MAX_REJECTED_STARTS: u32 = 5;

/// Maximum duration of each of three waits, in units of `Driver::time_unit` (1 s on Botzone):
/// - the wait for Botzone's reply to a poll,
/// - the wait for a sign that Botzone has started a match, if its reply to our request for the start is missing or
///   unclear,
/// - the time since the last message to the user. After it, the program prints the numbers of running matches, missing
///   logs and games not yet started.
const MAX_WAIT_UNITS: u32 = 60;

/// If Botzone sends no new request of a match for this time, the match's public log is downloaded, to find out if the
/// match has ended or moves were missed. In units of `Driver::time_unit` (1 s on Botzone).
const MAX_QUIET_TIME: u32 = 90;

/// While the program waits, for example for Botzone's reply, it checks at least this often if the user has pressed
/// Ctrl-C.
const INTERRUPT_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Match on Botzone that this program must still deal with: it is being played, or it has ended but its log has not
/// been downloaded yet.
struct Match {
    session: MatchSession,
    /// Planned game of `amazons online match` that is played in this match. `None` if the match was started at a table,
    /// Botzone's page where players meet.
    game: Option<ScheduledGame>,
    engine: TreeParallel,
    is_over: bool,
    /// Decides when to download the match's log: the time of the next attempt, and the number of attempts so far. This
    /// number is reset to 0 when we answer a request, and when the match ends.
    log_backoff: Backoff,
}

impl Match {
    /// Tests if the match counts as being played: as far as we know, it has not ended. There is an exception for a
    /// match that was started at a table (Botzone's page where players meet). Such a match does not count while its
    /// last request contradicts the moves that we know, because the match may have ended.
    fn is_running(&self) -> bool {
        !self.is_over && (self.game.is_some() || !self.session.has_contradicting_request())
    }

    /// Tests if the match has ended and its log is still to be downloaded. After [`MAX_LOG_FETCHES`] failed attempts,
    /// the result is false, because no more attempts follow.
    fn waits_for_log(&self) -> bool {
        self.is_over && self.log_backoff.failures < MAX_LOG_FETCHES
    }

    fn is_log_due(&self, now: Instant) -> bool {
        self.log_backoff.next_attempt <= now && self.is_over == self.waits_for_log()
    }
}

/// Main loop of `amazons online` and its state: the connection to Botzone, the games to play, the current matches, and
/// the times of the next requests.
pub struct Driver {
    client: Arc<Client>,
    store: MatchStore,
    search_settings: SearchSettings,
    /// Thinking time of a turn while one match is running. If several are running, each gets an equal share of this
    /// time.
    think_time: Duration,
    language: Language,
    stop: &'static AtomicBool,
    is_closing: bool,
    matches: BTreeMap<Id, Match>,
    /// Game for which Botzone may or may not have started a match, with a deadline; `None` if there is no such game.
    /// The start is uncertain as long as Botzone's reply to our request for it is missing or unclear. If a poll is sent
    /// after the deadline and brings nothing new, Botzone has not started a match for the game.
    uncertain_start: Option<(ScheduledGame, Instant)>,
    /// Ids of matches that have ended. If Botzone still sends a request of such a match, it is ignored.
    finished_ids: BTreeSet<Id>,
    /// Unit of all delays between requests to Botzone: 1 s, or 20 ms if the server runs on this machine. The delays
    /// keep Botzone from getting too many requests.
    time_unit: Duration,
    poll_backoff: Backoff,
    start_backoff: Backoff,
    /// Time at which the last message to the user was printed.
    last_message: Instant,
}

impl Driver {
    /// Creates the main loop, without matches. Also installs the Ctrl-C handler: after Ctrl-C, no more matches are
    /// started. `think_time` is the thinking time of a turn; `language` is that of messages for the user.
    ///
    /// # Errors
    /// If a Ctrl-C handler is already installed.
    pub fn new(
        client: Client,
        store: MatchStore,
        search_settings: SearchSettings,
        think_time: Duration,
        language: Language,
    ) -> Result<Driver> {
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
            finished_ids: BTreeSet::new(),
            poll_backoff: Backoff::new(time_unit, 300),
            start_backoff: Backoff::new(time_unit, 300),
            time_unit,
            last_message: Instant::now(),
        })
    }

    /// Plays all planned games; with `amazons online serve`, plays matches until Ctrl-C. After Ctrl-C, no more matches
    /// are started, but running ones are finished. `unfinished` are games that an earlier call of the program started
    /// but did not finish. Returns the exit code: 0, or 130 if planned games were not played because of Ctrl-C.
    ///
    /// # Errors
    /// - If Botzone rejects the URL, a poll, or several consecutive starts of matches.
    /// - If the log of a finished match can't be downloaded.
    /// - If a file or standard output can't be written.
    pub fn run(mut self, unfinished: UnfinishedGames) -> Result<u8> {
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
            let advice = "repeat the command with --resume to fetch them";
            return Err(format!("no logs of {}: {advice}", names.join(", ")).into());
        }
        Ok(self.store.waiting.front().map_or(0, |_| EXIT_INTERRUPTED))
    }

    /// Prepares to continue the games `unfinished`, which an earlier call of the program started. If the match of a
    /// game is known, its log will be downloaded first, because moves may have been played meanwhile. If it is unknown,
    /// Botzone may or may not have started one: the replies to the next polls will show that.
    ///
    /// # Errors
    /// If standard output can't be written.
    fn resume_matches(&mut self, unfinished: UnfinishedGames) -> Result<()> {
        for (game, known) in unfinished {
            let Some((id, session)) = known else {
                self.uncertain_start =
                    Some((game, Instant::now() + self.time_unit * MAX_WAIT_UNITS));
                continue;
            };
            self.print_message(messages::RESUMED, &[&id, &session.moves.len()])?;
            let added = self.add_match(id, session, Some(game));
            added.log_backoff.next_attempt = Instant::now();
        }
        Ok(())
    }

    fn run_loop(&mut self) -> Result<()> {
        while !self.is_done() {
            self.start_match()?;
            self.fetch_log()?;
            self.answer_requests()?;
            let has_matches = self.count_matches(Match::is_running) > 0;
            if self.is_serving() || self.uncertain_start.is_some() || has_matches {
                self.poll()?;
            } else {
                self.wait_for(|_| thread::sleep(INTERRUPT_CHECK_INTERVAL))?;
            }
            if self.last_message.elapsed() > self.time_unit * MAX_WAIT_UNITS && !self.is_serving() {
                let running = self.count_matches(Match::is_running);
                let logs = self.count_matches(Match::waits_for_log);
                let games = self.store.waiting.len();
                self.print_message(messages::STATUS, &[&running, &logs, &games])?;
            }
        }
        Ok(())
    }

    /// Tests if the user's command is `amazons online serve`. This command has no planned games; it plays every match
    /// that somebody starts at a table on Botzone with the user's local AI.
    fn is_serving(&self) -> bool {
        self.store.plan.against.is_empty()
    }

    fn count_matches(&self, is: fn(&Match) -> bool) -> usize {
        self.matches.values().filter(|found| is(found)).count()
    }

    /// Tests if the main loop may end. All these conditions must hold:
    /// - No match is being played or waits for its log.
    /// - No start of a match is uncertain: `uncertain_start` is `None`.
    /// - No further match will be started: no planned game is left, or the user has pressed Ctrl-C. The command `serve`
    ///   ends only after Ctrl-C.
    fn is_done(&self) -> bool {
        let mut matches = self.matches.values();
        let is_open = matches.any(|found| found.is_running() || found.waits_for_log());
        let has_more = self.is_serving() || !self.store.waiting.is_empty();
        let will_start = has_more && !self.stop.load(Ordering::SeqCst);
        !is_open && self.uncertain_start.is_none() && !will_start
    }

    /// Runs the function `work` on a new thread, waits for its end and returns its result. If the user presses Ctrl-C
    /// meanwhile, prints a message at once. Returns `None` if `work` panics, or if [`Driver::is_done`] becomes true
    /// before `work` ends.
    ///
    /// # Errors
    /// If a thread can't be created, or standard output can't be written.
    fn wait_for<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Client) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        let (client, (sender, result)) = (Arc::clone(&self.client), mpsc::channel());
        // Ignore an error of `send`: the main loop may have stopped waiting for the result.
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
            engine: TreeParallel::new(&session.board, &self.search_settings),
            session,
            game,
            is_over: false,
            log_backoff: Backoff::new(self.time_unit, 60),
        };
        added.log_backoff.next_attempt += self.time_unit * MAX_QUIET_TIME;
        self.matches.entry(id).or_insert(added)
    }

    /// Asks Botzone to start a match for the next planned game, if one is left. Does nothing in these cases:
    /// - The maximum number of matches (`--concurrent`) is running.
    /// - It is uncertain whether Botzone has started an earlier match, because no valid reply to the request has
    ///   arrived.
    /// - The delay after a failed start is not over.
    /// - The user has pressed Ctrl-C.
    ///
    /// # Errors
    /// - If Botzone rejects the URL.
    /// - If Botzone rejects the start after [`MAX_REJECTED_STARTS`] consecutive failures, although no match is running.
    /// - If a file or standard output can't be written.
    fn start_match(&mut self) -> Result<()> {
        let has_room = self.count_matches(Match::is_running) < self.store.plan.concurrent.into();
        let is_time =
            self.uncertain_start.is_none() && Instant::now() >= self.start_backoff.next_attempt;
        if !has_room || !is_time || self.stop.load(Ordering::SeqCst) {
            return Ok(());
        }
        let Some(game) = self.store.take_next_game()? else {
            return Ok(());
        };
        self.uncertain_start = Some((game, Instant::now() + self.time_unit * MAX_WAIT_UNITS));
        let (bot, seconds) = (self.store.plan.bot(game), self.store.plan.limit_seconds);
        let start = move |client: &Client| client.start_match(bot, our_colour(game), seconds);
        let fault = match self.wait_for(start)? {
            Some(Ok(id)) if !self.matches.contains_key(&id) => return self.begin_match(id, game),
            Some(Err(RequestError::Unauthorized(why))) => return Err(why.into()),
            Some(Err(fault)) => fault,
            _ => RequestError::bad_reply("the reply names no new match"),
        };
        if let RequestError::TimedOut | RequestError::InvalidResponse(_) = fault {
            return self.print_message(messages::START_UNCERTAIN, &[&(game.number + 1), &fault]);
        }
        self.uncertain_start = None;
        let wait = self.requeue(game)?;
        // Treat a rejection as final only if none of our matches is running, because Botzone also rejects a start if
        // too many matches are running.
        let is_alone = self.count_matches(Match::is_running) == 0
            && self.start_backoff.failures >= MAX_REJECTED_STARTS;
        match fault {
            RequestError::Rejected(why) if is_alone => {
                Err(format!("no match started: {why}").into())
            }
            _ => self.print_message(messages::START_FAILED, &[&fault, &wait.as_secs()]),
        }
    }

    /// Puts `game` back into the planned games, because its match could not be started or was aborted. Returns the
    /// delay before the next start of a match.
    ///
    /// # Errors
    /// If the file of running matches can't be written.
    fn requeue(&mut self, game: ScheduledGame) -> Result<Duration> {
        self.store.requeue(game)?;
        Ok(self.start_backoff.record_failure())
    }

    /// Adds the match `id`, which Botzone has started for `game`, to the current matches. Also saves it in the file of
    /// running matches and prints a message.
    ///
    /// # Errors
    /// If the file of running matches or standard output can't be written.
    fn begin_match(&mut self, id: Id, game: ScheduledGame) -> Result<()> {
        (self.uncertain_start, self.start_backoff.failures) = (None, 0);
        let session = MatchSession::new(Some(our_colour(game)));
        self.store.save(game, id, &session)?;
        self.add_match(id, session, Some(game));
        let side = Term::from(our_colour(game)).text(self.language);
        let bot = self.store.plan.bot(game);
        self.print_message(messages::STARTED, &[&id, &(game.number + 1), &side, &bot])
    }

    /// Waits until the next poll is due, then polls Botzone: sends all our moves that are ready, and processes the
    /// requests and results in the reply.
    ///
    /// # Errors
    /// - If Botzone rejects the URL or the poll.
    /// - If a file or standard output can't be written.
    fn poll(&mut self) -> Result<()> {
        let next = self.poll_backoff.next_attempt;
        let rest = next.saturating_duration_since(Instant::now());
        self.wait_for(move |_| thread::sleep(rest))?;
        let matches = self.matches.iter_mut();
        let answers = matches.filter_map(|(&id, found)| Some((id, found.session.take_answer()?)));
        let answers: Vec<(Id, String)> = answers.collect();
        let sent: Vec<Id> = answers.iter().map(|&(id, _)| id).collect();
        let (start_time, timeout) = (Instant::now(), self.time_unit * MAX_WAIT_UNITS);
        let Some(reply) = self.wait_for(move |client| client.poll(&answers, timeout))? else {
            return Ok(());
        };
        self.poll_backoff.next_attempt = start_time + self.time_unit / 2;
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
        let wait = self.poll_backoff.record_failure();
        self.print_message(messages::POLL_FAILED, &[&fault, &wait.as_secs()])
    }

    /// Processes `reply`, Botzone's reply to a poll: its requests to move, and the results of finished matches.
    /// `start_time` is the time at which the poll was sent.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn process_reply(&mut self, reply: PollReply, start_time: Instant) -> Result<()> {
        self.poll_backoff.failures = 0;
        for (id, found) in &mut self.matches {
            if !reply.requests.contains_key(id) {
                found.session.handle_missing_request();
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

    /// Reacts to a poll that brought nothing new: schedules the next poll `time_unit` (1 s on Botzone) from now.
    /// `start_time` is the time at which the last poll was sent.
    ///
    /// Also decides about the game in `uncertain_start`, for which Botzone may have started a match. If the last poll
    /// was sent after the deadline of this game, Botzone has not started the match. The game is then put back into the
    /// planned games.
    ///
    /// # Errors
    /// If the file of running matches can't be written.
    fn delay_next_poll(&mut self, start_time: Instant) -> Result<()> {
        self.poll_backoff.next_attempt = Instant::now() + self.time_unit;
        let is_overdue = |(_, until): &mut (ScheduledGame, Instant)| start_time >= *until;
        if let Some((game, _)) = self.uncertain_start.take_if(is_overdue) {
            self.requeue(game)?;
        }
        Ok(())
    }

    /// Processes `text`, a request that Botzone has sent for the match `id`. The request contains the opponent's last
    /// move, or six times -1 if we make the first move of the game. An unknown match is added to the current ones.
    /// Returns true if a search for our move is needed.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn process_request(&mut self, id: Id, text: &str) -> Result<bool> {
        // If the text of Botzone's request can't be parsed, use a move outside the board instead. It is never legal, so
        // it contradicts the known moves. The match's public log is then downloaded, which contains the moves that were
        // really played.
        let unparsable = (Coordinates::new([-2; 6]), Protocol::Simple);
        let (request, protocol) = parse_request(text).unwrap_or(unparsable);
        if self.finished_ids.contains(&id) {
            return Ok(false);
        }
        if !self.matches.contains_key(&id) {
            let fits = |&(game, _): &(ScheduledGame, Instant)| {
                let mut session = MatchSession::new(Some(our_colour(game)));
                session.receive_request(request, protocol);
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
        found.session.receive_request(request, protocol);
        if found.session.has_contradicting_request() && found.log_backoff.failures == 0 {
            found.log_backoff.next_attempt = Instant::now();
        }
        let needs_answer = found.session.needs_answer();
        let (ply, last) = (found.session.moves.len(), found.session.moves.last());
        if let Some(&theirs) = last.filter(|_| needs_answer) {
            self.print_message(messages::OPPONENT_MOVE, &[&id, &ply, &theirs])?;
        }
        Ok(needs_answer)
    }

    /// Searches for our move in each match that needs one, one match after another. The thinking time of each move is
    /// `think_time` divided by the number of running matches, so that all moves together take no longer than
    /// `think_time`.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn answer_requests(&mut self) -> Result<()> {
        let matches: Vec<Id> = self.matches.keys().copied().collect();
        let time = self.think_time / self.count_matches(Match::is_running).max(1) as u32;
        let mut matches = matches.into_iter();
        matches.try_for_each(|id| self.answer_request(id, time))
    }

    /// Searches for our move in the match `id`, for the duration `time`; does nothing if the match needs no move. The
    /// chosen move is saved in the file of running matches and printed; the next poll sends it.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn answer_request(&mut self, id: Id, time: Duration) -> Result<()> {
        let found = self.matches.get_mut(&id);
        let Some(found) = found.filter(|found| found.session.needs_answer()) else {
            return Ok(());
        };
        let (start_time, strength) = (Instant::now(), Strength::Budget(Budget::Time(time)));
        let board = &found.session.board;
        let Some(thought) = found.engine.choose_move(board, strength, &|| false) else {
            return Ok(());
        };
        let percent = 100.0 * thought.win_probability(board.to_move());
        found.session.set_answer(thought.turn);
        (found.log_backoff.failures, found.log_backoff.next_attempt) =
            (0, Instant::now() + self.time_unit * MAX_QUIET_TIME);
        if let Some(game) = found.game {
            self.store.save(game, id, &found.session)?;
        }
        let (percent, ms) = (format!("{percent:.0}"), start_time.elapsed().as_millis());
        let (ply, turn) = (found.session.moves.len() + 1, thought.turn);
        self.print_message(messages::OUR_MOVE, &[&id, &ply, &turn, &percent, &ms])
    }

    /// Processes Botzone's message that the match `id` has ended. `won` tells if we won; `None` means that the match
    /// was aborted, so its game is put back into the planned games. Returns true if the match was known and not yet
    /// marked as ended; otherwise does nothing and returns false.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn end_match(&mut self, MatchResult { id, won }: MatchResult) -> Result<bool> {
        let Some(found) = self.matches.get_mut(&id).filter(|found| !found.is_over) else {
            return Ok(false);
        };
        found.is_over = true;
        found.log_backoff.failures = 0;
        found.log_backoff.next_attempt = Instant::now();
        let game = found.game;
        if won.is_none() || game.is_none() {
            self.matches.remove(&id);
        }
        if let (None, Some(game)) = (won, game) {
            self.requeue(game)?;
        }
        self.finished_ids.insert(id);
        let message = match won {
            Some(true) => messages::WON,
            Some(false) => messages::LOST,
            None => messages::ABORTED,
        };
        self.print_message(message, &[&id, &self.client.address(id)])?;
        Ok(true)
    }

    /// Downloads the public log of one match that needs it, and updates the match by it. A match needs its log in three
    /// cases: it has ended, Botzone's last request contradicts the known moves, or there was no new request for
    /// [`MAX_QUIET_TIME`]. Does nothing if no match needs its log now.
    ///
    /// # Errors
    /// If a thread can't be created, or a file or standard output can't be written.
    fn fetch_log(&mut self) -> Result<()> {
        let now = Instant::now();
        let mut matches = self.matches.iter();
        let Some((&id, _)) = matches.find(|(_, found)| found.is_log_due(now)) else {
            return Ok(());
        };
        let log = self.wait_for(move |client| client.fetch_log(id))?;
        let (Some(log), Some(found)) = (log, self.matches.get_mut(&id)) else {
            return Ok(());
        };
        let wait = found.log_backoff.record_failure();
        let why = match log {
            Ok((log, text)) if log.outcome().winner().is_some() => {
                return self.finish_match(id, &log, &text);
            }
            Ok((log, _)) => {
                found.session.apply_log(&log.turns());
                "it is not complete yet".to_owned()
            }
            Err(error) => {
                // Botzone has no log of this match, perhaps because the match has just begun. If a request contradicts
                // the known moves, it may be the first request of the match. Accept it as such if this is possible.
                if let RequestError::Rejected(_) = error {
                    found.session.accept_contradicting_request();
                }
                error.to_string()
            }
        };
        let is_news = found.session.has_contradicting_request() && found.log_backoff.failures == 1;
        match found.is_over {
            true => self.print_message(messages::LOG_NOT_READY, &[&id, &why, &wait.as_secs()]),
            false if is_news => self.print_message(messages::STRAY_REQUEST, &[&id, &why]),
            false => Ok(()),
        }
    }

    /// Marks the match `id` as ended after its complete log was downloaded; prints the result. For a planned game of
    /// `amazons online match`, also saves the result in the file of `--out`. `log` is the parsed log, `text` its text.
    ///
    /// # Errors
    /// If a file or standard output can't be written.
    fn finish_match(&mut self, id: Id, log: &CheckedGame, text: &str) -> Result<()> {
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

    /// Prints one line for the user: `message` in the user's language, with `values` in place of `{0}`, `{1}` and so
    /// on. Control characters are escaped, because values may contain text from the network.
    ///
    /// # Errors
    /// If standard output can't be written.
    fn print_message(&mut self, message: Term, values: &[&dyn Display]) -> Result<()> {
        self.last_message = Instant::now();
        let line = message.fill(self.language, values);
        Ok(print(format_args!("{}\n", escaped(line.trim_end())))?)
    }
}
