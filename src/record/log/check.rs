//! Checks a match log against the judge.

use super::entry::{LogEntry, LogError};
use crate::judge::{Demand, Judge, Output, objection};
use crate::replayed::Replayed;
use engine::console::quoted;
use serde_json::Value;

/// What is expected after the judge's last output.
const OVER: &str = "the end: the game is over";

/// Follows a log step by step, and checks the order of its entries, whose turn it is, and every output of the judge.
///
/// A game can be followed without what the judge displays, so a log with other counts of moves, or with less on display, is
/// as good: that is worth a remark. A log may end after any entry.
///
/// # Errors
/// At the first entry that is out of order, or differs from what the judge says.
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

/// Tests if an output is the expected one but for the counts of moves, and what it doesn't display.
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

/// The fault of entry `number`, an output of the judge that is not the expected one.
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

/// The difference of an output from the expected one, whatever is the reason.
fn other_output(number: usize, found: &Output, expected: &Output) -> LogError {
    let [found, expected] =
        [found, expected].map(|output| serde_json::to_value(output).unwrap_or_default());
    let difference = difference("output", Some(&found), Some(&expected));
    LogError::at(number, format!("the judge's {difference}"))
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
