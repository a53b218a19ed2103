//! Tests that the judge accepts and rejects every unusual answer exactly as Botzone's judge does.

use crate::common::model::{Cells, Side};
use crate::common::output;
use proptest::prelude::*;
use record::checked_game::{CheckedGame, Fault, Outcome};
use record::judge::Judge;
use record::log::{self, LogEntry};
use serde_json::Value;

/// Returns a match log of the start position and one entry of a bot.
fn log_of(entry: &str) -> String {
    format!(
        "[{{\"output\":{{\"command\":\"request\",\"content\":{}}}}},{entry}]",
        r#"{"0":{"x0":-1,"y0":-1,"x1":-1,"y1":-1,"x2":-1,"y2":-1}}"#
    )
}

/// What the judge says about an answer: the error code (empty if accepted), then black's and white's number of legal moves.
type Said = (String, u64, u64);

/// Returns what this program's judge says about black's first answer. Also checks that `CheckedGame`, which `amazons replay`
/// uses, gives the same reason.
fn said(entry: &str) -> Said {
    let log = log_of(entry);
    let entries = log::read(&log).unwrap_or_else(|fault| panic!("{entry}: {fault}"));
    let LogEntry::Bot(_, answer) = &entries[1] else {
        panic!("{entry}: expected a bot's entry");
    };
    let output = Judge::default().answer(answer.verdict, answer.response.as_ref());
    let display = output.display;
    let err = display.err.unwrap_or_default();
    let game = CheckedGame::read(&log).unwrap_or_else(|fault| panic!("{entry}: {fault}"));
    let expected = match err.as_str() {
        "" => "running",
        "INVALIDMOVE" => "illegal",
        _ => "no move",
    };
    let found = match game.outcome() {
        Outcome::Running { .. } => "running",
        Outcome::Fault {
            fault: Fault::Illegal,
            ..
        } => "illegal",
        _ => "no move",
    };
    assert_eq!(found, expected, "{entry}");
    let [black, white] = [display.black_count, display.white_count];
    (err, black.expect("counted"), white.expect("counted"))
}

/// A legal first move; `MOVE` stands for it in the tables below.
const MOVE: &str = r#"{"x0":2,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}"#;

