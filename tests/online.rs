//! Tests play on the platform, with a simulated platform that loses, repeats and delays requests and replies.

use crate::common::platform::{BOT, FAULTS, Fault, OTHER_BOT, Platform, SECRET};
use crate::common::terminal::terminal;
use crate::common::{assert_has, assert_rejected, text};
use base::journal::{self, Content};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tools::arena::results::HeaderLine;

/// Returns a command that runs `amazons online` with the platform's URL in the environment. Arguments are separated by spaces.
fn online(platform: &Platform, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.arg("online").args(args.split(' '));
    command.env("AMAZONS_BOTZONE_URL", platform.url());
    command.env("LC_ALL", "C").env_remove("LANGUAGE");
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Returns the arguments of a match of fast games, `at_a_time` of which run concurrently.
fn fast_match(bots: &str, games: usize, at_a_time: usize, out: &Path) -> String {
    let plan = format!("match --against {bots} --games {games} --concurrent {at_a_time}");
    let speed = "--time-ms 1 --limit-seconds 60 --memory-mb 1";
    format!("{plan} {speed} --out {}", out.display())
}

const SERVE: &str = "serve --time-ms 1 --memory-mb 1";

/// Waits until the program ends. Returns its output, which must not contain the secret.
fn finish(child: Child) -> Output {
    let output = child.wait_with_output().expect("it ends");
    for bytes in [&output.stdout, &output.stderr] {
        assert!(!text(bytes).contains(SECRET), "the secret shows");
    }
    output
}

fn start(platform: &Platform, args: &str) -> Child {
    online(platform, args).spawn().expect("the program starts")
}

/// Runs the program to its end, and checks its exit code.
#[track_caller]
fn run(platform: &Platform, args: &str, code: i32) -> Output {
    let output = finish(start(platform, args));
    let said = (text(&output.stderr), platform.state().violations.clone());
    assert_eq!(output.status.code(), Some(code), "{said:?}");
    output
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it runs");
}

/// Waits until a condition holds.
fn wait_for(mut condition: impl FnMut() -> bool) {
    while !condition() {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Checks that a journal holds `games` games that equal the platform's, and that no match is running.
fn check_journal(platform: &Platform, journal: &Path, games: usize) {
    assert_eq!(platform.state().violations, [""; 0]);
    let content: Content<HeaderLine> = journal::read(journal).expect("a journal");
    let records: Vec<_> = content.into_records().collect();
    assert_eq!(records.len(), games);
    let addresses: BTreeSet<_> = records.iter().map(|game| &game.address).collect();
    assert_eq!(addresses.len(), games);
    for game in &records {
        let address = game.address.as_deref().expect("an address");
        let id = address.rsplit('/').next().expect("an id");
        assert_eq!(address, platform.address(id));
        let (moves, winner, us, is_aborted) = platform.outcome(id);
        assert!(!is_aborted);
        assert_eq!((&game.moves, Some(game.winner)), (&moves, winner), "{id}");
        assert_eq!(game.players[us as usize], 0, "{id}");
    }
    assert!(platform.matches().iter().all(|(_, is_over)| *is_over));
}

#[test]
fn matches_are_reported_as_arena_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let [journal, logs] = ["games.jsonl", "logs"].map(|name| folder.path().join(name));
    let (platform, begun) = (Platform::start(1, &[], (1, 1)), Instant::now());
    let both = format!("{BOT},{OTHER_BOT}");
    let args = fast_match(&both, 4, 2, &journal);
    let export = format!(" --threads 2 --export {}", logs.display());
    let output = run(&platform, &(args.clone() + &export), 0);
    check_journal(&platform, &journal, 8);
    // At most 120 polls per minute are allowed, and the tests run 50 times as fast.
    assert!(platform.state().polls as u128 <= begun.elapsed().as_millis() / 10 + 1);
    for (id, _) in platform.matches() {
        assert_has(text(&output.stdout), &[&platform.address(&id)]);
    }
    let journal = journal.to_str().expect("UTF-8");
    let report = crate::common::output(&["arena", "report", journal], "");
    assert!(text(&report.stdout).starts_with("8 games; Botzone, 60 s a turn"));
    for number in 0..8 {
        let file = format!("{}/game_{number:05}.json", logs.display());
        assert_has(text(&output.stdout), &[&file]);
        let replay = crate::common::output(&["replay", &file], "");
        assert_eq!(replay.status.code(), Some(0), "{}", text(&replay.stderr));
    }
    // Without `--resume` the file is not overwritten; with it, nothing is left to play.
    run(&platform, &args, 2);
    run(&platform, &(args + " --resume"), 0);
    assert_eq!(platform.matches().len(), 8);
}

#[test]
fn all_faults_together_are_survived() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(2, &FAULTS, (1, 12));
    let both = format!("{BOT},{OTHER_BOT}");
    run(&platform, &fast_match(&both, 10, 3, &journal), 0);
    println!("{:?}", platform.state().fault_counts);
    check_journal(&platform, &journal, 20);
}

#[test]
fn every_fault_alone_is_survived() {
    let survive = |seed, fault| {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join("games.jsonl");
        let rate = [(1, 6), (9, 10)][usize::from(FAULTS[..2].contains(&fault))];
        let platform = Platform::start(seed, &[fault], rate);
        run(&platform, &fast_match(BOT, 6, 2, &journal), 0);
        println!("{:?}", platform.state().fault_counts);
        assert!(platform.state().fault_counts[&fault] > 0);
        check_journal(&platform, &journal, 6);
    };
    // The matches mostly wait, so they can run concurrently.
    thread::scope(|all| {
        for (seed, fault) in (10..).zip(FAULTS) {
            all.spawn(move || survive(seed, fault));
        }
    });
}

/// Two of five replies to polls and starts are lost. Before a start is repeated, the open matches are checked.
#[test]
fn lost_replies_start_no_extra_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let faults = [Fault::LostBefore, Fault::LostAfter, Fault::LostStart];
    let platform = Platform::start(11, &faults, (2, 5));
    let output = run(&platform, &fast_match(BOT, 10, 2, &journal), 0);
    check_journal(&platform, &journal, 10);
    assert_eq!(platform.matches().len(), 10);
    assert_has(text(&output.stdout), &["checking the open matches first"]);
}

