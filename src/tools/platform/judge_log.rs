//! `amazons judge`: reads the log of a match that is not over, and prints what Botzone's judge program would do next,
//! such as the request to the bot that is to move.

use base::error::ToolError;
use engine::console::print;
use record::judge::Judge;
use record::log::{self, Answer, LogEntry};
use std::io::{self, Read};

/// Reads a match log from standard input. Prints what the judge program outputs after the log's last answer of a bot,
/// such as the request to the other bot, as one line of JSON. Returns exit code 0.
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
            // The judge expects an answer from the bot that is to move. If the log contains an answer of the other bot
            // instead, give the judge an empty answer, as if the bot that is to move had not answered.
            let is_mover = *player == judge.board().to_move();
            let answer = if is_mover { answer } else { &Answer::default() };
            output = judge.answer(answer.verdict, answer.response.as_ref());
        }
    }
    print(format_args!("{}\n", serde_json::to_string(&output)?))?;
    Ok(0)
}
