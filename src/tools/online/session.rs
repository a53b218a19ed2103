//! All matches under way, as a state machine: what polls and thoughts bring goes in, answers to send and things to do
//! come out. It knows no network, no clock and no thread.

use super::poll::{Ending, PollReply};
use super::request;
use super::seat::{Demand, Seat};
use crate::board::{Board, Move, Player};
use crate::tools::platform::address::Id;
use crate::tools::record::replayed::Replayed;
use std::collections::{BTreeMap, BTreeSet};

/// Something to do, or to tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Think about the board of a match.
    Think(Id),
    /// Fetch the public log of a match.
    Fetch(Id),
    /// A match has ended: it has left the session.
    Ended(Ending, Box<Seat>),
    /// A request could not be read: nothing is sent in this match.
    Unreadable(Id, String),
}

/// All matches under way.
#[derive(Default)]
pub struct Session {
    seats: BTreeMap<Id, Seat>,
    /// Whether a match is being started. Until its id is known, every unknown match may be the one.
    is_starting: bool,
    /// Ends of matches that may be the one, and their seats if a request has come.
    held: Vec<(Ending, Option<Box<Seat>>)>,
    /// Matches that have ended: what still comes of them is late.
    over: BTreeSet<Id>,
    /// Matches that the first reply brought. They may have begun before this program.
    old: BTreeSet<Id>,
    /// Matches of which people were told that a request can't be read.
    unreadable: BTreeSet<Id>,
    has_heard: bool,
    /// Whether new matches that nobody announces are left alone.
    pub is_closed: bool,
}

impl Session {
    /// The matches under way.
    #[must_use]
    pub const fn seats(&self) -> &BTreeMap<Id, Seat> {
        &self.seats
    }

    /// Takes in a match that an earlier run has played, before the first poll.
    pub fn resume(&mut self, id: Id, seat: Seat) {
        self.seats.entry(id).or_insert(seat);
    }

    /// Expects a match: it is being started. [`Session::announce`] or [`Session::give_up`] follows.
    pub const fn expect(&mut self) {
        self.is_starting = true;
    }

    /// Tests if a match is being started.
    #[must_use]
    pub const fn is_starting(&self) -> bool {
        self.is_starting
    }

    /// Learns which match was started for us. It may have been played, and even have ended, by now: nothing of it is
    /// replaced.
    pub fn announce(&mut self, id: Id, colour: Player) -> Vec<Effect> {
        if let Some((_, seat)) = self.held.iter_mut().find(|(ending, _)| ending.id == id) {
            seat.get_or_insert_with(|| Box::new(Seat::new(None)))
                .announce(colour);
        }
        let mut effects = self.give_up();
        if !self.over.contains(&id) {
            let seat = self.seats.entry(id).or_insert_with(|| Seat::new(None));
            effects.extend(to_do(id, seat.announce(colour)));
        }
        effects
    }

    /// Learns that no match was started.
    pub fn give_up(&mut self) -> Vec<Effect> {
        self.is_starting = false;
        let held = std::mem::take(&mut self.held).into_iter();
        held.filter_map(|(ending, seat)| Some(Effect::Ended(ending, seat?)))
            .collect()
    }

    /// The answers that go out with the poll that begins now, by match.
    pub fn send(&mut self) -> Vec<(Id, String)> {
        let seats = self.seats.iter_mut();
        seats
            .filter_map(|(&id, seat)| {
                let answer = seat.send()?;
                Some((id, request::write(answer, seat.form())))
            })
            .collect()
    }

    /// Takes the reply to the poll.
    pub fn hear(&mut self, reply: PollReply) -> Vec<Effect> {
        let mut effects = Vec::new();
        let asked: BTreeSet<Id> = reply.requests.iter().map(|(id, _)| *id).collect();
        for (id, seat) in &mut self.seats {
            if !asked.contains(id) {
                seat.hear_nothing();
            }
        }
        let mut seen = BTreeSet::new();
        for (id, text) in reply.requests {
            // The same line twice is one request: it does not ask again.
            if !seen.insert((id, text.clone())) {
                continue;
            }
            if !self.has_heard && !self.seats.contains_key(&id) {
                self.old.insert(id);
            }
            effects.extend(self.request(id, &text));
        }
        self.has_heard = true;
        for ending in reply.endings {
            effects.extend(self.end(ending));
        }
        effects
    }

    fn request(&mut self, id: Id, text: &str) -> Option<Effect> {
        let is_unknown = !self.seats.contains_key(&id);
        let is_nobodys = is_unknown && self.is_closed && !self.is_starting;
        if self.over.contains(&id) || is_nobodys {
            return None;
        }
        let Some((request, form)) = request::read(text) else {
            let is_news = self.unreadable.insert(id);
            return is_news.then(|| Effect::Unreadable(id, text.to_owned()));
        };
        let seat = self.seats.entry(id).or_insert_with(|| Seat::new(None));
        to_do(id, seat.hear(request, form))
    }

    fn end(&mut self, ending: Ending) -> Option<Effect> {
        if !self.over.insert(ending.id) {
            return None;
        }
        let seat = self.seats.remove(&ending.id).map(Box::new);
        if self.is_starting && !seat.as_ref().is_some_and(|seat| seat.is_announced()) {
            self.held.push((ending, seat));
            return None;
        }
        Some(Effect::Ended(ending, seat?))
    }

    /// Takes the loss of the poll's reply. `sent`: whether the answers in it may have reached the platform.
    pub fn lose(&mut self, sent: bool) {
        for seat in self.seats.values_mut() {
            seat.lose(sent);
        }
    }

    /// Takes the move that was thought of for a board of a match.
    pub fn decide(&mut self, id: Id, board: &Board, answer: Move) {
        if let Some(seat) = self.seats.get_mut(&id)
            && seat.board() == board
        {
            seat.decide(answer);
        }
    }

    /// Takes that the public log of a match can't be had, or makes no sense. `for_now`: another time it may.
    pub fn miss(&mut self, id: Id, for_now: bool) -> Option<Effect> {
        // A match that was there at the start may be in its middle: its log is worth a wait.
        let is_worth = for_now && self.old.contains(&id);
        let seat = self.seats.get_mut(&id).filter(|_| !is_worth)?;
        to_do(id, seat.begin_without_log())
    }

    /// Takes the public log of a match.
    pub fn learn(&mut self, id: Id, log: &Replayed) -> Option<Effect> {
        let seat = self.seats.get_mut(&id)?;
        let Some(winner) = log.outcome().winner() else {
            return to_do(id, seat.learn(log));
        };
        let mut scores = vec![0.0; 2];
        scores[winner as usize] = 2.0;
        let slot = seat.colour().unwrap_or(Player::Black) as usize;
        self.end(Ending { id, slot, scores })
    }

    /// Tests if a poll may bring or take something: an answer waits, a match waits for its opponent, or nobody thinks.
    #[must_use]
    pub fn wants_poll(&self) -> bool {
        self.is_starting || self.seats.is_empty() || !self.seats.values().all(Seat::is_thinking)
    }

    /// Tests if a match is being thought about.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.seats.values().any(Seat::is_thinking)
    }
}

/// What a match demands, as something to do.
fn to_do(id: Id, demand: Demand) -> Option<Effect> {
    match demand {
        Demand::Nothing => None,
        Demand::Thought => Some(Effect::Think(id)),
        Demand::Log => Some(Effect::Fetch(id)),
    }
}
