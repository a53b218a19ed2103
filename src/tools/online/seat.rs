//! One match under way: its board, whose turn it is, and what is known of the answer to the last request.
//!
//! An answer carries the match's id and nothing else. Sent once too often it would be taken for the answer to the next
//! request. So an answer whose fate is unknown is sent again only after a poll without it has shown the same request.
//!
//! A seat only learns: nothing that it knows is given up for a request that it can't understand, or for the news that
//! the match is one that was started here.

use crate::board::{Board, Move, Player};
use crate::botzone::Form;
use crate::tools::record::judge::Coordinates;
use crate::tools::record::replayed::Replayed;

/// How far the turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The opponent is to move, or the match has not begun.
    Waiting,
    /// The turn is ours and nobody thinks about it: the request is to come again.
    Due,
    /// The turn is being thought about.
    Thinking,
    /// The answer goes out with the next poll.
    Ready(Move),
    /// The answer is in the poll under way.
    Sent(Move),
    /// The poll with the answer came back whole.
    Delivered(Move),
    /// Nobody can tell if the answer was taken.
    Doubtful(Move),
}

/// What a request asks of us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Nothing: it is known.
    Nothing,
    /// A thought about the board.
    Thought,
    /// The public log.
    Log,
}

/// A match under way, seen from our place.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    moves: Vec<Move>,
    board: Board,
    form: Form,
    stage: Stage,
    /// A request that fits no known position: the public log has to tell. Until then nothing is sent.
    stray: Option<Coordinates>,
    colour: Option<Player>,
    /// Whether we have started the match: it begins with its first request.
    is_announced: bool,
}

impl Seat {
    /// A match before its first request. `colour`: ours, if we have started it.
    #[must_use]
    pub fn new(colour: Option<Player>) -> Seat {
        Seat {
            moves: Vec::new(),
            board: Board::start(),
            form: Form::Simple,
            stage: Stage::Waiting,
            stray: None,
            colour,
            is_announced: colour.is_some(),
        }
    }

