//! The program at work: one poll at a time, thoughts and other errands beside it, all met in one loop.

use super::client::{Client, Trouble};
use super::contest::Contest;
use super::engines::{Engines, Threads};
use super::errands::{Errands, Event};
use super::ledger::Ledger;
use super::lookout::Lookout;
use super::news::News;
use super::poll::{Ending, PollReply};
use super::screen::{Screen, Shown};
use super::seat::Seat;
use super::session::{Effect, Session};
use super::state::{Entry, StateFile};
use super::timing::{SHORTEST, Timing, Waits};
use crate::board::Board;
use crate::botzone::options::seed_from_time;
use crate::console::print;
use crate::tools::analysis::glossary::Language;
use crate::tools::platform::address::Id;
use crate::tools::platform::source::NoLog;
use crate::tools::platform::web::Fault;
use crate::tools::player::schedule::Fixture;
use crate::tools::player::spec::EngineSpec;
use crate::tools::record::replayed::Replayed;
use crate::tools::support::error::ToolError;
use crate::tools::support::workers::INTERRUPTED;
use crate::tools::thinking::mind::Thought;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Fetches of the log of a match that is over, before its result is taken without.
const MOST_FETCHES: u32 = 8;

/// Refusals to start a match in a row, none of ours being under way, that end the program.
const MOST_REFUSALS: u32 = 5;

/// Longest time between two looks at the screen.
const TICK: Duration = Duration::from_millis(250);

/// Time after the second signal in which the program may still say how the matches went.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What the program is told to do.
pub struct Orders {
    /// The platform.
    pub client: Client,
    /// The engine of each match.
    pub engine: EngineSpec,
    /// The threads of each search.
    pub threads: Threads,
    /// The longest time that it thinks.
    pub thinking: Duration,
    /// Whether it thinks on the opponent's time, too, while one match runs alone.
    pub ponder: bool,
    /// The games to play; without them, whatever comes.
    pub contest: Option<Contest>,
    /// The file beside the journal, and the matches that an earlier run has left in it.
    pub state: Option<(StateFile, Vec<Entry>)>,
    /// Whether the whole terminal is to be used.
    pub is_full: bool,
    /// The language of the news.
    pub language: Language,
}

/// The program at work.
pub struct Driver {
    session: Session,
    ledger: Ledger,
    engines: Engines,
    lookout: Lookout,
    errands: Errands,
    events: Receiver<Event>,
    waits: Waits,
    screen: Screen,
    language: Language,
    thinking: Duration,
    is_polling: bool,
    is_closing: bool,
}

impl Driver {
    /// The program before it begins.
    ///
    /// # Errors
    /// If the terminal refuses, or what an earlier run has left makes no sense.
    pub fn new(orders: Orders) -> Result<Driver, ToolError> {
        let (sender, events) = mpsc::channel();
        let timing = Timing::of(orders.client.is_loopback());
        let (state, entries) = orders.state.unzip();
        let client = Arc::new(orders.client);
        let mut driver = Driver {
            session: Session::default(),
            ledger: Ledger::new(Arc::clone(&client), orders.contest, state),
            engines: Engines::new(orders.engine, orders.threads, orders.ponder),
            lookout: Lookout::new(timing),
            errands: Errands::new(client, sender),
            events,
            waits: Waits::new(timing, Instant::now(), seed_from_time()),
            screen: Screen::open(orders.is_full, orders.language)?,
            language: orders.language,
            thinking: orders.thinking,
            is_polling: false,
            is_closing: false,
        };
        for entry in entries.unwrap_or_default() {
            driver.resume(entry)?;
        }
        Ok(driver)
    }

    /// Plays until all is done, or a signal ends it. Returns the exit code.
    ///
    /// # Errors
    /// If the platform refuses for good, or what comes of it can't be written.
    pub fn run(mut self) -> Result<u8, ToolError> {
        self.listen_for_signals()?;
        if self.ledger.contest().is_none() {
            self.tell(News::Waiting)?;
        }
        let end = self.work();
        // The terminal is given back before anything is printed on it.
        self.screen = Screen::Lines(self.language);
        self.engines.end_all();
        print(self.ledger.summary(self.language))?;
        end
    }

