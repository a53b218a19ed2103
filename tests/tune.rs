//! Tests of `amazons tune`: samples made from games, the regression on synthetic data, and the written files.

use crate::common::games::{games_file, random_game};
use crate::common::{assert_rejected, output, succeeded, text};
use engine::board::{Board, Player};
use engine::eval::weights::{self, COLUMNS, KNOTS, Knots, SIDE_TO_MOVE, knots};
use engine::eval::{Features, UNITS, evaluate_board, log_odds, probability};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use training::games::{SelfPlayGame, is_held_out};
use training::samples::{self, Dataset};
use training::tune::fit;
use training::tune::output::to_source;
use training::tune::regressors::{RegressionSampler, Sample};

fn path(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tune_{name}"));
    path.to_str().expect("UTF-8").to_owned()
}

/// Runs `amazons tune` with the arguments `words`, separated by single spaces.
fn tune(words: &str) -> Output {
    let words: Vec<&str> = ["tune"].into_iter().chain(words.split(' ')).collect();
    output(&words, "")
}

/// Runs `amazons tune` and checks that the arguments are rejected. Returns the error message.
fn expect_rejection(words: &str) -> String {
    let output = tune(words);
    assert_rejected(&output, &[]);
    assert!(output.stdout.is_empty());
    text(&output.stderr).to_owned()
}

/// Writes games into a file called `name`. Returns the file's path.
fn file(name: &str, games: impl Iterator<Item = SelfPlayGame>) -> String {
    let path = path(name);
    fs::write(&path, games_file(games)).expect("the folder can be written");
    path
}

/// Returns the regression samples of a game.
fn samples_of(game: &SelfPlayGame) -> Vec<Sample> {
    samples::samples_of_game(&RegressionSampler, game, false).collect()
}

/// Each position after the opening gives a sample with the features of the evaluation and the game's result.
#[test]
fn samples_are_the_positions_after_the_opening() {
    for number in 0..20 {
        let opening = number as u8 % 8;
        let game = random_game(number, opening);
        let samples = samples_of(&game);
        assert_eq!(samples.len(), game.plies.len() - usize::from(opening));
        let mut board = Board::start();
        for (ply, turn) in game.plies.iter().map(|ply| ply.turn).enumerate() {
            if let Some(at) = ply.checked_sub(opening.into()) {
                check_sample(&samples[at], &board, game.winner);
            }
            board.play(turn).expect("legal");
        }
    }
    // With noise at ply 6, positions up to ply 6 are left out; the opening of three plies has no samples anyway.
    let mut game = random_game(1, 3);
    let sound = samples_of(&game);
    game.plies[6].is_noise = true;
    assert_eq!(samples_of(&game), sound[4..]);
}

fn check_sample(sample: &Sample, board: &Board, winner: u8) {
    let [black, white] = [Player::Black, Player::White].map(|player| board.amazons(player));
    let components = Features::<u64>::compute(black, white, board.empty()).terms();
    let component = |at: usize| components[at] as i64 as f64 / UNITS[at];
    let mut values: Vec<f64> = (0..components.len()).map(component).collect();
    let is_black = board.to_move() == Player::Black;
    values.insert(SIDE_TO_MOVE, if is_black { 1.0 } else { -1.0 });
    for (value, expected) in sample.features.iter().zip(values) {
        assert!((f64::from(*value) - expected).abs() < 1e-4);
    }
    assert_eq!(usize::from(sample.arrows), board.arrow_count());
    assert_eq!(sample.result, f32::from(1 - winner));
}

/// The loss of a sample that black won is the log-loss of the evaluation's log-odds.
#[test]
fn regression_model_equals_the_evaluation() {
    for number in 0..5 {
        let game = random_game(number, 0);
        let samples = samples_of(&game);
        let mut board = Board::start();
        for (sample, ply) in samples.into_iter().zip(&game.plies) {
            let black_won = Sample {
                result: 1.0,
                ..sample
            };
            let loss = fit::loss(&[black_won], knots());
            let expected = (-f64::from(log_odds(evaluate_board(&board)))).exp().ln_1p();
            assert!(
                (loss - expected).abs() < 1e-3 * (1.0 + expected),
                "{loss} {expected}"
            );
            board.play(ply.turn).expect("legal");
        }
    }
}

#[test]
fn one_game_in_ten_is_held_out() {
    let held_out = (0..10_000).filter(|&number| is_held_out(number)).count();
    assert!((900..1100).contains(&held_out), "{held_out}");
    let low = (0..100).filter(|&number| is_held_out(number)).count();
    assert!((4..=18).contains(&low), "{low}");
}

/// Generates `count` samples with random features. Their results are drawn with the win probabilities by the weights `table`.
fn random_samples(table: &Knots, count: usize, seed: u64) -> Vec<Sample> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut uniform = move || (rng.next_u32() as f32 + 0.5) / 4_294_967_296.0;
    let sample = |_| {
        let arrows = (uniform() * 50.0) as u8;
        let mut values = [0.0; COLUMNS];
        for (column, value) in values.iter_mut().enumerate() {
            // Features have different scales, as in the evaluation.
            *value = (2.0 * uniform() - 1.0) * (1 + column % 3) as f32;
        }
        let weights = weights::interpolated(table, arrows.into());
        let odds: f64 = weights
            .iter()
            .zip(values)
            .map(|(w, x)| w * f64::from(x))
            .sum();
        let result = f32::from(u8::from(uniform() < probability(odds as f32)));
        Sample {
            arrows,
            features: values,
            result,
        }
    };
    (0..count).map(sample).collect()
}

