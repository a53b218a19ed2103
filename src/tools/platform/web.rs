//! Requests over HTTP to one server: limited in time and size, never led away to another host.
//!
//! A path may hold a secret, so no error repeats it: every message is made of this module's own words.

use super::address::Origin;
use std::fmt;
use std::io::{self, ErrorKind, Read};
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

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request never left: nobody can have taken it.
    NotSent(String),
    /// It was sent, and no answer began in the time that was given.
    Silent,
    /// It was sent, and the answer did not come whole.
    Broken(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotSent(why) | Fault::Broken(why) => f.write_str(why),
            Fault::Silent => f.write_str("no answer in time"),
        }
    }
}

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
            match self.led_to(&path, &response)? {
                Some(next) => path = next,
                None => {
                    let status = response.status().as_u16();
                    let body = read(response.body_mut())?;
                    return Ok(Reply { status, body });
                }
            }
        }
        Err(Fault::Broken(
            "the server redirects without an end".to_owned(),
        ))
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

    /// The path to which a response redirects.
    fn led_to(&self, path: &str, response: &Response<Body>) -> Result<Option<String>, Fault> {
        if !response.status().is_redirection() {
            return Ok(None);
        }
        let elsewhere = || Fault::Broken("the server redirects to another host".to_owned());
        let location = response.headers().get("location");
        let location = location
            .and_then(|location| location.to_str().ok())
            .ok_or_else(|| Fault::Broken("the server redirects to nowhere".to_owned()))?;
        if location.contains("://") {
            let (origin, path) = Origin::split(location).map_err(|_| elsewhere())?;
            return (origin == self.origin)
                .then(|| Some(path.to_owned()))
                .ok_or_else(elsewhere);
        }
        match location.strip_prefix('/') {
            Some(rest) if !rest.starts_with('/') => Ok(Some(location.to_owned())),
            Some(_) => Err(elsewhere()),
            None => {
                let folder = path.rfind('/').map_or("/", |at| &path[..=at]);
                Ok(Some(format!("{folder}{location}")))
            }
        }
    }
}

/// Reads the text of an answer.
fn read(body: &mut Body) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    let mut reader = body.as_reader().take(MOST_BYTES + 1);
    reader
        .read_to_end(&mut bytes)
        .map_err(|error| Fault::Broken(format!("the answer broke off ({})", error.kind())))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Fault::Broken("the answer is too long".to_owned()));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// An error of the HTTP crate in our words: its own may hold the address.
fn fault(error: &Error, host: &str) -> Fault {
    let not_sent = |why: &str| Fault::NotSent(why.to_owned());
    let broken = |why: &str| Fault::Broken(why.to_owned());
    match error {
        Error::HostNotFound => unknown(host),
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            not_sent("the server can't be reached in time")
        }
        Error::Timeout(Timeout::RecvResponse) => Fault::Silent,
        Error::Timeout(_) => broken("the connection is too slow"),
        Error::ConnectionFailed | Error::InvalidProxyUrl => not_sent("the server can't be reached"),
        Error::Http(_) | Error::BadUri(_) => not_sent("the address or a header can't be sent"),
        Error::Tls(_) | Error::Rustls(_) => not_sent("no secure connection to the server"),
        Error::Io(error) => of_io(error, host),
        Error::Protocol(_) => broken("the server's answer is not HTTP"),
        _ => broken("the request failed"),
    }
}

/// The fault that no address is known of a host.
fn unknown(host: &str) -> Fault {
    Fault::NotSent(format!(
        "the host {host} is not found; expected a name that there is, and a way to the network"
    ))
}

/// An error of the system in our words.
fn of_io(error: &io::Error, host: &str) -> Fault {
    // The standard library has no kind for it, but these words on every system with a resolver of its own.
    if error.to_string().starts_with("failed to lookup address") {
        return unknown(host);
    }
    let kind = error.kind();
    match kind {
        ErrorKind::ConnectionRefused
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::AddrNotAvailable => {
            Fault::NotSent(format!("the server can't be reached ({kind})"))
        }
        // As TLS says that a certificate is refused.
        ErrorKind::InvalidData => Fault::Broken("no secure connection to the server".to_owned()),
        _ => Fault::Broken(format!("the connection broke ({kind})")),
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
