//! Where fitted weights come from, as the headers of their files tell it.

use std::process::Command;

/// The commit of the working tree, or "unknown".
#[must_use]
pub fn commit() -> String {
    let output = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output();
    let output = output.ok().filter(|output| output.status.success());
    output.map_or_else(
        || "unknown".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

/// A text without line breaks: a second line of a note would not be a comment.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
