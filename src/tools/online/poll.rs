//! Parses Botzone's reply to a poll ([`parse_reply`]): requests to be answered, and results of finished matches.
//! Formats the answers that the next poll sends ([`write_answer`]).

use crate::platform::address::Id;
use engine::board::Move;
use engine::botzone::Protocol;
use engine::console::quoted;
use record::judge::Coordinates;
use serde_json::Value;
use std::collections::BTreeMap;

/// Parsed reply of Botzone to a poll, in which this program asks for news of its matches: requests to move, and results
/// of finished matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PollReply {
    /// Requests to move, one for each match that waits for our move. Each is the unparsed text of the opponent's last
    /// move, keyed by the match's id.
    pub requests: BTreeMap<Id, String>,
    /// Results of our finished matches that this reply reports, in the order of the reply.
    pub results: Vec<MatchResult>,
}

/// Result of a match that has ended, as reported in Botzone's reply to a poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// Id of the match.
    pub id: Id,
    /// `Some(true)` if this program won the match, `Some(false)` if it lost. `None` if the match was aborted, or if
    /// Botzone reports the same score for both players.
    pub won: Option<bool>,
}

/// Parses Botzone's reply to a poll. An empty reply, which Botzone may send after a long wait, contains no requests and
/// no results. Any other reply has these lines; numbers on the same line are separated by spaces:
/// - the number of requests, the number of results,
/// - two lines for each request: the match's id; the text of the request,
/// - one line for each result: the match's id, our colour (0 for black, 1 for white), the number of players (2, or 0 if
///   the match was aborted), black's score, white's score (the scores may be missing if the match was aborted).
///
/// # Errors
/// If the text does not have this format, for example because it is truncated.
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

/// Parses `line` with the function `parse`, which returns `None` for an invalid line. `what` names the expected content
/// in the error message, such as `a match's id`.
///
/// # Errors
/// - If `line` is `None`, because the reply has ended too early.
/// - If `parse` returns `None`.
fn parse_line<T>(
    line: Option<&str>,
    what: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, String> {
    let line = line.ok_or_else(|| format!("it ends early, expected {what}"))?;
    parse(line.trim()).ok_or_else(|| format!("\"{}\", expected {what}", quoted(line)))
}

/// Parses a line about the result of a match. Returns `None` if the line does not consist of these words:
/// - id of the match,
/// - our colour: 0 for black, 1 for white,
/// - number of players: 2, or 0 if the match was aborted,
/// - score of black, score of white; optional if the match was aborted.
fn parse_result(line: &str) -> Option<MatchResult> {
    let mut words = line.split_whitespace();
    let id = words.next()?.parse().ok()?;
    let slot: usize = words.next()?.parse().ok()?;
    let players: usize = words.next()?.parse().ok()?;
    let score = |word: &str| word.parse().ok().filter(|score: &f64| score.is_finite());
    let scores = words.map(score).collect::<Option<Vec<f64>>>()?;
    let won = match scores[..] {
        // No players: the match was aborted. Its line may contain scores or not.
        _ if players == 0 => None,
        [black, white] if players == 2 && slot < 2 => {
            (black != white).then_some((white > black) == (slot == 1))
        }
        _ => return None,
    };
    Some(MatchResult { id, won })
}

/// Parses the text of a request, which contains the opponent's last move: six numbers in Botzone's simple protocol, or
/// a JSON object in its JSON protocol. Returns the move and the protocol; `None` if `text` has neither format.
pub fn parse_request(text: &str) -> Option<(Coordinates, Protocol)> {
    if let Some(turn) = Coordinates::parse_words(text.split_whitespace()) {
        return Some((turn, Protocol::Simple));
    }
    let value: Value = serde_json::from_str(text).ok()?;
    Some((Coordinates::read(&value)?, Protocol::Json))
}

/// Formats our move `answer` as the text to send to Botzone, without a line break. `protocol` is that of the request:
/// simple (six numbers) or JSON.
pub fn write_answer(answer: Move, protocol: Protocol) -> String {
    let coordinates = Coordinates::from(answer);
    match protocol {
        Protocol::Simple => coordinates.to_string(),
        Protocol::Json => coordinates.to_value().to_string(),
    }
}
