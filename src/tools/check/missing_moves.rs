//! Finds kinds of legal moves that a bot never makes, over all its turns: they indicate a bug in the bot's move generator.

use super::trace::Turn;
use analysis::glossary::{Language, Term, terms};
use engine::board::{Board, Move, Player, Square, squares};
use engine::eval::policy::DIRECTIONS;
use engine::movegen;
use record::checked_game::board_after;
use record::judge::Coordinates;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Minimum number of turns that must allow a kind of move before its absence is reported.
const MIN_OPPORTUNITIES: usize = 20;

/// Minimum expected number of moves of a kind, if moves were random, for reporting the kind's absence in a bot without faults.
/// In 314 checks of correct bots, the highest such number for a kind that never occurred was 13.6.
const MIN_EXPECTED_MOVES: f64 = 15.0;

terms! {
    NEVER: "in {1} turns it never {0}, although it could in {2}", "在 {1} 个回合中从未{0}，而其中 {2} 个回合可以";
    EITHER: "moves or shoots {0}", "{0}走子或射箭";
    WALK: "moves {0}", "{0}走子";
    SHOT: "shoots {0}", "{0}射箭";
    DIAGONAL: "diagonally", "沿斜线";
    STRAIGHT: "along columns or rows", "沿横线或竖线";
    BORDER: "to the column x = {0} or the row y = {0}", "向 x = {0} 的列或 y = {0} 的行";
    ALONG: "in direction (dx, dy) = ({0}, {1})", "向 (dx, dy) = ({0}, {1}) 方向";
    COLUMN: "to the column x = {0}", "向 x = {0} 的列";
    ROW: "to the row y = {0}", "向 y = {0} 的行";
    BETWEEN: "diagonally between two occupied squares", "从两个有子的格子之间斜着";
    BACK: "shoots over or onto the square that the amazon has left", "让箭经过或落在棋子刚离开的格子";
    ONTO: "shoots onto the square that the amazon has left", "让箭落在棋子刚离开的格子";
    AMAZONS: "moves the amazons that begin on {0} and {1}", "走开局在 {0} 和 {1} 的棋子";
}

/// A kind of move: its description in both languages, and a test whether a move belongs to the kind.
struct MoveKind {
    names: [String; 2],
    matches: Box<dyn Fn(&LegalMove) -> bool>,
}

/// A property that a half-move may have: its description, numbers such as a column (used by description and test), and the
/// test.
type HalfMoveProperty = (Term, [i8; 2], fn(&HalfMove, [i8; 2]) -> bool);

impl MoveKind {
    /// Returns all kinds of moves that are looked for.
    fn all() -> Vec<MoveKind> {
        let mut kinds = Vec::new();
        let mut add = |name: &dyn Fn(Language) -> String, matches| {
            let names = Language::ALL.map(name);
            kinds.push(MoveKind { names, matches });
        };
        for (half_moves, which) in [(EITHER, &[0, 1][..]), (WALK, &[0]), (SHOT, &[1])] {
            for (line, numbers, is_on) in half_move_properties() {
                let parts = numbers.each_ref().map(|number| number as &dyn Display);
                add(
                    &|language| half_moves.of(language, &[&line.of(language, &parts)]),
                    Box::new(move |legal: &LegalMove| {
                        which
                            .iter()
                            .any(|&at| is_on(&legal.half_moves[at], numbers))
                    }),
                );
            }
        }
        add(
            &|language| BACK.text(language).to_owned(),
            Box::new(|legal| shoots_back(legal.turn)),
        );
        add(
            &|language| ONTO.text(language).to_owned(),
            Box::new(|legal| legal.turn.arrow == legal.turn.from),
        );
        let amazons = |player| squares(Board::start().amazons(player));
        for black in amazons(Player::Black) {
            for white in amazons(Player::White) {
                add(
                    &|language| AMAZONS.of(language, &[&black, &white]),
                    Box::new(move |legal| [black, white].contains(&legal.origin)),
                );
            }
        }
        kinds
    }
}

