//! What is asked of the platform, and its refusals in our words.

use super::account::Account;
use super::poll::{self, PollReply};
use crate::board::Player;
use crate::console::quoted;
use crate::tools::platform::address::{Id, MatchAddress};
use crate::tools::platform::source::{NoLog, fetch};
use crate::tools::platform::web::{Fault, Reply, Web};
use std::time::Duration;

/// Longest time until anything but a poll is answered.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// What was asked is wrong, and would be again.
    Refused(String),
    /// The URL is wrong, or the account may not do this.
    Unwelcome(String),
    /// The platform is closed for now.
    Maintenance,
    /// It may go better later. Unless nothing was sent, the platform may have taken it.
    Network(Fault),
}

/// A match to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The version of the bot to play against.
    pub against: Id,
    /// Our colour.
    pub colour: Player,
    /// Our time for a turn, in seconds.
    pub seconds: u32,
}

/// The platform, as one account sees it.
pub struct Client {
    account: Account,
    web: Web,
}

impl Client {
    /// The platform for an account.
    #[must_use]
    pub fn new(account: Account) -> Client {
        let web = Web::new(account.origin.clone());
        Client { account, web }
    }

    /// The public address of a match.
    #[must_use]
    pub fn address(&self, id: Id) -> MatchAddress {
        let origin = self.account.origin.clone();
        MatchAddress { origin, id }
    }

    /// Tests if the platform is a program on this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.account.origin.is_loopback()
    }

    /// Sends answers, and waits so long for requests.
    ///
    /// # Errors
    /// If no reply came, or one that makes no sense.
    pub fn poll(&self, answers: &[(Id, String)], patience: Duration) -> Result<PollReply, Trouble> {
        let headers: Vec<(String, String)> = answers
            .iter()
            .map(|(id, answer)| (format!("X-Match-{id}"), answer.clone()))
            .collect();
        let text = self.ask("localai", &headers, patience)?;
        poll::parse(&text)
            .map_err(|error| broken(format!("the poll's answer: {}", self.account.scrub(&error))))
    }

    /// Starts a match.
    ///
    /// # Errors
    /// If the platform refuses, or can't be understood.
    pub fn start(&self, challenge: Challenge) -> Result<Id, Trouble> {
        let (me, other) = ("me".to_owned(), challenge.against.to_string());
        let [black, white] = match challenge.colour {
            Player::Black => [me, other],
            Player::White => [other, me],
        };
        let headers = [
            ("X-Game", "Amazons".to_owned()),
            ("X-Player-0", black),
            ("X-Player-1", white),
            ("X-UseSimpleIO", "true".to_owned()),
            ("X-Timelimit", challenge.seconds.to_string()),
        ];
        let text = self.ask("runmatch", &headers.map(owned), PATIENCE)?;
        let fault = || format!("expected a match's id, got \"{}\"", self.quote(&text));
        Id::find(&text).ok_or_else(|| broken(fault()))
    }

    /// Ends a match.
    ///
    /// # Errors
    /// If the platform refuses, or can't be understood.
    pub fn abort(&self, id: Id) -> Result<(), Trouble> {
        let headers = [owned(("X-Matchid", id.to_string()))];
        self.ask("abortmatch", &headers, PATIENCE).map(drop)
    }

    /// The public log of a match.
    ///
    /// # Errors
    /// If there is none.
    pub fn log(&self, id: Id) -> Result<String, NoLog> {
        fetch(&self.web, &self.address(id))
    }

    fn ask(
        &self,
        what: &str,
        headers: &[(String, String)],
        patience: Duration,
    ) -> Result<String, Trouble> {
        let reply = self.web.get(&self.account.path(what), headers, patience);
        match reply {
            Ok(Reply { status: 200, body }) => Ok(body),
            Ok(reply) => Err(self.refusal(&reply)),
            Err(fault) => Err(Trouble::Network(fault)),
        }
    }

    /// The meaning of a status other than 200.
    fn refusal(&self, reply: &Reply) -> Trouble {
        let said = self.quote(&reply.body);
        let body = reply.body.to_lowercase();
        match reply.status {
            400 => Trouble::Refused(format!("the platform refuses: \"{said}\"")),
            401 if body.contains("level") => {
                Trouble::Unwelcome("the account's level is too low for the local AI".to_owned())
            }
            401 => Trouble::Unwelcome(
                "the platform doesn't know the URL's user or secret; expected the URL of the account page"
                    .to_owned(),
            ),
            503 => Trouble::Maintenance,
            // One such answer may be a gateway's. If they don't end, the hint helps.
            status @ (403 | 404) => broken(format!(
                "the platform refuses with status {status}; expected the URL of the account page"
            )),
            status => broken(format!("the platform's gateway answers with status {status}")),
        }
    }

    /// The beginning of a foreign text, safe to show.
    fn quote(&self, text: &str) -> String {
        quoted(self.account.scrub(text).trim()).to_string()
    }
}

/// Something came back, but nothing of use.
const fn broken(why: String) -> Trouble {
    Trouble::Network(Fault::Broken(why))
}

fn owned((name, value): (&str, String)) -> (String, String) {
    (name.to_owned(), value)
}
