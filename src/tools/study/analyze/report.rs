//! The report for the browser: one page with its style, its script and the games in it.

use crate::tools::analysis::game::{Analysis, GameSummary};
use crate::tools::analysis::ply::Ply;
use crate::tools::support::error::ToolError;
use serde::Serialize;

/// The page, with `{style}`, `{script}` and `{games}` where its parts belong.
const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = include_str!("report/style.css");
const SCRIPT: &str = include_str!("report/script.js");

/// Marks of a page of ours: of today's pages, and of older ones.
const MARKS: [&str; 2] = [
    "<meta name=\"generator\" content=\"amazons analyze\">",
    "<title>Amazons</title>",
];

/// Tests if a file is such a page.
#[must_use]
pub fn is_ours(content: &[u8]) -> bool {
    let page = std::str::from_utf8(content).unwrap_or_default();
    page.starts_with("<!doctype html>") && MARKS.iter().any(|mark| page.contains(mark))
}

/// The page on some games.
///
/// # Errors
/// If the games can't be written as JSON.
pub fn page(games: &[Analysis]) -> Result<String, ToolError> {
    /// A game as the script reads it.
    #[derive(Serialize)]
    struct ReportGame<'a> {
        summary: &'a GameSummary,
        plies: &'a [Ply],
    }
    let entries = games.iter().map(|game| ReportGame {
        summary: &game.summary,
        plies: &game.plies,
    });
    // In JSON `<` occurs only in strings. It is escaped, so that no name of a file or player can end the script
    // element.
    let games = serde_json::to_string(&entries.collect::<Vec<_>>())?.replace('<', "\\u003c");
    let parts = [
        ("{style}", STYLE),
        ("{script}", SCRIPT),
        ("{games}", &games),
    ];
    let insert = |page: String, (mark, part): (&str, &str)| page.replacen(mark, part, 1);
    Ok(parts.into_iter().fold(PAGE.to_owned(), insert))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_pages_are_known_and_others_are_not() {
        let ours = page(&[]).expect("a page");
        assert!(MARKS.iter().all(|mark| ours.contains(mark)));
        let earlier = ours.replace(MARKS[0], "");
        for page in [&ours, &earlier] {
            assert!(is_ours(page.as_bytes()));
        }
        for other in ["[]", MARKS[0], "<!doctype html><title>Chess</title>", ""] {
            assert!(!is_ours(other.as_bytes()));
        }
        assert!(!is_ours(&[ours.as_bytes(), &[0xff]].concat()));
    }
}
