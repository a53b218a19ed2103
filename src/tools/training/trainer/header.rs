//! The header of a file of weights: where they come from.

use super::TrainerArgs;
use super::course::{Course, Settings};
use super::head::{Head, HeadWeights};
use crate::tools::training::provenance::{commit, one_line};
use crate::tools::training::samples::Data;

/// Tests if a file holds weights of a head: such as this program writes, or any that it can read.
#[must_use]
pub fn is_weights<H: Head>(file: &[u8]) -> bool {
    str::from_utf8(file).is_ok_and(|text| {
        let first = text.strip_prefix("# ").unwrap_or(text);
        first.starts_with(H::FIRST_LINE) || H::Weights::parse(text).is_ok()
    })
}

/// The lines at the top of the file of weights, with the table of the held-out measures.
#[must_use]
pub fn header<H: Head>(
    data: &Data<H::Sample>,
    course: &Course<H>,
    table: &str,
    args: &TrainerArgs<H>,
) -> String {
    let Settings {
        batch,
        rate,
        seed,
        head,
        ..
    } = &course.settings;
    let (best, epochs) = (course.best_epoch(), course.epochs.len());
    let mut lines = vec![H::FIRST_LINE.to_owned()];
    lines.push(format!("- {}", data.summary()));
    if let Some(generation) = args.generation {
        lines.push(format!("- generation {generation}"));
    }
    lines.extend(head.remark().map(|remark| format!("- {remark}")));
    lines.push(format!(
        "- epoch {best} of {epochs}; batch {batch}, rate {rate}, seed {seed}"
    ));
    lines.push(format!("- commit {}", commit()));
    lines.push(format!("- {}", H::TABLE_HEAD));
    lines.extend(table.lines().map(|line| format!("  {line}")));
    if let Some(note) = &args.note {
        lines.push(format!("- note: {}", one_line(note)));
    }
    lines.join("\n") + "\n"
}
