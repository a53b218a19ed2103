//! Tests the communication with the platform: transcripts in both forms of interaction, restarts, faults, the command line.

use crate::common::{
    assert_has, assert_rejected, json_text, output, read_answer, simple_text, text, whole_record,
};
use engine::board::{Board, Move};
use engine::botzone::options::Options;
use engine::botzone::{KEEP_RUNNING, Session, TurnInput, json};
use engine::cli::{self, Command};
use engine::movegen;
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

/// Returns options of a quick bot that always plays the same moves.
fn quick_options() -> Options {
    Options {
        iterations: Some(150),
        seed: Some(1),
        memory: 1 << 20,
        ..Options::default()
    }
}

/// Runs the bot on an input. Returns its output lines and its log.
fn run_bot(input: &str) -> (Vec<String>, String) {
    run_bot_with(quick_options(), input)
}

fn run_bot_with(options: Options, input: &str) -> (Vec<String>, String) {
    let (mut output, mut log) = (Vec::new(), Vec::new());
    Session::new(options)
        .run(input.as_bytes(), &mut output, &mut log)
        .expect("memory does not fail");
    let output = String::from_utf8(output).expect("the bot writes ASCII");
    assert!(output.is_empty() || output.ends_with('\n'));
    (
        output.lines().map(str::to_owned).collect(),
        String::from_utf8(log).expect("the log is UTF-8"),
    )
}

/// Runs the bot on an input. Returns the moves that it answers; the marker must follow each.
fn answers(input: &str) -> Vec<Move> {
    let (lines, _) = run_bot(input);
    answers_in(&lines)
}

fn answers_in(lines: &[String]) -> Vec<Move> {
    assert!(lines.len().is_multiple_of(2), "{lines:?}");
    let answers = lines.chunks(2).map(|pair| {
        assert_eq!(pair[1], KEEP_RUNNING);
        read_answer(&pair[0])
    });
    answers.collect()
}

/// Plays a list of moves, which must all be legal. Returns the position.
fn position_after(moves: &[Move]) -> Board {
    let mut board = Board::start();
    for &turn in moves {
        assert_eq!(board.play(turn), Ok(()), "{turn}");
    }
    board
}

fn moves(lines: &[&str]) -> Vec<Move> {
    let lines = lines.iter().map(|line| line.parse().expect("readable"));
    lines.collect()
}

/// Input of black's first turn.
const TURN_1: &str = "1\n-1 -1 -1 -1 -1 -1\n";

/// Input of black's third turn, from the platform's wiki.
const TURN_3: &str = "3\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\n0 5 4 5 3 4\n0 2 0 3 3 0\n2 7 2 5 1 4\n";
const THIRD_RECORD: [&str; 4] = ["5 0 3 2 6 5", "0 5 4 5 3 4", "0 2 0 3 3 0", "2 7 2 5 1 4"];

#[test]
fn transcripts_are_answered_legally() {
    let white = "1\n2 0 2 5 5 5\n";
    for (input, record) in [
        (TURN_1, &[][..]),
        (white, &["2 0 2 5 5 5"]),
        (TURN_3, &THIRD_RECORD),
    ] {
        let answers = answers(input);
        assert_eq!(answers.len(), 1, "{input}");
        position_after(&[moves(record), answers].concat());
    }
}

#[test]
fn end_of_input_ends_the_bot_silently() {
    for input in ["", "\n", "\r\n \n", "\u{feff}", "\u{feff}\n\u{feff}"] {
        assert_eq!(run_bot(input), (vec![], String::new()), "{input:?}");
    }
}

#[test]
fn json_answers_have_debug_on_one_line() {
    let (lines, log) = run_bot(&whole_record(&[], true));
    assert_eq!(lines.len(), 2);
    assert!(log.is_empty(), "{log}");
    let answer = json::Value::parse(&lines[0]).expect("JSON");
    let Some(json::Value::String(debug)) = answer.get("debug") else {
        panic!("{lines:?}")
    };
    let facts = ["win probability", "visits", "150 iterations", "depth", "ms"];
    assert_has(debug, &facts);
}

