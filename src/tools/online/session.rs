//! State of one running match: its moves, and whether the platform has received the answer to the last request.

use super::poll::write_answer;
use engine::board::{Board, IllegalMove, Move, Player};
use engine::botzone::Form;
use record::judge::Coordinates;

/// State of a running match, as far as this program knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSession {
    /// All moves that the platform has confirmed, in order. The next request confirms our last answer.
    pub moves: Vec<Move>,
    /// Position after the confirmed moves.
    pub board: Board,
    /// Our colour; `None` before the first request of a match that others started.
    pub colour: Option<Player>,
    form: Form,
    /// Last valid request: it waits for our answer, or for the platform to confirm our answer. `None` before the first
    /// request.
    open_request: Option<Coordinates>,
    answer: Option<Answer>,
    /// Request that fits no known position. No answer is sent until the match's log explains the request.
    stray_request: Option<Coordinates>,
}

/// Our answer to the last valid request, which the platform has not confirmed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    turn: Move,
    /// Number of polls that must still repeat the request before the answer is sent (again): 0 if it was never sent; 2
    /// if it was delivered, because the server may already have prepared its next reply; 1 if delivery is uncertain.
    polls_before_sending: u8,
}

impl MatchSession {
    /// Returns the state before the first request. `colour` is our colour if we started the match, otherwise `None`.
    pub fn new(colour: Option<Player>) -> MatchSession {
        MatchSession {
            moves: Vec::new(),
            board: Board::start(),
            colour,
            form: Form::Simple,
            open_request: None,
            answer: None,
            stray_request: None,
        }
    }

