//! Checks a match log against the judge.

use super::entry::{LogEntry, LogError};
use crate::console::quoted;
use crate::tools::record::judge::{Demand, Judge, Output, objection};
use serde_json::Value;

/// Checks a log step by step: the order of its entries, whose turn it is, and every output of the judge.
///
/// Returns the judge after the last entry. A log may end after any entry.
///
/// # Errors
/// At the first entry that is out of order, or differs from what the judge says.
pub fn check(entries: &[LogEntry]) -> Result<Judge, LogError> {
    let mut judge = Judge::default();
    let mut expected = judge.opening();
    for (number, entry) in entries.iter().enumerate() {
        let fail = |fault: String| {
            Err(LogError {
                entry: Some(number),
                fault,
            })
        };
        match entry {
            LogEntry::Judge(_) if number % 2 == 1 => {
                let expected = if judge.is_over() {
                    "the end: the game is over"
                } else {
                    "a bot's answer"
                };
                return fail(format!("the judge's output, expected {expected}"));
            }
            LogEntry::Judge(output) if *output != expected => {
                return Err(wrong_output(entries, number, &judge, &expected));
            }
            LogEntry::Judge(_) => {}
            LogEntry::Bot(player, _) if number % 2 == 0 => {
                return fail(format!("{player}'s answer, expected the judge's output"));
            }
            LogEntry::Bot(player, _) if judge.is_over() => {
                return fail(format!(
                    "{player}'s answer, expected the end: the game is over"
                ));
            }
            LogEntry::Bot(player, _) if *player != judge.board().to_move() => {
                return fail(format!(
                    "{player}'s answer, expected {}'s",
                    judge.board().to_move()
                ));
            }
            LogEntry::Bot(_, answer) => {
                expected = judge.answer(answer.verdict, answer.response.as_ref())
            }
        }
    }
    Ok(judge)
}

/// The fault of entry `number`, a judge's output that is not the expected one.
fn wrong_output(entries: &[LogEntry], number: usize, judge: &Judge, expected: &Output) -> LogError {
    let LogEntry::Judge(found) = &entries[number] else {
        unreachable!("only the judge's entries are compared with its output");
    };
    let refused = expected.display.err.as_ref();
    if let (Some(err), Demand::Request, [.., LogEntry::Bot(player, answer)]) =
        (refused, found.command, &entries[..number])
    {
        let why = answer.response.as_ref();
        let why = why.and_then(|response| objection(judge.board(), response));
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        return LogError {
            entry: Some(number - 1),
            fault: format!(
                "{player}'s answer is refused ({err}{why}), expected the end of the game, but the log goes on"
            ),
        };
    }
    let [found, expected] =
        [found, expected].map(|output| serde_json::to_value(output).unwrap_or_default());
    LogError {
        entry: Some(number),
        fault: format!(
            "the judge's {}",
            difference("output", Some(&found), Some(&expected))
        ),
    }
}

/// The first part in which two values differ, with its path.
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