/// A proven winner or an only move ends the search, which otherwise would run for 2^64 iterations.
#[test]
fn decided_games_are_answered_at_once() {
    let game: Vec<Move> = include_str!("../src/engine/bench/game.txt")
        .lines()
        .map(|line| line.parse().expect("readable"))
        .collect();
    let endless = Options {
        iterations: Some(u64::MAX),
        ..quick_options()
    };
    for plies in 44..game.len() {
        let input = whole_record(&game[..plies], plies % 3 == 0);
        let (lines, _) = run_bot_with(endless.clone(), &input);
        position_after(&[&game[..plies], &answers_in(&lines)].concat());
    }
}

#[test]
fn invalid_input_is_reported_and_answered() {
    let third = "2\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\n";
    for (begin, input, answers, complaint) in [
        (third, "nonsense\n", 1, "\"nonsense\""),
        (third, "0 5 0 5 0 5\n", 1, "stays on a6"),
        (third, "0 5 9 9 0 0\n", 1, "(9, 9)"),
        (third, "-1 -1 -1 -1 -1 -1\n", 1, "middle of the game"),
        (third, "", 1, ""),
        (
            "",
            "2\n5 0 3 2 6 5\n5 5 5 5 5 5\n0 2 0 3 3 0\n",
            1,
            "response 1",
        ),
        ("", "2\ngarbage\n0 5 4 5 3 4\n0 2 0 3 3 0\n", 1, "garbage"),
        ("", "what is this\n", 1, "what is this"),
        ("", "0\n", 1, "ignored \"0\""),
        ("", "{\"requests\":[{\"x0\":\n", 1, "not JSON"),
        ("", "{}\n", 1, "whole number x0"),
        ("", "{\"requests\":[],\"responses\":[]}\n", 1, ""),
        (TURN_1, "0 0 0 0 0 0\n", 2, "ignored"),
        (TURN_1, "-1 -1 -1 -1 -1 -1\n", 2, "ignored"),
        (TURN_1, "7 7 7 6 7 5\n", 2, "ignored"),
        (TURN_1, "{\"request\":5}\n", 2, "ignored"),
        (TURN_1, "{\n", 2, "ignored"),
        (TURN_1, "99 0 0 0 0 0\n", 2, "ignored"),
    ] {
        let (lines, log) = run_bot(&format!("{begin}{input}"));
        assert_eq!(answers_in(&lines).len(), answers, "{begin}{input}");
        assert_has(&log, &[complaint]);
    }
    // Only the first turn can have trailing data. After the second turn, every line is a request.
    let second = movegen::moves(&position_after(&answers(TURN_1)))[3];
    let (lines, log) = run_bot(&format!("{TURN_1}{}\nbabble\n", simple_text(second)));
    assert_eq!(answers_in(&lines).len(), 3);
    assert_has(&log, &["babble"]);
}

