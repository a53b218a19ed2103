//! Botzone's simple protocol: the platform sends the number of the bot's turn on one line, and then each move on a line
//! of six coordinates. The bot answers with one such line.

use super::content::{MAX_SENT_MOVES, SentMove};
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
/// arrow. Returns [`SentMove::NoMove`] if all six are -1, and [`SentMove::Unreadable`] if the line is not a move.
#[must_use]
pub fn parse_move(line: &InputLine) -> SentMove {
    if line.is_truncated {
        return too_long_move(line);
    }
    match parse_numbers(&line.text).try_into() {
        Ok(six) => SentMove::from_coordinates(six),
        Err(_) => SentMove::unreadable(&line.text, "six coordinates"),
    }
}

/// Returns a [`SentMove::Unreadable`] with the message that `line` is longer than `MAX_LINE` bytes (1 MiB).
#[must_use]
pub fn too_long_move(line: &InputLine) -> SentMove {
    SentMove::unreadable(
        &line.text,
        format_args!("a line of at most {MAX_LINE} bytes"),
    )
}

/// Reads all moves of a game before the bot's turn `turn` (counted from 1), one per line. These are `2·turn − 1` moves.
/// The opponent's alternate with the bot's; the first and the last are the opponent's. If the bot plays black, the
/// first is [`SentMove::NoMove`], sent as six times -1. `moves` contains those moves that the caller has already read.
/// The result contains these and the moves read now.
///
/// The result is shorter if the input ends early. At most `MAX_SENT_MOVES` moves are read; if the turn number requires
/// more, a [`SentMove::Unreadable`] is appended.
///
/// # Errors The error of the input if it cannot be read.
pub fn read_moves(
    turn: i64,
    mut moves: Vec<SentMove>,
    lines: &mut Lines<impl BufRead>,
) -> io::Result<Vec<SentMove>> {
    let promised = turn.saturating_mul(2) - 1;
    for _ in moves.len() as i64..promised.min(MAX_SENT_MOVES as i64) {
        let Some(line) = lines.next()? else { break };
        moves.push(parse_move(&line));
    }
    if promised > MAX_SENT_MOVES as i64 {
        let most = format_args!("a turn number of at most {}", MAX_SENT_MOVES / 2);
        moves.push(SentMove::unreadable(&turn.to_string(), most));
    }
    Ok(moves)
}

/// Formats an answer as six coordinates separated by spaces: `x y` of the amazon's start, its destination and the
/// arrow.
#[must_use]
pub fn format_answer([x0, y0, x1, y1, x2, y2]: [i64; 6]) -> String {
    format!("{x0} {y0} {x1} {y1} {x2} {y2}")
}
