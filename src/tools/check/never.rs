//! Finds kinds of legal moves that a bot never makes, over all its turns: they indicate a bug in the bot's move generator.

use super::trace::Turn;
use analysis::glossary::{Language, Term, terms};
use engine::board::{Board, Move, Player, Square, squares};
use engine::eval::policy::DIRECTIONS;
use engine::movegen;
use record::judge::Coordinates;
use record::replayed::board_after;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Minimum number of turns that must allow a kind of move before its absence is reported.
const MIN_CHANCES: usize = 20;

/// Minimum expected number of moves of a kind, if moves were random, for reporting the kind's absence in a bot without faults.
/// In 314 checks of correct bots, the highest such number for a kind that never occurred was 13.6.
const MIN_EXPECTED: f64 = 15.0;

terms! {
    NEVER: "in {1} turns it never {0}, though it could in {2}", "在 {1} 个回合中从未{0}，而其中 {2} 个回合可以";
    EITHER: "moves or shoots {0}", "{0}走子或射箭";
    WALK: "moves {0}", "{0}走子";
    SHOT: "shoots {0}", "{0}射箭";
    DIAGONAL: "diagonally", "沿斜线";
    STRAIGHT: "along columns or rows", "沿横线或竖线";
    BORDER: "to the column x = {0} or the row y = {0}", "向 x = {0} 的列或 y = {0} 的行";
    ALONG: "in direction (dx, dy) = ({0}, {1})", "向 (dx, dy) = ({0}, {1}) 方向";
    COLUMN: "to the column x = {0}", "向 x = {0} 的列";
    ROW: "to the row y = {0}", "向 y = {0} 的行";
    BETWEEN: "diagonally between two taken squares", "从两个有子的格子之间斜着";
    BACK: "shoots over the square that the amazon has left, or onto it", "让箭经过或落在棋子刚离开的格子";
    ONTO: "shoots onto the square that the amazon has left", "让箭落在棋子刚离开的格子";
    AMAZONS: "moves the amazons that begin on {0} and {1}", "走开局在 {0} 和 {1} 的棋子";
}

/// A kind of move: its description in both languages, and a test whether a move belongs to the kind.
struct MoveKind {
    names: [String; 2],
    holds: Box<dyn Fn(&Facts) -> bool>,
}

/// A property that a half-move may have: its description, numbers such as a column (used by description and test), and the
/// test.
type Line = (Term, [i8; 2], fn(&Leg, [i8; 2]) -> bool);

impl MoveKind {
    /// Returns all kinds of moves that are looked for.
    fn all() -> Vec<MoveKind> {
        let mut kinds = Vec::new();
        let mut add = |name: &dyn Fn(Language) -> String, holds| {
            let names = Language::ALL.map(name);
            kinds.push(MoveKind { names, holds });
        };
        for (legs, which) in [(EITHER, &[0, 1][..]), (WALK, &[0]), (SHOT, &[1])] {
            for (line, numbers, is_on) in lines() {
                let parts = numbers.each_ref().map(|number| number as &dyn Display);
                add(
                    &|language| legs.of(language, &[&line.of(language, &parts)]),
                    Box::new(move |facts: &Facts| {
                        which.iter().any(|&leg| is_on(&facts.legs[leg], numbers))
                    }),
                );
            }
        }
        add(
            &|language| BACK.text(language).to_owned(),
            Box::new(|facts| flies_back(facts.turn)),
        );
        add(
            &|language| ONTO.text(language).to_owned(),
            Box::new(|facts| facts.turn.arrow == facts.turn.from),
        );
        let amazons = |player| squares(Board::start().amazons(player));
        for black in amazons(Player::Black) {
            for white in amazons(Player::White) {
                add(
                    &|language| AMAZONS.of(language, &[&black, &white]),
                    Box::new(move |facts| [black, white].contains(&facts.origin)),
                );
            }
        }
        kinds
    }
}

/// Returns the properties of half-moves from which kinds of moves are built.
fn lines() -> Vec<Line> {
    let mut lines: Vec<Line> = vec![
        (DIAGONAL, [0, 0], |leg, _| !leg.step.contains(&0)),
        (STRAIGHT, [0, 0], |leg, _| leg.step.contains(&0)),
    ];
    for number in [0, 7] {
        let is_on: fn(&Leg, [i8; 2]) -> bool = |leg, [number, _]| leg.end.contains(&number);
        lines.push((BORDER, [number, number], is_on));
    }
    for [dx, dy] in DIRECTIONS {
        lines.push((ALONG, [dx, dy], |leg, step| leg.step == step));
    }
    for number in 0..8 {
        lines.push((COLUMN, [number, 0], |leg, [x, _]| leg.end[0] == x));
        lines.push((ROW, [number, 0], |leg, [y, _]| leg.end[1] == y));
    }
    lines.push((BETWEEN, [0, 0], |leg, _| leg.is_between));
    lines
}