/// Responses to black's first request, with the verdict `OK`. Before each response: what Botzone's public judge says,
/// compiled with jsoncpp 1.9.5, as error code (`-` for none) and numbers of legal moves. That judge crashes if a string
/// begins with a number or an array; the table expects an invalid answer for these.
const RESPONSES: &str = r#"
-                        1272  698 MOVE
INVALID_INPUT_VERDICT_OK 1232 1232 [2,0,2,5,5,5]
INVALID_INPUT_VERDICT_OK 1232 1232 [MOVE]
INVALID_INPUT_VERDICT_OK 1232 1232 2
INVALID_INPUT_VERDICT_OK 1232 1232 true
INVALID_INPUT_VERDICT_OK 1232 1232 {}
-                        1272  698 {"x0":2.0,"y0":0.0,"x1":2.0,"y1":5.0,"x2":5.0,"y2":5.0}
-                        1272  698 {"x0":2e0,"y0":0e9,"x1":20e-1,"y1":0.5E+1,"x2":5,"y2":5}
-                        1272  698 {"x0":2,"y0":-0.0,"x1":2,"y1":5,"x2":5,"y2":5}
-                        1272  698 {"x0":2,"y0":-0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":2.5,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":2.0000001,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5e-1}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":"2","y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":2,"y0":false,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":5,"y2":true}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":2,"y0":null,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":[2],"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":4294967298,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":2147483648,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":-2147483649,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":18446744073709551618,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":1e300,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALIDMOVE              1232 1232 {"x0":2147483647,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALIDMOVE              1232 1232 {"x0":-2147483648.0,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
INVALID_INPUT_VERDICT_OK 1232 1232 {"X0":2,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}
-                        1272  698 {"x0":"2","y0":0,"x1":2,"y1":5,"x2":5,"y2":5,"x0":2}
INVALID_INPUT_VERDICT_OK 1232 1232 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5,"y2":"5"}
INVALIDMOVE              1406  919 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5,"y2":7}
-                        1272  698 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5,"x3":{"x0":1}}
-                        1272  698 "{\"x0\":2,\"y0\":0,\"x1\":2,\"y1\":5,\"x2\":5,\"y2\":5}"
-                        1272  698 "{\"x0\":2,\"y0\":0,\"x1\":2,\"y1\":5,\"x2\":5,\"y2\":5} bye"
-                        1272  698 " {\"x0\":2,\"y0\":0,\"x1\":2,\"y1\":5,\"x2\":5,\"y2\":5}}{"
-                        1272  698 "{\"x0\":2.0,\"y0\":-0,\"x1\":02,\"y1\":5.,\"x2\":5e0,\"y2\":5}"
-                        1272  698 "/* a */{\"x0\":2,//b\n\"y0\":0,\"x1\":2,\"y1\":5,\"x2\":5,\"y2\":5}"
INVALID_INPUT_VERDICT_OK 1232 1232 "hi {\"x0\":2,\"y0\":0,\"x1\":2,\"y1\":5,\"x2\":5,\"y2\":5}"
INVALID_INPUT_VERDICT_OK 1232 1232 "{\"x0\":2,\"y0\":0,\"x1\":2,\"y1\":5,\"x2\":5,\"y2\":5"
INVALID_INPUT_VERDICT_OK 1232 1232 "{\"x0\":\"2\",\"y0\":0,\"x1\":2,\"y1\":5,\"x2\":5,\"y2\":5}"
INVALID_INPUT_VERDICT_OK 1232 1232 "{\"x0\":4294967298,\"y0\":0,\"x1\":2,\"y1\":5,\"x2\":5,\"y2\":5}"
INVALID_INPUT_VERDICT_OK 1232 1232 "2 0 2 5 5 5"
INVALID_INPUT_VERDICT_OK 1232 1232 ""
INVALID_INPUT_VERDICT_OK 1232 1232 "null"
INVALIDMOVE              1232 1232 {"x0":-1,"y0":-1,"x1":-1,"y1":-1,"x2":-1,"y2":-1}
INVALIDMOVE              1232 1232 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":8,"y2":5}
INVALIDMOVE              1232 1232 {"x0":2,"y0":1,"x1":2,"y1":5,"x2":5,"y2":5}
INVALIDMOVE              1232 1232 {"x0":2,"y0":7,"x1":2,"y1":5,"x2":5,"y2":5}
INVALIDMOVE              1017 1279 {"x0":2,"y0":0,"x1":2,"y1":0,"x2":5,"y2":5}
INVALIDMOVE              1017 1279 {"x0":2,"y0":0,"x1":3,"y1":2,"x2":5,"y2":5}
INVALIDMOVE              1017 1279 {"x0":2,"y0":0,"x1":2,"y1":7,"x2":5,"y2":5}
INVALIDMOVE              1017 1279 {"x0":2,"y0":0,"x1":6,"y1":0,"x2":6,"y2":1}
INVALIDMOVE              1406  919 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":2,"y2":5}
INVALIDMOVE              1406  919 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":2,"y2":7}
INVALIDMOVE              1406  919 {"x0":2,"y0":0,"x1":2,"y1":5,"x2":3,"y2":7}
"#;

/// A table like `RESPONSES`, but of whole log entries of a bot.
const ENTRIES: &str = r#"
-                         1272  698 {"verdict":"OK","content":MOVE}
-                         1272  698 {"verdict":"OK","response":null,"content":MOVE}
-                         1272  698 {"verdict":"OK","response":null,"response":MOVE}
-                         1272  698 {"verdict":"OK","response":MOVE,"content":[]}
INVALID_INPUT_VERDICT_OK  1232 1232 {"verdict":"OK","response":{},"content":MOVE}
INVALID_INPUT_VERDICT_OK  1232 1232 {"verdict":"OK","content":[2,0,2,5,5,5]}
INVALID_INPUT_VERDICT_OK  1232 1232 {"verdict":"OK"}
-                         1272  698 {"response":MOVE}
INVALID_INPUT_VERDICT_    1232 1232 {"response":"x"}
INVALID_INPUT_VERDICT_    1232 1232 {}
INVALID_INPUT_VERDICT_    1232 1232 {"verdict":null}
INVALID_INPUT_VERDICT_TLE 1232 1232 {"verdict":"TLE"}
INVALID_INPUT_VERDICT_OLE 1232 1232 {"verdict":"OLE"}
INVALID_INPUT_VERDICT_NJ  1232 1232 {"verdict":"NJ","response":[]}
-                         1272  698 {"verdict":"TLE","response":MOVE}
"#;

/// Parses a table: each line holds what the judge says, and a response or an entry.
fn cases(table: &str) -> impl Iterator<Item = (Said, String)> {
    table.trim().lines().map(|line| {
        let mut words = line.split_whitespace();
        let [err, black, white] = [(); 3].map(|()| words.next().expect("a word"));
        let [black_count, white_count] =
            [black, white].map(|count| count.parse().expect("a count"));
        let case = words.collect::<Vec<_>>().join(" ").replace("MOVE", MOVE);
        ((err.replace('-', ""), black_count, white_count), case)
    })
}

