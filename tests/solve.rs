//! Tests `amazons solve` on match logs: against exhaustive search, at its limits, with saved searches and invalid arguments.

use crate::common::small::Exhaustive;
use crate::common::{
    assert_has, assert_rejected, fresh_path, interrupt, log, output, printed, text,
};
use engine::board::{Board, Move, Player};
use engine::mcts::endgame;
use engine::movegen;
use record::checked_game::CheckedGame;
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Name of the log of a game of 55 plies.
const GAME: &str = "game_bot003_bot032";

/// Solves the position of a game after `after` plies, with `options` separated by spaces. Returns what the tool prints.
fn solve(game: &str, after: usize, options: &str) -> String {
    let (log, after) = (log(game), after.to_string());
    let options = options.split_whitespace();
    let words = ["solve", &log, "--at", &after].into_iter().chain(options);
    printed(&words.collect::<Vec<_>>())
}

fn json(game: &str, after: usize, options: &str) -> Value {
    let found = solve(game, after, &format!("{options} --json"));
    serde_json::from_str(&found).expect("JSON")
}

/// Parses the move of an entry in the list of moves.
fn move_of(value: &Value) -> Move {
    let turn = value["move"].as_str().expect("a text");
    turn.parse().expect("a move")
}

fn board(game: &str, after: usize) -> Board {
    let text = fs::read_to_string(log(game)).expect("readable");
    CheckedGame::read(&text).expect("a game").board_at(after)
}

/// The winner, and the winner after every move, must be those of exhaustive search.
#[test]
fn late_positions_match_exhaustive_search() {
    let mut exhaustive = Exhaustive::default();
    let mut has = [false; 2];
    for after in 42..=47 {
        let mut board = board(GAME, after);
        let winner = exhaustive.winner(&board);
        let found = json(GAME, after, "--all");
        assert_eq!(found["winner"], winner.to_string(), "{found}");
        assert_eq!(found["to_move"], board.to_move().to_string());
        let moves = found["moves"].as_array().expect("asked for");
        assert_eq!(moves.len() as u64, movegen::count(&board));
        for value in moves {
            let turn = move_of(value);
            board.play(turn).expect("legal");
            let winner = exhaustive.winner(&board);
            assert_eq!(value["winner"], winner.to_string(), "{value}\n{board}");
            board.take_back(turn);
            has[usize::from(winner == board.to_move())] = true;
        }
    }
    assert_eq!(has, [true; 2], "some moves win, some lose");
}

/// The line of a position that counting moves alone does not solve must lead to a win.
#[test]
fn winning_line_is_printed_with_nodes_and_time() {
    let printed = solve(GAME, 28, "");
    let lines: Vec<&str> = printed.lines().collect();
    assert_has(lines[0], &["after ply 28 of 55, black to move"]);
    assert_eq!(lines[1], "  black wins");
    assert_has(lines[3], &[" nodes, ", " s"]);
    let mut board = board(GAME, 28);
    let moves = lines[2].split(';').map(|turn| turn.trim().parse());
    let moves: Vec<Move> = moves.collect::<Result<_, _>>().expect("moves");
    assert!(!moves.is_empty());
    for turn in moves {
        board.play(turn).expect("legal");
    }
    assert_eq!(endgame::certain_winner(&board), Some(Player::Black));
    let separated = solve(GAME, 50, "");
    assert_has(&separated, &["  black wins, with no move to spare"]);
}

