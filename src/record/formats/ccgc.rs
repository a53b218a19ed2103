//! Reads and writes the format of CCGC, China's national computer game contest: a header line, then numbered moves. The
//! contest plays on 10x10 squares; this program accepts only 8x8.
//!
//! - Header: `#[AM][first player][second player][先手胜 or 后手胜][2020.11.01 14:00 place][event];`, where 先手胜 means that the
//!   first player has won
//! - Moves: `1 d1d7(g7) d8c8(h3)`

use super::draft::Draft;
use super::{at_line, moves};
use crate::log::LogError;
use crate::tree::Record;
use engine::board::Move;
use engine::console::quoted;

/// Results in the first line of a CCGC file. Index 0: the player who moves first has won. Index 1: the other player has
/// won.
const RESULTS: [&str; 2] = ["先手胜", "后手胜"];

/// Parses a game in the format of CCGC, China's national computer game contest.
///
/// # Errors
/// If the first line is not CCGC's header for a game of Amazons (`#[AM]…`), or if the following text contains something
/// other than moves.
pub fn read(text: &str) -> Result<Draft, LogError> {
    let fault = || {
        let fault = "expected #[AM][first player][second player][result][date][event];";
        at_line(1, &fault)
    };
    let text = text.trim_start();
    let (header, moves) = text.split_once('\n').unwrap_or((text, ""));
    let (header, tail) = header.rsplit_once(']').ok_or_else(fault)?;
    // A semicolon (ASCII or full-width) may end CCGC's header, and moves may follow the semicolon on the same line.
    let (between, tail) = tail.split_once([';', '；']).unwrap_or(("", tail));
    let header = header.strip_prefix("#[").ok_or_else(fault)?;
    let fields: Vec<&str> = header.split("][").map(str::trim).collect();
    let [kind, first, second, ref others @ ..] = fields[..] else {
        return Err(fault());
    };
    if !kind.eq_ignore_ascii_case("AM") {
        return Err(fault());
    }
    let mut draft = moves::read_from(Draft::default(), &format!("{tail}\n{moves}"), 1)?;
    draft.names = [first, second].map(|name| (!name.is_empty()).then(|| name.to_owned()));
    let other = |at: usize| others.get(at).copied().unwrap_or_default();
    let won = RESULTS.iter().position(|result| other(0) == *result);
    let won = won.map_or("", |player| ["B+", "W+"][player]);
    let unread = if won.is_empty() { other(0) } else { "" };
    let more = others.iter().skip(3).copied();
    for part in [unread, between.trim()].into_iter().chain(more) {
        if !part.is_empty() {
            let remark = format!("\"{}\" in its first line is left out", quoted(part));
            draft.warnings.push(remark);
        }
    }
    let (date, place) = other(1).split_once(' ').unwrap_or((other(1), ""));
    let date = date.replace(['.', '/'], "-");
    // A result after the moves takes precedence over the result in the first line of the file.
    let stated = draft.nodes[0].text("RE");
    if stated.is_some_and(|stated| !stated.starts_with(won)) {
        let remark = "the result of its first line is left out, as the moves end with another one";
        draft.warnings.push(remark.to_owned());
    }
    let won = draft.nodes[0].text("RE").map_or(won, |_| "");
    for (name, text) in [("RE", won), ("DT", &date), ("PC", place), ("EV", other(2))] {
        if !text.is_empty() {
            draft.nodes[0].add(name, vec![text.to_owned()]);
        }
    }
    Ok(draft)
}

/// Writes the main line of a record in CCGC's format. Brackets and semicolons in names are replaced by full-width
/// characters, because they would end a field of the header. The game must begin at the standard start position, which
/// the caller checks.
pub fn write(record: &Record) -> String {
    let data = |name: &str| record.nodes[0].text(name).unwrap_or_default();
    let names = record.game.names.each_ref();
    let [first, second] = names.map(|name| name.as_deref().unwrap_or_default());
    let winner = record.winner();
    let result = winner.map_or("", |winner| RESULTS[winner as usize]);
    let date = format!("{} {}", data("DT").replace('-', "."), data("PC"));
    let fields = ["AM", first, second, result, date.trim(), data("EV")].map(header_field);
    let mut text = format!("#[{}];\r\n", fields.join("]["));
    for (number, pair) in (1..).zip(record.game.turns().chunks(2)) {
        text += &number.to_string();
        for Move { from, to, arrow } in pair {
            text += &format!(" {from}{to}({arrow})");
        }
        text += "\r\n";
    }
    text
}

/// Converts `text` to a field of CCGC's header: puts it on one line, and replaces brackets and semicolons, which would
/// end the field, by full-width characters.
fn header_field(text: &str) -> String {
    let text = text
        .replace('[', "［")
        .replace(']', "］")
        .replace(';', "；");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
