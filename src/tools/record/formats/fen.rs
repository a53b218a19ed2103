//! A position as text, in the manner of chess's FEN: eight rows from rank 8 down with `b`, `w`, `x` for an arrow and numbers of
//! empty squares; who moves; the square from which an arrow is due, or `-`; the number of the round.

use super::draft::Draft;
use super::{TEN, at_line};
use crate::board::{Board, Player, SIDE};
use crate::console::quoted;
use crate::tools::record::cells;
use crate::tools::record::log::LogError;

/// Tests if a text looks like a position.
pub fn is_position(text: &str) -> bool {
    let rows = text.split_whitespace().next().unwrap_or_default();
    let is_part = |letter: char| letter.is_ascii_digit() || "bwxBWX/".contains(letter);
    rows.matches('/').count() > 3 && rows.chars().all(is_part)
}

/// Reads a position.
///
/// # Errors
/// If it is none, or stands within a turn.
pub fn read(text: &str) -> Result<Draft, LogError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let field = |at: usize| fields.get(at).copied().unwrap_or_default();
    let fault = |fault: String| at_line(1, &fault);
    let first = match field(1) {
        "b" | "B" => Player::Black,
        "w" | "W" => Player::White,
        other => {
            return Err(fault(format!(
                "\"{}\" to move, expected b or w",
                quoted(other)
            )));
        }
    };
    if !["", "-"].contains(&field(2)) {
        let square = quoted(field(2));
        return Err(fault(format!(
            "an arrow is due from \"{square}\", expected - for a whole turn"
        )));
    }
    if fields.len() > 4 {
        return Err(fault(format!(
            "\"{}\", expected one position",
            quoted(field(4))
        )));
    }
    Ok(Draft {
        setup: Some(board(field(0), first).map_err(fault)?),
        first,
        ..Draft::default()
    })
}

/// The board of rows from rank 8 down.
fn board(rows: &str, to_move: Player) -> Result<Board, String> {
    let rows: Vec<String> = rows.to_lowercase().split('/').map(spread).collect();
    if rows.len() == 10 {
        return Err(TEN.to_owned());
    }
    if rows.len() != SIDE {
        return Err(format!("{} rows, expected {SIDE}", rows.len()));
    }
    if let Some(row) = rows.iter().position(|row| row.len() != SIDE) {
        return Err(format!("row {}: expected {SIDE} squares", row + 1));
    }
    let from_a1: Vec<String> = rows.into_iter().rev().collect();
    cells::read(&from_a1.concat(), to_move)
}

/// A row with a dot for every empty square.
#[must_use]
pub fn spread(row: &str) -> String {
    let mut cells = String::new();
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(mut count) = letter.to_digit(10) else {
            cells.push(letter);
            continue;
        };
        while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
            count = (10 * count + digit).min(99);
            letters.next();
        }
        cells.extend(std::iter::repeat_n('.', count as usize));
    }
    cells
}

/// Writes a position.
pub fn write(board: &Board) -> String {
    let from_a1: Vec<char> = cells::write(board).chars().collect();
    let rows: Vec<String> = from_a1.chunks(SIDE).rev().map(packed).collect();
    let to_move = ["b", "w"][board.to_move() as usize];
    let round = board.arrow_count() / 2 + 1;
    format!("{} {to_move} - {round}\n", rows.join("/"))
}

/// A row with a number for every run of dots.
#[must_use]
pub fn packed(row: &[char]) -> String {
    let runs = row.chunk_by(|one, other| one == other);
    let run = |run: &[char]| match run[0] {
        '.' => run.len().to_string(),
        _ => run.iter().collect(),
    };
    runs.map(run).collect()
}
