//! Tests the arena: verdicts for misbehaving bots, cleaning up of processes, files, shards, tournaments.

use crate::common::{
    MAX_WAIT, assert_has, assert_rejected, fresh_file, fresh_path, interrupt, needs, processes,
    text,
};
use record::log;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const AMAZONS: &str = env!("CARGO_BIN_EXE_amazons");

/// Returns the command line of a well-behaved bot that is quick and uses little memory.
fn good() -> String {
    format!("@good {AMAZONS} --iterations 20 --memory-mb 1 --seed 1")
}

/// Runs the arena with two players and further arguments `rest`, separated by spaces.
fn arena(players: [&str; 2], rest: &str) -> Output {
    arena_command(players, rest).output().expect("it runs")
}

fn arena_command([a, b]: [&str; 2], rest: &str) -> Command {
    let mut command = Command::new(AMAZONS);
    command.args(["arena", "--a", a, "--b", b]);
    command.args(rest.split(' ')).stdin(Stdio::null());
    command
}

/// Runs the program with the arguments `words` and `more`.
fn output<W: AsRef<OsStr>>(words: &[&str], more: impl IntoIterator<Item = W>) -> Output {
    let mut command = Command::new(AMAZONS);
    command.args(words).args(more).stdin(Stdio::null());
    command.output().expect("it runs")
}

/// Two players of different strength, with names.
const ENGINES: [&str; 2] = ["@a self:iterations=40", "@b self:iterations=20"];

/// Parses the result that the arena prints with `--json`.
fn result(out: &Output) -> Value {
    assert!(out.status.success(), "{}", text(&out.stderr));
    let line = text(&out.stdout).lines().last().expect("a result");
    let value: Value = serde_json::from_str(line).expect("JSON");
    value["result"].clone()
}

/// Returns the command line of a misbehaving bot from `tests/bots`.
fn fake_bot(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots");
    let interpreter = match file.ends_with(".py") {
        true => "python3",
        false => "sh",
    };
    format!("{interpreter} {}", path.join(file).display())
}

/// Time limits that no bot exceeds, even on a slow machine.
const LIMITS: &str = "--time-ms 60000 --first-ms 60000";

/// Counts the running processes that have `text` as an argument.
fn processes_with(text: &str) -> usize {
    let lines = processes().into_iter().map(|(line, _)| line);
    let named = lines.filter(|line| line.iter().any(|word| word == text));
    named.count()
}

#[test]
fn misbehaving_bots_get_verdicts_and_leave_no_process() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let cases = [
        ("illegal.sh", "", "INVALIDMOVE"),
        ("garbage.sh", "", "INVALID_INPUT"),
        ("garbage.sh", ",json", "NJ"),
        ("silent.sh", "", "TLE"),
        ("ignore_signals.sh", "", "TLE"),
        ("fork.sh", "", "TLE"),
        ("crash.sh", "", "RE"),
        ("killed.sh", "", "RE"),
        ("partial_answer.sh", "", "RE"),
        ("endless_output.sh", "", "RE"),
        ("use_memory.py", "", "MLE"),
        ("child_memory.py", "", "MLE"),
        ("memfd.py", "", "MLE"),
        ("close_output.sh", "", "RE"),
        ("kill_parent.sh", "", "RE"),
        ("traceback.py", "", "RE"),
        ("flood_stderr.py", "", "INVALID_INPUT"),
    ];
    for (file, flags, cause) in cases {
        let spec = format!("@{file}{flags} {}", fake_bot(file));
        // Unless the timeout itself is tested, the limits are long: a slow machine is no misbehaviour.
        let time = if cause == "TLE" { "3000" } else { "60000" };
        let limits = format!("--time-ms {time} --first-ms {time} --memory-mb 100");
        let out = arena([&good(), &spec], &format!("--games 2 --json {limits}"));
        let reason = match (cause, file) {
            ("INVALIDMOVE", _) => "(d4 d5 d6) is illegal: d4 holds ",
            ("INVALID_INPUT" | "NJ", "garbage.sh") => "it printed \"good morning\", expected ",
            ("INVALID_INPUT", _) => "expected one line: x0 y0",
            ("TLE", _) => " ms used, 3000 allowed; it had printed nothing",
            ("MLE", _) => " MB used, 100 allowed",
            (_, "crash.sh") => "runtime error, exit code 3",
            (_, "partial_answer.sh") => "runtime error, exit code 1; it had printed \"2 0 2\"",
            _ => "runtime error",
        };
        assert_has(text(&out.stderr), &[reason, "    a b c d e f g h\n"]);
        let players = result(&out)["players"].clone();
        let lost_by = [0, 1].map(|player| players[player]["lost_by"].clone());
        assert_eq!(lost_by, [json!({}), json!({ cause: 2 })], "{file}");
    }
    assert_eq!(processes_with("7654.321"), 0, "a child is still running");
}

