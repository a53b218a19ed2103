//! The arena: verdicts for bots that misbehave, nothing left behind, files, shards, tournaments.

use crate::common::{assert_holds, assert_refused, fresh_path, needs, processes, text};
use amazons::tools::record::log;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

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

/// Two players of different strength, by name.
const TWO: [&str; 4] = [
    "--a",
    "@a self:iterations=40",
    "--b",
    "@b self:iterations=20",
];

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

/// Limits of time that no bot passes on any machine.
const PATIENT: [&str; 4] = ["--time-ms", "60000", "--first-ms", "60000"];

/// How many processes are running whose command line holds a text.
fn processes_with(text: &str) -> usize {
    let lines = processes().into_iter().map(|(line, _)| line);
    lines
        .filter(|line| line.iter().any(|word| word == text))
        .count()
}

#[test]
fn every_misbehaviour_has_its_verdict_and_leaves_nothing_behind() {
    if !needs::all_of(&["python3"]) {
        return;
    }
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
        ("child_memory.py", "", "MLE"),
        ("memfd.py", "", "MLE"),
        ("deaf.sh", "", "RE"),
        ("parricide.sh", "", "RE"),
        ("traceback.py", "", "RE"),
        ("flood.py", "", "INVALID_INPUT"),
    ];
    for (file, flags, cause) in cases {
        let spec = format!("@{file}{flags} {}", fake(file).join(" "));
        // Only what can't go on is worth waiting for: a slow machine is no misbehaviour.
        let time = if cause == "TLE" { "3000" } else { "60000" };
        let limits = ["--time-ms", time, "--first-ms", time, "--memory-mb", "100"];
        let out = arena(
            &[
                &["--a", &good(), "--b", &spec, "--games", "2", "--json"][..],
                &limits,
            ]
            .concat(),
        );
        let reason = match (cause, file) {
            ("INVALIDMOVE", _) => "(d4 d5 d6) is illegal: d4 holds ",
            ("INVALID_INPUT" | "NJ", "garbage.sh") => "it printed \"good morning\", expected ",
            ("INVALID_INPUT", _) => "expected one line: x0 y0",
            ("TLE", _) => " ms used, 3000 allowed; it had printed nothing",
            ("MLE", _) => " MB used, 100 allowed",
            (_, "crash.sh") => "runtime error, exit code 3",
            (_, "half.sh") => "runtime error, exit code 1; it had printed \"2 0 2\"",
            _ => "runtime error",
        };
        assert_holds(text(&out.stderr), &[reason, "    a b c d e f g h\n"]);
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
fn a_bot_that_is_not_there_stops_the_arena() {
    let file = fresh_path("ghost.jsonl");
    let players = ["--a", &good(), "--b", "@ghost /nowhere/ghost"];
    let rest = ["--games", "20", "--out", file.to_str().expect("UTF-8")];
    let out = arena(&[players, rest].concat());
    assert_refused(
        &out,
        &["/nowhere/ghost: could not be started: No such file"],
    );
    assert_eq!(text(&out.stdout), "");
    let written = fs::read_to_string(&file).expect("written");
    assert_eq!(
        written.lines().count(),
        1,
        "no game is lost by it: {written}"
    );
}

#[test]
fn a_failure_of_the_machine_is_no_verdict() {
    let command = format!(
        "ulimit -n 11; exec {AMAZONS} arena --games 8 --a '{0}' --b '{0}'",
        good()
    );
    let out = Command::new("sh")
        .args(["-c", &command])
        .output()
        .expect("runs");
    assert_refused(
        &out,
        &["this machine failed, not the bot: Too many open files"],
    );
    assert_eq!(text(&out.stdout), "");
}

#[test]
fn what_a_loser_said_last_is_shown_and_all_is_kept_on_request() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let folder = fresh_path("stderr");
    let against = |file: &str| {
        let spec = format!("@bad\u{1b}[1m {}", fake(file).join(" "));
        let players = ["--a", &good(), "--b", &spec, "--games", "2", "--plies", "0"];
        arena(
            &[
                &players[..],
                &["--stderr", folder.to_str().expect("UTF-8")],
                &PATIENT,
            ]
            .concat(),
        )
    };
    let out = against("traceback.py");
    let shown = text(&out.stderr);
    assert!(
        shown.contains("game 1: bad\\u{1b}[1m (black) lost by RE\n  ply 1, black's turn 1: runtime error, exit code 1"),
        "{shown}"
    );
    assert!(
        shown.contains("    IndexError: list index out of range\n"),
        "{shown}"
    );
    let traceback = fs::read_to_string(folder.join("game_00001_black.txt")).expect("kept");
    assert!(traceback.starts_with("Traceback") && traceback.ends_with("out of range\n"));
    assert!(
        !folder.join("game_00001_white.txt").exists(),
        "white said nothing"
    );

    let out = against("flood.py");
    let shown = text(&out.stderr);
    assert!(
        shown.contains("    \\u{1b}[31mthe end\n") && !shown.contains('\u{1b}'),
        "{shown}"
    );
    assert!(shown.len() < 20_000, "{} bytes", shown.len());
    let flood = fs::read_to_string(folder.join("game_00000_white.txt")).expect("kept");
    assert!(flood.starts_with("xxx") && flood.ends_with("x\n\u{1b}[31mthe end\n"));
    assert!(flood.contains("bytes left out"));
    assert!(flood.len() < (1 << 20) + 5_000, "{} bytes", flood.len());
}

