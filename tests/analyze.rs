//! Tests of `amazons analyze` and `amazons review`: results against the log and the evaluation, error messages, and the report
//! page.

use crate::common::small::Exhaustive;
use crate::common::{
    assert_has, assert_rejected, fresh_file, interrupt, log, output, printed, random_board, run,
    text, write_file,
};
use analysis::glossary::Language;
use analysis::judgement::{Judgement, accuracy};
use analysis::ownership::ownership;
use engine::board::{Board, Move, Player, squares};
use engine::eval::Features;
use engine::mcts::endgame::moves_left;
use record::checked_game::{CheckedGame, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Number of iterations per position: few, because these tests check consistency, not strength.
const ITERATIONS: &str = "200";

/// Reads the game of a log.
fn game(log: &str) -> CheckedGame {
    let text = fs::read_to_string(log).expect("a text");
    CheckedGame::read(&text).expect("a sound log")
}

/// Runs a tool with few iterations. Returns its exit code, output and error output.
fn tool(args: &[&str]) -> (Option<i32>, String, String) {
    run(&[args, &["--iterations", ITERATIONS]].concat())
}

/// Checks that `analyze` prints nothing, fails, and names each of `words` in its error message.
#[track_caller]
fn rejects(args: &[&str], words: &[&str]) {
    let args = [&["analyze"], args, &["--iterations", ITERATIONS]].concat();
    let output = output(&args, "");
    assert_rejected(&output, words);
    assert_eq!(text(&output.stdout), "");
}

/// Returns the lines that `analyze --json` prints, as JSON values.
fn json(args: &[&str]) -> Vec<Value> {
    let (code, out, err) = tool(&[&["analyze", "--json"], args].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let lines = out.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("a line is JSON")
}

fn probability(value: &Value) -> f64 {
    let number = value.as_f64().expect("a number");
    assert!((0.0..=1.0).contains(&number), "{number} is no probability");
    number
}

/// Checks that all moves of a line of play are legal.
fn check_line(board: &Board, line: &Value) {
    let mut board = board.clone();
    for turn in line.as_array().expect("a line of play is a list") {
        let turn = turn.as_str().expect("a move is a text").parse();
        let played = board.play(turn.expect("a move"));
        played.expect("the line is legal");
    }
}

/// Checks the analysis of one ply against the game in the log.
fn check_ply(game: &CheckedGame, at: usize, ply: &Value, next: Option<&Value>) {
    let board = game.board_at(at);
    assert_eq!(ply["ply"], at + 1);
    assert_eq!(ply["player"], board.to_move().to_string());
    let before = probability(&ply["win_probability"]);
    check_line(&board, &ply["principal_variation"]);
    let candidates = ply["candidates"].as_array().expect("a list");
    assert!(candidates.len() <= 3);
    for candidate in candidates {
        probability(&candidate["win_probability"]);
        assert_eq!(candidate["move"], candidate["principal_variation"][0]);
        check_line(&board, &candidate["principal_variation"]);
    }
    if let Some(best) = candidates.first() {
        assert_eq!(best["move"], ply["principal_variation"][0]);
        assert!(ply["iterations"].as_u64() <= Some(ITERATIONS.parse().expect("a number")));
        assert!(best["visits"].as_u64() <= ply["visits"].as_u64());
    }
    let ownership = ply["ownership"].as_array().expect("a list");
    assert_eq!(ownership.len(), 64);
    for square in squares(board.arrows()) {
        assert_eq!(ownership[square.index()].as_f64(), Some(0.0), "{square}");
    }
    let Some(next) = next else {
        assert!(ply.get("move").is_none() && ply.get("loss").is_none());
        let is_lost = before == 0.0 && ply["proven"] == true;
        let has_no_move = matches!(game.outcome(), Outcome::NoMove { .. });
        assert_eq!(is_lost, has_no_move);
        return;
    };
    let played = game.move_at(at).expect("a move").to_string();
    assert_eq!(ply["move"], played);
    let [best, after] =
        ["win_probability_best", "win_probability_after"].map(|key| probability(&ply[key]));
    let loss = ply["loss"].as_f64().expect("a number");
    let lost = (best - after).max(0.0);
    assert!((loss - lost).abs() < 1e-6, "{at}: {loss}");
    if ply["played"]["proven"] != true {
        assert!((after - 1.0 + probability(&next["win_probability"])).abs() < 1e-6);
    }
    if candidates[0]["move"] == played {
        assert_eq!(loss, 0.0, "the best move loses nothing");
    }
    let judgement = Judgement::from_loss(loss as f32).map(|found| found.term().text(Language::En));
    assert_eq!(ply.get("judgement").and_then(Value::as_str), judgement);
}

/// Checks the explanation of a game's result against its plies, and the moves left against the moves that were made.
fn check_decided(game: &CheckedGame, summary: &Value, plies: &[Value]) {
    let decided = &summary["decided"];
    assert_eq!(decided.is_object(), summary["ending"] == "no move");
    if !decided.is_object() {
        return;
    }
    assert_eq!(decided["winner"], summary["winner"]);
    let points = summary["review"]["turning_points"].as_array();
    let last = points.and_then(|points| points.last());
    let last = last.map(|point| point["ply"].as_u64().expect("a number"));
    assert_eq!(decided["ply"].as_u64(), last);
    if let Some(mistake) = decided.get("mistake") {
        let number = mistake["ply"].as_u64().expect("a number");
        let ply = &plies[number as usize - 1];
        assert!(Some(number) == last || Some(number + 1) == last);
        assert_ne!(ply["player"], summary["winner"]);
        assert_eq!(mistake["move"], ply["move"]);
        assert_eq!(mistake["better"], ply["principal_variation"][0]);
        assert_eq!(mistake["loss"], ply["loss"]);
    }
    let separated = decided.get("separated");
    let ply = separated.map(|separated| separated["ply"].as_u64().expect("a number") as usize);
    let Some(ply) = ply else { return };
    assert_eq!(moves_left(&game.board_at(ply - 2)), None, "it is the first");
    for (side, key) in [(0, "black"), (1, "white")] {
        let made = (ply - 1..game.plies()).filter(|at| at % 2 == side).count();
        let left = decided["separated"][key].as_u64().expect("a number") as usize;
        assert!(made <= left, "{key}: {made} moves of {left}");
        let counted = moves_left(&game.board_at(ply - 1)).expect("counted");
        assert_eq!(left, counted[side] as usize, "{key}");
    }
}

#[test]
fn analysis_matches_the_game_of_every_log() {
    let mut games = 0;
    for entry in fs::read_dir("tests/logs").expect("the logs are there") {
        let path = entry.expect("a file").path();
        let path = path.to_str().expect("the path is UTF-8");
        let game = game(path);
        let lines = json(&[path]);
        let (summary, plies) = lines.split_first().expect("a line on the game");
        assert_eq!(summary["game"], path);
        let outcome = analysis::glossary::outcome_sentence(game.outcome());
        assert_eq!(summary["outcome"], outcome);
        assert_eq!(summary["plies"], game.plies());
        assert_eq!(plies.len(), game.plies() + 1);
        check_decided(&game, summary, plies);
        for (at, ply) in plies.iter().enumerate() {
            assert_eq!(ply["game"], path);
            check_ply(&game, at, ply, plies.get(at + 1));
            let logged = game.answers.get(at).map_or(0, |answer| answer.time);
            assert_eq!(ply["time_ms"].as_u64().unwrap_or(0), logged);
        }
        games += 1;
    }
    assert_eq!(games, 10);
}

#[test]
fn results_are_reproducible_on_any_cores() {
    let path = log("game_bot003_opponent");
    let many = json(&[&path]);
    assert_eq!(many, json(&[&path]));
    assert_eq!(many, json(&[&path, "--concurrency", "1"]));
    // Several threads share a tree, so that their results differ from time to time.
    let found = json(&[&path, "--threads-per-position", "3"]);
    assert_eq!(found.len(), many.len());
    for (at, ply) in found[1..].iter().enumerate() {
        check_ply(&game(&path), at, ply, found.get(at + 2));
    }
}

#[test]
fn multipv_sets_the_number_of_candidates() {
    let ply = &json(&["--moves", "", "--multipv", "7"])[1];
    let candidates = ply["candidates"].as_array().expect("a list");
    assert_eq!(candidates.len(), 7);
    let moves = candidates.iter().map(|entry| entry["move"].to_string());
    assert_eq!(moves.collect::<BTreeSet<_>>().len(), 7);
}

#[test]
fn moves_are_read_from_the_command_line() {
    let lines = json(&["--moves", "c1 c6 f6; 0 5 0 3 7 3;"]);
    assert_eq!(lines[0]["outcome"], "the game is running, black to move");
    assert_eq!(lines[0]["ending"], "running");
    assert!(lines[0].get("winner").is_none());
    assert_eq!(lines[2]["move"], "a6 a4 h4");
    assert_eq!(lines.len(), 4);
    let illegal = "amazons: --moves: ply 2, f8 f3 f1: the amazon is blocked on f6";
    rejects(&["--moves", "c1 c6 f6; f8 f3 f1"], &[illegal]);
    let short = "amazons: --moves: ply 1, \"c1 c6\": expected six coordinates";
    rejects(&["--moves", "c1 c6"], &[short]);
}

#[test]
fn printed_ownership_equals_ownership_in_json() {
    let args = ["analyze", "--moves", "c1 c6 f6", "--ownership"];
    let (code, out, _) = tool(&args);
    assert_eq!(code, Some(0));
    let plies = json(&["--moves", "c1 c6 f6"]);
    let grids = out.split(" a     b     c     d     e     f     g     h\n");
    let grids: Vec<&str> = grids.collect();
    assert_eq!(grids.len(), plies.len(), "a grid on each ply: {out}");
    for (grid, ply) in grids[1..].iter().zip(&plies[1..]) {
        let printed = grid.lines().take(8).enumerate().flat_map(|(row, line)| {
            let (rank, numbers) = line.trim_start().split_once(' ').expect("a rank");
            assert_eq!(rank, (row + 1).to_string());
            numbers.split_whitespace()
        });
        let owners = ply["ownership"].as_array().expect("a list");
        for (printed, owner) in printed.zip(owners) {
            assert_eq!(printed, format!("{:.2}", owner.as_f64().expect("a number")));
        }
    }
    assert!(!tool(&args[..3]).1.contains(" a     b"), "only if wanted");
}

/// `--proven` must report as many proven plies before the end as the full analysis.
#[test]
fn proven_plies_equal_those_of_full_analysis() {
    let shortest = ["random_vs_random", "game_opponent_bot003"].map(log);
    let [short, long] = shortest;
    let logs = [log("game_bot003_bot032"), short, long];
    let mut expected = String::new();
    let mut all: Vec<usize> = logs
        .iter()
        .map(|log| {
            let lines = json(&[log]);
            let proven = lines[1..].iter().rev();
            let plies = proven.take_while(|ply| ply["proven"] == true).count() - 1;
            expected += &format!("{log}: proven {plies} plies before the end\n");
            plies
        })
        .collect();
    all.sort_unstable();
    let mean = all.iter().sum::<usize>() as f64 / 3.0;
    let median = all[1];
    expected += "3 games, proven before the end: ";
    expected += &format!("median {median} plies, mean {mean:.2}; ");
    let [a, b, c] = &logs;
    let (code, printed, _) = tool(&["analyze", "--proven", "--concurrency", "1", a, b, c]);
    assert_eq!(code, Some(0));
    assert!(printed.starts_with(&expected), "{printed} {expected}");
    assert!(all[0] > 1, "{all:?}");
    let unended = ["--proven", "--moves", "c1 c6 f6"];
    rejects(&unended, &["--proven: expected a game"]);
}

/// Number of moves in [`LATE_GAME`] after which exhaustive search can solve every position.
const LATE: usize = 42;

/// Name of the log whose end is solved.
const LATE_GAME: &str = "game_bot003_bot032";

/// Returns what `analyze --solve` prints for these arguments; fails if the command fails.
fn solved(args: &[&str]) -> String {
    printed(&[&["analyze", "--solve"], args].concat())
}

/// Returns the JSON line about the game, and the lines about its positions.
fn solved_json(args: &[&str]) -> (Value, Vec<Value>) {
    let printed = solved(&[&["--json"], args].concat());
    let lines = printed.lines().map(serde_json::from_str);
    let mut lines: Vec<Value> = lines.collect::<Result<_, _>>().expect("JSON");
    (lines.remove(0), lines)
}

/// Checks the line about a game against the lines about its positions, and these against exhaustive search.
fn check_solved(game: &CheckedGame, summary: &Value, positions: &[Value]) {
    let mut exhaustive = Exhaustive::default();
    let first = game.plies() + 1 - positions.len();
    for (after, position) in (first..).zip(positions) {
        assert_eq!(position["game"], summary["game"]);
        assert_eq!(position["after"], after);
        let board = game.board_at(after);
        assert_eq!(position["to_move"], board.to_move().to_string());
        if after >= LATE {
            let winner = exhaustive.winner(&board).to_string();
            assert_eq!(position["winner"], winner, "after ply {after}");
        }
    }
    let winner = &positions.last().expect("the last one")["winner"];
    let from_end = || positions.iter().rev();
    let solved = from_end().take_while(|position| !position["winner"].is_null());
    let solved = solved.count();
    let decided = from_end().take_while(|position| position["winner"] == *winner);
    let decided = decided.count();
    let after = |count: usize| game.plies() + 1 - count;
    assert_eq!(summary["solved_after"], after(solved));
    assert_eq!(summary["decided"]["winner"], *winner);
    assert_eq!(summary["decided"]["after"], after(decided));
    let chance = (decided < solved).then(|| after(decided) - 1);
    assert_eq!(summary["decided"]["last_chance"], serde_json::json!(chance));
    let pairs = positions.windows(2);
    let thrown = pairs.filter(|pair| {
        let winners = [0, 1].map(|at| &pair[at]["winner"]);
        winners[0] == &pair[0]["to_move"] && winners[1] == &pair[1]["to_move"]
    });
    let expected = thrown.map(|pair| {
        let before = pair[0]["after"].as_u64().expect("a number") as usize;
        let turn = game.move_at(before).expect("a move").to_string();
        serde_json::json!({"ply": before + 1, "player": pair[0]["to_move"], "move": turn})
    });
    assert_eq!(summary["thrown"], Value::from_iter(expected));
}

/// Near the end every position has the winner of the exhaustive search; solving stops at three unsolved positions in a row.
#[test]
fn solved_positions_agree_with_exhaustive_search() {
    let path = log(LATE_GAME);
    let game = game(&path);
    let (summary, positions) = solved_json(&[&path, "--nodes", "3000"]);
    assert_eq!(summary["game"], path);
    assert_eq!(summary["plies"], game.plies());
    check_solved(&game, &summary, &positions);
    let is_open = |position: &Value| position["winner"].is_null();
    assert!(positions.len() > 10 && positions.len() < game.plies());
    assert!(positions[..3].iter().all(is_open));
    let rows = positions[1..].windows(3);
    assert_eq!(rows.filter(|row| row.iter().all(is_open)).count(), 0);
    let nodes = summary["nodes"].as_u64().expect("a number");
    let most = 3000 * positions.len() as u64;
    assert!(nodes >= 3 * 3000 && nodes <= most, "{nodes}");
    let (less, _) = solved_json(&[&path, "--nodes", "1"]);
    let after = |summary: &Value| summary["solved_after"].as_u64().expect("a number");
    assert!(after(&less) > after(&summary), "less work solves less");
}

/// Moves that end [`LATE_GAME`] differently after ply 44. The first of these moves loses a game that black had won.
const LOST_WIN: &str = "g8 f8 g8; e1 d1 e1; h1 g1 h1; d5 d6 d5; g1 h2 g1; d6 e6 d6; h5 h4 g5; b8 a7 a8; h4 h5 h4; a7 b8 a7";

#[test]
fn thrown_win_is_reported_with_last_chance() {
    let mut moves = game(&log(LATE_GAME)).turns();
    moves.truncate(44);
    let lost = LOST_WIN.split(';').map(|turn| turn.parse::<Move>());
    moves.extend(lost.map(|turn| turn.expect("a move")));
    let words: Vec<String> = moves.iter().map(Move::to_string).collect();
    let words = ["--moves", &words.join(";"), "--nodes", "3000"];
    let (summary, positions) = solved_json(&words);
    let thrown = CheckedGame::from_moves(&moves).expect("legal");
    check_solved(&thrown, &summary, &positions);
    let last = summary["thrown"].as_array().and_then(|all| all.last());
    assert_eq!(last.expect("one")["ply"], 45);
    assert_eq!(summary["decided"]["last_chance"], 44);
    let lines = [
        "  ply 45  black  g8 f8 g8  threw a won game away\n",
        "  decided after ply 45: white wins",
        "  black's last chance was after ply 44\n",
    ];
    assert_has(&solved(&words), &lines);
}

/// Also checks a game without a winner, and that contradictory options are rejected.
#[test]
fn several_games_are_solved_in_order() {
    let [one, other] = ["game_bot003_opponent", "fault_timeout"].map(log);
    let args = [&one, &other, "--nodes", "100", "--concurrency", "1"];
    let told = solved(&args);
    let titles = [&one, &other].map(|title| told.find(title.as_str()).expect("told"));
    assert!(titles[0] < titles[1]);
    let open = "  open: the winner of the last position is not found\n";
    assert!(told.ends_with(open), "{told}");
    for option in [
        &["--iterations", "9"][..],
        &["--threads-per-position", "2"],
        &["--multipv", "9"],
        &["--proven"],
    ] {
        let args = [&["analyze", "--solve", &one], option].concat();
        assert_rejected(&output(&args, ""), &["--solve", option[0]]);
    }
    let unasked = output(&["analyze", "--nodes", "9", &one], "");
    assert_rejected(&unasked, &["--solve"]);
    let damaged = write_file("analyze_unsolved.json", "{");
    let words = ["analyze", "--solve", &damaged, &other, "--nodes", "9"];
    let output = output(&words, "");
    assert_rejected(&output, &["unsolved.json"]);
    assert_has(text(&output.stdout), &[&other]);
}

#[test]
fn damaged_logs_are_named_and_others_analysed() {
    let sound = log("fault_timeout");
    let (empty, missing) = (write_file("empty.json", ""), fresh_file("missing.json"));
    for tool in [
        &["analyze", "--iterations", ITERATIONS][..],
        &["review", "--iterations", ITERATIONS],
        &["replay"],
    ] {
        let (code, out, err) = run(&[tool, &[&empty, &sound, &missing]].concat());
        assert_eq!(code, Some(2));
        assert!(out == run(&[tool, &[&sound]].concat()).1, "{out}");
        assert_eq!(err.lines().count(), 2, "{err}");
        for (error, file) in err.lines().zip([&empty, &missing]) {
            assert!(error.starts_with(&format!("amazons: {file}: ")), "{error}");
        }
    }
    assert_ne!(tool(&["analyze"]).0, Some(0));
    assert_ne!(tool(&["analyze", &sound, "--moves", "c1 c6 f6"]).0, Some(0));
}

#[test]
fn games_lost_by_faults_report_the_verdict() {
    for (name, ending) in [
        ("fault_timeout", "TLE"),
        ("fault_crash", "RE"),
        ("fault_garbage", "OK"),
        ("fault_illegal", "INVALIDMOVE"),
    ] {
        let lines = json(&[&log(name)]);
        assert_eq!(lines[0]["ending"], ending);
        assert_eq!(lines[0]["winner"], "white");
        let (code, out, err) = tool(&["review", &log(name)]);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        assert!(out.contains("white won: black"), "{out}");
        assert!(!out.contains("what decided it"), "{out}");
    }
}

#[test]
fn review_sorts_and_counts_mistakes() {
    let game = log("game_bot003_bot032");
    let lines = json(&[&game]);
    let (summary, plies) = lines.split_first().expect("a line on the game");
    for player in [Player::Black, Player::White] {
        let name = player.to_string();
        let side = &summary["review"][&name];
        let mine = || plies.iter().filter(|ply| ply["player"] == name);
        let loss = |ply: &Value| ply["loss"].as_f64();
        let biggest = side["biggest"].as_array().expect("a list").iter();
        let biggest = biggest.map(|ply| &plies[ply.as_u64().expect("a number") as usize - 1]);
        let biggest: Vec<&Value> = biggest.collect();
        assert!(biggest.iter().all(|ply| ply["player"] == name));
        let losses: Vec<f64> = biggest.into_iter().filter_map(loss).collect();
        assert_eq!(losses.len(), 3, "weak moves lose something");
        assert!(losses.is_sorted_by(|a, b| a >= b), "{losses:?}");
        assert_eq!(losses[0], mine().filter_map(loss).fold(0.0, f64::max));
        for (key, judgement) in [
            ("blunders", "blunder"),
            ("mistakes", "mistake"),
            ("inaccuracies", "inaccuracy"),
        ] {
            let judged = mine().filter(|ply| ply["judgement"] == judgement);
            assert_eq!(side[key], judged.count());
        }
        let chance = |ply: &Value, key| ply[key].as_f64().unwrap_or(0.5);
        let mut counted: Vec<&Value> = mine().collect();
        counted.retain(|ply| ply["proven"] == false || loss(ply) > Some(0.0));
        let ends = ["win_probability_best", "win_probability_after"];
        counted.retain(|ply| !ends.iter().all(|key| chance(ply, *key) <= 0.05));
        counted.retain(|ply| !ends.iter().all(|key| chance(ply, *key) >= 0.95));
        let losses = counted.into_iter().filter_map(loss);
        let accuracies: Vec<f64> = losses.map(|loss| accuracy(loss as f32)).collect();
        assert_eq!(side["moves"], accuracies.len());
        let mean = accuracies.iter().sum::<f64>() / accuracies.len() as f64;
        assert!((side["accuracy"].as_f64().expect("a number") - mean).abs() < 0.051);
    }
    let (code, out, _) = tool(&["review", &game]);
    assert_eq!(code, Some(0));
    let parts = ["what decided it", "accuracy", "turning points"];
    assert_has(&out, &parts);
    let decided = &summary["decided"];
    let [mistake, left] = ["mistake", "separated"].map(|part| &decided[part]);
    let better = mistake["better"].as_str().expect("a move");
    for fact in [
        format!("after ply {} black leads to the end", decided["ply"]),
        format!("lost, better {better}\n"),
        format!("from ply {} on the players are separated", left["ply"]),
        format!("black {}, white {}\n", left["black"], left["white"]),
    ] {
        assert_has(&out, &[&fact]);
    }
    let biggest = ["black's biggest mistakes", "white's biggest mistakes"];
    assert_has(&out, &biggest);
}

#[test]
fn accuracy_falls_from_100_to_0() {
    assert!((accuracy(0.0) - 100.0).abs() < 0.01);
    let steps = (0..=100).map(|points| accuracy(points as f32 / 100.0));
    assert!(steps.is_sorted_by(|a, b| a >= b));
    assert_eq!(accuracy(1.0), 0.0);
}

/// Summed over the board, ownership consists of the evaluation's queen territory and king position.
#[test]
fn ownership_adds_up_to_the_evaluation() {
    for seed in 0..500 {
        let board = random_board(seed, seed as usize % 50);
        let owners = ownership(&board);
        let [black, white] = [Player::Black, Player::White].map(|player| board.amazons(player));
        let features = Features::compute(black, white, board.empty());
        let owned = squares(board.empty()).map(|square| owners[square.index()]);
        let sum: f32 = owned.sum();
        let expected = 6 * features.queen_territory as i64 + features.king_position as i64;
        assert_eq!((12.0 * sum).round() as i64, expected, "\n{board}");
        for square in squares(black | white) {
            let owner = if black & square.bit() != 0 { 1.0 } else { -1.0 };
            assert_eq!(owners[square.index()], owner);
        }
        for square in squares(board.arrows()) {
            assert_eq!(owners[square.index()], 0.0);
        }
    }
}

/// After Ctrl-C the results so far are printed with a hint how to continue: both parts together equal the whole analysis.
#[test]
fn interrupted_analysis_can_be_continued() {
    let (short, long) = (log("fault_timeout"), log("game_bot003_opponent"));
    let page = fresh_file("analyze_interrupted.html");
    let mut child = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["analyze", "--json", "--iterations", ITERATIONS])
        .args(["--html", &page, &short])
        // Enough games that the analysis still runs when the signal comes.
        .args([&long; 400])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut lines = vec![String::new()];
    out.read_line(&mut lines[0])
        .expect("the first game is done");
    // Most likely, this interrupts the program in the middle of a game.
    sleep(Duration::from_millis(100));
    interrupt(&child);
    lines.extend(out.lines().map(|line| line.expect("UTF-8")));
    let mut err = String::new();
    let mut complaints = child.stderr.take().expect("piped");
    complaints.read_to_string(&mut err).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let (_, hint) = err.split_once("to go on: ").expect("a way to go on");
    let words: Vec<&str> = hint.split_whitespace().collect();
    let mut whole = json(&[&long]);
    whole[0]["game"] = Value::Null;
    let whole_plies = whole.split_off(1);
    let rest = json(&words[..3]);
    assert_eq!(words[0], "--from-ply");
    let next: usize = words[1].parse().expect("a number");
    assert_eq!(rest[1..], whole_plies[next - 1..]);
    let is_game = |line: &String| line.contains("\"outcome\"");
    if next > 1 {
        assert_eq!(rest[0]["analysed"], json!([next, whole_plies.len()]));
        let first = lines.iter().rposition(is_game).expect("a game");
        let values = lines[first..].iter().map(|line| serde_json::from_str(line));
        let values: Vec<Value> = values.collect::<Result<_, _>>().expect("JSON");
        assert_eq!(values[0]["analysed"], json!([1, next - 1]));
        assert_eq!(values[1..], whole_plies[..next - 1]);
    }
    let games = lines.iter().filter(|&line| is_game(line)).count();
    assert_has(&err, &[&format!("{page}: {games} game")]);
    let report = fs::read_to_string(page).expect("written");
    assert!(report.ends_with("</html>\n"));
    let beyond = "--from-ply 99: expected 1 to 49";
    rejects(&["--from-ply", "99", &long], &[beyond]);
    let (code, out, _) = tool(&["analyze", "--from-ply", "40", &long]);
    assert_eq!(code, Some(0));
    assert_has(&out, &["48 plies, analysed from ply 40 to 49\n"]);
}

#[test]
fn reports_replace_only_reports() {
    let before = fs::read_to_string(log("fault_timeout")).expect("there");
    let game = write_file("analyze_input.json", &before);
    let fault = "input.json is there and is not a page";
    rejects(&["--html", &game, &game], &[fault]);
    assert_eq!(fs::read_to_string(&game).expect("there"), before);
    let page = fresh_file("analyze_replaced.html");
    for _ in 0..2 {
        let (code, out, err) = tool(&["analyze", "--html", &page, &game]);
        assert_eq!((code, out.as_str()), (Some(0), ""));
        assert_has(&err, &["analyze_replaced.html: 1 game, 11 positions\n"]);
    }
    // A report with somebody's notes, a report of an earlier version, a foreign page with the same title, a truncated report.
    let ours = fs::read_to_string(&page).expect("written");
    let noted = ours.replace("</main>", "<p>My best game!</p></main>");
    let (before, seal) = ours.split_once(" page 1, sha256 ").expect("a seal");
    let earlier = format!("{before} analyze{}", &seal[44..]);
    let bare = "<!doctype html><title>Amazons</title><h1>My games</h1>".to_owned();
    let cut = ours[..ours.len() - 1].to_owned();
    for theirs in [noted, earlier, bare, cut] {
        fs::write(&page, &theirs).expect("written");
        let fault = "replaced.html is there and is not";
        rejects(&["--html", &page, &game], &[fault]);
        assert_eq!(fs::read_to_string(&page).expect("there"), theirs);
    }
    let nowhere = "/nowhere/page.html";
    rejects(&["--html", nowhere, &game], &[nowhere]);
}

#[test]
fn invalid_numbers_are_rejected() {
    let game = log("fault_timeout");
    for (option, value) in [
        ("--memory-mb", "70000"),
        ("--memory-mb", "0"),
        ("--time-ms", "86400001"),
        ("--concurrency", "0"),
        ("--concurrency", "1000000"),
        ("--from-ply", "0"),
    ] {
        let output = output(&["analyze", &game, option, value], "");
        assert_rejected(&output, &[option, value]);
    }
}