/// Returns the properties of half-moves from which kinds of moves are built.
fn half_move_properties() -> Vec<HalfMoveProperty> {
    let mut lines: Vec<HalfMoveProperty> = vec![
        (DIAGONAL, [0, 0], |half, _| !half.step.contains(&0)),
        (STRAIGHT, [0, 0], |half, _| half.step.contains(&0)),
    ];
    for number in [0, 7] {
        let is_on: fn(&HalfMove, [i8; 2]) -> bool = |half, [number, _]| half.end.contains(&number);
        lines.push((BORDER, [number, number], is_on));
    }
    for [dx, dy] in DIRECTIONS {
        lines.push((ALONG, [dx, dy], |half, step| half.step == step));
    }
    for number in 0..8 {
        lines.push((COLUMN, [number, 0], |half, [x, _]| half.end[0] == x));
        lines.push((ROW, [number, 0], |half, [y, _]| half.end[1] == y));
    }
    lines.push((BETWEEN, [0, 0], |half, _| half.is_between));
    lines
}

/// Properties of a half-move: the amazon's move or the arrow's flight.
struct HalfMove {
    /// Direction as change of column and row per step, such as `[1, -1]`.
    step: [i8; 2],
    /// Column and row of the target square.
    end: [i8; 2],
    /// Whether the half-move passes diagonally between two squares that are not empty.
    is_between: bool,
}

impl HalfMove {
    fn new(from: Square, end: Square, empty: u64) -> HalfMove {
        let ([x, y], ([dx, dy], length)) = (column_and_row(from), direction_and_length(from, end));
        let is_taken = |x: i8, y: i8| {
            let square = Square::new(x as u8, y as u8);
            square.is_some_and(|square| empty & square.bit() == 0)
        };
        let passes_between = |at: i8| {
            let (x, y) = (x + at * dx, y + at * dy);
            is_taken(x + dx, y) && is_taken(x, y + dy)
        };
        HalfMove {
            step: [dx, dy],
            end: column_and_row(end),
            is_between: dx != 0 && dy != 0 && (0..length).any(passes_between),
        }
    }
}

/// Returns the column and row of a square.
fn column_and_row(square: Square) -> [i8; 2] {
    [square.x() as i8, square.y() as i8]
}

/// Returns the step of one square from `from` towards `to`, as change of column and row, and the number of steps. The two
/// squares must lie on one line.
fn direction_and_length(from: Square, to: Square) -> ([i8; 2], i8) {
    let ([x, y], [to_x, to_y]) = (column_and_row(from), column_and_row(to));
    let [dx, dy] = [to_x - x, to_y - y];
    ([dx.signum(), dy.signum()], dx.abs().max(dy.abs()))
}

/// Tests if the arrow flies over the square that the amazon left in the same turn, or hits it.
pub fn shoots_back(turn: Move) -> bool {
    let (back, walked) = direction_and_length(turn.to, turn.from);
    let (step, flown) = direction_and_length(turn.to, turn.arrow);
    step == back && flown >= walked
}

/// A legal move with the properties that the tests for kinds of moves need.
struct LegalMove {
    turn: Move,
    /// Square on which the moving amazon stood at the start of the game.
    origin: Square,
    half_moves: [HalfMove; 2],
}

