//! Tests of `amazons spsa`: SPSA on a synthetic function, its games compared with the arena's, resumed files, and errors.

use crate::common::{Dice, assert_rejected, fresh_path, output, succeeded, text};
use analysis::level::Strength;
use base::schedule::{Shard, games_of_shard};
use engine::budget::Budget;
use engine::eval::Networks;
use engine::mcts::Params;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tools::player::spec::{Kind, PlayerSpec};
use training::spsa::conditions::Conditions;
use training::spsa::optimizer::{Schedule, SpsaState, TunedParam};

const SCHEDULE: Schedule = Schedule {
    pairs: 10_000,
    batch: 16,
    perturbation: 0.1,
    rate: 0.01,
    seed: 1,
};

/// Three parameters of different magnitudes that start far from the optimum [`BEST`].
const PARAMS: [TunedParam; 3] = [
    param(2.0, 0.1, 10.0),
    param(0.03, 0.01, 1.0),
    param(50.0, 1.0, 100.0),
];

/// Optimum of the synthetic function: the parameters that win most of the simulated games.
const BEST: [f64; 3] = [1.4, 0.04, 70.0];

const fn param(start: f64, min: f64, max: f64) -> TunedParam {
    TunedParam { start, min, max }
}

/// Returns the Euclidean distance of `point` from [`BEST`], in logarithms of the parameters.
fn distance(point: &[f64]) -> f64 {
    let numbers = point.iter().zip(BEST);
    let squares = numbers.map(|(value, best)| (value / best).ln().powi(2));
    squares.sum::<f64>().sqrt()
}

/// Simulates `games` games between the settings `plus` and `minus`. Returns games won minus games lost by `plus`. The win
/// probability is such that a distance of 0.3 from the optimum costs about 150 Elo.
fn play(dice: &mut Dice, plus: &[f64], minus: &[f64], games: u64) -> f64 {
    let advantage = 10.0 * (distance(minus).powi(2) - distance(plus).powi(2));
    let chance = 1.0 / (1.0 + (-advantage).exp());
    let game = |_| {
        if (dice.below(1 << 20) as f64) < chance * f64::from(1 << 20) {
            1.0
        } else {
            -1.0
        }
    };
    (0..games).map(game).sum()
}

fn optimize(schedule: Schedule) -> Vec<f64> {
    let mut state = SpsaState::new(PARAMS.to_vec(), schedule);
    let mut dice = Dice::new(schedule.seed);
    while let Some(trial) = state.next_trial() {
        let result = play(&mut dice, &trial.plus, &trial.minus, 2 * trial.pairs);
        state.update(&trial, result);
    }
    assert_eq!(state.pairs_played, schedule.pairs);
    state.values
}

#[test]
fn spsa_finds_the_optimum_despite_noise() {
    let start = PARAMS.map(|param| param.start);
    assert!(distance(&start) > 0.5);
    for seed in 0..10 {
        for batch in [1, 16] {
            let end = optimize(Schedule {
                seed,
                batch,
                ..SCHEDULE
            });
            assert!(distance(&end) < 0.12, "{end:?}");
        }
    }
}

/// Steps follow the formulas in `SpsaState`'s documentation, even beyond the scheduled number of pairs. Computed by hand for the
/// first of ten pairs: c = 0.1·10^0.101 = 0.126183, a = 0.01·0.1²·(11/2)^0.602 = 2.790605e-4. In the last scheduled step,
/// c and a follow directly from the given perturbation and rate.
#[test]
fn step_sizes_match_the_formulas() {
    let schedule = Schedule {
        pairs: 10,
        batch: 1,
        ..SCHEDULE
    };
    let mut state = SpsaState::new(vec![param(1.0, 0.0, 2.0)], schedule);
    for k in 1..=20 {
        if k == 11 {
            assert_eq!(state.next_trial(), None);
            state.total_pairs = 20;
        }
        let (trial, start) = (state.next_trial().expect("a step"), state.values[0].ln());
        let distance = 0.1 * (10.0 / f64::from(k)).powf(0.101);
        let gain = 0.01 * 0.1 * 0.1 * (11.0 / f64::from(1 + k)).powf(0.602);
        for (pair, by_hand) in [(1, [0.126_183, 2.790_605e-4]), (10, [0.1, 1e-4])] {
            let is_near = (distance - by_hand[0]).abs() < 1e-6 && (gain - by_hand[1]).abs() < 1e-9;
            assert!(k != pair || is_near, "{k}: {distance} {gain}");
        }
        let [plus, minus] = [&trial.plus, &trial.minus].map(|point| point[0].ln() - start);
        assert!((plus.abs() - distance).abs() < 1e-9 && trial.pairs == 1);
        assert!((plus + minus).abs() < 1e-9, "mirror images");
        state.update(&trial, -2.0);
        let step = -2.0 * gain / distance * plus.signum();
        assert!((state.values[0].ln() - start - step).abs() < 1e-9);
    }
    assert_eq!(state.next_trial(), None);
}

