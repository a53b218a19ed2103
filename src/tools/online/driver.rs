//! The program at work: one poll at a time, thoughts and other errands beside it, all met in one loop.

use super::client::{Client, Trouble};
use super::contest::colour;
use super::engines::Engines;
use super::ledger::{Ledger, Outcome};
use super::lookout::Lookout;
use super::news::{self, side, verdict};
use super::poll::{Ending, PollReply};
use super::screen::{Screen, Shown};
use super::seat::Seat;
use super::session::{Effect, Session};
use super::state::Entry;
use super::timing::{SHORTEST, Timing, Waits};
use crate::board::Board;
use crate::botzone::options::seed_from_time;
use crate::console::{print, quoted};
use crate::tools::analysis::glossary::Term;
use crate::tools::platform::address::Id;
use crate::tools::platform::source::NoLog;
use crate::tools::platform::web::Fault;
use crate::tools::player::schedule::Fixture;
use crate::tools::record::replayed::Replayed;
use crate::tools::support::error::ToolError;
use crate::tools::support::workers::INTERRUPTED;
use crate::tools::thinking::mind::Thought;
use std::fmt::Display;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
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

/// Something that comes in.
enum Event {
    /// The reply to the poll.
    Polled(Result<PollReply, Trouble>),
    /// What the engine of a match has thought of on a board.
    Thought(Id, Board, Thought),
    /// The answer to the start of a match.
    Started(Fixture, Result<Id, Trouble>),
    /// The public log of a match.
    Log(Id, Result<String, NoLog>),
    /// Ctrl-C, or another request to end.
    Interrupt,
}

/// The program at work.
pub struct Driver {
    client: Arc<Client>,
    sender: Sender<Event>,
    events: Receiver<Event>,
    session: Session,
    ledger: Ledger,
    engines: Engines,
    lookout: Lookout,
    waits: Waits,
    screen: Screen,
    /// The longest time that it thinks.
    thinking: Duration,
    is_polling: bool,
}

impl Driver {
    /// The program before it begins.
    ///
    /// # Errors
    /// If what an earlier run has left makes no sense.
    pub fn new(
        client: Arc<Client>,
        ledger: Ledger,
        engines: Engines,
        screen: Screen,
        thinking: Duration,
    ) -> Result<Driver, ToolError> {
        let (sender, events) = mpsc::channel();
        let timing = Timing::of(client.is_loopback());
        let mut driver = Driver {
            client,
            sender,
            events,
            session: Session::default(),
            ledger,
            engines,
            lookout: Lookout::new(timing),
            waits: Waits::new(timing, Instant::now(), seed_from_time()),
            screen,
            thinking,
            is_polling: false,
        };
        let left = driver
            .ledger
            .state
            .iter()
            .flat_map(|state| state.live.values());
        for entry in left.cloned().collect::<Vec<Entry>>() {
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
        if self.ledger.is_table() {
            self.tell(news::WAITING, &[])?;
        }
        let end = self.work();
        // The terminal is given back before anything is printed on it.
        self.screen.full = None;
        self.engines.workers.clear();
        print(self.ledger.summary(self.screen.language))?;
        end
    }

    /// Hears of Ctrl-C and of other requests to end. The second one ends the program, whatever it is waiting for.
    fn listen_for_signals(&self) -> Result<(), ToolError> {
        let interrupts = self.sender.clone();
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
            for id in self.lookout.due(Instant::now(), &self.session) {
                self.go(move |client| Event::Log(id, client.log(id)));
            }
            self.poll();
            self.draw()?;
            match self.events.recv_timeout(self.rest()) {
                Ok(Event::Interrupt) if self.session.is_closed => return Ok(INTERRUPTED),
                Ok(event) => self.take(event)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if !self.ledger.missing.is_empty() {
            return Err(no_logs(&self.ledger.missing));
        }
        Ok(match self.ledger.waiting.is_empty() {
            true => 0,
            false => INTERRUPTED,
        })
    }

    /// Lets something that takes time at the network be done in a thread of its own; what it brings comes in.
    fn go(&self, errand: impl FnOnce(&Client) -> Event + Send + 'static) {
        let (client, sender) = (Arc::clone(&self.client), self.sender.clone());
        // Nobody may listen any more.
        thread::spawn(move || drop(sender.send(errand(&client))));
    }

    /// Tests if nothing is left to do.
    fn is_done(&self) -> bool {
        let is_idle =
            !self.is_playing() && self.ledger.ended.is_empty() && !self.session.is_starting();
        let has_no_more = !self.ledger.is_table() && self.ledger.waiting.is_empty();
        is_idle && (self.session.is_closed || has_no_more)
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
                self.session.is_closed = true;
                self.tell(news::CLOSING, &[])
            }
        }
    }

