//! A tuning run: plays the games of each SPSA step, updates the parameters and records the step in a file.

use super::file::{FirstLine, Step, TuningHeader, format_params};
use super::optimizer::{SpsaState, Trial, TunedParam};
use analysis::networks::ChosenNetworks;
use base::append::AppendFile;
use base::error::ToolError;
use base::journal::{self, JournalLine};
use base::schedule::{self, ScheduledGame};
use base::workers::WorkerPool;
use engine::mcts::Params;
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Relative tolerance when the steps of a file are compared with their replay.
const REPLAY_TOLERANCE: f32 = 1e-4;

/// A tuning run: the SPSA state and the file in which its steps are recorded.
pub struct Tuning {
    pub header: TuningHeader,
    pub state: SpsaState,
    networks: ChosenNetworks,
    steps: usize,
    file: Option<AppendFile>,
}

impl Tuning {
    /// Returns a new tuning run or, with `resume`, the run in `file` after its last step.
    ///
    /// # Errors
    /// - If the file can't be read or written, or exists and `resume` is false.
    /// - If the file belongs to a run with other settings, or the replay of its steps gives other parameters.
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
            state: SpsaState::new(
                header.tuned.iter().map(tuned_param).collect(),
                header.schedule,
            ),
            header,
            networks,
            steps: 0,
            file: append,
        };
        let name = file.unwrap_or(Path::new("")).display();
        for line in lines {
            match line {
                JournalLine::Header(line) => tuning.state.total_pairs = line.spsa.pairs(),
                JournalLine::Record(step) => tuning
                    .replay(&step)
                    .map_err(|error| format!("{name}: {error}"))?,
            }
        }
        Ok(tuning)
    }

    /// Replays a step of the file from its recorded result.
    ///
    /// # Errors
    /// If the step is out of order, or the replay gives other parameters than the file.
    fn replay(&mut self, step: &Step) -> Result<(), String> {
        let expected = self.steps + 1;
        let trial = self.state.trial().filter(|_| step.step == expected);
        let trial =
            trial.ok_or_else(|| format!("step {}: expected {expected} or the end", step.step))?;
        let theta = self.update(&trial, step.result).theta;
        // Other machines may compute `exp` and `powf` with slightly different results.
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= REPLAY_TOLERANCE * b.abs();
        let mut values = step.theta.values().zip(theta.values());
        if !step.theta.keys().eq(theta.keys()) || !values.all(is_near) {
            let [stored, replayed] = [&step.theta, &theta].map(format_params);
            return Err(format!(
                "step {expected}: theta {stored}: expected {replayed}, where the results lead"
            ));
        }
        Ok(())
    }

    /// Plays the games of a trial in `concurrency` threads. Returns the games that `trial.plus` won minus those it lost, or
    /// `None` if `stop` was set meanwhile.
    ///
    /// # Errors
    /// If the number of cores is unknown, or a thread can't be started.
    pub fn play(
        &self,
        trial: &Trial,
        concurrency: Option<usize>,
        stop: &AtomicBool,
        progress: &ProgressBar,
    ) -> Result<Option<i64>, ToolError> {
        let settings = [&trial.plus, &trial.minus].map(|values| self.setting(values));
        let first = 2 * self.state.pairs as usize;
        let game = |number| ScheduledGame {
            number,
            players: schedule::players(2, false, number),
            opening: number / 2,
        };
        let games = first..first + 2 * trial.pairs as usize;
        let games: Vec<ScheduledGame> = games.map(game).collect();
        let is_cancelled = || stop.load(Ordering::SeqCst);
        let (conditions, networks) = (self.header.conditions, &self.networks.networks);
        let play = |game| conditions.play(game, settings, networks, is_cancelled);
        let mut winners = Vec::new();
        let pool = WorkerPool::for_tasks(concurrency, games.len(), 1)?;
        pool.run(&games, play, |winner| {
            winners.push(winner);
            progress.inc(1);
            Ok(())
        })?;
        let results = winners.iter().map(|&winner| 1 - 2 * winner as i64);
        Ok((winners.len() == games.len()).then(|| results.sum()))
    }

    /// Returns the search parameters of a setting: defaults, replaced by the fixed values and by `values` for the tuned
    /// parameters.
    fn setting(&self, values: &[f64]) -> Params {
        let mut params = Params::default();
        for (name, &value) in &self.header.fixed {
            params.set(name, value).expect("a start was checked");
        }
        for (name, &value) in self.header.tuned.keys().zip(values) {
            params.set(name, value as f32).expect("within its range");
        }
        params
    }

    /// Updates the parameters by the result of a trial, and appends the step to the file.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn record(&mut self, trial: &Trial, result: i64) -> Result<(), ToolError> {
        let step = self.update(trial, result);
        self.file
            .as_mut()
            .map_or(Ok(()), |file| file.append_line(&step))
    }

    /// Updates the parameters by the result of a trial. Returns the step for the file, which this function does not write.
    fn update(&mut self, trial: &Trial, result: i64) -> Step {
        self.state.update(trial, result as f64);
        self.steps += 1;
        Step {
            step: self.steps,
            result,
            theta: self.theta(),
        }
    }

    /// Returns the current values of the tuned parameters, by name.
    fn theta(&self) -> BTreeMap<String, f32> {
        let names = self.header.tuned.keys().cloned();
        let values = self.state.values.iter().map(|&value| value as f32);
        names.zip(values).collect()
    }

    /// Formats the current values of the tuned parameters for the progress bar.
    pub fn format_values(&self) -> String {
        format_params(&self.theta())
    }

    /// Returns the printed report: start and current value of each tuned parameter. The last line is the tuned setting as a
    /// player of the arena.
    pub fn report(&self) -> String {
        let (done, all) = (self.state.pairs, self.header.pairs());
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

/// Returns a tuned parameter by its name and start value, with its range from [`Params::TABLE`].
fn tuned_param((name, &start): (&String, &f32)) -> TunedParam {
    let entry = Params::TABLE.iter().find(|entry| entry.0 == name);
    let &(_, _, min, max) = entry.expect("a name was checked");
    let [start, min, max] = [start, min, max].map(f64::from);
    TunedParam { start, min, max }
}
