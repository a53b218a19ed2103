//! State of one match on Botzone ([`MatchSession`]): its moves, the last request, and our answer to it. A request
//! contains the opponent's last move, or [`Coordinates::NONE`] if we make the first move of the game.

use super::poll::write_answer;
use engine::board::{Board, IllegalMove, Move, Player};
use engine::botzone::Protocol;
use record::judge::Coordinates;

/// State of a match on Botzone, as far as it is known from the match's requests and public log.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSession {
    /// Moves of both players that are known for certain, in order. A move of ours belongs to them only when Botzone has
    /// confirmed it by sending the next request.
    pub moves: Vec<Move>,
    /// Position after the moves in `moves`.
    pub board: Board,
    /// Our colour. `None` as long as it is unknown: the match was started at a table (Botzone's page where players
    /// meet) and has not sent its first request.
    pub colour: Option<Player>,
    protocol: Protocol,
    /// Last request that we have accepted: the opponent's move, or `Coordinates::NONE` if we make the first move of the
    /// game. It stays here until the next request confirms that Botzone has received our answer. `None` before the
    /// first request, and if the match's log shows that the opponent is to move. A request that contradicts the known
    /// moves is stored in `contradicting_request` instead.
    open_request: Option<Coordinates>,
    answer: Option<Answer>,
    /// Botzone's last request if it contradicts the known moves, for example because we missed moves; otherwise `None`.
    /// As long as there is such a request, no answer is sent; the match's public log must explain the request first.
    contradicting_request: Option<Coordinates>,
}

/// Our answer to Botzone's last request of a match. It is kept until Botzone confirms it by sending the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    turn: Move,
    /// Number of repetitions of Botzone's request that must still arrive before the next poll sends this answer
    /// (again). Botzone repeats a request in its replies to polls until it has received our answer. Each repetition
    /// decreases the number by 1, to no less than 0.
    ///
    /// - 0: The next poll sends the answer. It was not sent yet, or is known not to have arrived.
    /// - 1: It is unknown whether the answer has arrived: one repetition of the request was received, the poll with the
    ///   answer failed, or an earlier call of the program may have sent the answer. One more repetition shows that it
    ///   has not arrived.
    /// - 2: The answer was sent. The first repetition proves nothing, because Botzone may have prepared it before the
    ///   answer arrived.
    ///
    /// A reply to a poll without a request of this match suggests that the answer has arrived. It increases the number
    /// from 1 to 2.
    awaited_repeats: u8,
}

impl MatchSession {
    /// Returns the state of a match before its first request. `colour` is our colour. It is `None` (unknown) if the
    /// match was started at a table, Botzone's page where players meet, and not by this program.
    pub fn new(colour: Option<Player>) -> MatchSession {
        MatchSession {
            moves: Vec::new(),
            board: Board::start(),
            colour,
            protocol: Protocol::Simple,
            open_request: None,
            answer: None,
            contradicting_request: None,
        }
    }

