//! The judge of Botzone for Amazons: legality, verdicts, scores, and the exact JSON of its output.

use engine::board::{Board, IllegalMove, Leg, Move, Player};
use engine::botzone::json;
use engine::console::quoted;
use engine::movegen;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A move in Botzone's form: x and y of the amazon's origin, of its target, and of the arrow. Six times -1 stands for no
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates([i64; 6]);

impl Coordinates {
    /// Six times -1, which stands for no move.
    pub const NONE: Coordinates = Coordinates([-1; 6]);

    /// Returns the move with the numbers x0, y0, x1, y1, x2, y2: the amazon's origin, its target and the arrow.
    #[must_use]
    pub const fn new(numbers: [i64; 6]) -> Coordinates {
        Coordinates(numbers)
    }

    /// Returns x0, y0, x1, y1, x2, y2: the amazon's origin, its target and the arrow.
    #[must_use]
    pub const fn numbers(self) -> [i64; 6] {
        self.0
    }

    /// Returns the move as a JSON object with the keys [`Coordinates::NAMES`].
    ///
    /// # Panics
    /// Never: six integers are always valid JSON.
    #[must_use]
    pub fn to_value(self) -> Value {
        serde_json::to_value(self).expect("numbers are JSON")
    }

    /// JSON keys of the six numbers: the amazon's origin, its target, the arrow.
    pub const NAMES: [&str; 6] = ["x0", "y0", "x1", "y1", "x2", "y2"];

    /// Parses a response exactly as the judge does: an object with six integers, or a string that begins with such an object.
    /// Returns `None` for anything else.
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

    /// Parses six words, each an integer; returns `None` for any other words.
    pub fn parse_words<'a>(words: impl Iterator<Item = &'a str>) -> Option<Coordinates> {
        let numbers: Option<Vec<i64>> = words.map(|word| word.parse().ok()).collect();
        Some(Coordinates::new(numbers?.try_into().ok()?))
    }

    /// Returns the requests that the side to move after `moves` has received, alternating with its own responses. Black's
    /// first request is [`Coordinates::NONE`].
    #[must_use]
    pub fn history(to_move: Player, moves: &[Coordinates]) -> Vec<Coordinates> {
        let opening = (to_move == Player::Black).then_some(Coordinates::NONE);
        opening.into_iter().chain(moves.iter().copied()).collect()
    }
}

/// Serialises the move as an object with the keys `x0` to `y2`.
impl Serialize for Coordinates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Coordinates::NAMES.iter().zip(self.0))
    }
}

/// Deserialises a move by the rules of [`Coordinates::read`].
impl<'de> Deserialize<'de> for Coordinates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Coordinates, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Coordinates::read(&value).ok_or_else(|| D::Error::custom("expected six integers x0 to y2"))
    }
}

/// Converts a JSON number to an integer as the judge does, by jsoncpp's `isInt`: `5`, `5.0` and `5e0` are 5; fractions and
/// numbers beyond 32 bits are `None`.
fn integer(number: f64) -> Option<i64> {
    let nearest = number as i32;
    (f64::from(nearest) == number).then_some(nearest.into())
}

/// Prints the six numbers with spaces between them, as in Botzone's simple interaction.
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

/// Botzone's verdict on a bot's turn.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum Verdict {
    /// The bot answered in time.
    #[default]
    #[serde(rename = "OK")]
    Ok,
    /// The bot exceeded the time limit.
    #[serde(rename = "TLE")]
    TimeLimitExceeded,
    /// The bot exceeded the memory limit.
    #[serde(rename = "MLE")]
    MemoryLimitExceeded,
    /// The bot crashed, or exited with an error code.
    #[serde(rename = "RE")]
    RuntimeError,
    /// The bot printed too much output.
    #[serde(rename = "OLE")]
    OutputLimitExceeded,
    /// The bot's output was not JSON, though it uses the JSON interaction.
    #[serde(rename = "NJ")]
    NotJson,
    /// The bot could not be compiled or started.
    #[serde(rename = "CE")]
    CompileError,
}

impl Verdict {
    /// Returns Botzone's abbreviation of the verdict, such as `TLE`.
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

/// Kind of an output of the judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputKind {
    /// A request: the side to move must answer.
    Request,
    /// The end of the game.
    Finish,
}

/// Data in the judge's output that only the replay shows; a game can be followed without them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Display {
    /// Number of black's legal moves; `None` if a log lacks it.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub black_count: Option<u64>,
    /// Number of white's legal moves; `None` if a log lacks it.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub white_count: Option<u64>,
    /// Error code if the answer was rejected, such as `INVALIDMOVE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub err: Option<String>,
    /// 0 if black has won, 1 if white has won; `None` if the game is not over.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// Move that the judge accepted last; `None` at the start or if the answer was rejected.
    #[serde(flatten)]
    pub last_move: Option<Coordinates>,
}