    /// A match that an earlier run has played. `moves`: all that are certain. `answer`: what it may have sent.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn resumed(colour: Player, moves: &[Move], answer: Option<Move>) -> Result<Seat, String> {
        let mut seat = Seat::new(Some(colour));
        for &turn in moves {
            seat.push(turn)?;
        }
        if let Some(answer) = answer {
            seat.board
                .check(answer)
                .map_err(|error| error.to_string())?;
        }
        seat.stage = match answer {
            Some(answer) => Stage::Doubtful(answer),
            None if !moves.is_empty() && seat.board.to_move() == colour => Stage::Due,
            None => Stage::Waiting,
        };
        Ok(seat)
    }

    /// All moves that are certain; our last answer is not, until a request follows.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after them.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Our colour, once it is known.
    #[must_use]
    pub const fn colour(&self) -> Option<Player> {
        self.colour
    }

    /// How far the turn has come.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Tests if a request fits no known position.
    #[must_use]
    pub const fn is_astray(&self) -> bool {
        self.stray.is_some()
    }

    /// Tests if the turn is being thought about.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.stage == Stage::Thinking && !self.is_astray()
    }

    /// Tests if we have started the match, in this run or in an earlier one.
    #[must_use]
    pub const fn is_announced(&self) -> bool {
        self.is_announced
    }

    /// The form of the last request.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Our answer to the last request, if there is one.
    #[must_use]
    pub const fn answer(&self) -> Option<Move> {
        match self.stage {
            Stage::Ready(answer)
            | Stage::Sent(answer)
            | Stage::Delivered(answer)
            | Stage::Doubtful(answer) => Some(answer),
            _ => None,
        }
    }

    fn push(&mut self, turn: Move) -> Result<(), String> {
        self.board.play(turn).map_err(|error| error.to_string())?;
        self.moves.push(turn);
        Ok(())
    }

    /// Learns that we have started the match, and our colour. Nothing that is known already changes.
    pub fn announce(&mut self, colour: Player) -> Demand {
        self.is_announced = true;
        self.colour.get_or_insert(colour);
        self.begin_without_log()
    }

    /// Takes a request that a poll has shown.
    pub fn hear(&mut self, request: Coordinates, form: Form) -> Demand {
        self.form = form;
        let is_ours = self.stage != Stage::Waiting;
        if is_ours && request == self.last() {
            return self.hear_again();
        }
        if self.is_past(request) {
            // An old reply says nothing of the answer that went out.
            self.lose(true);
            return Demand::Nothing;
        }
        if self.follow(request) {
            return self.begin();
        }
        self.stray = Some(request);
        Demand::Log
    }

    /// The request that led to the position.
    fn last(&self) -> Coordinates {
        self.moves
            .last()
            .map_or(Coordinates::NONE, |&turn| turn.into())
    }

    /// Takes the last request once more.
    fn hear_again(&mut self) -> Demand {
        self.stray = None;
        self.stage = match self.stage {
            Stage::Due => return self.begin(),
            // An answer that came back whole may still be shown by a server that had this reply ready.
            Stage::Sent(answer) | Stage::Delivered(answer) => Stage::Doubtful(answer),
            // The poll that showed it did not carry it: it was not taken.
            Stage::Doubtful(answer) => Stage::Ready(answer),
            stage => stage,
        };
        Demand::Nothing
    }

    /// Tests if a request is one of earlier turns. No move can be made twice: its arrow stays.
    fn is_past(&self, request: Coordinates) -> bool {
        let is_opening = request == Coordinates::NONE;
        let mut known = self.moves.iter().copied().chain(self.answer());
        is_opening && !self.moves.is_empty() || known.any(|turn| request == turn.into())
    }

    /// Plays our answer, if there is one out, and the opponent's reply to it. Returns whether the reply fits.
    fn follow(&mut self, request: Coordinates) -> bool {
        let is_begun = self.is_announced || !self.moves.is_empty() || request == Coordinates::NONE;
        match self.stage {
            Stage::Waiting => is_begun && self.play(request),
            Stage::Sent(_) | Stage::Delivered(_) | Stage::Doubtful(_) => self.play(request),
            _ => false,
        }
    }

    /// Plays as [`Seat::follow`] does, whatever the stage.
    fn play(&mut self, request: Coordinates) -> bool {
        let mut next = self.clone();
        let answered = self.answer().is_none_or(|answer| next.push(answer).is_ok());
        let reply = match request {
            Coordinates::NONE => next.moves.is_empty(),
            _ => {
                Move::from_coordinates(request.numbers()).is_ok_and(|turn| next.push(turn).is_ok())
            }
        };
        let colour = next.board.to_move();
        let fits = answered && reply && self.colour.is_none_or(|known| known == colour);
        if fits {
            *self = next;
            (self.colour, self.stray) = (Some(colour), None);
        }
        fits
    }

    /// Begins to think about the turn.
    const fn begin(&mut self) -> Demand {
        self.stage = Stage::Thinking;
        Demand::Thought
    }

    /// Takes a poll's end that has not shown this match.
    pub const fn hear_nothing(&mut self) {
        self.stage = match self.stage {
            // A request stands until its answer is taken.
            Stage::Sent(answer) | Stage::Doubtful(answer) => Stage::Delivered(answer),
            stage => stage,
        };
    }

    /// Takes the end of a poll whose reply is lost. `sent`: whether it may have reached the platform.
    pub const fn lose(&mut self, sent: bool) {
        self.stage = match self.stage {
            Stage::Sent(answer) if sent => Stage::Doubtful(answer),
            Stage::Sent(answer) => Stage::Ready(answer),
            stage => stage,
        };
    }

    /// Takes the move that was thought of.
    pub fn decide(&mut self, answer: Move) {
        if self.stage == Stage::Thinking && self.board.check(answer).is_ok() {
            self.stage = Stage::Ready(answer);
        }
    }

    /// Sends the answer with the poll that begins.
    pub const fn send(&mut self) -> Option<Move> {
        match self.stage {
            Stage::Ready(answer) if !self.is_astray() => {
                self.stage = Stage::Sent(answer);
                Some(answer)
            }
            _ => None,
        }
    }

    /// Learns from the public log of the running match.
    pub fn learn(&mut self, game: &Replayed) -> Demand {
        let moves: Option<Vec<Move>> = (0..game.plies()).map(|ply| game.move_at(ply)).collect();
        let moves = moves.unwrap_or_default();
        match self.stray {
            // A log at its opening knows no more than the request.
            Some(_) if moves.is_empty() => self.begin_without_log(),
            Some(request) => self.return_by(request, &moves),
            None => self.catch_up(&moves),
        }
    }

    /// Finds a request that led astray in the log.
    fn return_by(&mut self, request: Coordinates, moves: &[Move]) -> Demand {
        let is_request =
            |turn: Option<&Move>| turn.map_or(Coordinates::NONE, |&turn| turn.into()) == request;
        let answered = moves
            .split_last()
            .filter(|(_, before)| is_request(before.last()));
        let mut seat = Seat::new(None);
        let is_whole = moves.iter().all(|&turn| seat.push(turn).is_ok());
        let (colour, stage) = if is_request(moves.last()) {
            (seat.board.to_move(), Stage::Thinking)
        } else if answered.is_some() {
            (!seat.board.to_move(), Stage::Waiting)
        } else {
            return Demand::Nothing;
        };
        if !is_whole || self.colour.is_some_and(|known| known != colour) {
            return Demand::Nothing;
        }
        (self.moves, self.board) = (seat.moves, seat.board);
        (self.colour, self.stage, self.stray) = (Some(colour), stage, None);
        match stage {
            Stage::Thinking => Demand::Thought,
            _ => Demand::Nothing,
        }
    }

    /// Takes from the log a request that no poll has brought. A log that is behind says nothing.
    fn catch_up(&mut self, moves: &[Move]) -> Demand {
        let is_first = moves.is_empty() && self.moves.is_empty();
        if is_first && self.colour == Some(Player::Black) && self.stage == Stage::Waiting {
            return self.begin();
        }
        if self.stage == Stage::Due && moves == self.moves {
            return self.begin();
        }
        let known = self.moves.len() + usize::from(self.answer().is_some());
        let same = moves.len() == known + 1
            && moves.starts_with(&self.moves)
            && self
                .answer()
                .is_none_or(|answer| moves[known - 1] == answer);
        if same && self.follow(moves[known].into()) {
            return self.begin();
        }
        Demand::Nothing
    }

    /// Takes a request that led astray for the first one of a match, if it is legal there: no log tells otherwise.
    pub fn begin_without_log(&mut self) -> Demand {
        let is_blank = self.moves.is_empty() && self.stage == Stage::Waiting;
        let stray = self.stray.filter(|_| is_blank);
        match stray.is_some_and(|request| self.play(request)) {
            true => self.begin(),
            false => Demand::Nothing,
        }
    }
}
