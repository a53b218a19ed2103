//! Tests of match logs: this program's judge against Botzone's, and `amazons replay` on whole, running and damaged games.

use crate::common::{assert_has, assert_rejected, log, output, read_answer, run, write_file};
use engine::board::{Board, Move, Player};
use engine::movegen;
use record::checked_game::{CheckedGame, Fault, Outcome};
use record::judge::{Coordinates, Judge, Verdict};
use record::log::Answer;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fs;
use std::time::Duration;
use tools::platform::process::{Limits, TurnReport};
use tools::study::replay::compare::{self, Difference};

/// Names of the logs, with the beginning of the result that `replay` prints and the number of moves.
const LOGS: [(&str, &str, usize); 10] = [
    ("fault_crash", "white won: black crashed (RE)", 10),
    ("fault_garbage", "white won: black's answer was not a", 10),
    ("fault_illegal", "white won: black's answer was illegal", 10),
    ("fault_timeout", "white won: black was late (TLE)", 10),
    ("game_bot003_bot032", "black won: white has no move", 55),
    ("game_bot003_opponent", "white won: black has no move", 48),
    ("game_bot032_bot003", "black won: white has no move", 53),
    ("game_opponent_bot003", "black won: white has no move", 51),
    ("game_opponent_bot032", "white won: black has no move", 54),
    ("random_vs_random", "white won: black has no move", 40),
];

/// Returns the entries of a log file as JSON, without interpreting them.
fn raw(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(log(name)).expect("the log is there");
    serde_json::from_str(&text).expect("the log is a list")
}

fn text(entries: &[Value]) -> String {
    serde_json::to_string(entries).expect("values are JSON")
}

fn game(entries: &[Value]) -> CheckedGame {
    CheckedGame::read(&text(entries)).expect("the log is sound")
}

/// Writes a log to a temporary file and returns its path.
fn file(name: &str, text: &str) -> String {
    write_file(&format!("replay_{name}.json"), text)
}

fn replay(args: &[&str]) -> (Option<i32>, String, String) {
    run(&[&["replay"], args].concat())
}

/// This program's judge must print exactly the output of Botzone's judge at every step.
#[test]
fn judge_output_equals_every_log() {
    let mut compared = 0;
    for (name, ..) in LOGS {
        let mut judge = Judge::default();
        let mut expected = judge.first_output();
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

/// For a log cut off after a bot's answer, `amazons judge` must print the output that follows in the whole log.
#[test]
fn judge_tool_continues_cut_logs() {
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
        let (code, stdout, stderr) = replay(&[&log(name)]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{name}");
        let lines: Vec<&str> = stdout.lines().collect();
        assert!(lines[0].ends_with(&format!("{name}.json")), "{stdout}");
        assert!(lines[1].starts_with(&format!("  {result}")), "{name}");
        assert!(lines[1].ends_with(&format!("; {plies} plies")), "{name}");
        let is_fault = name.starts_with("fault");
        assert_eq!(lines.len() > 4, is_fault, "{stdout}");
    }
}

/// Each player's statistics must come from that player's turns alone; of equally slow turns the first counts.
#[test]
fn turn_statistics_separate_the_players() {
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
            let effort = game.turn_stats(player);
            assert_eq!(effort.turns, turns.len(), "{name} {player}");
            let slowest = turns.iter().map(|turn| turn.1).max();
            assert_eq!(Some(effort.slowest_ms), slowest, "{name} {player}");
            let ply = turns.iter().find(|turn| Some(turn.1) == slowest);
            assert_eq!(Some(effort.slowest_ply), ply.map(|turn| turn.0));
            let memory = turns.iter().map(|turn| turn.2).max();
            assert_eq!(Some(effort.max_memory_mb), memory, "{name} {player}");
        }
    }
}

#[test]
fn names_are_printed_beside_colours() {
    let log = raw("fault_timeout");
    for object in [
        json!({ "players": ["Penthesilea", "Ω"], "log": log }),
        json!({ "logs": log, "names": { "0": { "name": "Penthesilea" }, "1": "Ω" } }),
    ] {
        let (code, stdout, _) = replay(&[&file("names", &object.to_string())]);
        assert_eq!(code, Some(0));
        let black = "  black  Penthesilea   6 turns  slowest  1051 ms at ply 11";
        assert_has(&stdout, &[black, "  white  Ω             5 turns  "]);
    }
}

