//! Botzone's simple interaction format: a line with the turn number, then moves as lines of six coordinates.

use super::content::{Entry, MAX_ENTRIES};
use super::lines::{InputLine, Lines, MAX_LINE};
use std::io::{self, BufRead};

/// Parses a line of integers separated by white space. Returns an empty vector if any word is not an integer.
#[must_use]
pub fn parse_numbers(line: &str) -> Vec<i64> {
    let words = line.split_whitespace();
    let numbers: Option<_> = words.map(|word| word.parse().ok()).collect();
    numbers.unwrap_or_default()
}

/// Parses a line of six coordinates: x and y, each 0 to 7, of the amazon's start, its target and the arrow. Six times
/// -1 gives [`Entry::Nothing`]; an invalid line gives [`Entry::Unreadable`].
#[must_use]
pub fn parse_entry(line: &InputLine) -> Entry {
    if line.is_truncated {
        return too_long_entry(line);
    }
    match parse_numbers(&line.text).try_into() {
        Ok(six) => Entry::from_coordinates(six),
        Err(_) => Entry::unreadable(&line.text, "six coordinates"),
    }
}

/// Returns the [`Entry::Unreadable`] for a line longer than `MAX_LINE` bytes.
#[must_use]
pub fn too_long_entry(line: &InputLine) -> Entry {
    Entry::unreadable(
        &line.text,
        format_args!("a line of at most {MAX_LINE} bytes"),
    )
}

/// Reads the game record that follows the turn number `turn`: `2·turn − 1` entries, the moves of the opponent and of
/// the bot alternately. `entries` holds the entries that were already read. The result is shorter if the input ends. If
/// the record would exceed `MAX_ENTRIES`, only that many are read, and an [`Entry::Unreadable`] is added.
///
/// # Errors
/// If the input cannot be read.
pub fn read_record(
    turn: i64,
    mut entries: Vec<Entry>,
    lines: &mut Lines<impl BufRead>,
) -> io::Result<Vec<Entry>> {
    let promised = turn.saturating_mul(2) - 1;
    for _ in entries.len() as i64..promised.min(MAX_ENTRIES as i64) {
        let Some(line) = lines.next()? else { break };
        entries.push(parse_entry(&line));
    }
    if promised > MAX_ENTRIES as i64 {
        let most = format_args!("a turn number of at most {}", MAX_ENTRIES / 2);
        entries.push(Entry::unreadable(&turn.to_string(), most));
    }
    Ok(entries)
}

/// Formats an answer as six coordinates separated by spaces: amazon's start, amazon's target, arrow; x before y.
#[must_use]
pub fn format_answer([x0, y0, x1, y1, x2, y2]: [i64; 6]) -> String {
    format!("{x0} {y0} {x1} {y1} {x2} {y2}")
}
