//! `amazons spsa`: tunes the numbers of the search through games of the engine against itself.

pub mod climb;
pub mod game;

use super::ToolError;
use super::arena::schedule::{self, Game, Shard};
use super::journal;
use super::spec::known_params;
use super::workers;
use crate::mcts::Params;
use clap::builder::PossibleValuesParser;
use climb::{Axis, Climb, Schedule, Trial};
use game::Conditions;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// What messages call the lines of such a file.
const WHAT: &str = "steps of spsa";

/// Tune numbers of the search through games of the engine against itself
///
/// A step moves all numbers up or down by chance, plays the setting so reached against the one on the
/// other side, and goes towards the winner (SPSA; Spall 1992). The last line that is printed names the
/// tuned setting as a player of the arena.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Numbers to be tuned
    #[arg(long, value_name = "NAME,…", required = true, value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Params::TABLE.iter().map(|entry| entry.0)))]
    params: Vec<String>,
    /// Values to begin with instead of the defaults; numbers that are not tuned keep them
    #[arg(long, value_name = "NAME=VALUE,…", value_delimiter = ',', value_parser = start)]
    start: Vec<(String, f32)>,
    /// Pairs of games in all; both games of a pair have the same opening, with the colours changed
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: u64,
    /// Pairs of games a step, played at the same time
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
    /// Iterations a move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// How far from the present setting the last step plays: 0.1 makes every number some 10 % larger
    /// or smaller; the first steps play two to three times as far
    #[arg(long, value_name = "F", default_value_t = 0.1, value_parser = share)]
    perturbation: f64,
    /// Share of that distance by which a game moves the setting: 0.002 suits tens of thousands of
    /// games, 0.01 is quicker and leaves more to chance
    #[arg(long, value_name = "F", default_value_t = 0.002, value_parser = share)]
    rate: f64,
    /// Random plies of an opening, 0 to 20
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=20))]
    plies: u8,
    /// Seed of openings, searches and steps
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, each on a core of its own [default: the cores there are]
    #[arg(long)]
    concurrency: Option<usize>,
    /// File to which every step is appended when it ends
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on after the last step of the file
    #[arg(long, requires = "out")]
    resume: bool,
}

/// Reads a number and its start on the command line.
fn start(word: &str) -> Result<(String, f32), String> {
    let (name, value) = word
        .split_once('=')
        .and_then(|(name, value)| Some((name, value.parse().ok()?)))
        .ok_or("expected NAME=VALUE with a number for a value")?;
    Params::default()
        .set(name, value)
        .map_err(|error| format!("{error}; known: {}", known_params()))?;
    Ok((name.to_owned(), value))
}

/// Reads a number above 0 and below 1 on the command line.
fn share(word: &str) -> Result<f64, String> {
    let share = word.parse().ok();
    share
        .filter(|&share| 0.0 < share && share < 1.0)
        .ok_or_else(|| "expected a number above 0 and below 1".to_owned())
}

/// Tunes and prints the result; returns the exit code.
///
/// # Errors
/// If the file can't be read or written, or the arguments do not go together.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let mut tuning = Tuning::new(args)?;
    let progress = progress(&tuning);
    let stop = workers::stop_on_interrupt()?;
    while let Some(trial) = tuning.climb.trial() {
        let Some(result) = tuning.play(&trial, args.concurrency, stop, &progress)? else {
            break;
        };
        tuning.take(&trial, result)?;
        progress.set_message(tuning.values());
    }
    progress.finish_and_clear();
    print!("{}", tuning.report());
    Ok(if stop.load(Ordering::SeqCst) {
        workers::INTERRUPTED
    } else {
        0
    })
}

fn progress(tuning: &Tuning) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} to go\n{msg}");
    ProgressBar::new(2 * tuning.header.schedule.pairs)
        .with_position(2 * tuning.climb.pairs())
        .with_message(tuning.values())
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// What is done: two files with equal headers hold steps of one climb.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// Starts of the numbers that are tuned.
    tuned: BTreeMap<String, f32>,
    /// Values of the others, where they are not the defaults.
    fixed: BTreeMap<String, f32>,
    schedule: Schedule,
    conditions: Conditions,
}

/// The first line of a file: tells that it holds steps of this tool.
#[derive(PartialEq, Serialize, Deserialize)]
struct FirstLine {
    spsa: Header,
}

/// A line of a file.
#[derive(Serialize, Deserialize)]
struct Step {
    /// Number of the step, from 1.
    step: usize,
    /// Games won by the setting in the direction of the signs, less those lost.
    result: i64,
    /// The numbers after the step.
    theta: BTreeMap<String, f32>,
}

/// A climb, with the file of its steps.
struct Tuning {
    header: Header,
    climb: Climb,
    games: Vec<Game>,
    steps: usize,
    file: Option<File>,
}

impl Tuning {
    fn new(args: &Args) -> Result<Tuning, ToolError> {
        let header = header(args)?;
        let climb = Climb::new(header.tuned.iter().map(axis).collect(), header.schedule);
        let all = Shard { index: 0, count: 1 };
        let mut tuning = Tuning {
            games: schedule::games(2, false, 2 * args.pairs as usize, all),
            header,
            climb,
            steps: 0,
            file: None,
        };
        if let Some(path) = &args.out {
            tuning.open(path, args.resume)?;
        }
        Ok(tuning)
    }

