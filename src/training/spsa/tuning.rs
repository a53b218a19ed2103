//! A running tuning: trials, their games, and the steps that follow.

use super::climb::{Axis, Climb, Trial};
use super::file::{FirstLine, Step, TuningHeader, shown};
use analysis::networks::ChosenNetworks;
use base::append::AppendFile;
use base::error::ToolError;
use base::journal::{self, JournalLine};
use base::schedule::{self, Fixture};
use base::workers::Team;
use engine::mcts::Params;
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Largest relative difference between numbers that count as equal.
const SAME: f32 = 1e-4;

/// A climb, with the file of its steps.
pub struct Tuning {
    pub header: TuningHeader,
    pub climb: Climb,
    networks: ChosenNetworks,
    steps: usize,
    file: Option<AppendFile>,
}

impl Tuning {
    /// A tuning at its start, or after the last step of a file to resume.
    ///
    /// # Errors
    /// If the file can't be read or written, or holds another tuning.
    pub fn new(
        header: TuningHeader,
        networks: ChosenNetworks,
        file: Option<&Path>,
        resume: bool,
    ) -> Result<Tuning, ToolError> {
        let first = FirstLine { spsa: header };
        let opened = file.map(|path| journal::open(path, &first, resume));
        let (append, content) = opened.transpose()?.unzip();
        let (header, lines) = match content {
            Some(content) => (content.header.spsa, content.lines),
            None => (first.spsa, Vec::new()),
        };
        let mut tuning = Tuning {
            climb: Climb::new(header.tuned.iter().map(axis).collect(), header.schedule),
            header,
            networks,
            steps: 0,
            file: append,
        };
        let name = file.unwrap_or(Path::new("")).display();
        for line in lines {
            match line {
                JournalLine::Header(line) => tuning.climb.end = line.spsa.pairs(),
                JournalLine::Record(step) => tuning
                    .replay(&step)
                    .map_err(|error| format!("{name}: {error}"))?,
            }
        }
        Ok(tuning)
    }

    /// Repeats a step of a file, and checks that it leads to the file's numbers.
    fn replay(&mut self, step: &Step) -> Result<(), String> {
        let expected = self.steps + 1;
        let trial = self.climb.trial().filter(|_| step.step == expected);
        let trial =
            trial.ok_or_else(|| format!("step {}: expected {expected} or the end", step.step))?;
        let theta = self.moved(&trial, step.result).theta;
        // The last digits may depend on the machine.
        let is_near = |(found, led): (&f32, &f32)| (found - led).abs() <= SAME * led.abs();
        let mut values = step.theta.values().zip(theta.values());
        if !step.theta.keys().eq(theta.keys()) || !values.all(is_near) {
            let [found, led] = [&step.theta, &theta].map(shown);
            return Err(format!(
                "step {expected}: theta {found}: expected {led}, where the results lead"
            ));
        }
        Ok(())
    }

    /// Plays the games of a trial and returns its result; nothing if they were broken off.
    ///
    /// # Errors
    /// If the cores can't be told, or no thread can be started.
    pub fn play(
        &self,
        trial: &Trial,
        concurrency: Option<usize>,
        stop: &AtomicBool,
        progress: &ProgressBar,
    ) -> Result<Option<i64>, ToolError> {
        let settings = [&trial.plus, &trial.minus].map(|numbers| self.setting(numbers));
        let first = 2 * self.climb.pairs as usize;
        let game = |number| Fixture {
            number,
            players: schedule::players(2, false, number),
            opening: number / 2,
        };
        let games = first..first + 2 * trial.pairs as usize;
        let games: Vec<Fixture> = games.map(game).collect();
        let broken_off = || stop.load(Ordering::SeqCst);
        let (conditions, networks) = (self.header.conditions, &self.networks.networks);
        let play = |game| conditions.play(game, settings, networks, broken_off);
        let mut winners = Vec::new();
        let team = Team::of_many(concurrency, games.len(), 1)?;
        team.run(&games, play, |winner| {
            winners.push(winner);
            progress.inc(1);
            Ok(())
        })?;
        let results = winners.iter().map(|&winner| 1 - 2 * winner as i64);
        Ok((winners.len() == games.len()).then(|| results.sum()))
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

    /// Takes a trial's result and records the step.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn take(&mut self, trial: &Trial, result: i64) -> Result<(), ToolError> {
        let step = self.moved(trial, result);
        self.file
            .as_mut()
            .map_or(Ok(()), |file| file.append_line(&step))
    }

    /// Updates the parameters by the result of a trial, and returns the step that was taken.
    fn moved(&mut self, trial: &Trial, result: i64) -> Step {
        self.climb.take(trial, result as f64);
        self.steps += 1;
        Step {
            step: self.steps,
            result,
            theta: self.theta(),
        }
    }

    /// The tuned numbers by name.
    fn theta(&self) -> BTreeMap<String, f32> {
        let names = self.header.tuned.keys().cloned();
        let values = self.climb.numbers.iter().map(|&value| value as f32);
        names.zip(values).collect()
    }

    /// The tuned numbers for the progress bar.
    pub fn values(&self) -> String {
        shown(&self.theta())
    }

    /// The result as text; the last line is a player of the arena.
    pub fn report(&self) -> String {
        let (done, all) = (self.climb.pairs, self.header.pairs());
        let mut text = format!("{done} of {all} pairs\n");
        let theta = self.theta();
        for (name, start) in &self.header.tuned {
            text += &format!("{name:<24}{start:>10.4} -> {:.4}\n", theta[name]);
        }
        text += &format!("self:iterations={}", self.header.conditions.iterations);
        for setting in self.networks.settings() {
            text += &format!(",{setting}");
        }
        for (name, value) in self.header.fixed.iter().chain(&theta) {
            text += &format!(",{name}={value}");
        }
        text + "\n"
    }
}

/// A number of the search with its start and its range in the table.
fn axis((name, &start): (&String, &f32)) -> Axis {
    let entry = Params::TABLE.iter().find(|entry| entry.0 == name);
    let &(_, _, min, max) = entry.expect("a name was checked");
    let [start, min, max] = [start, min, max].map(f64::from);
    Axis { start, min, max }
}