#[test]
fn missing_bot_stops_the_arena() {
    let file = fresh_file("ghost.jsonl");
    let players = [&good()[..], "@ghost /nowhere/ghost"];
    let out = arena(players, &format!("--games 20 --out {file}"));
    assert_rejected(&out, &["/nowhere/ghost: could not be started"]);
    assert_eq!(text(&out.stdout), "");
    let written = fs::read_to_string(&file).expect("written");
    assert_eq!(written.lines().count(), 1, "no game is lost: {written}");
}

#[test]
fn machine_failure_is_no_verdict() {
    let players = format!("--a '{0}' --b '{0}'", good());
    let command = format!("ulimit -n 11; exec {AMAZONS} arena --games 8 {players}");
    let out = Command::new("sh").args(["-c", &command]).output();
    let out = out.expect("runs");
    assert_rejected(&out, &["this machine failed, not the bot: Too many"]);
    assert_eq!(text(&out.stdout), "");
}

#[test]
fn losers_stderr_is_printed_and_saved_on_request() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let folder = fresh_path("stderr");
    let against = |file: &str| {
        let spec = format!("@bad\u{1b}[1m {}", fake_bot(file));
        let kept = format!("--games 2 --plies 0 --stderr {}", folder.display());
        let out = arena([&good(), &spec], &format!("{kept} {LIMITS}"));
        text(&out.stderr).to_owned()
    };
    let loss = "game 1: bad\\u{1b}[1m (black) lost by RE\n  ply 1, black's turn 1: ";
    let last = "    IndexError: list index out of range\n";
    assert_has(&against("traceback.py"), &[loss, last]);
    let traceback = fs::read_to_string(folder.join("game_00001_black.txt")).expect("kept");
    assert!(traceback.starts_with("Traceback") && traceback.ends_with("out of range\n"));
    let other = folder.join("game_00001_white.txt");
    assert!(!other.exists(), "white said nothing");

    let shown = against("flood_stderr.py");
    assert_has(&shown, &["    \\u{1b}[31mthe end\n"]);
    assert!(!shown.contains('\u{1b}'), "{shown}");
    assert!(shown.len() < 20_000, "{} bytes", shown.len());
    let flood = fs::read_to_string(folder.join("game_00000_white.txt")).expect("kept");
    assert!(flood.starts_with("xxx") && flood.ends_with("x\n\u{1b}[31mthe end\n"));
    assert!(flood.contains("bytes left out"));
    assert!(flood.len() < (1 << 20) + 5_000, "{} bytes", flood.len());
}

/// If a bot's process detaches another process in a new session and ends, the detached process is killed.
#[test]
fn detached_process_cannot_play_on() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let seed = "2718281";
    let bot = format!("{AMAZONS} --iterations 1 --memory-mb 1 --seed {seed}");
    let daemon = format!("@daemon {} {bot}", fake_bot("daemon.py"));
    let out = arena([&good(), &daemon], &format!("--games 2 --json {LIMITS}"));
    assert_eq!(result(&out)["players"][1]["lost_by"]["INVALID_INPUT"], 2);
    assert_eq!(processes_with(seed), 0);
}

#[test]
fn bots_inherit_no_environment_variables() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let aims = "read=/nowhere/file write=/nowhere/file call=1 kill=999999999";
    let spec = format!("@probe {} {aims}", fake_bot("probe_sandbox.py"));
    let mut arena = arena_command([&good(), &spec], &format!("--games 2 {LIMITS}"));
    arena.current_dir(env!("CARGO_TARGET_TMPDIR"));
    let out = arena.env("AMAZONS_SECRET", "hunter2").output();
    let out = out.expect("runs");
    assert_has(text(&out.stderr), &["secret: None"]);
    assert!(!text(&out.stderr).contains("hunter2"));
}

