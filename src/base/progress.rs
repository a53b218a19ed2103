//! Progress display on the terminal for long work: a bar if the number of steps is known, otherwise a spinner.

use indicatif::{ProgressBar, ProgressStyle};

/// Creates a progress bar for work of `count` steps, such as the games of an arena. `template` is the text after the
/// bar, in the template syntax of the library indicatif.
#[must_use]
pub fn bar(count: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {template}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Creates a spinner, the progress display for work whose number of steps is unknown. `template` is the text after the
/// spinner, in the template syntax of the library indicatif.
#[must_use]
pub fn spinner(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{spinner}} {template}"));
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
