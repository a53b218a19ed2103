//! The platform's judge for Amazons: its rules, verdicts, scores, and the wording of its output.

use engine::board::{Board, IllegalMove, Leg, Move, Player};
use engine::botzone::json;
use engine::console::quoted;
use engine::movegen;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A move as the platform writes it, or six times -1 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates([i64; 6]);

impl Coordinates {
    /// The absence of a move: six times -1.
    pub const NONE: Coordinates = Coordinates([-1; 6]);

    /// The move of six numbers, in order.
    #[must_use]
    pub const fn new(numbers: [i64; 6]) -> Coordinates {
        Coordinates(numbers)
    }

    /// The six numbers in order.
    #[must_use]
    pub const fn numbers(self) -> [i64; 6] {
        self.0
    }

    /// The move as JSON.
    ///
    /// # Panics
    /// Never: numbers are JSON.
    #[must_use]
    pub fn to_value(self) -> Value {
        serde_json::to_value(self).expect("numbers are JSON")
    }

    /// The names of the six numbers in JSON, in order.
    pub const NAMES: [&str; 6] = ["x0", "y0", "x1", "y1", "x2", "y2"];

    /// Reads an answer as the judge does: an object with six integers, or a string that begins with such an object.
    #[must_use]
    pub fn read(value: &Value) -> Option<Coordinates> {
        let numbers = match value {
            Value::Object(object) => {
                Coordinates::NAMES.map(|name| integer(object.get(name)?.as_f64()?))
            }
            Value::String(text) => {
                let object = json::Value::parse_start(text).ok()?;
                Coordinates::NAMES.map(|name| match object.get(name)? {
                    json::Value::Literal(text) => integer(text.parse().ok()?),
                    _ => None,
                })
            }
            _ => return None,
        };
        let numbers: Option<Vec<i64>> = numbers.into_iter().collect();
        Some(Coordinates::new(numbers?.try_into().ok()?))
    }

    /// Reads six words, each a number.
    pub fn of_words<'a>(words: impl Iterator<Item = &'a str>) -> Option<Coordinates> {
        let numbers: Option<Vec<i64>> = words.map(|word| word.parse().ok()).collect();
        Some(Coordinates::new(numbers?.try_into().ok()?))
    }

    /// What the player to move after some moves has seen: requests and own responses in turn.
    #[must_use]
    pub fn record(to_move: Player, moves: &[Coordinates]) -> Vec<Coordinates> {
        let opening = (to_move == Player::Black).then_some(Coordinates::NONE);
        opening.into_iter().chain(moves.iter().copied()).collect()
    }
}

/// Writes an object with six numbers.
impl Serialize for Coordinates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Coordinates::NAMES.iter().zip(self.0))
    }
}

/// Reads coordinates as the judge reads an answer.
impl<'de> Deserialize<'de> for Coordinates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Coordinates, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Coordinates::read(&value).ok_or_else(|| D::Error::custom("expected six integers x0 to y2"))
    }
}

/// The integer that a number is to the judge, which asks jsoncpp's `isInt`: a whole number within 32 bits, however it is
/// written.
fn integer(number: f64) -> Option<i64> {
    let nearest = number as i32;
    (f64::from(nearest) == number).then_some(nearest.into())
}

/// The six numbers, as the simple interaction has them.
impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.numbers().map(|number| number.to_string()).join(" "))
    }
}

impl From<Move> for Coordinates {
    fn from(turn: Move) -> Coordinates {
        Coordinates::new(turn.coordinates().map(i64::from))
    }
}

/// The platform's verdict on a bot's turn.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum Verdict {
    /// It answered in time.
    #[default]
    #[serde(rename = "OK")]
    Ok,
    /// It was late.
    #[serde(rename = "TLE")]
    TimeLimitExceeded,
    /// It used too much memory.
    #[serde(rename = "MLE")]
    MemoryLimitExceeded,
    /// It crashed or ended with an error.
    #[serde(rename = "RE")]
    RuntimeError,
    /// It printed too much.
    #[serde(rename = "OLE")]
    OutputLimitExceeded,
    /// Its output was not JSON, where JSON was due.
    #[serde(rename = "NJ")]
    NotJson,
    /// It could not be started.
    #[serde(rename = "CE")]
    CompileError,
}

impl Verdict {
    /// The platform's abbreviation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "OK",
            Verdict::TimeLimitExceeded => "TLE",
            Verdict::MemoryLimitExceeded => "MLE",
            Verdict::RuntimeError => "RE",
            Verdict::OutputLimitExceeded => "OLE",
            Verdict::NotJson => "NJ",
            Verdict::CompileError => "CE",
        }
    }
}

/// The kind of a judge's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Demand {
    /// A bot is to move.
    Request,
    /// The game is over.
    Finish,
}

/// The judge's figures beside the board. None is needed to follow a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Display {
    /// Number of black's legal moves. A log may lack it.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub black_count: Option<u64>,
    /// Number of white's legal moves. A log may lack it.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub white_count: Option<u64>,
    /// The fault of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub err: Option<String>,
    /// 0 if black has won, 1 if white has.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// The last move.
    #[serde(flatten)]
    pub last_move: Option<Coordinates>,
}

/// Reads a whole number; anything else is none.
fn whole<'de, D: Deserializer<'de>, T: TryFrom<i64>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let number = Value::deserialize(deserializer)?.as_f64();
    Ok(number
        .and_then(integer)
        .and_then(|number| number.try_into().ok()))
}

