//! Match logs: the judge against the platform's, `amazons replay` on whole, running and damaged games.

use crate::common::output;
use amazons::board::{Board, Move, Player};
use amazons::movegen;
use amazons::tools::analysis::glossary::Language;
use amazons::tools::platform::process::{Limits, TurnReport};
use amazons::tools::record::judge::{Coordinates, Judge, Verdict};
use amazons::tools::record::log::{self, Answer, LogEntry};
use amazons::tools::record::replayed::{Fault, Outcome, Replayed};
use amazons::tools::study::replay::compare::{self, Difference, DifferenceKind};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The logs, their results, and the number of their plies.
const LOGS: [(&str, &str, usize); 10] = [
    ("fault_crash", "white won: black crashed (RE)", 10),
    (
        "fault_garbage",
        "white won: black's answer was not a move (OK)",
        10,
    ),
    (
        "fault_illegal",
        "white won: black's answer was illegal (INVALIDMOVE)",
        10,
    ),
    ("fault_timeout", "white won: black was late (TLE)", 10),
    ("game_bot003_bot032", "black won: white has no move", 55),
    ("game_bot003_opponent", "white won: black has no move", 48),
    ("game_bot032_bot003", "black won: white has no move", 53),
    ("game_opponent_bot003", "black won: white has no move", 51),
    ("game_opponent_bot032", "white won: black has no move", 54),
    ("random_vs_random", "white won: black has no move", 40),
];

/// Where a log lies.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/logs/{name}.json"))
}

/// The entries of a log as they stand in its file.
fn raw(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(path(name)).expect("the log is there");
    serde_json::from_str(&text).expect("the log is a list")
}

fn text(entries: &[Value]) -> String {
    serde_json::to_string(entries).expect("values are JSON")
}

fn game(entries: &[Value]) -> Replayed {
    Replayed::read(&text(entries)).expect("the log is sound")
}

/// Writes a file of this test run; returns its path.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("replay_{name}.json"));
    fs::write(&path, text).expect("the folder can be written");
    path.to_str().expect("the path is UTF-8").to_owned()
}