/// Properties of a half-move: the amazon's move or the arrow's flight.
struct Leg {
    /// Direction as change of column and row per step, such as `[1, -1]`.
    step: [i8; 2],
    /// Column and row of the target square.
    end: [i8; 2],
    /// Whether the half-move passes diagonally between two squares that are not empty.
    is_between: bool,
}

impl Leg {
    fn new(from: Square, end: Square, empty: u64) -> Leg {
        let ([x, y], ([dx, dy], length)) = (place(from), steps(from, end));
        let is_taken = |x: i8, y: i8| {
            let square = Square::new(x as u8, y as u8);
            square.is_some_and(|square| empty & square.bit() == 0)
        };
        let passes_between = |at: i8| {
            let (x, y) = (x + at * dx, y + at * dy);
            is_taken(x + dx, y) && is_taken(x, y + dy)
        };
        Leg {
            step: [dx, dy],
            end: place(end),
            is_between: dx != 0 && dy != 0 && (0..length).any(passes_between),
        }
    }
}

/// Returns the column and row of a square.
fn place(square: Square) -> [i8; 2] {
    [square.x() as i8, square.y() as i8]
}

/// Returns the step of one square from `from` towards `to`, as change of column and row, and the number of steps. The two
/// squares must lie on one line.
fn steps(from: Square, to: Square) -> ([i8; 2], i8) {
    let ([x, y], [to_x, to_y]) = (place(from), place(to));
    let [dx, dy] = [to_x - x, to_y - y];
    ([dx.signum(), dy.signum()], dx.abs().max(dy.abs()))
}

/// Tests if the arrow flies over the square that the amazon left in the same turn, or hits it.
pub fn flies_back(turn: Move) -> bool {
    let (back, walked) = steps(turn.to, turn.from);
    let (step, flown) = steps(turn.to, turn.arrow);
    step == back && flown >= walked
}

/// A legal move with the properties that the tests for kinds of moves need.
struct Facts {
    turn: Move,
    /// Square on which the moving amazon stood at the start of the game.
    origin: Square,
    legs: [Leg; 2],
}

impl Facts {
    /// Returns the properties of all legal moves in the position of a turn.
    fn of_legal_moves(turn: &Turn) -> Vec<Facts> {
        let board = board_after(&Board::start(), &turn.moves);
        let facts = |legal: Move| {
            let vacated = (board.empty() | legal.from.bit()) & !legal.to.bit();
            Facts {
                turn: legal,
                origin: origin(legal.from, &turn.moves),
                legs: [
                    Leg::new(legal.from, legal.to, board.empty()),
                    Leg::new(legal.to, legal.arrow, vacated),
                ],
            }
        };
        movegen::moves(&board).into_iter().map(facts).collect()
    }
}

/// Returns where the amazon on `square` stood before `moves` were played.
fn origin(square: Square, moves: &[Coordinates]) -> Square {
    moves.iter().rev().fold(square, |square, played| {
        let played = Move::from_coordinates(played.numbers()).expect("the judge accepted it");
        if played.to == square {
            played.from
        } else {
            square
        }
    })
}

/// A kind of move that a bot never makes, with statistics.
pub struct Never {
    kind: MoveKind,
    /// Number of turns in which the bot made a legal move.
    turns: usize,
    /// Number of turns, among `turns`, that allowed a move of this kind.
    chances: usize,
    /// Number of moves of this kind that a player of random moves would be expected to make in the same turns.
    expected: f64,
}

