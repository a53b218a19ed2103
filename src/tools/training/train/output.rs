//! What a training says: the header of the weights' file, and the report.

use super::course::{Course, Settings};
use super::measure::{self, Losses};
use super::samples::{Data, LATE_ARROWS};
use crate::board::MAX_ARROWS;
use crate::eval::network::{PHASE_ARROWS, PHASES, parse};
use crate::tools::training::provenance::{commit, one_line};

/// How a file begins, behind the mark of a comment.
const FIRST_LINE: &str = "Weights of the network, trained by `amazons train`";

/// Tests if a file holds weights: such as this program writes, or any that it can read.
#[must_use]
pub fn is_weights(file: &[u8]) -> bool {
    str::from_utf8(file).is_ok_and(|text| {
        let first = text.strip_prefix("# ").unwrap_or(text);
        first.starts_with(FIRST_LINE) || parse(text).is_ok()
    })
}

/// What the user says of the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Remarks {
    /// Generation of the network.
    pub generation: Option<u32>,
    /// Anything.
    pub note: Option<String>,
}

/// The held-out log-losses of the linear evaluation and of the best network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Of the linear evaluation.
    pub linear: Losses,
    /// Of the network.
    pub network: Losses,
}

/// The lines at the top of the file of weights.
#[must_use]
pub fn header(data: &Data, course: &Course, comparison: &Comparison, remarks: &Remarks) -> String {
    let Settings {
        batch, rate, seed, ..
    } = course.settings;
    let (best, epochs) = (course.best_epoch(), course.epochs.len());
    let mut lines = vec![FIRST_LINE.to_owned()];
    lines.push(format!("- {}", games(data)));
    if let Some(generation) = remarks.generation {
        lines.push(format!("- generation {generation}"));
    }
    let mix = mix(course.settings.target_mix);
    lines.push(format!(
        "- share of the search's win probability in the targets: {mix}"
    ));
    lines.push(format!(
        "- epoch {best} of {epochs}; batch {batch}, rate {rate}, seed {seed}"
    ));
    lines.push(format!("- commit {}", commit()));
    lines.push("- log-loss of the held-out results:".to_owned());
    let table = table(comparison);
    lines.extend(table.lines().map(|line| format!("  {line}")));
    if let Some(note) = &remarks.note {
        lines.push(format!("- note: {}", one_line(note)));
    }
    lines.join("\n") + "\n"
}

/// The target's mixture in words.
fn mix([early, late]: [f32; 2]) -> String {
    match early == late {
        true => early.to_string(),
        false => format!("{early} without arrows, {late} from {LATE_ARROWS} arrows on"),
    }
}

/// The size of the data.
#[must_use]
pub fn games(data: &Data) -> String {
    format!(
        "{} games, {} of them held out; {} positions",
        data.games,
        data.held_out_games,
        data.positions()
    )
}

/// The head of the lines of epochs.
pub const EPOCHS_HEAD: &str = "epoch  train loss  held-out loss\n";

/// The line of a finished epoch, from 1.
#[must_use]
pub fn epoch(course: &Course, number: usize) -> String {
    let epoch = course.epochs[number - 1];
    format!("{number:>5}{:>12.4}{:>15.4}\n", epoch.train, epoch.held_out)
}

/// The log-losses by phase, side by side.
#[must_use]
pub fn table(comparison: &Comparison) -> String {
    let Comparison { linear, network } = comparison;
    let mut text = format!("{:<16}positions  linear  network\n", "");
    let mut row = |name: &str, count: usize, losses: [f64; 2]| {
        let [linear, network] = losses;
        text += &format!("{name:<16}{count:>9}{linear:>8.4}{network:>9.4}\n");
    };
    for (number, (&(count, linear), &(_, network))) in linear.iter().zip(network).enumerate() {
        if count > 0 {
            let losses = [linear, network].map(|sum| sum / count as f64);
            row(&phase_name(number), count, losses);
        }
    }
    let count = linear.iter().map(|phase| phase.0).sum();
    row("all", count, [linear, network].map(measure::mean));
    text
}

/// The arrows of a phase in words.
fn phase_name(number: usize) -> String {
    let first = number * PHASE_ARROWS;
    let last = match number + 1 {
        PHASES => MAX_ARROWS,
        next => next * PHASE_ARROWS - 1,
    };
    format!("{first:>2} to {last:>2} arrows")
}