/// In the sandbox, a bot can only play, and write into its own folder. If the system has no sandbox, the arena reports
/// that.
#[test]
fn sandbox_blocks_access_to_the_system() {
    let secret = fresh_file("secret");
    fs::write(&secret, "hunter2").expect("written");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let me = std::process::id();
    let aims = format!("read={secret} write={secret} call={port} kill={me}");
    let python = "/usr/bin/python3";
    let script = fake_bot("probe_sandbox.py").replace("python3 ", "/usr/bin/python3 ");
    let spec = format!("@probe {script} {aims}");
    let out = arena([&good(), &spec], &format!("--games 2 --sandbox {LIMITS}"));
    let said = text(&out.stderr);
    let unshares = ["--unshare-all", "--ro-bind", "/", "/", "true"];
    if needs::runs("bwrap", &unshares) && Path::new(python).exists() {
        assert!(out.status.success(), "{said}");
        assert_has(said, &["    could keep a file\n    secret: None\n"]);
        for deed in ["read", "write", "call", "kill", "share memory"] {
            assert!(!said.contains(&format!("could {deed}")), "{said}");
        }
        let twins = arena([&good(), &good()], "--games 2 --sandbox --json");
        assert_eq!(result(&twins)["games"], 2, "honest bots play on");
    } else {
        if needs::all_of(&["bwrap", python]) {
            needs::print_skipped("a system that lets bubblewrap unshare");
        }
        let is_said = said.contains("--sandbox: ") || said.contains("in the sandbox");
        assert!(out.status.code() == Some(2) && is_said, "{said}");
    }
}

/// A child process that is killed when it is dropped, so also if a test fails.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until `is_so` holds, and fails with `what` after [`MAX_WAIT`].
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < MAX_WAIT, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Time limits of one day.
const DAY_LIMITS: &str = "--first-ms 86400000 --time-ms 86400000";

/// Starts an arena in which no game ends by itself.
fn start_endless(players: [&str; 2]) -> KillOnDrop {
    let rest = format!("--plies 0 --games 2 --concurrency 1 {DAY_LIMITS}");
    let mut arena = arena_command(players, &rest);
    let arena = arena.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    KillOnDrop(arena.expect("the arena runs"))
}

#[test]
fn interrupt_ends_turns_of_processes_and_the_engine() {
    let thinker = "self:time-ms=86400000,memory-mb=1";
    for (word, sleeper) in [("31415.926", "sleep 31415.926"), ("3141592", "")] {
        // The engine begins to think once the bot has answered.
        let answerer = format!("{AMAZONS} --iterations 1 --memory-mb 1 --seed {word}");
        let first = if sleeper.is_empty() {
            &answerer
        } else {
            sleeper
        };
        let mut arena = start_endless([first, thinker]);
        wait_until("the bot has started", || {
            processes().iter().any(|(line, state)| {
                line.iter().any(|part| part == word)
                    && line
                        .iter()
                        .all(|part| part != "keep-bot" && part != "arena")
                    && (*state == 'T' || !sleeper.is_empty())
            })
        });
        interrupt(&arena.0);
        let has_ended = || arena.0.try_wait().expect("waited").is_some();
        wait_until("the arena ends", has_ended);
        let status = arena.0.wait().expect("waited");
        assert_eq!(status.code(), Some(130));
        assert_eq!(processes_with(word), 0);
    }
}

#[test]
fn killing_the_arena_ends_its_bots() {
    let bot = fake_bot("orphans.sh");
    let mut arena = start_endless([&bot, &good()]);
    wait_until("the bot has started", || processes_with("8765.432") == 2);
    arena.0.kill().expect("killed");
    wait_until("the bot has ended", || processes_with("8765.432") == 0);
}

/// All running arenas share the cores: a core is taken as long as its file is locked.
#[test]
fn concurrent_arenas_use_different_cores() {
    let folder = fresh_path("cores");
    fs::create_dir(&folder).expect("made");
    let play = || {
        let spec = fake_bot("print_cores.sh");
        let rest = format!("--games 2 --concurrency 1 {LIMITS}");
        let mut arena = arena_command([&good(), &spec], &rest);
        let out = arena.env("TMPDIR", &folder).output().expect("runs");
        let said = text(&out.stderr).to_owned();
        let mut lines = said.lines().map(str::trim);
        let cores = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:\\t"));
        (cores.expect("said where").to_owned(), said)
    };
    let status = fs::read_to_string("/proc/self/status").expect("procfs");
    let mut lines = status.lines();
    let allowed = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:\t"));
    let allowed = allowed.expect("told");
    let (mut taken, mut locks) = (Vec::new(), Vec::new());
    for _ in 0..std::thread::available_parallelism().expect("told").get() {
        let (core, said) = play();
        let number: usize = core.parse().expect("one core");
        assert!(!taken.contains(&number), "{number} is taken: {taken:?}");
        assert!(!said.contains("of their own"), "{said}");
        let lock = folder.join(format!("amazons-core-{number}.lock"));
        let lock = fs::File::open(lock).expect("there");
        lock.try_lock().expect("free again");
        taken.push(number);
        locks.push(lock);
    }
    let (cores, said) = play();
    assert_eq!(cores, allowed, "with no core left the system chooses");
    assert!(said.contains("no core of their own"), "{said}");
}

