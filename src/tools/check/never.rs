//! Kinds of legal moves that a bot never makes: counts over all its turns, which tell of a bug in how it generates moves.

use super::trace::Turn;
use crate::board::{Board, Move, Player, Square, squares};
use crate::movegen;
use crate::tools::analysis::glossary::{Language, Term, terms};
use crate::tools::record::judge::Coordinates;
use crate::tools::record::replayed::board_after;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Minimum number of turns in which a kind of moves was legal for its absence to be told.
const LEAST_CHANCES: usize = 20;

/// Minimum number of moves of a kind expected of equally likely legal moves for its absence to be worth a note by itself.
/// In 314 checks of correct bots the most of a kind that never came was 13.6.
const LEAST_EXPECTED: f64 = 15.0;

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

/// Steps of a line, by columns and rows.
type Direction = [i8; 2];

/// A kind of moves.
#[derive(Clone, Copy)]
enum MoveKind {
    /// The amazon, its arrow or either goes along a line.
    Leg(Legs, Line),
    /// The arrow flies over the square that the amazon has left, or onto it.
    Back,
    /// The arrow lands on the square that the amazon has left.
    Onto,
    /// The amazon that begins on the first square, as black, or on the second, as white, moves.
    Amazons([Square; 2]),
}

/// Which legs of a move are looked at.
#[derive(Clone, Copy)]
enum Legs {
    Either,
    Walk,
    Shot,
}

/// What is told of a leg.
#[derive(Clone, Copy)]
enum Line {
    Diagonal,
    Straight,
    /// It ends in the column or in the row of a number.
    Border(u8),
    Along(Direction),
    Column(u8),
    Row(u8),
    /// It passes diagonally between two squares that are not empty.
    Between,
}

impl MoveKind {
    /// Returns all kinds.
    fn all() -> impl Iterator<Item = MoveKind> {
        let diagonals = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
        let straight = [[-1, 0], [0, -1], [0, 1], [1, 0]];
        let directions = diagonals.into_iter().chain(straight);
        let lines = [Line::Diagonal, Line::Straight]
            .into_iter()
            .chain([0, 7].map(Line::Border))
            .chain(directions.map(Line::Along))
            .chain((0..8).flat_map(|number| [Line::Column(number), Line::Row(number)]))
            .chain([Line::Between]);
        let [black, white] =
            [Player::Black, Player::White].map(|player| Board::start().amazons(player));
        let pairs =
            squares(black).flat_map(move |one| squares(white).map(move |other| [one, other]));
        let legs = [Legs::Either, Legs::Walk, Legs::Shot].into_iter();
        legs.flat_map(move |legs| lines.clone().map(move |line| MoveKind::Leg(legs, line)))
            .chain([MoveKind::Back, MoveKind::Onto])
            .chain(pairs.map(MoveKind::Amazons))
    }

    /// Tests if a move is of this kind.
    fn holds(self, facts: &Facts) -> bool {
        let [walk, shot] = &facts.legs;
        let is_back = || shot.direction == walk.direction.map(|step| -step);
        match self {
            MoveKind::Leg(Legs::Either, line) => line.holds(walk) || line.holds(shot),
            MoveKind::Leg(Legs::Walk, line) => line.holds(walk),
            MoveKind::Leg(Legs::Shot, line) => line.holds(shot),
            MoveKind::Back => is_back() && shot.length >= walk.length,
            MoveKind::Onto => is_back() && shot.length == walk.length,
            MoveKind::Amazons(pair) => pair.contains(&facts.origin),
        }
    }

    /// Returns what is done, in words.
    fn told(self, language: Language) -> String {
        match self {
            MoveKind::Leg(legs, line) => {
                let term = match legs {
                    Legs::Either => EITHER,
                    Legs::Walk => WALK,
                    Legs::Shot => SHOT,
                };
                term.of(language, &[&line.told(language)])
            }
            MoveKind::Back => BACK.text(language).to_owned(),
            MoveKind::Onto => ONTO.text(language).to_owned(),
            MoveKind::Amazons([black, white]) => AMAZONS.of(language, &[&black, &white]),
        }
    }
}

