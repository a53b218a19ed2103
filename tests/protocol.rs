//! The conversation with the platform: transcripts of both interactions, restarts, faults, the command line.

use crate::common::{Dice, assert_refused, output, random_board, text};
use amazons::board::{Board, Move, Player};
use amazons::botzone::options::Options;
use amazons::botzone::{KEEP_RUNNING, Session, Turn, json};
use amazons::cli::{self, Command};
use amazons::movegen;
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

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
    let (mut output, mut log) = (Vec::new(), Vec::new());
    Session::new(quick())
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
    lines
        .chunks(2)
        .map(|pair| {
            assert_eq!(pair[1], KEEP_RUNNING);
            assert!(
                pair[0].starts_with('{') || pair[0].split(' ').count() == 6,
                "{pair:?}"
            );
            read_answer(&pair[0])
        })
        .collect()
}

/// Reads an answer of either form.
fn read_answer(line: &str) -> Move {
    let Ok(value) = json::Value::parse(line) else {
        return line.parse().expect("six coordinates");
    };
    let response = value.get("response").expect("an answer has a response");
    assert!(matches!(value.get("debug"), Some(json::Value::String(text)) if text.len() < 1024));
    let coordinate = |name| {
        response
            .get(name)
            .and_then(json::Value::integer)
            .expect("a whole number")
    };
    Move::from_coordinates(["x0", "y0", "x1", "y1", "x2", "y2"].map(coordinate))
        .expect("on the board")
}

fn simple_text(turn: Move) -> String {
    turn.coordinates()
        .map(|coordinate| coordinate.to_string())
        .join(" ")
}