impl Never {
    /// Returns the kinds of moves that a bot never makes although enough of its turns allowed them, the highest expected number
    /// first. Turns with equal positions count once.
    #[must_use]
    pub fn all<'t>(turns: impl Iterator<Item = &'t Turn>) -> Vec<Never> {
        let mut seen = BTreeSet::new();
        let is_new = |turn: &&Turn| {
            let numbers = turn.moves.iter().map(|played| played.numbers());
            !turn.is_refused && seen.insert(numbers.collect::<Vec<_>>())
        };
        let never = |kind| Never {
            kind,
            turns: 0,
            chances: 0,
            expected: 0.0,
        };
        let mut kinds: Vec<Never> = MoveKind::all().into_iter().map(never).collect();
        for turn in turns.filter(is_new) {
            let answer = turn.report.response.as_ref().and_then(Coordinates::read);
            let legal = Facts::of_legal_moves(turn);
            let is_made = |facts: &&Facts| Some(facts.turn.into()) == answer;
            let made = legal.iter().find(is_made);
            let made = made.expect("an accepted move is legal");
            kinds.retain(|never| !(never.kind.holds)(made));
            for never in &mut kinds {
                let count = legal
                    .iter()
                    .filter(|facts| (never.kind.holds)(facts))
                    .count();
                never.turns += 1;
                never.chances += usize::from(count > 0);
                never.expected += count as f64 / legal.len() as f64;
            }
        }
        kinds.retain(|never| never.chances >= MIN_CHANCES);
        kinds.sort_by(|one, other| other.expected.total_cmp(&one.expected));
        kinds
    }

    /// Tests if the absence of this kind is too unlikely to be chance.
    #[must_use]
    pub fn is_telling(&self) -> bool {
        self.expected >= MIN_EXPECTED
    }

    /// Tests if a bot that lacks this kind of move would have no move in any of `turns`: all legal moves there are of this
    /// kind.
    #[must_use]
    pub fn explains(&self, turns: &[&Turn]) -> bool {
        let legal = turns.iter().flat_map(|turn| Facts::of_legal_moves(turn));
        legal.into_iter().all(|facts| (self.kind.holds)(&facts))
    }

    /// Describes the kind of move and its statistics in one sentence.
    #[must_use]
    pub fn told(&self, language: Language) -> String {
        let kind = &self.kind.names[language as usize];
        NEVER.of(language, &[kind, &self.turns, &self.chances])
    }

    /// Returns the kind of move and its statistics as JSON.
    #[must_use]
    pub fn json(&self, language: Language) -> Value {
        json!({ "kind": self.kind.names[language as usize], "turns": self.turns, "chances": self.chances, "expected": self.expected })
    }
}

#[cfg(test)]
mod tests {
    use super::super::positions::random_game;
    use super::*;
    use crate::platform::process::TurnReport;
    use rand::rngs::SmallRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    /// Creates a turn with the bot's answer; if `answer` is `None`, the turn counts as rejected.
    fn turn(moves: &[Coordinates], answer: Option<Move>) -> Turn {
        Turn {
            moves: moves.to_vec(),
            report: TurnReport {
                response: answer.map(|answer| Coordinates::from(answer).to_value()),
                ..TurnReport::default()
            },
            is_refused: answer.is_none(),
            ..Turn::default()
        }
    }

    /// Returns late positions of random games, each as the moves that lead there.
    fn positions() -> Vec<Vec<Coordinates>> {
        let mut random = SmallRng::seed_from_u64(1);
        let position = |_| {
            let (plies, game) = (random.random_range(24..48), random_game(&mut random));
            let moves = game.get(..plies).filter(|moves| moves.len() < game.len())?;
            Some(moves.iter().copied().map(Into::into).collect())
        };
        (0..150).filter_map(position).collect()
    }

    /// Returns turns of a bot that plays random moves, but only moves that pass the test `knows`.
    fn turns(positions: &[Vec<Coordinates>], knows: impl Fn(&Facts) -> bool) -> Vec<Turn> {
        let mut random = SmallRng::seed_from_u64(2);
        let of_position = |moves: &Vec<Coordinates>| {
            let mut legal = Facts::of_legal_moves(&turn(moves, None));
            legal.retain(&knows);
            turn(moves, legal.choose(&mut random).map(|facts| facts.turn))
        };
        positions.iter().map(of_position).collect()
    }

    #[test]
    fn reports_exactly_the_kind_a_bot_never_makes() {
        let positions = positions();
        let never = Never::all(turns(&positions, |_| true).iter());
        assert!(!never.iter().any(Never::is_telling));
        for MoveKind { names, holds } in MoveKind::all() {
            let turns = turns(&positions, |facts| !holds(facts));
            let refused: Vec<&Turn> = turns.iter().filter(|turn| turn.is_refused).collect();
            let never = Never::all(turns.iter());
            let found = never.iter().find(|never| never.kind.names == names);
            let found = found.expect("the kind that is unknown");
            assert!(found.explains(&refused), "{names:?}");
            let ([en, zh], Never { turns, chances, .. }) = (names, found);
            let told = format!("in {turns} turns it never {en}, though it could in {chances}");
            assert_eq!(found.told(Language::En), told);
            let told = format!("在 {turns} 个回合中从未{zh}，而其中 {chances} 个回合可以");
            assert_eq!(found.told(Language::Zh), told);
        }
    }
}
