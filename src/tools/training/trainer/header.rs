//! The header of a file of weights: where they come from.

use super::TrainerArgs;
use super::course::Course;
use super::head::Head;
use crate::tools::training::provenance::{commit, one_line};
use crate::tools::training::samples::Data;

/// The lines at the top of the file of weights, with the table of the held-out measures.
#[must_use]
pub fn header<H: Head>(
    data: &Data<H::Sample>,
    course: &Course<H>,
    table: &str,
    args: &TrainerArgs<H>,
) -> String {
    let settings = &course.settings;
    let (batch, rate, seed) = (settings.batch, settings.rate, settings.seed);
    let (best, epochs) = (course.best_epoch(), course.epochs.len());
    let mut lines = vec![H::ABOUT.first_line(), format!("- {}", data.summary())];
    if let Some(generation) = args.generation {
        lines.push(format!("- generation {generation}"));
    }
    lines.extend(settings.head.remark().map(|remark| format!("- {remark}")));
    lines.push(format!(
        "- epoch {best} of {epochs}; batch {batch}, rate {rate}, seed {seed}"
    ));
    lines.push(format!("- commit {}", commit()));
    lines.push(format!("- {}", H::ABOUT.table_head));
    lines.extend(table.lines().map(|line| format!("  {line}")));
    if let Some(note) = &args.note {
        lines.push(format!("- note: {}", one_line(note)));
    }
    lines.join("\n") + "\n"
}