#[test]
fn cut_logs_are_running_games() {
    for (name, ..) in LOGS {
        let entries = raw(name);
        // The last answer ends the game, even if the judge's last output is missing.
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
    for (entries, told) in [
        (8, "  the game is running, black to move; 4 plies\n"),
        (2, "white to move; 1 ply\n"),
        (1, "black to move; 0 plies\n"),
    ] {
        let running = file("running", &text(&raw("random_vs_random")[..entries]));
        let (code, stdout, _) = replay(&[&running]);
        assert_eq!(code, Some(0));
        assert_has(&stdout, &[told]);
    }
}

#[test]
fn unknown_log_keys_are_ignored() {
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
        let report = tools::study::replay::report("game", &game);
        (game.moves.to_vec(), report)
    });
    assert_eq!(plain, rich);
}

/// An answer without a verdict must count as `OK`.
#[test]
fn answers_need_only_a_move() {
    let mut entries = raw("random_vs_random");
    entries[1]["0"]["time"] = json!(1234.75);
    entries[1]["0"]["memory"] = Value::Null;
    let answer = entries[3]["1"].as_object_mut().expect("an answer");
    for name in ["verdict", "time", "memory", "keep_running"] {
        answer.remove(name).expect("it was there");
    }
    let effort = game(&entries).turn_stats(Player::Black);
    assert_eq!((effort.slowest_ms, effort.slowest_ply), (1234, 1));
}

#[test]
fn damaged_logs_name_the_faulty_entry() {
    let log = raw("random_vs_random");
    let whole = text(&log);
    let cut = |entry: usize| {
        let before = text(&log[..entry]).len();
        whole[..before + log[entry].to_string().len() / 2].to_owned()
    };
    let broken = whole.replacen("\"1\":{", "\"1\":;", 2);
    let broken = broken.replacen("\"1\":;", "\"1\":{", 1);
    let cut_object = format!("{{\"players\":[\"[\",\"b,\\\"[\"],\n\"log\":{}", cut(5));
    for (text, place, words) in [
        (&cut(0)[..], "entry 0: ", "not JSON"),
        (&cut(17), "entry 17: ", "not JSON"),
        (&whole[..whole.len() - 1], "entry 80: ", "not JSON"),
        (&cut_object, "entry 5: ", "not JSON"),
        (&broken, "entry 3: ", "not JSON"),
        ("", "no text", ""),
        ("[]", "entry 0: ", "missing"),
        ("{\"log\":[]}", "entry 0: ", "missing"),
        ("5", "expected a list", ""),
        ("{\"requests\":[]}", "", "expected a list"),
    ] {
        assert_damaged(text, place, words);
    }
    type Change = fn(&mut Vec<Value>);
    let changes: [(Change, usize, &str); 9] = [
        (|log| log[6] = json!({ "2": {} }), 6, "expected an object"),
        (|log| log[7]["1"]["verdict"] = json!("?"), 7, "white's"),
        (|log| log.swap(4, 5), 4, "expected the judge's output"),
        (|log| log.swap(3, 5), 3, "expected white's"),
        (|log| log.swap(4, 8), 4, "output.content"),
        (|log| drop(log.remove(9)), 9, "expected a bot's answer"),
        (
            |log| log[1]["0"]["response"]["y2"] = json!(4),
            2,
            "output.content.1.y2 is 5, expected 4",
        ),
        (
            |log| log[1]["0"]["response"]["x2"] = json!(0),
            1,
            "black's answer is refused (INVALIDMOVE: the arrow goes from b3 to a6",
        ),
        (
            |log| log[80]["output"]["display"]["winner"] = json!(0),
            80,
            "output.display.winner is 0, expected 1",
        ),
    ];
    for (change, entry, words) in changes {
        let mut log = log.clone();
        change(&mut log);
        assert_damaged(&text(&log), &format!("entry {entry}: "), words);
    }
    let refused: [(Change, usize, &str); 3] = [
        (|log| log[22] = log[20].clone(), 21, "(INVALIDMOVE: a1 "),
        (|log| log.push(log[1].clone()), 23, "the game is over"),
        (|log| log.push(log[22].clone()), 23, "the game is over"),
    ];
    for (change, entry, words) in refused {
        let mut log = raw("fault_illegal");
        change(&mut log);
        assert_damaged(&text(&log), &format!("entry {entry}: "), words);
    }
}