    /// Polls, if that may bring or take something and it is time.
    fn poll(&mut self) {
        let now = Instant::now();
        let is_useful = self.ledger.is_table() || self.is_playing() || self.session.is_starting();
        if self.is_polling || !is_useful || !self.waits.may_poll(now) || !self.session.wants_poll()
        {
            return;
        }
        self.is_polling = true;
        self.waits.poll_begins(now);
        // An answer that is being thought of is not to wait for the poll's end.
        let hold = self.waits.timing.hold;
        let patience = match self.session.is_thinking() {
            true => self.thinking.clamp(SHORTEST, hold),
            false => hold,
        };
        let answers = self.session.send();
        self.go(move |client| Event::Polled(client.poll(&answers, patience)));
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
                        self.lookout.of(id).fetches = 0;
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
                let is_closed = trouble == Trouble::Maintenance;
                let wait = self.waits.polls.fail(now, is_closed);
                self.tell_trouble(news::TROUBLE, &trouble, wait)
            }
        }
    }

    /// Does what the session asks for.
    fn obey(&mut self, effects: impl IntoIterator<Item = Effect>) -> Result<(), ToolError> {
        for effect in effects {
            match effect {
                Effect::Think(id) => self.think(id)?,
                Effect::Fetch(id) => drop(self.lookout.of(id)),
                Effect::Ended(ending, seat) => self.take_end(ending, seat)?,
                Effect::Unreadable(id, text) => {
                    self.tell(news::UNREADABLE, &[&id, &quoted(&text)])?;
                }
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
        let sender = self.sender.clone();
        let board = seat.board().clone();
        let report = move |thought| {
            // Nobody may listen any more.
            let _ = sender.send(Event::Thought(id, board, thought));
        };
        self.engines.ask(id, seat.board(), report)?;
        self.ledger.keep(id, seat)?;
        theirs.map_or(Ok(()), |turn| {
            self.tell(news::THEIRS, &[&id, &format!("{plies:2}"), &turn])
        })
    }

    fn take_thought(&mut self, id: Id, board: &Board, thought: Thought) -> Result<(), ToolError> {
        self.session.decide(id, board, thought.turn);
        let Some(seat) = self.session.seats().get(&id) else {
            return Ok(());
        };
        let ply = format!("{:2}", seat.moves().len() + 1);
        if seat.answer() != Some(thought.turn) {
            return Ok(());
        }
        // It is on the disk before it is sent.
        self.ledger.keep(id, seat)?;
        self.waits.has_answer = true;
        let ms = self.lookout.hear(id).as_millis();
        let chance = thought.win_probability(board.to_move());
        self.lookout.of(id).chance = Some(chance);
        let percent = format!("{:.0}", 100.0 * chance);
        self.tell(news::OURS, &[&id, &ply, &thought.turn, &percent, &ms])
    }

    /// Starts the next match of the schedule, if there is room for it and it is time.
    fn start_match(&mut self) {
        let may_start = !self.session.is_closed && !self.session.is_starting();
        if !may_start || Instant::now() < self.waits.starts.until {
            return;
        }
        if let Some((game, challenge)) = self.ledger.next() {
            self.session.expect();
            self.go(move |client| Event::Started(game, client.start(challenge)));
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
        let wait = self.waits.starts.fail(Instant::now(), is_closed);
        match trouble {
            Trouble::Unwelcome(why) => Err(why.into()),
            // Too many matches at once are refused as well: then the end of one helps.
            Trouble::Refused(why) if is_alone && self.waits.starts.errors >= MOST_REFUSALS => {
                Err(format!("no match begins: {why}").into())
            }
            trouble => self.tell_trouble(news::NOT_STARTED, &trouble, wait),
        }
    }

    /// Learns which match a game is. It may have been played for a while, or even have ended.
    fn begin(&mut self, id: Id, game: Fixture) -> Result<(), ToolError> {
        self.ledger.start(id, game);
        self.waits.starts.errors = 0;
        self.lookout.of(id);
        let (bot, us) = (self.ledger.bot(game), colour(game));
        let side = side(us, self.screen.language);
        self.tell(news::STARTED, &[&id, &(game.number + 1), &side, &bot])?;
        let effects = self.session.announce(id, us);
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
                self.waits.starts.fail(Instant::now(), false);
            }
            return self.tell(news::ABORTED, &[&id]);
        }
        let won = ending.won();
        self.ledger.end(ending, seat)?;
        if self.ledger.ended.contains_key(&id) {
            self.lookout.of(id);
        }
        self.tell(news::OVER, &[&id, &verdict(won, self.screen.language)])
    }

    fn take_log(&mut self, id: Id, log: Result<String, NoLog>) -> Result<(), ToolError> {
        let fetches = self.lookout.fetched(id);
        if self.ledger.ended.contains_key(&id) {
            let log = log.map_err(|fault| fault.why);
            let outcome = self.ledger.finish(id, log, fetches >= MOST_FETCHES)?;
            if !self.ledger.ended.contains_key(&id) {
                self.lookout.forget(id);
            }
            return match outcome {
                Outcome::Later => Ok(()),
                Outcome::Score(bot, score) => self.tell(news::SCORE, &[&bot, &score]),
                Outcome::Missing(why) => self.tell(news::NO_LOG, &[&id, &why]),
            };
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
            self.tell(news::PUZZLING, &[&id, &why])?;
        }
        self.obey(effects)
    }

    /// Takes in a match that an earlier run has left.
    fn resume(&mut self, entry: Entry) -> Result<(), ToolError> {
        let id = entry.id;
        let Some(seat) = self.ledger.resume(entry)? else {
            return Ok(());
        };
        self.lookout.of(id);
        self.tell(news::RESUMED, &[&id, &seat.moves().len()])?;
        if !self.ledger.ended.contains_key(&id) {
            self.session.resume(id, seat);
        }
        Ok(())
    }

    fn tell(&mut self, news: Term, parts: &[&dyn Display]) -> Result<(), ToolError> {
        Ok(self.screen.tell(news, parts)?)
    }

    /// Tells what went wrong; it is tried again after a while.
    fn tell_trouble(
        &mut self,
        news: Term,
        trouble: &Trouble,
        wait: Duration,
    ) -> Result<(), ToolError> {
        let seconds = format!("{:.0}", wait.as_secs_f32());
        self.tell(news, &[&trouble.text(self.screen.language), &seconds])
    }

    fn draw(&mut self) -> Result<(), ToolError> {
        let seats = self.session.seats().iter();
        let matches: Vec<Shown> = seats
            .map(|(&id, seat)| (id, seat, *self.lookout.of(id)))
            .collect();
        Ok(self.screen.draw(&self.ledger.scores(), &matches)?)
    }
}

/// The error about games whose logs could not be had.
fn no_logs(missing: &[Id]) -> ToolError {
    let names: Vec<&str> = missing.iter().map(Id::as_str).collect();
    let names = names.join(", ");
    format!("no logs of {names}: their results are kept, the same command with --resume asks again")
        .into()
}
