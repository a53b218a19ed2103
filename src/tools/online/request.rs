//! A request and its answer on the wire, in the simple form or in JSON: each match has its own.

use crate::board::Move;
use crate::botzone::Form;
use crate::tools::record::judge::Coordinates;
use serde_json::Value;

/// Reads a request: six numbers, or a JSON object that holds them.
#[must_use]
pub fn read(text: &str) -> Option<(Coordinates, Form)> {
    if let Some(turn) = Coordinates::of_words(text.split_whitespace()) {
        return Some((turn, Form::Simple));
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let last = |list: &Value| list.as_array()?.last().cloned();
    let inner = value.get("request").cloned();
    let inner = inner.or_else(|| value.get("requests").and_then(last));
    Some((Coordinates::read(&inner.unwrap_or(value))?, Form::Json))
}

/// The answer as it is sent: it has no line break.
#[must_use]
pub fn write(turn: Move, form: Form) -> String {
    let coordinates = Coordinates::from(turn);
    match form {
        Form::Simple => coordinates.to_string(),
        Form::Json => serde_json::to_value(coordinates)
            .unwrap_or_default()
            .to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_written() {
        let object = r#"{"x0":0,"y0":2,"x1":0,"y1":3,"x2":3,"y2":0}"#;
        let turn = Move::from_coordinates([0, 2, 0, 3, 3, 0]).expect("a move");
        for (text, form, answer) in [
            ("0 2 0 3 3 0", Form::Simple, "0 2 0 3 3 0"),
            (object, Form::Json, object),
            (&format!("{{\"request\":{object}}}"), Form::Json, object),
            (
                &format!("{{\"requests\":[{{}},{object}]}}"),
                Form::Json,
                object,
            ),
        ] {
            assert_eq!(read(text), Some((turn.into(), form)), "{text}");
            assert_eq!(write(turn, form), answer);
        }
        let one_less = "0 2 0 3 3";
        for text in [
            "",
            one_less,
            "0 2 0 3 3 0 1",
            "{}",
            "null",
            "x",
            "{\"x0\":1}",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
