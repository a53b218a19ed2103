//! Where fitted weights come from, as the headers of their files tell it.

use std::iter;
use std::process::Command;

/// Returns the header of a file of weights: `title`, the games, further facts, the commit, how well held-out samples are
/// predicted, under the line `measure`, and a note.
#[must_use]
pub fn header(
    title: &str,
    games: String,
    facts: impl IntoIterator<Item = String>,
    [measure, table]: [&str; 2],
    note: Option<&String>,
) -> String {
    let table: String = table.lines().map(|line| format!("\n  {line}")).collect();
    let measured = [format!("commit {}", commit()), format!("{measure}{table}")];
    // A second line of a note would not be a comment.
    let words = note.map(|note| note.split_whitespace().collect::<Vec<_>>().join(" "));
    let note = words.map(|words| format!("note: {words}"));
    let facts = iter::once(games).chain(facts).chain(measured).chain(note);
    let facts: String = facts.map(|fact| format!("- {fact}\n")).collect();
    format!("{title}\n{facts}")
}

/// The commit of the working tree, or "unknown".
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