/// The margin must equal that of exhaustive search, in text and JSON, and order the moves. At a limit, a lower bound is
/// reported.
#[test]
fn margin_is_reported_on_request() {
    const GAME: &str = "game_opponent_bot032";
    const AFTER: usize = 43;
    let mut exhaustive = Exhaustive::default();
    let mut board = board(GAME, AFTER);
    assert_eq!(endgame::moves_left(&board), None, "it takes a search");
    let margin = exhaustive.margin(&board);
    let printed = solve(GAME, AFTER, "--margin");
    assert_has(&printed, &[&format!("  white wins, by {margin} move")]);
    assert_eq!(json(GAME, 37, "")["margin"], Value::Null);
    let found = json(GAME, AFTER, "--margin --all");
    assert_eq!(found["margin"], margin);
    let moves = found["moves"].as_array().expect("asked for");
    let values = moves.iter().map(|value| {
        let turn = move_of(value);
        board.play(turn).expect("legal");
        let margin = exhaustive.margin(&board);
        assert_eq!(value["margin"], margin, "{value}\n{board}");
        board.take_back(turn);
        let moves = value["margin"].as_i64().expect("found");
        match value["winner"] == found["to_move"] {
            true => moves,
            false => -1 - moves,
        }
    });
    let values: Vec<i64> = values.collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert!(values[0] > *values.last().expect("some"));
    // Counting moves finds a bound in this position; without `--margin`, the bound is not printed.
    let unasked = json("game_bot003_opponent", 30, "");
    assert_eq!(unasked["margin_at_least"], Value::Null, "{unasked}");
    let least = json("random_vs_random", 28, "--margin --nodes 200");
    assert_eq!(least["margin"], Value::Null);
    assert!(least["margin_at_least"].as_u64() > Some(0), "{least}");
    let printed = solve("random_vs_random", 28, "--margin --nodes 200");
    assert_has(&printed, &[" moves or more"]);
}

/// At a limit of nodes or time, the position is reported as open.
#[test]
fn reached_limit_is_reported() {
    let printed = solve(GAME, 20, "--nodes 100");
    let open = "  open: the winner is not found yet; moves of amazons refuted: ";
    assert_has(&printed, &[open, "  100 nodes, "]);
    let found = json(GAME, 20, "--nodes 100 --all");
    assert_eq!(found["winner"], Value::Null);
    assert_eq!(found["nodes"], 100);
    assert_eq!(json(GAME, 0, "--seconds 1")["winner"], Value::Null);
}

/// With more nodes, more amazon moves of a lost position are refuted, until all are.
#[test]
fn open_positions_report_refuted_amazon_moves() {
    let open = |nodes: &str| {
        let found = json("game_bot003_opponent", 26, &format!("--nodes {nodes}"));
        let open = ["refuted", "amazon_moves"].map(|what| found["open"][what].as_u64());
        (found["winner"] == Value::Null).then(|| open.map(|count| count.expect("a count")))
    };
    let counts = ["1", "3000", "5000"].map(|nodes| open(nodes).expect("not found yet"));
    let [[none, all], [some, _], [most, _]] = counts;
    assert_eq!(none, 0);
    assert!(0 < some && some < most && most < all, "{counts:?}");
    assert!(counts.iter().all(|count| count[1] == all), "{counts:?}");
    assert_eq!(open("20000"), None, "white wins");
}

/// Several runs of limited length, each continuing the saved search, find the winner of one long run, also with more or
/// less memory and threads. A saved solved position is solved at once.
#[test]
fn saved_searches_are_continued() {
    const AFTER: usize = 26;
    let at_once = json(GAME, AFTER, "--nodes 100000");
    for (first, then) in [("4", "4"), ("1", "64"), ("64", "1")] {
        let path = fresh_path(&format!("solve-{first}-{then}.kept"));
        let keep = path.to_str().expect("UTF-8");
        let mut memory = first;
        let winners = std::iter::repeat_with(|| {
            let limits = format!("--keep {keep} --nodes 1000 --memory-mb {memory}");
            let found = json(GAME, AFTER, &limits);
            memory = then;
            found["winner"].clone()
        });
        let runs = winners.take(30).take_while(Value::is_null).count();
        assert!((1..30).contains(&runs), "{runs} runs");
        for option in ["--memory-mb 16", "--threads 2"] {
            let found = json(GAME, AFTER, &format!("--keep {keep} {option}"));
            assert_eq!(found["winner"], at_once["winner"]);
            assert!(found["nodes"].as_u64() < Some(200), "{found}");
        }
    }
}

