//! Header of a weights file: records the games, options and commit with which the weights were trained, and their
//! losses.

use std::iter;
use std::process::Command;

/// Returns the header of a weights file, which records how the weights were made. It consists of the line `title` and a
/// list. Its items are, in this order:
///
/// - `games`: summary of the training games
/// - `facts`: further lines, such as the hyperparameters
/// - the commit that is checked out
/// - `table`: table of held-out losses, after its title `table_title`
/// - `note`: the user's note, if there is one
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
    // Line breaks in the note become spaces, so that the note is a single item in the header's list.
    let words = note.map(|note| note.split_whitespace().collect::<Vec<_>>().join(" "));
    let note = words.map(|words| format!("note: {words}"));
    let facts = iter::once(games).chain(facts);
    let facts = facts.chain([version, losses]).chain(note);
    let facts: String = facts.map(|fact| format!("- {fact}\n")).collect();
    format!("{title}\n{facts}")
}

/// Returns the abbreviated hash (at least 12 digits) of the commit that is checked out in the current directory, or
/// "unknown" if git fails.
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
