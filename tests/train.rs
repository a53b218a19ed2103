//! `amazons train`: from games of self-play to weights that the engine reads, resumed, stopped and refused.
#![cfg(feature = "tools")]

mod common;

use amazons::eval::network;
use common::games::{games_file, random_game};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn fresh_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("train_{name}"));
    let _ = fs::remove_file(&path);
    path
}

/// The path of a file of random games.
fn games(name: &str, numbers: std::ops::Range<u32>) -> PathBuf {
    let path = fresh_path(name);
    fs::write(
        &path,
        games_file(numbers.map(|number| random_game(number, 2))),
    )
    .expect("the folder can be written");
    path
}

fn command(games: &Path, out: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.arg("train").arg(games).arg("--out").arg(out);
    command.args(words.split_whitespace());
    command
}

fn train(games: &Path, out: &Path, words: &str) -> Output {
    let output = command(games, out, words).output();
    output.expect("the program runs")
}

/// What a run that goes well prints.
fn printed(output: Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What a run that is refused says.
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "nothing is trained");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The last two numbers of the line that begins with a word.
fn losses(report: &str, word: &str) -> [f64; 2] {
    let line = report.lines().rev().find(|line| line.starts_with(word));
    let words = line.expect("a line").split_whitespace();
    let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    *numbers.last_chunk().expect("two losses")
}

/// Games of random moves are another thing than the linear evaluation was fitted to: there is much to learn.
#[test]
fn a_trained_network_predicts_better_and_says_where_it_comes_from() {
    let (games, out, plot) = (
        games("games", 0..300),
        fresh_path("out"),
        fresh_path("plot"),
    );
    let words = "--epochs 6 --batch 256 --target-mix 0.25 --late-target-mix 0 --generation 7";
    let mut command = command(&games, &out, words);
    command
        .arg("--plot")
        .arg(&plot)
        .args(["--note", "random\nmoves"]);
    let report = printed(command.output().expect("the program runs"));
    let [linear, trained] = losses(&report, "all ");
    assert!(trained < linear - 0.02, "{report}");
    let text = fs::read_to_string(&out).expect("written");
    let network = network::parse(&text).expect("the engine's format");
    assert!(
        network
            .table
            .iter()
            .any(|row| row.0.iter().any(|&weight| weight != 0))
    );
    let header: Vec<&str> = text
        .lines()
        .take_while(|line| line.starts_with("# "))
        .collect();
    let header = header.join("\n");
    for fact in [
        "trained by `amazons train`",
        "300 games, 39 of them held out",
        "generation 7",
        "0.25 without arrows, 0 from 50 arrows on",
        "of 6; batch 256, rate 0.003, seed 1",
        "- commit ",
        "- note: random moves",
        report
            .lines()
            .rev()
            .find(|line| line.starts_with("all "))
            .expect("a table"),
    ] {
        assert!(header.contains(fact), "{fact}\n{header}");
    }
    let plot = fs::read_to_string(plot).expect("written");
    assert!(plot.starts_with("<svg ") && plot.ends_with("</svg>\n"));
    assert_eq!(
        plot.matches("font-weight=\"bold\"").count(),
        2,
        "two titles"
    );
    assert!(!plot.contains("NaN") && !plot.contains("inf"));
}

#[test]
fn the_same_command_goes_on_and_ends_with_the_same_bytes() {
    let (games, state) = (games("resumed", 0..100), fresh_path("state"));
    let outs = ["whole", "first", "again"].map(fresh_path);
    let words = "--epochs 3 --batch 128";
    let with_state = format!("{words} --checkpoint {}", state.display());
    let whole = printed(train(&games, &outs[0], &format!("{words} --threads 1")));
    let first = printed(train(
        &games,
        &outs[1],
        &format!("{with_state} --threads 3"),
    ));
    let again = printed(train(&games, &outs[2], &with_state));
    assert_eq!(
        [&first, &again],
        [&whole; 2],
        "finished epochs are told again"
    );
    let [whole, rest @ ..] = outs.map(|out| fs::read(out).expect("written"));
    assert!(rest.iter().all(|out| *out == whole));
    let other = fresh_path("other_out");
    let complaint = refused(&train(&games, &other, &format!("{with_state} --seed 2")));
    assert!(complaint.contains("state: the state of another training: --seed 1 instead of 2"));
}

#[test]
fn an_interrupt_ends_the_training() {
    let (games, out) = (games("interrupted", 0..100), fresh_path("interrupted_out"));
    // A step for each position: the first epoch takes many seconds.
    let mut child = command(&games, &out, "--batch 1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    assert!(
        lines
            .next()
            .expect("a line")
            .expect("text")
            .starts_with("100 games")
    );
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let last = lines.last().expect("a line").expect("text");
    assert_eq!(last, "broken off in epoch 1");
    assert!(!out.exists(), "there is no network yet");
}

#[test]
fn faults_are_found_before_the_work_and_name_the_file() {
    let games = games("sound", 0..60);
    let [letter, empty, out] = ["letter", "empty", "refused_out"].map(fresh_path);
    fs::write(&letter, "# Dear all\n").expect("written");
    fs::write(&empty, &fs::read(&games).expect("there")[..8]).expect("written");
    let letter_words = |option: &str| format!("{option} {}", letter.display());
    for (games, out, words, complaint) in [
        (
            &games,
            &letter,
            String::new(),
            "is there and is not weights of a network",
        ),
        (
            &games,
            &games,
            String::new(),
            "is there and is not weights of a network",
        ),
        (
            &games,
            &out,
            letter_words("--plot"),
            "letter is there and is not a plot",
        ),
        (
            &games,
            &out,
            letter_words("--checkpoint"),
            "is not the state of a training",
        ),
        (
            &letter,
            &out,
            String::new(),
            "letter: expected a file of self-play games",
        ),
        (
            &empty,
            &out,
            String::new(),
            "empty: expected self-play games, found none",
        ),
        (&games, &out, String::new(), "--batch 4096: expected"),
        (&games, &out, "--rate 0".to_owned(), "above 0"),
        (&games, &out, "--target-mix 1.5".to_owned(), "from 0 to 1"),
        (
            &games,
            &out,
            "--late-target-mix x".to_owned(),
            "from 0 to 1",
        ),
        (&games, &out, "--epochs 0".to_owned(), "'--epochs <EPOCHS>'"),
        (
            &games,
            &out,
            format!("--plot {}", out.display()),
            "another file than --out",
        ),
        (
            &games,
            &out,
            format!("--checkpoint {}", out.display()),
            "another file than --out",
        ),
    ] {
        let text = refused(&train(games, out, &words));
        assert!(text.contains(complaint), "{text}");
    }
    assert_eq!(fs::read_to_string(&letter).expect("there"), "# Dear all\n");
    assert!(!out.exists());
    let few = self::games("few", 0..2);
    let text = refused(&train(&few, &out, "--batch 1"));
    assert!(
        text.contains("expected positions to train with and to hold out"),
        "{text}"
    );
}

/// The weights in the repository may be replaced: they are such a file.
#[test]
fn the_compiled_in_weights_may_be_replaced() {
    let compiled = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/network/weights.txt");
    let out = fresh_path("replaced");
    fs::copy(compiled, &out).expect("copied");
    let games = games("replacing", 0..60);
    printed(train(&games, &out, "--epochs 1 --batch 100"));
    let text = fs::read_to_string(&out).expect("written");
    assert!(text.starts_with("# Weights of the network, trained by"));
    printed(train(&games, &out, "--epochs 1 --batch 100"));
}