#[test]
fn parameters_stay_within_their_ranges() {
    let params = [param(1.0, 0.95, 1.02), param(0.5, 0.5, 4.0)];
    let mut state = SpsaState::new(
        params.to_vec(),
        Schedule {
            rate: 0.1,
            ..SCHEDULE
        },
    );
    let mut dice = Dice::new(3);
    let mut seen = [[false; 2]; 2];
    while let Some(trial) = state.next_trial() {
        for point in [&trial.plus[..], &trial.minus, &state.values] {
            for (value, param) in point.iter().zip(params) {
                assert!((param.min..=param.max).contains(value), "{point:?}");
            }
        }
        for (seen, (plus, minus)) in seen.iter_mut().zip(trial.plus.iter().zip(&trial.minus)) {
            seen[usize::from(plus > minus)] = true;
        }
        state.update(&trial, dice.below(33) as f64 - 16.0);
    }
    assert_eq!(seen, [[true; 2]; 2], "both signs occur");
}

/// Runs the program with the arguments `words`, separated by spaces.
fn amazons(words: &str) -> Output {
    output(&words.split_whitespace().collect::<Vec<_>>(), "")
}

fn spsa(words: &str) -> Output {
    amazons(&format!("spsa {words}"))
}

const fn conditions(plies: u8, seed: u64) -> Conditions {
    Conditions {
        iterations: 40,
        plies,
        seed,
    }
}

/// With the same settings and seed, every game has the same winner in SPSA as in the arena.
#[test]
fn games_equal_those_of_the_arena() {
    let weak = "self:iterations=40,temperature_amazon=10,temperature_arrow=10";
    let players = format!("--a self:iterations=40 --b {weak}");
    let out = amazons(&format!(
        "arena {players} --games 16 --plies 3 --seed 7 --json"
    ));
    let mut expected: Vec<(u64, u64)> = text(&out.stdout)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter_map(|game| {
            let winner = game["winner"].as_u64()? as usize;
            Some((game["game"].as_u64()?, game["players"][winner].as_u64()?))
        })
        .collect();
    expected.sort_unstable();
    let conditions = conditions(3, 7);
    let Kind::Engine(engine) = weak.parse::<PlayerSpec>().expect("a player").kind else {
        panic!("an engine")
    };
    let settings = [Params::default(), engine.search_settings.params];
    let all = Shard { index: 0, count: 1 };
    let played: Vec<(u64, u64)> = games_of_shard(2, false, 16, all)
        .into_iter()
        .map(|game| {
            let winner = conditions.play(game, settings, &Networks::default(), || false);
            (game.number as u64, winner.expect("not broken off") as u64)
        })
        .collect();
    assert_eq!(played, expected);
    for player in 0..2 {
        assert!(played.iter().any(|game| game.1 == player), "{played:?}");
    }
}

/// Arguments of a short tuning run of two parameters: one has a start value, and a third, untuned parameter is set.
const SMALL: &str = "--params temperature_arrow,explore_amazon --start explore_amazon=0.6,explore_arrow=0.5 \
    --pairs 11 --batch 3 --iterations 40 --rate 0.05 --seed 5";

/// Returns the arguments that extend the run [`SMALL`] to `pairs` pairs of games.
fn extend(pairs: u32) -> String {
    SMALL.replace("--pairs 11", &format!("--pairs {pairs} --resume"))
}

/// Runs `amazons spsa` with the arguments `words` and the file `path`.
fn run(path: &Path, words: &str) -> Output {
    spsa(&format!("{words} --out {}", path.display()))
}

/// Runs a tuning to its end, with the file `path`. Returns standard output and the text of the file.
fn complete(path: &Path, words: &str) -> (String, String) {
    let printed = succeeded(&run(path, words)).to_owned();
    (printed, fs::read_to_string(path).expect("written"))
}