impl Line {
    fn holds(self, leg: &Leg) -> bool {
        let is_diagonal = !leg.direction.contains(&0);
        match self {
            Line::Diagonal => is_diagonal,
            Line::Straight => !is_diagonal,
            Line::Border(number) => leg.end.x() == number || leg.end.y() == number,
            Line::Along(direction) => leg.direction == direction,
            Line::Column(x) => leg.end.x() == x,
            Line::Row(y) => leg.end.y() == y,
            Line::Between => leg.is_between,
        }
    }

    fn told(self, language: Language) -> String {
        let text = |term: Term| term.text(language).to_owned();
        match self {
            Line::Diagonal => text(DIAGONAL),
            Line::Straight => text(STRAIGHT),
            Line::Border(number) => BORDER.of(language, &[&number]),
            Line::Along([dx, dy]) => ALONG.of(language, &[&dx, &dy]),
            Line::Column(x) => COLUMN.of(language, &[&x]),
            Line::Row(y) => ROW.of(language, &[&y]),
            Line::Between => text(BETWEEN),
        }
    }
}

/// What is known of a leg: the amazon's move, or the arrow's flight.
struct Leg {
    direction: Direction,
    length: i8,
    end: Square,
    is_between: bool,
}

impl Leg {
    fn new(from: Square, end: Square, empty: u64) -> Leg {
        let place = |square: Square| [square.x() as i8, square.y() as i8];
        let ([x, y], [to_x, to_y]) = (place(from), place(end));
        let [dx, dy] = [(to_x - x).signum(), (to_y - y).signum()];
        let length = (to_x - x).abs().max((to_y - y).abs());
        let is_taken = |x: i8, y: i8| {
            let square = Square::new(x as u8, y as u8);
            square.is_some_and(|square| empty & square.bit() == 0)
        };
        let is_between = dx != 0
            && dy != 0
            && (0..length).any(|step| {
                let (x, y) = (x + step * dx, y + step * dy);
                is_taken(x + dx, y) && is_taken(x, y + dy)
            });
        Leg {
            direction: [dx, dy],
            length,
            end,
            is_between,
        }
    }
}

/// What is known of a legal move.
struct Facts {
    /// The square on which its amazon began the game.
    origin: Square,
    legs: [Leg; 2],
}

impl Facts {
    /// Returns the legal moves in the position of a turn, with what is known of them.
    fn of_legal_moves(turn: &Turn) -> Vec<(Move, Facts)> {
        let board = board_after(&Board::start(), &turn.moves);
        let facts = |legal: Move| {
            let vacated = (board.empty() | legal.from.bit()) & !legal.to.bit();
            let facts = Facts {
                origin: origin(legal.from, &turn.moves),
                legs: [
                    Leg::new(legal.from, legal.to, board.empty()),
                    Leg::new(legal.to, legal.arrow, vacated),
                ],
            };
            (legal, facts)
        };
        movegen::moves(&board).into_iter().map(facts).collect()
    }
}

/// Returns the square on which the amazon of a square began, before some moves.
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

/// A kind of moves that a bot never makes.
pub struct Never {
    kind: MoveKind,
    /// Number of turns in which the bot made a legal move.
    turns: usize,
    /// Number of these turns in which a move of the kind was legal.
    chances: usize,
    /// Number of moves of the kind to expect, were all legal moves equally likely.
    expected: f64,
}