#[test]
fn unusual_answers_are_judged_as_on_botzone() {
    let of_response = |response| format!("{{\"verdict\":\"OK\",\"response\":{response}}}");
    let responses = cases(RESPONSES).map(|(said, response)| (said, of_response(response)));
    for (expected, entry) in responses.chain(cases(ENTRIES)) {
        assert_eq!(said(&format!("{{\"0\":{entry}}}")), expected, "{entry}");
    }
}

#[test]
fn answer_under_the_opponents_key_is_ignored() {
    let output = output(
        &["judge"],
        &log_of(&format!("{{\"1\":{{\"response\":{MOVE}}}}}")),
    );
    let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(said["display"]["err"], "INVALID_INPUT_VERDICT_");
    assert_eq!(said["content"]["1"], 2);
}

/// Floating-point numbers such as `2.0` in a log must give the same game, without a warning.
#[test]
fn logs_of_floating_point_numbers_are_read() {
    fn to_floats(value: &mut Value) {
        match value {
            Value::Number(number) => *value = number.as_f64().expect("a number").into(),
            Value::Array(items) => items.iter_mut().for_each(to_floats),
            Value::Object(object) => object.values_mut().for_each(to_floats),
            _ => {}
        }
    }
    let plain = include_str!("logs/random_vs_random.json");
    let mut floats: Value = serde_json::from_str(plain).expect("JSON");
    to_floats(&mut floats);
    let [plain, floats] =
        [plain, &floats.to_string()].map(|log| CheckedGame::read(log).expect("a log"));
    assert_eq!(floats.warning(), None);
    assert_eq!(
        (&floats.moves, floats.outcome()),
        (&plain.moves, plain.outcome())
    );
}

// Below: a second, independent implementation of the judge. It judges the generated value, not its text.

/// A generated JSON value, as a bot may print it.
#[derive(Clone, Debug)]
enum Drawn {
    /// Text of a number, and the 32-bit integer that jsoncpp reads from it, if any.
    Number(String, Option<i32>),
    /// Text of a JSON value that is neither a number, nor an object, nor a string with an object.
    Other(&'static str),
    Object(Vec<(String, Drawn)>),
    /// A string that contains an object, with other text before and after it.
    Text(&'static str, Box<Drawn>, &'static str),
}

impl Drawn {
    fn text(&self) -> String {
        match self {
            Drawn::Number(text, _) => text.clone(),
            Drawn::Other(text) => (*text).to_owned(),
            Drawn::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| format!("\"{name}\" : {}", value.text()));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
            Drawn::Text(before, object, after) => {
                Value::from(format!("{before}{}{after}", object.text())).to_string()
            }
        }
    }

    /// Returns the last member called `name`, because a later duplicate replaces an earlier one.
    fn get(&self, name: &str) -> Option<&Drawn> {
        match self {
            Drawn::Object(members) => Some(&members.iter().rfind(|(key, _)| key == name)?.1),
            _ => None,
        }
    }

    /// Returns the six integers that the judge reads from a response.
    fn integers(&self) -> Option<[i32; 6]> {
        let object = match self {
            Drawn::Text(before, object, _) if before.trim().is_empty() => object,
            Drawn::Text(..) => return None,
            object => object,
        };
        let mut integers = [0; 6];
        for (at, integer) in integers.iter_mut().enumerate() {
            let name = format!("{}{}", ["x", "y"][at % 2], at / 2);
            match object.get(&name)? {
                Drawn::Number(_, found) => *integer = (*found)?,
                _ => return None,
            }
        }
        Some(integers)
    }
}

/// Judges black's first entry independently: reads `response` unless it is null, else `content`, and checks the move square
/// by square.
fn second_reading(entry: &Drawn) -> Said {
    let is_there = |value: &&Drawn| !matches!(value, Drawn::Other("null"));
    let response = entry.get("response").filter(is_there);
    let response = response.or(entry.get("content"));
    let mut cells = Cells::start();
    let err = match response.and_then(Drawn::integers) {
        None => match entry.get("verdict") {
            Some(Drawn::Other(verdict)) => {
                format!(
                    "INVALID_INPUT_VERDICT_{}",
                    verdict.trim_matches('"').replace("null", "")
                )
            }
            _ => "INVALID_INPUT_VERDICT_".to_owned(),
        },
        Some(integers) if cells.play(Side::Black, integers.map(i64::from)) => String::new(),
        Some(_) => "INVALIDMOVE".to_owned(),
    };
    let [black, white] = [Side::Black, Side::White].map(|side| cells.moves(side, Cells::reach));
    (err, black.len() as u64, white.len() as u64)
}

/// Generates one of the given texts.
fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    proptest::sample::select(texts)
}