#[test]
fn tuning_is_equal_for_any_number_of_threads() {
    let [one, three] = ["spsa_one.jsonl", "spsa_three.jsonl"].map(fresh_path);
    let first = complete(&one, &format!("{SMALL} --concurrency 1"));
    assert_eq!(first, complete(&three, &format!("{SMALL} --concurrency 3")));
    let lines = first.1.lines().count();
    assert_eq!(lines, 1 + 4, "a header; three, three, three, two pairs");
}

/// Replays the steps of [`SMALL`] with the library's own functions: the compared settings, their games and the results.
#[test]
fn results_count_the_wins_of_the_plus_setting() {
    let (_, lines) = complete(&fresh_path("spsa_results.jsonl"), SMALL);
    let conditions = conditions(2, 5);
    let temperature = f64::from(Params::default().temperature_arrow);
    let params = vec![param(0.6, 0.01, 5.0), param(temperature, 0.1, 10.0)];
    let mut state = SpsaState::new(
        params,
        Schedule {
            pairs: 11,
            batch: 3,
            rate: 0.05,
            seed: 5,
            ..SCHEDULE
        },
    );
    let all = Shard { index: 0, count: 1 };
    let mut games = games_of_shard(2, false, 22, all).into_iter();
    for line in lines.lines().skip(1) {
        let step: Value = serde_json::from_str(line).expect("JSON");
        let trial = state.next_trial().expect("a step");
        let settings = [&trial.plus, &trial.minus].map(|numbers| Params {
            explore_amazon: numbers[0] as f32,
            explore_arrow: 0.5,
            temperature_arrow: numbers[1] as f32,
            ..Params::default()
        });
        let played = games.by_ref().take(2 * trial.pairs as usize);
        let winners =
            played.map(|game| conditions.play(game, settings, &Networks::default(), || false));
        let result: i64 = winners
            .map(|winner| 1 - 2 * winner.expect("a winner") as i64)
            .sum();
        assert_eq!(step["result"], result);
        state.update(&trial, result as f64);
        for (at, name) in ["explore_amazon", "temperature_arrow"].iter().enumerate() {
            let number = step["theta"][name].as_f64().expect("a number");
            assert!((number - state.values[at]).abs() < 1e-6, "{step}");
        }
    }
    assert_eq!((state.next_trial(), games.next()), (None, None));
}

/// The last printed line is a player whose parameters equal those of the last step in the file.
#[test]
fn result_is_a_player_of_the_arena() {
    let (printed, lines) = complete(&fresh_path("spsa_player.jsonl"), SMALL);
    let player: PlayerSpec = printed
        .lines()
        .last()
        .expect("a line")
        .parse()
        .expect("a player");
    let Kind::Engine(engine) = player.kind else {
        panic!("an engine")
    };
    let last: Value = serde_json::from_str(lines.lines().last().expect("a step")).expect("JSON");
    let theta = |name: &str| last["theta"][name].as_f64().expect("a number") as f32;
    let expected = Params {
        explore_amazon: theta("explore_amazon"),
        explore_arrow: 0.5,
        temperature_arrow: theta("temperature_arrow"),
        ..Params::default()
    };
    assert_eq!(engine.search_settings.params, expected);
    assert_eq!(engine.strength, Strength::Budget(Budget::Iterations(40)));
    assert_ne!(expected.explore_amazon, 0.6, "it has moved");
}

#[test]
fn tuning_resumes_after_a_crash() {
    let path = fresh_path("spsa_resumed.jsonl");
    let whole = complete(&path, SMALL);
    let lines: Vec<&str> = whole.1.lines().collect();
    // As after a crash, the file has two complete steps, and the line of the third step is cut.
    let cut = lines[..3].join("\n") + "\n" + &lines[3][..20];
    fs::write(&path, &cut).expect("written");
    for (more, complaint) in [("", "--resume"), ("--resume --plies 4", "another schedule")] {
        assert_rejected(&run(&path, &format!("{SMALL} {more}")), &[complaint]);
        assert_eq!(fs::read_to_string(&path).expect("there"), cut, "left alone");
    }
    let resumed = format!("{SMALL} --resume");
    assert_eq!(complete(&path, &resumed), whole);
    assert_eq!(complete(&path, &resumed), whole, "nothing is left to do");
    fs::write(&path, [lines[0], lines[2]].join("\n") + "\n").expect("written");
    assert_rejected(&run(&path, &resumed), &["step 2: expected 1"]);
}