/// A bot that leaves its session and lets another process play on is gone with its first process.
#[test]
fn nobody_plays_on_unseen() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let seed = "2718281";
    let daemon = fake("daemon.py").join(" ");
    let daemon = format!("@daemon {daemon} {AMAZONS} --iterations 1 --memory-mb 1 --seed {seed}");
    let players = ["--a", &good(), "--b", &daemon, "--games", "2", "--json"];
    let out = arena(&[&players[..], &PATIENT].concat());
    assert_eq!(result(&out)["players"][1]["lost_by"]["INVALID_INPUT"], 2);
    assert_eq!(processes_with(seed), 0);
}

#[test]
fn the_environment_is_kept_from_bots() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let aims = "read=/nowhere/file write=/nowhere/file call=1 kill=999999999";
    let spec = format!("@burglar {} {aims}", fake("burglar.py").join(" "));
    let out = Command::new(AMAZONS)
        .args(["arena", "--a", &good(), "--b", &spec, "--games", "2"])
        .args(PATIENT)
        .env("AMAZONS_SECRET", "hunter2")
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("runs");
    let said = text(&out.stderr);
    assert!(
        said.contains("secret: None") && !said.contains("hunter2"),
        "{said}"
    );
}

/// In the sandbox a bot can do nothing but play and write into a folder of its own; where there is no sandbox, that
/// is said.
#[test]
fn a_sandbox_shuts_bots_in() {
    let secret = fresh_path("secret");
    fs::write(&secret, "hunter2").expect("written");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let secret = secret.to_str().expect("UTF-8");
    let port = listener.local_addr().expect("bound").port();
    let me = std::process::id();
    let aims = format!("read={secret} write={secret} call={port} kill={me}");
    let python = "/usr/bin/python3";
    let script = fake("burglar.py")[1].clone();
    let players = [
        "--a",
        &good(),
        "--b",
        &format!("@burglar {python} {script} {aims}"),
    ];
    let out = arena(&[&players[..], &["--games", "2", "--sandbox"], &PATIENT].concat());
    let said = text(&out.stderr);
    let unshares = ["--unshare-all", "--ro-bind", "/", "/", "true"];
    if needs::runs("bwrap", &unshares) && Path::new(python).exists() {
        assert!(out.status.success(), "{said}");
        assert!(
            said.contains("    could keep a file\n    secret: None\n"),
            "{said}"
        );
        for deed in
            ["read", "write", "call", "kill", "share memory"].map(|deed| format!("could {deed}"))
        {
            assert!(!said.contains(&deed), "{said}");
        }
        let twins = arena(&[
            "--a",
            &good(),
            "--b",
            &good(),
            "--games",
            "2",
            "--sandbox",
            "--json",
        ]);
        assert_eq!(result(&twins)["games"], 2, "honest bots play on");
    } else {
        if needs::all_of(&["bwrap", python]) {
            needs::say_left_out("a system that lets bubblewrap unshare");
        }
        assert_eq!(out.status.code(), Some(2));
        assert!(
            said.contains("--sandbox: ") || said.contains("in the sandbox"),
            "{said}"
        );
    }
}