fn replay(args: &[&str]) -> (Option<i32>, String, String) {
    let output = output(&[&["replay"], args].concat(), "");
    let text = |bytes| String::from_utf8(bytes).expect("the tool writes UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Our judge says at every step exactly what the platform's said.
#[test]
fn every_output_of_the_judge_is_the_logs() {
    let mut compared = 0;
    for (name, ..) in LOGS {
        let mut judge = Judge::default();
        let mut expected = judge.opening();
        for (number, entry) in raw(name).iter().enumerate() {
            if let Some(output) = entry.get("output") {
                let expected = serde_json::to_value(&expected).expect("outputs are JSON");
                assert_eq!(*output, expected, "{name}, entry {number}");
                compared += 1;
                continue;
            }
            let player = (number / 2 % 2).to_string();
            let answer: Answer =
                serde_json::from_value(entry[player].clone()).expect("a bot's answer");
            expected = judge.answer(answer.verdict, answer.response.as_ref());
        }
        assert!(judge.is_over(), "{name}");
    }
    assert_eq!(compared, 355);
}

/// The tool `judge`, given a log up to a bot's answer, prints the output that follows there.
#[test]
fn the_judge_tool_continues_every_prefix() {
    for name in ["fault_timeout", "fault_illegal", "random_vs_random"] {
        let entries = raw(name);
        for end in (0..entries.len()).step_by(2) {
            let log = json!({ "log": entries[..end] }).to_string();
            let output = output(&["judge"], &log);
            assert_eq!(output.status.code(), Some(0));
            let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(printed, entries[end]["output"], "{name}, entry {end}");
        }
    }
}

#[test]
fn results_and_causes_are_reported() {
    for (name, result, plies) in LOGS {
        let file = path(name);
        let (code, stdout, stderr) = replay(&[file.to_str().expect("UTF-8")]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{name}");
        let lines: Vec<&str> = stdout.lines().collect();
        assert!(lines[0].ends_with(&format!("{name}.json")), "{stdout}");
        assert_eq!(lines[1], format!("  {result}; {plies} plies"), "{name}");
        let is_fault = name.starts_with("fault");
        assert_eq!(lines.len() > 4, is_fault, "{stdout}");
    }
}

/// The slowest turn is the first of the slowest, the memory the most, each of the player alone.
#[test]
fn turns_are_summed_up_by_player() {
    for (name, ..) in LOGS {
        let entries = raw(name);
        let game = game(&entries);
        for (player, key) in [(Player::Black, "0"), (Player::White, "1")] {
            let turns: Vec<(usize, u64, u64)> = entries
                .iter()
                .enumerate()
                .filter_map(|(number, entry)| {
                    let answer = entry.get(key)?;
                    let amount = |name: &str| answer[name].as_u64().expect("a number");
                    Some((number.div_ceil(2), amount("time"), amount("memory")))
                })
                .collect();
            let effort = game.effort(player);
            assert_eq!(effort.turns, turns.len(), "{name} {player}");
            let slowest = turns.iter().map(|turn| turn.1).max();
            assert_eq!(Some(effort.slowest), slowest, "{name} {player}");
            let ply = turns.iter().find(|turn| Some(turn.1) == slowest);
            assert_eq!(Some(effort.slowest_ply), ply.map(|turn| turn.0));
            let memory = turns.iter().map(|turn| turn.2).max();
            assert_eq!(Some(effort.memory), memory, "{name} {player}");
        }
    }
}

#[test]
fn names_stand_beside_the_colours() {
    let log = raw("fault_timeout");
    let expected = "  white won: black was late (TLE); 10 plies
  black  Penthesilea   6 turns  slowest  1051 ms at ply 11  memory   13 MB
  white  Ω             5 turns  slowest    59 ms at ply  6  memory    0 MB
";
    for (number, object) in [
        json!({ "players": ["Penthesilea", "Ω"], "log": log }),
        json!({ "logs": log, "names": { "0": { "name": "Penthesilea" }, "1": "Ω" } }),
    ]
    .into_iter()
    .enumerate()
    {
        let file = file(&format!("names_{number}"), &object.to_string());
        let (code, stdout, _) = replay(&[&file]);
        assert_eq!(code, Some(0));
        let expected = format!("{file}\n{expected}");
        assert!(stdout.starts_with(&expected), "{stdout}");
    }
}

#[test]
fn every_prefix_is_a_running_game() {
    for (name, ..) in LOGS {
        let entries = raw(name);
        // The last answer ends the game, whether the log has the judge's word for it or not.
        let last_answer = entries.len() - 2;
        for end in 1..=entries.len() {
            let game = game(&entries[..end]);
            let answers = end / 2;
            assert_eq!(game.answers.len(), answers, "{name}, {end} entries");
            if end > last_answer {
                assert!(!matches!(game.outcome(), Outcome::Running { .. }), "{name}");
                continue;
            }
            let to_move = [Player::Black, Player::White][answers % 2];
            assert_eq!(game.outcome(), Outcome::Running { to_move }, "{name}");
            assert_eq!(game.plies(), answers, "{name}");
        }
    }
    let running = file("running", &text(&raw("random_vs_random")[..8]));
    let (code, stdout, _) = replay(&[&running]);
    assert_eq!(code, Some(0));
    assert!(
        stdout.contains("  the game is running, black to move; 4 plies\n"),
        "{stdout}"
    );
    let one = Replayed::read(&text(&raw("random_vs_random")[..2])).expect("the log is sound");
    let report = amazons::tools::study::replay::report("one", &one);
    assert!(report.contains("white to move; 1 ply\n"), "{report}");
    let opening = file("opening", &text(&raw("random_vs_random")[..1]));
    let (code, stdout, _) = replay(&[&opening]);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("black to move; 0 plies\n"), "{stdout}");
    assert_eq!(stdout.matches(" 0 turns").count(), 2, "{stdout}");
}

#[test]
fn what_is_not_needed_is_left_out() {
    let plain = raw("game_bot003_bot032");
    let mut rich = plain.clone();
    for (number, entry) in rich.iter_mut().enumerate() {
        entry["time_stamp"] = json!([number]);
        if let Some(output) = entry.get_mut("output") {
            output["display"]["hint"] = json!({ "x": 1 });
            output["debug"] = json!("of the judge");
            continue;
        }
        let answer = &mut entry[(number / 2 % 2).to_string()];
        answer["raw"] = json!("1 2 3\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<");
        answer["debug"] = json!({ "win": 0.5, "line": ["a ] , \" {", null] });
        answer["unknown"] = json!({ "0": {}, "output": [] });
        answer["response"]["weight"] = json!(1);
    }
    assert_ne!(text(&plain), text(&rich));
    let [plain, rich] = [plain, rich].map(|entries| {
        let game = game(&entries);
        (
            game.moves.to_vec(),
            amazons::tools::study::replay::report("game", &game),
        )
    });
    assert_eq!(plain, rich);
}

/// A turn that nobody judged is a good one.
#[test]
fn amounts_may_be_fractions_and_all_but_the_move_missing() {
    let mut entries = raw("random_vs_random");
    entries[1]["0"]["time"] = json!(1234.75);
    entries[1]["0"]["memory"] = Value::Null;
    let answer = entries[3]["1"].as_object_mut().expect("an answer");
    for name in ["verdict", "time", "memory", "keep_running"] {
        answer.remove(name).expect("it was there");
    }
    let effort = game(&entries).effort(Player::Black);
    assert_eq!((effort.slowest, effort.slowest_ply), (1234, 1));
}

/// Damaged logs: a name, the text, the entry that is to be named, and words of the message.
fn damaged() -> Vec<(&'static str, String, Option<usize>, &'static str)> {
    let log = raw("random_vs_random");
    let change = |change: fn(&mut Vec<Value>)| {
        let mut log = raw("random_vs_random");
        change(&mut log);
        text(&log)
    };
    let whole = text(&log);
    let cut = |entry: usize| {
        let before = text(&log[..entry]).len();
        whole[..before + log[entry].to_string().len() / 2].to_owned()
    };
    let mut refused = raw("fault_illegal");
    let late = refused[22].clone();
    refused[22] = refused[20].clone();
    let mut goes_on = raw("fault_illegal");
    goes_on.push(goes_on[1].clone());
    let mut judged_twice = raw("fault_illegal");
    judged_twice.push(late);
    vec![
        ("cut_first", cut(0), Some(0), "not JSON"),
        ("cut", cut(17), Some(17), "not JSON"),
        (
            "cut_last",
            whole[..whole.len() - 1].to_owned(),
            Some(80),
            "not JSON",
        ),
        (
            "cut_object",
            format!("{{\"players\":[\"[\",\"b,\\\"[\"],\n\"log\":{}", cut(5)),
            Some(5),
            "not JSON",
        ),
        (
            "broken",
            whole
                .replacen("\"1\":{", "\"1\":;", 2)
                .replacen("\"1\":;", "\"1\":{", 1),
            Some(3),
            "not JSON",
        ),
        ("empty_file", String::new(), None, "no text"),
        ("empty_list", "[]".to_owned(), Some(0), "missing"),
        (
            "empty_object_list",
            "{\"log\":[]}".to_owned(),
            Some(0),
            "missing",
        ),
        ("number", "5".to_owned(), None, "expected a list"),
        (
            "object",
            "{\"requests\":[]}".to_owned(),
            None,
            "expected a list",
        ),
        (
            "entry",
            change(|log| log[6] = json!({ "2": {} })),
            Some(6),
            "expected an object",
        ),
        (
            "verdict",
            change(|log| log[7]["1"]["verdict"] = json!("?")),
            Some(7),
            "white's answer",
        ),
        (
            "swapped",
            change(|log| log.swap(4, 5)),
            Some(4),
            "expected the judge's output",
        ),
        (
            "swapped_answers",
            change(|log| log.swap(3, 5)),
            Some(3),
            "expected white's",
        ),
        (
            "swapped_outputs",
            change(|log| log.swap(4, 8)),
            Some(4),
            "output.content",
        ),
        (
            "left_out",
            change(|log| drop(log.remove(9))),
            Some(9),
            "expected a bot's answer",
        ),
        (
            "legal_move",
            change(|log| log[1]["0"]["response"]["y2"] = json!(4)),
            Some(2),
            "output.content.1.y2 is 5, expected 4",
        ),
        (
            "illegal_move",
            change(|log| log[1]["0"]["response"]["x2"] = json!(0)),
            Some(1),
            "black's answer is refused (INVALIDMOVE: the arrow goes from b3 to a6",
        ),
        (
            "late",
            change(|log| log[5]["0"] = json!({ "verdict": "TLE" })),
            Some(5),
            "black's answer is refused (INVALID_INPUT_VERDICT_TLE)",
        ),
        (
            "winner",
            change(|log| log[80]["output"]["display"]["winner"] = json!(0)),
            Some(80),
            "output.display.winner is 0, expected 1",
        ),
        (
            "refused",
            text(&refused),
            Some(21),
            "refused (INVALIDMOVE: a1 holds",
        ),
        ("goes_on", text(&goes_on), Some(23), "the game is over"),
        (
            "judged_twice",
            text(&judged_twice),
            Some(23),
            "the game is over",
        ),
    ]
}

#[test]
fn damaged_logs_are_refused_where_they_are_damaged() {
    for (name, text, entry, words) in damaged() {
        let file = file(name, &text);
        for args in [vec![file.as_str()], vec![file.as_str(), "--at", "0"]] {
            let (code, stdout, stderr) = replay(&args);
            assert_eq!((code, stdout.as_str()), (Some(2), ""), "{name}: {stderr}");
            let start = match entry {
                Some(entry) => format!("amazons: {file}: entry {entry}: "),
                None => format!("amazons: {file}: "),
            };
            assert!(stderr.starts_with(&start), "{name}: {stderr}");
            assert!(entry.is_some() || !stderr.contains(": entry "), "{stderr}");
            assert!(stderr.contains(words), "{name}: {stderr}");
            assert!(stderr.contains("expected"), "{name}: {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{name}: {stderr}");
        }
    }
}

/// Nothing depends on the judge's counts of moves: others, or none, are worth a remark.
#[test]
fn other_counts_are_a_remark() {
    let entries = raw("random_vs_random");
    let change = |numbers: &[usize], count: Value| {
        let mut log = entries.clone();
        for &number in numbers {
            log[number]["output"]["display"]["whiteCount"] = count.clone();
        }
        log
    };
    let mut missing = entries.clone();
    for display in missing
        .iter_mut()
        .filter_map(|entry| entry.pointer_mut("/output/display"))
    {
        display
            .as_object_mut()
            .expect("an object")
            .retain(|key, _| !key.ends_with("Count"));
    }
    let mut bare = entries.clone();
    for output in bare.iter_mut().filter_map(|entry| entry.get_mut("output")) {
        output.as_object_mut().expect("an object").remove("display");
    }
    for (name, log, remark) in [
        (
            "bare",
            bare,
            "entry 0: the judge's output.display.blackCount is missing, expected 1232; and 40 more entries like it",
        ),
        (
            "count",
            change(&[2], json!(1086)),
            "entry 2: the judge's output.display.whiteCount is 1086, expected 1085",
        ),
        (
            "word",
            change(&[2, 4], json!("many")),
            "entry 2: the judge's output.display.whiteCount is missing, expected 1085; and 1 more entries like it",
        ),
        (
            "missing",
            missing,
            "entry 0: the judge's output.display.blackCount is missing, expected 1232; and 40 more entries like it",
        ),
    ] {
        assert_eq!(game(&log).moves, game(&entries).moves);
        let file = file(name, &text(&log));
        let (code, stdout, stderr) = replay(&[&file]);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        assert!(
            stdout.contains("  white won: black has no move; 40 plies"),
            "{name}: {stdout}"
        );
        assert_eq!(stderr, format!("amazons: {file}: remark: {remark}\n"));
        let (code, input, _) = replay(&[&file, "--at", "3"]);
        assert_eq!((code, input.lines().count()), (Some(0), 4), "{name}");
    }
}

#[test]
fn a_damaged_file_does_not_hide_the_others() {
    let [first, last] = ["fault_crash", "random_vs_random"].map(path);
    let [first, last] = [&first, &last].map(|path| path.to_str().expect("UTF-8"));
    let damaged = file("among_others", "[{}]");
    let (code, stdout, stderr) = replay(&[first, &damaged, "no/such/file", last]);
    assert_eq!(code, Some(2));
    let titles: Vec<&str> = stdout
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    assert_eq!(titles, [first, last]);
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{stderr}");
    assert!(lines[0].starts_with(&format!("amazons: {damaged}: entry 0: ")));
    assert!(lines[1].starts_with("amazons: no/such/file: "));
}

/// The position after some plies, by the moves in the judge's outputs.
fn board_after(entries: &[Value], plies: usize) -> Board {
    let mut board = Board::start();
    for ply in 1..=plies {
        let display = &entries[2 * ply]["output"]["display"];
        let numbers = ["x0", "y0", "x1", "y1", "x2", "y2"].map(|name| display[name].as_i64());
        let turn = numbers.map(|number| number.expect("a coordinate"));
        let turn = Move::from_coordinates(turn).expect("on the board");
        board.play(turn).expect("the judge accepted it");
    }
    board
}

/// The move in the first line of a bot's output.
fn answered(stdout: &[u8]) -> Move {
    let text = String::from_utf8_lossy(stdout);
    let line = text.lines().next().expect("an answer");
    match serde_json::from_str::<Value>(line) {
        Ok(object) => {
            let turn = Coordinates::read(&object["response"]).expect("six integers");
            Move::from_coordinates(turn.numbers()).expect("on the board")
        }
        Err(_) => line.parse().expect("six numbers"),
    }
}

/// What is printed is the input, what is drawn is the board, and the bot answers legally to it.
#[test]
fn a_bot_can_be_fed_any_turn() {
    for (name, plies) in [
        ("random_vs_random", vec![0, 1, 2, 13, 26, 39]),
        ("fault_timeout", vec![10]),
    ] {
        let entries = raw(name);
        for (ply, form) in plies
            .iter()
            .flat_map(|&ply| [(ply, "simple"), (ply, "json")])
        {
            let file = path(name);
            let file = file.to_str().expect("UTF-8");
            let (code, input, drawn) = replay(&[file, "--at", &ply.to_string(), "--form", form]);
            assert_eq!(code, Some(0), "{drawn}");
            let board = board_after(&entries, ply);
            assert!(drawn.contains(&board.to_string()), "{drawn}\n{board}");
            assert!(drawn.contains(&format!("{} to move", board.to_move())));
            assert_eq!(input.starts_with('{'), form == "json", "{input}");
            let output = output(&["--iterations", "50", "--seed", "1"], &input);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(!errors.contains("expected"), "ply {ply}: {errors}");
            let turn = answered(&output.stdout);
            assert_eq!(board.check(turn), Ok(()), "ply {ply}, {form}\n{board}");
        }
    }
}

/// The simple form, line by line against the log.
#[test]
fn the_input_is_the_record() {
    let entries = raw("random_vs_random");
    let file = path("random_vs_random");
    for ply in 0..40 {
        let number = ply.to_string();
        let (code, input, _) = replay(&[file.to_str().expect("UTF-8"), "--at", &number]);
        assert_eq!(code, Some(0));
        let mut expected = vec![(ply / 2 + 1).to_string()];
        // Black's first request is no move; the first that white hears of is black's move.
        let first = ply % 2;
        for entry in (first..=ply).map(|ply| &entries[2 * ply]["output"]["content"]) {
            let mut moves = entry.as_object().expect("requests").values();
            let request = moves
                .next()
                .expect("a request")
                .as_object()
                .expect("a move");
            let words: Vec<String> = request.values().map(Value::to_string).collect();
            expected.push(words.join(" "));
        }
        assert_eq!(input.lines().collect::<Vec<_>>(), expected, "ply {ply}");
        assert!(input.ends_with('\n'), "ply {ply}");
    }
}

#[test]
fn plies_beyond_the_log_are_refused() {
    let [random, late] = ["random_vs_random", "fault_timeout"].map(path);
    let [random, late] = [&random, &late].map(|path| path.to_str().expect("UTF-8"));
    for (file, ply, plies) in [(random, "41", "40"), (late, "11", "10")] {
        let (code, stdout, stderr) = replay(&[file, "--at", ply]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""));
        assert!(
            stderr.starts_with(&format!("amazons: {file}: ")),
            "{stderr}"
        );
        assert!(
            stderr.contains(&format!("expected 0 to {plies}")),
            "{stderr}"
        );
    }
    // After the last move nobody is asked.
    let (code, stdout, stderr) = replay(&[random, "--at", "40"]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    assert!(stderr.contains("black has no move"), "{stderr}");
    for args in [
        vec![random, late, "--at", "1"],
        vec![random, "--at", "-1"],
        vec![random, "--form", "xml"],
        vec![],
    ] {
        let (code, stdout, stderr) = replay(&args);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(!stderr.is_empty(), "{args:?}");
    }
}

/// An answer in time that asks to be kept running.
fn in_time(response: Value) -> Answer {
    Answer {
        verdict: Some(Verdict::Ok),
        response: Some(response),
        debug: None,
        time: 7,
        memory: 3,
        keep_running: true,
    }
}

fn as_answer(turn: Coordinates) -> Answer {
    in_time(serde_json::to_value(turn).expect("numbers are JSON"))
}

/// A bot that answers as the log does is asked at each of its turns, and started once.
#[test]
fn the_same_answers_are_no_differences() {
    let game = game(&raw("random_vs_random"));
    for (side, first) in [(Player::Black, 0), (Player::White, 1)] {
        for always_fresh in [false, true] {
            let (mut ply, mut starts) = (first, 0);
            let differences = differences(&game, side, always_fresh, |record, fresh| {
                assert_eq!(*record, game.record(ply));
                assert_eq!(record.len() % 2, 1, "a request first and last");
                starts += usize::from(fresh);
                let turn = game.moves[ply];
                ply += 2;
                as_answer(turn)
            });
            assert_eq!(differences, []);
            assert_eq!(ply, 40 + first, "every turn was asked");
            assert_eq!(starts, if always_fresh { 20 } else { 1 });
        }
    }
}

/// The differences to a bot that always answers.
fn differences(
    game: &Replayed,
    side: Player,
    always_fresh: bool,
    mut answer: impl FnMut(&[Coordinates], bool) -> Answer,
) -> Vec<Difference> {
    let ask = |record: &[Coordinates], fresh| Ok::<_, Infallible>(played(answer(record, fresh)));
    let Ok(differences) = compare::compare(game, side, always_fresh, LIMITS, ask);
    differences
}

const LIMITS: Limits = Limits {
    first: Duration::from_millis(2000),
    later: Duration::from_millis(1000),
    memory: 256_000_000,
    by_cpu: false,
};

/// The turn whose answer a log holds so.
fn played(answer: Answer) -> TurnReport {
    TurnReport {
        verdict: answer.verdict.unwrap_or_default(),
        response: answer.response,
        wall: Duration::from_millis(answer.time),
        memory: 1_000_000 * answer.memory,
        keep_running: answer.keep_running,
        ..TurnReport::default()
    }
}

/// Other moves, illegal ones and missing ones are told apart, and each is followed by a fresh start.
#[test]
fn differences_are_told_apart() {
    let game = game(&raw("random_vs_random"));
    let (mut ply, mut starts) = (0, Vec::new());
    let differences = differences(&game, Player::Black, false, |_, fresh| {
        if fresh {
            starts.push(ply);
        }
        let (board, turn) = (game.board_at(ply), game.moves[ply]);
        ply += 2;
        let same = as_answer(turn);
        match ply - 2 {
            4 => {
                let mut moves = movegen::moves(&board).into_iter().map(Coordinates::from);
                as_answer(moves.find(|&other| other != turn).expect("a choice"))
            }
            10 => as_answer(Coordinates::new([0, 9, 0, 0, 0, 0])),
            12 => as_answer(game.moves[0]),
            20 | 22 => Answer {
                verdict: Some(Verdict::TimeLimitExceeded),
                response: None,
                ..same
            },
            28 => in_time(json!("nonsense")),
            34 => Answer {
                keep_running: false,
                ..same
            },
            _ => same,
        }
    });
    let told: Vec<(usize, Option<(Fault, String)>)> = differences
        .iter()
        .map(|difference| match &difference.kind {
            DifferenceKind::OtherMove => (difference.ply, None),
            DifferenceKind::Fault(fault, refused) => {
                let reason = refused.reason(Language::En);
                (difference.ply, Some((*fault, reason)))
            }
        })
        .collect();
    let late = Fault::NoMove(Verdict::TimeLimitExceeded);
    let late = (
        late,
        "late: 7 ms used, 1000 allowed; it had printed nothing",
    );
    let expected = [
        (5, None),
        (
            11,
            Some((
                Fault::Illegal,
                "0 9 0 0 0 0 is illegal: (0, 9) is off the board: coordinates go from 0 to 7",
            )),
        ),
        (
            13,
            Some((
                Fault::Illegal,
                "7 2 1 2 1 5 (h3 b3 b6) is illegal: h3 holds an empty square, expected an amazon of black",
            )),
        ),
        (21, Some(late)),
        (23, Some(late)),
        (
            29,
            Some((
                Fault::NoMove(Verdict::Ok),
                "the response is \"nonsense\", expected one line: x0 y0 x1 y1 x2 y2 with single blanks between, or {\"response\": {\"x0\": 2, …}} in JSON interaction",
            )),
        ),
    ];
    let expected =
        expected.map(|(ply, told)| (ply, told.map(|(fault, reason)| (fault, reason.to_owned()))));
    assert_eq!(told, expected);
    assert_eq!(starts, [0, 6, 12, 14, 22, 24, 30, 36]);

    let report = compare::report(&game, Player::Black, &differences);
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(
        lines[0],
        "  the bot as black: 14 of 20 answers as in the log"
    );
    assert_eq!(lines[7], "  the first refused answer, at ply 11:");
    assert_eq!(lines[8], "    a b c d e f g h");
    assert!(lines[17].starts_with("  1 from (0, 9), "), "{report}");
    assert!(lines[1].contains("the bot answers "), "{report}");
    assert!(
        lines[2].contains("is refused (INVALIDMOVE): 0 9 0 0 0 0 is illegal: (0, 9) is off"),
        "{report}"
    );
    assert!(
        lines[4].contains("the bot's answer is refused (TLE): late: 7 ms used, 1000 allowed"),
        "{report}"
    );
}

/// Where the log's own answer was refused, whatever the bot answers is a difference.
#[test]
fn a_refused_answer_can_be_tried_again() {
    let game = game(&raw("fault_timeout"));
    let mut ply = 0;
    let differences = differences(&game, Player::Black, false, |_, _| {
        let turn = movegen::moves(&game.board_at(ply))[0].into();
        let turn = game.moves.get(ply).copied().unwrap_or(turn);
        ply += 2;
        as_answer(turn)
    });
    assert_eq!(ply, 12);
    assert_eq!(differences.len(), 1);
    assert_eq!(
        (differences[0].ply, &differences[0].kind),
        (11, &DifferenceKind::OtherMove)
    );
    let line = differences[0].to_string();
    assert!(
        line.starts_with("ply 11: the log has no answer (TLE), the bot answers "),
        "{line}"
    );
}

/// What is written is what was read, but for the keys that are left out.
#[test]
fn entries_survive_writing_and_reading() {
    for (name, ..) in LOGS {
        let entries = raw(name);
        let read = log::read(&text(&entries)).expect("the log is sound");
        let written: Vec<Value> = read.iter().map(log::write_entry).collect();
        assert_eq!(written, entries, "{name}");
        assert!(matches!(read[0], LogEntry::Judge(_)) && matches!(read[1], LogEntry::Bot(..)));
    }
}
