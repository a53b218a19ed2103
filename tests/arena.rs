//! The arena: verdicts for bots that misbehave, nothing left behind, files, shards, tournaments.
#![cfg(feature = "tools")]

use amazons::tools::log;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const AMAZONS: &str = env!("CARGO_BIN_EXE_amazons");

/// A command line of the bot, quick and small.
fn good() -> String {
    format!("@good {AMAZONS} --iterations 20 --memory-mb 1 --seed 1")
}

fn arena(args: &[&str]) -> Output {
    Command::new(AMAZONS)
        .arg("arena")
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the arena runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// The result that the arena prints with `--json`.
fn result(out: &Output) -> Value {
    assert!(out.status.success(), "{}", text(&out.stderr));
    let line = text(&out.stdout).lines().last().expect("a result");
    let value: Value = serde_json::from_str(line).expect("JSON");
    value["result"].clone()
}

/// A fake bot of `tests/bots`.
fn fake(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/bots")
        .join(file);
    let interpreter = if file.ends_with(".py") {
        "python3"
    } else {
        "sh"
    };
    vec![
        interpreter.to_owned(),
        path.to_str().expect("UTF-8").to_owned(),
    ]
}

/// A file of its own for a test, removed if it is there.
fn fresh_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir_all(&path);
    path
}

/// How many processes are running whose command line holds a text.
fn processes_with(text: &str) -> usize {
    let all = procfs::process::all_processes().expect("procfs");
    let lines = all.flatten().filter_map(|process| process.cmdline().ok());
    lines
        .filter(|line| line.iter().any(|word| word == text))
        .count()
}

#[test]
fn every_misbehaviour_has_its_verdict_and_leaves_nothing_behind() {
    let cases = [
        ("illegal.sh", "", "INVALIDMOVE"),
        ("garbage.sh", "", "INVALID_INPUT"),
        ("garbage.sh", ",json", "NJ"),
        ("silent.sh", "", "TLE"),
        ("stubborn.sh", "", "TLE"),
        ("fork.sh", "", "TLE"),
        ("crash.sh", "", "RE"),
        ("killed.sh", "", "RE"),
        ("half.sh", "", "RE"),
        ("babble.sh", "", "RE"),
        ("huge.py", "", "MLE"),
    ];
    for (file, flags, cause) in cases {
        let spec = format!("@{file}{flags} {}", fake(file).join(" "));
        let limits = [
            "--time-ms",
            "3000",
            "--first-ms",
            "3000",
            "--memory-mb",
            "100",
        ];
        let out = arena(
            &[
                &["--a", &good(), "--b", &spec, "--games", "2", "--json"][..],
                &limits,
            ]
            .concat(),
        );
        let result = result(&out);
        assert_eq!(
            result["players"][1]["lost_by"][cause], 2,
            "{file}: {result}"
        );
        assert_eq!(
            result["players"][0]["lost_by"],
            serde_json::json!({}),
            "{file}: {result}"
        );
    }
    assert_eq!(
        processes_with("7654.321"),
        0,
        "a fake bot's child is still running"
    );
}

#[test]
fn a_bot_that_is_not_there_loses_by_name() {
    let out = arena(&[
        "--a",
        &good(),
        "--b",
        "@ghost /nowhere/ghost",
        "--games",
        "2",
        "--json",
    ]);
    assert_eq!(result(&out)["players"][1]["lost_by"]["CE"], 2);
}

#[test]
fn cpu_time_is_the_limit_on_request() {
    let spin = format!("@spin {}", fake("spin.sh").join(" "));
    let limits = ["--cpu-time", "--time-ms", "200", "--first-ms", "200"];
    let out = arena(
        &[
            &["--a", &good(), "--b", &spin, "--games", "2", "--json"][..],
            &limits,
        ]
        .concat(),
    );
    let result = result(&out);
    assert_eq!(result["players"][1]["lost_by"]["TLE"], 2, "{result}");
    assert!(
        result["players"][1]["slowest_ms"]["cpu"]
            .as_f64()
            .expect("a number")
            > 200.0
    );
    // Sleeping costs no CPU time, but patience with the wall clock ends, too.
    let silent = format!("@silent {}", fake("silent.sh").join(" "));
    let out = arena(
        &[
            &["--a", &good(), "--b", &silent, "--games", "2", "--json"][..],
            &limits,
        ]
        .concat(),
    );
    assert_eq!(self::result(&out)["players"][1]["lost_by"]["TLE"], 2);
}

