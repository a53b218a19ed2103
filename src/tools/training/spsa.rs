//! `amazons spsa`: tunes the numbers of the search through games of the engine against itself.

pub mod climb;
pub mod game;

use crate::console::print;
use crate::mcts::Params;
use crate::tools::player::schedule::{self, Fixture, Shard};
use crate::tools::player::spec::known_params;
use crate::tools::support::error::ToolError;
use crate::tools::support::journal::{self, Journal, JournalLine, difference};
use crate::tools::support::progress;
use crate::tools::support::workers;
use clap::builder::PossibleValuesParser;
use climb::{Axis, Climb, Schedule, Trial};
use game::Conditions;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Largest share by which numbers differ that are thought the same.
const SAME: f32 = 1e-4;

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
    /// Pairs of games in all; both games of a pair have the same opening, with the colours changed. With
    /// --resume more than before: steps go on to shrink as they would have, with the distance and rate given
    /// reached at the first number
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
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
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
    let stop = workers::stop_on_interrupt()?;
    let mut tuning = Tuning::new(args)?;
    let progress = progress(&tuning);
    while let Some(trial) = tuning.climb.trial() {
        let Some(result) =
            tuning.play(&trial, args.concurrency.map(usize::from), stop, &progress)?
        else {
            break;
        };
        tuning.take(&trial, result)?;
        progress.set_message(tuning.values());
    }
    progress.finish_and_clear();
    print(tuning.report())?;
    Ok(if stop.load(Ordering::SeqCst) {
        workers::INTERRUPTED
    } else {
        0
    })
}

fn progress(tuning: &Tuning) -> ProgressBar {
    let what = "games, {per_sec}, {eta} to go\n{msg}";
    progress::bar(2 * tuning.header.pairs(), what)
        .with_position(2 * tuning.climb.pairs())
        .with_message(tuning.values())
}

/// What is done: files whose headers differ in nothing but the number of pairs hold steps of one climb.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TuningHeader {
    /// Starts of the numbers that are tuned.
    tuned: BTreeMap<String, f32>,
    /// Values of the others, where they are not the defaults.
    fixed: BTreeMap<String, f32>,
    schedule: Schedule,
    conditions: Conditions,
    /// Pairs of games in all, if that became more than the schedule was made for. The steps are still the
    /// schedule's: those already made stay what they are, and the sequence goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lengthened: Option<u64>,
}

impl TuningHeader {
    /// Pairs of games in all.
    fn pairs(&self) -> u64 {
        self.lengthened.unwrap_or(self.schedule.pairs)
    }
}

/// The first line of a file: tells that it holds steps of this tool.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct FirstLine {
    spsa: TuningHeader,
}

impl journal::Header for FirstLine {
    type Record = Step;

    const WHAT: &'static str = "steps of spsa";

