//! The progress of long work: a bar, or a counter where nobody knows how much is left.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many things. `what` names them and the other figures shown, in indicatif's placeholders.
#[must_use]
pub fn bar(count: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {what}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A counter of work without a known end. `what` says what is counted, in indicatif's placeholders.
#[must_use]
pub fn spinner(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{spinner}} {what}"));
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
