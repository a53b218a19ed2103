//! Botzone's simple protocol: the turn number on one line, then one line of six coordinates for each move.

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

/// Parses a move from a line of six coordinates, each from 0 to 7: `x y` of the amazon's start, its destination and the
/// arrow. Returns [`Entry::Nothing`] if all six are -1, and [`Entry::Unreadable`] if the line is not a move.
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

/// Returns an [`Entry::Unreadable`] with the message that `line` has more than `MAX_LINE` bytes (1 MiB).
#[must_use]
pub fn too_long_entry(line: &InputLine) -> Entry {
    Entry::unreadable(
        &line.text,
        format_args!("a line of at most {MAX_LINE} bytes"),
    )
}

/// Reads all moves of a game up to the bot's turn with the number `turn`: `2·turn − 1` lines, in which the opponent's
/// moves alternate with the bot's. `entries` contains the moves that the caller has already read; the result begins
/// with them.
///
/// The result is shorter if the input ends. At most `MAX_ENTRIES` lines are read; if the turn number demands more, an
/// [`Entry::Unreadable`] is appended.
///
/// # Errors
/// The error of the input if it cannot be read.
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

/// Formats an answer as six coordinates separated by spaces: `x y` of the amazon's start, its destination and the
/// arrow.
#[must_use]
pub fn format_answer([x0, y0, x1, y1, x2, y2]: [i64; 6]) -> String {
    format!("{x0} {y0} {x1} {y1} {x2} {y2}")
}
