//! The decisions of play on the platform, against a model of it without network, clock and threads: whatever the wire
//! does, every request gets one answer, in its own match, and every match comes to its end; whenever the answer to its
//! start comes.

use crate::common::Dice;
use amazons::board::{Board, Move, Player};
use amazons::botzone::Form;
use amazons::movegen;
use amazons::tools::online::poll::{Ending, PollReply};
use amazons::tools::online::request;
use amazons::tools::online::seat::{Demand, Seat, Stage};
use amazons::tools::online::session::{Effect, Session};
use amazons::tools::platform::address::Id;
use amazons::tools::record::judge::Coordinates;
use amazons::tools::record::replayed::Replayed;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// What happens to a poll.
#[derive(Clone, Copy, Debug)]
enum Wire {
    Good,
    /// It never left.
    NotSent,
    /// It was lost on its way there, or on its way back.
    LostBefore,
    LostAfter,
    /// Requests that it answers are shown once more.
    Doubled,
    /// Requests are left out.
    Withheld,
    /// Every line stands there twice.
    Twice,
}

const WIRES: [Wire; 7] = [
    Wire::Good,
    Wire::NotSent,
    Wire::LostBefore,
    Wire::LostAfter,
    Wire::Doubled,
    Wire::Withheld,
    Wire::Twice,
];

/// Whether we have started a match, and know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// It is a table.
    Foreign,
    /// The answer to its start is on its way.
    Unanswered,
    Answered,
}

/// A match as the platform knows it.
struct Game {
    id: Id,
    board: Board,
    moves: Vec<Move>,
    us: Player,
    pending: Option<Coordinates>,
    is_told: bool,
    start: Start,
}

impl Game {
    fn new(number: u64, us: Player, start: Start) -> Game {
        Game {
            id: format!("{number:024x}").parse().expect("an id"),
            board: Board::start(),
            moves: Vec::new(),
            us,
            start,
            pending: (us == Player::Black).then_some(Coordinates::NONE),
            is_told: false,
        }
    }

    fn is_over(&self) -> bool {
        movegen::count(&self.board) == 0
    }

    /// Takes an answer: there is a request, and the move is legal.
    fn answer(&mut self, text: &str) -> Coordinates {
        let (numbers, _) = request::read(text).expect("a move");
        let request = self.pending.take().expect("an answer is asked for");
        let turn = Move::from_coordinates(numbers.numbers()).expect("on the board");
        assert_eq!(self.board.to_move(), self.us);
        self.board.play(turn).expect("a legal answer");
        self.moves.push(turn);
        request
    }

    /// Lets the opponent move, if it is to.
    fn reply(&mut self, dice: &mut Dice) {
        let moves = movegen::moves(&self.board);
        if self.board.to_move() == self.us || moves.is_empty() {
            return;
        }
        let turn = moves[dice.below(moves.len())];
        self.board.play(turn).expect("legal");
        self.moves.push(turn);
        self.pending = (!self.is_over()).then(|| turn.into());
    }

    fn ending(&mut self) -> Option<Ending> {
        if !self.is_over() || std::mem::replace(&mut self.is_told, true) {
            return None;
        }
        let mut scores = vec![0.0; 2];
        scores[!self.board.to_move() as usize] = 2.0;
        let (id, slot) = (self.id, self.us as usize);
        Some(Ending { id, slot, scores })
    }
}

/// The platform, the client, and the thoughts under way.
struct World {
    games: Vec<Game>,
    /// Matches that there will be.
    count: usize,
    session: Session,
    thoughts: Vec<(Id, Board)>,
    thought_of: BTreeSet<(Id, u64)>,
    ended: BTreeSet<Id>,
    dice: Dice,
}

impl World {
    fn new(seed: u64, count: usize) -> World {
        World {
            games: Vec::new(),
            count,
            session: Session::default(),
            thoughts: Vec::new(),
            thought_of: BTreeSet::new(),
            ended: BTreeSet::new(),
            dice: Dice::new(seed),
        }
    }

    /// A match begins, at a table or because we start it.
    fn begin(&mut self) {
        if self.games.len() == self.count {
            return;
        }
        let is_table = self.session.is_starting() || self.dice.below(3) == 0;
        let start = match is_table {
            true => Start::Foreign,
            false => {
                self.session.expect();
                Start::Unanswered
            }
        };
        let number = self.games.len() as u64;
        let us = [Player::Black, Player::White][self.dice.below(2)];
        self.games.push(Game::new(number, us, start));
    }

