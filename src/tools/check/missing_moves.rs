//! Finds kinds of moves (such as diagonal ones) that were legal but that a bot never makes: a sign of a bug in the
//! bot's move generator.

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

/// Minimum number of turns in which a kind of move must have been legal, so that the report may say that the bot never
/// makes moves of this kind.
const MIN_OPPORTUNITIES: usize = 20;

/// Minimum expected number of moves of one kind, such as diagonal moves, for a report that the bot never makes them. A
/// random player would be expected to make this number of such moves in the bot's positions. With a smaller number,
/// chance may be the reason why the bot made none. In 314 checks of correct bots, the largest expected number for a
/// kind that a bot never made was 13.6.
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

/// Kind of move, such as shots along a diagonal: its names in English and Chinese, and a function that tests if a move
/// is of this kind.
struct MoveKind {
    names: [String; 2],
    matches: Box<dyn Fn(&LegalMove) -> bool>,
}

/// Property of an amazon's move or of an arrow shot, such as "to column 3", as a tuple of three parts. First: its
/// description, in which `{0}` and `{1}` stand for two numbers; second: these numbers, such as `[3, 0]` (unused ones
/// are 0); third: function that tests if the amazon's move or the shot has the property.
type ActionProperty = (Term, [i8; 2], fn(&Action, [i8; 2]) -> bool);

impl MoveKind {
    /// Returns all kinds of moves that the check looks for among a bot's moves. A correct bot is expected to make each
    /// kind sometimes.
    fn all() -> Vec<MoveKind> {
        let mut kinds = Vec::new();
        let mut add = |name: &dyn Fn(Language) -> String, matches| {
            let names = Language::ALL.map(name);
            kinds.push(MoveKind { names, matches });
        };
        for (actions, which) in [(EITHER, &[0, 1][..]), (WALK, &[0]), (SHOT, &[1])] {
            for (line, numbers, is_on) in action_properties() {
                let parts = numbers.each_ref().map(|number| number as &dyn Display);
                let name = |language| actions.fill(language, &[&line.fill(language, &parts)]);
                let matches = move |legal: &LegalMove| {
                    which.iter().any(|&at| is_on(&legal.actions[at], numbers))
                };
                add(&name, Box::new(matches));
            }
        }
        let [back, onto] = [BACK, ONTO].map(|term| move |language| term.text(language).to_owned());
        add(&back, Box::new(|legal| shoots_back(legal.turn)));
        add(&onto, Box::new(|legal| legal.turn.arrow == legal.turn.from));
        let amazons = |player| squares(Board::start().amazons(player));
        for black in amazons(Player::Black) {
            for white in amazons(Player::White) {
                let name = |language| AMAZONS.fill(language, &[&black, &white]);
                let matches =
                    move |legal: &LegalMove| [black, white].contains(&legal.initial_square);
                add(&name, Box::new(matches));
            }
        }
        kinds
    }
}

/// Returns all properties of an amazon's move or an arrow shot that the check looks for in a bot's moves, such as its
/// direction or its target column.
fn action_properties() -> Vec<ActionProperty> {
    let mut lines: Vec<ActionProperty> = vec![
        (DIAGONAL, [0, 0], |action, _| !action.step.contains(&0)),
        (STRAIGHT, [0, 0], |action, _| action.step.contains(&0)),
    ];
    for number in [0, 7] {
        let is_on: fn(&Action, [i8; 2]) -> bool = |action, [number, _]| action.to.contains(&number);
        lines.push((BORDER, [number, number], is_on));
    }
    for [dx, dy] in DIRECTIONS {
        lines.push((ALONG, [dx, dy], |action, step| action.step == step));
    }
    for number in 0..8 {
        lines.push((COLUMN, [number, 0], |action, [x, _]| action.to[0] == x));
        lines.push((ROW, [number, 0], |action, [y, _]| action.to[1] == y));
    }
    lines.push((BETWEEN, [0, 0], |action, _| action.passes_between));
    lines
}

