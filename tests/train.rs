//! Tests of `amazons train` and `amazons train policy`: trained weights and reports, checkpoints, interrupts and rejected
//! input.

use crate::common::games::{games_file, random_game};
use crate::common::{self, assert_rejected, succeeded, text};
use engine::eval::{policy, value};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use training::games::{self, SelfPlayGame};

/// Subcommands that train the value network and the policy network.
const HEADS: [&str; 2] = ["train", "train policy"];

fn fresh_path(name: &str) -> PathBuf {
    common::fresh_path(&format!("train_{name}"))
}

/// Writes a file of games of random moves with these numbers. Returns its path.
fn random_games(name: &str, numbers: std::ops::Range<u32>) -> PathBuf {
    let path = fresh_path(name);
    let games = games_file(numbers.map(|number| random_game(number, 2)));
    fs::write(&path, games).expect("the folder can be written");
    path
}

/// Path of a file of 60 self-play games with visit shares. They were played in one thread, so their order in the file, on which
/// trained weights depend, is always the same.
static SEARCHED: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = fresh_path("searched");
    let words = "selfplay --games 60 --iterations 50 --concurrency 1 --out";
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.args(words.split_whitespace()).arg(&path);
    succeeded(&command.output().expect("the program runs"));
    path
});

/// Returns a training command: the subcommand `head` on the file `games`, with output to `out` and further options `words`.
fn command(head: &str, games: &Path, out: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.args(head.split_whitespace());
    command.arg(games).arg("--out").arg(out);
    command.args(words.split_whitespace());
    command
}

fn train(head: &str, games: &Path, out: &Path, words: &str) -> Output {
    let output = command(head, games, out, words).output();
    output.expect("the program runs")
}

/// Returns the line of the report with the mean losses over all held-out positions.
fn summary(report: &str) -> &str {
    let line = report.lines().find(|line| line.starts_with("all "));
    line.expect("a table")
}

/// Checks that the header of a weights file contains each string of `facts`.
fn check_header(text: &str, facts: &[&str]) {
    let header = text.lines().take_while(|line| line.starts_with("# "));
    let header = header.collect::<Vec<_>>().join("\n");
    for fact in facts {
        assert!(header.contains(fact), "{fact}\n{header}");
    }
}

/// Checks that a file is an SVG plot with `titles` titled panels and only finite numbers.
fn check_plot(path: &Path, titles: usize) {
    let plot = fs::read_to_string(path).expect("written");
    assert!(plot.starts_with("<svg ") && plot.ends_with("</svg>\n"));
    assert_eq!(plot.matches("font-weight=\"bold\"").count(), titles);
    assert!(!plot.contains("NaN") && !plot.contains("inf"));
}

/// Trains a network and checks the report, the header of the weights for `facts`, and the number of the plot's titles. Returns
/// the text of the weights file and the report.
fn check_training(
    head: &str,
    games: &Path,
    words: &str,
    facts: &[&str],
    titles: usize,
) -> (String, String) {
    let name = |what: &str| fresh_path(&format!("{}_{what}", head.replace(' ', "_")));
    let (out, plot) = (name("out"), name("plot"));
    let mut command = command(head, games, &out, words);
    command.arg("--plot").arg(&plot);
    command.args(["--note", "two\nwords"]);
    let output = command.output().expect("the program runs");
    let is_quiet = output.stderr.is_empty();
    assert_eq!(is_quiet, head == "train", "what is compiled in is better");
    let report = succeeded(&output).to_owned();
    let text = fs::read_to_string(&out).expect("written");
    let first = format!("trained by `amazons {head}`");
    check_header(&text, &[&first, "- commit ", "- note: two words"]);
    check_header(&text, facts);
    check_header(&text, &[summary(&report)]);
    check_plot(&plot, titles);
    (text, report)
}

/// The linear evaluation was not fitted to games of random moves, so a trained network predicts their results far better.
#[test]
fn value_network_learns_and_documents_its_training() {
    let games = random_games("games", 0..300);
    let words = "--epochs 6 --batch 256 --target-mix 0.25";
    let facts = [
        "300 games, 39 of them held out",
        "in the targets: 0.25",
        "of 6; batch 256, rate 0.003, seed 1",
    ];
    let (text, report) = check_training("train", &games, words, &facts, 2);
    let losses = summary(&report).split_whitespace();
    let losses: Vec<f64> = losses.filter_map(|word| word.parse().ok()).collect();
    assert!(losses[2] < losses[1] - 0.02, "{report}");
    let weights = value::parse(&text).expect("the engine's format");
    assert!(weights.rows.iter().flatten().any(|&weight| weight != 0));
}