#[test]
fn killed_program_answers_no_request_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(3, &[Fault::LostAfter, Fault::LostBefore], (1, 20));
    let mut args = fast_match(BOT, 10, 2, &journal);
    for kills in 0..12 {
        if kills == 1 {
            args += " --resume";
        }
        let mut child = start(&platform, &args);
        let plies = platform.plies();
        wait_for(|| platform.plies() >= plies + 25 || child.try_wait().expect("a child").is_some());
        child.kill().expect("it can be killed");
        finish(child);
    }
    run(&platform, &args, 0);
    check_journal(&platform, &journal, 10);
    assert_eq!(platform.matches().len(), 10);
    // An incomplete last line is ignored; a file of another program is left unchanged.
    let running = folder.path().join("games.jsonl.running");
    let mut bytes = fs::read(&running).expect("there");
    bytes.extend(b"{\"ga");
    fs::write(&running, bytes).expect("written");
    run(&platform, &args, 0);
    fs::write(&running, "dear diary").expect("written");
    let refused = run(&platform, &args, 2);
    assert_rejected(&refused, &["expected a file of amazons online"]);
    assert_eq!(fs::read(&running).expect("there"), b"dear diary");
}

#[test]
fn first_signal_finishes_matches_second_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(4, &[], (1, 1));
    let child = start(&platform, &fast_match(BOT, 1000, 2, &journal));
    wait_for(|| platform.plies() > 20);
    signal(&child, Signal::TERM);
    let output = finish(child);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_has(text(&output.stdout), &["no new matches"]);
    check_journal(&platform, &journal, platform.matches().len());
    let other = folder.path().join("other.jsonl");
    let args = fast_match(BOT, 1000, 2, &other) + " --lang zh";
    let child = start(&platform, &args.replace("--time-ms 1", "--time-ms 59000"));
    let over = platform.matches().len();
    wait_for(|| platform.matches().len() > over);
    for _ in 0..2 {
        signal(&child, Signal::INT);
        thread::sleep(Duration::from_millis(100));
    }
    let output = finish(child);
    assert_eq!(output.status.code(), Some(130));
    assert_has(text(&output.stdout), &["第 1 局开始，黑方，对手"]);
}

/// If nothing happens for a while, the program prints what it waits for.
#[test]
fn idle_program_prints_what_it_waits_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(4, &[], (1, 1));
    platform.state().fixed_reply = Some((200, "0 0\n"));
    let mut child = start(&platform, &fast_match(BOT, 3, 2, &journal));
    let mut said = Vec::new();
    let output = child.stdout.as_mut().expect("piped");
    let expected = b"waiting: 2 matches running, 0 logs to fetch, 1 games to start";
    while !said.ends_with(expected) {
        let mut byte = [0];
        output.read_exact(&mut byte).expect("more is said");
        said.extend(byte);
    }
    child.kill().expect("it can be killed");
    finish(child);
}

#[test]
fn tables_are_served_after_a_restart() {
    let faults = [Fault::LostAfter, Fault::Repeated, Fault::Logs];
    let platform = Platform::start(5, &faults, (1, 10));
    platform.open_tables(6);
    let mut first = start(&platform, SERVE);
    wait_for(|| platform.plies() > 30);
    first.kill().expect("it can be killed");
    finish(first);
    let second = start(&platform, SERVE);
    wait_for(|| platform.matches().iter().all(|(_, over)| *over));
    let polls = platform.state().polls;
    wait_for(|| platform.state().polls > polls + 3);
    signal(&second, Signal::INT);
    let output = finish(second);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(platform.state().violations, [""; 0]);
    assert_eq!(platform.matches().len(), 6);
}

