//! The simple interaction: a turn number, then lines of six numbers.

use super::{Entry, read_line};
use std::io::{self, BufRead};

/// What a line that is not blank can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A lone number: the turn's.
    Number(i64),
    /// Six numbers.
    Entry(Entry),
    /// Anything else.
    Other,
}

impl Line {
    /// Recognises a line.
    #[must_use]
    pub fn parse(line: &str) -> Line {
        let numbers: Option<Vec<i64>> = line
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        match numbers.as_deref() {
            Some(&[number]) => Line::Number(number),
            Some(&[x0, y0, x1, y1, x2, y2]) => {
                Line::Entry(Entry::from_coordinates([x0, y0, x1, y1, x2, y2]))
            }
            _ => Line::Other,
        }
    }
}

/// Reads the record that follows a turn number: `2·turn − 1` lines, fewer if the input ends.
///
/// # Errors
/// If the input can't be read.
pub fn history(turn: i64, input: &mut impl BufRead) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for _ in 0..turn.saturating_mul(2) - 1 {
        let Some(line) = read_line(input)? else { break };
        entries.push(match Line::parse(&line) {
            Line::Entry(entry) => entry,
            _ => Entry::Unreadable(format!("\"{line}\": expected six coordinates")),
        });
    }
    Ok(entries)
}

/// The answer line.
#[must_use]
pub fn answer(coordinates: [i64; 6]) -> String {
    coordinates
        .map(|coordinate| coordinate.to_string())
        .join(" ")
}
