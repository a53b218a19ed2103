//! Journals: files that store the results of a long job, such as the games of an arena (many games between bots). Each
//! line is JSON. The first line is the header ([`Header`]) with the settings of the job. Every other line is the record
//! of one result, appended as soon as this result is known.
//!
//! A job can be resumed with a greater planned number of results than before. In this case another header line with the
//! new number is appended to the journal. All its other settings equal those of the first header.

use super::append::{AppendFile, json_line};
use super::error::Result;
use engine::console::quoted;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;

/// First line of a journal, which is a file with the results of a long job: the job's settings and its planned number
/// of results. Journals with the same settings contain results of the same job.
pub trait Header: Clone + PartialEq + Serialize + DeserializeOwned {
    /// Type of a record of this journal: one result of the job, such as a finished game.
    type Record: Serialize + DeserializeOwned;

    /// Description of the journal's records for error messages, in the plural, such as "an arena's games".
    const RECORDS_NAME: &'static str;

    /// Compares the settings of this header with those of the header `expected`. Returns one text for each setting that
    /// differs, such as "seed 1 instead of 2", where 1 is the value in this header. The planned number of results is
    /// not compared. Returns an empty list if all settings are equal.
    fn differences(&self, expected: &Self) -> Vec<String>;

    /// Returns a copy of this header, but with the planned number of results from the header `requested`. Called when a
    /// job is resumed.
    ///
    /// # Errors
    /// If `requested` plans fewer results than this header.
    fn with_length_of(&self, requested: &Self) -> Result<Self, String>;

    /// Checks that the values of this header do not contradict each other, for example that there is a name for each
    /// player.
    ///
    /// # Errors
    /// If values contradict each other; the message says which.
    fn check(&self) -> Result<(), String>;

    /// Checks that a result of the job is possible under the settings of this header. This default implementation
    /// accepts every record.
    ///
    /// # Errors
    /// If the record is impossible, for example a game that is not in the schedule; the message says why.
    fn check_record(&self, _record: &Self::Record) -> Result<(), String> {
        Ok(())
    }

    /// Returns the number of `record` among the results of the job, such as the number of a game. Two records of a
    /// journal never have the same number.
    fn record_number(record: &Self::Record) -> usize;
}

/// Parsed line of a journal, which is a file with the results of a long job: the job's settings, or one result.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalLine<H, R> {
    /// Header line: the job's settings and its planned number of results. The last header line of a journal is the
    /// valid one.
    Header(H),
    /// Record line: one result of the job, such as a finished game.
    Record(R),
}

/// Parsed content of a journal file ([`parse`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Content<H: Header> {
    /// Header that is valid for the journal: its last header line. It differs from the first header line at most in the
    /// planned number of results.
    pub header: H,
    /// All complete lines of the journal, in the order of the file: headers and records of results.
    pub lines: Vec<JournalLine<H, H::Record>>,
    /// Total length of all complete lines, in bytes from the beginning of the file. A crash may leave an incomplete
    /// line after them.
    pub complete_bytes: usize,
    /// True if the last line of the journal is complete JSON but lacks the newline after it. Then a newline must be
    /// appended to the file before the next record.
    lacks_newline: bool,
}

impl<H: Header> Content<H> {
    /// Converts the content to an iterator over its records, without the headers, in the order of the file.
    pub fn into_records(self) -> impl Iterator<Item = H::Record> {
        self.lines.into_iter().filter_map(|line| match line {
            JournalLine::Header(_) => None,
            JournalLine::Record(record) => Some(record),
        })
    }
}

/// Parses the bytes of a journal: a header line with the job's settings, then one line per result. Ignores an
/// incomplete last line, which a crash may leave.
///
/// # Errors
/// If the first line is not a valid header, if another line is neither a valid record nor a header with the same
/// settings, or if two records have the same number. The message begins with the line number, from 1.
pub fn parse<H: Header>(bytes: &[u8]) -> Result<Content<H>, String> {
    let last_newline = bytes.iter().rposition(|&byte| byte == b'\n');
    let (whole, tail) = bytes.split_at(last_newline.map_or(0, |at| at + 1));
    // A last line without its newline is still complete if it is valid JSON.
    let lacks_newline = serde_json::from_slice::<IgnoredAny>(tail).is_ok();
    let whole = if lacks_newline { bytes } else { whole };
    let mut texts = whole.split_inclusive(|&byte| byte == b'\n');
    let first = texts.next().unwrap_or(tail);
    let header: H = serde_json::from_slice(first).map_err(|error| json_error::<H>(1, &error))?;
    header.check().map_err(|error| format!("1: {error}"))?;
    let mut content = Content {
        lines: vec![JournalLine::Header(header.clone())],
        header,
        complete_bytes: whole.len(),
        lacks_newline,
    };
    let mut seen = HashMap::new();
    for (number, text) in (2..).zip(texts) {
        let line = parse_line(text, &content.header, number)?;
        match &line {
            JournalLine::Header(header) => content.header = header.clone(),
            JournalLine::Record(record) => {
                let id = H::record_number(record);
                if let Some(other) = seen.insert(id, number) {
                    return Err(format!(
                        "{number}: {id} stands in line {other} already; expected {} without doubles",
                        H::RECORDS_NAME
                    ));
                }
            }
        }
        content.lines.push(line);
    }
    Ok(content)
}

