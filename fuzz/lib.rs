//! Code that the fuzz targets share: sessions with the bot, and the reference model that checks its answers.

#[path = "../tests/common/conversation.rs"]
pub mod conversation;
#[path = "../tests/common/dialogue.rs"]
pub mod dialogue;
#[path = "../tests/common/model.rs"]
pub mod model;

use conversation::{Choose, read_json, read_simple};
use engine::botzone::KEEP_RUNNING;
use model::{Coords, Entry, Model, NO_MOVE};

/// Makes the choices of a session from the fuzzer's input; chooses 0 when the input is exhausted.
pub struct Bytes<'a>(pub arbitrary::Unstructured<'a>);

impl Choose for Bytes<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.0.choose_index(bound).unwrap_or(0)
    }
}

/// History of a game up to black's third turn: requests and responses alternate.
const HISTORY: [Coords; 5] = [
    NO_MOVE,
    [5, 0, 3, 2, 6, 5],
    [0, 5, 4, 5, 3, 4],
    [0, 2, 0, 3, 3, 0],
    [2, 7, 2, 5, 1, 4],
];

/// Sends arbitrary bytes to a bot, then a valid history. Checks that the bot writes only answers, each followed by the
/// keep-running marker, and that it answers the history with a legal move.
///
/// # Panics
/// If the bot behaves differently.
pub fn check_arbitrary_input(bytes: &[u8]) {
    let [request_1, response_1, request_2, response_2, request_3] = HISTORY.map(|six| {
        let [x0, y0, x1, y1, x2, y2] = six;
        serde_json::json!({"x0": x0, "y0": y0, "x1": x1, "y1": y1, "x2": x2, "y2": y2})
    });
    let history = serde_json::json!({
        "requests": [request_1, request_2, request_3],
        "responses": [response_1, response_2],
    });
    let history = format!("\n{history}\n");
    let mut calls = 0;
    let mut answers_to_history = 0;
    let mut last_answer = None;
    let (rest, _) = dialogue::run(dialogue::quick(), |output| {
        let answers = read_answers(&output);
        calls += 1;
        match calls {
            1 => return Some(bytes.to_vec()),
            // These answers may belong to the arbitrary bytes.
            2 => {}
            _ => answers_to_history += answers.len(),
        }
        last_answer = answers.last().copied();
        // If the bytes begin a first turn, the bot may read the history as further lines of that turn. So it is sent until
        // two answers arrive.
        (answers_to_history < 2).then(|| history.clone().into_bytes())
    });
    assert_eq!(rest, "");
    let answer = last_answer.expect("the history was answered");
    let model = Model::of_record(&HISTORY.map(Entry::Move));
    assert!(model.is_legal(model.bot, answer), "{answer:?} is illegal");
}

/// Parses a bot's output, in which the keep-running marker must follow each answer.
fn read_answers(output: &str) -> Vec<Coords> {
    let lines: Vec<&str> = output.lines().collect();
    let answer = |pair: &[&str]| {
        assert_eq!(pair.get(1), Some(&KEEP_RUNNING), "{output}");
        let answer = read_simple(pair[0]).or_else(|| read_json(pair[0]));
        answer.unwrap_or_else(|| panic!("no answer: {output}"))
    };
    lines.chunks(2).map(answer).collect()
}