#[test]
fn fit_recovers_known_weights() {
    let truth: Knots = std::array::from_fn(|knot| {
        std::array::from_fn(|column| {
            let sign = if column % 2 == 0 { 1.0 } else { -1.0 };
            sign * (0.4 + 0.08 * knot as f64)
        })
    });
    let mut samples = random_samples(&truth, 60_000, 1);
    let held_out = random_samples(&truth, 20_000, 2);
    let start = knots();
    let found = fit::fit(&mut samples, &held_out, start);
    let [before, after, best] = [start, &found, &truth].map(|table| fit::loss(&held_out, table));
    assert!(after < before - 0.1, "{before} {after}");
    assert!(after < best + 0.003, "{after}, with the true table {best}");
    for knot in 0..=8 {
        for column in 0..COLUMNS {
            let (found, truth) = (found[knot][column], truth[knot][column]);
            assert!(
                (found - truth).abs() < 0.3 && found * truth > 0.0,
                "{knot} {column}: {found} {truth}"
            );
        }
    }
    // The last knot has no samples. Regularisation keeps its weights near those of knot 8, the last one with samples.
    for (last, seen) in found[KNOTS - 1].iter().zip(found[8]) {
        assert!((last - seen).abs() < 1.0, "{last} {seen}");
    }
}

/// A training set with random results does not make the weights worse on the held-out set.
#[test]
fn held_out_loss_never_grows() {
    let start = knots();
    for (count, seed) in [(1, 10), (40, 20), (3000, 30)] {
        let noise = random_samples(&[[0.0; COLUMNS]; KNOTS], count, seed);
        let held_out = random_samples(start, 2000, seed + 1);
        let found = fit::fit(&mut noise.clone(), &held_out, start);
        assert!(fit::loss(&held_out, &found) <= fit::loss(&held_out, start));
        assert!(found.iter().flatten().all(|weight| weight.is_finite()));
    }
}

/// Writing the compiled-in weights reproduces the source file of the bot, except for its header.
#[test]
fn written_weights_equal_the_bots_source_file() {
    let written = to_source("a table\n- note: two words\n", knots());
    let compiled =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/engine/eval/weights/table.rs");
    let compiled = fs::read_to_string(compiled).expect("the table is there");
    let code = |text: &str| text[text.find("\nuse super::Knots;").expect("code")..].to_owned();
    assert_eq!(code(&written), code(&compiled));
    assert!(written.starts_with("//! a table\n//! - note: two words\n\nuse "));
}

#[test]
fn tune_prints_losses_and_writes_files() {
    let games = file("games", (0..120).map(|number| random_game(number, 2)));
    let more = file("more", (200..230).map(|number| random_game(number, 4)));
    let out = path("table.rs");
    let words = format!("{games} {more} --out {out} --note random\ngames");
    let output = tune(&words);
    let data =
        Dataset::read(&[games.into(), more.into()], &RegressionSampler).expect("sound games");
    let (held_out, positions) = (data.held_out_games, data.samples());
    let report: Vec<&str> = succeeded(&output).lines().collect();
    let first = format!("150 games, {held_out} of them held out; {positions} positions");
    assert_eq!(report[0], first);
    let [overall, "the table is written"] = report[report.len() - 2..] else {
        panic!("two last lines: {report:?}");
    };
    let numbers = overall.split_whitespace().skip(1);
    let numbers: Vec<f64> = numbers
        .map(|word| word.parse().expect("a number"))
        .collect();
    assert!(
        overall.starts_with("all ") && numbers[2] <= numbers[1],
        "{overall}"
    );
    let written = fs::read_to_string(out).expect("written");
    for fact in [
        &format!("//! - {first}\n"),
        "//! - commit ",
        &format!("//!   {overall}\n"),
        "note: random games\n",
    ] {
        assert!(written.contains(fact), "{fact}");
    }
    let is_row = |line: &&str| line.starts_with("    [") && line.split(", ").count() == COLUMNS;
    assert_eq!(written.lines().filter(is_row).count(), KNOTS);
}

#[test]
fn errors_name_the_input_file() {
    let sound = file("sound", [random_game(0, 2)].into_iter());
    let bare = file("bare", std::iter::empty());
    let [other, missing] = ["other", "missing"].map(path);
    fs::write(&other, "{\"log\": []}").expect("written");
    for (file, what) in [
        (&missing, "No such file"),
        (&other, "expected a file of self-play games"),
        (&bare, "found none"),
    ] {
        let text = expect_rejection(&format!("{sound} {file}"));
        assert!(text.contains(what), "{text}");
        assert_eq!(text.matches(file.as_str()).count(), 1, "{text}");
    }
    let text = expect_rejection(&sound);
    assert!(
        text.contains("and to hold out"),
        "one game can't be split: {text}"
    );
}

/// Output paths are checked before the fit. Files with other content, such as the games themselves, are never overwritten.
#[test]
fn unwritable_outputs_are_rejected() {
    let games = file("targets", (0..120).map(|number| random_game(number, 2)));
    let before = fs::read(&games).expect("there");
    let letter = path("letter");
    fs::write(&letter, "Dear all").expect("written");
    for (words, complaint) in [
        (
            format!("--out {games}"),
            "is there and is not a table of weights",
        ),
        (format!("--out {letter}"), "is there and is not a table"),
        (
            "--out /nowhere/table.rs".to_owned(),
            "/nowhere/table.rs: No such file",
        ),
        ("--out /dev/full".to_owned(), "/dev/full: No space left"),
    ] {
        let text = expect_rejection(&format!("{games} {words}"));
        assert!(text.contains(complaint), "{text}");
    }
    assert_eq!(fs::read(&games).expect("there"), before);
    assert_eq!(fs::read(&letter).expect("there"), b"Dear all");
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command
        .args(["tune", &games])
        .stdout(full.expect("a device"));
    assert_rejected(
        &command.output().expect("the program runs"),
        &["No space left"],
    );
}
