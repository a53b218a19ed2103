//! What a training of the order network says: the header of the weights' file, and the report.

use super::course::{Course, Settings};
use super::measure::{GROUP_ARROWS, GROUPS, Measured, Sums};
use super::samples::Data;
use crate::board::MAX_ARROWS;
use crate::eval::order::parse;
use crate::tools::training::provenance::{commit, one_line};
use crate::tools::training::train::output::Remarks;

/// How a file begins, behind the mark of a comment.
const FIRST_LINE: &str = "Weights of the order network, trained by `amazons train order`";

/// Tests if a file holds weights of an order network: such as this program writes, or any that it can read.
#[must_use]
pub fn is_weights(file: &[u8]) -> bool {
    str::from_utf8(file).is_ok_and(|text| {
        let first = text.strip_prefix("# ").unwrap_or(text);
        first.starts_with(FIRST_LINE) || parse(text).is_ok()
    })
}

/// The lines at the top of the file of weights.
#[must_use]
pub fn header(data: &Data, course: &Course, remarks: &Remarks) -> String {
    let Settings {
        batch, rate, seed, ..
    } = course.settings;
    let (best, epochs) = (course.best_epoch(), course.epochs.len());
    let mut lines = vec![FIRST_LINE.to_owned()];
    lines.push(format!("- {}", games(data)));
    if let Some(generation) = remarks.generation {
        lines.push(format!("- generation {generation}"));
    }
    lines.push(format!(
        "- epoch {best} of {epochs}; batch {batch}, rate {rate}, seed {seed}"
    ));
    lines.push(format!("- commit {}", commit()));
    lines.push(format!("- {TABLE_HEAD}"));
    let table = table(&course.measured);
    lines.extend(table.lines().map(|line| format!("  {line}")));
    if let Some(note) = &remarks.note {
        lines.push(format!("- note: {}", one_line(note)));
    }
    lines.join("\n") + "\n"
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
pub const EPOCHS_HEAD: &str =
    "divergence from the visits (Kullback-Leibler), in nats:\nepoch   train  held-out\n";

/// The line of the last finished epoch.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn epoch(course: &Course) -> String {
    let epoch = course.epochs.last().expect("an epoch is finished");
    let number = course.epochs.len();
    format!("{number:>5}{:>8.4}{:>10.4}\n", epoch.train, epoch.held_out)
}

/// What stands above the [`table`].
pub const TABLE_HEAD: &str =
    "held-out divergence, and how often the likeliest move has the most visits:";

/// What is measured, by number of arrows.
#[must_use]
pub fn table(measured: &Measured) -> String {
    let mut text = format!("{:<16}positions      KL   top 1\n", "");
    let mut row = |name: &str, sums: Sums| {
        let (count, loss, top) = (sums.count, sums.loss(), sums.top());
        text += &format!("{name:<16}{count:>9}{loss:>8.4}{top:>8.3}\n");
    };
    for (number, sums) in measured.0.into_iter().enumerate() {
        if sums.count > 0 {
            row(&group_name(number), sums);
        }
    }
    row("all", measured.all());
    text
}

/// The arrows of a group in words.
fn group_name(number: usize) -> String {
    let first = number * GROUP_ARROWS;
    let last = match number + 1 {
        GROUPS => MAX_ARROWS - 1,
        next => next * GROUP_ARROWS - 1,
    };
    format!("{first:>2} to {last:>2} arrows")
}