/// Checks that `replay` rejects a log with a one-line message that begins with the file's name and `place`, and contains
/// `words`.
#[track_caller]
fn assert_damaged(log: &str, place: &str, words: &str) {
    let file = file("damaged", log);
    let (code, stdout, stderr) = replay(&[&file]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    let start = format!("amazons: {file}: {place}");
    assert!(stderr.starts_with(&start), "{place}: {stderr}");
    assert_has(&stderr, &[words, "expected"]);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

/// Wrong or missing counts of moves must cause a warning only.
#[test]
fn wrong_move_counts_cause_a_warning() {
    let entries = raw("random_vs_random");
    let without = |is_left_out: fn(&str) -> bool| {
        let mut log = entries.clone();
        for display in log
            .iter_mut()
            .filter_map(|entry| entry.pointer_mut("/output/display"))
        {
            let display = display.as_object_mut().expect("an object");
            display.retain(|key, _| !is_left_out(key));
        }
        log
    };
    let with = |count: Value| {
        let mut log = entries.clone();
        log[2]["output"]["display"]["whiteCount"] = count;
        log
    };
    let missing = "blackCount is missing, expected 1232; and 40 more";
    for (log, entry, remark) in [
        (without(|_| true), 0, missing),
        (without(|key| key.ends_with("Count")), 0, missing),
        (with(json!(1086)), 2, "whiteCount is 1086, expected 1085"),
        (with(json!("many")), 2, "whiteCount is missing"),
    ] {
        assert_eq!(game(&log).moves, game(&entries).moves);
        let file = file("counts", &text(&log));
        let (code, stdout, stderr) = replay(&[&file]);
        assert_eq!(code, Some(0), "{stderr}");
        assert_has(&stdout, &["  white won: black has no move; 40 plies"]);
        let start = format!("amazons: {file}: remark: entry {entry}: ");
        assert!(
            stderr.starts_with(&start) && stderr.contains(remark),
            "{stderr}"
        );
    }
}

/// Returns the position after `plies` moves, from the judge's outputs in the log.
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

/// `replay --at` must print the bot's input and draw the board; the bot must answer that input with a legal move.
#[test]
fn printed_input_makes_bot_answer_legally() {
    for (name, plies) in [
        ("random_vs_random", vec![0, 1, 2, 13, 26, 39]),
        ("fault_timeout", vec![10]),
    ] {
        let entries = raw(name);
        for (ply, form) in plies
            .iter()
            .flat_map(|&ply| [(ply, "simple"), (ply, "json")])
        {
            let at = ply.to_string();
            let (code, input, drawn) = replay(&[&log(name), "--at", &at, "--form", form]);
            assert_eq!(code, Some(0), "{drawn}");
            let board = board_after(&entries, ply);
            assert!(drawn.contains(&board.to_string()), "{drawn}\n{board}");
            assert!(drawn.contains(&format!("{} to move", board.to_move())));
            assert_eq!(input.starts_with('{'), form == "json", "{input}");
            let output = output(&["--iterations", "50", "--seed", "1"], &input);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(!errors.contains("expected"), "ply {ply}: {errors}");
            let answer = String::from_utf8_lossy(&output.stdout);
            let turn = read_answer(answer.lines().next().expect("an answer"));
            assert_eq!(board.check(turn), Ok(()), "ply {ply}, {form}\n{board}");
        }
    }
}

/// The input in the simple interaction must consist of the requests in the log.
#[test]
fn printed_input_equals_logged_requests() {
    let entries = raw("random_vs_random");
    let file = log("random_vs_random");
    for ply in 0..40 {
        let number = ply.to_string();
        let (code, input, _) = replay(&[&file, "--at", &number]);
        assert_eq!(code, Some(0));
        let mut expected = vec![(ply / 2 + 1).to_string()];
        // Black's first request holds no move; white's first request is black's first move.
        let first = ply % 2;
        for entry in (first..=ply).map(|ply| &entries[2 * ply]["output"]["content"]) {
            let requests = entry.as_object().expect("requests");
            let request = &requests.values().next().expect("a request");
            let numbers = request.as_object().expect("a move").values();
            expected.push(numbers.map(Value::to_string).collect::<Vec<_>>().join(" "));
        }
        assert_eq!(input.lines().collect::<Vec<_>>(), expected, "ply {ply}");
        assert!(input.ends_with('\n'), "ply {ply}");
    }
}

#[test]
fn plies_beyond_the_log_are_rejected() {
    let [random, late] = ["random_vs_random", "fault_timeout"].map(log);
    // After the last move there is no bot's input to print, so standard output is empty.
    let (code, stdout, stderr) = replay(&[&random, "--at", "40"]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    assert_has(&stderr, &["black has no move"]);
    for (args, complaint) in [
        (&[&random, "--at", "41"][..], "expected 0 to 40"),
        (&[&late, "--at", "11"], "expected 0 to 10"),
        (&[&random, &late, "--at", "1"], "--at"),
        (&[&random, "--at", "-1"], "-1"),
        (&[&random, "--form", "xml"], "xml"),
        (&[], "FILE"),
    ] {
        let out = output(&[&["replay"], args].concat(), "");
        assert_rejected(&out, &[complaint]);
        assert!(out.stdout.is_empty(), "{args:?}");
    }
}

/// Returns an answer within the time limit that asks to be kept running.
fn in_time(response: Value) -> Answer {
    Answer {
        time: 7,
        memory: 3,
        keep_running: true,
        ..Answer::good(response)
    }
}

fn as_answer(turn: Coordinates) -> Answer {
    in_time(turn.to_value())
}

/// Compares the log with a bot that plays black and gives the answers of `answer`.
fn differences(
    game: &CheckedGame,
    mut answer: impl FnMut(&[Coordinates], bool) -> Answer,
) -> Vec<Difference> {
    let ask = |record: &[Coordinates], fresh| Ok::<_, Infallible>(played(answer(record, fresh)));
    let Ok(differences) = compare::compare(game, Player::Black, false, LIMITS, ask);
    differences
}

const LIMITS: Limits = Limits {
    first: Duration::from_millis(2000),
    later: Duration::from_millis(1000),
    memory_bytes: 256_000_000,
    by_cpu: false,
};

/// Converts an answer of a log to the report of a turn.
fn played(answer: Answer) -> TurnReport {
    TurnReport {
        verdict: answer.verdict.unwrap_or_default(),
        response: answer.response,
        wall_time: Duration::from_millis(answer.time),
        peak_memory: 1_000_000 * answer.memory,
        keep_running: answer.keep_running,
        ..TurnReport::default()
    }
}

/// Another move, an illegal move and a missing answer must be distinguished, and the bot must be started anew after each.
#[test]
fn kinds_of_differences_are_distinguished() {
    let game = game(&raw("random_vs_random"));
    let (mut ply, mut starts) = (0, Vec::new());
    let differences = differences(&game, |_, fresh| {
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
    let told = differences.iter().map(|difference| {
        let fault = difference.rejection.as_ref().map(|(fault, _)| *fault);
        (difference.ply, fault)
    });
    let late = Fault::NoMove(Verdict::TimeLimitExceeded);
    let expected = [
        (5, None),
        (11, Some(Fault::Illegal)),
        (13, Some(Fault::Illegal)),
        (21, Some(late)),
        (23, Some(late)),
        (29, Some(Fault::NoMove(Verdict::Ok))),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!(starts, [0, 6, 12, 14, 22, 24, 30, 36]);

    let report = compare::report(&game, Player::Black, &differences);
    let lines: Vec<&str> = report.lines().collect();
    for (line, words) in [
        (0, "  the bot as black: 14 of 20 answers as in the log"),
        (1, "the bot answers "),
        (2, "is refused (INVALIDMOVE): 0 9 0 0 0 0 is illegal"),
        (3, "h3 holds an empty square"),
        (
            4,
            "is refused (TLE): late: 7 ms used, 1000 allowed; it had printed nothing",
        ),
        (6, "\"nonsense\""),
        (7, "  the first refused answer, at ply 11:"),
        (8, "    a b c d e f g h"),
        (17, "  1 from (0, 9), "),
    ] {
        assert_has(lines[line], &[words]);
    }
}

/// If the log's own answer was rejected, any answer of the bot must count as a difference.
#[test]
fn any_answer_differs_from_a_rejected_one() {
    let game = game(&raw("fault_timeout"));
    let mut ply = 0;
    let differences = differences(&game, |_, _| {
        let turn = movegen::moves(&game.board_at(ply))[0].into();
        let turn = game.moves.get(ply).copied().unwrap_or(turn);
        ply += 2;
        as_answer(turn)
    });
    assert_eq!(ply, 12);
    let [difference] = &differences[..] else {
        panic!("{differences:?}")
    };
    assert_eq!(difference.rejection, None);
    let told = "ply 11: the log has no answer (TLE), the bot answers ";
    assert_has(&difference.to_string(), &[told]);
}
