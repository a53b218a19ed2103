//! Journals: files of JSON lines. The first line is a header that describes the work; every other line is the record of
//! one result, appended as soon as it is known.
//!
//! If work is resumed with a greater length (number of results), another header is appended that differs only in the
//! length.

use super::append::{AppendFile, json_line};
use super::error::ToolError;
use engine::console::quoted;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;

/// Header of a journal: describes the work. Journals with equal headers contain results of the same work.
pub trait Header: Clone + PartialEq + Serialize + DeserializeOwned {
    /// Type of a record, which holds one result.
    type Record: Serialize + DeserializeOwned;

    /// Plural noun for the records, for error messages, for example "games".
    const RECORDS_NAME: &'static str;

    /// Describes each difference between this header and `expected`, apart from the length. The list is empty if both
    /// headers belong to the same work.
    fn differences(&self, expected: &Self) -> Vec<String>;

    /// Returns the header with which this journal is resumed: this header with the length of `requested`.
    ///
    /// # Errors
    /// If `requested` is shorter than this header.
    fn extended(&self, requested: &Self) -> Result<Self, String>;

    /// Tests if the header is consistent.
    ///
    /// # Errors
    /// If the header contradicts itself; the message says how.
    fn check(&self) -> Result<(), String>;

    /// Tests if a record can occur in a journal with this header.
    ///
    /// # Errors
    /// If the record cannot occur; the message says why.
    fn check_record(&self, _record: &Self::Record) -> Result<(), String> {
        Ok(())
    }

    /// Returns the number of `record`, which is unique in the journal.
    fn number(record: &Self::Record) -> usize;
}

/// A parsed line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalLine<H, R> {
    /// Header of the journal; replaces the earlier header for all lines after this line.
    Header(H),
    /// Record of one result.
    Record(R),
}

/// Parsed content of a journal file.
#[derive(Clone, Debug, PartialEq)]
pub struct Content<H: Header> {
    /// Last header of the journal, which applies to the whole work.
    pub header: H,
    /// All complete lines in the order of the file, headers included.
    pub lines: Vec<JournalLine<H, H::Record>>,
    /// Number of bytes of all complete lines. Any bytes after these lines are an incomplete line left by a crash.
    pub length: usize,
    /// Whether the last line is valid JSON but lacks its newline.
    lacks_newline: bool,
}

impl<H: Header> Content<H> {
    /// Iterates over the records in the order of the file, without the headers.
    pub fn into_records(self) -> impl Iterator<Item = H::Record> {
        self.lines.into_iter().filter_map(|line| match line {
            JournalLine::Header(_) => None,
            JournalLine::Record(record) => Some(record),
        })
    }
}

/// Parses the bytes of a journal. Ignores an incomplete last line, which a crash may leave.
///
/// # Errors
/// If a line is neither a header of the same work nor a valid record, or if two records have the same number. The
/// message begins with the 1-based number of the line.
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

/// Parses line `number` of a journal (1-based; not the first). `header` is the last header before this line.
///
/// # Errors
/// If the line is neither a valid record nor a header that extends `header`; the message begins with `number`.
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

/// Formats `error`, which occurred in line `number`, with its column.
fn json_error<H: Header>(number: usize, error: &serde_json::Error) -> String {
    let (text, column) = (error.to_string(), error.column());
    // `serde_json` appends a line and a column to the text. Its line is always 1, because each line is parsed
    // separately.
    let (words, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    format!(
        "{number}:{column}: {}; expected {}",
        quoted(words),
        H::RECORDS_NAME
    )
}

/// Formats the error for a journal or line that belongs to other work; `differences` come from [`Header::differences`].
fn schedule_error<H: Header>(differences: &[String]) -> String {
    format!(
        "{} of another schedule: {}",
        H::RECORDS_NAME,
        differences.join("; ")
    )
}

/// Returns "`what` `found` instead of `expected`", or `None` if both values are equal.
pub fn difference<T: PartialEq + Display>(what: &str, found: T, expected: T) -> Option<String> {
    (found != expected).then(|| format!("{what} {found} instead of {expected}"))
}

/// Describes each difference between two values, field by field of their JSON. A field of a nested object is named
/// without the names of the outer fields.
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

/// Converts a value to JSON by way of its text, so that an `f32` of 0.1 is shown as 0.1 and not as the nearest `f64`.
///
/// # Panics
/// If the value cannot be serialised, as with keys that are no strings.
fn to_json(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value);
    let value = text.and_then(|text| serde_json::from_str(&text));
    value.expect("plain fields")
}

/// Reads the journal file at `path`. Ignores an incomplete last line, which a crash may leave.
///
/// # Errors
/// If the file cannot be read or is no valid journal; the message names the file and the line.
pub fn read<H: Header>(path: &Path) -> Result<Content<H>, ToolError> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Ok(parse(&bytes).map_err(|error| format!("{name}:{error}"))?)
}

/// Creates the journal at `path`, or opens it to resume its work if `resume` is true. Returns the file, ready for
/// appending, and its content so far.
///
/// Complete lines are kept; only an incomplete last line is removed. If `requested` is longer than the last header, it
/// is appended as another header.
///
/// # Errors
/// If the file cannot be written, exists although `resume` is false, is no valid journal, belongs to other or longer
/// work than `requested`, or is being written by another program.
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
        // The file is new, or a crash interrupted the writing of its first line.
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
