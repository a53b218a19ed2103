//! The platform's input to a bot at a turn, in both forms of interaction.

use engine::botzone::Form;
use record::judge::Coordinates;
use serde_json::json;

/// The text of a turn.
///
/// `record`: the bot's requests and its own responses in turn, a request first and last. A `fresh` bot is sent all of
/// it, a bot that was kept running only the last request.
///
/// # Panics
/// If the record is empty.
#[must_use]
pub fn input(record: &[Coordinates], form: Form, fresh: bool) -> String {
    let last = record.last().expect("a turn has a request");
    match (form, fresh) {
        (Form::Simple, true) => {
            let lines: Vec<String> = record.iter().map(Coordinates::to_string).collect();
            format!("{}\n{}\n", record.len() / 2 + 1, lines.join("\n"))
        }
        (Form::Simple, false) => format!("{last}\n"),
        (Form::Json, true) => {
            let part = |first: usize| record.iter().skip(first).step_by(2).collect::<Vec<_>>();
            let input = json!({
                "requests": part(0),
                "responses": part(1),
                "data": "",
                "globaldata": "",
                "time_limit": "",
                "memory_limit": "",
            });
            format!("{input}\n")
        }
        (Form::Json, false) => format!("{}\n", json!({ "request": last })),
    }
}
