//! HTTP requests to one server, with limits on time and size. Redirects to another host are rejected.
//!
//! A path may contain a secret. So no error message contains text from the HTTP library, which might quote the path.

use super::address::Origin;
use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, Timeout};

/// Maximum time to resolve the host name, to connect, and to send the request, each.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// Maximum time to receive the body of an answer.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum size of an answer's body, in bytes.
const MAX_BODY_BYTES: u64 = 8 << 20;

/// Maximum number of redirects for one request.
const MAX_REDIRECTS: usize = 4;

/// Answer of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status code.
    pub status: u16,
    /// Body, as text.
    pub body: String,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request was not sent, so it had no effect on the server.
    NotSent(String),
    /// The request was sent, but no answer began within the time limit.
    Silent,
    /// The request was sent, but the answer was incomplete or useless. A later attempt may succeed.
    Broken(String),
    /// The request itself was wrong; another attempt would fail, too.
    Refused(String),
    /// The URL is wrong, or the account lacks permission.
    Unwelcome(String),
}

impl Fault {
    /// Returns [`Fault::Broken`], the error for an incomplete or useless answer, with the message `why`.
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

/// HTTP client for one server.
pub struct Web {
    agent: Agent,
    origin: Origin,
}

impl Web {
    /// Returns a client for the server at `origin`.
    #[must_use]
    pub fn new(origin: Origin) -> Web {
        // Use the system's certificates, which include those of a company's proxy.
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .build();
        let mut config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("amazons/", env!("CARGO_PKG_VERSION")))
            // Don't reuse connections. If an idle connection broke on its next use, it would be unknown if the request was
            // sent.
            .max_idle_connections(0)
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_send_request(Some(CONNECT_TIMEOUT))
            .timeout_recv_body(Some(BODY_TIMEOUT));
        if origin.is_loopback() {
            config = config.proxy(None);
        }
        let agent = config.build().new_agent();
        Web { agent, origin }
    }

    /// Sends a GET request and follows redirects on the same host. `patience` is the maximum time until the answer begins.
    ///
    /// # Errors
    /// If no complete answer arrives, or if a redirect leads to another host.
    pub fn get(
        &self,
        path: &str,
        headers: &[(String, String)],
        patience: Duration,
    ) -> Result<Reply, Fault> {
        let mut path = path.to_owned();
        for _ in 0..=MAX_REDIRECTS {
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

    /// Returns the path of a redirect's target on this server; `None` if the target is another server.
    fn path(&self, location: &str) -> Option<String> {
        if location.starts_with('/') && !location.starts_with("//") {
            return Some(location.to_owned());
        }
        let (origin, path) = Origin::split(location).ok()?;
        (origin == self.origin).then_some(path)
    }
}

/// Reads the body of an answer as text.
fn read(body: &mut Body) -> Result<String, Fault> {
    let text = body.with_config().limit(MAX_BODY_BYTES).lossy_utf8(true);
    text.read_to_string().map_err(|error| match error {
        Error::BodyExceedsLimit(_) => Fault::broken("the answer is too long"),
        _ => Fault::broken("the answer broke off"),
    })
}

/// Converts an error of the HTTP library. The message is newly worded, because the library's own may contain the URL.
fn fault(error: &Error, host: &str) -> Fault {
    let not_sent = |why: &str| Fault::NotSent(why.to_owned());
    // The standard library has no error kind for an unknown host, but its message contains these words on all systems.
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
            // The TLS library reports a rejected certificate with this kind of error.
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

    /// Names under `invalid` never exist (RFC 2606), so the test works with and without a network.
    #[test]
    fn unknown_host_is_named_in_the_error() {
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
