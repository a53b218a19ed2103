//! A position as text, in the manner of chess's FEN: eight rows from rank 8 down with `b`, `w`, `x` for an arrow and numbers of
//! empty squares; who moves; the square from which an arrow is due, or `-`; the number of the round. Chess's fields are read, too.

use super::draft::Draft;
use super::{TEN, at_line, moves};
use crate::cells;
use crate::log::LogError;
use engine::board::{Board, Player, SIDE, Square};
use engine::console::quoted;

/// Returns a text without the words that UCI puts before a position.
fn after_uci(text: &str) -> &str {
    let text = text.trim_start();
    let text = text.strip_prefix("position").unwrap_or(text).trim_start();
    text.strip_prefix("fen").unwrap_or(text)
}

/// Tests if a text looks like a position.
pub fn is_position(text: &str) -> bool {
    let mut fields = after_uci(text).split_whitespace();
    let rows = fields.next().unwrap_or_default();
    let is_part = |letter: char| letter.is_ascii_digit() || "bwxBWXqQ*/".contains(letter);
    rows.matches('/').count() > 3 && rows.chars().all(is_part)
}

/// Reads a position, and the moves from there if the word `moves` follows it.
///
/// # Errors
/// If there is no position, or it stands within a turn; at the first token that is no move.
pub fn read(text: &str) -> Result<Draft, LogError> {
    let (fields, turns) = text.split_once("moves").unwrap_or((text, ""));
    let board = position(after_uci(fields)).map_err(|fault| at_line(1, &fault))?;
    let start = Draft {
        first: board.to_move(),
        setup: Some(board),
        ..Draft::default()
    };
    let line = 1 + fields.matches('\n').count();
    moves::read_from(start, turns, line)
}

/// Reads a position that stands alone.
///
/// # Errors
/// If there is none, or it stands within a turn.
pub fn position(text: &str) -> Result<Board, String> {
    let mut fields = text.split_whitespace();
    let rows = fields.next().unwrap_or_default();
    let to_move = match fields.next().unwrap_or_default() {
        "b" | "B" => Player::Black,
        "w" | "W" => Player::White,
        other => return Err(format!("\"{}\" to move, expected b or w", quoted(other))),
    };
    let mut fields = fields.peekable();
    if let Some(square) = fields.next_if(|field| field.parse::<Square>().is_ok()) {
        return Err(format!(
            "an arrow is due from \"{square}\", expected - for a whole turn"
        ));
    }
    // The number of the round; in chess's form castling, a pawn to be taken and two numbers.
    let is_counter = |field: &str| field == "-" || field.parse::<u32>().is_ok();
    let mut fields = fields.enumerate();
    match fields.find(|(at, field)| *at > 3 || !is_counter(field)) {
        Some((_, field)) => Err(format!("\"{}\", expected one position", quoted(field))),
        None => board(rows, to_move),
    }
}

/// Reads a board by rows from rank 8 down. Fairy-Stockfish writes `q`, `Q` and `*` for `b`, `w` and `x`.
fn board(rows: &str, to_move: Player) -> Result<Board, String> {
    let rows = rows.replace('q', "b").replace('Q', "w").replace('*', "x");
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