/// Generates a number, spelled in different ways: as an integer, a decimal fraction or with an exponent.
fn number(integer: impl Strategy<Value = i64>) -> impl Strategy<Value = Drawn> {
    let fraction = prop_oneof![6 => Just(0_u32), 1 => 1_u32..100];
    (integer, fraction, 0_usize..7).prop_map(|(integer, cents, way)| {
        let text = match way {
            0 => format!("{integer}.{cents:02}"),
            1 => format!("{integer}.{cents:02}0e0"),
            2 if integer != 0 => format!("{integer}{cents:02}e-2"),
            3 if integer != 0 => format!("{integer}{cents:02}0E-03"),
            4 if integer % 10 == 0 && cents == 0 => format!("{}e+1", integer / 10),
            _ if cents == 0 => integer.to_string(),
            _ => format!("{integer}.{cents:02}"),
        };
        let found = i32::try_from(integer).ok().filter(|_| cents == 0);
        Drawn::Number(text, found)
    })
}

/// Generates a coordinate: mostly `good`, at times another number or another type.
fn coordinate(good: i64) -> BoxedStrategy<Drawn> {
    let far = prop_oneof![
        -10_i64..20,
        (-3_i64..3).prop_map(|off| (1 << 31) + off),
        (-3_i64..3).prop_map(|off| off - (1 << 31)),
        Just(4_294_967_298)
    ];
    let other = one_of(&[r#""2""#, "true", "false", "null", "[2]", "{}", r#""""#]);
    prop_oneof![
        40 => number(Just(good)),
        2 => number(0_i64..8),
        1 => number(far),
        1 => other.prop_map(Drawn::Other),
    ]
    .boxed()
}

/// Generates an object that is mostly a move, legal or illegal; keys may be missing or repeated.
fn object() -> BoxedStrategy<Drawn> {
    let squares = proptest::sample::select(
        &[
            [2, 0, 2, 5, 5, 5],
            [0, 2, 0, 4, 6, 4],
            [5, 0, 5, 1, 5, 0],
            [2, 0, 2, 2, 5, 1],
            [7, 2, 7, 2, 7, 3],
            [5, 0, 7, 1, 7, 0],
        ][..],
    );
    squares
        .prop_flat_map(|squares| {
            let member = |at: usize| {
                let name = format!("{}{}", ["x", "y"][at % 2], at / 2);
                let count = prop_oneof![1 => Just(0_usize), 60 => Just(1), 3 => Just(2)];
                count.prop_flat_map(move |count| {
                    let name = name.clone();
                    let values = proptest::collection::vec(coordinate(squares[at]), count);
                    values.prop_map(move |values| {
                        values
                            .into_iter()
                            .map(|value| (name.clone(), value))
                            .collect::<Vec<_>>()
                    })
                })
            };
            let all = [0, 1, 2, 3, 4, 5].map(member);
            (all, any::<bool>()).prop_map(|(members, reversed)| {
                let mut members: Vec<_> = members.into_iter().flatten().collect();
                if reversed {
                    members.reverse();
                }
                Drawn::Object(members)
            })
        })
        .boxed()
}

/// Generates a response: an object, a string with an object, or another value.
fn response() -> BoxedStrategy<Drawn> {
    let before = one_of(&["", " ", "\n\t", "x", "1 ", "["]);
    let after = one_of(&["", " ", "bye", "}", "{\"x0\":1}", " //", "\u{1b}"]);
    let other = one_of(&[
        "null",
        "[2,0,2,5,5,5]",
        "[]",
        "7",
        "true",
        r#""""#,
        r#""2 0 2 5 5 5""#,
        r#""null""#,
    ]);
    prop_oneof![
        8 => object(),
        4 => (before, object(), after).prop_map(|(before, object, after)| Drawn::Text(before, Box::new(object), after)),
        3 => other.prop_map(Drawn::Other),
    ]
    .boxed()
}

/// Generates a bot's entry whose verdict, response and content may each be missing, present or repeated.
fn entry() -> impl Strategy<Value = Drawn> {
    let verdicts = one_of(&[
        r#""OK""#, r#""TLE""#, r#""RE""#, r#""NJ""#, r#""OLE""#, "null",
    ]);
    let member = prop_oneof![
        1 => verdicts.prop_map(|verdict| ("verdict".to_owned(), Drawn::Other(verdict))),
        3 => response().prop_map(|response| ("response".to_owned(), response)),
        1 => response().prop_map(|content| ("content".to_owned(), content)),
    ];
    proptest::collection::vec(member, 0..5).prop_map(Drawn::Object)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn judge_agrees_with_independent_implementation(entry in entry()) {
        let text = format!("{{\"0\":{}}}", entry.text());
        prop_assert_eq!(said(&text), second_reading(&entry), "{}", text);
    }
}
