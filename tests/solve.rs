//! `amazons solve` on a judge's log: against trying everything, at its limits, and refused.

use crate::common::small::Exhaustive;
use crate::common::{
    assert_holds, assert_refused, fresh_path, interrupt, log, output, printed, text,
};
use engine::board::{Board, Move, Player};
use engine::movegen;
use record::replayed::Replayed;
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A game of 55 plies.
const GAME: &str = "game_bot003_bot032";

/// What the tool prints on the position of a game after so many plies, with the words of some options.
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

/// The move that a value of a list of moves is on.
fn move_of(value: &Value) -> Move {
    let turn = value["move"].as_str().expect("a text");
    turn.parse().expect("a move")
}

fn board(game: &str, after: usize) -> Board {
    let text = fs::read_to_string(log(game)).expect("readable");
    Replayed::read(&text).expect("a game").board_at(after)
}

/// Winner, every move's value and the line are those of trying everything.
#[test]
fn solver_agrees_with_exhaustive_search() {
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

/// The line of a position that counting alone does not solve: the winner's moves win.
#[test]
fn solution_shows_winner_line_nodes_and_time() {
    let told = solve(GAME, 28, "");
    let lines: Vec<&str> = told.lines().collect();
    assert_holds(lines[0], &["after ply 28 of 55, black to move"]);
    assert_eq!(lines[1], "  black wins");
    assert_holds(lines[3], &[" nodes, ", " s"]);
    let mut board = board(GAME, 28);
    let moves = lines[2].split(';').map(|turn| turn.trim().parse());
    let moves: Vec<Move> = moves.collect::<Result<_, _>>().expect("moves");
    assert!(!moves.is_empty());
    for turn in moves {
        board.play(turn).expect("legal");
    }
    assert_eq!(
        engine::mcts::endgame::certain_winner(&board),
        Some(Player::Black)
    );
    let separated = solve(GAME, 50, "");
    assert_holds(&separated, &["  black wins, with no move to spare"]);
}

/// By how many moves the winner wins is that of trying everything, in text and JSON, and orders the moves; or so many at least.
#[test]
fn margin_is_shown_on_request() {
    const GAME: &str = "game_opponent_bot032";
    const AFTER: usize = 43;
    let mut exhaustive = Exhaustive::default();
    let mut board = board(GAME, AFTER);
    assert_eq!(
        engine::mcts::endgame::moves_left(&board),
        None,
        "it takes a search"
    );
    let margin = exhaustive.margin(&board);
    let told = solve(GAME, AFTER, "--margin");
    assert_holds(&told, &[&format!("  white wins, by {margin} move")]);
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
    // Counting alone finds a bound there, for which nobody asked.
    let unasked = json("game_bot003_opponent", 30, "");
    assert_eq!(unasked["margin_at_least"], Value::Null, "{unasked}");
    let least = json("random_vs_random", 28, "--margin --nodes 200");
    assert_eq!(least["margin"], Value::Null);
    assert!(least["margin_at_least"].as_u64() > Some(0), "{least}");
    let told = solve("random_vs_random", 28, "--margin --nodes 200");
    assert_holds(&told, &[" moves or more"]);
}

/// A limit that is reached is told, and what was found of the moves is kept.
#[test]
fn a_limit_is_told() {
    let told = solve(GAME, 20, "--nodes 100");
    let open = "  open: the winner is not found yet; moves of amazons refuted: ";
    assert_holds(&told, &[open, "  100 nodes, "]);
    let found = json(GAME, 20, "--nodes 100 --all");
    assert_eq!(found["winner"], Value::Null);
    assert_eq!(found["nodes"], 100);
    assert_eq!(json(GAME, 0, "--seconds 1")["winner"], Value::Null);
}

/// While a lost position is open, more and more moves of amazons are refuted, in the end all.
#[test]
fn what_is_open_is_told() {
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

/// Runs of a limit that one alone does not end within end together, with more or less memory and threads, and with the winner of one
/// go. What is kept of a solved position tells it at once.
#[test]
fn what_is_kept_is_gone_on_with() {
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

/// A file that is damaged, of another format or something else is refused, and stays as it is.
#[test]
fn what_is_not_kept_by_solve_is_refused() {
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
        let refused = output(&["solve", &log(GAME), "--keep", keep, "--at", "25"], "");
        assert_refused(&refused, &[keep, "expected another file", "format 1"]);
        assert_eq!(fs::read(&path).expect("there"), content);
    }
    // What is empty is new.
    fs::write(&path, "").expect("written");
    let _ = solve(GAME, 25, &format!("--keep {keep} --nodes 2000"));
    assert_eq!(fs::read(&path).expect("written"), whole);
}

/// Starts to solve a position that is too early for anybody to solve.
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
fn a_killed_search_has_kept_what_it_found() {
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
    // A hundred nodes alone leave less.
    assert!(length() > killed / 2, "what was kept is taken over");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_ends_nothing() {
    let mut child = start_endless(Path::new("/dev/full"));
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut told = String::new();
    stderr.read_line(&mut told).expect("readable");
    assert_holds(&told, &["/dev/full: No space left", "the solver continues"]);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_holds(text(&output.stdout), &["open: the winner is not found yet"]);
    assert_eq!(output.status.code(), Some(2));
    let last = stderr.lines().map(|line| line.expect("UTF-8"));
    let [last] = &last.collect::<Vec<_>>()[..] else {
        panic!("told once, and at the end")
    };
    assert_holds(last, &["/dev/full: No space left"]);
}

#[test]
fn ctrl_c_ends_it_with_what_is_known() {
    let path = fresh_path("solve-interrupted.kept");
    let mut child = start_endless(&path);
    while !catches_interrupts(child.id()) {
        assert_eq!(child.try_wait().expect("a child"), None, "it goes on");
        sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert_holds(text(&output.stdout), &["open: the winner is not found yet"]);
    let kept = fs::read(&path).expect("kept");
    assert!(kept.starts_with(b"amazons solve, "));
}

/// Tests if a process has a handler for Ctrl-C.
fn catches_interrupts(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = |mask: &str| u64::from_str_radix(mask.trim(), 16).expect("a mask");
    let caught = caught.map_or(0, mask);
    caught & 1 << (Signal::INT.as_raw() - 1) != 0
}

#[test]
fn what_is_no_position_is_refused() {
    let log = log(GAME);
    let refused = |args: &[&str], words: &[&str]| {
        assert_refused(&output(&[&["solve"], args].concat(), ""), words);
    };
    refused(&[&log, "--at", "56"], &["--at 56: expected 0 to 55"]);
    refused(&[&log, &log], &["expected one game"]);
    refused(&["--moves", "c1 c6"], &["--moves", "ply 1", "c1 c6"]);
    refused(&[&log, "--nodes", "0"], &["--nodes"]);
    refused(&[&log, "--seconds", "x"], &["--seconds"]);
    refused(&[], &["FILE"]);
}
