//! Files of JSON lines: a header describes the work, then a record follows for each result, appended at once.
//!
//! A file that is resumed for longer has another header there, equal but for the length.

use super::append::{AppendFile, json_line};
use super::error::ToolError;
use engine::console::quoted;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;

/// The header: files with equal headers hold results of one piece of work.
pub trait Header: Clone + PartialEq + Serialize + DeserializeOwned {
    /// A result.
    type Record: Serialize + DeserializeOwned;

    /// The name of such a file's lines in messages.
    const WHAT: &'static str;

    /// Describes the difference from an expected schedule, the length left aside.
    fn differences(&self, expected: &Self) -> Vec<String>;

    /// The header to resume a file of this schedule as `wanted`, which is equally long or longer.
    ///
    /// # Errors
    /// If that is shorter.
    fn lengthened(&self, wanted: &Self) -> Result<Self, String>;

    /// Checks the header by itself.
    ///
    /// # Errors
    /// If it is impossible.
    fn check(&self) -> Result<(), String>;

    /// Checks a record by itself.
    ///
    /// # Errors
    /// If it is impossible.
    fn check_record(&self, _record: &Self::Record) -> Result<(), String> {
        Ok(())
    }

    /// The record's number, unique in the file.
    fn number(record: &Self::Record) -> usize;
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalLine<H, R> {
    /// The header from here on.
    Header(H),
    /// A result.
    Record(R),
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Content<H: Header> {
    /// The last header.
    pub header: H,
    /// All lines in order, headers included.
    pub lines: Vec<JournalLine<H, H::Record>>,
    /// Bytes of the whole lines. A crash cut the line that follows them.
    pub length: usize,
    /// Whether the last line lacks only its newline.
    unended: bool,
}

impl<H: Header> Content<H> {
    /// The records in order.
    pub fn into_records(self) -> impl Iterator<Item = H::Record> {
        self.lines.into_iter().filter_map(|line| match line {
            JournalLine::Header(_) => None,
            JournalLine::Record(record) => Some(record),
        })
    }
}

/// Reads the bytes of a file. A partial last line, left by a crash, is ignored.
///
/// # Errors
/// If they are something else; the message begins with the number of the line.
pub fn parse<H: Header>(bytes: &[u8]) -> Result<Content<H>, String> {
    let ended = bytes.iter().rposition(|&byte| byte == b'\n');
    let (whole, tail) = bytes.split_at(ended.map_or(0, |at| at + 1));
    // A line without its newline is JSON only if nothing else is missing.
    let unended = serde_json::from_slice::<IgnoredAny>(tail).is_ok();
    let whole = if unended { bytes } else { whole };
    let mut texts = whole.split_inclusive(|&byte| byte == b'\n');
    let first = texts.next().unwrap_or(tail);
    let header: H = serde_json::from_slice(first).map_err(|error| fault::<H>(1, &error))?;
    header.check().map_err(|error| format!("1: {error}"))?;
    let mut content = Content {
        lines: vec![JournalLine::Header(header.clone())],
        header,
        length: whole.len(),
        unended,
    };
    let mut seen = HashMap::new();
    for (number, text) in (2..).zip(texts) {
        let line = line(text, &content.header, number)?;
        match &line {
            JournalLine::Header(header) => content.header = header.clone(),
            JournalLine::Record(record) => {
                let of = H::number(record);
                if let Some(other) = seen.insert(of, number) {
                    return Err(format!(
                        "{number}: {of} stands in line {other} already; expected {} without doubles",
                        H::WHAT
                    ));
                }
            }
        }
        content.lines.push(line);
    }
    Ok(content)
}

/// Reads a line other than the first.
fn line<H: Header>(
    text: &[u8],
    header: &H,
    number: usize,
) -> Result<JournalLine<H, H::Record>, String> {
    let record = match serde_json::from_slice(text) {
        Ok(record) => record,
        Err(error) => {
            let next: H = serde_json::from_slice(text).map_err(|_| fault::<H>(number, &error))?;
            let differences = next.differences(header);
            if !differences.is_empty() {
                return Err(format!("{number}: {}", other_schedule::<H>(&differences)));
            }
            let next = header.lengthened(&next);
            return next
                .map(JournalLine::Header)
                .map_err(|error| format!("{number}: {error}"));
        }
    };
    let checked = header.check_record(&record);
    checked.map_err(|error| format!("{number}: {error}"))?;
    Ok(JournalLine::Record(record))
}

/// The fault of a line, with its number and column.
fn fault<H: Header>(number: usize, error: &serde_json::Error) -> String {
    let (text, column) = (error.to_string(), error.column());
    // The words end with a line and a column; the line is that of the text, always the first.
    let (words, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    format!("{number}:{column}: {}; expected {}", quoted(words), H::WHAT)
}

/// Says that lines are of another schedule, and how.
fn other_schedule<H: Header>(differences: &[String]) -> String {
    format!(
        "{} of another schedule: {}",
        H::WHAT,
        differences.join("; ")
    )
}

/// What differs, in words, if it does.
pub fn difference<T: PartialEq + Display>(what: &str, found: T, expected: T) -> Option<String> {
    (found != expected).then(|| format!("{what} {found} instead of {expected}"))
}

/// What differs, in words, between two values: fields of their JSON by name, those of inner objects without the outer name.
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
    compare("", &shown(found), &shown(expected), &mut differences);
    differences
}

/// The JSON of a value. As text it shows numbers as people write them: 0.1 as 0.1, not as the nearest number of 32 bits.
fn shown(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value);
    let value = text.and_then(|text| serde_json::from_str(&text));
    value.expect("plain fields")
}

/// Reads a file. A partial last line, left by a crash, is ignored.
///
/// # Errors
/// If the file can't be read, or holds something else; the message names the line.
pub fn read<H: Header>(path: &Path) -> Result<Content<H>, ToolError> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Ok(parse(&bytes).map_err(|error| format!("{name}:{error}"))?)
}

/// Creates a file, or opens one to resume it. Also returns its content.
///
/// Nothing in the file is changed, but a partial last line is removed. If the work becomes longer, another header
/// says so.
///
/// # Errors
/// If the file is there already and not to be gone on with, is of another schedule, or another program is
/// writing to it.
pub fn open<H: Header>(
    path: &Path,
    wanted: &H,
    resume: bool,
) -> Result<(AppendFile, Content<H>), ToolError> {
    let name = path.display();
    let (mut file, bytes) = AppendFile::open(path)?;
    if !bytes.is_empty() && !resume {
        return Err(format!("{name} exists: expected --resume, or another file").into());
    }
    let first = json_line(wanted)?;
    if bytes.len() < first.len() && first.starts_with(&bytes) {
        // New, or cut in its first line.
        file.cut(0)?;
        file.append(&first)?;
        return Ok((file, parse(&first)?));
    }
    let mut content = parse::<H>(&bytes).map_err(|error| format!("{name}:{error}"))?;
    let differences = content.header.differences(wanted);
    if !differences.is_empty() {
        return Err(format!("{name} holds {}", other_schedule::<H>(&differences)).into());
    }
    let header = content.header.lengthened(wanted);
    let header = header.map_err(|error| format!("{name}: {error}"))?;
    file.cut(content.length as u64)?;
    if content.unended {
        file.append(b"\n")?;
    }
    if header != content.header {
        file.append_line(&header)?;
        content.lines.push(JournalLine::Header(header.clone()));
        content.header = header;
    }
    Ok((file, content))
}