#[test]
fn closed_output_pipe_is_no_error() {
    let mut arena = arena_command(["self:iterations=5"; 2], "--json --games 40");
    arena.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut arena = arena.spawn().expect("runs");
    let mut line = String::new();
    let mut output = BufReader::new(arena.stdout.take().expect("piped"));
    output.read_line(&mut line).expect("a game");
    drop(output);
    let out = arena.wait_with_output().expect("ends");
    assert_eq!((out.status.code(), text(&out.stderr)), (Some(0), ""));
}

#[test]
fn cpu_time_is_limited_on_request() {
    let play_timeouts = |file: &str, time: &str| {
        let limits = format!("--cpu-time --time-ms {time} --first-ms {time}");
        let spec = format!("@it {}", fake_bot(file));
        let out = arena([&good(), &spec], &format!("--games 2 --json {limits}"));
        let player = result(&out)["players"][1].clone();
        assert_eq!(player["lost_by"]["TLE"], 2, "{player}");
        player
    };
    // The wall-clock limit is twenty times as long, so even a busy machine grants enough CPU time.
    for bot in ["spin.sh", "child_spin.sh"] {
        let spun = play_timeouts(bot, "300");
        assert!(spun["slowest_ms"]["cpu"].as_f64() > Some(300.0), "{spun}");
    }
    // Sleeping costs no CPU time, but exceeds the wall-clock limit.
    play_timeouts("silent.sh", "100");
}

/// Reads a file of games. Returns the number and the moves of each game, sorted by number.
fn games(file: &str) -> Vec<(u64, Value)> {
    let text = fs::read_to_string(file).expect("written");
    let games = text.lines().filter_map(|line| {
        let mut game: Value = serde_json::from_str(line).expect("JSON");
        // The header has no number.
        Some((game["game"].as_u64()?, game["moves"].take()))
    });
    let mut games: Vec<_> = games.collect();
    games.sort_by_key(|game| game.0);
    games
}