/// Direction and target of an amazon's move or of an arrow shot.
struct Action {
    /// Direction as `[column change, row change]` per square moved, each −1, 0 or 1. Columns count from a to h, and
    /// rows from 1 to 8: `[1, -1]` leads from a2 to b1.
    step: [i8; 2],
    /// Target square as `[column, row]`, each from 0 to 7; a1 is `[0, 0]`.
    to: [i8; 2],
    /// Whether the amazon or the arrow moves diagonally and, at some step, passes between two occupied squares. Such
    /// squares touch each other only at a corner.
    passes_between: bool,
}

impl Action {
    fn new(from: Square, to: Square, empty: u64) -> Action {
        let ([x, y], ([dx, dy], length)) = (column_and_row(from), direction_and_length(from, to));
        let is_taken = |x: i8, y: i8| {
            let square = Square::new(x as u8, y as u8);
            square.is_some_and(|square| empty & square.bit() == 0)
        };
        let is_step_between = |at: i8| {
            let (x, y) = (x + at * dx, y + at * dy);
            is_taken(x + dx, y) && is_taken(x, y + dy)
        };
        Action {
            step: [dx, dy],
            to: column_and_row(to),
            passes_between: dx != 0 && dy != 0 && (0..length).any(is_step_between),
        }
    }
}

/// Returns the `[column, row]` of a square, each from 0 to 7; a1 is `[0, 0]`.
fn column_and_row(square: Square) -> [i8; 2] {
    [square.x() as i8, square.y() as i8]
}

/// Returns (direction, distance) from `from` to `to`. The direction is `[column change, row change]` per square, each
/// −1, 0 or 1; the distance is a number of squares. The squares must be in one row, column or diagonal.
fn direction_and_length(from: Square, to: Square) -> ([i8; 2], i8) {
    let ([x, y], [to_x, to_y]) = (column_and_row(from), column_and_row(to));
    let [dx, dy] = [to_x - x, to_y - y];
    ([dx.signum(), dy.signum()], dx.abs().max(dy.abs()))
}

/// Tests if, in the move `played`, the arrow flies over or onto the square that the amazon has just left.
pub fn shoots_back(played: Move) -> bool {
    let (back, walked) = direction_and_length(played.to, played.from);
    let (step, flown) = direction_and_length(played.to, played.arrow);
    step == back && flown >= walked
}

/// Legal move of the bot, with its properties: which amazon moves, and in which direction and to which square the
/// amazon and the arrow go. These properties show to which kinds the move belongs, for example to diagonal moves.
struct LegalMove {
    turn: Move,
    /// Square on which the amazon that moves stood at the start of the game.
    initial_square: Square,
    /// The two parts of the move. Index 0: the amazon's move; index 1: the arrow shot.
    actions: [Action; 2],
}

impl LegalMove {
    /// Returns all moves that are legal in the position before the bot's answer in `bot_turn`.
    fn all(bot_turn: &Turn) -> Vec<LegalMove> {
        let board = board_after(&Board::start(), &bot_turn.moves);
        let with_properties = |turn: Move| {
            let vacated = (board.empty() | turn.from.bit()) & !turn.to.bit();
            let walk = Action::new(turn.from, turn.to, board.empty());
            let shot = Action::new(turn.to, turn.arrow, vacated);
            LegalMove {
                turn,
                initial_square: initial_square(turn.from, &bot_turn.moves),
                actions: [walk, shot],
            }
        };
        let moves = movegen::moves(&board).into_iter();
        moves.map(with_properties).collect()
    }
}

/// Returns the square on which an amazon stood at the start of the game. `square` is where it stands after `moves`.
fn initial_square(square: Square, moves: &[Coordinates]) -> Square {
    moves.iter().rev().fold(square, |square, played| {
        let turn = Move::from_coordinates(played.numbers()).expect("the judge accepted it");
        if turn.to == square { turn.from } else { square }
    })
}

/// Kind of move that a bot never makes although such moves were legal, with statistics that show whether this may be
/// chance.
pub struct MissingMoves {
    kind: MoveKind,
    /// Number of the bot's turns that were examined: those with an accepted answer. Turns with the same history of
    /// moves count once.
    turns: usize,
    /// Number of the examined turns in which a move of this kind was legal.
    opportunities: usize,
    /// Number of moves of this kind that a random player would be expected to make in the examined turns. A random
    /// player chooses among all legal moves with equal probability.
    expected_count: f64,
}

