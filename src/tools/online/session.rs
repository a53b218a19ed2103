//! State of one running match: the match's moves, and whether the platform has received our answer to the last request.

use super::poll::write_answer;
use engine::board::{Board, IllegalMove, Move, Player};
use engine::botzone::Form;
use record::judge::Coordinates;

/// State of a running match, as far as this program knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSession {
    /// All moves that the platform has confirmed, in order. Our own move is confirmed when the platform sends the next
    /// request.
    pub moves: Vec<Move>,
    /// Position after the confirmed moves.
    pub board: Board,
    /// Our colour; `None` before the first request of a match that others started.
    pub colour: Option<Player>,
    form: Form,
    /// Last valid request, which we have not answered yet or whose answer the platform has not confirmed yet. `None` if
    /// there is no such request, for example before the first one.
    open_request: Option<Coordinates>,
    answer: Option<Answer>,
    /// Request that fits no known position; `None` if there is none. While there is one, no answer is sent. The match's
    /// public log usually explains the request.
    stray_request: Option<Coordinates>,
}

/// Our answer to the last valid request, which the platform has not confirmed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    turn: Move,
    /// Number of replies to polls that must still repeat the request before this answer is sent (again). It is set to 0
    /// for an answer that was never sent; to 2 when the answer is sent, because the server may already have prepared
    /// its next reply; and to 1 if it is uncertain whether the answer arrived.
    polls_before_sending: u8,
}

impl MatchSession {
    /// Returns the state of a match before the first request. `colour` is our colour if this program started the match,
    /// and `None` if others did.
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

    /// Restores the state of a match that an earlier run of this program played as `colour`. `moves` are all moves that
    /// the earlier run knew; if the last move is ours, the platform may not have received it.
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

    /// Tests if there is an open request for which no answer has been searched yet, and no request that fits no known
    /// position.
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

    /// Processes a request from the reply to a poll. A request with a new legal move is played on the board. A
    /// repetition of the open request is counted, a repetition of an earlier request ignored. Any other request fits no
    /// known position and is stored in `stray_request`. `form` is the form of the request.
    pub fn receive_request(&mut self, request: Coordinates, form: Form) {
        self.form = form;
        if self.open_request == Some(request) {
            self.stray_request = None;
            if let Some(answer) = &mut self.answer {
                answer.polls_before_sending = answer.polls_before_sending.saturating_sub(1);
            }
            return;
        }
        // If our colour is unknown, others started the match, perhaps many moves ago. Then only the request for the
        // first move of a game can be trusted.
        let is_known = self.colour.is_some() || request == Coordinates::NONE;
        if !(self.is_repeated(request) || is_known && self.apply_request(request)) {
            self.stray_request = Some(request);
        }
    }

    /// Tests if `request` repeats an earlier request or is one of our moves. No move can occur twice in a game, because
    /// the move's arrow stays on the board.
    fn is_repeated(&self, request: Coordinates) -> bool {
        let is_opening = request == Coordinates::NONE && !self.moves.is_empty();
        is_opening || self.known_moves().any(|turn| request == turn.into())
    }

    /// Plays our unconfirmed answer, if any, then the opponent's move in `request`, on the board. Returns true on
    /// success. Returns false, and changes nothing, if a move is illegal, our colour would not be to move, or the open
    /// request has no answer yet.
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

    /// Handles a complete reply to a poll that contains no request of this match. The platform repeats a request until
    /// it has received our answer, so if we have sent an answer, it has probably arrived: it is sent again only after
    /// two more replies repeat the request.
    pub const fn note_missing_request(&mut self) {
        if let Some(answer) = &mut self.answer
            && answer.polls_before_sending > 0
        {
            answer.polls_before_sending = 2;
        }
    }

    /// Stores the move that the search chose as our answer. Ignores `turn` if the move is illegal or no answer is
    /// needed.
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

    /// Handles the failure of a poll that was to send our answer. `may_have_arrived` is false if the platform can't
    /// have received the answer; then the next poll sends it again.
    pub fn handle_failed_poll(&mut self, may_have_arrived: bool) {
        if let Some(answer) = &mut self.answer {
            answer.polls_before_sending = u8::from(may_have_arrived);
        }
    }

    /// Updates the state from `log`, the moves of the match's public log. If a request fits no known position, the
    /// log's moves replace the known moves if they explain this request; otherwise they do so if there are more of them
    /// than known moves. If `log` is empty, does the same as `accept_stray_request`.
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

    /// Accepts the request that fits no known position as the first request of the match, if no move and no other
    /// request is known, and the request asks for the first move of the game or its move is legal at the start. This is
    /// called if no public log explains the request.
    pub fn accept_stray_request(&mut self) {
        let is_blank = self.moves.is_empty() && self.open_request.is_none();
        if let Some(request) = self.stray_request.filter(|_| is_blank) {
            self.apply_request(request);
        }
    }
}

/// Returns the request that the platform sends after `moves`: the last move, or [`Coordinates::NONE`] if `moves` is
/// empty.
fn request_after(moves: &[Move]) -> Coordinates {
    moves.last().map_or(Coordinates::NONE, |&turn| turn.into())
}
