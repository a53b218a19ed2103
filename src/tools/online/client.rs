//! HTTP client of Botzone's interface for local AIs ([`Client`]): sends requests, and replaces Botzone's error messages
//! by explanations for the user.
//!
//! Anybody who knows the user's secret URL can play as the user. Therefore [`Client`] does not implement `Debug`, and
//! no message contains the URL.

use super::poll::{self, PollReply};
use crate::platform::address::{Id, MatchAddress, Origin};
use crate::platform::http::{Header, HttpClient, HttpResponse, RequestError, Result};
use crate::platform::source::{RESPONSE_TIMEOUT, fetch};
use base::error::ToolError;
use engine::board::Player;
use engine::console::quoted;
use record::checked_game::CheckedGame;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Name of the environment variable from which the user's secret URL is read.
const URL_VARIABLE: &str = "AMAZONS_BOTZONE_URL";

/// Client of Botzone's interface for local AIs. It plays for one user, who is identified by a secret URL.
pub struct Client {
    /// Botzone's server: scheme, host and port of its address, such as `https://www.botzone.org.cn`.
    pub origin: Origin,
    /// Path `/api/USER_ID/SECRET/` of the secret URL, to which the name of a request is appended.
    base_path: String,
    http: HttpClient,
}

impl Client {
    /// Reads the user's secret URL and returns a client. The URL is read from `file`. If that is `None`, it is read
    /// from the environment variable `AMAZONS_BOTZONE_URL`; if that is missing, the user is asked at the terminal.
    ///
    /// # Errors
    /// If there is no URL, `file` can't be read, or the text is not the URL of a local AI.
    pub fn with_secret_url(file: Option<&Path>) -> Result<Client, ToolError> {
        let (name, text) = match (file, std::env::var(URL_VARIABLE)) {
            (Some(file), _) => {
                let name = file.display();
                let text = fs::read_to_string(file);
                let text = text.map_err(|why| format!("{name}: {why}"))?;
                (format!("{name}: "), text)
            }
            (None, Ok(text)) => (format!("{URL_VARIABLE}: "), text),
            (None, Err(_)) => (String::new(), prompt_for_url()?),
        };
        let expected =
            "expected https://HOST/api/USER_ID/SECRET/localai, as shown on the account page";
        let client = Client::new(text.trim());
        Ok(client.map_err(|why| format!("{name}not the URL of a local AI ({why}); {expected}"))?)
    }

