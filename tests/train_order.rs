//! `amazons train order`: from games of self-play with shares of visits to weights of the order network.
#![cfg(feature = "tools")]

mod common;

use amazons::eval::order;
use common::games::{games_file, random_game};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

fn fresh_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("train_order_{name}"));
    let _ = fs::remove_file(&path);
    path
}

fn amazons(words: &str, paths: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.args(words.split_whitespace()).args(paths);
    command.output().expect("the program runs")
}

fn train(games: &Path, out: &Path, words: &str) -> Output {
    amazons(
        &format!("train order {words}"),
        &[games, "--out".as_ref(), out],
    )
}

/// What a run that goes well prints.
fn printed(output: Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A file of games that were really searched.
static GAMES: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = fresh_path("games");
    printed(amazons(
        "selfplay --games 60 --iterations 50 --out",
        &[&path],
    ));
    path
});

/// The held-out divergences by epoch.
fn divergences(report: &str) -> Vec<f64> {
    let numbers = |line: &str| -> Option<Vec<f64>> {
        let words = line.split_whitespace();
        words.map(|word| word.parse().ok()).collect()
    };
    let epochs = report.lines().filter_map(numbers);
    epochs.map(|epoch| epoch[2]).collect()
}

#[test]
fn weights_are_learned_and_say_where_they_come_from() {
    let out = fresh_path("out");
    let words = "--epochs 4 --batch 64 --generation 7 --note searched";
    let report = printed(train(&GAMES, &out, words));
    let divergences = divergences(&report);
    assert_eq!(divergences.len(), 4, "{report}");
    assert!(divergences[3] < divergences[0] - 0.02, "{report}");
    let text = fs::read_to_string(&out).expect("written");
    let weights = order::parse(&text).expect("the engine's format");
    assert!(
        weights
            .rows
            .as_flattened()
            .iter()
            .any(|&weight| weight != 0)
    );
    let header: String = text
        .split_inclusive('\n')
        .take_while(|line| line.starts_with("# "))
        .collect();
    let last = report.lines().find(|line| line.starts_with("all "));
    for fact in [
        "trained by `amazons train order`",
        "60 games, 6 of them held out",
        "generation 7",
        "of 4; batch 64, rate 0.003, seed 1",
        "- commit ",
        "- note: searched",
        last.expect("a table"),
    ] {
        assert!(header.contains(fact), "{fact}\n{header}");
    }
    // Such a file may be replaced.
    printed(train(&GAMES, &out, "--epochs 1 --batch 64"));
}

#[test]
fn the_bytes_do_not_depend_on_the_threads() {
    let outs = ["one", "two"].map(fresh_path);
    for (out, threads) in outs.iter().zip([1, 2]) {
        let words = format!("--epochs 2 --batch 100 --threads {threads}");
        printed(train(&GAMES, out, &words));
    }
    let [one, two] = outs.map(|out| fs::read(out).expect("written"));
    assert!(one == two);
}

#[test]
fn faults_are_found_before_the_work_and_name_the_file() {
    let [letter, older, out] = ["letter", "older", "refused"].map(fresh_path);
    fs::write(&letter, "# Dear all\n").expect("written");
    let games = (0..20).map(|number| random_game(number, 2));
    fs::write(&older, games_file(games)).expect("written");
    for (games, out, words, complaint) in [
        (
            &older,
            &out,
            "",
            "older: expected games with shares of the visits",
        ),
        (
            &letter,
            &out,
            "",
            "letter: expected a file of self-play games",
        ),
        (
            &*GAMES,
            &letter,
            "",
            "letter is there and is not weights of an order network",
        ),
        (&*GAMES, &out, "--batch 100000", "--batch 100000: expected"),
        (&*GAMES, &out, "--rate 0", "above 0"),
        (&*GAMES, &out, "--epochs 0", "'--epochs <EPOCHS>'"),
    ] {
        let output = train(games, out, words);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty(), "nothing is trained");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(complaint), "{error}");
    }
    assert_eq!(fs::read_to_string(&letter).expect("there"), "# Dear all\n");
    assert!(!out.exists());
}
