//! Where a match log comes from: a file, or the public log of a match on the platform.

use super::address::MatchAddress;
use super::web::{Fault, Web};
use crate::console::quoted;
use crate::tools::record::log::LogError;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::read_text;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Longest time until an answer begins to come.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What a tool reads a log from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogSource {
    /// A file.
    File(PathBuf),
    /// A match of the platform.
    Match(MatchAddress),
}

impl From<OsString> for LogSource {
    /// Takes a match's id or address; all else, and what is there, is a file. Its name may be any bytes.
    fn from(word: OsString) -> LogSource {
        let address = word.to_str().and_then(|text| text.parse().ok());
        let path = PathBuf::from(word);
        match address {
            Some(address) if !path.exists() => LogSource::Match(address),
            _ => LogSource::File(path),
        }
    }
}

impl fmt::Display for LogSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogSource::File(path) => path.display().fmt(f),
            LogSource::Match(address) => address.fmt(f),
        }
    }
}

impl LogSource {
    /// A name for a file that is made of it: the file's without its ending, or the match's id.
    #[must_use]
    pub fn stem(&self) -> OsString {
        match self {
            LogSource::File(path) => path.file_stem().unwrap_or_default().to_owned(),
            LogSource::Match(address) => address.id.to_string().into(),
        }
    }

    /// The text of the log.
    ///
    /// # Errors
    /// If it can't be read or fetched.
    pub fn read(&self) -> Result<String, ToolError> {
        match self {
            LogSource::File(path) => Ok(read_text(path)?),
            LogSource::Match(address) => {
                let web = Web::new(address.origin.clone());
                Ok(fetch(&web, address).map_err(|fault| fault.why)?)
            }
        }
    }
}

/// Why there is no public log of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoLog {
    /// The reason; it doesn't name the match.
    pub why: String,
    /// Whether there may be one another time.
    pub for_now: bool,
}

impl NoLog {
    /// The log can't be understood.
    #[must_use]
    pub fn of(error: LogError) -> NoLog {
        NoLog {
            why: error.to_string(),
            for_now: false,
        }
    }
}

/// Fetches the public log of a match.
///
/// # Errors
/// If the server can't be reached, or has no such log.
pub fn fetch(web: &Web, address: &MatchAddress) -> Result<String, NoLog> {
    let missing = |why, for_now| NoLog { why, for_now };
    let path = format!("/match/{}?lite=true", address.id);
    let reply = web.get(&path, &[], PATIENCE);
    let reply = reply.map_err(|fault: Fault| missing(fault.to_string(), true))?;
    if reply.status != 200 {
        let why = format!(
            "the server answered with status {}; expected a match log",
            reply.status
        );
        return Err(missing(why, reply.status != 404));
    }
    let body = reply.body.trim_start();
    if body.starts_with(['[', '{']) {
        return Ok(reply.body);
    }
    let begin: String = body.chars().take(40).collect();
    let why = format!("expected a match log, got \"{}\"", quoted(&begin));
    Err(missing(why, true))
}