/// A file that is damaged or not written by `solve` is rejected, and stays unchanged.
#[test]
fn damaged_and_foreign_files_are_rejected() {
    let path = fresh_path("solve-refused.kept");
    let keep = path.to_str().expect("UTF-8");
    let _ = solve(GAME, 25, &format!("--keep {keep} --nodes 2000"));
    let whole = fs::read(&path).expect("written");
    assert!(whole.len() > 1000);
    let mut other_byte = whole.clone();
    other_byte[500] ^= 1;
    let cut = whole[..whole.len() - 24].to_vec();
    for content in [other_byte, cut, b"dear reader".to_vec()] {
        fs::write(&path, &content).expect("written");
        let rejected = output(&["solve", &log(GAME), "--keep", keep, "--at", "25"], "");
        assert_rejected(&rejected, &[keep, "expected another file", "format 1"]);
        assert_eq!(fs::read(&path).expect("there"), content);
    }
    // An empty file is treated as new.
    fs::write(&path, "").expect("written");
    let _ = solve(GAME, 25, &format!("--keep {keep} --nodes 2000"));
    assert_eq!(fs::read(&path).expect("written"), whole);
}

/// Starts to solve a position near the start of a game, which cannot be solved.
fn start_endless(keep: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["solve", &log(GAME), "--at", "4", "--keep"])
        .arg(keep)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

#[test]
fn killed_search_has_saved_its_results() {
    let path = fresh_path("solve-killed.kept");
    let mut child = start_endless(&path);
    let length = || fs::metadata(&path).map_or(0, |file| file.len());
    while length() < 10_000 {
        assert_eq!(child.try_wait().expect("a child"), None, "it goes on");
        sleep(Duration::from_millis(20));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let killed = length();
    let keep = path.to_str().expect("UTF-8");
    let _ = solve(GAME, 4, &format!("--keep {keep} --nodes 100"));
    // A search of only a hundred nodes saves less.
    assert!(length() > killed / 2, "the saved search is continued");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported_and_search_continues() {
    let mut child = start_endless(Path::new("/dev/full"));
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("readable");
    assert_has(&line, &["/dev/full: No space left", "the solver continues"]);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_has(text(&output.stdout), &["open: the winner is not found yet"]);
    assert_eq!(output.status.code(), Some(2));
    let last = stderr.lines().map(|line| line.expect("UTF-8"));
    let [last] = &last.collect::<Vec<_>>()[..] else {
        panic!("expected one message at once and one at the end")
    };
    assert_has(last, &["/dev/full: No space left"]);
}

#[test]
fn interrupt_reports_and_saves_the_search() {
    let path = fresh_path("solve-interrupted.kept");
    let mut child = start_endless(&path);
    while !catches_interrupts(child.id()) {
        assert_eq!(child.try_wait().expect("a child"), None, "it goes on");
        sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert_has(text(&output.stdout), &["open: the winner is not found yet"]);
    let kept = fs::read(&path).expect("kept");
    assert!(kept.starts_with(b"amazons solve, "));
}

/// Tests if a process handles SIGINT.
fn catches_interrupts(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = |mask: &str| u64::from_str_radix(mask.trim(), 16).expect("a mask");
    let caught = caught.map_or(0, mask);
    caught & 1 << (Signal::INT.as_raw() - 1) != 0
}

#[test]
fn invalid_positions_and_limits_are_rejected() {
    let log = log(GAME);
    let check = |args: &[&str], words: &[&str]| {
        assert_rejected(&output(&[&["solve"], args].concat(), ""), words);
    };
    check(&[&log, "--at", "56"], &["--at 56: expected 0 to 55"]);
    check(&[&log, &log], &["expected one game"]);
    check(&["--moves", "c1 c6"], &["--moves", "ply 1", "c1 c6"]);
    check(&[&log, "--nodes", "0"], &["--nodes"]);
    check(&[&log, "--seconds", "x"], &["--seconds"]);
    check(&[], &["FILE"]);
}
