//! Checks a match log against the judge's rules.

use super::entry::{LogEntry, LogError};
use crate::judge::{Demand, Judge, Output, objection};
use crate::replayed::Replayed;
use engine::console::quoted;
use serde_json::Value;

/// Part of error messages: what is expected after the judge's last output.
const OVER: &str = "the end: the game is over";

/// Replays a log entry by entry; checks the order of the entries, the side to move, and every output of the judge.
///
/// Missing data or other counts of moves under `display` only cause a warning, because a game can be followed without them. A
/// log may end after any entry.
///
/// # Errors
/// At the first entry that is out of order, or that contradicts the judge.
pub fn check(entries: &[LogEntry]) -> Result<Replayed, LogError> {
    let mut game = Replayed::default();
    let mut expected = game.judge.opening();
    for (number, entry) in entries.iter().enumerate() {
        let judge = &game.judge;
        let fail = |fault| Err(LogError::at(number, fault));
        match entry {
            LogEntry::Judge(_) if number % 2 == 1 => {
                let expected = ["a bot's answer", OVER][usize::from(judge.is_over())];
                return fail(format!("the judge's output, expected {expected}"));
            }
            LogEntry::Judge(output) if *output != expected => {
                if !says_as_much(output, &expected) {
                    return Err(wrong_output(entries, number, output, judge, &expected));
                }
                let remark = other_output(number, output, &expected);
                game.remarks.push(remark);
            }
            LogEntry::Judge(_) => {}
            LogEntry::Bot(player, _) if number % 2 == 0 => {
                return fail(format!("{player}'s answer, expected the judge's output"));
            }
            LogEntry::Bot(player, _) if judge.is_over() => {
                return fail(format!("{player}'s answer, expected {OVER}"));
            }
            LogEntry::Bot(player, _) if *player != judge.board().to_move() => {
                let to_move = judge.board().to_move();
                return fail(format!("{player}'s answer, expected {to_move}'s"));
            }
            LogEntry::Bot(_, answer) => expected = game.add(answer.clone()),
        }
    }
    Ok(game)
}

/// Tests if `output` agrees with `expected`. Counts of moves may differ, and other data under `display` may be missing.
fn says_as_much(output: &Output, expected: &Output) -> bool {
    fn fits<T: PartialEq>(found: &Option<T>, expected: &Option<T>) -> bool {
        found.is_none() || found == expected
    }
    let (found, shown) = (&output.display, &expected.display);
    (output.command, &output.content) == (expected.command, &expected.content)
        && fits(&found.err, &shown.err)
        && fits(&found.winner, &shown.winner)
        && fits(&found.last_move, &shown.last_move)
}

/// Returns the error for entry `number`, an output of the judge that contradicts `expected`. If the log goes on after an
/// answer that the judge rejects, the error is at that answer.
fn wrong_output(
    entries: &[LogEntry],
    number: usize,
    found: &Output,
    judge: &Judge,
    expected: &Output,
) -> LogError {
    let refused = expected.display.err.as_ref();
    if let (Some(err), Demand::Request, [.., LogEntry::Bot(player, answer)]) =
        (refused, found.command, &entries[..number])
    {
        let why = answer.response.as_ref();
        let why = why.and_then(|response| objection(judge.board(), response));
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        let fault = format!(
            "{player}'s answer is refused ({err}{why}), expected the end of the game, but the log goes on"
        );
        return LogError::at(number - 1, fault);
    }
    other_output(number, found, expected)
}

/// Returns an error at entry `number` that shows the first difference between two outputs.
fn other_output(number: usize, found: &Output, expected: &Output) -> LogError {
    let [found, expected] =
        [found, expected].map(|output| serde_json::to_value(output).unwrap_or_default());
    let difference = difference("output", Some(&found), Some(&expected));
    LogError::at(number, format!("the judge's {difference}"))
}

/// Describes the first difference between two JSON values, with its path, such as `output.display.winner`.
fn difference(path: &str, found: Option<&Value>, expected: Option<&Value>) -> String {
    if let (Some(Value::Object(found)), Some(Value::Object(expected))) = (found, expected) {
        let mut keys = expected.keys().chain(found.keys());
        if let Some(key) = keys.find(|&key| found.get(key) != expected.get(key)) {
            let path = format!("{path}.{key}");
            return difference(&path, found.get(key), expected.get(key));
        }
    }
    let [found, expected] =
        [found, expected].map(|value| value.map_or("missing".to_owned(), Value::to_string));
    let [path, found] = [path, &found].map(quoted);
    format!("{path} is {found}, expected {expected}")
}
