//! Botzone's judge (referee program) for Amazons ([`Judge`]): legality of moves, verdicts, scores, and the exact JSON
//! of its output.

use engine::board::{ActionKind, Board, IllegalMove, Move, Player};
use engine::botzone::json;
use engine::console::quoted;
use engine::movegen;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A move as Botzone writes it, in six numbers: x and y of the amazon's start square, of its target square, and of the
/// arrow's square. x is 0 for file a, y is 0 for rank 1. The numbers may be off the board. Six times -1 means that
/// there is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates([i64; 6]);

impl Coordinates {
    /// No move: all six numbers are -1. Botzone sends this value to black in the first request.
    pub const NONE: Coordinates = Coordinates([-1; 6]);

    /// Creates a move from six numbers: x and y of the amazon's start square, of its target square, and of the arrow's
    /// square (0 is file a or rank 1). The numbers are not checked and may be off the board.
    #[must_use]
    pub const fn new(numbers: [i64; 6]) -> Coordinates {
        Coordinates(numbers)
    }

    /// Returns the six numbers of the move: x and y of the amazon's start square, of its target square, and of the
    /// arrow's square (0 is file a or rank 1).
    #[must_use]
    pub const fn numbers(self) -> [i64; 6] {
        self.0
    }

    /// Returns the move as a JSON object with the keys [`Coordinates::KEYS`].
    ///
    /// # Panics
    /// Never: six integers are always valid JSON.
    #[must_use]
    pub fn to_value(self) -> Value {
        serde_json::to_value(self).expect("numbers are JSON")
    }

    /// JSON keys of a move's six numbers: `x0` and `y0` of the amazon's start square, `x1` and `y1` of its target
    /// square, `x2` and `y2` of the arrow's square.
    pub const KEYS: [&str; 6] = ["x0", "y0", "x1", "y1", "x2", "y2"];

    /// Parses a bot's response exactly as Botzone's judge does. The response may be an object with the keys
    /// [`Coordinates::KEYS`] and 32-bit integers, or a string that begins with the JSON of such an object. Returns
    /// `None` for any other value.
    #[must_use]
    pub fn read(value: &Value) -> Option<Coordinates> {
        let numbers = match value {
            Value::Object(object) => {
                Coordinates::KEYS.map(|name| integer_value(object.get(name)?.as_f64()?))
            }
            Value::String(text) => {
                let object = json::Value::parse_start(text).ok()?;
                Coordinates::KEYS.map(|name| match object.get(name)? {
                    json::Value::Literal(text) => integer_value(text.parse().ok()?),
                    _ => None,
                })
            }
            _ => return None,
        };
        let numbers: Option<Vec<i64>> = numbers.into_iter().collect();
        Some(Coordinates::new(numbers?.try_into().ok()?))
    }

    /// Parses a move from six strings, each of them an integer, in the order of [`Coordinates::numbers`]. The integers
    /// may be off the board; only the range of `i64` is checked. Returns `None` if there are not exactly six strings,
    /// or if one is no integer.
    pub fn parse_words<'a>(words: impl Iterator<Item = &'a str>) -> Option<Coordinates> {
        let numbers: Option<Vec<i64>> = words.map(|word| word.parse().ok()).collect();
        Some(Coordinates::new(numbers?.try_into().ok()?))
    }

    /// Returns what Botzone sends to the bot of `to_move`: a list in which requests (the opponent's moves) and the
    /// bot's own responses alternate. The first element is a request; for black it is [`Coordinates::NONE`]. `moves`
    /// are all moves of the game so far.
    #[must_use]
    pub fn history(to_move: Player, moves: &[Coordinates]) -> Vec<Coordinates> {
        let opening = (to_move == Player::Black).then_some(Coordinates::NONE);
        opening.into_iter().chain(moves.iter().copied()).collect()
    }
}

/// Serialises the move as an object with the keys `x0`, `y0`, `x1`, `y1`, `x2` and `y2`.
impl Serialize for Coordinates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Coordinates::KEYS.iter().zip(self.0))
    }
}

