//! The bar that shows how far a long piece of work is.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many things; `what` names them and says what else is shown, in indicatif's placeholders.
#[must_use]
pub fn bar(count: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {what}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
