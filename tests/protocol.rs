//! The conversation with the platform: transcripts of both interactions, restarts, faults, the command line.

use crate::common::{
    assert_holds, assert_refused, json_text, output, read_answer, simple_text, text, whole_record,
};
use engine::board::{Board, Move};
use engine::botzone::options::Options;
use engine::botzone::{KEEP_RUNNING, Session, Turn, json};
use engine::cli::{self, Command};
use engine::movegen;
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

/// A quick, repeatable bot.
fn quick() -> Options {
    Options {
        iterations: Some(150),
        seed: Some(1),
        memory: 1 << 20,
        ..Options::default()
    }
}

/// What the bot says to an input: its output lines and its log.
fn converse(input: &str) -> (Vec<String>, String) {
    converse_with(quick(), input)
}

fn converse_with(options: Options, input: &str) -> (Vec<String>, String) {
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

/// The moves that the bot answers an input with; each must be followed by the marker.
fn answers(input: &str) -> Vec<Move> {
    let (lines, _) = converse(input);
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

/// The position after a list of moves, all of which must be legal.
fn after(moves: &[Move]) -> Board {
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

const FIRST: &str = "1\n-1 -1 -1 -1 -1 -1\n";

/// Input of black's third turn, from the platform's wiki.
const THIRD: &str = "3\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\n0 5 4 5 3 4\n0 2 0 3 3 0\n2 7 2 5 1 4\n";
const THIRD_RECORD: [&str; 4] = ["5 0 3 2 6 5", "0 5 4 5 3 4", "0 2 0 3 3 0", "2 7 2 5 1 4"];

#[test]
fn transcripts_are_answered_legally() {
    let white = "1\n2 0 2 5 5 5\n";
    for (input, record) in [
        (FIRST, &[][..]),
        (white, &["2 0 2 5 5 5"]),
        (THIRD, &THIRD_RECORD),
    ] {
        let answers = answers(input);
        assert_eq!(answers.len(), 1, "{input}");
        after(&[moves(record), answers].concat());
    }
}

#[test]
fn end_of_input_ends_the_bot() {
    for input in ["", "\n", "\r\n \n", "\u{feff}", "\u{feff}\n\u{feff}"] {
        assert_eq!(converse(input), (vec![], String::new()), "{input:?}");
    }
}

#[test]
fn json_answers_in_one_line_with_debug() {
    let (lines, log) = converse(&whole_record(&[], true));
    assert_eq!(lines.len(), 2);
    assert!(log.is_empty(), "{log}");
    let answer = json::Value::parse(&lines[0]).expect("JSON");
    let Some(json::Value::String(debug)) = answer.get("debug") else {
        panic!("{lines:?}")
    };
    let told = ["win probability", "visits", "150 iterations", "depth", "ms"];
    assert_holds(debug, &told);
}

/// Proven games and only moves end the search: with a budget of 2^64 iterations it would never end.
#[test]
fn decided_games_are_answered_at_once() {
    let game: Vec<Move> = include_str!("../src/engine/bench/game.txt")
        .lines()
        .map(|line| line.parse().expect("readable"))
        .collect();
    let endless = Options {
        iterations: Some(u64::MAX),
        ..quick()
    };
    for plies in 44..game.len() {
        let input = whole_record(&game[..plies], plies % 3 == 0);
        let (lines, _) = converse_with(endless.clone(), &input);
        after(&[&game[..plies], &answers_in(&lines)].concat());
    }
}

#[test]
fn what_is_ignored_is_named_and_answered() {
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
        (FIRST, "0 0 0 0 0 0\n", 2, "ignored"),
        (FIRST, "-1 -1 -1 -1 -1 -1\n", 2, "ignored"),
        (FIRST, "7 7 7 6 7 5\n", 2, "ignored"),
        (FIRST, "{\"request\":5}\n", 2, "ignored"),
        (FIRST, "{\n", 2, "ignored"),
        (FIRST, "99 0 0 0 0 0\n", 2, "ignored"),
    ] {
        let (lines, log) = converse(&format!("{begin}{input}"));
        assert_eq!(answers_in(&lines).len(), answers, "{begin}{input}");
        assert_holds(&log, &[complaint]);
    }
    // After the second turn nothing can trail any more: whatever comes is meant as a request.
    let second = movegen::moves(&after(&answers(FIRST)))[3];
    let (lines, log) = converse(&format!("{FIRST}{}\nbabble\n", simple_text(second)));
    assert_eq!(answers_in(&lines).len(), 3);
    assert_holds(&log, &["babble"]);
}

/// What lies beyond a bound is left out, and what follows is read as ever.
#[test]
fn long_lines_and_records_are_cut() {
    let first = answers(FIRST)[0];
    let reply = movegen::moves(&after(&[first]))[3];
    let long = "x".repeat(3 << 20);
    for line in [long.clone(), format!("{{\"a\":\"{long}\"}}")] {
        let (lines, log) = converse(&format!("{FIRST}{line}\n{}\n", json_text(Some(reply))));
        assert_eq!(answers_in(&lines).len(), 3);
        assert_holds(&log, &["expected a line of at most 1048576 bytes"]);
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
        let (lines, log) = converse(&line);
        assert_eq!(Board::start().check(answers_in(&lines)[0]), Ok(()));
        assert_holds(&log, &[complaint]);
        assert_eq!(log.is_empty(), complaint.is_empty(), "{log}");
    }
    let Turn::History(entries) = json::turn(&requests(zeros(9_000))) else {
        panic!("not a record")
    };
    assert!(entries.len() < 140, "{} entries", entries.len());
    // A record of 63 requests, all but the last damaged, is still read to its end.
    let damaged = "nothing\n".repeat(122);
    let [own, other] = [first, reply].map(simple_text);
    let record = format!("63\n-1 -1 -1 -1 -1 -1\n{damaged}{own}\n{other}\n");
    let (lines, _) = converse(&record);
    let answers = answers_in(&lines);
    assert_eq!(answers.len(), 1);
    after(&[first, reply, answers[0]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever comes in, the bot does not die, and says nothing but answers and markers.
    #[test]
    fn nothing_kills_the_bot(lines in prop::collection::vec("(-?[0-9 ]{0,12}|[ -~]{0,20}|\\{.{0,20}\\}|.{0,5})", 0..8)) {
        let (lines, _) = converse(&lines.join("\n"));
        answers_in(&lines);
    }

    #[test]
    fn any_text_is_read_as_json_or_refused(text in ".*", nested in 0_usize..200) {
        let _ = json::Value::parse(&text);
        let deep = format!("{}{}", "[".repeat(nested), "]".repeat(nested));
        prop_assert_eq!(json::Value::parse(&deep).is_ok(), (1..=64).contains(&nested));
    }
}

#[test]
fn json_is_read_as_it_is_written() {
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
    let unended = ["", "{", "\"abc", "tru", "-"];
    for bad in unended
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

// The program itself, as a process.

/// Starts the program with an input that stays open; nobody reads its standard error but `stderr`.
fn start_quick(stderr: Stdio) -> Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["--iterations", "5", "--memory-mb", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .expect("starts")
}

/// Sends rubbish, a first turn, and damaged requests of 100 KB each; counts the answers.
fn answers_to_rubbish(bot: &mut Child) -> usize {
    let mut stdin = bot.stdin.take().expect("piped");
    let stdout = BufReader::new(bot.stdout.take().expect("piped"));
    let mut lines = stdout.lines().map_while(Result::ok);
    let rubbish = "\u{1b}[2J rubbish ".repeat(10_000);
    write!(stdin, "{rubbish}\n{FIRST}").expect("the bot reads");
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
fn an_unread_standard_error_costs_no_answer() {
    let mut bot = start_quick(Stdio::piped());
    assert_eq!(answers_to_rubbish(&mut bot), 100);
    let out = bot.wait_with_output().expect("the bot ends");
    assert!(out.status.success());
    // All of it fits into the smallest buffer that a pipe can have.
    assert!(out.stderr.len() <= 4096, "{} bytes", out.stderr.len());
    assert!(out.stderr.ends_with(b"further complaints are left out\n"));
    assert!(text(&out.stderr).lines().count() > 2);
    assert!(!out.stderr.contains(&0x1b), "{}", text(&out.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_standard_error_costs_no_answer() {
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

/// Inputs without an end, in part: a line, and lines behind an impossible turn number or before any turn.
#[test]
fn endless_input_is_answered() {
    for (begin, again) in [
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
        stdin.write_all(begin.as_bytes()).expect("the bot reads");
        let again = again.repeat(1000);
        // An input that is not read blocks, so that it takes a thread of its own.
        let writer = std::thread::spawn(move || while stdin.write_all(again.as_bytes()).is_ok() {});
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("the bot writes");
        let answer = read_answer(answer.trim_end());
        assert_eq!(Board::start().check(answer), Ok(()), "{begin:?}");
        bot.kill().expect("it runs on");
        bot.wait().expect("it ends");
        writer.join().expect("the pipe is closed");
    }
}

#[test]
fn the_program_plays_within_its_time_options() {
    let words = ["--time-ms", "20", "--first-time-ms=30", "--memory-mb", "8"];
    let out = output(&words, FIRST);
    assert!(out.status.success());
    let lines: Vec<String> = text(&out.stdout).lines().map(str::to_owned).collect();
    after(&answers_in(&lines));
    assert_eq!(text(&out.stderr), "");
}

#[test]
fn command_line_errors_name_the_word() {
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
        assert_refused(&out, &[complaint]);
        assert!(out.stdout.is_empty());
    }
}

#[test]
fn tools_print_what_they_promise() {
    let out = output(&["perft", "2"], "");
    assert_eq!(text(&out.stdout), "0 1\n1 1232\n2 1331198\n");
    let out = output(&["bench", "50"], "");
    let lines: Vec<&str> = text(&out.stdout).lines().collect();
    let told = ["signature: ", "iterations/s: ", "evaluations/s: "];
    for (line, start) in lines[lines.len() - 3..].iter().zip(told) {
        assert!(line.starts_with(start), "{line}");
    }
    for help in ["--help", "-h", "help"] {
        assert!(text(&output(&[help], "").stdout).contains("Usage: amazons"));
    }
}

#[test]
fn options_are_read() {
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