#[test]
fn engine_games_are_repeatable_and_export_valid_logs() {
    let folder = fresh_path("exported");
    let play = |name: &str| {
        let path = fresh_file(name);
        let engines = [
            "@a self:iterations=60",
            "@b self:iterations=30,explore_amazon=0.9",
        ];
        let files = format!("--out {path} --export {}", folder.display());
        let out = arena(engines, &format!("--games 6 --plies 3 --seed 5 {files}"));
        assert!(out.status.success(), "{}", text(&out.stderr));
        assert_has(text(&out.stdout), &["no moves"]);
        games(&path)
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

/// One game can be played without its pair; the other game of the pair is played on request.
#[test]
fn odd_numbers_of_games_are_played() {
    let file = fresh_file("single.jsonl");
    for (extra, played) in [("1", 1), ("2 --resume", 2), ("3 --resume", 3)] {
        let out = arena(ENGINES, &format!("--out {file} --games {extra}"));
        assert!(out.status.success(), "{}", text(&out.stderr));
        assert_eq!(games(&file).len(), played, "{extra}");
    }
}

/// After Ctrl-C, the arena prints the command line that continues, or that nothing was saved.
#[test]
fn interrupted_arena_prints_how_to_resume() {
    let out = fresh_path("go on.jsonl");
    let out = out.to_str().expect("UTF-8");
    let to_go_on = format!("--out '{out}' --resume\n");
    let unsaved = "interrupted; the games were not saved; --out FILE saves them\n";
    for (kept, said) in [
        (&["--out", out][..], to_go_on.as_str()),
        (&["--out", out, "--resume"], &to_go_on),
        (&[], unsaved),
    ] {
        let mut arena = arena_command(["sleep 16180.3"; 2], DAY_LIMITS);
        arena.stdout(Stdio::piped()).stderr(Stdio::piped());
        let arena = arena.args(kept).spawn().expect("the arena runs");
        wait_until("a bot has started", || processes_with("16180.3") > 0);
        interrupt(&arena);
        let out = arena.wait_with_output().expect("it ends");
        assert_eq!(out.status.code(), Some(130));
        assert!(text(&out.stderr).ends_with(said), "{}", text(&out.stderr));
    }
}

#[test]
fn report_of_shards_equals_the_unsharded_one() {
    let files = ["shard1.jsonl", "shard2.jsonl", "unsharded.jsonl"].map(fresh_file);
    for (file, shard) in files.iter().zip(["1/2", "2/2", "1/1"]) {
        let out = arena(ENGINES, &format!("--games 12 --out {file} --shard {shard}"));
        assert!(out.status.success(), "{}", text(&out.stderr));
    }
    let told = |files: &[String]| {
        let result = result(&output(&["arena", "report", "--json"], files));
        (result["games"].clone(), result["pairings"].clone())
    };
    assert_eq!(told(&files[..2]), told(&files[2..]));
    assert_eq!(told(&files[2..]).0, 12);
}

#[test]
fn tournament_reports_pairings_and_ratings() {
    let players = [
        "@p1 self:iterations=1",
        "@p64 self:iterations=64",
        "@p8 self:iterations=8",
    ];
    let players = players.map(|player| ["--player", player]).concat();
    let play = |rest: &str| output(&["arena"], players.iter().copied().chain(rest.split(' ')));
    let result = result(&play("--games 6 --json"));
    assert_eq!(result["games"], 18);
    assert_eq!(result["pairings"].as_array().expect("a list").len(), 3);
    let rating = |player: usize| result["players"][player]["rating"].as_f64();
    let ratings: f64 = (0..3).map(|player| rating(player).expect("a number")).sum();
    assert!(ratings.abs() < 1e-6);
    let out = play("--games 2 --gauntlet");
    assert!(text(&out.stdout).starts_with("4 games"));
    assert_has(text(&out.stdout), &["rating", "p64", "lost by", "memory"]);
}

#[test]
fn sequential_test_stops_early() {
    let players = ["self:iterations=300", "self:iterations=2"];
    let result = result(&arena(players, "--games 2000 --sprt 0,100 --json"));
    let verdict = &result["pairings"][0]["sprt"]["accepted"];
    assert_eq!(verdict, "elo1", "{result}");
    let games = result["games"].as_u64().expect("a number");
    assert!(games < 200, "{result}");
}

#[test]
fn errors_name_the_bad_argument() {
    for (words, complaint) in [
        ("--a x", "--b"),
        ("--a self:speed=1 --b x", "speed"),
        ("--a x --b y --shard 3/2", "I/N"),
        ("--a x --b y --sprt 5,1", "the smaller first"),
        ("--a x --b y --plies 40", "40"),
        ("--player x", "at least twice"),
        ("--a x --b y --first-ms 86400001", "1..=86400000"),
        ("--a x --b y --time-ms 0", "1..=86400000"),
        ("--a x --b y --memory-mb 18446744073709551615", "51615"),
        ("--a self:time-ms=86400001 --b y", "from 1 to 86400000"),
        ("report /nowhere.jsonl", "/nowhere.jsonl"),
    ] {
        assert_rejected(&output(&["arena"], words.split(' ')), &[complaint]);
    }
}

/// A bot that is run on its own games gives the same answers. Another bot's answers differ, and illegal answers are found.
#[test]
fn replay_compares_a_bot_with_a_log() {
    let folder = fresh_file("own-games");
    let bot = format!("{AMAZONS} --iterations 20 --memory-mb 1 --seed 9");
    let rest = format!("--games 2 --plies 0 --export {folder}");
    let out = arena([&bot, &bot], &rest);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let log = format!("{folder}/game_00000.json");
    let replay = |bot: &str, rest: &str| {
        let out = output(&["replay", &log, "--bot", bot], rest.split(' '));
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout).to_owned()
    };
    for form in ["simple", "json"] {
        let report = replay(&bot, &format!("--side black --form {form}"));
        let mut lines = report.lines();
        let line = lines.find(|line| line.contains("answers as in the log"));
        let words = line.expect("a comparison").split(' ');
        let numbers: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
        assert!(numbers[0] == numbers[1] && numbers[0] > 10, "{report}");
    }
    let other = bot.replace("--iterations 20", "--iterations 500");
    assert_has(&replay(&other, "--side white"), &["the bot answers"]);
    let illegal = replay(&fake_bot("illegal.sh"), "--side white --fresh");
    assert_has(&illegal, &["INVALIDMOVE", "  the bot as white: 0 of"]);
    let limits = "--side white --time-ms 30 --first-ms 30";
    assert_has(&replay(&fake_bot("silent.sh"), limits), &["TLE"]);
}