/// Parses line `number` of a journal (the first line is 1, so `number` is at least 2). The line is a record, or another
/// header with a greater planned number of results. `header` is the last header before this line.
///
/// # Errors
/// - The line is neither a record nor a header.
/// - It is a record that is impossible under the settings of `header`.
/// - It is a header with other settings, or with a smaller planned number of results, than `header`.
///
/// The message begins with `number`.
fn parse_line<H: Header>(
    text: &[u8],
    header: &H,
    number: usize,
) -> Result<JournalLine<H, H::Record>, String> {
    let record = match serde_json::from_slice(text) {
        Ok(record) => record,
        Err(error) => {
            let next: H =
                serde_json::from_slice(text).map_err(|_| json_error::<H>(number, &error))?;
            let differences = next.differences(header);
            if !differences.is_empty() {
                return Err(format!("{number}: {}", mismatch_error::<H>(&differences)));
            }
            let next = header.with_length_of(&next);
            return next
                .map(JournalLine::Header)
                .map_err(|error| format!("{number}: {error}"));
        }
    };
    let checked = header.check_record(&record);
    checked.map_err(|error| format!("{number}: {error}"))?;
    Ok(JournalLine::Record(record))
}

/// Formats a JSON error in line `number` (from 1) of a journal, for example `3:17: missing field; expected an arena's
/// games`. The second number is the column; the last words are [`Header::RECORDS_NAME`].
fn json_error<H: Header>(number: usize, error: &serde_json::Error) -> String {
    let (text, column) = (error.to_string(), error.column());
    // `serde_json` ends its message with a line and a column. Remove them: the line is always 1, because each line of
    // the journal is parsed on its own.
    let (message, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    let (message, expected) = (quoted(message), H::RECORDS_NAME);
    format!("{number}:{column}: {message}; expected {expected}")
}

/// Returns the error message for a journal whose header has other settings than expected. The message does not contain
/// the file's name. Example: "an arena's games of another schedule: seed 1 instead of 2". `differences` is the result
/// of [`Header::differences`].
fn mismatch_error<H: Header>(differences: &[String]) -> String {
    let (name, differences) = (H::RECORDS_NAME, differences.join("; "));
    format!("{name} of another schedule: {differences}")
}

/// Describes how two values of the setting `name` differ, as a text such as "seed 1 instead of 2": `name`, `found` and
/// `expected` in this order. Returns `None` if both values are equal.
pub fn difference<T: PartialEq + Display>(name: &str, found: T, expected: T) -> Option<String> {
    (found != expected).then(|| format!("{name} {found} instead of {expected}"))
}

/// Compares the JSON of `found` and `expected`. Returns one text for each field whose values differ, such as "seed 1
/// instead of 2" (1 is the value in `found`). Of a nested field only the innermost name is given.
pub fn differences(found: &impl Serialize, expected: &impl Serialize) -> Vec<String> {
    fn compare(name: &str, found: &Value, expected: &Value, differences: &mut Vec<String>) {
        let (Value::Object(fields), Value::Object(others)) = (found, expected) else {
            return differences.extend(difference(name, found, expected));
        };
        let added = others.keys().filter(|&name| !fields.contains_key(name));
        for name in fields.keys().chain(added) {
            compare(name, &found[name], &expected[name], differences);
        }
    }
    let mut differences = Vec::new();
    compare("", &to_json(found), &to_json(expected), &mut differences);
    differences
}

/// Converts `value` to JSON by way of its text, so that an `f32` of 0.1 is shown as 0.1 and not as the nearest `f64`.
///
/// # Panics
/// If `value` cannot be serialised, for example because it has keys that are not strings.
fn to_json(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value);
    let value = text.and_then(|text| serde_json::from_str(&text));
    value.expect("plain fields")
}

/// Reads the journal file at `path`, and returns its parsed headers and records. Ignores an incomplete last line, which
/// a crash may leave.
///
/// # Errors
/// If the file cannot be read or is no valid journal. The message names the file and, for an invalid journal, the line.
pub fn read<H: Header>(path: &Path) -> Result<Content<H>> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Ok(parse(&bytes).map_err(|error| format!("{name}:{error}"))?)
}

/// Opens the journal at `path` for appending. Creates it if it is missing or empty. To resume the job of an existing
/// journal, `resume` must be true. Returns the file and the journal's parsed content.
///
/// An incomplete last line is removed; all other lines are kept. `requested` contains the settings of the job and its
/// planned number of results, such as games. If this number is greater than that in the journal's last header, a header
/// with the greater number is appended.
///
/// # Errors
/// - `resume` is false, but the file exists and is not empty.
/// - The file is no valid journal.
/// - The settings of the journal differ from those of `requested`, or the journal plans more results than `requested`.
/// - The file cannot be read or written, or another program is writing to it.
pub fn open<H: Header>(
    path: &Path,
    requested: &H,
    resume: bool,
) -> Result<(AppendFile, Content<H>)> {
    let name = path.display();
    let (mut file, bytes) = AppendFile::open(path)?;
    if !bytes.is_empty() && !resume {
        return Err(format!("{name} exists: expected --resume, or another file").into());
    }
    let first = json_line(requested)?;
    if bytes.len() < first.len() && first.starts_with(&bytes) {
        // The file is new, or a crash has left only the beginning of the header line: write the whole header line.
        file.truncate(0)?;
        file.append(&first)?;
        return Ok((file, parse(&first)?));
    }
    let mut content = parse::<H>(&bytes).map_err(|error| format!("{name}:{error}"))?;
    let differences = content.header.differences(requested);
    if !differences.is_empty() {
        return Err(format!("{name} holds {}", mismatch_error::<H>(&differences)).into());
    }
    let header = content.header.with_length_of(requested);
    let header = header.map_err(|error| format!("{name}: {error}"))?;
    file.truncate(content.complete_bytes as u64)?;
    if content.lacks_newline {
        file.append(b"\n")?;
    }
    if header != content.header {
        file.append_line(&header)?;
        content.lines.push(JournalLine::Header(header.clone()));
        content.header = header;
    }
    Ok((file, content))
}
