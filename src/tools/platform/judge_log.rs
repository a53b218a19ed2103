//! `amazons judge`: reads a match log and prints what Botzone's judge program would output next.

use base::error::ToolError;
use engine::console::print;
use record::judge::Judge;
use record::log::{self, Answer, LogEntry};
use std::io::{self, Read};

/// Reads a match log from standard input. Prints the judge's next output, such as a request to a bot, as one line of
/// JSON. Returns exit code 0.
///
/// # Errors
/// If standard input can't be read, the log can't be parsed, or standard output can't be written.
pub fn run() -> Result<u8, ToolError> {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| format!("standard input: {error}; expected a match log"))?;
    let entries = log::read(&text).map_err(|error| format!("standard input: {error}"))?;
    let mut judge = Judge::default();
    let mut output = judge.first_output();
    for entry in &entries {
        if let LogEntry::Bot(player, answer) = entry
            && !judge.is_over()
        {
            // The judge expects an answer of the side to move only. If the other player answered instead, replace the
            // answer by an empty one, as if the side to move had not answered.
            let is_mover = *player == judge.board().to_move();
            let answer = if is_mover { answer } else { &Answer::default() };
            output = judge.answer(answer.verdict, answer.response.as_ref());
        }
    }
    print(format_args!("{}\n", serde_json::to_string(&output)?))?;
    Ok(0)
}
