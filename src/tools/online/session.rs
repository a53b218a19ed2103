//! All matches under way, as a state machine: what polls and thoughts bring goes in, answers to send and things to do
//! come out. It knows no network, no clock and no thread.

use super::poll::{Ending, PollReply};
use super::request;
use super::seat::{Demand, Seat, Stage};
use crate::board::{Board, Move, Player};
use crate::tools::platform::address::Id;
use crate::tools::record::replayed::{Outcome, Replayed};
use std::collections::{BTreeMap, BTreeSet};

/// Most endings of unknown matches that are remembered.
const MOST_UNKNOWN: usize = 100;

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
    /// Endings that came before the match's id was known.
    early: Vec<Ending>,
    /// Matches that have ended: what still comes of them is late.
    over: BTreeSet<Id>,
    /// Matches that the first reply brought. They may have begun before this program.
    old: BTreeSet<Id>,
    /// Matches of which people were told that a request can't be read.
    unreadable: BTreeSet<Id>,
    has_heard: bool,
    /// Whether matches that nobody announced are left alone.
    is_closed: bool,
}

impl Session {
    /// The matches under way.
    #[must_use]
    pub const fn seats(&self) -> &BTreeMap<Id, Seat> {
        &self.seats
    }

    /// Leaves new matches that nobody announces alone.
    pub const fn close(&mut self) {
        self.is_closed = true;
    }

    /// Takes in a match that was started for us, or that an earlier run has played. Its end may be known already.
    pub fn announce(&mut self, id: Id, seat: Seat) -> Vec<Effect> {
        // A request may have come before the answer to the start.
        let stray = self
            .seats
            .remove(&id)
            .map(|seat| (seat.stage(), seat.form()));
        let seat = self.seats.entry(id).or_insert(seat);
        if let Some((Stage::Astray(request), form)) = stray {
            let demand = seat.hear(request, form);
            return effects(id, demand);
        }
        let early = self.early.iter().position(|ending| ending.id == id);
        match early.map(|at| self.early.swap_remove(at)) {
            Some(ending) => self.end(ending),
            None => Vec::new(),
        }
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
        for (id, text) in reply.requests {
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

    fn request(&mut self, id: Id, text: &str) -> Vec<Effect> {
        let is_unknown = !self.seats.contains_key(&id);
        if self.over.contains(&id) || is_unknown && self.is_closed {
            return Vec::new();
        }
        let Some((request, form)) = request::read(text) else {
            let is_news = self.unreadable.insert(id);
            let effect = is_news.then(|| Effect::Unreadable(id, text.to_owned()));
            return effect.into_iter().collect();
        };
        let seat = self.seats.entry(id).or_insert_with(|| Seat::new(None));
        effects(id, seat.hear(request, form))
    }

    fn end(&mut self, ending: Ending) -> Vec<Effect> {
        match self.seats.remove(&ending.id) {
            Some(seat) => {
                self.over.insert(ending.id);
                vec![Effect::Ended(ending, Box::new(seat))]
            }
            None => {
                if !self.over.contains(&ending.id) && self.early.len() < MOST_UNKNOWN {
                    self.early.push(ending);
                }
                Vec::new()
            }
        }
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

    /// Takes the public log of a match, or that there is none.
    pub fn learn(&mut self, id: Id, log: Option<&Replayed>) -> Vec<Effect> {
        let is_old = self.old.contains(&id);
        let Some(seat) = self.seats.get_mut(&id) else {
            return Vec::new();
        };
        let Some(log) = log else {
            // A match that was there at the start may be in its middle.
            return match is_old {
                true => Vec::new(),
                false => effects(id, seat.begin_without_log()),
            };
        };
        let winner = match log.outcome() {
            Outcome::Running { .. } => return effects(id, seat.learn(log)),
            Outcome::NoMove { winner } | Outcome::Fault { winner, .. } => winner,
        };
        let mut scores = vec![0.0; 2];
        scores[winner as usize] = 2.0;
        let slot = seat.colour().unwrap_or(Player::Black) as usize;
        self.end(Ending { id, slot, scores })
    }

    /// Tests if a poll may bring or take something: an answer waits, a match waits for its opponent, or nobody thinks.
    #[must_use]
    pub fn wants_poll(&self) -> bool {
        let thinks = |seat: &Seat| seat.stage() == Stage::Thinking;
        self.seats.is_empty() || !self.seats.values().all(thinks)
    }

    /// Tests if an answer waits to be sent.
    #[must_use]
    pub fn has_answer(&self) -> bool {
        let is_ready = |seat: &Seat| matches!(seat.stage(), Stage::Ready(_));
        self.seats.values().any(is_ready)
    }

    /// Tests if a match is being thought about.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.seats
            .values()
            .any(|seat| seat.stage() == Stage::Thinking)
    }
}

/// What a match demands, as something to do.
fn effects(id: Id, demand: Demand) -> Vec<Effect> {
    match demand {
        Demand::Nothing => Vec::new(),
        Demand::Thought => vec![Effect::Think(id)],
        Demand::Log => vec![Effect::Fetch(id)],
    }
}
