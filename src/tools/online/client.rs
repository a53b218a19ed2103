//! HTTP client of the local AI interface: sends the requests, and explains the platform's errors in this program's words.
//!
//! Anybody who has the user's secret URL can play as the user. So the URL is never shown: the client has no `Debug`, and no
//! message quotes the URL.

use super::poll::{self, PollReply};
use crate::platform::address::{Id, MatchAddress, Origin};
use crate::platform::source::{RESPONSE_TIMEOUT, fetch};
use crate::platform::web::{Fault, Reply, Web};
use base::error::ToolError;
use engine::board::Player;
use engine::console::quoted;
use record::replayed::Replayed;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Environment variable that may hold the URL.
const VARIABLE: &str = "AMAZONS_BOTZONE_URL";

/// A client for the platform that acts for one account.
pub struct Client {
    /// Scheme, host and port of the server.
    pub origin: Origin,
    /// Path of the secret URL without its last segment.
    folder: String,
    web: Web,
}

impl Client {
    /// Finds the secret URL: in `file`, else in the environment, else by asking at the terminal.
    pub fn find(file: Option<&Path>) -> Result<Client, ToolError> {
        let (name, text) = match (file, std::env::var(VARIABLE)) {
            (Some(file), _) => {
                let name = file.display();
                let text = fs::read_to_string(file);
                (
                    format!("{name}: "),
                    text.map_err(|why| format!("{name}: {why}"))?,
                )
            }
            (None, Ok(text)) => (format!("{VARIABLE}: "), text),
            (None, Err(_)) => (String::new(), ask_for_url()?),
        };
        let expected =
            "expected https://HOST/api/USER_ID/SECRET/localai, as one's account page shows it";
        let client = Client::new(text.trim());
        Ok(client.map_err(|why| format!("{name}no URL of the local AI ({why}); {expected}"))?)
    }

    fn new(url: &str) -> Result<Client, &'static str> {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"?#\\\"".contains(&byte);
        if !url.bytes().all(is_plain) {
            return Err("it holds blanks or signs that belong in no path");
        }
        let (origin, path) = Origin::split(url)?;
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let (["api", user, secret] | ["api", user, secret, _]) = parts[..] else {
            return Err("its path is another");
        };
        Ok(Client {
            folder: format!("/api/{user}/{secret}/"),
            web: Web::new(origin.clone()),
            origin,
        })
    }

    /// Returns the public address of a match.
    pub fn address(&self, id: Id) -> MatchAddress {
        let origin = self.origin.clone();
        MatchAddress { origin, id }
    }

    /// Sends answers to matches, and waits at most `patience` for new requests (long polling).
    pub fn poll(&self, answers: &[(Id, String)], patience: Duration) -> Result<PollReply, Fault> {
        let header = |(id, answer): &(Id, String)| (format!("X-Match-{id}"), answer.clone());
        let headers: Vec<(String, String)> = answers.iter().map(header).collect();
        let text = self.ask("localai", &headers, patience)?;
        let reply = poll::parse(&text);
        reply.map_err(|why| Fault::broken(format!("the poll's reply: {}", self.scrub(&why))))
    }

    /// Starts a match against `bot`, the id of a bot's version, with `seconds` for each turn of ours. Returns the match's id.
    pub fn start(&self, bot: Id, us: Player, seconds: u32) -> Result<Id, Fault> {
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
        let text = self.ask("runmatch", &headers, RESPONSE_TIMEOUT)?;
        let fault = || format!("expected a match's id, got \"{}\"", self.quote(&text));
        Id::find(&text).ok_or_else(|| Fault::broken(fault()))
    }

    /// Aborts a match.
    pub fn abort(&self, id: Id) -> Result<(), Fault> {
        let headers = [("X-Matchid".to_owned(), id.to_string())];
        self.ask("abortmatch", &headers, RESPONSE_TIMEOUT).map(drop)
    }

    /// Fetches the public log of a match. Returns the game, and the log as text.
    pub fn log(&self, id: Id) -> Result<(Replayed, String), Fault> {
        let text = fetch(&self.web, &self.address(id))?;
        let log = Replayed::read(&text).map_err(|error| Fault::Refused(error.to_string()))?;
        Ok((log, text))
    }

    fn ask(
        &self,
        what: &str,
        headers: &[(String, String)],
        patience: Duration,
    ) -> Result<String, Fault> {
        let path = format!("{}{what}", self.folder);
        match self.web.get(&path, headers, patience)? {
            Reply { status: 200, body } => Ok(body),
            reply => Err(self.refusal(&reply)),
        }
    }

    /// Converts a reply with a status other than 200 to an error.
    fn refusal(&self, Reply { status, body }: &Reply) -> Fault {
        let url = "expected the URL of the account page";
        match status {
            400 => Fault::Refused(format!("the platform refuses: \"{}\"", self.quote(body))),
            401 if body.to_lowercase().contains("level") => {
                Fault::Unwelcome("the account's level is too low for the local AI".to_owned())
            }
            401 => Fault::Unwelcome(format!("the platform knows no such user or secret; {url}")),
            503 => Fault::broken("the platform is closed for maintenance"),
            // A gateway can cause a single such reply. If they persist, the URL may be wrong: the message names that, too.
            _ => Fault::broken(format!("the platform answers with status {status}; {url}")),
        }
    }

    /// Returns the beginning of a reply's text, without the secret and with control characters escaped.
    fn quote(&self, text: &str) -> String {
        quoted(self.scrub(text).trim()).to_string()
    }

    /// Returns `text` with the user's id and secret replaced by "…", in case the platform repeats them.
    fn scrub(&self, text: &str) -> String {
        let parts = self.folder.trim_matches('/').split('/').skip(1);
        parts.fold(text.to_owned(), |text, part| text.replace(part, "…"))
    }
}

/// Asks for the URL at the terminal, without echo.
fn ask_for_url() -> Result<String, String> {
    let typed = rpassword::prompt_password("Botzone URL (…/localai): ");
    typed.map_err(|why| {
        format!("no URL from the terminal ({why}): expected --url-file FILE or {VARIABLE}")
    })
}