#[test]
fn policy_network_learns_and_documents_its_training() {
    let words = "--epochs 4 --batch 64";
    let facts = [
        "60 games, 6 of them held out",
        "of 4; batch 64, rate 0.003, seed 1",
    ];
    let (text, report) = check_training("train policy", &SEARCHED, words, &facts, 1);
    let numbers = |line: &str| -> Option<Vec<f64>> {
        let words = line.split_whitespace();
        words.map(|word| word.parse().ok()).collect()
    };
    let losses = report.lines().filter_map(numbers).map(|epoch| epoch[2]);
    let losses: Vec<f64> = losses.collect();
    assert_eq!(losses.len(), 4, "{report}");
    assert!(losses[3] < losses[0] - 0.02, "{report}");
    let least = losses.into_iter().fold(f64::INFINITY, f64::min);
    let best = summary(&report).split_whitespace().nth(2);
    assert_eq!(
        best,
        Some(&*format!("{least:.4}")),
        "the best weights are kept"
    );
    let weights = policy::parse(&text).expect("the engine's format");
    assert!(weights.rows.iter().flatten().any(|&weight| weight != 0));
}

/// After one epoch at a tiny learning rate, the weights are worse than the compiled-in ones. The program warns, but still
/// overwrites the weights file.
#[test]
fn weights_worse_than_compiled_in_give_a_warning() {
    let out = fresh_path("warned");
    for (head, other, folder) in [
        ("train", "the compiled-in network", "value"),
        ("train policy", "the compiled-in policy network", "policy"),
    ] {
        let path = format!("src/engine/eval/{folder}/weights.txt");
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(path), &out).expect("copied");
        let words = "--epochs 1 --batch 100 --rate 0.00001";
        let output = train(head, &SEARCHED, &out, words);
        succeeded(&output);
        let warned = text(&output.stderr);
        let words = "warning: the new weights predict the held-out games worse (loss ";
        assert!(
            warned.starts_with(words) && warned.contains(other),
            "{warned}"
        );
        let linear = warned.contains("the linear evaluation (");
        assert_eq!(linear, head == "train", "{warned}");
        let written = fs::read_to_string(&out).expect("written");
        check_header(&written, &["60 games", "epoch 1 of 1"]);
    }
}

#[test]
fn resumed_training_gives_the_same_bytes() {
    // The searched games in reverse order: another data set, because their order matters.
    let content = games::parse(&fs::read(&*SEARCHED).expect("there")).expect("games");
    let games = content.games.iter().rev().flat_map(SelfPlayGame::to_bytes);
    let swapped = fresh_path("swapped");
    let header = content.settings.to_bytes();
    let bytes: Vec<u8> = header.into_iter().chain(games).collect();
    fs::write(&swapped, bytes).expect("written");
    for (head, other_head) in HEADS.into_iter().zip(["train policy", "train"]) {
        let name = |name: &str| fresh_path(&format!("{}_{name}", head.replace(' ', "_")));
        let state = name("state");
        let outs = ["whole", "first", "again"].map(name);
        let words = "--epochs 3 --batch 128";
        let with_state = format!("{words} --checkpoint {}", state.display());
        let one_thread = format!("{words} --threads 1");
        let output = train(head, &SEARCHED, &outs[0], &one_thread);
        let whole = succeeded(&output);
        let first = format!("{with_state} --threads 3");
        for (out, words) in [(&outs[1], &first), (&outs[2], &with_state)] {
            let output = train(head, &SEARCHED, out, words);
            assert_eq!(
                succeeded(&output),
                whole,
                "finished epochs are printed again"
            );
        }
        let [whole, rest @ ..] = outs.map(|out| fs::read(out).expect("written"));
        assert!(rest.iter().all(|out| *out == whole));
        let other = name("other_out");
        let is_refused_with = |head: &str, games: &Path, words: &str, fault: &str| {
            let before = fs::read(&state).expect("there");
            assert_rejected(&train(head, games, &other, words), &[fault]);
            assert_eq!(fs::read(&state).expect("there"), before, "it is kept");
            assert!(!other.exists());
        };
        let is_refused = |head: &str, words: &str, fault: &str| {
            is_refused_with(head, &SEARCHED, words, fault);
        };
        let words = "--epochs 2 --batch 99 --rate 0.1 --seed 2 --checkpoint";
        let fault = "state: the state of another training: epochs 3 instead of 2; \
            batch 128 instead of 99; rate 0.003 instead of 0.1; seed 1 instead of 2";
        is_refused(head, &format!("{words} {}", state.display()), fault);
        let fault = "state: the state of another training: checksum of the games ";
        is_refused_with(head, &swapped, &with_state, fault);
        let fault = "state is there and is not the state of a training of the ";
        is_refused(other_head, &with_state, fault);
        let sound = fs::read(&state).expect("written");
        for at in [20, 150, sound.len() / 2, sound.len() - 1] {
            let mut damaged = sound.clone();
            damaged[at] ^= 1;
            let fault = "state: the file is damaged: expected the state of a training";
            for content in [&damaged[..], &sound[..at]] {
                fs::write(&state, content).expect("written");
                is_refused(head, &with_state, fault);
            }
        }
    }
}

