//! [`LogSource`] says from where a tool reads games: from a file, or from a match on Botzone, whose public log it
//! downloads.

use super::address::MatchAddress;
use super::http::{HttpClient, HttpResponse, RequestError};
use base::error::{Result, ToolError};
use engine::console::quoted;
use record::file::open_record;
use record::log::LogError;
use record::tree::Record;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum time from sending a request to the beginning of the server's response.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Source from which a tool reads one or several games: a file on this machine, or a match on Botzone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogSource {
    /// A file that contains games. First: its path. Second: the number, from 1, of the game to be read, or `None` for
    /// all games.
    File(PathBuf, Option<usize>),
    /// A match on Botzone, whose public log is downloaded.
    Match(MatchAddress),
}

impl From<OsString> for LogSource {
    /// Interprets an argument of the command line. It is the first of these that fits:
    ///
    /// - path of an existing file
    /// - match id, or address of a match
    /// - `FILE#2`: game 2 in the existing file `FILE`
    /// - path of a file that does not exist, which causes an error when it is read
    fn from(word: OsString) -> LogSource {
        let path = PathBuf::from(&word);
        let Some(text) = word.to_str().filter(|_| !path.exists()) else {
            return LogSource::File(path, None);
        };
        if let Ok(address) = text.parse() {
            return LogSource::Match(address);
        }
        let parts = text.rsplit_once('#');
        let parts = parts.filter(|(file, _)| Path::new(file).exists());
        match parts.and_then(|(file, game)| Some((file, game.parse().ok()?))) {
            Some((file, game)) => LogSource::File(file.into(), Some(game)),
            None => LogSource::File(path, None),
        }
    }
}

impl fmt::Display for LogSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogSource::File(path, None) => path.display().fmt(f),
            LogSource::File(path, Some(game)) => write!(f, "{}#{game}", path.display()),
            LogSource::Match(address) => address.fmt(f),
        }
    }
}

impl LogSource {
    /// Returns a name for output files, without extension. It is derived from the source: the match id, or the name of
    /// the file, followed by `#2` if only the file's second game is to be read.
    #[must_use]
    pub fn file_stem(&self) -> OsString {
        match self {
            LogSource::File(path, game) => {
                let mut stem = path.file_stem().unwrap_or_default().to_owned();
                stem.push(game.map(|game| format!("#{game}")).unwrap_or_default());
                stem
            }
            LogSource::Match(address) => address.id.to_string().into(),
        }
    }

    /// Reads all games of this source, or only the selected one. Returns a pair for each game. First: its title, which
    /// is the command-line argument that selects this game, such as `FILE#2`. Second: its moves, or an error if the
    /// game can't be read, downloaded or parsed.
    #[must_use]
    pub fn games(&self) -> Vec<(String, Result<Record>)> {
        let games = match self.read() {
            Ok(games) => games,
            Err(error) => return vec![(self.to_string(), Err(error))],
        };
        let is_one = games.len() == 1;
        let titled = |(number, game): (usize, Result<Record, LogError>)| {
            let title = match is_one {
                true => self.to_string(),
                false => format!("{self}#{number}"),
            };
            (title, game.map_err(ToolError::from))
        };
        (1..).zip(games).map(titled).collect()
    }

    /// Reads the file, or downloads the log of the match. Returns the record of each selected game, which contains its
    /// moves and annotations, or an error for a game that can't be parsed.
    ///
    /// # Errors
    /// If the file can't be read, if it has no game with the selected number, or if the log can't be downloaded.
    fn read(&self) -> Result<Vec<Result<Record, LogError>>> {
        let (path, number) = match self {
            LogSource::File(path, number) => (path, *number),
            LogSource::Match(address) => {
                let log = fetch(&HttpClient::new(address.origin.clone()), address)?;
                return Ok(vec![Record::read(&log)]);
            }
        };
        let opened = open_record(path);
        let opened = opened.map_err(|error| format!("{error}; expected the record of a game"))?;
        let mut games = opened.games;
        let Some(number) = number else {
            return Ok(games);
        };
        let count = games.len();
        if !(1..=count).contains(&number) {
            return Err(format!("there is no game {number}, expected 1 to {count}").into());
        }
        Ok(vec![games.swap_remove(number - 1)])
    }
}

/// Downloads the public log of a match.
///
/// # Errors
/// [`RequestError::Rejected`] if the match does not exist (status 404), [`RequestError::InvalidResponse`] if the
/// response is not a match log, or any error of [`HttpClient::get`].
pub fn fetch(http: &HttpClient, address: &MatchAddress) -> Result<String, RequestError> {
    let path = format!("/match/{}?lite=true", address.id);
    let HttpResponse { status, body } = http.get(&path, &[], RESPONSE_TIMEOUT)?;
    if status != 200 {
        let why = format!("the server answered with status {status}; expected a match log");
        return Err(match status {
            404 => RequestError::Rejected(why),
            _ => RequestError::InvalidResponse(why),
        });
    }
    let text = body.trim_start();
    if text.starts_with(['[', '{']) {
        return Ok(body);
    }
    let begin: String = text.chars().take(40).collect();
    let why = format!("expected a match log, got \"{}\"", quoted(&begin));
    Err(RequestError::InvalidResponse(why))
}
