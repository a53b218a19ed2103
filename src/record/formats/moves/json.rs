//! Reads moves from JSON ([`read`]): a list such as `[["c1","c6","f6"],["f8","f7","e7"]]`, or an object with such a
//! list under the key `moves`. A move may also be a text such as `c1-c6(f6)`, six coordinates, or an object with the
//! keys `from`, `to` and `arrow`.

use super::read_one;
use crate::formats::{at_line, draft::Draft};
use crate::log::{self, LogError};
use engine::console::quoted;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// JSON key of the list of moves, if the text is an object.
const MOVES_KEY: &str = "moves";

/// JSON keys by which a match log or a bot's input is recognised. A JSON object with one of these keys is not a list of
/// moves.
const LOG_KEYS: [&str; 3] = ["log", "logs", "requests"];

/// JSON keys of a move's three squares: where the amazon starts, where it moves to, and where its arrow lands.
const SQUARE_KEYS: [&str; 3] = ["from", "to", "arrow"];

/// JSON keys that are read if an object contains a list of moves: the list itself and the players' names. Any other key
/// is ignored, with a warning.
const KNOWN_KEYS: [&str; 3] = [MOVES_KEY, "players", "names"];

/// Tests if `text` looks like a JSON list of moves, or like a JSON object with such a list under the key `moves`.
pub fn is_list(text: &str) -> bool {
    let text = text.trim_start();
    match text.strip_prefix('[').map(str::trim_start) {
        Some(inner) if inner.starts_with(['[', '"']) => true,
        Some(inner) if inner.starts_with('{') => {
            let list: Vec<Map<String, Value>> = serde_json::from_str(text).unwrap_or_default();
            list.first()
                .is_some_and(|entry| entry.contains_key(SQUARE_KEYS[0]))
        }
        None if text.starts_with('{') => {
            let object: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
            let is_log = LOG_KEYS.iter().any(|name| object.contains_key(*name));
            !is_log && object.get(MOVES_KEY).is_some_and(Value::is_array)
        }
        _ => false,
    }
}

/// Parses a JSON list of moves, or an object with such a list. The returned game has no variations.
///
/// # Errors
/// If the text is not JSON, or at the first element of the list that is not a move.
pub fn read(text: &str) -> Result<Draft, LogError> {
    let not_json = |error: serde_json::Error| at_line(error.line(), &format!("not JSON: {error}"));
    let mut left_out = BTreeSet::new();
    let list: Vec<&RawValue> = if text.trim_start().starts_with('{') {
        let object: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(not_json)?;
        let names = object.keys().cloned();
        left_out.extend(names.filter(|name| !KNOWN_KEYS.contains(&name.as_str())));
        serde_json::from_str(object[MOVES_KEY].get()).map_err(not_json)?
    } else {
        serde_json::from_str(text).map_err(not_json)?
    };
    let mut draft = Draft {
        names: log::player_names(text),
        ..Draft::default()
    };
    for (last, entry) in list.into_iter().enumerate() {
        let at = entry.get().as_ptr() as usize - text.as_ptr() as usize;
        let line = 1 + text[..at].matches('\n').count();
        let value: Value = serde_json::from_str(entry.get()).map_err(not_json)?;
        let turn = read_one(&move_text(&value, &mut left_out));
        let turn = turn.map_err(|fault| {
            let entry = quoted(entry.get());
            at_line(line, &format!("move {}, {entry}: {fault}", last + 1))
        })?;
        draft.push(last, turn, line);
    }
    if !left_out.is_empty() {
        let names = left_out.iter().map(|name| quoted(name).to_string());
        let names = names.collect::<Vec<_>>().join(", ");
        draft.warnings.push(format!("left out: {names}"));
    }
    Ok(draft)
}

/// Converts the JSON value of a move to text, such as `c1 c6 f6` (the amazon's two squares, then the arrow's). If the
/// value is an object, all keys except `SQUARE_KEYS` are ignored and added to `left_out`.
fn move_text(value: &Value, left_out: &mut BTreeSet<String>) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let parts: Vec<String> = list.iter().map(|part| move_text(part, left_out)).collect();
            parts.join(" ")
        }
        Value::Object(object) => {
            let names = object.keys().cloned();
            left_out.extend(names.filter(|name| !SQUARE_KEYS.contains(&name.as_str())));
            let parts = SQUARE_KEYS.iter().filter_map(|name| object.get(*name));
            move_text(&parts.cloned().collect(), left_out)
        }
        other => other.to_string(),
    }
}