/// Deserialises a whole number; any other value becomes `None`.
fn lenient<'de, D: Deserializer<'de>, T: TryFrom<i64>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let number = Value::deserialize(deserializer)?.as_f64();
    Ok(number
        .and_then(integer)
        .and_then(|number| number.try_into().ok()))
}

/// Deserialises [`Output::content`]. All its numbers become integers, such as 2 for `2.0`, so that outputs can be compared.
fn int_content<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Value>, D::Error> {
    let mut content = BTreeMap::<String, Value>::deserialize(deserializer)?;
    for value in content.values_mut() {
        let score = value.as_f64().and_then(integer).map(Value::from);
        let turn = || Coordinates::read(value).map(Coordinates::to_value);
        if let Some(normalised) = score.or_else(turn) {
            *value = normalised;
        }
    }
    Ok(content)
}

/// One output of the judge: a request to a bot, or the end of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Whether a bot must answer or the game is over.
    pub command: OutputKind,
    /// By player (`"0"` is black, `"1"` is white): the opponent's move in a request, the score at the end of the game.
    #[serde(deserialize_with = "int_content")]
    pub content: BTreeMap<String, Value>,
    /// Data that the replay shows.
    #[serde(default)]
    pub display: Display,
}

/// Returns the JSON key of a player: `"0"` for black, `"1"` for white.
#[must_use]
pub const fn key(player: Player) -> &'static str {
    match player {
        Player::Black => "0",
        Player::White => "1",
    }
}

/// A game in progress under the judge's rules.
#[derive(Clone, Debug)]
pub struct Judge {
    board: Board,
    is_over: bool,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::at(Board::start())
    }
}

impl Judge {
    /// Returns a judge for a game that begins at `board`. Botzone itself always begins at the start position.
    #[must_use]
    pub fn at(board: Board) -> Judge {
        let is_over = movegen::count(&board) == 0;
        Judge { board, is_over }
    }

    /// Returns the current position.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Tests if the game is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the judge's first output, a request for the first move.
    #[must_use]
    pub fn opening(&self) -> Output {
        self.request(None)
    }

    /// Judges the answer of the side to move, and returns the judge's output. `verdict` only becomes part of the error code
    /// if `response` holds no coordinates.
    pub fn answer(&mut self, verdict: Option<Verdict>, response: Option<&Value>) -> Output {
        let Some(coordinates) = response.and_then(Coordinates::read) else {
            let err = format!(
                "INVALID_INPUT_VERDICT_{}",
                verdict.map_or("", Verdict::name)
            );
            return self.finish(move_counts(&self.board), Some(err), None);
        };
        let mut board = self.board.clone();
        if !play_like_judge(&mut board, coordinates) {
            return self.finish(move_counts(&board), Some("INVALIDMOVE".to_owned()), None);
        }
        self.board = board;
        if movegen::count(&self.board) == 0 {
            return self.finish(move_counts(&self.board), None, Some(coordinates));
        }
        self.request(Some(coordinates))
    }

    fn request(&self, last_move: Option<Coordinates>) -> Output {
        let last = last_move.unwrap_or(Coordinates::NONE).to_value();
        Output {
            command: OutputKind::Request,
            content: BTreeMap::from([(key(self.board.to_move()).to_owned(), last)]),
            display: Display {
                last_move,
                ..move_counts(&self.board)
            },
        }
    }

    /// Ends the game, and returns the judge's output. The side to move has lost: its answer was rejected, or it has no move.
    fn finish(
        &mut self,
        counts: Display,
        err: Option<String>,
        last_move: Option<Coordinates>,
    ) -> Output {
        self.is_over = true;
        let winner = !self.board.to_move();
        Output {
            command: OutputKind::Finish,
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

/// Plays a move as the judge does, and returns true if the move is legal. After an illegal amazon move the judge has removed
/// the amazon; after an illegal arrow the amazon stands on its new square. Both change the counts of moves in the output.
fn play_like_judge(board: &mut Board, turn: Coordinates) -> bool {
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

/// Counts the legal moves of each player, as if that player were to move.
fn move_counts(board: &Board) -> Display {
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

/// Returns the part of a bot's answer that the judge reads: `response`, or `content` if `response` is missing or null.
#[must_use]
pub fn response(entry: &Value) -> Option<&Value> {
    let values = ["response", "content"].map(|name| entry.get(name));
    values.into_iter().flatten().find(|value| !value.is_null())
}

/// Explains why `response` is not a legal move on `board`; returns `None` if it is legal.
#[must_use]
pub fn explain_illegal(board: &Board, response: &Value) -> Option<String> {
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
