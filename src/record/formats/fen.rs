//! Reads and writes positions in a notation like chess's FEN.
//!
//! The fields are: eight rows from rank 8 down to rank 1, with `b`, `w`, `x` (arrow) and numbers of empty squares; the
//! side to move; the square of the amazon that has moved and must still shoot, or `-`; the number of the move pair. A
//! FEN with all fields of chess can be read, too.

use super::draft::Draft;
use super::{TEN_BY_TEN, at_line, moves};
use crate::cells;
use crate::log::LogError;
use engine::board::{Board, Player, SIDE, Square};
use engine::console::quoted;

/// Returns `text` without a leading `position fen`, which the UCI protocol puts before a position.
fn strip_uci(text: &str) -> &str {
    let text = text.trim_start();
    let text = text.strip_prefix("position").unwrap_or(text).trim_start();
    text.strip_prefix("fen").unwrap_or(text)
}

/// Tests if `text` looks like a position: its first word consists of piece letters, digits and at least four `/`.
pub fn is_position(text: &str) -> bool {
    let mut fields = strip_uci(text).split_whitespace();
    let rows = fields.next().unwrap_or_default();
    let is_part = |letter: char| letter.is_ascii_digit() || "bwxBWXqQ*/".contains(letter);
    rows.matches('/').count() > 3 && rows.chars().all(is_part)
}

/// Parses a position and, after the word `moves`, the moves from this position.
///
/// # Errors
/// If the position is malformed, if it lies between an amazon's move and its arrow, or at the first token that is not a
/// move.
pub fn read(text: &str) -> Result<Draft, LogError> {
    let (fields, turns) = text.split_once("moves").unwrap_or((text, ""));
    let board = position(strip_uci(fields)).map_err(|fault| at_line(1, &fault))?;
    let start = Draft {
        first: board.to_move(),
        setup: Some(board),
        ..Draft::default()
    };
    let line = 1 + fields.matches('\n').count();
    moves::read_from(start, turns, line)
}

/// Parses a position without moves.
///
/// # Errors
/// If the position is malformed, if it lies between an amazon's move and its arrow, or if other text follows.
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
    // The remaining fields are a move number; or, as in chess, castling rights and en passant square (both `-`), and
    // two numbers.
    let is_counter = |field: &str| field == "-" || field.parse::<u32>().is_ok();
    let mut fields = fields.enumerate();
    match fields.find(|(at, field)| *at > 3 || !is_counter(field)) {
        Some((_, field)) => Err(format!("\"{}\", expected one position", quoted(field))),
        None => board(rows, to_move),
    }
}

/// Parses eight rows separated by `/`, from rank 8 down to rank 1. Fairy-Stockfish's letters `q`, `Q` and `*` are read
/// as `b`, `w` and `x`.
///
/// # Errors
/// If there are not eight rows of eight squares, a letter is unknown, or a player does not have four amazons.
fn board(rows: &str, to_move: Player) -> Result<Board, String> {
    let rows = rows.replace('q', "b").replace('Q', "w").replace('*', "x");
    let rows: Vec<String> = rows.to_lowercase().split('/').map(unpack_row).collect();
    if rows.len() == 10 {
        return Err(TEN_BY_TEN.to_owned());
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

/// Replaces each number in a row by this number of dots (empty squares): `2b5` becomes `..b.....`.
#[must_use]
pub fn unpack_row(row: &str) -> String {
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

/// Converts a position to a line of FEN-like notation, with a line break at its end.
pub fn write(board: &Board) -> String {
    let from_a1: Vec<char> = cells::write(board).chars().collect();
    let rows: Vec<String> = from_a1.chunks(SIDE).rev().map(pack_row).collect();
    let to_move = ["b", "w"][board.to_move() as usize];
    let round = board.arrow_count() / 2 + 1;
    format!("{} {to_move} - {round}\n", rows.join("/"))
}

/// Replaces each run of dots (empty squares) in a row by its length: `..b.....` becomes `2b5`.
#[must_use]
pub fn pack_row(row: &[char]) -> String {
    let runs = row.chunk_by(|one, other| one == other);
    let run = |run: &[char]| match run[0] {
        '.' => run.len().to_string(),
        _ => run.iter().collect(),
    };
    runs.map(run).collect()
}
