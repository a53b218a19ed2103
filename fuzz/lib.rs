//! Parts that the targets share: sessions of the bot, and the model that checks its answers.

#[path = "../tests/common/conversation.rs"]
pub mod conversation;
#[path = "../tests/common/dialogue.rs"]
pub mod dialogue;
#[path = "../tests/common/model.rs"]
pub mod model;

use engine::botzone::KEEP_RUNNING;
use conversation::{Choose, read_json, read_simple};
use model::{Coords, Entry, Model, NO_MOVE};

/// Choices by the fuzzer's bytes; 0 once they are used up.
pub struct Bytes<'a>(pub arbitrary::Unstructured<'a>);

impl Choose for Bytes<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.0.choose_index(bound).unwrap_or(0)
    }
}

/// Black's third turn with its whole record.
const RECORD: [Coords; 5] = [
    NO_MOVE,
    [5, 0, 3, 2, 6, 5],
    [0, 5, 4, 5, 3, 4],
    [0, 2, 0, 3, 3, 0],
    [2, 7, 2, 5, 1, 4],
];

/// Sends any bytes to a bot, then a sound record. The bot must write nothing but answers with the marker, and answer
/// the record with a legal move.
///
/// # Panics
/// If the bot does anything else.
pub fn babble(bytes: &[u8]) {
    let [request_1, response_1, request_2, response_2, request_3] = RECORD.map(|coords| {
        let [x0, y0, x1, y1, x2, y2] = coords;
        serde_json::json!({"x0": x0, "y0": y0, "x1": x1, "y1": y1, "x2": x2, "y2": y2})
    });
    let record = serde_json::json!({
        "requests": [request_1, request_2, request_3],
        "responses": [response_1, response_2],
    });
    let record = format!("\n{record}\n");
    let mut asked = 0;
    let mut answers_after = 0;
    let mut last = None;
    let (rest, _) = dialogue::run(dialogue::quick(), |output| {
        let answers = read_answers(&output);
        asked += 1;
        match asked {
            1 => return Some(bytes.to_vec()),
            // These are answers to the bytes.
            2 => {}
            _ => answers_after += answers.len(),
        }
        last = answers.last().copied();
        // A first turn that the bytes began may still take records for lines of its own.
        (answers_after < 2).then(|| record.clone().into_bytes())
    });
    assert_eq!(rest, "");
    let answer = last.expect("the record was answered");
    let model = Model::of_record(&RECORD.map(Entry::Move));
    assert!(model.is_legal(model.bot, answer), "{answer:?} is illegal");
}

/// Reads a bot's output: answers with the marker and nothing else.
fn read_answers(output: &str) -> Vec<Coords> {
    let lines: Vec<&str> = output.lines().collect();
    let answer = |pair: &[&str]| {
        assert_eq!(pair.get(1), Some(&KEEP_RUNNING), "{output}");
        let answer = read_simple(pair[0]).or_else(|| read_json(pair[0]));
        answer.unwrap_or_else(|| panic!("no answer: {output}"))
    };
    lines.chunks(2).map(answer).collect()
}
