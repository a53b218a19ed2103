//! The progress bar of long work.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many things. `what` names them and the other figures shown, in indicatif's placeholders.
#[must_use]
pub fn bar(count: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {what}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
