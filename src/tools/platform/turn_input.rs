//! [`turn_input`], the text that Botzone writes to a bot's standard input in one turn, in either protocol.

use engine::botzone::Protocol;
use record::judge::Coordinates;
use serde_json::json;

/// Returns the text that Botzone writes to a bot's standard input in one turn, in the format of `protocol`.
///
/// `history` contains the game so far: requests to the bot alternate with the bot's responses; first and last are
/// requests. A process that is started for this turn (`is_new_process`) gets the whole history; a process that was kept
/// running gets only the last request.
///
/// # Panics
/// If `history` is empty.
#[must_use]
pub fn turn_input(history: &[Coordinates], protocol: Protocol, is_new_process: bool) -> String {
    let last = history.last().expect("a turn has a request");
    match (protocol, is_new_process) {
        (Protocol::Simple, true) => {
            let lines: Vec<String> = history.iter().map(Coordinates::to_string).collect();
            format!("{}\n{}\n", history.len() / 2 + 1, lines.join("\n"))
        }
        (Protocol::Simple, false) => format!("{last}\n"),
        (Protocol::Json, true) => {
            let every_second =
                |first: usize| history.iter().skip(first).step_by(2).collect::<Vec<_>>();
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
