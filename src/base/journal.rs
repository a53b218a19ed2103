//! Journals: files of JSON lines, with a header that describes the work and then one record per result, appended at
//! once.
//!
//! If work is resumed with a greater length, another header is appended, equal to the first but for the length.

use super::append::{AppendFile, json_line};
use super::error::ToolError;
use engine::console::quoted;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;

/// Header of a journal. It describes the work; journals with equal headers hold results of the same work.
pub trait Header: Clone + PartialEq + Serialize + DeserializeOwned {
    /// Record of one result.
    type Record: Serialize + DeserializeOwned;

    /// Name of the records, in the plural, for error messages.
    const RECORDS_NAME: &'static str;

    /// Lists the differences from the schedule of `expected`, apart from its length.
    fn differences(&self, expected: &Self) -> Vec<String>;

    /// Returns the header with which to resume this journal as `requested`, which must be at least as long.
    ///
    /// # Errors
    /// If `requested` is shorter than this header.
    fn extended(&self, requested: &Self) -> Result<Self, String>;

    /// Validates the header.
    ///
    /// # Errors
    /// If the header is inconsistent.
    fn check(&self) -> Result<(), String>;

    /// Validates a record.
    ///
    /// # Errors
    /// If the record is impossible.
    fn check_record(&self, _record: &Self::Record) -> Result<(), String> {
        Ok(())
    }

    /// Returns the number of a record, which is unique in the journal.
    fn number(record: &Self::Record) -> usize;
}

/// One line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalLine<H, R> {
    /// Header that applies from this line on.
    Header(H),
    /// Record of one result.
    Record(R),
}

/// Parsed content of a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Content<H: Header> {
    /// The last header.
    pub header: H,
    /// All lines in order, including the headers.
    pub lines: Vec<JournalLine<H, H::Record>>,
    /// Number of bytes of all complete lines. A partial line after them was left by a crash.
    pub length: usize,
    /// Whether the last line is complete except for its newline.
    lacks_newline: bool,
}

impl<H: Header> Content<H> {
    /// Iterates over the records in order.
    pub fn into_records(self) -> impl Iterator<Item = H::Record> {
        self.lines.into_iter().filter_map(|line| match line {
            JournalLine::Header(_) => None,
            JournalLine::Record(record) => Some(record),
        })
    }
}

/// Parses the bytes of a journal. Ignores a partial last line, which a crash may leave.
///
/// # Errors
/// If the bytes are not a journal; the message begins with the number of the line.
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
        length: whole.len(),
        lacks_newline,
    };
    let mut seen = HashMap::new();
    for (number, text) in (2..).zip(texts) {
        let line = parse_line(text, &content.header, number)?;
        match &line {
            JournalLine::Header(header) => content.header = header.clone(),
            JournalLine::Record(record) => {
                let id = H::number(record);
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

/// Parses a line other than the first.
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
                return Err(format!("{number}: {}", schedule_error::<H>(&differences)));
            }
            let next = header.extended(&next);
            return next
                .map(JournalLine::Header)
                .map_err(|error| format!("{number}: {error}"));
        }
    };
    let checked = header.check_record(&record);
    checked.map_err(|error| format!("{number}: {error}"))?;
    Ok(JournalLine::Record(record))
}

/// Formats a JSON error in line `number`, with its column.
fn json_error<H: Header>(number: usize, error: &serde_json::Error) -> String {
    let (text, column) = (error.to_string(), error.column());
    // The error text ends with a line and a column. That line is always 1, because each line is parsed by itself.
    let (words, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    format!(
        "{number}:{column}: {}; expected {}",
        quoted(words),
        H::RECORDS_NAME
    )
}

/// Formats the error for lines of another schedule.
fn schedule_error<H: Header>(differences: &[String]) -> String {
    format!(
        "{} of another schedule: {}",
        H::RECORDS_NAME,
        differences.join("; ")
    )
}

/// Describes the difference between two values, or returns `None` if they are equal.
pub fn difference<T: PartialEq + Display>(what: &str, found: T, expected: T) -> Option<String> {
    (found != expected).then(|| format!("{what} {found} instead of {expected}"))
}

/// Lists the differences between two values, field by field of their JSON. Fields of nested objects are named without
/// the outer field.
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

/// Converts a value to JSON by way of text, so that an `f32` of 0.1 is shown as 0.1, not as its nearest `f64`.
fn to_json(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value);
    let value = text.and_then(|text| serde_json::from_str(&text));
    value.expect("plain fields")
}

/// Reads a journal from a file. Ignores a partial last line, which a crash may leave.
///
/// # Errors
/// If the file cannot be read or is not a journal; the message names the file and line.
pub fn read<H: Header>(path: &Path) -> Result<Content<H>, ToolError> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Ok(parse(&bytes).map_err(|error| format!("{name}:{error}"))?)
}

/// Creates a journal, or opens one to resume it. Also returns its content.
///
/// Existing lines are kept; only a partial last line is removed. If `requested` is longer than the journal's header,
/// another header is appended.
///
/// # Errors
/// If the file exists and `resume` is false, if the file belongs to another schedule, or if another program is writing
/// to it.
pub fn open<H: Header>(
    path: &Path,
    requested: &H,
    resume: bool,
) -> Result<(AppendFile, Content<H>), ToolError> {
    let name = path.display();
    let (mut file, bytes) = AppendFile::open(path)?;
    if !bytes.is_empty() && !resume {
        return Err(format!("{name} exists: expected --resume, or another file").into());
    }
    let first = json_line(requested)?;
    if bytes.len() < first.len() && first.starts_with(&bytes) {
        // The file is new, or a crash truncated its first line.
        file.truncate(0)?;
        file.append(&first)?;
        return Ok((file, parse(&first)?));
    }
    let mut content = parse::<H>(&bytes).map_err(|error| format!("{name}:{error}"))?;
    let differences = content.header.differences(requested);
    if !differences.is_empty() {
        return Err(format!("{name} holds {}", schedule_error::<H>(&differences)).into());
    }
    let header = content.header.extended(requested);
    let header = header.map_err(|error| format!("{name}: {error}"))?;
    file.truncate(content.length as u64)?;
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
