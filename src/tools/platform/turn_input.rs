//! [`turn_input`], the text that Botzone writes to a bot's standard input in one turn, in either protocol.

use engine::botzone::Protocol;
use record::judge::Coordinates;
use serde_json::json;

/// Returns the text that Botzone writes to a bot's standard input in one turn. `form` is the bot's protocol.
///
/// `record` contains the game so far: requests to the bot alternate with the bot's responses; first and last are
/// requests. A process that is started for this turn (`is_new_process`) receives the whole record. A process that was
/// kept running receives only the last request.
///
/// # Panics
/// If `record` is empty.
#[must_use]
pub fn turn_input(record: &[Coordinates], form: Protocol, is_new_process: bool) -> String {
    let last = record.last().expect("a turn has a request");
    match (form, is_new_process) {
        (Protocol::Simple, true) => {
            let lines: Vec<String> = record.iter().map(Coordinates::to_string).collect();
            format!("{}\n{}\n", record.len() / 2 + 1, lines.join("\n"))
        }
        (Protocol::Simple, false) => format!("{last}\n"),
        (Protocol::Json, true) => {
            let every_second =
                |first: usize| record.iter().skip(first).step_by(2).collect::<Vec<_>>();
            let input = json!({
                "requests": every_second(0),
                "responses": every_second(1),
                "data": "",
                "globaldata": "",
                "time_limit": "",
                "memory_limit": "",
            });
            format!("{input}\n")
        }
        (Protocol::Json, false) => format!("{}\n", json!({ "request": last })),
    }
}