/// With more pairs, a finished run continues: its earlier steps stay in the file, and later steps are appended.
#[test]
fn finished_tuning_can_be_extended() {
    let path = fresh_path("spsa_longer.jsonl");
    let (_, before) = complete(&path, SMALL);
    let (printed, once) = complete(&path, &extend(17));
    assert!(printed.starts_with("17 of 17 pairs"), "{printed}");
    let (printed, after) = complete(&path, &extend(20));
    assert!(printed.starts_with("20 of 20 pairs"), "{printed}");
    assert!(once.starts_with(&before) && after.starts_with(&once));
    // Lines 0, 5 and 8 are headers: of the first run and its two extensions, followed by 4, 2 and 1 steps.
    let lines: Vec<&str> = after.lines().collect();
    let headers: Vec<usize> = (0..lines.len())
        .filter(|&at| lines[at].contains("\"spsa\""))
        .collect();
    assert_eq!((headers, lines.len()), (vec![0, 5, 8], 10));
    assert_eq!(complete(&path, &extend(20)).1, after);
    let out = run(&path, &extend(11));
    assert_rejected(&out, &["--pairs 11: expected 20 or more"]);
    // After a result in the file was changed, a replay does not lead to the parameters in the file.
    let mut step: Value = serde_json::from_str(lines[2]).expect("JSON");
    step["result"] = (if step["result"] == 2 { -2 } else { 2 }).into();
    fs::write(&path, after.replace(lines[2], &step.to_string())).expect("written");
    assert_rejected(&run(&path, &extend(20)), &["step 2: theta"]);
}

/// After Ctrl-C, the program prints the parameters of the last finished step, and the file ends with that complete step.
#[test]
fn interrupted_tuning_prints_its_parameters() {
    let path = fresh_path("spsa_interrupted.jsonl");
    let file = path.to_str().expect("UTF-8");
    let endless = "--params explore_arrow --iterations 5 --batch 1 --pairs 1000000";
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command
        .arg("spsa")
        .args(endless.split(' '))
        .args(["--out", file]);
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the program runs");
    let steps = || fs::read_to_string(&path).map_or(0, |lines| lines.lines().count());
    while steps() < 4 {
        assert_eq!(child.try_wait().expect("a child"), None, "it goes on");
        sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_raw(child.id() as i32);
    kill(pid, Signal::SIGINT).expect("it runs");
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(out.status.code(), Some(130));
    let lines = fs::read_to_string(&path).expect("there");
    let last: Value = serde_json::from_str(lines.lines().last().expect("a step")).expect("JSON");
    assert!(last["step"].as_u64() >= Some(3));
    let player = text(&out.stdout).lines().last().expect("a player");
    assert_eq!(
        player,
        format!(
            "self:iterations=5,explore_arrow={}",
            last["theta"]["explore_arrow"]
        )
    );
}

#[test]
fn errors_name_the_bad_argument() {
    let other = fresh_path("spsa_other.jsonl");
    fs::write(&other, "{\"arena\":{}}\n").expect("written");
    let other = other.to_str().expect("UTF-8");
    let other = format!("--params explore_arrow --resume --out {other}");
    for (words, complaints) in [
        ("", &["--params"][..]),
        ("--params speed", &["'speed'", "explore_amazon"]),
        ("--params explore_amazon,", &["--params", "explore_amazon"]),
        ("--start explore_arrow", &["'explore_arrow'", "NAME=VALUE"]),
        (
            "--start explore_arrow=much",
            &["'explore_arrow=much'", "NAME=VALUE"],
        ),
        (
            "--start explore_arrow=9",
            &["explore_arrow = 9", "0.01 to 5"],
        ),
        ("--start speed=1", &["\"speed\"", "known: explore_amazon"]),
        (
            "--params explore_growth --start explore_growth=0",
            &["explore_growth begins with 0", "--start"],
        ),
        ("--pairs 0", &["'0'", "--pairs", "1.."]),
        ("--rate 1.5", &["'1.5'", "--rate", "above 0 and below 1"]),
        (
            "--perturbation nan",
            &["'nan'", "--perturbation", "above 0 and below 1"],
        ),
        (&other, &["spsa_other.jsonl:1", "expected steps of spsa"]),
    ] {
        assert_rejected(&spsa(words), complaints);
    }
}

/// Ctrl-C stops a search that would take hours, and the unfinished step is not written.
#[test]
fn interrupt_stops_a_long_search() {
    let path = fresh_path("spsa_long_turn.jsonl");
    let words = "spsa --params explore_arrow --iterations 1000000000000";
    let args: Vec<&str> = words.split(' ').collect();
    assert_eq!(crate::common::interrupt_after_file(&args, &path), Some(130));
    assert!(fs::read_to_string(&path).expect("there").lines().count() <= 1);
}