impl Never {
    /// Returns the kinds that a bot never makes, though it could often enough, the least likely by chance first. A position
    /// counts once.
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
        let mut kinds: Vec<Never> = MoveKind::all().map(never).collect();
        for turn in turns.filter(is_new) {
            let answer = turn.report.response.as_ref().and_then(Coordinates::read);
            let legal = Facts::of_legal_moves(turn);
            let is_made = |legal: &&(Move, Facts)| Some(legal.0.into()) == answer;
            let made = legal.iter().find(is_made);
            let made = &made.expect("an accepted move is legal").1;
            kinds.retain(|never| !never.kind.holds(made));
            for never in &mut kinds {
                let count = legal
                    .iter()
                    .filter(|(_, facts)| never.kind.holds(facts))
                    .count();
                never.turns += 1;
                never.chances += usize::from(count > 0);
                never.expected += count as f64 / legal.len() as f64;
            }
        }
        kinds.retain(|never| never.chances >= LEAST_CHANCES);
        kinds.sort_by(|one, other| other.expected.total_cmp(&one.expected));
        kinds
    }

    /// Tests if the bot hardly avoids this kind by chance.
    #[must_use]
    pub fn is_telling(&self) -> bool {
        self.expected >= LEAST_EXPECTED
    }

    /// Tests if the bot's ignorance of this kind explains that it has no answer in some turns: every legal move is of this kind.
    #[must_use]
    pub fn explains(&self, turns: &[&Turn]) -> bool {
        let legal = turns.iter().flat_map(|turn| Facts::of_legal_moves(turn));
        legal.into_iter().all(|(_, facts)| self.kind.holds(&facts))
    }

    /// Returns the kind with both numbers, in words.
    #[must_use]
    pub fn told(&self, language: Language) -> String {
        NEVER.of(
            language,
            &[&self.kind.told(language), &self.turns, &self.chances],
        )
    }

    /// Returns the kind with both numbers, as JSON.
    #[must_use]
    pub fn json(&self, language: Language) -> Value {
        json!({ "kind": self.kind.told(language), "turns": self.turns, "chances": self.chances, "expected": self.expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::platform::process::TurnReport;
    use rand::rngs::SmallRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use std::time::Duration;

    /// A turn with its answer; refused without one.
    fn turn(moves: &[Coordinates], answer: Option<Move>) -> Turn {
        let response = answer.map(|answer| Coordinates::from(answer).to_value());
        Turn {
            moves: moves.to_vec(),
            input: String::new(),
            began_process: false,
            limit: Duration::ZERO,
            report: TurnReport {
                response,
                ..TurnReport::default()
            },
            is_refused: answer.is_none(),
        }
    }

    /// Returns the moves to late positions of random games.
    fn positions() -> Vec<Vec<Coordinates>> {
        let mut random = SmallRng::seed_from_u64(1);
        let mut position = || {
            let (mut board, mut moves) = (Board::start(), Vec::new());
            for _ in 0..random.random_range(24..48) {
                if let Some(&played) = movegen::moves(&board).choose(&mut random) {
                    board.play(played).expect("a generated move is legal");
                    moves.push(Coordinates::from(played));
                }
            }
            (movegen::count(&board) > 0).then_some(moves)
        };
        (0..150).filter_map(|_| position()).collect()
    }

    /// Returns turns of a bot that moves at random, but does not know some moves.
    fn turns(positions: &[Vec<Coordinates>], knows: impl Fn(&Facts) -> bool) -> Vec<Turn> {
        let mut random = SmallRng::seed_from_u64(2);
        let of_position = |moves: &Vec<Coordinates>| {
            let mut legal = Facts::of_legal_moves(&turn(moves, None));
            legal.retain(|(_, facts)| knows(facts));
            turn(moves, legal.choose(&mut random).map(|&(answer, _)| answer))
        };
        positions.iter().map(of_position).collect()
    }

    #[test]
    fn who_knows_all_moves_avoids_no_kind() {
        let never = Never::all(turns(&positions(), |_| true).iter());
        assert!(!never.iter().any(Never::is_telling));
    }

    #[test]
    fn a_kind_unknown_is_told_and_explains() {
        let positions = positions();
        for kind in MoveKind::all() {
            let turns = turns(&positions, |facts| !kind.holds(facts));
            let refused: Vec<&Turn> = turns.iter().filter(|turn| turn.is_refused).collect();
            let never = Never::all(turns.iter());
            let told = kind.told(Language::En);
            let mut never = never.iter().filter(|never| never.explains(&refused));
            assert!(
                never.any(|never| never.kind.told(Language::En) == told),
                "{told}"
            );
        }
    }

    #[test]
    fn numbers_and_kinds_are_told_in_words() {
        let never = Never {
            kind: MoveKind::Leg(Legs::Shot, Line::Along([1, -1])),
            turns: 90,
            chances: 41,
            expected: 9.5,
        };
        assert_eq!(
            never.told(Language::En),
            "in 90 turns it never shoots in direction (dx, dy) = (1, -1), though it could in 41"
        );
        assert_eq!(
            never.told(Language::Zh),
            "在 90 个回合中从未向 (dx, dy) = (1, -1) 方向射箭，而其中 41 个回合可以"
        );
    }
}