    fn new(url: &str) -> Result<Client, &'static str> {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"?#\\\"".contains(&byte);
        if !url.bytes().all(is_plain) {
            return Err("it contains characters that are not allowed in a path");
        }
        let (origin, path) = Origin::split_url(url)?;
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let (["api", user, secret] | ["api", user, secret, _]) = parts[..] else {
            return Err("its path is different");
        };
        Ok(Client {
            base_path: format!("/api/{user}/{secret}/"),
            http: HttpClient::new(origin.clone()),
            origin,
        })
    }

    /// Returns the public address of the match `id` on Botzone, from which its public log can be downloaded.
    pub fn address(&self, id: Id) -> MatchAddress {
        let origin = self.origin.clone();
        MatchAddress { origin, id }
    }

    /// Polls Botzone: sends our moves in `answers`, and waits at most `timeout` for the reply. Returns the parsed
    /// reply: requests to move in our matches, and results of finished matches. Each answer is a pair. First: id of the
    /// match; second: text of the answer.
    ///
    /// # Errors
    /// If the HTTP request fails, or the reply does not have the format of a reply to a poll.
    pub fn poll(&self, answers: &[(Id, String)], timeout: Duration) -> Result<PollReply> {
        let header = |(id, answer): &(Id, String)| (format!("X-Match-{id}"), answer.clone());
        let headers: Vec<Header> = answers.iter().map(header).collect();
        let text = self.send("localai", &headers, timeout)?;
        let fault = |why: String| format!("the poll's reply: {}", self.redact(&why));
        let reply = poll::parse_reply(&text);
        reply.map_err(|why| RequestError::bad_reply(fault(why)))
    }

    /// Starts a match against a bot on Botzone and returns the match's id. `bot` is the id of the bot's version, `us`
    /// our colour, and `seconds` the time limit of each of our turns.
    ///
    /// # Errors
    /// If the request fails, or the reply contains no id of a match.
    pub fn start_match(&self, bot: Id, us: Player, seconds: u32) -> Result<Id> {
        let mut players = ["me".to_owned(), bot.to_string()];
        if us == Player::White {
            players.reverse();
        }
        let [black, white] = players;
        let headers = [
            ("X-Game", "Amazons".to_owned()),
            ("X-Player-0", black),
            ("X-Player-1", white),
            ("X-UseSimpleIO", "true".to_owned()),
            ("X-Timelimit", seconds.to_string()),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value));
        let text = self.send("runmatch", &headers, RESPONSE_TIMEOUT)?;
        let fault = || format!("expected a match's id, got \"{}\"", self.quote(&text));
        Id::find(&text).ok_or_else(|| RequestError::bad_reply(fault()))
    }

    /// Aborts the match `id`.
    ///
    /// # Errors
    /// If the request fails, or Botzone rejects it.
    pub fn abort_match(&self, id: Id) -> Result<()> {
        let headers = [("X-Matchid".to_owned(), id.to_string())];
        self.send("abortmatch", &headers, RESPONSE_TIMEOUT)
            .map(drop)
    }

    /// Downloads the public log of the match `id`. Returns the parsed game, then the text of the log.
    ///
    /// # Errors
    /// If the download fails. The error is [`RequestError::Rejected`] if there is no log or the log can't be parsed.
    pub fn fetch_log(&self, id: Id) -> Result<(CheckedGame, String)> {
        let text = fetch(&self.http, &self.address(id))?;
        let log =
            CheckedGame::read(&text).map_err(|error| RequestError::Rejected(error.to_string()))?;
        Ok((log, text))
    }

    fn send(&self, endpoint: &str, headers: &[Header], timeout: Duration) -> Result<String> {
        let path = format!("{}{endpoint}", self.base_path);
        match self.http.get(&path, headers, timeout)? {
            HttpResponse { status: 200, body } => Ok(body),
            reply => Err(self.status_error(&reply)),
        }
    }

    /// Converts a reply of Botzone with an HTTP status other than 200 to an error whose message explains the cause to
    /// the user.
    fn status_error(&self, HttpResponse { status, body }: &HttpResponse) -> RequestError {
        let url = "expected the URL of the account page";
        match status {
            400 => RequestError::Rejected(format!(
                "the platform rejects the request: \"{}\"",
                self.quote(body)
            )),
            401 if body.to_lowercase().contains("level") => RequestError::Unauthorized(
                "the account's level is too low for the local AI".to_owned(),
            ),
            401 => RequestError::Unauthorized(format!(
                "the platform knows no such user or secret; {url}"
            )),
            503 => RequestError::bad_reply("the platform is closed for maintenance"),
            // Any other status may be a passing error of a server between this machine and Botzone. But if it comes
            // repeatedly, the user's URL may be wrong. Therefore the message contains both the status and advice about
            // the URL.
            _ => {
                RequestError::bad_reply(format!("the platform answers with status {status}; {url}"))
            }
        }
    }

    /// Returns `text`, a reply of Botzone, in a form for a message to the user. The user's id and secret are replaced
    /// by "…". Then at most the first 200 bytes are kept, and control characters are escaped.
    fn quote(&self, text: &str) -> String {
        quoted(self.redact(text).trim()).to_string()
    }

    /// Returns `text`, a reply of Botzone, with the user's id and secret replaced by "…", in case the reply repeats
    /// them.
    fn redact(&self, text: &str) -> String {
        let parts = self.base_path.trim_matches('/').split('/').skip(1);
        parts.fold(text.to_owned(), |text, part| text.replace(part, "…"))
    }
}

/// Asks the user for the secret URL at the terminal; what the user types is not shown.
///
/// # Errors
/// If the terminal can't be read.
fn prompt_for_url() -> Result<String, String> {
    let typed = rpassword::prompt_password("Botzone URL (…/localai): ");
    typed.map_err(|why| {
        format!("no URL from the terminal ({why}): expected --url-file FILE or {URL_VARIABLE}")
    })
}
