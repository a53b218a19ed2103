//! The decisions of play on the platform, against a model of it without network, clock and threads: whatever the wire
//! does, every request gets one answer, in its own match, and every match comes to its end.
#![cfg(feature = "tools")]

mod common;

use amazons::board::{Board, Move, Player};
use amazons::movegen;
use amazons::tools::online::poll::{Ending, PollReply};
use amazons::tools::online::request;
use amazons::tools::online::seat::{Seat, Stage};
use amazons::tools::online::session::{Effect, Session};
use amazons::tools::platform::address::Id;
use amazons::tools::record::judge::Coordinates;
use common::Dice;
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
}

const WIRES: [Wire; 6] = [
    Wire::Good,
    Wire::NotSent,
    Wire::LostBefore,
    Wire::LostAfter,
    Wire::Doubled,
    Wire::Withheld,
];

/// A match as the platform knows it.
struct Game {
    id: Id,
    board: Board,
    us: Player,
    pending: Option<Coordinates>,
    is_told: bool,
}

impl Game {
    fn new(number: u64, us: Player) -> Game {
        Game {
            id: format!("{number:024x}").parse().expect("an id"),
            board: Board::start(),
            us,
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
    session: Session,
    thoughts: Vec<(Id, Board)>,
    thought_of: BTreeSet<(Id, u64)>,
    ended: BTreeSet<Id>,
    dice: Dice,
}

impl World {
    fn new(seed: u64, count: u64) -> World {
        let games: Vec<Game> = (0..count)
            .map(|n| Game::new(n, [Player::Black, Player::White][n as usize % 2]))
            .collect();
        let mut session = Session::default();
        for game in &games {
            let effects = session.announce(game.id, Seat::new(Some(game.us)));
            assert_eq!(effects, []);
        }
        World {
            games,
            session,
            thoughts: Vec::new(),
            thought_of: BTreeSet::new(),
            ended: BTreeSet::new(),
            dice: Dice::new(seed),
        }
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
        let effects = self.session.hear(reply);
        self.take(effects);
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Think(id) => {
                    let board = self.session.seats()[&id].board().clone();
                    let is_new = self.thought_of.insert((id, board.empty()));
                    assert!(is_new, "a turn is thought about twice");
                    self.thoughts.push((id, board));
                }
                Effect::Ended(ending, _) => assert!(self.ended.insert(ending.id)),
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
        match self.dice.below(3) {
            0 => self.think(),
            1 => {
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
        count in 1_u64..4,
        wires in prop::collection::vec(0..WIRES.len(), 400),
    ) {
        let mut world = World::new(seed, count);
        for wire in wires {
            world.step(WIRES[wire]);
        }
        let mut steps = 0;
        while world.ended.len() < count as usize {
            world.step(Wire::Good);
            steps += 1;
            prop_assert!(steps < 20_000, "the matches don't end");
        }
        prop_assert!(world.session.seats().is_empty());
    }
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