    /// Restores the state of a match that an earlier run played as `colour`. `moves` are all moves known then; if the
    /// last move is ours, the platform may not have received it.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn resume(colour: Player, moves: &[Move]) -> Result<MatchSession, IllegalMove> {
        let mut session = MatchSession::new(Some(colour));
        moves.iter().try_for_each(|&turn| session.push(turn))?;
        if session.board.to_move() == colour {
            session.open_request = (!moves.is_empty()).then(|| request_after(moves));
        } else if let Some((&turn, confirmed)) = moves.split_last() {
            session = MatchSession::resume(colour, confirmed)?;
            session.open_request = Some(request_after(confirmed));
            session.answer = Some(Answer {
                turn,
                polls_before_sending: 1,
            });
        }
        Ok(session)
    }

    /// Tests if the search has yet to find an answer to the open request.
    pub const fn needs_answer(&self) -> bool {
        self.open_request.is_some() && self.answer.is_none() && self.stray_request.is_none()
    }

    /// Tests if the last request fits no known position, so that no answer can be sent.
    pub const fn has_stray_request(&self) -> bool {
        self.stray_request.is_some()
    }

    /// Iterates over all known moves: the confirmed moves, then our unconfirmed answer, if any.
    pub fn known_moves(&self) -> impl Iterator<Item = Move> {
        let answer = self.answer.map(|answer| answer.turn);
        self.moves.iter().copied().chain(answer)
    }

    fn push(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.board.play(turn)?;
        self.moves.push(turn);
        Ok(())
    }

    /// Processes a request from a poll's reply: plays a new move, counts a repetition of the open request, ignores a
    /// repetition of an earlier one, and stores any other as a stray request.
    pub fn receive_request(&mut self, request: Coordinates, form: Form) {
        self.form = form;
        if self.open_request == Some(request) {
            self.stray_request = None;
            if let Some(answer) = &mut self.answer {
                answer.polls_before_sending = answer.polls_before_sending.saturating_sub(1);
            }
            return;
        }
        // If our colour is unknown, others started the match, perhaps long ago: then only the request for the first
        // move is certain.
        let is_known = self.colour.is_some() || request == Coordinates::NONE;
        if !(self.is_repeated(request) || is_known && self.apply_request(request)) {
            self.stray_request = Some(request);
        }
    }

    /// Tests if `request` repeats an earlier request or is one of our moves. No move occurs twice in a game, because
    /// its arrow stays on the board.
    fn is_repeated(&self, request: Coordinates) -> bool {
        let is_opening = request == Coordinates::NONE && !self.moves.is_empty();
        is_opening || self.known_moves().any(|turn| request == turn.into())
    }

    /// Plays our unconfirmed answer, if any, and the opponent's move in `request`. Returns false, and changes nothing,
    /// if a move is illegal.
    fn apply_request(&mut self, request: Coordinates) -> bool {
        if self.open_request.is_some() && self.answer.is_none() {
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
                open_request: Some(request),
                answer: None,
                stray_request: None,
                ..next
            };
        }
        fits
    }

    /// Handles a complete poll reply without a request of this match. The platform repeats a request until it has the
    /// answer, so a sent answer has probably arrived: two polls must repeat the request before it is sent again.
    pub const fn note_missing_request(&mut self) {
        if let Some(answer) = &mut self.answer
            && answer.polls_before_sending > 0
        {
            answer.polls_before_sending = 2;
        }
    }

    /// Stores the move that the search chose as our answer. Ignores a move that is illegal or if no answer is needed.
    pub fn set_answer(&mut self, turn: Move) {
        if self.needs_answer() && self.board.check(turn).is_ok() {
            self.answer = Some(Answer {
                turn,
                polls_before_sending: 0,
            });
        }
    }

    /// Returns the text of our answer if the next poll must send it, and marks the answer as sent; otherwise `None`.
    pub fn take_answer(&mut self) -> Option<String> {
        let has_stray_request = self.has_stray_request();
        let answer = self.answer.as_mut();
        let answer =
            answer.filter(|answer| answer.polls_before_sending == 0 && !has_stray_request)?;
        answer.polls_before_sending = 2;
        Some(write_answer(answer.turn, self.form))
    }

    /// Handles the failure of a poll that sent our answer. `may_have_arrived` is false if the platform can't have
    /// received it.
    pub fn handle_failed_poll(&mut self, may_have_arrived: bool) {
        if let Some(answer) = &mut self.answer {
            answer.polls_before_sending = u8::from(may_have_arrived);
        }
    }

    /// Replaces the state by that of the match's public log, if `log` agrees with the stray request or, without one,
    /// has more moves than are known. If `log` is empty, accepts the stray request as the first of the match.
    pub fn apply_log(&mut self, log: &[Move]) {
        if log.is_empty() {
            return self.accept_stray_request();
        }
        let mut next = MatchSession::new(None);
        let is_legal = log.iter().all(|&turn| next.push(turn).is_ok());
        let to_move = next.board.to_move();
        let colour = match self.stray_request {
            Some(request) if request == request_after(log) => Some(to_move),
            Some(request) if request == request_after(&log[..log.len() - 1]) => Some(!to_move),
            Some(_) => None,
            None => self
                .colour
                .filter(|_| log.len() > self.known_moves().count()),
        };
        let fits = colour.is_some() && self.colour.is_none_or(|known| Some(known) == colour);
        if is_legal && fits {
            *self = MatchSession {
                colour,
                form: self.form,
                open_request: (colour == Some(to_move)).then(|| request_after(log)),
                ..next
            };
        }
    }

    /// Accepts the stray request as the first of the match, if no move is known and the request is legal at the start.
    /// Used if no log explains it.
    pub fn accept_stray_request(&mut self) {
        let is_blank = self.moves.is_empty() && self.open_request.is_none();
        if let Some(request) = self.stray_request.filter(|_| is_blank) {
            self.apply_request(request);
        }
    }
}

/// Returns the request that the platform sends after `moves`: the last move, or [`Coordinates::NONE`] if there are
/// none.
fn request_after(moves: &[Move]) -> Coordinates {
    moves.last().map_or(Coordinates::NONE, |&turn| turn.into())
}