    /// Opens the file and takes its results once more, which leads to where its last line ends.
    fn open(&mut self, path: &Path, resume: bool) -> Result<(), ToolError> {
        let first = FirstLine {
            spsa: self.header.clone(),
        };
        let (file, steps) = journal::open::<_, Step>(path, &first, resume, WHAT)?;
        for step in steps {
            let expected = self.steps + 1;
            let trial = self.climb.trial().filter(|_| step.step == expected);
            let trial = trial.ok_or_else(|| {
                let name = path.display();
                format!("{name}: step {}: expected {expected} or the end", step.step)
            })?;
            self.climb.take(&trial, step.result as f64);
            self.steps = expected;
        }
        self.file = Some(file);
        Ok(())
    }

    /// Plays the games of a trial and tells its result; nothing if they were broken off.
    fn play(
        &self,
        trial: &Trial,
        concurrency: Option<usize>,
        stop: &AtomicBool,
        progress: &ProgressBar,
    ) -> Result<Option<i64>, ToolError> {
        let settings = [&trial.plus, &trial.minus].map(|numbers| self.setting(numbers));
        let first = 2 * self.climb.pairs() as usize;
        let games = &self.games[first..first + 2 * trial.pairs as usize];
        let broken_off = || stop.load(Ordering::SeqCst);
        let play = |game| self.header.conditions.play(game, settings, broken_off);
        let mut winners = Vec::new();
        workers::run(games, concurrency, play, |winner| {
            winners.push(winner);
            progress.inc(1);
            Ok(())
        })?;
        let result = winners
            .iter()
            .map(|&winner| if winner == 0 { 1 } else { -1 });
        Ok((winners.len() == games.len()).then(|| result.sum()))
    }

    /// The search's numbers with some of them tuned.
    fn setting(&self, numbers: &[f64]) -> Params {
        let mut params = Params::default();
        for (name, &value) in &self.header.fixed {
            params.set(name, value).expect("a start was checked");
        }
        for (name, &value) in self.header.tuned.keys().zip(numbers) {
            params.set(name, value as f32).expect("within its range");
        }
        params
    }

    /// Moves on from a trial and writes the step down.
    fn take(&mut self, trial: &Trial, result: i64) -> Result<(), ToolError> {
        self.climb.take(trial, result as f64);
        self.steps += 1;
        let step = Step {
            step: self.steps,
            result,
            theta: self.theta(),
        };
        self.file
            .as_mut()
            .map_or(Ok(()), |file| journal::write(file, &step))
    }

    /// The tuned numbers by name.
    fn theta(&self) -> BTreeMap<String, f32> {
        let names = self.header.tuned.keys().cloned();
        let values = self.climb.numbers().iter().map(|&value| value as f32);
        names.zip(values).collect()
    }

    /// The tuned numbers for the progress bar.
    fn values(&self) -> String {
        let show = |(name, value)| format!("{name} {value:.4}");
        let shown: Vec<String> = self.theta().into_iter().map(show).collect();
        shown.join(", ")
    }

    /// What has come out; the last line is a player of the arena.
    fn report(&self) -> String {
        let (done, all) = (self.climb.pairs(), self.header.schedule.pairs);
        let mut text = format!("{done} of {all} pairs\n");
        let theta = self.theta();
        for (name, start) in &self.header.tuned {
            writeln!(text, "{name:<24}{start:>10.4} -> {:.4}", theta[name])
                .expect("a string takes everything");
        }
        write!(
            text,
            "self:iterations={}",
            self.header.conditions.iterations
        )
        .expect("a string takes everything");
        for (name, value) in self.header.fixed.iter().chain(&theta) {
            write!(text, ",{name}={value}").expect("a string takes everything");
        }
        text + "\n"
    }
}

/// What the command line asks for.
fn header(args: &Args) -> Result<Header, ToolError> {
    let mut fixed: BTreeMap<String, f32> = args.start.iter().cloned().collect();
    let mut tuned = BTreeMap::new();
    for &(name, default, ..) in Params::TABLE {
        if args.params.iter().any(|param| param == name) {
            let start = fixed.remove(name).unwrap_or(default);
            if start <= 0.0 {
                let fault = format!("{name} begins with {start}: expected --start above 0");
                return Err(fault.into());
            }
            tuned.insert(name.to_owned(), start);
        }
    }
    Ok(Header {
        tuned,
        fixed,
        schedule: Schedule {
            pairs: args.pairs,
            batch: args.batch,
            perturbation: args.perturbation,
            rate: args.rate,
            seed: args.seed,
        },
        conditions: Conditions {
            iterations: args.iterations,
            plies: args.plies.into(),
            seed: args.seed,
        },
    })
}

/// A number of the search with its start and its range in the table.
fn axis((name, &start): (&String, &f32)) -> Axis {
    let entry = Params::TABLE.iter().find(|entry| entry.0 == name);
    let &(_, _, min, max) = entry.expect("a name was checked");
    let [start, min, max] = [start, min, max].map(f64::from);
    Axis { start, min, max }
}
