//! Moves as plain text, in any of the usual notations: `c1 c6 f6`, `c1c6f6`, `c1-c6(f6)`, `c1-c6/f6`, `1.c1–c6,f6;` and the
//! platform's six coordinates; numbered or not, several on a line or a line each.

use super::draft::Draft;
use super::{TEN, at_line};
use crate::board::{Move, parse_squares};
use crate::console::quoted;
use crate::tools::record::log::LogError;

/// Tests if a text begins with a move.
pub fn begins(text: &str) -> bool {
    let Some((_, first)) = parts(text).next() else {
        return false;
    };
    let word = bare(first);
    let mut letters = word.trim_start().chars();
    let is_square = letters
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next().is_some_and(|digit| digit.is_ascii_digit());
    is_square || first.parse::<Move>().is_ok()
}

/// Reads moves; `first_line` is the number of the text's first line in its file.
///
/// # Errors
/// At the first line that holds something else.
pub fn read(text: &str, first_line: usize) -> Result<Draft, LogError> {
    let mut draft = Draft::default();
    let mut last = 0;
    for (number, part) in parts(text) {
        let line = first_line + number;
        for turn in turns(part).map_err(|fault| at_line(line, &fault))? {
            last = draft.add(last, turn, line);
        }
    }
    Ok(draft)
}

/// The parts between semicolons, also wide ones, and ends of lines that are not blank, with the numbers of their lines from 0.
fn parts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    let parts = lines.flat_map(|(number, line)| {
        line.split([';', '；'])
            .map(move |part| (number, part.trim()))
    });
    parts.filter(|(_, part)| !part.is_empty())
}

/// The moves of a part of a line.
fn turns(part: &str) -> Result<Vec<Move>, String> {
    if let Ok(turn) = part.parse() {
        return Ok(vec![turn]);
    }
    let words: Vec<&str> = part.split_whitespace().map(bare).collect();
    if words.iter().any(|word| has_square_of_ten(word)) {
        return Err(format!("\"{}\": {TEN}", quoted(part)));
    }
    let squares = parse_squares(&words.join(" ")).map_err(|error| error.to_string())?;
    let turns = squares.chunks(3).map(|squares| match *squares {
        [from, to, arrow] => Ok(Move { from, to, arrow }),
        _ => Err(format!(
            "\"{}\": expected three squares a move",
            quoted(part)
        )),
    });
    turns.collect()
}

/// A word without the number of a move in front.
fn bare(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.trim_start_matches(['.', ')', ':', '…'])
}

/// Tests if a word names a square of the usual board that is none of ours.
fn has_square_of_ten(word: &str) -> bool {
    let letters: Vec<char> = word.to_lowercase().chars().chain([' ', ' ']).collect();
    letters.windows(3).any(|three| {
        matches!(
            *three,
            ['a'..='j', '1', '0'] | ['a'..='j', '9', _] | ['i' | 'j', '1'..='9', _]
        )
    })
}

/// Writes numbered moves, two on a line.
pub fn write(turns: &[Move]) -> String {
    let pair = |(number, pair): (usize, &[Move])| {
        let pair: Vec<String> = pair
            .iter()
            .map(|Move { from, to, arrow }| format!("{from}-{to}({arrow})"))
            .collect();
        format!("{}. {}\n", number + 1, pair.join(" "))
    };
    turns.chunks(2).enumerate().map(pair).collect()
}
