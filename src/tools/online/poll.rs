//! Parses the platform's reply to a poll (open requests, and results of finished matches), and formats the answers that
//! the next poll sends.

use crate::platform::address::Id;
use engine::board::Move;
use engine::botzone::Form;
use engine::console::quoted;
use record::judge::Coordinates;
use serde_json::Value;
use std::collections::BTreeMap;

/// Parsed reply to a poll.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PollReply {
    /// Unparsed text of each match's open request, keyed by the match's id.
    pub requests: BTreeMap<Id, String>,
    /// Results of finished matches.
    pub results: Vec<MatchResult>,
}

/// Result of a finished match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// Id of the match.
    pub id: Id,
    /// Whether this program won; `None` if the match was aborted or drawn.
    pub won: Option<bool>,
}

/// Parses the reply to a poll. The first line holds the number of requests and the number of results. Each request
/// takes two lines (the match's id, then the request's text), each result one line. An empty `text` is a reply without
/// requests and results, which the platform may send after a long wait.
///
/// # Errors
/// If the text is not of this format, for example if it is truncated.
pub fn parse_reply(text: &str) -> Result<PollReply, String> {
    let mut reply = PollReply::default();
    let mut lines = text.lines();
    if text.trim().is_empty() {
        return Ok(reply);
    }
    let counts = |line: &str| {
        let counts: Option<Vec<usize>> = line.split_whitespace().map(|n| n.parse().ok()).collect();
        counts?.try_into().ok()
    };
    let [requests, results] = parse_line(lines.next(), "two numbers of matches", counts)?;
    for _ in 0..requests {
        let id = parse_line(lines.next(), "a match's id", |line| line.parse().ok())?;
        let request = parse_line(lines.next(), "a request", |line| Some(line.to_owned()))?;
        reply.requests.insert(id, request);
    }
    for _ in 0..results {
        let result = parse_line(lines.next(), "a match's result", parse_result)?;
        reply.results.push(result);
    }
    match lines.find(|line| !line.trim().is_empty()) {
        Some(line) => Err(format!("\"{}\", expected the end", quoted(line))),
        None => Ok(reply),
    }
}

/// Parses one line with `parse`, which returns `None` if the line is invalid. `what` names the expected value in the
/// error message.
///
/// # Errors
/// If there is no line, or if `parse` returns `None`.
fn parse_line<T>(
    line: Option<&str>,
    what: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, String> {
    let line = line.ok_or_else(|| format!("it ends early, expected {what}"))?;
    parse(line.trim()).ok_or_else(|| format!("\"{}\", expected {what}", quoted(line)))
}

/// Parses the line of a match's result: the match's id, our colour (0 for black, 1 for white), the number of players,
/// then black's score and white's score. Without players, the match was aborted. Returns `None` if the line is not of
/// this format.
fn parse_result(line: &str) -> Option<MatchResult> {
    let mut words = line.split_whitespace();
    let id = words.next()?.parse().ok()?;
    let slot: usize = words.next()?.parse().ok()?;
    let players: usize = words.next()?.parse().ok()?;
    let score = |word: &str| word.parse().ok().filter(|score: &f64| score.is_finite());
    let scores = words.map(score).collect::<Option<Vec<f64>>>()?;
    let won = match scores[..] {
        // An aborted match has no players, with or without scores.
        _ if players == 0 => None,
        [black, white] if players == 2 && slot < 2 => {
            (black != white).then_some((white > black) == (slot == 1))
        }
        _ => return None,
    };
    Some(MatchResult { id, won })
}

/// Parses a request: six numbers, or a JSON object that holds them. Returns the move, and which of these two forms the
/// text has; `None` if the text has neither form.
pub fn parse_request(text: &str) -> Option<(Coordinates, Form)> {
    if let Some(turn) = Coordinates::parse_words(text.split_whitespace()) {
        return Some((turn, Form::Simple));
    }
    let value: Value = serde_json::from_str(text).ok()?;
    Some((Coordinates::read(&value)?, Form::Json))
}

/// Returns the text of an answer with the move `turn`, without a line break. `form` is the form of the request to
/// answer.
pub fn write_answer(turn: Move, form: Form) -> String {
    let coordinates = Coordinates::from(turn);
    match form {
        Form::Simple => coordinates.to_string(),
        Form::Json => coordinates.to_value().to_string(),
    }
}
