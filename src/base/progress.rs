//! Progress display: a bar, or a spinner if the amount of work is unknown.

use indicatif::{ProgressBar, ProgressStyle};

/// Creates a progress bar with `count` steps. `what` names the steps and further figures, as an indicatif template.
#[must_use]
pub fn bar(count: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {what}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Creates a spinner for work of unknown length. `what` is the indicatif template of its text.
#[must_use]
pub fn spinner(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{spinner}} {what}"));
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