impl MissingMoves {
    /// Returns the kinds of moves that the bot makes in none of `turns`, although they were legal in at least
    /// [`MIN_OPPORTUNITIES`] of them. They are sorted by the number of such moves that a random player would be
    /// expected to make, largest first. Turns in which the judge rejected the answer, and repeated turns with the same
    /// history of moves, are ignored.
    #[must_use]
    pub fn find<'t>(turns: impl Iterator<Item = &'t Turn>) -> Vec<MissingMoves> {
        let mut seen = BTreeSet::new();
        let is_new = |turn: &&Turn| {
            let numbers = turn.moves.iter().map(|played| played.numbers());
            !turn.is_rejected && seen.insert(numbers.collect::<Vec<_>>())
        };
        let missing = |kind| MissingMoves {
            kind,
            turns: 0,
            opportunities: 0,
            expected_count: 0.0,
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
                let is_of_kind = |legal: &&LegalMove| (never.kind.matches)(legal);
                let count = legal_moves.iter().filter(is_of_kind).count();
                never.turns += 1;
                never.opportunities += usize::from(count > 0);
                never.expected_count += count as f64 / legal_moves.len() as f64;
            }
        }
        kinds.retain(|never| never.opportunities >= MIN_OPPORTUNITIES);
        kinds.sort_by(|one, other| other.expected_count.total_cmp(&one.expected_count));
        kinds
    }

    /// Tests if the bot's lack of moves of the kind `self.kind` is unlikely to be chance. The criterion is a threshold:
    /// a random player would be expected to make at least 15 such moves ([`MIN_EXPECTED_MOVES`]) in the examined turns
    /// of the bot. The threshold was found by checks of correct bots; it is no significance level.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.expected_count >= MIN_EXPECTED_MOVES
    }

    /// Tests if the bot's missing kind of moves may be the reason for its faults in `turns`. The criterion: in each of
    /// these turns, all legal moves are of the kind `self.kind`. A bot that does not know this kind finds no legal move
    /// there.
    #[must_use]
    pub fn explains(&self, turns: &[&Turn]) -> bool {
        let mut legal_moves = turns.iter().flat_map(|turn| LegalMove::all(turn));
        legal_moves.all(|legal| (self.kind.matches)(&legal))
    }

    /// Returns a sentence for the user with the kind of move, the number of turns examined, and the number of turns in
    /// which such a move was legal.
    #[must_use]
    pub fn describe(&self, language: Language) -> String {
        let kind = &self.kind.names[language as usize];
        NEVER.fill(language, &[kind, &self.turns, &self.opportunities])
    }

    /// Returns a JSON object with the kind of move, described in `language` (key `kind`), and three numbers: examined
    /// turns (`turns`), those in which such a move was legal (`chances`), and the moves that a random player would be
    /// expected to make (`expected`).
    #[must_use]
    pub fn json(&self, language: Language) -> Value {
        json!({ "kind": self.kind.names[language as usize], "turns": self.turns, "chances": self.opportunities, "expected": self.expected_count })
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

    /// Creates a turn after `moves` in which the bot answers `answer`. If `answer` is `None`, the judge has rejected
    /// the bot's answer.
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

    /// Returns positions for the tests, from random games after 24 to 47 plies. Each position is given by its moves
    /// from the start of the game.
    fn positions() -> Vec<Vec<Coordinates>> {
        let mut random = SmallRng::seed_from_u64(1);
        let position = |_| {
            let (plies, game) = (random.random_range(24..48), random_game(&mut random));
            let moves = game.get(..plies).filter(|moves| moves.len() < game.len())?;
            Some(moves.iter().copied().map(Into::into).collect())
        };
        (0..150).filter_map(position).collect()
    }

    /// Returns one turn of a bot in each of `positions`. The bot chooses randomly among those legal moves that it
    /// knows, for which `knows` returns true. If there is no such move, the judge rejects its answer.
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
        let never = MissingMoves::find(turns(&positions, |_| true).iter());
        assert!(!never.iter().any(MissingMoves::is_significant));
        for MoveKind { names, matches } in MoveKind::all() {
            let turns = turns(&positions, |legal| !matches(legal));
            let refused: Vec<&Turn> = turns.iter().filter(|turn| turn.is_rejected).collect();
            let never = MissingMoves::find(turns.iter());
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
