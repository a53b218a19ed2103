//! `amazons judge`: reads the log of an unfinished match on Botzone, and prints the next output of Botzone's judge
//! program, such as the request to the bot that is to move.

use base::error::Result;
use engine::console::print;
use record::judge::Judge;
use record::log::{self, Answer, LogEntry};
use std::io::{self, Read};

/// Reads a match log from standard input, and prints, as one line of JSON, what Botzone's judge program outputs after
/// the last answer of a bot in the log. This is normally the request to the other bot. Returns exit code 0.
///
/// # Errors
/// If standard input can't be read, the log can't be parsed, or standard output can't be written.
pub fn run() -> Result<u8> {
    let mut text = String::new();
    let read = io::stdin().read_to_string(&mut text);
    read.map_err(|error| format!("standard input: {error}; expected a match log"))?;
    let entries = log::read(&text).map_err(|error| format!("standard input: {error}"))?;
    let mut judge = Judge::default();
    let mut output = judge.first_output();
    for entry in &entries {
        if let LogEntry::Bot(player, answer) = entry
            && !judge.is_over()
        {
            // The judge expects an answer from the bot that is to move. If the next answer in the log is of the other
            // bot, replace it by an empty answer, as if the bot that is to move had not answered.
            let is_mover = *player == judge.board().to_move();
            let answer = if is_mover { answer } else { &Answer::default() };
            output = judge.answer(answer.verdict, answer.response.as_ref());
        }
    }
    print(format_args!("{}\n", serde_json::to_string(&output)?))?;
    Ok(0)
}
