//! Tests the state of a match without network and clock: whichever polls are lost, every request gets one answer, and every
//! match ends. Also tests the parser of polls and the back-off.

use crate::common::Dice;
use engine::board::{Board, Move, Player};
use engine::botzone::Protocol;
use engine::movegen;
use proptest::prelude::*;
use record::judge::Coordinates;
use std::time::Duration;
use tools::online::backoff::Backoff;
use tools::online::poll::{self, MatchResult, PollReply, parse_request};
use tools::online::session::MatchSession;
use tools::platform::address::Id;

const A: &str = "594553a2630d4c0758e2b2b1";
const B: &str = "594553a2630d4c0758e2b2b2";

/// A match from the platform's side, with the program's session.
struct SimulatedMatch {
    board: Board,
    moves: Vec<Move>,
    us: Player,
    pending: Option<Coordinates>,
    session: MatchSession,
    dice: Dice,
}

impl SimulatedMatch {
    fn new(seed: u64) -> SimulatedMatch {
        let mut dice = Dice::new(seed);
        let us = [Player::Black, Player::White][dice.below(2)];
        let is_started = dice.below(2) == 0;
        SimulatedMatch {
            board: Board::start(),
            moves: Vec::new(),
            us,
            pending: (us == Player::Black).then_some(Coordinates::NONE),
            session: MatchSession::new(is_started.then_some(us)),
            dice,
        }
    }

    fn play(&mut self, turn: Move) {
        self.board.play(turn).expect("a legal move");
        self.moves.push(turn);
    }

    fn random_move(&mut self, board: &Board) -> Option<Move> {
        let moves = movegen::moves(board);
        (!moves.is_empty()).then(|| moves[self.dice.below(moves.len())])
    }

    /// Plays a random move of the opponent, if it is to move.
    fn reply(&mut self) {
        let board = self.board.clone();
        let turn = self
            .random_move(&board)
            .filter(|_| board.to_move() != self.us);
        if let Some(turn) = turn {
            self.play(turn);
            self.pending = (movegen::count(&self.board) > 0).then(|| turn.into());
        }
    }

    /// Simulates a poll. `wire`: 0 good, 1 never sent, 2 lost before or 3 after it arrived, 4 repeats the answered request,
    /// 5 shows no request.
    fn poll(&mut self, wire: usize) {
        let sent = self.session.take_answer();
        if wire == 1 || wire == 2 {
            return sent
                .into_iter()
                .for_each(|_| self.session.handle_failed_poll(wire == 2));
        }
        let mut shown = None;
        if let Some(text) = &sent {
            shown = Some(self.pending.take().expect("an answer is asked for"));
            let (turn, _) = parse_request(text).expect("a move");
            assert_eq!(self.board.to_move(), self.us);
            self.play(Move::from_coordinates(turn.numbers()).expect("on the board"));
        }
        if wire == 3 {
            return sent
                .into_iter()
                .for_each(|_| self.session.handle_failed_poll(true));
        }
        let shown = shown.filter(|_| wire == 4).or(self.pending);
        match shown.filter(|_| wire != 5) {
            Some(request) => self.session.receive_request(request, Protocol::Simple),
            None => self.session.handle_missing_request(),
        }
    }