    /// The answer to a start comes at last, or is lost.
    fn announce(&mut self) {
        let mut games = self.games.iter_mut();
        let Some(game) = games.find(|game| game.start == Start::Unanswered) else {
            return;
        };
        let (id, us) = (game.id, game.us);
        let before = self.session.seats().get(&id).cloned();
        let effects = if self.dice.below(8) > 0 {
            game.start = Start::Answered;
            self.session.announce(id, us)
        } else {
            game.start = Start::Foreign;
            self.session.give_up()
        };
        // Nothing that the seat knows is given up.
        if let (Some(before), Some(after)) = (before, self.session.seats().get(&id)) {
            assert!(after.moves().starts_with(before.moves()));
            assert!(before.stage() == after.stage() || before.is_astray());
        }
        self.take(effects);
    }

    /// The log of a match that has led astray comes, whole or a ply behind, or doesn't.
    fn tell_log(&mut self) {
        let astray = |game: &&Game| {
            let seat = self.session.seats().get(&game.id);
            seat.is_some_and(Seat::is_astray)
        };
        let Some(game) = self.games.iter().find(astray) else {
            return;
        };
        let behind = self.dice.below(2).min(game.moves.len());
        let log = Replayed::of_moves(&game.moves[..game.moves.len() - behind]);
        let effects = match self.dice.below(4) {
            0 => self.session.miss(game.id, true),
            1 => self.session.miss(game.id, false),
            _ => self.session.learn(game.id, &log.expect("legal")),
        };
        self.take(effects);
    }

    fn poll(&mut self, wire: Wire) {
        let answers = self.session.send();
        match wire {
            Wire::NotSent => return self.session.lose(false),
            Wire::LostBefore => return self.session.lose(true),
            _ => {}
        }
        let mut doubled = Vec::new();
        for (id, text) in &answers {
            let game = self.games.iter_mut().find(|game| game.id == *id);
            let game = game.expect("a match that there is");
            doubled.push((*id, game.answer(text)));
        }
        if let Wire::LostAfter = wire {
            return self.session.lose(true);
        }
        let mut reply = PollReply::default();
        for game in &mut self.games {
            let again = doubled.iter().find(|(id, _)| *id == game.id);
            let again = again.filter(|_| matches!(wire, Wire::Doubled));
            let shown = again.map(|&(_, request)| request).or(game.pending);
            let is_withheld = matches!(wire, Wire::Withheld) && self.dice.below(2) == 0;
            if let Some(request) = shown.filter(|_| !is_withheld) {
                let text = request.numbers().map(|n| n.to_string()).join(" ");
                reply.requests.push((game.id, text));
            }
            reply.endings.extend(game.ending());
        }
        if let Wire::Twice = wire {
            reply.requests.extend(reply.requests.clone());
            reply.endings.extend(reply.endings.clone());
        }
        for at in (1..reply.requests.len()).rev() {
            reply.requests.swap(at, self.dice.below(at + 1));
        }
        let effects = self.session.hear(reply);
        self.take(effects);
    }

    fn take(&mut self, effects: impl IntoIterator<Item = Effect>) {
        for effect in effects {
            match effect {
                Effect::Think(id) => {
                    let board = self.session.seats()[&id].board().clone();
                    let is_new = self.thought_of.insert((id, board.empty()));
                    assert!(is_new, "a turn is thought about twice");
                    self.thoughts.push((id, board));
                }
                Effect::Ended(ending, seat) => {
                    assert!(self.ended.insert(ending.id));
                    let game = self.games.iter().find(|game| game.id == ending.id);
                    let game = game.expect("a match that there is");
                    assert_ne!(game.start, Start::Unanswered, "whose match is it?");
                    assert!(game.moves.starts_with(seat.moves()));
                }
                Effect::Fetch(_) => {}
                effect => panic!("{effect:?}"),
            }
        }
    }

    fn think(&mut self) {
        if self.thoughts.is_empty() {
            return;
        }
        let at = self.dice.below(self.thoughts.len());
        let (id, board) = self.thoughts.swap_remove(at);
        let moves = movegen::moves(&board);
        let turn = moves[self.dice.below(moves.len())];
        self.session.decide(id, &board, turn);
    }