/// Text beyond a limit is ignored, and the text after it is read as usual.
#[test]
fn long_lines_and_records_are_cut() {
    let first = answers(TURN_1)[0];
    let reply = movegen::moves(&position_after(&[first]))[3];
    let long = "x".repeat(3 << 20);
    for line in [long.clone(), format!("{{\"a\":\"{long}\"}}")] {
        let (lines, log) = run_bot(&format!("{TURN_1}{line}\n{}\n", json_text(Some(reply))));
        assert_eq!(answers_in(&lines).len(), 3);
        assert_has(&log, &["expected a line of at most 1048576 bytes"]);
        assert!(log.len() < 400, "{} bytes", log.len());
    }
    let opening = json_text(None);
    let zeros = |count: usize| "0,".repeat(count) + "0";
    let requests = |list: String| format!(r#"{{"requests":[{list}]}}"#);
    let data = format!(r#"{{"requests":[{opening}],"data":[{}]}}"#, zeros(10_000));
    let long = format!("{opening},{}", zeros(10_000));
    for (line, complaint) in [
        (requests(zeros(100_000)), "fewer values"),
        (requests(long), "further complaints"),
        (data, ""),
    ] {
        let (lines, log) = run_bot(&line);
        assert_eq!(Board::start().check(answers_in(&lines)[0]), Ok(()));
        assert_has(&log, &[complaint]);
        assert_eq!(log.is_empty(), complaint.is_empty(), "{log}");
    }
    let TurnInput::History(entries) = json::parse_turn(&requests(zeros(9_000))) else {
        panic!("not a record")
    };
    assert!(entries.len() < 140, "{} entries", entries.len());
    // A record of 63 requests is read to its end, although all but the last are damaged.
    let damaged = "nothing\n".repeat(122);
    let [own, other] = [first, reply].map(simple_text);
    let record = format!("63\n-1 -1 -1 -1 -1 -1\n{damaged}{own}\n{other}\n");
    let (lines, _) = run_bot(&record);
    let answers = answers_in(&lines);
    assert_eq!(answers.len(), 1);
    position_after(&[first, reply, answers[0]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the input, the bot does not panic, and prints only answers and markers.
    #[test]
    fn random_lines_yield_only_answers(lines in prop::collection::vec("(-?[0-9 ]{0,12}|[ -~]{0,20}|\\{.{0,20}\\}|.{0,5})", 0..8)) {
        let (lines, _) = run_bot(&lines.join("\n"));
        answers_in(&lines);
    }

    #[test]
    fn any_text_is_parsed_as_json_or_rejected(text in ".*", nested in 0_usize..200) {
        let _ = json::Value::parse(&text);
        let deep = format!("{}{}", "[".repeat(nested), "]".repeat(nested));
        prop_assert_eq!(json::Value::parse(&deep).is_ok(), (1..=64).contains(&nested));
    }
}

#[test]
fn json_is_parsed_and_written_back() {
    use json::Value::{Array, Literal, Object, String};
    let text = r#" {"a" : [ 1 , -2.5e1, true,false ,null ] , "b\"\\\u0041" : {} , "a" : "\/\t" } "#;
    let value = json::Value::parse(text).expect("JSON");
    let literals = ["1", "-2.5e1", "true", "false", "null"];
    let literals = literals.map(|literal| Literal(literal.to_owned()));
    let last = String("/\t".to_owned());
    let members = [
        ("a", Array(literals.into())),
        ("b\"\\A", Object(vec![])),
        ("a", last.clone()),
    ];
    let members = members.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(value, Object(members.into()));
    assert_eq!(value.get("a"), Some(&last), "the last of equal names");
    let incomplete = ["", "{", "\"abc", "tru", "-"];
    for bad in incomplete
        .into_iter()
        .chain(["[1,]", "{\"a\"}", "\"\\x\"", "1 2", "{1:2}"])
    {
        assert!(json::Value::parse(bad).is_err(), "{bad}");
    }
    for text in ["[]", r#"{"a":[1,-2.5e3,null],"b\"":{"c":true,"d":"x y"}}"#] {
        let value = json::Value::parse(text).expect("JSON");
        assert_eq!(value.to_string(), text, "written as it was read");
    }
}

// Tests of the program as a process.

/// Starts the program with piped input and output, and with standard error at `stderr`.
fn start_quick(stderr: Stdio) -> Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["--iterations", "5", "--memory-mb", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .expect("starts")
}

/// Sends an invalid line, a first turn, and damaged requests of more than 100 KB each. Returns the number of answers.
fn answers_to_rubbish(bot: &mut Child) -> usize {
    let mut stdin = bot.stdin.take().expect("piped");
    let stdout = BufReader::new(bot.stdout.take().expect("piped"));
    let mut lines = stdout.lines().map_while(Result::ok);
    let rubbish = "\u{1b}[2J rubbish ".repeat(10_000);
    write!(stdin, "{rubbish}\n{TURN_1}").expect("the bot reads");
    let mut answers = 0;
    while lines.next().is_some() && lines.next().as_deref() == Some(KEEP_RUNNING) {
        answers += 1;
        if answers == 100 {
            drop(stdin);
            break;
        }
        writeln!(stdin, "{{\"request\":\"{rubbish}\"}}").expect("the bot reads");
    }
    answers
}

#[test]
fn unread_standard_error_costs_no_answer() {
    let mut bot = start_quick(Stdio::piped());
    assert_eq!(answers_to_rubbish(&mut bot), 100);
    let out = bot.wait_with_output().expect("the bot ends");
    assert!(out.status.success());
    // The complaints fit into the smallest buffer of a pipe.
    assert!(out.stderr.len() <= 4096, "{} bytes", out.stderr.len());
    assert!(out.stderr.ends_with(b"further complaints are left out\n"));
    assert!(text(&out.stderr).lines().count() > 2);
    assert!(!out.stderr.contains(&0x1b), "{}", text(&out.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_standard_error_costs_no_answer() {
    let full = std::fs::File::options().write(true).open("/dev/full");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    for stderr in [
        full.expect("there is /dev/full").into(),
        Stdio::from(writer),
    ] {
        let mut bot = start_quick(stderr);
        assert_eq!(answers_to_rubbish(&mut bot), 100);
        assert!(bot.wait().expect("the bot ends").success());
    }
}

/// Checks lines without an end, and endless lines after an impossible turn number or before the first turn.
#[test]
fn endless_input_is_answered() {
    for (start, chunk) in [
        ("", "x"),
        ("1\n", "-1 "),
        ("{\"requests\":[", "0,"),
        ("1000000000\n", "-1 -1 -1 -1 -1 -1\n"),
        ("1000000000\n", "no end\n"),
        ("", "no end\n"),
    ] {
        let mut bot = start_quick(Stdio::piped());
        let mut stdin = bot.stdin.take().expect("piped");
        let mut stdout = BufReader::new(bot.stdout.take().expect("piped"));
        stdin.write_all(start.as_bytes()).expect("the bot reads");
        let chunk = chunk.repeat(1000);
        // Writing blocks while the bot does not read, so it needs its own thread.
        let writer = std::thread::spawn(move || while stdin.write_all(chunk.as_bytes()).is_ok() {});
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("the bot writes");
        let answer = read_answer(answer.trim_end());
        assert_eq!(Board::start().check(answer), Ok(()), "{start:?}");
        bot.kill().expect("it runs on");
        bot.wait().expect("it ends");
        writer.join().expect("the pipe is closed");
    }
}

#[test]
fn bot_accepts_time_options() {
    let words = ["--time-ms", "20", "--first-time-ms=30", "--memory-mb", "8"];
    let out = output(&words, TURN_1);
    assert!(out.status.success());
    let lines: Vec<String> = text(&out.stdout).lines().map(str::to_owned).collect();
    position_after(&answers_in(&lines));
    assert_eq!(text(&out.stderr), "");
}

#[test]
fn bad_arguments_are_named_with_exit_code_two() {
    for (args, complaint) in [
        (&["--fast"][..], "'--fast'"),
        (&["think"], "'think'"),
        (&["analise"], "'analyze'"),
        (&["play", "--plian"], "'--plain'"),
        (&["--time-ms"], "--time-ms <N>"),
        (&["--time-ms", "soon"], "'soon' for '--time-ms <N>'"),
        (&["--memory-mb=0"], "--memory-mb <N>"),
        (&["bench", "many"], "'many'"),
        (&["bench", "1", "2"], "'2'"),
        (&["perft"], "<DEPTH>"),
        (&["perft", "-1"], "'-1'"),
    ] {
        let out = output(args, "");
        assert_rejected(&out, &[complaint]);
        assert!(out.stdout.is_empty());
    }
}

#[test]
fn perft_bench_and_help_print_results() {
    let out = output(&["perft", "2"], "");
    assert_eq!(text(&out.stdout), "0 1\n1 1232\n2 1331198\n");
    let out = output(&["bench", "50"], "");
    let lines: Vec<&str> = text(&out.stdout).lines().collect();
    let labels = ["signature: ", "iterations/s: ", "evaluations/s: "];
    for (line, start) in lines[lines.len() - 3..].iter().zip(labels) {
        assert!(line.starts_with(start), "{line}");
    }
    for help in ["--help", "-h", "help"] {
        assert!(text(&output(&[help], "").stdout).contains("Usage: amazons"));
    }
}

#[test]
fn options_are_parsed() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let all = "--time-ms 5 --first-time-ms=6 --memory-mb 7 --seed 8 --iterations 9";
    let Ok(Command::Bot(read)) = cli::parse(words(all)) else {
        panic!("not the bot")
    };
    assert_eq!((read.time.as_millis(), read.first_time.as_millis()), (5, 6));
    let others = (read.memory, read.seed, read.iterations);
    assert_eq!(others, (7 << 20, Some(8), Some(9)));
    assert_eq!(cli::parse([]), Ok(Command::Bot(Options::default())));
    let perft = Ok(Command::Perft { depth: 3 });
    assert_eq!(cli::parse(words("perft 3")), perft);
}