    /// Lets the program decide on a move, restart with its saved moves or read the complete or an outdated log; or lets the
    /// opponent move.
    fn step(&mut self) {
        match self.dice.below(4) {
            0 if self.session.needs_answer() => {
                let board = self.session.board.clone();
                let turn = self.random_move(&board).expect("a request is for a move");
                self.session.set_answer(turn);
            }
            1 if self.session.colour == Some(self.us) => {
                let known: Vec<Move> = self.session.known_moves().collect();
                self.session = MatchSession::resume(self.us, &known).expect("legal");
            }
            // The log of a finished match would end the session.
            2 if movegen::count(&self.board) > 0 => {
                let behind = self.dice.below(3).min(self.moves.len());
                self.session
                    .apply_log(&self.moves[..self.moves.len() - behind]);
            }
            _ => self.reply(),
        }
        let known: Vec<Move> = self.session.known_moves().collect();
        assert!(self.moves.starts_with(&known) || known[..known.len() - 1] == self.moves);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_gets_one_answer(seed in any::<u64>(), wires in prop::collection::vec(0_usize..6, 200)) {
        let mut world = SimulatedMatch::new(seed);
        for wire in wires {
            world.step();
            world.poll(wire);
        }
        for _ in 0..2000 {
            world.step();
            world.poll(0);
        }
        prop_assert!(movegen::count(&world.board) == 0, "the match doesn't end");
    }

    #[test]
    fn any_reply_is_parsed_without_panic(text in "[0-9a-f \n\r{}\":,x-]{0,200}") {
        let _ = (poll::parse_reply(&text), parse_request(&text));
    }

    /// A reply truncated anywhere is rejected, unless only its last line break is missing.
    #[test]
    fn truncated_replies_are_rejected(cut in 1_usize..120) {
        let text = format!("1 1\n{A}\n2 0 2 5 6 5\n{B} 1 2 0 2\n");
        if let Ok(reply) = poll::parse_reply(&text[..cut.min(text.len())]) {
            prop_assert_eq!(Ok(reply), poll::parse_reply(&text));
        }
    }
}

/// An illegal request, as after a server error, changes neither the position nor the pending answer.
#[test]
fn impossible_request_is_ignored() {
    let turn = |text: &str| -> Move { text.parse().expect("a move") };
    let mut session = MatchSession::new(Some(Player::Black));
    session.receive_request(Coordinates::NONE, Protocol::Simple);
    let (ours, theirs) = (turn("2 0 2 5 5 5"), turn("2 7 2 6 3 6"));
    session.set_answer(ours);
    session.receive_request(Coordinates::new([3, 3, 3, 4, 3, 5]), Protocol::Simple);
    assert!(session.has_contradicting_request() && session.take_answer().is_none());
    session.receive_request(Coordinates::NONE, Protocol::Simple);
    assert_eq!(session.take_answer().as_deref(), Some("2 0 2 5 5 5"));
    session.receive_request(theirs.into(), Protocol::Simple);
    assert!(session.needs_answer());
    assert_eq!(session.moves, [ours, theirs]);
}

/// The first request that is seen may come from the middle of a match. If there is no log, a legal first move begins the
/// match.
#[test]
fn match_of_unknown_start_waits_for_log() {
    let request: Move = "2 0 2 5 5 5".parse().expect("a move");
    let mut session = MatchSession::new(None);
    session.receive_request(request.into(), Protocol::Json);
    assert!(session.has_contradicting_request() && !session.needs_answer());
    session.accept_contradicting_request();
    assert_eq!(
        (session.colour, session.needs_answer()),
        (Some(Player::White), true)
    );
    let mut session = MatchSession::new(None);
    session.receive_request(Coordinates::new([3, 3, 3, 4, 3, 5]), Protocol::Json);
    session.accept_contradicting_request();
    assert!(session.has_contradicting_request());
}

#[test]
fn valid_replies_are_parsed_others_rejected() {
    let text = format!("1 2\r\n{A}\r\n-1 -1 -1 -1 -1 -1\r\n{B} 1 2 0 2\r\n{A} 0 0\r\n");
    let [a, b]: [Id; 2] = [A, B].map(|id| id.parse().expect("an id"));
    let reply = PollReply {
        requests: [(a, "-1 -1 -1 -1 -1 -1".to_owned())].into(),
        results: vec![
            MatchResult {
                id: b,
                won: Some(true),
            },
            MatchResult { id: a, won: None },
        ],
    };
    assert_eq!(poll::parse_reply(&text), Ok(reply));
    for nothing in ["0 0", " \n", ""] {
        assert_eq!(poll::parse_reply(nothing), Ok(PollReply::default()));
    }
    for text in [
        "<html><body>502 Bad Gateway</body></html>",
        "1",
        "1 0",
        &format!("1 0\n{A}"),
        &format!("0 1\n{A} 0 2 2"),
        &format!("0 1\n{A} 0 2 2 NaN"),
        &format!("0 1\n{A} 2 2 2 0"),
        "1 0\n5945\n0 0 0 0 0 0",
        "18446744073709551615 0",
        "99999999999999999999 0",
        "0 0\nmore",
    ] {
        assert!(poll::parse_reply(text).is_err(), "{text}");
    }
}

#[test]
fn delays_grow_to_their_maximum_and_reset() {
    let mut backoff = Backoff::new(Duration::from_secs(1), 300);
    for expected in [5, 10, 20, 40, 80, 160, 300, 300, 300] {
        let wait = backoff.record_failure().as_secs_f64() / f64::from(expected);
        assert!((1.0..=1.25).contains(&wait), "{expected}: {wait}");
    }
    backoff.failures = 0;
    assert!(backoff.record_failure().as_secs() < 7);
}