#[test]
fn engine_games_are_repeatable_and_their_logs_are_the_judges() {
    let folder = fresh_path("exported");
    let play = |name: &str| {
        let path = fresh_path(name);
        let path = path.to_str().expect("UTF-8");
        let engines = [
            "--a",
            "@a self:iterations=60",
            "--b",
            "@b self:iterations=30,explore_amazon=0.9",
        ];
        let rest = [
            "--games",
            "6",
            "--plies",
            "3",
            "--seed",
            "5",
            "--out",
            path,
            "--export",
            folder.to_str().expect("UTF-8"),
        ];
        let out = arena(&[&engines[..], &rest].concat());
        assert!(out.status.success(), "{}", text(&out.stderr));
        assert!(
            text(&out.stdout).contains("no moves"),
            "{}",
            text(&out.stdout)
        );
        let mut games: Vec<(u64, Value)> = fs::read_to_string(path)
            .expect("written")
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
            .map(|game| {
                (
                    game["game"].as_u64().expect("a number"),
                    game["moves"].clone(),
                )
            })
            .collect();
        games.sort_by_key(|game| game.0);
        games
    };
    let games = play("first.jsonl");
    assert_eq!(games, play("second.jsonl"), "the same seed, the same games");
    assert_eq!(games.len(), 6);
    let opening = |game: usize| games[game].1.as_array().expect("moves")[..3].to_vec();
    assert_eq!(opening(0), opening(1), "a pair shares its opening");
    assert_ne!(opening(0), opening(2));
    for file in fs::read_dir(&folder).expect("exported") {
        let log = fs::read_to_string(file.expect("readable").path()).expect("readable");
        let judge = log::check(&log::read(&log).expect("a log")).expect("as the judge says");
        assert!(judge.is_over());
    }
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let path = fresh_path("resumed.jsonl");
    let file = path.to_str().expect("UTF-8");
    let players = [
        "--a",
        "@a self:iterations=40",
        "--b",
        "@b self:iterations=20",
        "--out",
        file,
    ];
    let whole = |extra: &[&str]| arena(&[&players[..], &["--games", "8"], extra].concat());
    assert!(whole(&[]).status.success());
    let lines: Vec<String> = fs::read_to_string(&path)
        .expect("written")
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(lines.len(), 9);
    // A crash: three games are there, and the fourth is cut in the middle of its line.
    let cut = lines[..4].join("\n") + "\n" + &lines[4][..40];
    fs::write(&path, cut).expect("written");
    let refused = whole(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("--resume"),
        "{}",
        text(&refused.stderr)
    );
    assert!(whole(&["--resume"]).status.success());
    let mut resumed: Vec<String> = fs::read_to_string(&path)
        .expect("written")
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(resumed[..4], lines[..4], "what was played stays");
    let games = |lines: &mut Vec<String>| {
        let moves = lines[1..]
            .iter()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut games: Vec<_> = moves
            .map(|game| (game["game"].as_u64(), game["moves"].to_string()))
            .collect();
        games.sort();
        games
    };
    assert_eq!(
        games(&mut resumed),
        games(&mut lines.clone()),
        "the same games as without the crash"
    );
    let other = arena(&[&players[..], &["--seed", "2", "--resume"]].concat());
    assert_eq!(other.status.code(), Some(2));
    assert!(
        text(&other.stderr).contains("another schedule"),
        "{}",
        text(&other.stderr)
    );
}

#[test]
fn shards_are_merged_into_one_report() {
    let players = [
        "--a",
        "@a self:iterations=40",
        "--b",
        "@b self:iterations=20",
        "--games",
        "12",
    ];
    let file = |name: &str| fresh_path(name).to_str().expect("UTF-8").to_owned();
    let files = ["shard1.jsonl", "shard2.jsonl", "unsharded.jsonl"].map(file);
    for (file, shard) in files.iter().zip(["1/2", "2/2", "1/1"]) {
        let out = arena(&[&players[..], &["--out", file, "--shard", shard]].concat());
        assert!(out.status.success(), "{}", text(&out.stderr));
    }
    let report = |files: &[String]| {
        let words: Vec<&str> = ["report", "--json"]
            .into_iter()
            .chain(files.iter().map(String::as_str))
            .collect();
        let result = result(&arena(&words));
        (result["games"].clone(), result["pairings"].clone())
    };
    assert_eq!(report(&files[..2]), report(&files[2..]));
    assert_eq!(report(&files[2..]).0, 12);
    let alien = file("alien.jsonl");
    let out = arena(&[
        "--a",
        "@a self:iterations=1",
        "--b",
        "@b self:iterations=2",
        "--games",
        "2",
        "--out",
        &alien,
    ]);
    assert!(out.status.success());
    let out = arena(&["report", &files[0], &alien]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("another schedule"));
}