    /// Restores the state of a match from `moves`, the moves that an earlier call of this program saved. `colour` is
    /// our colour. A last move of ours becomes an unconfirmed answer, because Botzone may not have received it.
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
                awaited_repeats: 1,
            });
        }
        Ok(session)
    }

    /// Tests if a move must be searched for: Botzone has requested a move, no answer has been chosen yet, and no
    /// request contradicts the known moves.
    pub const fn needs_answer(&self) -> bool {
        self.open_request.is_some() && self.answer.is_none() && self.contradicting_request.is_none()
    }

    /// Tests if Botzone's last request contradicts the moves that we know of the match. If so, no answer is sent.
    pub const fn has_contradicting_request(&self) -> bool {
        self.contradicting_request.is_some()
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

    /// Processes a request of this match. `request` is the opponent's last move, or [`Coordinates::NONE`] if we make
    /// the first move of the game; `protocol` is the request's protocol (simple or JSON). There are four cases:
    /// - The request equals the last accepted request. If we have chosen an answer, the repetition is counted, to
    ///   decide when to send the answer again.
    /// - The request repeats another known move, or asks for the first move of a game that has begun. It is ignored.
    /// - The request is new and fits: it asks for the first move of the game, or our colour is known, we have answered
    ///   the previous request, and the opponent's move is legal. The move is played on the board, and we must answer.
    /// - Any other request contradicts the known moves. No answer is sent until the match's public log explains it.
    pub fn receive_request(&mut self, request: Coordinates, protocol: Protocol) {
        self.protocol = protocol;
        if self.open_request == Some(request) {
            self.contradicting_request = None;
            if let Some(answer) = &mut self.answer {
                answer.awaited_repeats = answer.awaited_repeats.saturating_sub(1);
            }
            return;
        }
        // If our colour is unknown, the match was started at a table on Botzone, perhaps many moves ago. Then accept
        // only the request to make the first move of a game; any other request needs the match's log.
        let is_known = self.colour.is_some() || request == Coordinates::NONE;
        if !(self.is_repeated(request) || is_known && self.apply_request(request)) {
            self.contradicting_request = Some(request);
        }
    }

    /// Tests if `request` is a move that was already played in this match, and therefore brings nothing new. No move
    /// can occur twice in a game, because its arrow stays on the board.
    fn is_repeated(&self, request: Coordinates) -> bool {
        let is_opening = request == Coordinates::NONE && !self.moves.is_empty();
        is_opening || self.known_moves().any(|turn| request == turn.into())
    }

    /// Plays two moves on the board: our answer, if Botzone has not confirmed it yet, then the opponent's move in
    /// `request`. Returns true on success. Changes nothing and returns false in three cases:
    /// - One of the moves is illegal.
    /// - We would not be to move afterwards.
    /// - We have not answered the previous request yet.
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
                contradicting_request: None,
                ..next
            };
        }
        fits
    }

    /// Processes a reply to a poll that contains no request of this match. Botzone repeats a request until it has
    /// received our answer, so an answer that was sent has probably arrived. Therefore the answer is sent again only
    /// after two more repetitions of the request. Does nothing if there is no answer, or if the next poll is to send
    /// it.
    pub const fn handle_missing_request(&mut self) {
        if let Some(answer) = &mut self.answer
            && answer.awaited_repeats > 0
        {
            answer.awaited_repeats = 2;
        }
    }

    /// Stores `answer`, a move chosen by the search, as our answer to the last request. The next poll sends it. Does
    /// nothing if the move is illegal or no answer is needed.
    pub fn set_answer(&mut self, answer: Move) {
        if self.needs_answer() && self.board.check(answer).is_ok() {
            self.answer = Some(Answer {
                turn: answer,
                awaited_repeats: 0,
            });
        }
    }

    /// Returns the text of our answer if the next poll must send it, and marks the answer as sent. Returns `None` if
    /// there is nothing to send.
    pub fn take_answer(&mut self) -> Option<String> {
        let has_stray_request = self.has_contradicting_request();
        let answer = self.answer.as_mut();
        let answer = answer.filter(|answer| answer.awaited_repeats == 0 && !has_stray_request)?;
        answer.awaited_repeats = 2;
        Some(write_answer(answer.turn, self.protocol))
    }

    /// Handles the failure of a poll that carried our answer. `may_have_arrived` tells whether Botzone may have
    /// received the answer. If false, the next poll sends the answer again. If true, the answer is sent again only
    /// after Botzone has repeated its request.
    pub fn handle_failed_poll(&mut self, may_have_arrived: bool) {
        if let Some(answer) = &mut self.answer {
            answer.awaited_repeats = u8::from(may_have_arrived);
        }
    }

    /// Updates the known moves by `log`, the moves in the match's public log. A request is Botzone's last one for this
    /// match; it contradicts the known moves if it can't follow them. There are three cases:
    /// - `log` is empty: calls [`MatchSession::accept_contradicting_request`].
    /// - `log` has moves, and a request contradicts the known moves: `log` replaces them if Botzone sends this request
    ///   after all moves of `log`, or after all but the last.
    /// - `log` has moves, and no request contradicts the known moves: `log` replaces them if it has more moves and our
    ///   colour is known.
    ///
    /// Nothing is replaced if a move of `log` is illegal, or if by `log` we would have the other colour.
    pub fn apply_log(&mut self, log: &[Move]) {
        if log.is_empty() {
            return self.accept_contradicting_request();
        }
        let mut next = MatchSession::new(None);
        let is_legal = log.iter().all(|&turn| next.push(turn).is_ok());
        let to_move = next.board.to_move();
        let is_longer = log.len() > self.known_moves().count();
        let colour = match self.contradicting_request {
            Some(request) if request == request_after(log) => Some(to_move),
            Some(request) if request == request_after(&log[..log.len() - 1]) => Some(!to_move),
            Some(_) => None,
            None => self.colour.filter(|_| is_longer),
        };
        let fits = colour.is_some() && self.colour.is_none_or(|known| Some(known) == colour);
        if is_legal && fits {
            *self = MatchSession {
                colour,
                protocol: self.protocol,
                open_request: (colour == Some(to_move)).then(|| request_after(log)),
                ..next
            };
        }
    }

    /// Accepts the request in `contradicting_request` as the first request of the match. Call this if Botzone has no
    /// log of the match, so that the match has probably just begun. It helps in a match that was started at a table and
    /// in which the opponent moves first: there, the first request is not accepted at once, because our colour is
    /// unknown.
    ///
    /// Does nothing if no request contradicts the known moves, if a move or an accepted request is already known, or if
    /// the request can't be the first one of a match.
    pub fn accept_contradicting_request(&mut self) {
        let is_blank = self.moves.is_empty() && self.open_request.is_none();
        if let Some(request) = self.contradicting_request.filter(|_| is_blank) {
            self.apply_request(request);
        }
    }
}

/// Returns the request that Botzone sends after `moves`: the last move, or [`Coordinates::NONE`] if `moves` is empty.
fn request_after(moves: &[Move]) -> Coordinates {
    moves.last().map_or(Coordinates::NONE, |&turn| turn.into())
}
