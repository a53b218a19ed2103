//! Play on the platform, against a platform in the tests that plays tricks on the wire.

use crate::common::platform::{Fault, Platform, RANDOM_BOT, SEARCHING_BOT, SECRET};
use crate::common::terminal::terminal;
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use amazons::tools::arena::results;

/// The program with a platform's URL in the environment.
fn online(platform: &Platform, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command
        .arg("online")
        .args(args)
        .env("AMAZONS_BOTZONE_URL", platform.url())
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Arguments of a fast match.
fn fast<'a>(against: &'a str, games: &'a str, concurrent: &'a str, out: &'a Path) -> Vec<&'a str> {
    let out = out.to_str().expect("UTF-8");
    vec![
        "match",
        "--against",
        against,
        "--games",
        games,
        "--concurrent",
        concurrent,
        "--time-ms",
        "1",
        "--limit-seconds",
        "60",
        "--memory-mb",
        "1",
        "--out",
        out,
    ]
}

/// The output of a program that has ended, which never shows the secret.
fn ended(child: Child) -> Output {
    let output = child.wait_with_output().expect("it ends");
    for text in [&output.stdout, &output.stderr] {
        assert!(
            !String::from_utf8_lossy(text).contains(SECRET),
            "the secret shows"
        );
    }
    output
}

fn run(mut command: Command) -> Output {
    ended(command.spawn().expect("the program starts"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Checks that a journal holds every game of a schedule, each as the platform has it.
fn check(platform: &Platform, journal: &Path, games: usize) {
    assert_eq!(platform.violations(), [""; 0]);
    let (header, records) = results::read(journal).expect("a journal");
    let numbers: BTreeSet<usize> = records.iter().map(|game| game.game).collect();
    assert_eq!(numbers.len(), games);
    assert_eq!(records.len(), games);
    let mut addresses = BTreeSet::new();
    for game in &records {
        let address = game.address.as_deref().expect("an address");
        assert!(addresses.insert(address), "{address} twice");
        let id = address.rsplit('/').next().expect("an id");
        assert_eq!(address, platform.address(id));
        let (moves, winner, us, is_aborted) = platform.outcome(id);
        assert!(!is_aborted);
        assert_eq!((&game.moves, Some(game.winner)), (&moves, winner), "{id}");
        assert_eq!(game.players[us as usize], 0, "{id}");
        assert!(header.players[game.players[1 - us as usize]].len() == 24);
    }
    let state = fs::read_to_string(format!("{}.running", journal.display())).expect("a file");
    assert_eq!(state.lines().count(), 1, "{state}");
}

#[test]
fn a_match_is_played_with_both_colours_and_reported_as_an_arenas() {
    let folder = tempfile::tempdir().expect("a folder");
    let [journal, logs] = ["games.jsonl", "logs"].map(|name| folder.path().join(name));
    let platform = Platform::start(1, &[], 1);
    let both = format!("{RANDOM_BOT},{SEARCHING_BOT}");
    let mut args = fast(&both, "4", "2", &journal);
    args.extend(["--export", logs.to_str().expect("UTF-8")]);
    let output = run(online(&platform, &args));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    check(&platform, &journal, 8);
    let said = text(&output.stdout);
    for (id, _) in platform.matches() {
        assert!(said.contains(&platform.address(&id)), "{id}: {said}");
    }
    let [journal, logs] = [&journal, &logs].map(|path| path.to_str().expect("UTF-8"));
    let report = crate::common::output(&["arena", "report", journal], "");
    assert!(text(&report.stdout).starts_with("8 games; Botzone, 60 s a turn"));
    let files: Vec<String> = (0..8).map(|n| format!("{logs}/game_{n:05}.json")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let replay = crate::common::output(&[&["replay"], &files[..]].concat(), "");
    assert_eq!(replay.status.code(), Some(0), "{}", text(&replay.stderr));
    // There is nothing left to resume, and no file is overwritten.
    args.truncate(args.len() - 2);
    assert_eq!(run(online(&platform, &args)).status.code(), Some(2));
    args.push("--resume");
    assert_eq!(run(online(&platform, &args)).status.code(), Some(0));
    assert_eq!(platform.matches().len(), 8);
}

/// Pondering never gets in the way of a turn, nor does a search by several threads.
#[test]
fn threads_and_pondering_play_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(6, &[Fault::Late, Fault::Doubled, Fault::DropAfter], 12);
    let mut args = fast(SEARCHING_BOT, "6", "2", &journal);
    args.extend(["--threads", "3", "--ponder"]);
    let output = run(online(&platform, &args));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    check(&platform, &journal, 6);
}

/// Games with every fault on the wire that there is. Returns how often each struck.
fn fifty_games_on_a_bad_wire(seed: u64) -> BTreeMap<Fault, usize> {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(seed, &Fault::ALL, 12);
    let both = format!("{RANDOM_BOT},{SEARCHING_BOT}");
    let output = run(online(&platform, &fast(&both, "25", "3", &journal)));
    let complaint = text(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{complaint} {:?}",
        platform.violations()
    );
    check(&platform, &journal, 50);
    platform.counts()
}

/// For most of their time matches wait, so four play side by side.
#[test]
fn two_hundred_games_survive_a_bad_wire() {
    let counts = thread::scope(|all| {
        let matches = [2, 3, 4, 5].map(|seed| all.spawn(move || fifty_games_on_a_bad_wire(seed)));
        matches.map(|one| one.join().expect("it is survived"))
    });
    println!("{counts:?}");
    for fault in Fault::ALL {
        let struck = |counts: &BTreeMap<_, _>| counts.contains_key(&fault);
        assert!(counts.iter().any(struck), "{fault:?} never struck");
    }
}

#[test]
fn every_fault_alone_is_survived() {
    let survive = |seed, fault| {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join("games.jsonl");
        let platform = Platform::start(seed, &[fault], 6);
        let output = run(online(&platform, &fast(RANDOM_BOT, "4", "2", &journal)));
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{fault:?}: {complaint}");
        println!(
            "{fault:?}: {:?} in {} polls",
            platform.counts(),
            platform.polls()
        );
        check(&platform, &journal, 4);
    };
    // For most of its time a match waits.
    thread::scope(|all| {
        for (seed, fault) in (10..).zip(Fault::ALL) {
            all.spawn(move || survive(seed, fault));
        }
    });
}

/// Waits until the platform has seen something.
fn wait_for(mut what: impl FnMut() -> bool) {
    while !what() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_program_that_is_killed_goes_on_with_its_matches() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(3, &[Fault::DropAfter, Fault::DropBefore], 20);
    let mut args = fast(RANDOM_BOT, "10", "2", &journal);
    for kills in 0..12 {
        if kills == 1 {
            args.push("--resume");
        }
        let mut child = online(&platform, &args)
            .spawn()
            .expect("the program starts");
        let plies = platform.plies();
        wait_for(|| platform.plies() >= plies + 25 || child.try_wait().expect("a child").is_some());
        child.kill().expect("it can be killed");
        ended(child);
    }
    let output = run(online(&platform, &args));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    check(&platform, &journal, 10);
    let unfinished = platform.matches().into_iter().filter(|(_, over)| !over);
    // A kill between a start and its answer leaves a match that belongs to no game.
    assert!(unfinished.count() <= 12);
}

#[test]
fn one_interrupt_finishes_the_running_matches_and_two_stop_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(4, &[], 1);
    let child = online(&platform, &fast(RANDOM_BOT, "1000", "2", &journal))
        .spawn()
        .expect("the program starts");
    wait_for(|| platform.plies() > 20);
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it runs");
    let output = ended(child);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(platform.matches().iter().all(|(_, over)| *over));
    check(&platform, &journal, platform.matches().len());
    let other = folder.path().join("other.jsonl");
    let mut args = fast(RANDOM_BOT, "1000", "2", &other);
    let time = args.iter().position(|&arg| arg == "--time-ms");
    args[time.expect("a time") + 1] = "59000";
    let child = online(&platform, &args)
        .spawn()
        .expect("the program starts");
    let over = platform.matches().len();
    wait_for(|| platform.matches().len() > over);
    for _ in 0..2 {
        kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(ended(child).status.code(), Some(130));
}

/// Standard output is a pipe that nobody reads: the program waits for it, and no longer hears of a signal in its turn.
#[test]
fn a_second_signal_ends_a_program_that_is_stuck() {
    let folder = tempfile::tempdir().expect("a folder");
    let platform = Platform::start(4, &[], 1);
    let journal = folder.path().join("games.jsonl");
    let mut child = online(&platform, &fast(RANDOM_BOT, "100000", "4", &journal))
        .spawn()
        .expect("the program starts");
    let mut polls = 0;
    wait_for(|| {
        thread::sleep(Duration::from_millis(500));
        let before = std::mem::replace(&mut polls, platform.polls());
        polls > 100 && polls == before
    });
    for _ in 0..2 {
        kill_process(Pid::from_child(&child), Signal::TERM).expect("it runs");
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

/// The first request of a table is a move, and its log lacks the judge's counts: it is played all the same.
#[test]
fn a_table_is_played_whatever_its_log_says_of_counts() {
    for faults in [&[Fault::Counts][..], &[Fault::Logs, Fault::Counts]] {
        let platform = Platform::start(5, faults, 1000);
        // Some ask with the first poll: their matches may have begun before the program.
        platform.open_tables(12);
        let child = online(&platform, &["serve", "--time-ms", "1", "--memory-mb", "1"])
            .spawn()
            .expect("the program starts");
        wait_for(|| {
            !platform.matches().is_empty() && platform.matches().iter().all(|(_, over)| *over)
        });
        kill_process(Pid::from_child(&child), Signal::TERM).expect("it runs");
        let output = ended(child);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(platform.violations(), [""; 0]);
    }
}

/// Polls show the requests of a match, and its end, before its start is answered.
#[test]
fn a_start_may_be_answered_late() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(12, &[Fault::LateStart], 1_000_000);
    let output = run(online(&platform, &fast(RANDOM_BOT, "20", "2", &journal)));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    check(&platform, &journal, 20);
    assert_eq!(platform.matches().len(), 20);
    let (polls, plies) = (platform.polls(), platform.plies());
    println!("{polls} polls, {plies} plies");
    assert!(polls < 20 * plies, "{polls} polls for {plies} plies");
}

#[test]
fn a_seat_is_served_at_several_tables_and_after_a_restart() {
    let platform = Platform::start(5, &[Fault::Strangers, Fault::DropAfter, Fault::Doubled], 10);
    platform.open_tables(6);
    let serve = ["serve", "--time-ms", "1", "--memory-mb", "1"];
    let mut first = online(&platform, &serve)
        .spawn()
        .expect("the program starts");
    wait_for(|| platform.plies() > 30);
    first.kill().expect("it can be killed");
    ended(first);
    let second = online(&platform, &serve)
        .spawn()
        .expect("the program starts");
    wait_for(|| platform.matches().iter().all(|(_, over)| *over));
    let polls = platform.polls();
    wait_for(|| platform.polls() > polls + 3);
    kill_process(Pid::from_child(&second), Signal::INT).expect("it runs");
    let output = ended(second);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(platform.violations(), [""; 0]);
    assert_eq!(platform.matches().len(), 6);
}

#[test]
fn refusals_end_the_program_and_name_no_secret() {
    for (status, body, said) in [
        (401, "Your level is too low", "level is too low"),
        (401, "Wrong secret", "expected the URL of the account page"),
        (
            400,
            "Bad header\x1b[2J",
            "the platform refuses: \"Bad header\\u{1b}[2J\"",
        ),
    ] {
        let platform = Platform::start(6, &[], 1);
        platform.answer_polls(status, body);
        let output = run(online(&platform, &["serve"]));
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(said), "{complaint}");
        assert_eq!(platform.polls(), 1);
    }
    let late = ["serve", "--time-ms", "3000", "--limit-seconds", "3"];
    let platform = Platform::start(7, &[], 1);
    let output = run(online(&platform, &late));
    assert_eq!(output.status.code(), Some(2));
    let complaint = text(&output.stderr);
    let said = "--time-ms 3000 leaves nothing of a turn of 3 s";
    assert!(complaint.contains(said), "{complaint}");
    assert_eq!(platform.polls(), 0);
    let wrong = platform.url().replace("0001/", "0002/");
    let mut command = online(&platform, &["serve"]);
    command.env("AMAZONS_BOTZONE_URL", wrong);
    let output = run(command);
    assert_eq!(output.status.code(), Some(2));
    let unknown = "c0000000000000000000000c";
    let output = run(online(&platform, &["match", "--against", unknown]));
    assert!(text(&output.stderr).contains("no such game or bot"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn logs_are_fetched_read_and_never_written_over_other_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("games.jsonl");
    let platform = Platform::start(8, &[], 1);
    let output = run(online(&platform, &fast(RANDOM_BOT, "2", "1", &journal)));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (id, _) = platform.matches().swap_remove(0);
    let (address, dir) = (
        platform.address(&id),
        folder.path().to_str().expect("UTF-8"),
    );
    let fetch = || run(online(&platform, &["log", &address, "--dir", dir]));
    assert_eq!(fetch().status.code(), Some(0));
    let file = folder.path().join(format!("{id}.json"));
    let replay = |what: &str| {
        let output = crate::common::output(&["replay", what], "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(replay(&address), replay(file.to_str().expect("UTF-8")));
    let review = crate::common::output(&["review", &address, "--iterations", "20"], "");
    assert_eq!(review.status.code(), Some(0), "{}", text(&review.stderr));
    fs::write(&file, "dear diary").expect("written");
    assert_eq!(fetch().status.code(), Some(2));
    assert_eq!(fs::read_to_string(&file).expect("there"), "dear diary");
    let missing = platform.address("aaaaaaaaaaaaaaaaaaaaaaaa");
    let output = crate::common::output(&["replay", &missing], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("status 404; expected a match log"));
}

#[test]
fn a_match_is_aborted_and_the_url_may_stand_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("url");
    let platform = Platform::start(9, &[], 1);
    platform.open_tables(1);
    let slow = "serve --time-ms 599000 --limit-seconds 600 --memory-mb 1";
    let slow: Vec<&str> = slow.split(' ').collect();
    let served = online(&platform, &slow)
        .spawn()
        .expect("the program starts");
    wait_for(|| platform.matches().len() == 1);
    let (id, _) = platform.matches().swap_remove(0);
    fs::write(&file, platform.url() + "\n").expect("written");
    let abort = |url: &str| {
        let mut command = online(&platform, &["abort", &id, "--url-file", url]);
        command.env_remove("AMAZONS_BOTZONE_URL");
        run(command)
    };
    let file = file.to_str().expect("UTF-8");
    assert_eq!(abort(file).status.code(), Some(0));
    assert!(platform.outcome(&id).3);
    let again = abort(file);
    assert!(text(&again.stderr).contains("no such match"));
    assert_eq!(again.status.code(), Some(2));
    fs::write(file, format!("http://example.org/api/u/{SECRET}/localai")).expect("written");
    assert!(text(&abort(file).stderr).contains("expected https://"));
    for _ in 0..2 {
        kill_process(Pid::from_child(&served), Signal::INT).expect("it runs");
        thread::sleep(Duration::from_millis(100));
    }
    ended(served);
}

#[test]
fn the_url_is_asked_for_at_the_terminal_and_not_shown() {
    let platform = Platform::start(7, &[], 1);
    let (mut master, slave) = terminal();
    let end = || Stdio::from(slave.try_clone().expect("cloned"));
    // The prompt goes to the terminal of the session, whatever becomes of standard input.
    let mut child = Command::new("setsid")
        .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_amazons")])
        .args(["online", "serve", "--plain"])
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
    // The echo ends a moment after the prompt.
    let has_echo = |modes: LocalModes| modes.contains(LocalModes::ECHO);
    wait_for(|| !has_echo(tcgetattr(&master).expect("a terminal").local_modes));
    writeln!(master, "{}", platform.url()).expect("typed");
    wait_for(|| platform.polls() > 0);
    master.write_all(b"\x03\x03").expect("typed");
    // The terminal hangs up with an error once the program has ended.
    let _ = master.read_to_end(&mut said);
    child.wait().expect("it ends");
    let said = text(&said);
    assert!(said.contains("waiting for matches"), "{said}");
    assert!(!said.contains(SECRET), "{said}");
}