#[test]
fn tournaments_have_a_cross_table() {
    let players = [
        "--player",
        "@p1 self:iterations=1",
        "--player",
        "@p64 self:iterations=64",
        "--player",
        "@p8 self:iterations=8",
    ];
    let out = arena(&[&players[..], &["--games", "6", "--json"]].concat());
    let result = result(&out);
    assert_eq!(result["games"], 18);
    assert_eq!(result["pairings"].as_array().expect("a list").len(), 3);
    let sum: f64 = (0..3)
        .map(|player| {
            result["players"][player]["rating"]
                .as_f64()
                .expect("a number")
        })
        .sum();
    assert!(sum.abs() < 1e-6);
    let out = arena(&[&players[..], &["--games", "2", "--gauntlet"]].concat());
    assert!(
        text(&out.stdout).starts_with("4 games"),
        "{}",
        text(&out.stdout)
    );
    for word in ["rating", "p64", "lost by", "memory"] {
        assert!(text(&out.stdout).contains(word), "{}", text(&out.stdout));
    }
}

#[test]
fn a_sequential_test_stops_by_itself() {
    let out = arena(&[
        "--a",
        "self:iterations=300",
        "--b",
        "self:iterations=2",
        "--games",
        "2000",
        "--sprt",
        "0,100",
        "--json",
    ]);
    let result = result(&out);
    assert_eq!(
        result["pairings"][0]["sprt"]["accepted"], "elo1",
        "{result}"
    );
    assert!(
        result["games"].as_u64().expect("a number") < 200,
        "{result}"
    );
}

#[test]
fn faults_of_the_command_line_are_named() {
    for (args, complaint) in [
        (&["--a", "x"][..], "--b"),
        (&["--a", "self:speed=1", "--b", "x"], "speed"),
        (&["--a", "x", "--b", "y", "--shard", "3/2"], "I/N"),
        (
            &["--a", "x", "--b", "y", "--sprt", "5,1"],
            "the smaller first",
        ),
        (&["--a", "x", "--b", "y", "--plies", "40"], "40"),
        (&["--player", "x"], "two times"),
        (&["report", "/nowhere.jsonl"], "/nowhere.jsonl"),
    ] {
        let out = arena(args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(
            text(&out.stderr).contains(complaint),
            "{args:?}: {}",
            text(&out.stderr)
        );
    }
}

/// A bot replayed against its own games says the same again; another one differs, and a fake one is caught.
#[test]
fn a_bot_is_run_against_a_log() {
    let folder = fresh_path("own-games");
    let folder_text = folder.to_str().expect("UTF-8");
    let bot = format!("{AMAZONS} --iterations 20 --memory-mb 1 --seed 9");
    let out = arena(&[
        "--a",
        &bot,
        "--b",
        &bot,
        "--games",
        "2",
        "--plies",
        "0",
        "--export",
        folder_text,
    ]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let log = folder.join("game_00000.json");
    let log = log.to_str().expect("UTF-8");
    let replay = |args: &[&str]| {
        let out = Command::new(AMAZONS)
            .args([&["replay", log], args].concat())
            .output()
            .expect("runs");
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout).to_owned()
    };
    for form in ["simple", "json"] {
        let report = replay(&["--bot", &bot, "--side", "black", "--form", form]);
        let line = report
            .lines()
            .find(|line| line.contains("answers as in the log"))
            .expect("a comparison");
        let numbers: Vec<usize> = line
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        assert!(numbers[0] == numbers[1] && numbers[0] > 10, "{report}");
    }
    let other = replay(&[
        "--bot",
        &bot.replace("--iterations 20", "--iterations 500"),
        "--side",
        "white",
    ]);
    assert!(other.contains("the bot answers"), "{other}");
    let illegal = replay(&[
        "--bot",
        &fake("illegal.sh").join(" "),
        "--side",
        "white",
        "--fresh",
    ]);
    assert!(illegal.contains("INVALIDMOVE"), "{illegal}");
    assert!(illegal.contains("  the bot as white: 0 of"), "{illegal}");
    let silent = fake("silent.sh").join(" ");
    let late = replay(&[
        "--bot",
        &silent,
        "--side",
        "white",
        "--time-ms",
        "30",
        "--first-ms",
        "30",
    ]);
    assert!(late.contains("TLE"), "{late}");
}
