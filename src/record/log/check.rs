//! Checks a match log against the judge's rules: replays the bots' moves in the log, and compares the judge's outputs
//! in the log with those that the rules give.

use super::entry::{LogEntry, LogError};
use crate::checked_game::CheckedGame;
use crate::judge::{Judge, Output, OutputKind, explain_illegal};
use engine::console::quoted;
use serde_json::Value;

/// Part of error messages about a log entry after the end of a game: says that the log should have ended before this
/// entry.
const EXPECTED_END: &str = "the end: the game is over";

/// Replays a match log entry by entry, and returns the resulting game. Checks the order of the entries, the side to
/// move, and every output of the judge. A log may end after any entry.
///
/// The data that the judge outputs for display (under the key `display`) may be missing, or have wrong numbers of legal
/// moves. This is no error, but adds a warning to the game.
///
/// # Errors
/// At the first entry that is out of order, comes from the wrong player, or differs from what the judge would output.
pub fn check(entries: &[LogEntry]) -> Result<CheckedGame, LogError> {
    let mut game = CheckedGame::default();
    let mut expected = game.judge.first_output();
    for (number, entry) in entries.iter().enumerate() {
        let judge = &game.judge;
        let fail = |fault| Err(LogError::in_entry(number, fault));
        match entry {
            LogEntry::Judge(_) if number % 2 == 1 => {
                let expected = ["a bot's answer", EXPECTED_END][usize::from(judge.is_over())];
                return fail(format!("the judge's output, expected {expected}"));
            }
            LogEntry::Judge(output) if *output != expected => {
                if !is_consistent(output, &expected) {
                    return Err(output_error(entries, number, output, judge, &expected));
                }
                let remark = output_mismatch(number, output, &expected);
                game.warnings.push(remark);
            }
            LogEntry::Judge(_) => {}
            LogEntry::Bot(player, _) if number % 2 == 0 => {
                return fail(format!("{player}'s answer, expected the judge's output"));
            }
            LogEntry::Bot(player, _) if judge.is_over() => {
                return fail(format!("{player}'s answer, expected {EXPECTED_END}"));
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

/// Tests if `output`, an output of the judge in a match log, agrees with the correct output `expected`. The command and
/// the content must be equal. The error code, the winner and the last move may be missing in `output`; if they are not,
/// they must be equal, too. The numbers of legal moves may differ.
fn is_consistent(output: &Output, expected: &Output) -> bool {
    fn agrees<T: PartialEq>(found: &Option<T>, expected: &Option<T>) -> bool {
        found.is_none() || found == expected
    }
    let (found, shown) = (&output.display, &expected.display);
    (output.command, &output.content) == (expected.command, &expected.content)
        && agrees(&found.err, &shown.err)
        && agrees(&found.winner, &shown.winner)
        && agrees(&found.last_move, &shown.last_move)
}

/// Creates the error for a wrong output of the judge in a match log. `found` is the wrong output, in the log entry with
/// index `number` (from 0); `expected` is the correct output. `judge` is the judge's state at this entry.
///
/// If the judge should have rejected the bot's answer in the entry before, but the log goes on with a request for
/// another move, the error is about that answer instead.
fn output_error(
    entries: &[LogEntry],
    number: usize,
    found: &Output,
    judge: &Judge,
    expected: &Output,
) -> LogError {
    let rejection = expected.display.err.as_ref();
    if let (Some(err), OutputKind::Request, [.., LogEntry::Bot(player, answer)]) =
        (rejection, found.command, &entries[..number])
    {
        let reason = answer.response.as_ref();
        let reason = reason.and_then(|response| explain_illegal(judge.board(), response));
        let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
        let fault = format!(
            "{player}'s answer is refused ({err}{reason}), expected the end of the game, but the log goes on"
        );
        return LogError::in_entry(number - 1, fault);
    }
    output_mismatch(number, found, expected)
}

/// Creates the error for the log entry with index `number` (from 0), an output of the judge. The message names the
/// first difference between this output, `found`, and the correct output, `expected`.
fn output_mismatch(number: usize, found: &Output, expected: &Output) -> LogError {
    let [found, expected] =
        [found, expected].map(|output| serde_json::to_value(output).unwrap_or_default());
    let difference = first_difference("output", Some(&found), Some(&expected));
    LogError::in_entry(number, format!("the judge's {difference}"))
}

/// Describes the first difference between two JSON values that stand under the same key: `found` and `expected`. Either
/// is `None` if its key is missing. `path` is the key with its parents, such as `output.display`.
fn first_difference(path: &str, found: Option<&Value>, expected: Option<&Value>) -> String {
    if let (Some(Value::Object(found)), Some(Value::Object(expected))) = (found, expected) {
        let mut keys = expected.keys().chain(found.keys());
        if let Some(key) = keys.find(|&key| found.get(key) != expected.get(key)) {
            let path = format!("{path}.{key}");
            return first_difference(&path, found.get(key), expected.get(key));
        }
    }
    let [found, expected] =
        [found, expected].map(|value| value.map_or("missing".to_owned(), Value::to_string));
    let [path, found] = [path, &found].map(quoted);
    format!("{path} is {found}, expected {expected}")
}