/// Deserialises a move from an object with the keys `x0`, `y0`, `x1`, `y1`, `x2` and `y2`, whose values are 32-bit
/// integers. Also accepts a string that begins with the JSON of such an object. Any other value is an error.
impl<'de> Deserialize<'de> for Coordinates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Coordinates, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Coordinates::read(&value).ok_or_else(|| D::Error::custom("expected six integers x0 to y2"))
    }
}

/// Converts a JSON number to an integer as the judge's jsoncpp does (`isInt`): `5`, `5.0` and `5e0` are 5. Returns
/// `None` for a fraction, and for a number outside the 32-bit range.
fn integer_value(number: f64) -> Option<i64> {
    let nearest = number as i32;
    (f64::from(nearest) == number).then_some(nearest.into())
}

/// Formats the six numbers with spaces between them, such as `2 0 2 5 5 5`. Bots that do not use JSON write moves in
/// this way.
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

/// Botzone's verdict on one turn of a bot: the turn was in order, or the bot exceeded a limit, crashed or wrote no
/// valid output.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum Verdict {
    /// The bot answered within its limits; its move may still be illegal.
    #[default]
    #[serde(rename = "OK")]
    Ok,
    /// The bot exceeded the time limit of the turn (TLE).
    #[serde(rename = "TLE")]
    TimeLimitExceeded,
    /// The bot exceeded the memory limit (MLE).
    #[serde(rename = "MLE")]
    MemoryLimitExceeded,
    /// The bot crashed, or exited with an error code (RE).
    #[serde(rename = "RE")]
    RuntimeError,
    /// The bot printed more output than Botzone allows (OLE).
    #[serde(rename = "OLE")]
    OutputLimitExceeded,
    /// The bot must print JSON, but its output was not JSON (NJ).
    #[serde(rename = "NJ")]
    NotJson,
    /// The bot could not be compiled or started (CE).
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

/// Kind of the judge's output: a request for a move, or the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputKind {
    /// The judge asks the side to move for a move.
    Request,
    /// The game is over, and the output contains the scores.
    Finish,
}

/// Part of the judge's output with which Botzone's website shows the game: both players' numbers of legal moves, the
/// last move, the winner and an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Display {
    /// Number of legal moves that black would have if black were to move, in the position after the last answer. `None`
    /// if the match log lacks the number.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub black_count: Option<u64>,
    /// Number of legal moves that white would have if white were to move, in the position after the last answer. `None`
    /// if the match log lacks the number.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub white_count: Option<u64>,
    /// Error code if the judge rejected the bot's answer: `INVALIDMOVE` for an illegal move, or
    /// `INVALID_INPUT_VERDICT_` followed by the verdict (such as `TLE`) if there was no move. `None` if the answer was
    /// accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub err: Option<String>,
    /// Winner of the game: 0 for black, 1 for white; `None` if the game is not over.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// The move that the judge has accepted before this output. `None` in the first output of a game, and if the answer
    /// was rejected.
    #[serde(flatten)]
    pub last_move: Option<Coordinates>,
}

/// Deserialises an integer that may be written as `2.0`. Never fails: returns `None` for any other value, and for an
/// integer outside the range of `T`.
fn lenient<'de, D: Deserializer<'de>, T: TryFrom<i64>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let number = Value::deserialize(deserializer)?.as_f64();
    Ok(number
        .and_then(integer_value)
        .and_then(|number| number.try_into().ok()))
}

/// Deserialises [`Output::content`]. Converts all numbers to integers, such as `2.0` to 2, so that outputs that differ
/// only in the notation of numbers are equal.
fn content_with_integers<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Value>, D::Error> {
    let mut content = BTreeMap::<String, Value>::deserialize(deserializer)?;
    for value in content.values_mut() {
        let score = value.as_f64().and_then(integer_value).map(Value::from);
        let turn = || Coordinates::read(value).map(Coordinates::to_value);
        if let Some(normalised) = score.or_else(turn) {
            *value = normalised;
        }
    }
    Ok(content)
}

