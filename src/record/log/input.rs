//! Reads the input that Botzone sends to a bot, and converts it to the match log of the game so far.
//!
//! The input holds requests (moves of the opponent) and responses (moves of the bot itself). Botzone has two protocols.
//! In the JSON protocol, the input is `{"requests":[…],"responses":[…]}`. In the simple protocol, the input is the
//! number of the turn, followed by one line for each request and response.

use super::entries_from;
use super::entry::{Answer, LogEntry};
use crate::checked_game::CheckedGame;
use crate::judge::{Coordinates, explain_illegal};
use engine::console::{quoted, with_noun};
use serde_json::Value;

/// Tests if `text` looks like a bot's input in Botzone's simple protocol: the first line is an integer, and another
/// line follows.
pub fn is_simple_input(text: &str) -> bool {
    let mut lines = lines(text);
    let number = lines.next().and_then(|(_, line)| line.parse::<i64>().ok());
    number.is_some() && lines.next().is_some()
}

/// Iterates over the non-blank lines of `text`. First: the line number, counted from 1; second: the line without blanks
/// at its ends.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty())
}

/// Parses a bot's input in Botzone's simple protocol into a match log. The input is the number n of the turn, followed
/// by 2n − 1 lines with one move each, the opponent's and the bot's own in turn. Further lines, in which Botzone
/// repeats the data that the bot has stored, are ignored.
///
/// # Errors
/// - If the first line is not a number n of at least 1.
/// - If there are fewer than 2n − 1 moves, or if a further line is a move, too.
/// - If a line does not hold six integers, or is an illegal move.
pub fn read_simple_input(text: &str) -> Result<Vec<LogEntry>, String> {
    let mut lines = lines(text);
    let turn = lines.next().and_then(|(_, line)| line.parse::<i64>().ok());
    let expected_lines = turn
        .and_then(|turn| usize::try_from(turn).ok()?.checked_mul(2)?.checked_sub(1))
        .ok_or("line 1: expected the number of a turn, from 1")?;
    let mut record = CheckedGame::default();
    for found in 0..expected_lines {
        let (number, line) = lines.next().ok_or_else(|| {
            let expected = with_noun(expected_lines as u64, "line", "lines");
            format!("expected {expected} after the number of the turn, found {found}")
        })?;
        let fault = |fault| format!("line {number}: {fault}");
        let turn = parse_move_line(line).map_err(fault)?;
        add_move(&mut record, turn, found == 0).map_err(fault)?;
    }
    match lines.find(|(_, line)| parse_move_line(line).is_ok()) {
        Some((number, _)) => Err(format!(
            "line {number}: a move, expected the end: the record of this turn has {}",
            with_noun(expected_lines as u64, "line", "lines")
        )),
        None => Ok(entries_from(record.answers)),
    }
}

/// Parses a line of six integers, x0 y0 x1 y1 x2 y2, into a move in JSON.
///
/// # Errors
/// If the line does not hold six integers.
fn parse_move_line(line: &str) -> Result<Value, String> {
    let turn = Coordinates::parse_words(line.split_whitespace());
    let line = quoted(line);
    let fault = || format!("\"{line}\", expected six numbers x0 y0 x1 y1 x2 y2");
    Ok(turn.ok_or_else(fault)?.to_value())
}

/// Parses a bot's input in Botzone's JSON protocol into a match log. The input holds the opponent's moves under
/// `requests`, and the bot's own moves under `responses`.
///
/// # Errors
/// - If `requests` or `responses` is not a list, or if both are empty.
/// - If there are not as many responses as requests, or one fewer.
/// - If a request or response is not a legal move.
pub fn read_json_input(value: &Value) -> Result<Vec<LogEntry>, String> {
    let list = |name: &str| match value.get(name) {
        None => Ok(&[][..]),
        Some(Value::Array(list)) => Ok(list.as_slice()),
        Some(_) => Err(format!("expected a list under \"{name}\"")),
    };
    let (requests, responses) = (list("requests")?, list("responses")?);
    if requests.is_empty() && responses.is_empty() {
        return Err("expected a list of requests, one at least, under \"requests\"".to_owned());
    }
    // There may be one response fewer than requests, because the bot has not yet answered the last request.
    if ![requests.len(), requests.len() + 1].contains(&(responses.len() + 1)) {
        return Err(format!(
            "{} and {}, expected one response for each request but the last",
            with_noun(requests.len() as u64, "request", "requests"),
            with_noun(responses.len() as u64, "response", "responses")
        ));
    }
    let mut record = CheckedGame::default();
    for (number, request) in requests.iter().enumerate() {
        let fault = |kind| move |fault| format!("{kind} {number}: {fault}");
        let is_first = number == 0;
        add_move(&mut record, request.clone(), is_first).map_err(fault("request"))?;
        if let Some(response) = responses.get(number) {
            add_move(&mut record, response.clone(), false).map_err(fault("response"))?;
        }
    }
    Ok(entries_from(record.answers))
}

/// Adds the move `turn`, in JSON, to `game`. If `is_first` is true, `turn` may also be Botzone's first request to
/// black: six times −1. It stands for “no move before” and is ignored.
///
/// # Errors
/// If the game is over, or if `turn` is illegal.
fn add_move(game: &mut CheckedGame, turn: Value, is_first: bool) -> Result<(), String> {
    if is_first && Coordinates::read(&turn) == Some(Coordinates::NONE) {
        return Ok(());
    }
    if game.judge.is_over() {
        return Err("expected the end: the game is over".to_owned());
    }
    if let Some(explain_illegal) = explain_illegal(game.judge.board(), &turn) {
        return Err(explain_illegal);
    }
    game.add(Answer::good(turn));
    Ok(())
}