/// Reads what the players are told; all numbers become integers, as the judge writes them.
fn content<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Value>, D::Error> {
    let mut content = BTreeMap::<String, Value>::deserialize(deserializer)?;
    for value in content.values_mut() {
        let score = value.as_f64().and_then(integer).map(Value::from);
        let turn = || Coordinates::read(value).map(Coordinates::to_value);
        if let Some(plain) = score.or_else(turn) {
            *value = plain;
        }
    }
    Ok(content)
}

/// One output of the judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Request or finish.
    pub command: Demand,
    /// By player ("0" black, "1" white): the opponent's move, or the score.
    #[serde(deserialize_with = "content")]
    pub content: BTreeMap<String, Value>,
    /// What the judge shows.
    #[serde(default)]
    pub display: Display,
}

/// The key of a player in the judge's output.
#[must_use]
pub const fn key(player: Player) -> &'static str {
    match player {
        Player::Black => "0",
        Player::White => "1",
    }
}

/// A game under the judge.
#[derive(Clone, Debug)]
pub struct Judge {
    board: Board,
    over: bool,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::at(Board::start())
    }
}

impl Judge {
    /// The judge of a game that begins at a position; the platform knows the start position alone.
    #[must_use]
    pub fn at(board: Board) -> Judge {
        let over = movegen::count(&board) == 0;
        Judge { board, over }
    }

    /// The position.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Tests if the game is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// The request with which the game begins.
    #[must_use]
    pub fn opening(&self) -> Output {
        self.request(None)
    }

    /// Judges the answer of the player to move. The verdict only names the fault of an answer that holds no coordinates.
    pub fn answer(&mut self, verdict: Option<Verdict>, response: Option<&Value>) -> Output {
        let Some(coordinates) = response.and_then(Coordinates::read) else {
            let err = format!(
                "INVALID_INPUT_VERDICT_{}",
                verdict.map_or("", Verdict::name)
            );
            return self.finish(counts(&self.board), Some(err), None);
        };
        let mut board = self.board.clone();
        if !play(&mut board, coordinates) {
            return self.finish(counts(&board), Some("INVALIDMOVE".to_owned()), None);
        }
        self.board = board;
        if movegen::count(&self.board) == 0 {
            return self.finish(counts(&self.board), None, Some(coordinates));
        }
        self.request(Some(coordinates))
    }

    fn request(&self, last_move: Option<Coordinates>) -> Output {
        let last = last_move.unwrap_or(Coordinates::NONE).to_value();
        Output {
            command: Demand::Request,
            content: BTreeMap::from([(key(self.board.to_move()).to_owned(), last)]),
            display: Display {
                last_move,
                ..counts(&self.board)
            },
        }
    }

    /// The end of the game: the player to move has lost, by a fault or without a move.
    fn finish(
        &mut self,
        counts: Display,
        err: Option<String>,
        last_move: Option<Coordinates>,
    ) -> Output {
        self.over = true;
        let winner = !self.board.to_move();
        Output {
            command: Demand::Finish,
            content: BTreeMap::from([
                (key(winner).to_owned(), Value::from(2)),
                (key(!winner).to_owned(), Value::from(0)),
            ]),
            display: Display {
                err,
                winner: Some(winner as u8),
                last_move,
                ..counts
            },
        }
    }
}

/// Plays a move as far as the platform's judge does, and tests if it is legal. An amazon whose own leg is refused is gone; one
/// whose arrow is refused stands on its new square.
fn play(board: &mut Board, turn: Coordinates) -> bool {
    let Ok(turn) = Move::from_coordinates(turn.numbers()) else {
        return false;
    };
    match board.play(turn) {
        Ok(()) => return true,
        Err(IllegalMove::NotYourAmazon { .. }) => {}
        Err(
            IllegalMove::StandsStill { leg, .. }
            | IllegalMove::NotAQueenLine { leg, .. }
            | IllegalMove::Blocked { leg, .. },
        ) => match leg {
            Leg::Walk => board.lift_amazon(turn.from),
            Leg::Shot => board.move_amazon(turn.from, turn.to),
        },
    }
    false
}

/// How many moves each player has.
fn counts(board: &Board) -> Display {
    let [black_count, white_count] = [Player::Black, Player::White].map(|player| {
        let mut board = board.clone();
        board.set_to_move(player);
        Some(movegen::count(&board))
    });
    Display {
        black_count,
        white_count,
        ..Display::default()
    }
}

/// What the judge reads of a bot's entry in a log, or of its answer in JSON: `response`, or `content` if that is missing or
/// null.
#[must_use]
pub fn response(entry: &Value) -> Option<&Value> {
    let values = ["response", "content"].map(|name| entry.get(name));
    values.into_iter().flatten().find(|value| !value.is_null())
}

/// The reason why a response is not a legal move; nothing if it is one.
#[must_use]
pub fn objection(board: &Board, response: &Value) -> Option<String> {
    let Some(coordinates) = Coordinates::read(response) else {
        let found = response.to_string();
        let found = quoted(&found);
        return Some(format!("{found}, expected six integers x0 to y2"));
    };
    match Move::from_coordinates(coordinates.numbers()) {
        Ok(turn) => board.check(turn).err().map(|fault| fault.to_string()),
        Err(fault) => Some(fault.to_string()),
    }
}
