//! Requests over HTTP to one server: limited in time and size, never led away to another host.
//!
//! A path may hold a secret, so no error repeats it: every message is made of this module's own words.

use super::address::Origin;
use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, Timeout};

/// Longest time to find and reach the server, and to send a request.
const REACH: Duration = Duration::from_secs(15);

/// Longest time for the body of an answer once it has begun.
const BODY: Duration = Duration::from_secs(60);

/// Most bytes of an answer.
const MOST_BYTES: u64 = 8 << 20;

/// Most redirects that are followed, each on the same host.
const MOST_REDIRECTS: usize = 4;

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The text.
    pub body: String,
}

/// Why there is no answer of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request never left: nobody can have taken it.
    NotSent(String),
    /// It was sent, and no answer began in the time that was given.
    Silent,
    /// It was sent, and the answer did not come whole or is of no use. It may go better later.
    Broken(String),
    /// What was asked is wrong, and would be again.
    Refused(String),
    /// The URL is wrong, or the account may not do this.
    Unwelcome(String),
}

impl Fault {
    /// A request was sent, but its answer is of no use.
    #[must_use]
    pub fn broken(why: impl Into<String>) -> Fault {
        Fault::Broken(why.into())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Silent => "no answer in time",
            Fault::NotSent(why)
            | Fault::Broken(why)
            | Fault::Refused(why)
            | Fault::Unwelcome(why) => why,
        })
    }
}

impl std::error::Error for Fault {}

/// A way to one server.
pub struct Web {
    agent: Agent,
    origin: Origin,
}

impl Web {
    /// A way to a server.
    #[must_use]
    pub fn new(origin: Origin) -> Web {
        // The system's certificates: those of a proxy in a company are among them.
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .build();
        let mut config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("amazons/", env!("CARGO_PKG_VERSION")))
            // A connection that was kept may break just when it is used again, and nobody could tell what was sent.
            .max_idle_connections(0)
            .timeout_resolve(Some(REACH))
            .timeout_connect(Some(REACH))
            .timeout_send_request(Some(REACH))
            .timeout_recv_body(Some(BODY));
        if origin.is_loopback() {
            config = config.proxy(None);
        }
        let agent = config.build().new_agent();
        Web { agent, origin }
    }

    /// Asks for a path and waits so long for the answer to begin.
    ///
    /// # Errors
    /// If none came, or not a whole one.
    pub fn get(
        &self,
        path: &str,
        headers: &[(String, String)],
        patience: Duration,
    ) -> Result<Reply, Fault> {
        let mut path = path.to_owned();
        for _ in 0..=MOST_REDIRECTS {
            let mut response = self.ask(&path, headers, patience)?;
            let status = response.status();
            if !status.is_redirection() {
                let body = read(response.body_mut())?;
                return Ok(Reply {
                    status: status.as_u16(),
                    body,
                });
            }
            let next = response
                .headers()
                .get("location")
                .and_then(|to| self.path(to.to_str().ok()?));
            path = next.ok_or_else(|| Fault::broken("the server redirects to another host"))?;
        }
        Err(Fault::broken("the server redirects without an end"))
    }

    fn ask(
        &self,
        path: &str,
        headers: &[(String, String)],
        patience: Duration,
    ) -> Result<Response<Body>, Fault> {
        let mut request = self.agent.get(format!("{}{path}", self.origin));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.config().timeout_recv_response(Some(patience));
        let response = request.build().call();
        response.map_err(|error| fault(&error, self.origin.host()))
    }

    /// Returns the path on this server to which a redirect leads; nothing if it leads away.
    fn path(&self, location: &str) -> Option<String> {
        if location.starts_with('/') && !location.starts_with("//") {
            return Some(location.to_owned());
        }
        let (origin, path) = Origin::split(location).ok()?;
        (origin == self.origin).then_some(path)
    }
}

/// Reads the text of an answer.
fn read(body: &mut Body) -> Result<String, Fault> {
    let text = body.with_config().limit(MOST_BYTES).lossy_utf8(true);
    text.read_to_string().map_err(|error| match error {
        Error::BodyExceedsLimit(_) => Fault::broken("the answer is too long"),
        _ => Fault::broken("the answer broke off"),
    })
}

/// An error of the HTTP crate in our words: its own may hold the address.
fn fault(error: &Error, host: &str) -> Fault {
    let not_sent = |why: &str| Fault::NotSent(why.to_owned());
    // The standard library has no kind for an unknown host, but these words on every system with a resolver of its own.
    let is_unknown = error.to_string().contains("failed to lookup address");
    if is_unknown || matches!(error, Error::HostNotFound) {
        return Fault::NotSent(format!(
            "the host {host} is not found; expected a name that there is, and a way to the network"
        ));
    }
    match error {
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            not_sent("the server can't be reached in time")
        }
        Error::Timeout(Timeout::RecvResponse) => Fault::Silent,
        Error::Timeout(_) => Fault::broken("the connection is too slow"),
        Error::ConnectionFailed | Error::InvalidProxyUrl => not_sent("the server can't be reached"),
        Error::Http(_) | Error::BadUri(_) => not_sent("the address or a header can't be sent"),
        Error::Tls(_) | Error::Rustls(_) => not_sent("no secure connection to the server"),
        Error::Protocol(_) => Fault::broken("the server's answer is not HTTP"),
        Error::Io(error) => match error.kind() {
            kind @ (ErrorKind::ConnectionRefused
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::AddrNotAvailable) => {
                Fault::NotSent(format!("the server can't be reached ({kind})"))
            }
            // As TLS says that a certificate is refused.
            ErrorKind::InvalidData => Fault::broken("no secure connection to the server"),
            kind => Fault::Broken(format!("the connection broke ({kind})")),
        },
        _ => Fault::broken("the request failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::ToSocketAddrs;

    /// No name below `invalid` exists, with a network or without one.
    #[test]
    fn a_host_that_is_not_found_is_named() {
        let error = ("nobody.invalid", 443).to_socket_addrs();
        let error = error.expect_err("no such host");
        let Fault::NotSent(why) = fault(&Error::Io(error), "nobody.invalid") else {
            panic!("nothing was sent")
        };
        assert!(
            why.starts_with("the host nobody.invalid is not found"),
            "{why}"
        );
    }
}
