//! One match under way: its moves, and what is known of the answer to the last request.
//!
//! An answer carries the match's id and nothing else. Sent once too often it would be taken for the answer to the next
//! request. So an answer is sent again only if polls that did not carry it have shown the same request.

use super::poll::write_answer;
use engine::board::{Board, IllegalMove, Move, Player};
use engine::botzone::Form;
use record::judge::Coordinates;

/// A match under way, seen from our place.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSession {
    /// All moves that are certain. Our last answer is not, until a request follows.
    pub moves: Vec<Move>,
    /// The position after the certain moves.
    pub board: Board,
    /// Our colour, once it is known.
    pub colour: Option<Player>,
    form: Form,
    /// The request whose answer is ours to give, or was given and may be on its way.
    asked: Option<Coordinates>,
    answer: Option<Answer>,
    /// A request that fits no known position. Until the log explains the request, nothing is sent.
    stray: Option<Coordinates>,
}

/// Our answer to the last request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    turn: Move,
    /// How many polls must still show the request before the answer is sent: 0 before it is sent, 2 after it was
    /// delivered, since a server may have had one reply ready, and 1 if nobody knows whether it was delivered.
    polls: u8,
}

impl MatchSession {
    /// A match before its first request. `colour`: ours, if we have started the match.
    pub fn new(colour: Option<Player>) -> MatchSession {
        MatchSession {
            moves: Vec::new(),
            board: Board::start(),
            colour,
            form: Form::Simple,
            asked: None,
            answer: None,
            stray: None,
        }
    }

    /// A match that an earlier run has played. `moves`: all that were known; a last one of ours may not have been taken.
    pub fn resumed(colour: Player, moves: &[Move]) -> Result<MatchSession, IllegalMove> {
        let mut session = MatchSession::new(Some(colour));
        moves.iter().try_for_each(|&turn| session.push(turn))?;
        if session.board.to_move() == colour {
            session.asked = (!moves.is_empty()).then(|| last(moves));
        } else if let Some((&turn, certain)) = moves.split_last() {
            session = MatchSession::resumed(colour, certain)?;
            session.asked = Some(last(certain));
            session.answer = Some(Answer { turn, polls: 1 });
        }
        Ok(session)
    }

    /// Tests if a request waits for our answer, and nobody has thought about it yet.
    pub const fn is_due(&self) -> bool {
        self.asked.is_some() && self.answer.is_none() && self.stray.is_none()
    }

    /// Tests if a request fits no known position.
    pub const fn is_astray(&self) -> bool {
        self.stray.is_some()
    }

    /// Returns all moves that are known: the certain ones and our last answer.
    pub fn known(&self) -> impl Iterator<Item = Move> {
        let answer = self.answer.map(|answer| answer.turn);
        self.moves.iter().copied().chain(answer)
    }

    fn push(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.board.play(turn)?;
        self.moves.push(turn);
        Ok(())
    }

    /// Takes a request that a poll has shown.
    pub fn hear(&mut self, request: Coordinates, form: Form) {
        self.form = form;
        if self.asked == Some(request) {
            self.stray = None;
            if let Some(answer) = &mut self.answer {
                answer.polls = answer.polls.saturating_sub(1);
            }
            return;
        }
        // A match that others began may be in its middle.
        let is_known = self.colour.is_some() || request == Coordinates::NONE;
        if !(self.is_past(request) || is_known && self.follow(request)) {
            self.stray = Some(request);
        }
    }

    /// Tests if a request is one of earlier turns. No move can be made twice: its arrow stays.
    fn is_past(&self, request: Coordinates) -> bool {
        let is_opening = request == Coordinates::NONE && !self.moves.is_empty();
        is_opening || self.known().any(|turn| request == turn.into())
    }

    /// Plays our answer, if there is one, and the opponent's reply. Returns whether they fit.
    fn follow(&mut self, request: Coordinates) -> bool {
        if self.asked.is_some() && self.answer.is_none() {
            return false;
        }
        let mut next = self.clone();
        let mut push = |turn| next.push(turn).is_ok();
        let answered = self.answer.is_none_or(|answer| push(answer.turn));
        let replied = match request {
            Coordinates::NONE => next.moves.is_empty(),
            _ => Move::from_coordinates(request.numbers()).is_ok_and(push),
        };
        let colour = next.board.to_move();
        let fits = answered && replied && self.colour.is_none_or(|known| known == colour);
        if fits {
            *self = MatchSession {
                colour: Some(colour),
                asked: Some(request),
                answer: None,
                stray: None,
                ..next
            };
        }
        fits
    }

    /// Takes a poll's whole reply that has not shown this match: a request stands until its answer is taken.
    pub const fn hear_nothing(&mut self) {
        if let Some(answer) = &mut self.answer
            && answer.polls > 0
        {
            answer.polls = 2;
        }
    }

    /// Takes the move that was thought of.
    pub fn decide(&mut self, turn: Move) {
        if self.is_due() && self.board.check(turn).is_ok() {
            self.answer = Some(Answer { turn, polls: 0 });
        }
    }

    /// Returns the answer if it is to go out with the poll that begins.
    pub fn send(&mut self) -> Option<String> {
        let is_astray = self.is_astray();
        let answer = self.answer.as_mut();
        let answer = answer.filter(|answer| answer.polls == 0 && !is_astray)?;
        answer.polls = 2;
        Some(write_answer(answer.turn, self.form))
    }

    /// Takes the loss of the poll that carried the answer. `sent`: whether the answer may have reached the platform.
    pub fn lose(&mut self, sent: bool) {
        if let Some(answer) = &mut self.answer {
            answer.polls = u8::from(sent);
        }
    }

    /// Takes the moves of the match's public log. A log that knows less than the session says nothing.
    pub fn learn(&mut self, log: &[Move]) {
        if log.is_empty() {
            return self.begin();
        }
        let mut next = MatchSession::new(None);
        let is_legal = log.iter().all(|&turn| next.push(turn).is_ok());
        let to_move = next.board.to_move();
        let colour = match self.stray {
            Some(request) if request == last(log) => Some(to_move),
            Some(request) if request == last(&log[..log.len() - 1]) => Some(!to_move),
            Some(_) => None,
            None => self.colour.filter(|_| log.len() > self.known().count()),
        };
        let fits = colour.is_some() && self.colour.is_none_or(|known| Some(known) == colour);
        if is_legal && fits {
            *self = MatchSession {
                colour,
                form: self.form,
                asked: (colour == Some(to_move)).then(|| last(log)),
                ..next
            };
        }
    }

    /// Takes a stray request for the first one of the match, if it is legal there: no log tells otherwise.
    pub fn begin(&mut self) {
        let is_blank = self.moves.is_empty() && self.asked.is_none();
        if let Some(request) = self.stray.filter(|_| is_blank) {
            self.follow(request);
        }
    }
}

/// The request that follows some moves: the last one of them.
fn last(moves: &[Move]) -> Coordinates {
    moves.last().map_or(Coordinates::NONE, |&turn| turn.into())
}
