//! Reads and writes positions in a notation like chess's FEN, such as `2w2w2/8/w6w/8/8/b6b/8/2b2b2 b - 1`. The fields
//! are:
//! - eight rows from rank 8 down to rank 1: `b` (black amazon), `w` (white amazon), `x` (arrow), or a number of empty
//!   squares
//! - side to move: `b` or `w`
//! - `-`. Some programs write here the square of an amazon that has moved and not yet shot; such a position is rejected.
//! - fullmove number, as in chess: 1 at the start, one more after every two turns. The reader ignores it.
//!
//! Chess's FEN has two fields more after the side to move; the reader accepts and ignores them, too, if each is `-` or a
//! number.

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

/// Tests if `text` looks like a position in a FEN-like notation: its first field contains at least four `/`, and
/// otherwise only digits and the characters `b`, `w`, `x`, `q` and `*`, in lower or upper case.
pub fn is_position(text: &str) -> bool {
    let mut fields = strip_uci(text).split_whitespace();
    let rows = fields.next().unwrap_or_default();
    let is_part = |letter: char| letter.is_ascii_digit() || "bwxBWXqQ*/".contains(letter);
    rows.matches('/').count() > 3 && rows.chars().all(is_part)
}

/// Parses a position and, after the word `moves`, the moves from this position.
///
/// # Errors
/// If the position or a move is malformed. Also if an amazon has moved in the position but not yet shot its arrow.
pub fn read(text: &str) -> Result<Draft, LogError> {
    let (fields, turns) = text.split_once("moves").unwrap_or((text, ""));
    let board = parse_position(strip_uci(fields)).map_err(|fault| at_line(1, &fault))?;
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
/// If `text` is malformed, if other text follows the position, or if an amazon has moved but not yet shot its arrow.
pub fn parse_position(text: &str) -> Result<Board, String> {
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
    // Every field after the side to move must be a number or `-`: a move number or, in a chess FEN, castling, en
    // passant and two counters.
    let is_counter = |field: &str| field == "-" || field.parse::<u32>().is_ok();
    let mut fields = fields.enumerate();
    match fields.find(|(at, field)| *at > 3 || !is_counter(field)) {
        Some((_, field)) => Err(format!("\"{}\", expected one position", quoted(field))),
        None => parse_rows(rows, to_move),
    }
}

/// Parses a board from eight rows separated by `/`, from rank 8 down to rank 1. `b` is a black amazon, `w` a white
/// amazon, `x` an arrow, and a number stands for as many empty squares. Fairy-Stockfish's `q`, `Q` and `*` mean `b`,
/// `w` and `x`.
///
/// # Errors
/// If there are not eight rows of eight squares, if a letter is unknown, or if a player does not have four amazons.
fn parse_rows(rows: &str, to_move: Player) -> Result<Board, String> {
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

/// Replaces each number in a row by as many dots, which are empty squares: `2b5` becomes `..b.....`.
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

/// Converts a position to one line in a notation like chess's FEN, with a line break at its end.
pub fn write(board: &Board) -> String {
    let from_a1: Vec<char> = cells::write(board).chars().collect();
    let rows: Vec<String> = from_a1.chunks(SIDE).rev().map(pack_row).collect();
    let to_move = ["b", "w"][board.to_move() as usize];
    let round = board.arrow_count() / 2 + 1;
    format!("{} {to_move} - {round}\n", rows.join("/"))
}

/// Replaces each sequence of dots (empty squares) in a row by its length: `..b.....` becomes `2b5`.
#[must_use]
pub fn pack_row(row: &[char]) -> String {
    let runs = row.chunk_by(|one, other| one == other);
    let run = |run: &[char]| match run[0] {
        '.' => run.len().to_string(),
        _ => run.iter().collect(),
    };
    runs.map(run).collect()
}
