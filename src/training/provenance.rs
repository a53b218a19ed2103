//! The header of a weights file, which documents where the weights come from: training games, options, commit and losses.

use std::iter;
use std::process::Command;

/// Returns the header of a weights file, line by line: `title`, the games, further facts, the commit, the table of losses
/// under `table_title` on held-out samples, and the user's note.
#[must_use]
pub fn header(
    title: &str,
    games: String,
    facts: impl IntoIterator<Item = String>,
    [table_title, table]: [&str; 2],
    note: Option<&String>,
) -> String {
    let table: String = table.lines().map(|line| format!("\n  {line}")).collect();
    let version = format!("commit {}", commit());
    let losses = format!("{table_title}{table}");
    // Line breaks in the note become spaces: only the first line would be written after a comment marker.
    let words = note.map(|note| note.split_whitespace().collect::<Vec<_>>().join(" "));
    let note = words.map(|words| format!("note: {words}"));
    let facts = iter::once(games)
        .chain(facts)
        .chain([version, losses])
        .chain(note);
    let facts: String = facts.map(|fact| format!("- {fact}\n")).collect();
    format!("{title}\n{facts}")
}

/// Returns the abbreviated commit that is checked out in the current directory, or "unknown" if git fails.
fn commit() -> String {
    let output = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output();
    let output = output.ok().filter(|output| output.status.success());
    output.map_or_else(
        || "unknown".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}