fn json_text(turn: Option<Move>) -> String {
    let [x0, y0, x1, y1, x2, y2] = turn.map_or([-1; 6], |turn| turn.coordinates().map(i64::from));
    format!(r#"{{"x0":{x0},"y0":{y0},"x1":{x1},"y1":{y1},"x2":{x2},"y2":{y2}}}"#)
}

/// The position after a list of moves, all of which must be legal.
fn after(moves: &[Move]) -> Board {
    let mut board = Board::start();
    for &turn in moves {
        board
            .play(turn)
            .unwrap_or_else(|fault| panic!("{turn}: {fault}"));
    }
    board
}

fn moves(lines: &[&str]) -> Vec<Move> {
    lines
        .iter()
        .map(|line| line.parse().expect("readable"))
        .collect()
}

const FIRST: &str = "1\n-1 -1 -1 -1 -1 -1\n";

/// Input of black's third turn, from the platform's wiki.
const THIRD: &str = "3\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\n0 5 4 5 3 4\n0 2 0 3 3 0\n2 7 2 5 1 4\n";
const THIRD_RECORD: [&str; 4] = ["5 0 3 2 6 5", "0 5 4 5 3 4", "0 2 0 3 3 0", "2 7 2 5 1 4"];

#[test]
fn black_opens() {
    let answers = answers(FIRST);
    assert_eq!(answers.len(), 1);
    after(&answers);
}

#[test]
fn white_replies() {
    let opening = moves(&["2 0 2 5 5 5"])[0];
    let answers = answers("1\n2 0 2 5 5 5\n");
    after(&[opening, answers[0]]);
}

#[test]
fn a_restart_replays_the_record() {
    let answers = answers(THIRD);
    let mut record = moves(&THIRD_RECORD);
    record.extend(&answers);
    assert_eq!(answers.len(), 1);
    after(&record);
}

#[test]
fn kept_running_the_bot_gets_the_reply_alone() {
    let first = answers(FIRST)[0];
    let replies = movegen::moves(&after(&[first]));
    let reply = replies[replies.len() / 2];
    let both = answers(&format!("{FIRST}{}\n", simple_text(reply)));
    assert_eq!(both[0], first, "the same seed, the same move");
    after(&[first, reply, both[1]]);
}

#[test]
fn layout_does_not_matter() {
    let first = answers(FIRST)[0];
    let reply = movegen::moves(&after(&[first]))[100];
    let expected = answers(&format!("{FIRST}{}\n", simple_text(reply)));
    let reply = simple_text(reply);
    for input in [
        format!("1\r\n-1 -1 -1 -1 -1 -1\r\n{reply}\r\n"),
        format!("\n\n1\n\n-1 -1 -1 -1 -1 -1\n\n\n{reply}\n\n"),
        format!("1\n-1 -1 -1 -1 -1 -1\n2\n{reply}\n"),
        format!("  1 \n -1  -1 -1\t-1 -1 -1 \n {reply}"),
        format!("1\n-1 -1 -1 -1 -1 -1\nsome data\n{{\"global\n{reply}\n")
            .replace("{\"global", "global data, 1 2 3"),
    ] {
        assert_eq!(answers(&input), expected, "{input:?}");
    }
}

#[test]
fn trailing_data_is_no_turn() {
    let (lines, log) = converse(&format!("{THIRD}data of an earlier turn\n\nglobal data\n"));
    assert_eq!(answers_in(&lines), answers(THIRD));
    assert!(log.contains("data of an earlier turn"), "{log}");
}

#[test]
fn byte_order_marks_are_skipped() {
    let first = format!("{{\"requests\":[{}],\"responses\":[]}}\n", json_text(None));
    for input in [FIRST, THIRD, &first] {
        let (lines, log) = converse(&format!("\u{feff}{input}"));
        assert_eq!(answers_in(&lines), answers(input), "{input:?}");
        assert_eq!(log, "", "{input:?}");
    }
    let marked = THIRD.replace('\n', "\n\u{feff}");
    assert_eq!(answers(&marked), answers(THIRD));
}

/// A process that was kept running is sent the whole record: of its own game, of another one, again and again.
#[test]
fn a_whole_record_is_one_turn() {
    let white = "2\n5 0 3 2 6 5\n0 5 4 5 3 4\n0 2 0 3 3 0\n";
    for (input, record) in [(THIRD, &THIRD_RECORD[..]), (white, &THIRD_RECORD[..3])] {
        let mut game = moves(record);
        game.extend(answers(input));
        let reply = movegen::moves(&after(&game))[9];
        let alone = answers(&format!("{input}{}\n", simple_text(reply)));
        game.push(reply);
        let [simple, json] = [false, true].map(|as_json| next_input(&game, true, as_json));
        assert_eq!(answers(&format!("{input}{simple}\n")), alone, "{input:?}");
        for (input, count) in [
            (format!("{input}{input}{simple}\n"), 3),
            (format!("{input}7\n\n{simple}\n\n{input}"), 3),
            (format!("{input}{json}\n{simple}"), 3),
            (format!("{THIRD}{white}{FIRST}{input}"), 4),
            (format!("{input}1\n2 0 2 5 5 5\n{THIRD}"), 3),
            (
                format!("{input}{}\n{FIRST}", next_input(&[], true, true)),
                3,
            ),
        ] {
            let (lines, log) = converse(&input);
            assert_eq!(answers_in(&lines).len(), count, "{input:?}");
            assert_eq!(log, "", "{input:?}");
        }
    }
}

#[test]
fn the_end_of_the_input_ends_the_bot_quietly() {
    for input in ["", "\n", "\r\n \n", "\u{feff}", "\u{feff}\n\u{feff}"] {
        assert_eq!(converse(input), (vec![], String::new()), "{input:?}");
    }
}

#[test]
fn json_and_simple_interaction_play_the_same() {
    let record = moves(&THIRD_RECORD);
    let line = format!(
        r#"{{"requests":[{},{},{}],"responses":[{},{}],"data":"","globaldata":{{"a":[1,null,"\u00e9\n"]}},"time_limit":1.0}}"#,
        json_text(None),
        json_text(Some(record[1])),
        json_text(Some(record[3])),
        json_text(Some(record[0])),
        json_text(Some(record[2])),
    );
    assert_eq!(answers(&line), answers(THIRD));
    let first = format!("{{\"requests\":[{}],\"responses\":[]}}\n", json_text(None));
    assert_eq!(answers(&first), answers(FIRST));
    let reply = movegen::moves(&after(&answers(FIRST)))[7];
    let expected = answers(&format!("{FIRST}{}\n", simple_text(reply)));
    let reply = json_text(Some(reply));
    for reply in [
        reply.clone(),
        format!(r#"{{"request":{reply}}}"#),
        format!(r#"{{"requests":[{reply}]}}"#),
        format!(r#"{{"requests":[{reply}],"responses":[]}}"#),
        format!(r#"{{"request":"{}"}}"#, reply.replace('"', "\\\"")),
        format!("2\n{reply}"),
    ] {
        assert_eq!(answers(&format!("{first}{reply}\n")), expected, "{reply}");
    }
    let own = json_text(Some(expected[0]));
    let whole = format!(
        r#"{{"requests":[{},{reply}],"responses":[{own}]}}"#,
        json_text(None)
    );
    assert_eq!(
        answers(&format!("{first}{whole}\n")),
        expected,
        "the whole record again"
    );
}

#[test]
fn json_answers_in_one_line_with_debug() {
    let (lines, log) = converse(&format!(
        "{{\"requests\":[{}],\"responses\":[]}}",
        json_text(None)
    ));
    assert_eq!(lines.len(), 2);
    assert!(log.is_empty(), "{log}");
    let debug = json::Value::parse(&lines[0])
        .expect("JSON")
        .get("debug")
        .cloned();
    let Some(json::Value::String(debug)) = debug else {
        panic!("{lines:?}")
    };
    for word in ["win probability", "visits", "150 iterations", "depth", "ms"] {
        assert!(debug.contains(word), "{debug}");
    }
}

/// Proven games and only moves end the search: with a budget of 2^64 iterations it would never end.
#[test]
fn decided_games_are_answered_at_once() {
    let game: Vec<Move> = include_str!("../src/bench/game.txt")
        .lines()
        .map(|line| line.parse().expect("readable"))
        .collect();
    for plies in 44..game.len() {
        let input = next_input(&game[..plies], true, plies % 3 == 0);
        let (mut output, mut log) = (Vec::new(), Vec::new());
        let options = Options {
            iterations: Some(u64::MAX),
            ..quick()
        };
        Session::new(options)
            .run(input.as_bytes(), &mut output, &mut log)
            .expect("memory does not fail");
        let lines: Vec<String> = text(&output).lines().map(str::to_owned).collect();
        let mut record = game[..plies].to_vec();
        record.extend(answers_in(&lines));
        after(&record);
    }
}

/// Damaged input, what the log must mention, and the moves of the record that are still good.
#[test]
fn damaged_records_are_survived() {
    let cases: &[(&str, &str, &[&str], Player)] = &[
        (
            "2\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\nnonsense\n",
            "\"nonsense\"",
            &["5 0 3 2 6 5"],
            Player::Black,
        ),
        (
            "2\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\n0 5 0 5 0 5\n",
            "stays on a6",
            &["5 0 3 2 6 5"],
            Player::Black,
        ),
        (
            "2\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\n0 5 9 9 0 0\n",
            "(9, 9)",
            &["5 0 3 2 6 5"],
            Player::Black,
        ),
        (
            "2\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\n-1 -1 -1 -1 -1 -1\n",
            "middle of the game",
            &["5 0 3 2 6 5"],
            Player::Black,
        ),
        (
            "2\n-1 -1 -1 -1 -1 -1\n5 0 3 2 6 5\n",
            "",
            &["5 0 3 2 6 5"],
            Player::Black,
        ),
        (
            "2\n5 0 3 2 6 5\n5 5 5 5 5 5\n0 2 0 3 3 0\n",
            "response 1",
            &["5 0 3 2 6 5", "0 2 0 3 3 0"],
            Player::White,
        ),
        (
            "2\ngarbage\n0 5 4 5 3 4\n0 2 0 3 3 0\n",
            "garbage",
            &["0 5 4 5 3 4", "0 2 0 3 3 0"],
            Player::White,
        ),
        (
            "2\ngarbage\n0 2 0 3 3 0\n0 5 4 5 3 4\n",
            "garbage",
            &["0 2 0 3 3 0", "0 5 4 5 3 4"],
            Player::Black,
        ),
        ("what is this\n", "what is this", &[], Player::Black),
        ("0\n", "ignored \"0\"", &[], Player::Black),
        ("{\"requests\":[{\"x0\":\n", "not JSON", &[], Player::Black),
        ("{}\n", "whole number x0", &[], Player::Black),
        (
            "{\"requests\":[],\"responses\":[]}\n",
            "",
            &[],
            Player::Black,
        ),
    ];
    for &(input, complaint, good, me) in cases {
        let (lines, log) = converse(input);
        assert!(log.contains(complaint), "{input:?}: {log}");
        let mut board = Board::start();
        for turn in moves(good) {
            let mover = if let amazons::board::Cell::Amazon(player) = board[turn.from] {
                player
            } else {
                panic!("{turn}")
            };
            board.set_to_move(mover);
            board.play(turn).expect("legal");
        }
        board.set_to_move(me);
        let answers = answers_in(&lines);
        assert_eq!(answers.len(), 1, "{input:?}: {lines:?}");
        assert_eq!(board.check(answers[0]), Ok(()), "{input:?}");
    }
}

#[test]
fn damaged_replies_are_survived() {
    let first = answers(FIRST)[0];
    for reply in [
        "0 0 0 0 0 0",
        "-1 -1 -1 -1 -1 -1",
        "7 7 7 6 7 5",
        "{\"request\":5}",
        "{",
        "99 0 0 0 0 0",
    ] {
        let (lines, log) = converse(&format!("{FIRST}{reply}\n"));
        let answers = answers_in(&lines);
        assert!(log.starts_with("ignored"), "{reply}: {log}");
        let mut board = after(&[first]);
        board.set_to_move(Player::Black);
        assert_eq!(answers.len(), 2, "{reply}");
        assert_eq!(board.check(answers[1]), Ok(()), "{reply}");
    }
    // After the second turn nothing can trail any more: whatever comes is meant as a request.
    let second = movegen::moves(&after(&[first]))[3];
    let (lines, log) = converse(&format!("{FIRST}{}\nbabble\n", simple_text(second)));
    assert_eq!(answers_in(&lines).len(), 3);
    assert!(log.contains("babble"), "{log}");
}

/// Records with the bot to move, after whose move it has no other one, but would have after some reply; with replies.
fn last_moves_but_one() -> Vec<(Vec<Move>, Move, Move)> {
    let mut found = Vec::new();
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let (mut board, mut record) = (Board::start(), Vec::new());
        while let moves = movegen::moves(&board)
            && !moves.is_empty()
        {
            if moves.len() < 12 {
                let own = answers(&next_input(&record, true, true))[0];
                found.extend(
                    unblocking_reply(&board, own).map(|reply| (record.clone(), own, reply)),
                );
            }
            record.push(moves[dice.below(moves.len())]);
            board.play(record[record.len() - 1]).expect("legal");
        }
    }
    found
}

/// A reply to a move of a player who has no other one that gives this player a move.
fn unblocking_reply(board: &Board, own: Move) -> Option<Move> {
    let me = board.to_move();
    let mut board = board.clone();
    board.play(own).expect("legal");
    let replies = movegen::moves(&board);
    board.set_to_move(me);
    let is_stuck = movegen::count(&board) == 0;
    board.set_to_move(!me);
    replies.into_iter().find(|&reply| {
        let mut next = board.clone();
        next.play(reply).expect("legal");
        is_stuck && movegen::count(&next) > 0
    })
}

/// A request without a move finds the bot without one, too; the whole record then says that there was a reply.
#[test]
fn a_request_without_a_move_does_not_turn_the_sides_round() {
    let cases = last_moves_but_one();
    assert!(cases.len() > 2, "{}", cases.len());
    for (mut record, own, reply) in cases {
        let first = next_input(&record, true, true);
        record.extend([own, reply]);
        for next in [
            next_input(&record, true, true),
            next_input(&record, false, true),
        ] {
            let (lines, _) = converse(&format!("{first}\n{{\"request\":{{}}}}\n{next}\n"));
            assert!(lines[2].contains(r#""x0":-1"#), "{lines:?}");
            let third = read_answer(&lines[4]);
            assert_eq!(after(&record).check(third), Ok(()));
        }
    }
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
        assert!(
            log.contains("expected a line of at most 1048576 bytes"),
            "{log}"
        );
        assert!(log.len() < 400, "{} bytes", log.len());
    }
    let opening = json_text(None);
    for (line, complaint) in [
        (
            format!(r#"{{"requests":[{}]}}"#, "0,".repeat(100_000) + "0"),
            "fewer values",
        ),
        (
            format!(r#"{{"requests":[{opening}{}]}}"#, ",0".repeat(10_000)),
            "further complaints",
        ),
        (
            format!(
                r#"{{"requests":[{opening}],"data":[{}0]}}"#,
                "0,".repeat(10_000)
            ),
            "",
        ),
    ] {
        let (lines, log) = converse(&line);
        assert_eq!(Board::start().check(answers_in(&lines)[0]), Ok(()));
        assert!(
            log.contains(complaint) && log.is_empty() == complaint.is_empty(),
            "{log}"
        );
    }
    let Turn::History(entries) =
        json::turn(&format!(r#"{{"requests":[0{}]}}"#, ",0".repeat(9_000)))
    else {
        panic!("not a record")
    };
    assert!(entries.len() < 140, "{} entries", entries.len());
    // A record of 63 requests, all but the last damaged, is still read to its end.
    let (lines, _) = converse(&format!(
        "63\n-1 -1 -1 -1 -1 -1\n{}{}\n{}\n",
        "nothing\n".repeat(122),
        simple_text(first),
        simple_text(reply)
    ));
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

    /// Restarted anywhere in a game, the bot answers with a move that is legal there.
    #[test]
    fn a_restart_anywhere_is_answered_legally(seed: u64, plies in 0_usize..50) {
        let mut dice = Dice::new(seed);
        let mut board = Board::start();
        let mut record = Vec::new();
        for _ in 0..plies {
            let moves = movegen::moves(&board);
            if moves.is_empty() {
                break;
            }
            record.push(moves[dice.below(moves.len())]);
            board.play(record[record.len() - 1]).expect("legal");
        }
        let black = record.len() % 2 == 0;
        let turn = record.len() / 2 + 1;
        let opening = if black { "-1 -1 -1 -1 -1 -1\n" } else { "" };
        let lines: String = record.iter().map(|&turn| simple_text(turn) + "\n").collect();
        let (lines, log) = converse(&format!("{turn}\n{opening}{lines}"));
        prop_assert_eq!(log, "");
        if movegen::count(&board) == 0 {
            prop_assert_eq!(&lines[0], "-1 -1 -1 -1 -1 -1", "there is no move to answer with");
        } else {
            prop_assert_eq!(board.check(answers_in(&lines)[0]), Ok(()));
        }
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
    use json::Value::{Array, Bool, Null, Number, Object, String};
    let text = r#" {"a" : [ 1 , -2.5e1, true,false ,null ] , "b\"\\\u0041" : {} , "a" : "\/\t" } "#;
    let value = json::Value::parse(text).expect("JSON");
    let members = vec![
        (
            "a".to_owned(),
            Array(vec![
                Number("1".to_owned()),
                Number("-2.5e1".to_owned()),
                Bool(true),
                Bool(false),
                Null,
            ]),
        ),
        ("b\"\\A".to_owned(), Object(vec![])),
        ("a".to_owned(), String("/\t".to_owned())),
    ];
    assert_eq!(value, Object(members));
    assert_eq!(
        value.get("a"),
        Some(&String("/\t".to_owned())),
        "the last of equal names"
    );
    for bad in [
        "", "{", "[1,]", "{\"a\"}", "\"\\x\"", "\"abc", "1 2", "tru", "-", "{1:2}",
    ] {
        assert!(json::Value::parse(bad).is_err(), "{bad}");
    }
    for text in ["[]", r#"{"a":[1,-2.5e3,null],"b\"":{"c":true,"d":"x y"}}"#] {
        let value = json::Value::parse(text).expect("JSON");
        assert_eq!(value.to_string(), text, "written as it was read");
    }
}

// The program itself, as a process.

/// The program, kept running for a game.
struct Bot {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Bot {
    fn start(seed: u64) -> Bot {
        let seed = seed.to_string();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
            .args(["--iterations", "300", "--memory-mb", "1", "--seed", &seed])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("starts");
        let stdin = child.stdin.take().expect("piped");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        Bot {
            child,
            stdin,
            stdout,
        }
    }

    /// Sends a turn and reads the answer and the marker.
    fn ask(&mut self, input: &str) -> Move {
        writeln!(self.stdin, "{input}").expect("the bot reads");
        let mut line = || {
            let mut line = String::new();
            self.stdout.read_line(&mut line).expect("the bot writes");
            line.trim_end().to_owned()
        };
        let answer = line();
        assert_eq!(line(), KEEP_RUNNING);
        read_answer(&answer)
    }

    /// Ends the input and checks that the program ends well.
    fn end(mut self) {
        drop(self.stdin);
        assert!(self.child.wait().expect("the bot ends").success());
    }
}

/// What the platform sends at the next turn of a game: to a fresh process, or to one kept running.
fn next_input(record: &[Move], fresh: bool, as_json: bool) -> String {
    let black = record.len().is_multiple_of(2);
    let mut entries: Vec<Option<Move>> = if black { vec![None] } else { vec![] };
    entries.extend(record.iter().copied().map(Some));
    if as_json {
        let part = |odd: usize| {
            entries
                .iter()
                .skip(odd)
                .step_by(2)
                .map(|&turn| json_text(turn))
                .collect::<Vec<_>>()
                .join(",")
        };
        return if fresh {
            format!(
                r#"{{"requests":[{}],"responses":[{}],"time_limit":1}}"#,
                part(0),
                part(1)
            )
        } else {
            format!(r#"{{"request":{}}}"#, json_text(entries[entries.len() - 1]))
        };
    }
    let lines: Vec<String> = entries
        .iter()
        .map(|turn| turn.map_or("-1 -1 -1 -1 -1 -1".to_owned(), simple_text))
        .collect();
    if fresh {
        format!("{}\n{}", lines.len() / 2 + 1, lines.join("\n"))
    } else {
        lines[lines.len() - 1].clone()
    }
}

/// Whole games between two processes, one of them restarted now and then, in both forms.
#[test]
fn whole_games_are_played_by_the_rules() {
    for (game, as_json) in [(1, false), (2, true)] {
        let mut seats: [Option<Bot>; 2] = [None, None];
        let mut board = Board::start();
        let mut record: Vec<Move> = Vec::new();
        while movegen::count(&board) > 0 {
            let seat = record.len() % 2;
            if seat == 1
                && record.len() % 10 == 5
                && let Some(bot) = seats[seat].take()
            {
                bot.end();
            }
            let fresh = seats[seat].is_none();
            let bot = seats[seat].get_or_insert_with(|| Bot::start(game));
            let answer = bot.ask(&next_input(&record, fresh, as_json));
            board
                .play(answer)
                .unwrap_or_else(|fault| panic!("ply {}: {fault}", record.len()));
            record.push(answer);
        }
        assert!(record.len() > 20, "a game of {} plies", record.len());
        seats.into_iter().flatten().for_each(Bot::end);
    }
}

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
    let out = output(
        &["--time-ms", "20", "--first-time-ms=30", "--memory-mb", "8"],
        FIRST,
    );
    assert!(out.status.success());
    let lines: Vec<String> = text(&out.stdout).lines().map(str::to_owned).collect();
    after(&answers_in(&lines));
    assert_eq!(text(&out.stderr), "");
}

#[test]
fn command_line_faults_name_the_word_and_exit_with_two() {
    for (args, complaint) in [
        (&["--fast"][..], "'--fast'"),
        (&["think"], "'think'"),
        (&["analise"], "'analyze'"),
        (&["play", "--plian"], "'--plain'"),
        (&["--time-ms"], "--time-ms <N>"),
        (
            &["--time-ms", "soon"],
            "'soon' for '--time-ms <N>': expected a number from 1 to 86400000",
        ),
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
    let last: Vec<&str> = lines[lines.len() - 3..]
        .iter()
        .map(|line| line.split(": ").next().unwrap_or(""))
        .collect();
    assert_eq!(last, ["signature", "iterations/s", "evaluations/s"]);
    for help in ["--help", "-h", "help"] {
        assert!(text(&output(&[help], "").stdout).contains("Usage: amazons"));
    }
}

#[test]
fn options_are_read() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let Ok(Command::Bot(read)) = cli::parse(words(
        "--time-ms 5 --first-time-ms=6 --memory-mb 7 --seed 8 --iterations 9",
    )) else {
        panic!("not the bot")
    };
    assert_eq!((read.time.as_millis(), read.first_time.as_millis()), (5, 6));
    assert_eq!(
        (read.memory, read.seed, read.iterations),
        (7 << 20, Some(8), Some(9))
    );
    assert_eq!(cli::parse([]), Ok(Command::Bot(Options::default())));
    assert_eq!(
        cli::parse(words("perft 3")),
        Ok(Command::Perft { depth: 3 })
    );
}

/// The helper that the tests rely on gives boards on which the game goes on.
#[test]
fn random_boards_are_of_the_phase_asked_for() {
    assert_eq!(random_board(1, 20).arrow_count(), 20);
}