    /// One step of the world.
    fn step(&mut self, wire: Wire) {
        match self.dice.below(20) {
            0 => self.begin(),
            1 => self.announce(),
            2 => self.tell_log(),
            3..8 => self.think(),
            8..14 if !self.games.is_empty() => {
                let at = self.dice.below(self.games.len());
                self.games[at].reply(&mut self.dice);
            }
            _ => self.poll(wire),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_gets_one_answer_whatever_the_wire_does(
        seed in any::<u64>(),
        count in 1_usize..5,
        wires in prop::collection::vec(0..WIRES.len(), 400),
    ) {
        let mut world = World::new(seed, count);
        for wire in wires {
            world.step(WIRES[wire]);
        }
        let mut steps = 0;
        while world.ended.len() < count {
            world.step(Wire::Good);
            steps += 1;
            prop_assert!(steps < 20_000, "the matches don't end");
        }
        prop_assert!(world.session.seats().is_empty());
    }
}

/// The answer to a start comes when the first moves are made: the seat goes on from there.
#[test]
fn nothing_of_a_seat_is_replaced_when_it_is_announced() {
    let id: Id = format!("{:024x}", 1).parse().expect("an id");
    let black = "2 0 2 5 5 5";
    let reply = |request: &str| PollReply {
        requests: vec![(id, request.to_owned())],
        endings: Vec::new(),
    };
    let first = |us| match us {
        Player::Black => "-1 -1 -1 -1 -1 -1",
        Player::White => black,
    };
    for us in [Player::Black, Player::White] {
        for moment in 0..5 {
            let mut session = Session::default();
            session.expect();
            let mut effects = Vec::new();
            for step in 0..5 {
                if step == moment {
                    effects.extend(session.announce(id, us));
                }
                match step {
                    0 => effects.extend(session.hear(reply(first(us)))),
                    1 => effects.extend(session.miss(id, false)),
                    2 => {
                        let board = session.seats()[&id].board().clone();
                        session.decide(id, &board, movegen::moves(&board)[0]);
                    }
                    3 => assert_eq!(session.send().len(), 1, "{us} {moment}"),
                    _ => effects.extend(session.hear(PollReply::default())),
                }
            }
            let seat = &session.seats()[&id];
            assert!(
                matches!(seat.stage(), Stage::Delivered(_)),
                "{us} {moment}: {seat:?}"
            );
            assert_eq!((seat.colour(), seat.is_announced()), (Some(us), true));
            let thoughts = effects
                .iter()
                .filter(|effect| **effect == Effect::Think(id));
            assert_eq!(thoughts.count(), 1, "{us} {moment}");
        }
    }
}

/// A match may be over before its start is answered, with moves or without any.
#[test]
fn an_end_waits_for_the_answer_to_the_start() {
    let [ours, other]: [Id; 2] = [1, 2].map(|n| format!("{n:024x}").parse().expect("an id"));
    let ended = |id| PollReply {
        requests: Vec::new(),
        endings: vec![Ending {
            id,
            slot: 1,
            scores: vec![0.0, 2.0],
        }],
    };
    let mut session = Session::default();
    session.expect();
    assert_eq!(session.hear(ended(ours)), []);
    assert_eq!(session.hear(ended(other)), []);
    let effects = session.announce(ours, Player::White);
    assert!(matches!(&effects[..], [Effect::Ended(ending, seat)]
        if ending.id == ours && seat.colour() == Some(Player::White)));
    assert!(session.seats().is_empty());
}

/// A request that makes no sense, as a server's slip would show it, costs neither the position nor the answer.
#[test]
fn a_senseless_request_is_waited_out() {
    let turn = |text: &str| -> Move { text.parse().expect("a move") };
    let mut seat = Seat::new(Some(Player::Black));
    seat.hear(Coordinates::NONE, Form::Simple);
    let answer = turn("2 0 2 5 5 5");
    seat.decide(answer);
    assert_eq!(seat.send(), Some(answer));
    assert_eq!(
        seat.hear(Coordinates::new([3, 3, 3, 4, 3, 5]), Form::Simple),
        Demand::Log
    );
    assert!(seat.is_astray() && seat.send().is_none());
    assert_eq!(
        seat.hear(turn("2 7 2 6 3 6").into(), Form::Simple),
        Demand::Thought
    );
    assert!(!seat.is_astray());
    assert_eq!(seat.moves(), [answer, turn("2 7 2 6 3 6")]);
}

/// A program that was killed, with what it has kept, sends its answer only if the request is still there.
#[test]
fn a_resumed_match_answers_no_request_twice() {
    let turn = |text: &str| -> Move { text.parse().expect("a move") };
    let [theirs, ours] = ["2 0 2 5 5 5", "2 7 2 6 3 6"].map(turn);
    let resumed = || Seat::resumed(Player::White, &[theirs], Some(ours)).expect("legal");
    let mut taken = resumed();
    assert_eq!((taken.stage(), taken.send()), (Stage::Doubtful(ours), None));
    taken.hear_nothing();
    assert_eq!(taken.send(), None);
    let mut lost = resumed();
    lost.hear(theirs.into(), lost.form());
    assert_eq!(lost.send(), Some(ours));
    // Without an answer the turn waits for its request.
    let due = Seat::resumed(Player::White, &[theirs], None).expect("legal");
    assert_eq!(due.stage(), Stage::Due);
    assert!(Seat::resumed(Player::White, &[theirs], Some(theirs)).is_err());
}