#[test]
fn rejections_end_the_program_without_showing_secrets() {
    let quoted = "the platform rejects the request: \"Bad header\\u{1b}[2J\"";
    for (status, body, said) in [
        (401, "Your level is too low", "level is too low"),
        (401, "Wrong secret", "expected the URL of the account page"),
        (400, "Bad header\x1b[2J", quoted),
    ] {
        let platform = Platform::start(6, &[], (1, 1));
        platform.state().fixed_reply = Some((status, body));
        assert_rejected(&run(&platform, "serve", 2), &[said]);
        assert_eq!(platform.state().polls, 1);
    }
    let platform = Platform::start(7, &[], (1, 1));
    let late = run(&platform, "serve --time-ms 3000 --limit-seconds 3", 2);
    assert_rejected(&late, &["--time-ms 3000 leaves no time in a turn of 3 s"]);
    let unknown = run(&platform, "match --against c0000000000000000000000c", 2);
    assert_rejected(&unknown, &["no such game or bot"]);
    let other = platform.url().replace("0001/", "0002/");
    for (url, said) in [
        (other.as_str(), "the platform knows no such user"),
        ("", "expected https://"),
        ("SECRET", "expected https://"),
        ("http://h/api/u/SECRET/localai", "expected https://"),
        ("https://h/SECRET/localai", "expected https://"),
        ("https://h/api/u/SECRET/localai/more", "expected https://"),
        ("https://h/api/u r/SECRET/localai", "expected https://"),
        ("https://h/api/u/SECRET/localai?x=1", "expected https://"),
        ("https://SECRET@h/api/u/x/localai", "expected https://"),
    ] {
        let url = url.replace("SECRET", SECRET);
        let mut command = online(&platform, "serve");
        let child = command.env("AMAZONS_BOTZONE_URL", url).spawn();
        assert_rejected(&finish(child.expect("the program starts")), &[said]);
    }
    assert_eq!(platform.state().polls, 0);
}

#[test]
fn fetched_logs_overwrite_no_other_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(8, &[], (1, 1));
    run(&platform, &fast_match(BOT, 2, 1, &journal), 0);
    let (id, _) = platform.matches().swap_remove(0);
    let address = platform.address(&id);
    let fetch = format!("log {address} --dir {}", folder.path().display());
    run(&platform, &fetch, 0);
    let file = folder.path().join(format!("{id}.json"));
    let replay = |what: &str| {
        let output = crate::common::output(&["replay", what], "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let lines = text(&output.stdout).lines().skip(1).map(str::to_owned);
        lines.collect::<Vec<_>>()
    };
    assert_eq!(replay(&address), replay(file.to_str().expect("UTF-8")));
    let review = crate::common::output(&["review", &address, "--iterations", "20"], "");
    assert_eq!(review.status.code(), Some(0), "{}", text(&review.stderr));
    fs::write(&file, "dear diary").expect("written");
    run(&platform, &fetch, 2);
    assert_eq!(fs::read_to_string(&file).expect("there"), "dear diary");
    let missing = platform.address("aaaaaaaaaaaaaaaaaaaaaaaa");
    let output = crate::common::output(&["replay", &missing], "");
    assert_rejected(&output, &["status 404; expected a match log"]);
}

#[test]
fn match_is_aborted_with_url_from_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("url");
    let platform = Platform::start(9, &[], (1, 1));
    platform.open_tables(1);
    let (id, _) = platform.matches().swap_remove(0);
    fs::write(&file, platform.url() + "\n").expect("written");
    let args = format!("abort {id} --url-file {}", file.display());
    let abort = || {
        let mut command = online(&platform, &args);
        let child = command.env_remove("AMAZONS_BOTZONE_URL").spawn();
        finish(child.expect("the program starts"))
    };
    assert_eq!(abort().status.code(), Some(0));
    assert!(platform.outcome(&id).3);
    assert_rejected(&abort(), &["no such match"]);
}

#[test]
fn secret_url_is_read_without_echo() {
    let platform = Platform::start(7, &[], (1, 1));
    let (mut master, slave) = terminal();
    let end = || Stdio::from(slave.try_clone().expect("cloned"));
    // The prompt goes to the session's controlling terminal, even if standard input is redirected.
    let mut child = Command::new("setsid")
        .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_amazons")])
        .args(["online", "serve"])
        .env_remove("AMAZONS_BOTZONE_URL")
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .expect("the program starts");
    drop(slave);
    let mut said = Vec::new();
    let mut byte = [0];
    while !said.ends_with(b"localai): ") {
        master.read_exact(&mut byte).expect("the prompt");
        said.extend(byte);
    }
    // The program turns off the echo shortly after the prompt.
    let has_echo = |modes: LocalModes| modes.contains(LocalModes::ECHO);
    wait_for(|| !has_echo(tcgetattr(&master).expect("a terminal").local_modes));
    writeln!(master, "{}", platform.url()).expect("typed");
    wait_for(|| platform.state().polls > 0);
    master.write_all(b"\x03\x03").expect("typed");
    // Once the program has ended, reading fails because the terminal hangs up.
    let _ = master.read_to_end(&mut said);
    child.wait().expect("it ends");
    let said = text(&said);
    assert_has(said, &["waiting for matches"]);
    assert!(!said.contains(SECRET), "{said}");
}