    /// Hears of Ctrl-C and of other requests to end. The second one ends the program, whatever it is waiting for.
    fn listen_for_signals(&self) -> Result<(), ToolError> {
        let interrupts = self.errands.sender();
        let is_closing = AtomicBool::new(false);
        Ok(ctrlc::set_handler(move || {
            // Nobody may listen any more.
            let _ = interrupts.send(Event::Interrupt);
            if is_closing.swap(true, Ordering::Relaxed) {
                thread::sleep(LAST_WORDS);
                process::exit(INTERRUPTED.into());
            }
        })?)
    }

    /// The loop.
    fn work(&mut self) -> Result<u8, ToolError> {
        while !self.is_done() {
            self.start_match();
            self.fetch_logs();
            self.poll();
            self.draw()?;
            match self.events.recv_timeout(self.rest()) {
                Ok(Event::Interrupt) if self.is_closing => return Ok(INTERRUPTED),
                Ok(event) => self.take(event)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match self.ledger.contest() {
            Some(contest) if !contest.missing().is_empty() => Err(no_logs(contest.missing())),
            Some(contest) if !contest.is_all_started() => Ok(INTERRUPTED),
            _ => Ok(0),
        }
    }

    /// Tests if nothing is left to do.
    fn is_done(&self) -> bool {
        let is_idle =
            !self.is_playing() && self.ledger.is_complete() && !self.session.is_starting();
        let has_no_more = self.ledger.contest().is_some_and(Contest::is_all_started);
        is_idle && (self.is_closing || has_no_more)
    }

    /// Tests if a match is under way. One that is not ours and makes no sense doesn't count.
    fn is_playing(&self) -> bool {
        let mut seats = self.session.seats().iter();
        seats.any(|(&id, seat)| !seat.is_astray() || self.ledger.has(id))
    }

    /// The longest time until something may be due.
    fn rest(&self) -> Duration {
        let now = Instant::now();
        let rest = self.waits.rest(now).min(self.lookout.rest(now));
        rest.min(TICK)
    }

    fn take(&mut self, event: Event) -> Result<(), ToolError> {
        match event {
            Event::Polled(reply) => {
                self.is_polling = false;
                self.take_poll(reply)
            }
            Event::Thought(id, board, thought) => self.take_thought(id, &board, thought),
            Event::Started(game, started) => self.take_start(game, started),
            Event::Log(id, log) => self.take_log(id, log),
            Event::Interrupt => {
                self.is_closing = true;
                self.session.close();
                self.tell(News::Closing)
            }
        }
    }

    /// Polls, if that may bring or take something and it is time.
    fn poll(&mut self) {
        let now = Instant::now();
        let is_table = self.ledger.contest().is_none();
        let is_useful = is_table || self.is_playing() || self.session.is_starting();
        if self.is_polling || !is_useful || !self.waits.may_poll(now) || !self.session.wants_poll()
        {
            return;
        }
        self.is_polling = true;
        self.waits.poll_begins(now);
        let patience = self.patience();
        self.errands.poll(self.session.send(), patience);
    }

    /// How long a poll may stay open: an answer that is being thought of is not to wait for it.
    fn patience(&self) -> Duration {
        let hold = self.waits.hold();
        match self.session.is_thinking() {
            true => self.thinking.clamp(SHORTEST, hold),
            false => hold,
        }
    }

    fn take_poll(&mut self, reply: Result<PollReply, Trouble>) -> Result<(), ToolError> {
        let now = Instant::now();
        match reply {
            Ok(reply) => {
                let effects = self.session.hear(reply);
                let is_news = |effect| matches!(effect, &Effect::Think(_) | &Effect::Ended(..));
                self.waits.polled(now, effects.iter().any(is_news));
                for effect in &effects {
                    if let &Effect::Think(id) = effect {
                        self.lookout.understood(id);
                    }
                }
                self.obey(effects)
            }
            Err(Trouble::Network(Fault::Silent)) => {
                self.session.lose(true);
                self.waits.polled(now, false);
                Ok(())
            }
            Err(Trouble::Refused(why) | Trouble::Unwelcome(why)) => Err(why.into()),
            Err(trouble) => {
                let sent = !matches!(trouble, Trouble::Network(Fault::NotSent(_)));
                self.session.lose(sent);
                let wait = self.waits.poll_failed(now, trouble == Trouble::Maintenance);
                self.tell(News::Trouble(trouble, wait))
            }
        }
    }

    /// Does what the session asks for.
    fn obey(&mut self, effects: Vec<Effect>) -> Result<(), ToolError> {
        for effect in effects {
            match effect {
                Effect::Think(id) => self.think(id)?,
                Effect::Fetch(id) => drop(self.lookout.of(id)),
                Effect::Ended(ending, seat) => self.take_end(ending, seat)?,
                Effect::Unreadable(id, text) => self.tell(News::Unreadable(id, text))?,
            }
        }
        Ok(())
    }

    /// Lets the engine of a match think about its board.
    fn think(&mut self, id: Id) -> Result<(), ToolError> {
        let Some(seat) = self.session.seats().get(&id) else {
            return Ok(());
        };
        let (plies, theirs) = (seat.moves().len(), seat.moves().last().copied());
        self.lookout.hear(id);
        let sender = self.errands.sender();
        let board = seat.board().clone();
        let report = move |thought| {
            // Nobody may listen any more.
            let _ = sender.send(Event::Thought(id, board, thought));
        };
        self.engines.ask(id, seat.board(), report)?;
        self.ledger.keep(id, seat)?;
        theirs.map_or(Ok(()), |turn| self.tell(News::Theirs(id, plies, turn)))
    }

    fn take_thought(&mut self, id: Id, board: &Board, thought: Thought) -> Result<(), ToolError> {
        self.session.decide(id, board, thought.turn);
        let Some(seat) = self.session.seats().get(&id) else {
            return Ok(());
        };
        let ply = seat.moves().len() + 1;
        if seat.answer() != Some(thought.turn) {
            return Ok(());
        }
        // It is on the disk before it is sent.
        self.ledger.keep(id, seat)?;
        self.waits.decided();
        let time = self.lookout.hear(id);
        let chance = thought.win_probability(board.to_move());
        self.lookout.of(id).chance = Some(chance);
        self.tell(News::Ours(id, ply, thought.turn, chance, time))
    }

    /// Starts the next match of the schedule, if there is room for it and it is time.
    fn start_match(&mut self) {
        let may_start = !self.is_closing && !self.session.is_starting();
        if !may_start || !self.waits.may_start(Instant::now()) {
            return;
        }
        if let Some((game, challenge)) = self.ledger.next() {
            self.session.expect();
            self.errands.start(game, challenge);
        }
    }

    fn take_start(&mut self, game: Fixture, started: Result<Id, Trouble>) -> Result<(), ToolError> {
        let trouble = match started {
            Ok(id) if !self.ledger.has(id) => return self.begin(id, game),
            Ok(id) => {
                let why = format!("the platform names match {id} again");
                Trouble::Network(Fault::Broken(why))
            }
            Err(trouble) => trouble,
        };
        let effects = self.session.give_up();
        self.obey(effects)?;
        let is_alone = self.ledger.put_back(game);
        let is_closed = trouble == Trouble::Maintenance;
        let wait = self.waits.start_failed(Instant::now(), is_closed);
        match trouble {
            Trouble::Unwelcome(why) => Err(why.into()),
            // Too many matches at once are refused as well: then the end of one helps.
            Trouble::Refused(why) if is_alone && self.waits.starts_failed() >= MOST_REFUSALS => {
                Err(format!("no match begins: {why}").into())
            }
            trouble => self.tell(News::NotStarted(trouble, wait)),
        }
    }

    /// Learns which match a game is. It may have been played for a while, or even have ended.
    fn begin(&mut self, id: Id, game: Fixture) -> Result<(), ToolError> {
        let Some((colour, news)) = self.ledger.start(id, game) else {
            return Ok(());
        };
        self.waits.started();
        self.lookout.of(id);
        self.tell(news)?;
        let effects = self.session.announce(id, colour);
        if let Some(seat) = self.session.seats().get(&id) {
            self.ledger.keep(id, seat)?;
        }
        self.obey(effects)
    }

    /// Takes the end of a match.
    fn take_end(&mut self, ending: Ending, seat: Box<Seat>) -> Result<(), ToolError> {
        let id = ending.id;
        self.engines.end(id);
        self.lookout.forget(id);
        if ending.scores.is_empty() {
            if self.ledger.abort(id)? {
                self.waits.start_failed(Instant::now(), false);
            }
            return self.tell(News::Aborted(id));
        }
        let news = self.ledger.end(ending, seat)?;
        if self.ledger.is_over(id) {
            self.lookout.of(id);
        }
        self.tell(news)
    }

    /// Fetches the logs that are wanted.
    fn fetch_logs(&mut self) {
        for id in self.lookout.due(Instant::now(), &self.session) {
            self.errands.log(id);
        }
    }

    fn take_log(&mut self, id: Id, log: Result<String, NoLog>) -> Result<(), ToolError> {
        let fetches = self.lookout.fetched(id);
        if self.ledger.is_over(id) {
            return self.finish(id, log, fetches);
        }
        let is_astray = |session: &Session| session.seats().get(&id).is_some_and(Seat::is_astray);
        let was_astray = is_astray(&self.session);
        let read = |text: String| Replayed::read(&text).map_err(|error| NoLog::of(&error));
        let (effects, why) = match log.and_then(read) {
            Ok(game) => (self.session.learn(id, &game), None),
            Err(fault) => (self.session.miss(id, fault.for_now), Some(fault.why)),
        };
        if was_astray && (why.is_some() || is_astray(&self.session)) && self.lookout.is_news(id) {
            let why = why.unwrap_or_else(|| "it doesn't hold the request yet".to_owned());
            self.tell(News::Puzzling(id, why))?;
        }
        self.obey(effects)
    }

    /// Writes a game that is over into the journal.
    fn finish(
        &mut self,
        id: Id,
        log: Result<String, NoLog>,
        fetches: u32,
    ) -> Result<(), ToolError> {
        let log = log.map_err(|fault| fault.why);
        let Some(news) = self.ledger.finish(id, log, fetches >= MOST_FETCHES)? else {
            return Ok(());
        };
        self.lookout.forget(id);
        self.tell(news)
    }

    /// Takes in a match that an earlier run has left.
    fn resume(&mut self, entry: Entry) -> Result<(), ToolError> {
        let id = entry.id;
        let Some(seat) = self.ledger.resume(entry)? else {
            return Ok(());
        };
        self.lookout.of(id);
        self.tell(News::Resumed(id, seat.moves().len()))?;
        if !self.ledger.is_over(id) {
            self.session.resume(id, seat);
        }
        Ok(())
    }

    fn tell(&mut self, news: News) -> Result<(), ToolError> {
        Ok(self.screen.tell(&news)?)
    }

    fn draw(&mut self) -> Result<(), ToolError> {
        let seats = self.session.seats().iter();
        let matches: Vec<Shown> = seats
            .map(|(&id, seat)| (id, seat, *self.lookout.of(id)))
            .collect();
        Ok(self.screen.draw(&self.ledger.score(), &matches)?)
    }
}

/// The error about games whose logs could not be had.
fn no_logs(missing: &[Id]) -> ToolError {
    let names: Vec<&str> = missing.iter().map(Id::as_str).collect();
    let names = names.join(", ");
    format!("no logs of {names}: their results are kept, the same command with --resume asks again")
        .into()
}