    fn differences(&self, expected: &FirstLine) -> Vec<String> {
        let (found, expected) = (&self.spsa, &expected.spsa);
        let schedules = (&found.schedule, &expected.schedule);
        let conditions = (&found.conditions, &expected.conditions);
        [
            difference(
                "--params",
                listed(found.tuned.keys()),
                listed(expected.tuned.keys()),
            ),
            difference("starts", shown(&found.tuned), shown(&expected.tuned)),
            difference("other numbers", shown(&found.fixed), shown(&expected.fixed)),
            difference("--batch", schedules.0.batch, schedules.1.batch),
            difference(
                "--perturbation",
                schedules.0.perturbation,
                schedules.1.perturbation,
            ),
            difference("--rate", schedules.0.rate, schedules.1.rate),
            difference("--seed", schedules.0.seed, schedules.1.seed),
            difference(
                "--iterations",
                conditions.0.iterations,
                conditions.1.iterations,
            ),
            difference("--plies", conditions.0.plies, conditions.1.plies),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn lengthened(&self, wanted: &FirstLine) -> Result<FirstLine, String> {
        let (first, pairs, wanted) = (
            self.spsa.schedule.pairs,
            self.spsa.pairs(),
            wanted.spsa.pairs(),
        );
        if wanted < pairs {
            return Err(format!(
                "--pairs {wanted}: expected {pairs} or more, as there are"
            ));
        }
        let mut spsa = self.spsa.clone();
        spsa.lengthened = (wanted > first).then_some(wanted);
        Ok(FirstLine { spsa })
    }

    fn check(&self) -> Result<(), String> {
        match self.spsa.schedule.pairs {
            0 => Err("0 pairs: expected 1 or more".to_owned()),
            _ => Ok(()),
        }
    }

    fn check_record(&self, step: &Step) -> Result<(), String> {
        let games = 2 * self.spsa.schedule.batch.min(self.spsa.pairs()) as i64;
        if step.result.abs() > games || step.result % 2 != 0 {
            let (number, result) = (step.step, step.result);
            return Err(format!(
                "step {number}: result {result}: expected an even number up to {games}"
            ));
        }
        Ok(())
    }

    fn number(step: &Step) -> usize {
        step.step
    }
}

/// Words with commas between.
fn listed(words: impl Iterator<Item = impl ToString>) -> String {
    words
        .map(|word| word.to_string())
        .collect::<Vec<_>>()
        .join(",")
}

/// Numbers as the command line has them.
fn shown(numbers: &BTreeMap<String, f32>) -> String {
    match numbers.is_empty() {
        true => "none".to_owned(),
        false => listed(
            numbers
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        ),
    }
}

/// A step as a line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    header: TuningHeader,
    climb: Climb,
    games: Vec<Fixture>,
    steps: usize,
    file: Option<Journal>,
}

impl Tuning {
    fn new(args: &Args) -> Result<Tuning, ToolError> {
        let header = header(args)?;
        let Some(path) = &args.out else {
            return Ok(Tuning::begin(header));
        };
        let first = FirstLine { spsa: header };
        let (file, content) = Journal::open(path, &first, args.resume)?;
        let mut tuning = Tuning::begin(TuningHeader {
            lengthened: None,
            ..content.header.spsa
        });
        let mut replay = content.lines.into_iter();
        let replayed = replay.try_for_each(|line| tuning.replay(line));
        replayed.map_err(|error| format!("{}: {error}", path.display()))?;
        tuning.file = Some(file);
        Ok(tuning)
    }

    fn begin(header: TuningHeader) -> Tuning {
        let climb = Climb::new(header.tuned.iter().map(axis).collect(), header.schedule);
        let mut tuning = Tuning {
            header: header.clone(),
            climb,
            games: Vec::new(),
            steps: 0,
            file: None,
        };
        tuning.lengthen(header);
        tuning
    }

    /// Goes on to as many pairs as a header says that differs in nothing else.
    fn lengthen(&mut self, header: TuningHeader) {
        let all = Shard { index: 0, count: 1 };
        self.games = schedule::games(2, false, 2 * header.pairs() as usize, all);
        self.climb.lengthen(header.pairs());
        self.header = header;
    }

    /// Takes the result of a line once more, which leads to where the line ended.
    fn replay(&mut self, line: JournalLine<FirstLine, Step>) -> Result<(), String> {
        let step = match line {
            JournalLine::Header(line) => {
                self.lengthen(line.spsa);
                return Ok(());
            }
            JournalLine::Record(step) => step,
        };
        let expected = self.steps + 1;
        let trial = self.climb.trial().filter(|_| step.step == expected);
        let trial =
            trial.ok_or_else(|| format!("step {}: expected {expected} or the end", step.step))?;
        self.climb.take(&trial, step.result as f64);
        self.steps = expected;
        let theta = self.theta();
        // The last digits may depend on the machine.
        let is_near = |(name, &value): (&String, &f32)| {
            let found = step.theta.get(name).copied().unwrap_or(f32::NAN);
            (found - value).abs() <= SAME * value.abs()
        };
        if theta.len() != step.theta.len() || !theta.iter().all(is_near) {
            let [found, led] = [&step.theta, &theta].map(shown);
            return Err(format!(
                "step {expected}: theta {found}: expected {led}, where the results lead"
            ));
        }
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
        self.file.as_mut().map_or(Ok(()), |file| file.append(&step))
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
        let (done, all) = (self.climb.pairs(), self.header.pairs());
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
fn header(args: &Args) -> Result<TuningHeader, ToolError> {
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
    Ok(TuningHeader {
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
        lengthened: None,
    })
}

/// A number of the search with its start and its range in the table.
fn axis((name, &start): (&String, &f32)) -> Axis {
    let entry = Params::TABLE.iter().find(|entry| entry.0 == name);
    let &(_, _, min, max) = entry.expect("a name was checked");
    let [start, min, max] = [start, min, max].map(f64::from);
    Axis { start, min, max }
}
