//! Tuning run: plays the games of each SPSA step, updates the parameters and appends the step to a file.

use super::file::{HeaderLine, Step, TuningHeader, format_params};
use super::optimizer::{SpsaState, Trial, TunedParam};
use analysis::networks::ChosenNetworks;
use base::append::AppendFile;
use base::error::Result;
use base::journal::{self, JournalLine};
use base::schedule::{self, ScheduledGame};
use base::workers::WorkerPool;
use engine::mcts::Params;
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum relative difference between a parameter's stored value and its recomputed value when a tuning run is
/// resumed. The stored value is in the tuning file; the other is recomputed from the game results in this file.
const REPLAY_TOLERANCE: f32 = 1e-4;

/// Tuning run by SPSA: its settings, its current parameters, and the file to which each finished step is appended.
pub struct Tuning {
    /// Settings of the tuning run. If the run was extended by `--resume`, they contain its original and its new total
    /// number of game pairs.
    pub header: TuningHeader,
    /// State of SPSA: current values of the tuned parameters, and number of game pairs played so far.
    pub state: SpsaState,
    /// Networks with which all engines play, whichever setting of the search parameters they have.
    networks: ChosenNetworks,
    /// Number of SPSA steps made so far, including those before the run was resumed.
    steps: usize,
    /// Tuning file to which each finished SPSA step is appended; `None` without `--out`.
    file: Option<AppendFile>,
}

impl Tuning {
    /// Returns a tuning run with the settings `header`. If `resume` is false, it begins with the first step, and `file`
    /// is created. If `resume` is true, it continues after the last step in `file`. If `file` is `None`, steps are not
    /// saved.
    ///
    /// # Errors
    /// - If the file can't be read or written, or is not empty although `resume` is false.
    /// - If the file belongs to a run with other settings, or already has more pairs of games than `header`.
    /// - If the parameters after a step in the file differ from those that SPSA computes from the game results in the
    ///   file.
    pub fn new(
        header: TuningHeader,
        networks: ChosenNetworks,
        file: Option<&Path>,
        resume: bool,
    ) -> Result<Tuning> {
        let first = HeaderLine { spsa: header };
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

    /// Applies the stored step `step` again when a run is resumed from its tuning file. No games are played: the
    /// parameters are updated by the stored result, and must then agree with the stored values.
    ///
    /// # Errors
    /// - If the number of the step is not one more than that of the step before, or all game pairs are already played.
    /// - If a recomputed value differs by more than [`REPLAY_TOLERANCE`] from that in the file.
    fn replay(&mut self, step: &Step) -> Result<(), String> {
        let expected = self.steps + 1;
        let trial = self.state.next_trial().filter(|_| step.step == expected);
        let trial =
            trial.ok_or_else(|| format!("step {}: expected {expected} or the end", step.step))?;
        let theta = self.update(&trial, step.result).theta;
        // Compare with a tolerance: if another machine wrote the file, its `exp` and `powf` may have rounded
        // differently.
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

    /// Plays the games between the two settings of `trial`, `concurrency` games at the same time (`None`: one per
    /// core). Returns the number of games that `trial.plus` won minus the number that it lost. Returns `None` if `stop`
    /// was set before the last game ended.
    ///
    /// # Errors
    /// If the number of processor cores can't be determined, or a thread can't be started.
    pub fn play(
        &self,
        trial: &Trial,
        concurrency: Option<usize>,
        stop: &AtomicBool,
        progress: &ProgressBar,
    ) -> Result<Option<i64>> {
        let settings = [&trial.plus, &trial.minus].map(|values| self.search_params(values));
        let first = 2 * self.state.pairs_played as usize;
        let game = |number| ScheduledGame {
            number,
            players: schedule::players_of_game(2, false, number),
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

    /// Returns all search parameters for an engine. The tuned ones get `values`, which are in alphabetical order of the
    /// parameters' names. Those in `header.fixed` get the values stored there, all others their defaults.
    fn search_params(&self, values: &[f64]) -> Params {
        let mut params = Params::default();
        for (name, &value) in &self.header.fixed {
            params.set(name, value).expect("a start was checked");
        }
        for (name, &value) in self.header.tuned.keys().zip(values) {
            params.set(name, value as f32).expect("within its range");
        }
        params
    }

    /// Completes a step: updates the tuned parameters by its result, and appends the step to the tuning file. Without a
    /// file, only updates the parameters. `result` is the number of games that the setting `trial.plus` won against
    /// `trial.minus`, minus the number that it lost.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn record(&mut self, trial: &Trial, result: i64) -> Result<()> {
        let step = self.update(trial, result);
        self.file
            .as_mut()
            .map_or(Ok(()), |file| file.append_line(&step))
    }

    /// Completes a step without saving it: updates the tuned parameters by `result`, the number of games that
    /// `trial.plus` won minus the number that it lost. Returns the step in the form in which the tuning file stores it.
    fn update(&mut self, trial: &Trial, result: i64) -> Step {
        self.state.update(trial, result as f64);
        self.steps += 1;
        Step {
            step: self.steps,
            result,
            theta: self.values_by_name(),
        }
    }

    /// Returns the current values of the tuned parameters (not their logarithms), by parameter name.
    fn values_by_name(&self) -> BTreeMap<String, f32> {
        let names = self.header.tuned.keys().cloned();
        let values = self.state.values.iter().map(|&value| value as f32);
        names.zip(values).collect()
    }

    /// Formats the current values of the tuned parameters for the progress bar, as `NAME=VALUE,NAME=VALUE`.
    pub fn format_values(&self) -> String {
        format_params(&self.values_by_name())
    }

    /// Returns the text that `amazons spsa` prints at its end: the number of game pairs, and the start value and
    /// current value of each tuned parameter. The last line is a player for `amazons arena`: `self:` followed by the
    /// current values as settings.
    pub fn report(&self) -> String {
        let (done, all) = (self.state.pairs_played, self.header.pairs());
        let mut text = format!("{done} of {all} pairs\n");
        let theta = self.values_by_name();
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

/// Returns the start value and range of the tuned parameter called `name`. The range comes from [`Params::TABLE`].
///
/// # Panics
/// If no parameter has this name.
fn tuned_param((name, &start): (&String, &f32)) -> TunedParam {
    let entry = Params::TABLE.iter().find(|entry| entry.0 == name);
    let &(_, _, min, max) = entry.expect("a name was checked");
    let [start, min, max] = [start, min, max].map(f64::from);
    TunedParam { start, min, max }
}
