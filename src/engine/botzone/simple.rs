//! Botzone's simple interaction: a turn number, then lines of six coordinates.

use super::content::{Entry, MAX_ENTRIES};
use super::lines::{InputLine, Lines, MAX_LINE};
use std::io::{self, BufRead};

/// Parses a line of whole numbers. Returns an empty vector if any word is not a number.
#[must_use]
pub fn numbers(line: &str) -> Vec<i64> {
    let words = line.split_whitespace();
    let numbers: Option<_> = words.map(|word| word.parse().ok()).collect();
    numbers.unwrap_or_default()
}

/// Parses a line of six coordinates.
#[must_use]
pub fn entry(line: &InputLine) -> Entry {
    if line.is_truncated {
        return too_long(line);
    }
    match numbers(&line.text).try_into() {
        Ok(six) => Entry::from_coordinates(six),
        Err(_) => Entry::unreadable(&line.text, "six coordinates"),
    }
}

/// Returns the error entry for a line that is too long.
#[must_use]
pub fn too_long(line: &InputLine) -> Entry {
    Entry::unreadable(
        &line.text,
        format_args!("a line of at most {MAX_LINE} bytes"),
    )
}

/// Reads the record after the turn number `turn`: `2·turn − 1` entries, fewer if the input ends or `turn` is too large.
/// `entries` holds the entries that were read before.
///
/// # Errors
/// If the input cannot be read.
pub fn history(
    turn: i64,
    mut entries: Vec<Entry>,
    lines: &mut Lines<impl BufRead>,
) -> io::Result<Vec<Entry>> {
    let promised = turn.saturating_mul(2) - 1;
    for _ in entries.len() as i64..promised.min(MAX_ENTRIES as i64) {
        let Some(line) = lines.next()? else { break };
        entries.push(entry(&line));
    }
    if promised > MAX_ENTRIES as i64 {
        let most = format_args!("a turn number of at most {}", MAX_ENTRIES / 2);
        entries.push(Entry::unreadable(&turn.to_string(), most));
    }
    Ok(entries)
}

/// Formats the answer line.
#[must_use]
pub fn answer([x0, y0, x1, y1, x2, y2]: [i64; 6]) -> String {
    format!("{x0} {y0} {x1} {y1} {x2} {y2}")
}