/// One output of the judge: a request for a move, or the end of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Kind of this output: a request for a move, or the end of the game.
    pub command: OutputKind,
    /// Values by player; the key `"0"` is black, `"1"` is white.
    /// - [`OutputKind::Request`]: one value for the side to move. This is the opponent's last move, an object with the
    ///   keys [`Coordinates::KEYS`]. At the first turn all its numbers are -1.
    /// - [`OutputKind::Finish`]: the score of each player, 2 for the winner and 0 for the loser
    #[serde(deserialize_with = "content_with_integers")]
    pub content: BTreeMap<String, Value>,
    /// Data with which Botzone's website shows the game.
    #[serde(default)]
    pub display: Display,
}

/// Returns the JSON key of `player` in the judge's output: `"0"` for black, `"1"` for white.
#[must_use]
pub const fn player_key(player: Player) -> &'static str {
    match player {
        Player::Black => "0",
        Player::White => "1",
    }
}

/// Botzone's judge during a game: the current position, and whether the game is over.
#[derive(Clone, Debug)]
pub struct Judge {
    board: Board,
    is_over: bool,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new(Board::start())
    }
}

impl Judge {
    /// Creates a judge for a game that begins at the position `board`. The game is over at once if the side to move has
    /// no legal move.
    #[must_use]
    pub fn new(board: Board) -> Judge {
        let is_over = movegen::count(&board) == 0;
        Judge { board, is_over }
    }

    /// Returns the current position: the one after the last accepted move.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Tests if the game is over: a player has no legal move, or an answer was rejected.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the judge's first output of the game: a request for the first move.
    #[must_use]
    pub fn first_output(&self) -> Output {
        self.request(None)
    }

    /// Judges the answer of the side to move, and returns the judge's output. `response` is the bot's move in JSON; a
    /// legal move is played, anything else ends the game. `verdict` is Botzone's verdict on the turn, which becomes
    /// part of the error code if `response` contains no move.
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
            content: BTreeMap::from([(player_key(self.board.to_move()).to_owned(), last)]),
            display: Display {
                last_move,
                ..move_counts(&self.board)
            },
        }
    }

    /// Ends the game, and returns the judge's last output. The side to move has lost. `counts` contains both players'
    /// numbers of legal moves ([`move_counts`]). `err` is the error code of a rejected answer; `last_move` is the
    /// accepted move. All three are stored in [`Output::display`].
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
                (player_key(winner).to_owned(), Value::from(2)),
                (player_key(!winner).to_owned(), Value::from(0)),
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

/// Plays a move on `board` as Botzone's judge does. Returns true if the move is legal. An illegal move may change the
/// board, too, which shows in the judge's move counts: if the amazon's move is illegal, the amazon is removed; if only
/// the arrow is illegal, the amazon stays on its target.
fn play_like_judge(board: &mut Board, turn: Coordinates) -> bool {
    let Ok(turn) = Move::from_coordinates(turn.numbers()) else {
        return false;
    };
    match board.play(turn) {
        Ok(()) => return true,
        Err(IllegalMove::NotYourAmazon { .. }) => {}
        Err(
            IllegalMove::StandsStill { action, .. }
            | IllegalMove::NotAQueenLine { action, .. }
            | IllegalMove::Blocked { action, .. },
        ) => match action {
            ActionKind::Move => board.lift_amazon(turn.from),
            ActionKind::Shot => board.move_amazon(turn.from, turn.to),
        },
    }
    false
}

/// Counts the legal moves that black would have if black were to move, and those that white would have if white were to
/// move. Returns them in the fields [`Display::black_count`] and [`Display::white_count`]; all other fields are `None`.
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

/// Returns the bot's move in `entry`, a bot's answer in a match log: the value of `response`, or of `content` if
/// `response` is missing or null. Returns `None` if both are.
#[must_use]
pub fn response_of(entry: &Value) -> Option<&Value> {
    let values = ["response", "content"].map(|name| entry.get(name));
    values.into_iter().flatten().find(|value| !value.is_null())
}

/// Returns why `response`, a bot's answer in JSON, is not a legal move on `board`, as an English phrase for an error
/// message. Returns `None` if it is a legal move.
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