/// A child process that is ended if a test fails.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until something is so; far longer than it takes on any machine.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts an arena in which nothing ends by itself.
fn endless(players: [&str; 2]) -> Started {
    let day = "86400000";
    let child = Command::new(AMAZONS)
        .args([
            "arena", "--a", players[0], "--b", players[1], "--plies", "0",
        ])
        .args([
            "--games",
            "2",
            "--concurrency",
            "1",
            "--first-ms",
            day,
            "--time-ms",
            day,
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Started(child.expect("the arena runs"))
}

#[test]
fn an_interrupt_ends_a_turn_of_a_process_and_of_the_engine() {
    let thinker = "self:time-ms=86400000,memory-mb=1";
    for (word, sleeper) in [("31415.926", "sleep 31415.926"), ("3141592", "")] {
        // The engine thinks from the moment on when a bot has answered.
        let answerer = format!("{AMAZONS} --iterations 1 --memory-mb 1 --seed {word}");
        let first = if sleeper.is_empty() {
            &answerer
        } else {
            sleeper
        };
        let mut arena = endless([first, thinker]);
        wait_until("the bot has started", || {
            processes().iter().any(|(line, state)| {
                line.iter().any(|part| part == word)
                    && line
                        .iter()
                        .all(|part| part != "keep-bot" && part != "arena")
                    && (*state == 'T' || !sleeper.is_empty())
            })
        });
        let id = rustix::process::Pid::from_child(&arena.0);
        rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it is there");
        wait_until("the arena ends", || {
            arena.0.try_wait().expect("waited").is_some()
        });
        let status = arena.0.wait().expect("waited");
        assert_eq!(status.code(), Some(130));
        assert_eq!(processes_with(word), 0);
    }
}

#[test]
fn bots_end_with_an_arena_that_is_killed() {
    let bot = fake("orphans.sh").join(" ");
    let mut arena = endless([&bot, &good()]);
    wait_until("the bot has started", || processes_with("8765.432") == 2);
    arena.0.kill().expect("killed");
    wait_until("the bot has ended", || processes_with("8765.432") == 0);
}

/// Cores are shared out among all arenas that run: a core is taken as long as its file is locked.
#[test]
fn every_arena_takes_free_cores() {
    let folder = fresh_path("cores");
    fs::create_dir(&folder).expect("made");
    let play = || {
        let bot = fake("where.sh").join(" ");
        let out = Command::new(AMAZONS)
            .args([
                "arena",
                "--a",
                &good(),
                "--b",
                &bot,
                "--games",
                "2",
                "--concurrency",
                "1",
            ])
            .args(PATIENT)
            .env("TMPDIR", &folder)
            .output()
            .expect("runs");
        let said = text(&out.stderr).to_owned();
        let line = said
            .lines()
            .find_map(|line| line.trim().strip_prefix("Cpus_allowed_list:\\t"));
        (line.expect("said where").to_owned(), said)
    };
    let allowed = fs::read_to_string("/proc/self/status").expect("procfs");
    let allowed = allowed
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:\t"));
    let allowed = allowed.expect("told");
    let (mut taken, mut locks) = (Vec::new(), Vec::new());
    for _ in 0..std::thread::available_parallelism().expect("told").get() {
        let (core, said) = play();
        let number: usize = core.parse().expect("one core");
        assert!(!taken.contains(&number), "{number} is taken: {taken:?}");
        assert!(!said.contains("of their own"), "{said}");
        let lock =
            fs::File::open(folder.join(format!("amazons-core-{number}.lock"))).expect("there");
        lock.try_lock().expect("free again");
        taken.push(number);
        locks.push(lock);
    }
    let (cores, said) = play();
    assert_eq!(cores, allowed, "with no core left the system chooses");
    assert!(said.contains("no core of their own"), "{said}");
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let mut arena = Command::new(AMAZONS)
        .args([
            "arena",
            "--json",
            "--a",
            "self:iterations=5",
            "--b",
            "self:iterations=5",
            "--games",
            "40",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut line = String::new();
    let mut output = BufReader::new(arena.stdout.take().expect("piped"));
    output.read_line(&mut line).expect("a game");
    drop(output);
    let out = arena.wait_with_output().expect("ends");
    assert_eq!((out.status.code(), text(&out.stderr)), (Some(0), ""));
}

#[test]
fn cpu_time_is_the_limit_on_request() {
    let spin = format!("@spin {}", fake("spin.sh").join(" "));
    // The wall clock may run twenty times as long: so much of a core is to be had on every machine.
    let limits = ["--cpu-time", "--time-ms", "300", "--first-ms", "300"];
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
            > 300.0
    );
    // Sleeping costs no CPU time, but patience with the wall clock ends, too.
    let limits = ["--cpu-time", "--time-ms", "100", "--first-ms", "100"];
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
        let log = log::read(&log).expect("a log");
        let game = log::check(&log).expect("as the judge says");
        assert!(game.outcome().winner().is_some());
    }
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let path = fresh_path("resumed.jsonl");
    let file = path.to_str().expect("UTF-8");
    let players = [&TWO[..], &["--out", file]].concat();
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
    assert_refused(&refused, &["--resume"]);
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
    assert_refused(&other, &["another schedule"]);
}

/// One game is one game; its pair is played later, on request.
#[test]
fn a_single_game_is_played() {
    let path = fresh_path("single.jsonl");
    let file = path.to_str().expect("UTF-8");
    for (games, played) in [("1", 1), ("2", 2), ("3", 3)] {
        let more = ["--out", file, "--games", games, "--resume"];
        let more = if games == "1" { &more[..4] } else { &more };
        let out = arena(&[&TWO[..], more].concat());
        assert!(out.status.success(), "{}", text(&out.stderr));
        let written = fs::read_to_string(&path).expect("written");
        assert_eq!(
            written.matches("\"winner\"").count(),
            played,
            "{games} games"
        );
    }
}

/// After Ctrl-C the arena names the command line that goes on, or says that nothing was kept.
#[test]
fn an_interrupted_arena_says_how_to_go_on() {
    let out = fresh_path("go on.jsonl");
    let out = out.to_str().expect("UTF-8");
    let to_go_on = format!("--out '{out}' --resume\n");
    for (kept, said) in [
        (&["--out", out][..], to_go_on.as_str()),
        (&["--out", out, "--resume"], &to_go_on),
        (
            &[],
            "interrupted; the games were not kept: --out FILE does so\n",
        ),
    ] {
        let players = ["arena", "--a", "sleep 16180.3", "--b", "sleep 16180.3"];
        let day = ["--first-ms", "86400000", "--time-ms", "86400000"];
        let arena = Command::new(AMAZONS)
            .args([&players[..], &day, kept].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena runs");
        wait_until("a bot has started", || processes_with("16180.3") > 0);
        let id = rustix::process::Pid::from_child(&arena);
        rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it is there");
        let out = arena.wait_with_output().expect("it ends");
        assert_eq!(out.status.code(), Some(130));
        assert!(text(&out.stderr).ends_with(said), "{}", text(&out.stderr));
    }
}

#[test]
fn shards_are_merged_into_one_report() {
    let players = [&TWO[..], &["--games", "12"]].concat();
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
    let others = ["--a", "@a self:iterations=1", "--b", "@b self:iterations=2"];
    let out = arena(&[&others[..], &["--games", "2", "--out", &alien]].concat());
    assert!(out.status.success());
    let out = arena(&["report", &files[0], &alien]);
    assert_refused(&out, &["another schedule"]);
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
        (
            &["--a", "x", "--b", "y", "--first-ms", "86400001"],
            "1..=86400000",
        ),
        (&["--a", "x", "--b", "y", "--time-ms", "0"], "1..=86400000"),
        (
            &[
                "--a",
                "x",
                "--b",
                "y",
                "--memory-mb",
                "18446744073709551615",
            ],
            "18446744073709551615",
        ),
        (
            &["--a", "self:time-ms=86400001", "--b", "y"],
            "from 1 to 86400000",
        ),
        (&["report", "/nowhere.jsonl"], "/nowhere.jsonl"),
    ] {
        let out = arena(args);
        assert_refused(&out, &[complaint]);
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