/// A training run that was interrupted or killed in a later epoch resumes after its last finished epoch, and ends with the
/// same weights and report as an uninterrupted run.
#[test]
fn stopped_training_resumes_after_its_last_epoch() {
    for head in HEADS {
        for signal in [Signal::INT, Signal::KILL] {
            let [state, whole, out] = ["ended", "ended_whole", "ended_out"].map(fresh_path);
            let words = "--epochs 8 --batch 64";
            let with_state = format!("{words} --checkpoint {}", state.display());
            let mut child = command(head, &SEARCHED, &out, &with_state)
                .stdout(Stdio::piped())
                .spawn()
                .expect("the program runs");
            let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
            let mut lines = lines.map(|line| line.expect("text"));
            lines
                .find(|line| line.starts_with("    1 "))
                .expect("an epoch");
            let _ = kill_process(Pid::from_child(&child), signal);
            lines.for_each(drop);
            child.wait().expect("it ends");
            assert!(state.exists());
            let resumed = train(head, &SEARCHED, &out, &with_state);
            let at_once = train(head, &SEARCHED, &whole, words);
            assert_eq!(succeeded(&resumed), succeeded(&at_once));
            let [out, whole] = [out, whole].map(|out| fs::read(out).expect("written"));
            assert!(out == whole, "{head}, {signal:?}");
        }
    }
}

#[test]
fn interrupt_in_first_epoch_writes_no_weights() {
    let out = fresh_path("interrupted_out");
    // With batches of one position, the first epoch takes many seconds, so the interrupt comes in time.
    let mut child = command("train", &SEARCHED, &out, "--batch 1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.starts_with("60 games"));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let last = lines.last().expect("a line").expect("text");
    assert_eq!(last, "broken off in epoch 1");
    assert!(!out.exists(), "there is no network yet");
}

#[test]
fn bad_arguments_are_rejected_before_training() {
    let (sound, few) = (random_games("sound", 0..60), random_games("few", 0..2));
    let [letter, empty, out] = ["letter", "empty", "refused_out"].map(fresh_path);
    fs::write(&letter, "# Dear all\n").expect("written");
    fs::write(&empty, games_file(std::iter::empty())).expect("written");
    let [plot, state] =
        ["plot", "checkpoint"].map(|option| format!("--{option} {}", letter.display()));
    let [plot_out, state_out] =
        ["plot", "checkpoint"].map(|option| format!("--{option} {}", out.display()));
    let to_learn = "expected positions to train with and to hold out";
    for head in HEADS {
        for (games, out, words, complaint) in [
            (
                &*SEARCHED,
                &letter,
                "",
                "letter is there and is not weights of the ",
            ),
            (
                &*SEARCHED,
                &*SEARCHED,
                "",
                "searched is there and is not weights of the ",
            ),
            (&*SEARCHED, &out, &plot, "letter is there and is not a plot"),
            (
                &*SEARCHED,
                &out,
                &state,
                "is not the state of a training of the ",
            ),
            (&*SEARCHED, &out, &plot_out, "another file than --out"),
            (&*SEARCHED, &out, &state_out, "another file than --out"),
            (
                &letter,
                &out,
                "",
                "letter: expected a file of self-play games",
            ),
            (
                &empty,
                &out,
                "",
                "empty: expected self-play games, found none",
            ),
            (&few, &out, "--batch 1", to_learn),
            (
                &*SEARCHED,
                &out,
                "--batch 100000",
                "--batch 100000: expected",
            ),
            (&*SEARCHED, &out, "--rate 0", "above 0"),
            (&*SEARCHED, &out, "--epochs 0", "'--epochs <EPOCHS>'"),
        ] {
            let output = train(head, games, out, words);
            assert_rejected(&output, &[complaint]);
            assert!(output.stdout.is_empty(), "nothing is trained");
        }
    }
    // Games of random moves have no visit shares, so the policy network has nothing to learn from them.
    for (head, words, complaint) in [
        ("train policy", "", to_learn),
        ("train", "--target-mix 1.5", "from 0 to 1"),
    ] {
        assert_rejected(&train(head, &sound, &out, words), &[complaint]);
    }
    assert_eq!(fs::read_to_string(&letter).expect("there"), "# Dear all\n");
    assert!(!out.exists());
}
