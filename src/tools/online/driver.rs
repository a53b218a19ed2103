//! The program at work: one poll at a time, thoughts and other errands beside it, all met in one loop.

use super::client::{Client, Trouble};
use super::contest::{self, Contest};
use super::news::{News, summary};
use super::poll::{Ending, PollReply};
use super::screen::Screen;
use super::seat::{Seat, Stage};
use super::session::{Effect, Session};
use super::state::{Entry, StateFile};
use super::thinker::{Thinker, Thought};
use super::timing::{Timing, Waits};
use super::view::{Detail, views};
use crate::console::print;
use crate::tools::platform::address::{Id, MatchAddress};
use crate::tools::player::schedule::Fixture;
use crate::tools::player::spec::EngineSpec;
use crate::tools::record::replayed::Replayed;
use crate::tools::support::error::ToolError;
use crate::tools::support::language::Language;
use crate::tools::support::workers::INTERRUPTED;
use std::collections::{BTreeMap, BTreeSet};
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

/// Something that comes in.
enum Event {
    Polled(Result<PollReply, Trouble>),
    Thought(Id, Thought),
    Started(Fixture, Result<Id, Trouble>),
    Log(Id, Result<String, String>),
    Interrupt,
}

/// What the program is told to do.
pub struct Orders {
    /// The platform.
    pub client: Client,
    /// The engine of each match.
    pub engine: EngineSpec,
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
    client: Arc<Client>,
    engine: EngineSpec,
    thinking: Duration,
    ponder: bool,
    /// Whether engines may think on the opponent's time now.
    may_ponder: Arc<AtomicBool>,
    contest: Option<Contest>,
    state: Option<StateFile>,
    screen: Screen,
    language: Language,
    session: Session,
    thinkers: BTreeMap<Id, Thinker>,
    details: BTreeMap<Id, Detail>,
    /// Matches that are over and not in the journal yet.
    ended: BTreeMap<Id, (Ending, Box<Seat>)>,
    fetching: BTreeSet<Id>,
    results: Vec<(MatchAddress, Option<bool>)>,
    waits: Waits,
    timing: Timing,
    is_polling: bool,
    is_starting: bool,
    is_closing: bool,
    events: Receiver<Event>,
    sender: Sender<Event>,
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
        let mut driver = Driver {
            client: Arc::new(orders.client),
            engine: orders.engine,
            thinking: orders.thinking,
            ponder: orders.ponder,
            may_ponder: Arc::default(),
            contest: orders.contest,
            state,
            screen: Screen::open(orders.is_full, orders.language)?,
            language: orders.language,
            session: Session::default(),
            thinkers: BTreeMap::new(),
            details: BTreeMap::new(),
            ended: BTreeMap::new(),
            fetching: BTreeSet::new(),
            results: Vec::new(),
            waits: Waits::new(timing),
            timing,
            is_polling: false,
            is_starting: false,
            is_closing: false,
            events,
            sender,
        };
        for entry in entries.unwrap_or_default() {
            driver.resume(entry)?;
        }
        Ok(driver)
    }

    /// Plays until all is done, or Ctrl-C. Returns the exit code.
    ///
    /// # Errors
    /// If the platform refuses for good, or what comes of it can't be written.
    pub fn run(mut self) -> Result<u8, ToolError> {
        let interrupts = self.sender.clone();
        ctrlc::set_handler(move || drop(interrupts.send(Event::Interrupt)))?;
        if self.contest.is_none() {
            self.tell(News::Waiting)?;
        }
        let end = self.work();
        // The terminal is given back before anything is printed on it.
        self.screen = Screen::Lines(self.language);
        self.thinkers.clear();
        self.summarize()?;
        end
    }

    /// The loop.
    fn work(&mut self) -> Result<u8, ToolError> {
        while !self.is_done() {
            self.start_match()?;
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
        match &self.contest {
            Some(contest) if !contest.missing().is_empty() => Err(no_logs(contest.missing())),
            Some(contest) if !contest.is_all_started() => Ok(INTERRUPTED),
            _ => Ok(0),
        }
    }

    /// Tests if nothing is left to do.
    fn is_done(&self) -> bool {
        let is_idle = !self.is_playing() && self.ended.is_empty() && !self.is_starting;
        let is_all_started = |contest: &Contest| contest.is_all_started();
        let has_no_more = self.contest.as_ref().is_some_and(is_all_started);
        is_idle && (self.is_closing || has_no_more)
    }

    /// Tests if a match is under way. One that is not ours and makes no sense doesn't count.
    fn is_playing(&self) -> bool {
        let contest = self.contest.as_ref();
        let is_played = |(&id, seat): (&Id, &Seat)| {
            !matches!(seat.stage(), Stage::Astray(_)) || contest.is_some_and(|all| all.has(id))
        };
        self.session.seats().iter().any(is_played)
    }

    /// The longest time until something may be due.
    fn rest(&self) -> Duration {
        self.waits.rest().min(TICK).min(self.timing.pause)
    }

    fn take(&mut self, event: Event) -> Result<(), ToolError> {
        match event {
            Event::Polled(reply) => {
                self.is_polling = false;
                self.take_poll(reply)
            }
            Event::Thought(id, thought) => self.take_thought(id, &thought),
            Event::Started(game, started) => {
                self.is_starting = false;
                self.take_start(game, started)
            }
            Event::Log(id, log) => {
                self.fetching.remove(&id);
                self.take_log(id, log)
            }
            Event::Interrupt => {
                self.is_closing = true;
                self.session.close();
                self.tell(News::Closing)
            }
        }
    }

    /// Polls, if that may bring or take something and it is time.
    fn poll(&mut self) {
        let is_useful = self.contest.is_none() || self.is_playing();
        let may_poll = self.waits.may_poll(self.session.has_answer());
        if self.is_polling || !is_useful || !may_poll || !self.session.wants_poll() {
            return;
        }
        let answers = self.session.send();
        let patience = self.patience();
        self.is_polling = true;
        self.errand(move |client| Event::Polled(client.poll(&answers, patience)));
    }

    /// How long a poll may stay open: an answer that is being thought of is not to wait for it.
    fn patience(&self) -> Duration {
        match self.session.is_thinking() {
            true => self.thinking.clamp(self.timing.shortest, self.timing.hold),
            false => self.timing.hold,
        }
    }

    /// Does something that takes time in a thread of its own.
    fn errand(&self, errand: impl FnOnce(&Client) -> Event + Send + 'static) {
        let (client, sender) = (Arc::clone(&self.client), self.sender.clone());
        // Nobody may listen any more.
        thread::spawn(move || drop(sender.send(errand(&client))));
    }

    fn take_poll(&mut self, reply: Result<PollReply, Trouble>) -> Result<(), ToolError> {
        match reply {
            Ok(reply) => {
                let effects = self.session.hear(reply);
                let is_news = |effect| matches!(effect, &Effect::Think(_) | &Effect::Ended(..));
                self.waits.polled(effects.iter().any(is_news));
                self.obey(effects)
            }
            Err(Trouble::Silent) => {
                self.session.lose(true);
                self.waits.polled(false);
                Ok(())
            }
            Err(Trouble::Refused(why) | Trouble::Unwelcome(why)) => Err(why.into()),
            Err(trouble) => {
                let sent = !matches!(trouble, Trouble::Passing { sent: false, .. });
                self.session.lose(sent);
                let wait = self.waits.poll_failed(trouble == Trouble::Maintenance);
                self.tell(News::Trouble(trouble, wait))
            }
        }
    }

    /// Does what the session asks for.
    fn obey(&mut self, effects: Vec<Effect>) -> Result<(), ToolError> {
        for effect in effects {
            match effect {
                Effect::Think(id) => self.think(id)?,
                Effect::Fetch(id) => drop(self.details.entry(id).or_default()),
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
        let (board, plies) = (seat.board().clone(), seat.moves().len());
        let theirs = seat.moves().last().copied();
        let detail = self.details.entry(id).or_default();
        (detail.heard, detail.fetches) = (Instant::now(), 0);
        if !self.thinkers.contains_key(&id) {
            let sender = self.sender.clone();
            let report = move |thought| drop(sender.send(Event::Thought(id, thought)));
            let seed = self.thinkers.len() as u64;
            let may_ponder = Arc::clone(&self.may_ponder);
            let thinker = Thinker::start(self.engine.clone(), seed, may_ponder, report)?;
            self.thinkers.insert(id, thinker);
            self.allow_pondering();
        }
        self.thinkers[&id].ask(board);
        self.keep(id)?;
        theirs.map_or(Ok(()), |turn| self.tell(News::Theirs(id, plies, turn)))
    }

    /// Lets a single match use the opponent's time. Several share the processor between their turns.
    fn allow_pondering(&self) {
        let is_alone = self.thinkers.len() == 1;
        self.may_ponder
            .store(self.ponder && is_alone, Ordering::Relaxed);
    }

    fn take_thought(&mut self, id: Id, thought: &Thought) -> Result<(), ToolError> {
        self.session.decide(id, &thought.board, thought.turn);
        let Some(seat) = self.session.seats().get(&id) else {
            return Ok(());
        };
        let ply = seat.moves().len() + 1;
        if seat.answer() != Some(thought.turn) {
            return Ok(());
        }
        let detail = self.details.entry(id).or_default();
        let time = detail.heard.elapsed();
        (detail.heard, detail.chance) = (Instant::now(), Some(thought.chance));
        // It is on the disk before it is sent.
        self.keep(id)?;
        self.tell(News::Ours(id, ply, thought.turn, thought.chance, time))
    }

    /// Starts the next match of the schedule, if there is room for it and it is time.
    fn start_match(&mut self) -> Result<(), ToolError> {
        let may_start = !self.is_closing && !self.is_starting && self.waits.may_start();
        let Some(contest) = self.contest.as_mut().filter(|_| may_start) else {
            return Ok(());
        };
        if contest.running() - self.ended.len() >= contest.concurrent() {
            return Ok(());
        }
        if let Some((game, challenge)) = contest.take_next() {
            self.is_starting = true;
            self.errand(move |client| Event::Started(game, client.start(challenge)));
        }
        Ok(())
    }

    fn take_start(&mut self, game: Fixture, started: Result<Id, Trouble>) -> Result<(), ToolError> {
        let Some(contest) = self.contest.as_mut() else {
            return Ok(());
        };
        let trouble = match started {
            Ok(id) => {
                self.waits.started();
                contest.started(id, game);
                let (colour, bot) = (contest::colour(game), contest.opponent(game));
                self.details.insert(id, Detail::new());
                self.tell(News::Started(id, game.number + 1, colour, bot))?;
                let effects = self.session.announce(id, Seat::new(Some(colour)));
                self.keep(id)?;
                return self.obey(effects);
            }
            Err(trouble) => trouble,
        };
        contest.put_back(game);
        let is_alone = contest.running() == 0;
        let wait = self.waits.start_failed(trouble == Trouble::Maintenance);
        match trouble {
            Trouble::Unwelcome(why) => Err(why.into()),
            // Too many matches at once are refused as well: then the end of one helps.
            Trouble::Refused(why) if is_alone && self.waits.starts_failed() >= MOST_REFUSALS => {
                Err(format!("no match begins: {why}").into())
            }
            trouble => self.tell(News::NotStarted(trouble, wait)),
        }
    }

    /// Takes the end of a match.
    fn take_end(&mut self, ending: Ending, seat: Box<Seat>) -> Result<(), ToolError> {
        let id = ending.id;
        self.thinkers.remove(&id);
        self.allow_pondering();
        self.details.remove(&id);
        let game = self
            .contest
            .as_ref()
            .and_then(|contest| contest.fixture(id));
        if ending.scores.is_empty() {
            self.tell(News::Aborted(id))?;
            if let (Some(contest), Some(game)) = (&mut self.contest, game) {
                contest.abort(id);
                self.waits.start_failed(false);
                self.forget(id, game)?;
            }
            return Ok(());
        }
        let (address, won) = self.result(&ending);
        self.tell(News::Over(address.clone(), won))?;
        self.results.push((address, won));
        if let Some(game) = game {
            self.keep_end(&ending, &seat, game)?;
            self.details.insert(id, Detail::new());
            self.ended.insert(id, (ending, seat));
        }
        Ok(())
    }

    /// The address of a match that is over, and whether we have won it.
    fn result(&self, ending: &Ending) -> (MatchAddress, Option<bool>) {
        let won = ending.winner().map(|winner| winner == ending.slot);
        (self.client.address(ending.id), won)
    }

    /// Fetches the logs that are wanted: of matches that are over, that have led astray, or that have been quiet.
    fn fetch_logs(&mut self) {
        let now = Instant::now();
        let contest = self.contest.as_ref();
        let in_contest = |id| contest.is_some_and(|all| all.has(id));
        for (&id, detail) in &mut self.details {
            let stage = self.session.seats().get(&id).map(Seat::stage);
            let quiet = now.saturating_duration_since(detail.heard) >= self.timing.quiet;
            let is_wanted = match stage {
                None => self.ended.contains_key(&id),
                Some(Stage::Astray(_)) => detail.fetches < MOST_FETCHES || in_contest(id),
                Some(Stage::Thinking | Stage::Ready(_) | Stage::Sent(_)) => false,
                Some(_) => quiet,
            };
            if is_wanted && now >= detail.next_log && self.fetching.insert(id) {
                detail.fetches += 1;
                let wait = self.timing.retry * detail.fetches.min(12);
                detail.next_log = now + wait;
                let (client, sender) = (Arc::clone(&self.client), self.sender.clone());
                thread::spawn(move || drop(sender.send(Event::Log(id, client.log(id)))));
            }
        }
    }

    fn take_log(&mut self, id: Id, log: Result<String, String>) -> Result<(), ToolError> {
        if self.ended.contains_key(&id) {
            return self.finish(id, log);
        }
        let read = |text: &String| Replayed::read(text).ok();
        let log = log.as_ref().ok().and_then(read);
        let effects = self.session.learn(id, log.as_ref());
        self.obey(effects)
    }

    /// Writes a game that is over into the journal.
    fn finish(&mut self, id: Id, log: Result<String, String>) -> Result<(), ToolError> {
        let (Some(contest), Some((ending, seat))) = (&mut self.contest, self.ended.get(&id)) else {
            return Ok(());
        };
        let Some(game) = contest.fixture(id) else {
            return Ok(());
        };
        let address = self.client.address(id);
        let done = match log {
            Ok(text) => contest.finish(ending, &address, &text)?,
            Err(why) => Err(why),
        };
        if let Err(why) = done {
            let fetches = self.details.get(&id).map_or(0, |detail| detail.fetches);
            if fetches < MOST_FETCHES {
                return Ok(());
            }
            if !contest.finish_without_log(ending, &address, seat)? {
                // It stays in the file beside the journal: a later run asks again.
                self.ended.remove(&id);
                self.details.remove(&id);
                return self.tell(News::NoLog(id, why));
            }
        }
        let bot = contest.opponent(game);
        let score = contest.score(game);
        self.ended.remove(&id);
        self.details.remove(&id);
        self.forget(id, game)?;
        self.tell(News::Score(bot, score))
    }

    /// Takes in a match that an earlier run has left.
    fn resume(&mut self, entry: Entry) -> Result<(), ToolError> {
        let Some(contest) = self.contest.as_mut() else {
            return Ok(());
        };
        let id = entry.id;
        let Some(game) = contest.resume(id, entry.game) else {
            return self.keep_entry(Entry {
                done: true,
                ..entry
            });
        };
        let colour = contest::colour(game);
        let seat = entry.seat(colour);
        let seat = seat.map_err(|error| format!("match {id} of the last run: {error}"))?;
        self.details.insert(id, Detail::new());
        self.tell(News::Resumed(id, seat.moves().len()))?;
        match entry.scores {
            Some(scores) => {
                let ending = Ending {
                    id,
                    slot: colour as usize,
                    scores: scores.to_vec(),
                };
                self.results.push(self.result(&ending));
                self.ended.insert(id, (ending, Box::new(seat)));
                Ok(())
            }
            None => {
                let effects = self.session.announce(id, seat);
                self.obey(effects)
            }
        }
    }

    /// Keeps what is known of a match of the schedule in the file beside the journal.
    fn keep(&mut self, id: Id) -> Result<(), ToolError> {
        let game = self
            .contest
            .as_ref()
            .and_then(|contest| contest.fixture(id));
        match (game, self.session.seats().get(&id)) {
            (Some(game), Some(seat)) => {
                let entry = Entry::new(id, game.number).with(seat);
                self.keep_entry(entry)
            }
            _ => Ok(()),
        }
    }

    /// The same of a match that is over.
    fn keep_end(&mut self, ending: &Ending, seat: &Seat, game: Fixture) -> Result<(), ToolError> {
        self.keep_entry(Entry {
            scores: ending.scores[..].try_into().ok(),
            ..Entry::new(ending.id, game.number).with(seat)
        })
    }

    /// Nothing is left to do for a match.
    fn forget(&mut self, id: Id, game: Fixture) -> Result<(), ToolError> {
        self.keep_entry(Entry {
            done: true,
            ..Entry::new(id, game.number)
        })
    }

    fn keep_entry(&mut self, entry: Entry) -> Result<(), ToolError> {
        match &mut self.state {
            Some(state) => state.keep(entry),
            None => Ok(()),
        }
    }

    fn tell(&mut self, news: News) -> Result<(), ToolError> {
        Ok(self.screen.tell(&news)?)
    }

    fn draw(&mut self) -> Result<(), ToolError> {
        let detail = |id| self.details.get(&id).copied().unwrap_or_default();
        let matches = views(&self.session, detail);
        let score = self.score();
        Ok(self.screen.draw(&score, &matches)?)
    }

    /// The score so far.
    fn score(&self) -> Vec<String> {
        match &self.contest {
            Some(contest) => contest.lines(),
            None => {
                let count = |wanted| {
                    self.results
                        .iter()
                        .filter(|(_, won)| *won == wanted)
                        .count()
                };
                vec![format!("{}-{}", count(Some(true)), count(Some(false)))]
            }
        }
    }

    /// Prints the matches that are over with their addresses, and the score.
    fn summarize(&mut self) -> Result<(), ToolError> {
        let lines = self.results.iter();
        let lines = lines.map(|(address, won)| summary(address, *won, self.language) + "\n");
        let text: String = lines.collect();
        print(text)?;
        match &self.contest {
            Some(contest) => Ok(print(contest.standings().text(None))?),
            None => Ok(print(self.score().join("\n") + "\n")?),
        }
    }
}

/// The error about games whose logs could not be had.
fn no_logs(missing: &[Id]) -> ToolError {
    let names: Vec<&str> = missing.iter().map(Id::as_str).collect();
    let names = names.join(", ");
    format!("no logs of {names}: their results are kept, the same command with --resume asks again")
        .into()
}