impl LegalMove {
    /// Returns the properties of all legal moves in the position of a turn.
    fn all(of: &Turn) -> Vec<LegalMove> {
        let board = board_after(&Board::start(), &of.moves);
        let with_properties = |turn: Move| {
            let vacated = (board.empty() | turn.from.bit()) & !turn.to.bit();
            LegalMove {
                turn,
                origin: origin(turn.from, &of.moves),
                half_moves: [
                    HalfMove::new(turn.from, turn.to, board.empty()),
                    HalfMove::new(turn.to, turn.arrow, vacated),
                ],
            }
        };
        movegen::moves(&board)
            .into_iter()
            .map(with_properties)
            .collect()
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
pub struct MissingMoves {
    kind: MoveKind,
    /// Number of turns in which the bot made a legal move.
    turns: usize,
    /// Number of turns, among `turns`, that allowed a move of this kind.
    opportunities: usize,
    /// Number of moves of this kind that a player of random moves would be expected to make in the same turns.
    expected: f64,
}

impl MissingMoves {
    /// Returns the kinds of moves that a bot never makes although enough of its turns allowed them, the highest expected number
    /// first. Turns with equal positions count once.
    #[must_use]
    pub fn all<'t>(turns: impl Iterator<Item = &'t Turn>) -> Vec<MissingMoves> {
        let mut seen = BTreeSet::new();
        let is_new = |turn: &&Turn| {
            let numbers = turn.moves.iter().map(|played| played.numbers());
            !turn.is_rejected && seen.insert(numbers.collect::<Vec<_>>())
        };
        let missing = |kind| MissingMoves {
            kind,
            turns: 0,
            opportunities: 0,
            expected: 0.0,
        };
        let mut kinds: Vec<MissingMoves> = MoveKind::all().into_iter().map(missing).collect();
        for turn in turns.filter(is_new) {
            let answer = turn.report.response.as_ref().and_then(Coordinates::read);
            let legal_moves = LegalMove::all(turn);
            let is_made = |legal: &&LegalMove| Some(legal.turn.into()) == answer;
            let made = legal_moves.iter().find(is_made);
            let made = made.expect("an accepted move is legal");
            kinds.retain(|never| !(never.kind.matches)(made));
            for never in &mut kinds {
                let of_kind = legal_moves
                    .iter()
                    .filter(|&legal| (never.kind.matches)(legal));
                let count = of_kind.count();
                never.turns += 1;
                never.opportunities += usize::from(count > 0);
                never.expected += count as f64 / legal_moves.len() as f64;
            }
        }
        kinds.retain(|never| never.opportunities >= MIN_OPPORTUNITIES);
        kinds.sort_by(|one, other| other.expected.total_cmp(&one.expected));
        kinds
    }

    /// Tests if the absence of this kind is too unlikely to be chance.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.expected >= MIN_EXPECTED_MOVES
    }

    /// Tests if a bot that lacks this kind of move would have no move in any of `turns`: all legal moves there are of this
    /// kind.
    #[must_use]
    pub fn explains(&self, turns: &[&Turn]) -> bool {
        let legal_moves = turns.iter().flat_map(|turn| LegalMove::all(turn));
        legal_moves
            .into_iter()
            .all(|legal| (self.kind.matches)(&legal))
    }

    /// Describes the kind of move and its statistics in one sentence.
    #[must_use]
    pub fn describe(&self, language: Language) -> String {
        let kind = &self.kind.names[language as usize];
        NEVER.of(language, &[kind, &self.turns, &self.opportunities])
    }

    /// Returns the kind of move and its statistics as JSON.
    #[must_use]
    pub fn json(&self, language: Language) -> Value {
        json!({ "kind": self.kind.names[language as usize], "turns": self.turns, "chances": self.opportunities, "expected": self.expected })
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
            is_rejected: answer.is_none(),
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
    fn turns(positions: &[Vec<Coordinates>], knows: impl Fn(&LegalMove) -> bool) -> Vec<Turn> {
        let mut random = SmallRng::seed_from_u64(2);
        let of_position = |moves: &Vec<Coordinates>| {
            let mut legal_moves = LegalMove::all(&turn(moves, None));
            legal_moves.retain(&knows);
            let chosen = legal_moves.choose(&mut random);
            turn(moves, chosen.map(|legal| legal.turn))
        };
        positions.iter().map(of_position).collect()
    }

    #[test]
    fn reports_exactly_the_kind_a_bot_never_makes() {
        let positions = positions();
        let never = MissingMoves::all(turns(&positions, |_| true).iter());
        assert!(!never.iter().any(MissingMoves::is_significant));
        for MoveKind { names, matches } in MoveKind::all() {
            let turns = turns(&positions, |legal| !matches(legal));
            let refused: Vec<&Turn> = turns.iter().filter(|turn| turn.is_rejected).collect();
            let never = MissingMoves::all(turns.iter());
            let found = never.iter().find(|never| never.kind.names == names);
            let found = found.expect("the kind that is unknown");
            assert!(found.explains(&refused), "{names:?}");
            let [en, zh] = names;
            let (turns, chances) = (found.turns, found.opportunities);
            let en = format!("in {turns} turns it never {en}, although it could in {chances}");
            assert_eq!(found.describe(Language::En), en);
            let zh = format!("在 {turns} 个回合中从未{zh}，而其中 {chances} 个回合可以");
            assert_eq!(found.describe(Language::Zh), zh);
        }
    }
}
