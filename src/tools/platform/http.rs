//! [`HttpClient`] sends HTTP requests to one server. It limits the time and the size of responses, and rejects
//! redirects to other servers.
//!
//! The path of a URL may contain a secret. Error messages therefore contain no text of the HTTP library, which may
//! quote the URL.

use super::address::Origin;
use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, Timeout};

/// Maximum time for each of three steps of an HTTP request: finding the server's IP address, connecting to the server,
/// and sending the request.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// Maximum time for receiving the body of an HTTP response.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum size of the body of an HTTP response, in bytes: 8 MiB. A greater body is an error.
const MAX_BODY_BYTES: u64 = 8 << 20;

/// Maximum number of redirects that are followed for one request.
const MAX_REDIRECTS: usize = 4;

/// HTTP response of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// HTTP status code.
    pub status: u16,
    /// Body of the response as text. Invalid UTF-8 is replaced by U+FFFD.
    pub body: String,
}

/// Error of an HTTP request. From its variant, the caller can tell whether the server may have received the request,
/// and thus whether it is safe to send the request again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// The request was not sent, so the server can't have acted on it, and it is safe to send it again. The string is
    /// the error message.
    NotSent(String),
    /// The request was sent, but the server did not begin to respond within the time limit. It may have acted on the
    /// request.
    TimedOut,
    /// The request was sent, but the response was incomplete, too large or not as expected. The server may have acted
    /// on the request; another attempt may succeed. The string is the error message.
    InvalidResponse(String),
    /// The server rejected the request as invalid; sending the same request again would fail, too. The string is the
    /// error message.
    Rejected(String),
    /// The server denied access (HTTP status 401): the secret in the URL is wrong, or the account lacks permission. The
    /// string is the error message.
    Unauthorized(String),
}

impl RequestError {
    /// Returns the error for an invalid response of the server, [`RequestError::InvalidResponse`], with the message
    /// `why`.
    #[must_use]
    pub fn bad_reply(why: impl Into<String>) -> RequestError {
        RequestError::InvalidResponse(why.into())
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RequestError::TimedOut => "no answer in time",
            RequestError::NotSent(why)
            | RequestError::InvalidResponse(why)
            | RequestError::Rejected(why)
            | RequestError::Unauthorized(why) => why,
        })
    }
}

impl std::error::Error for RequestError {}

/// Result of a request, or of a part of it.
pub type Result<T, E = RequestError> = std::result::Result<T, E>;

/// Header of a request. First: its name; second: its value.
pub type Header = (String, String);

/// HTTP client for a single server.
pub struct HttpClient {
    agent: Agent,
    origin: Origin,
}

impl HttpClient {
    /// Returns a client for the server at `origin`, but does not connect yet: each request opens a new connection.
    #[must_use]
    pub fn new(origin: Origin) -> HttpClient {
        // Trust the certificates that the operating system trusts, so that the client works behind a company's proxy.
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier);
        let mut config = Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("amazons/", env!("CARGO_PKG_VERSION")))
            // Open a new connection for each request. If a reused connection fails, one can't tell whether the request
            // was sent.
            .max_idle_connections(0)
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_send_request(Some(CONNECT_TIMEOUT))
            .timeout_recv_body(Some(BODY_TIMEOUT));
        if origin.is_loopback() {
            config = config.proxy(None);
        }
        let agent = config.build().new_agent();
        HttpClient { agent, origin }
    }

    /// Sends a GET request for `path` and returns the response. Follows redirects on the same server. `headers`
    /// contains pairs of header name and value. `timeout` is the maximum time from the sent request to the beginning of
    /// the response.
    ///
    /// # Errors
    /// [`RequestError::NotSent`] if the request can't be sent, [`RequestError::TimedOut`] if no response begins in
    /// time, and [`RequestError::InvalidResponse`] if the response is incomplete, longer than 8 MiB, or redirects to
    /// another server or more than four times. A response with an error status is not an error.
    pub fn get(&self, path: &str, headers: &[Header], timeout: Duration) -> Result<HttpResponse> {
        let mut path = path.to_owned();
        for _ in 0..=MAX_REDIRECTS {
            let mut response = self.send(&path, headers, timeout)?;
            let status = response.status();
            if !status.is_redirection() {
                let body = read_body(response.body_mut())?;
                let status = status.as_u16();
                return Ok(HttpResponse { status, body });
            }
            let place = response.headers().get("location");
            let next = place.and_then(|to| self.redirect_path(to.to_str().ok()?));
            path = next
                .ok_or_else(|| RequestError::bad_reply("the server redirects to another host"))?;
        }
        Err(RequestError::bad_reply("too many redirects"))
    }

    fn send(&self, path: &str, headers: &[Header], timeout: Duration) -> Result<Response<Body>> {
        let mut request = self.agent.get(format!("{}{path}", self.origin));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.config().timeout_recv_response(Some(timeout));
        let response = request.build().call();
        response.map_err(|error| request_error(&error, self.origin.host()))
    }

    /// Returns the path to which `location`, the target of a redirect, refers on this server; `None` if the target is
    /// on another server.
    fn redirect_path(&self, location: &str) -> Option<String> {
        if location.starts_with('/') && !location.starts_with("//") {
            return Some(location.to_owned());
        }
        let (origin, path) = Origin::split_url(location).ok()?;
        (origin == self.origin).then_some(path)
    }
}

/// Reads the body of a response as text.
///
/// # Errors
/// [`RequestError::InvalidResponse`] if the body is incomplete or longer than [`MAX_BODY_BYTES`].
fn read_body(body: &mut Body) -> Result<String> {
    let text = body.with_config().limit(MAX_BODY_BYTES).lossy_utf8(true);
    text.read_to_string().map_err(|error| match error {
        Error::BodyExceedsLimit(_) => RequestError::bad_reply("the answer is too long"),
        _ => RequestError::bad_reply("the answer is incomplete"),
    })
}

/// Converts an error of the HTTP library to a [`RequestError`] with a message of our own, because the library's message
/// may quote a URL that contains a secret. `host` is the name of the server; some messages contain it.
fn request_error(error: &Error, host: &str) -> RequestError {
    let not_sent = |why: &str| RequestError::NotSent(why.to_owned());
    // True if the host name is unknown. For this case, the standard library has no error kind; only the error's text
    // shows it. On all systems, the text contains these words.
    let is_unknown = error.to_string().contains("failed to lookup address");
    if is_unknown || matches!(error, Error::HostNotFound) {
        let expected = "expected an existing host name and a network connection";
        return RequestError::NotSent(format!("the host {host} is not found; {expected}"));
    }
    match error {
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            not_sent("the server can't be reached in time")
        }
        Error::Timeout(Timeout::RecvResponse) => RequestError::TimedOut,
        Error::Timeout(_) => RequestError::bad_reply("the connection is too slow"),
        Error::ConnectionFailed | Error::InvalidProxyUrl => not_sent("the server can't be reached"),
        Error::Http(_) | Error::BadUri(_) => not_sent("the address or a header can't be sent"),
        Error::Tls(_) | Error::Rustls(_) => not_sent("no secure connection to the server"),
        Error::Protocol(_) => RequestError::bad_reply("the server's answer is not HTTP"),
        Error::Io(error) => match error.kind() {
            kind @ (ErrorKind::ConnectionRefused
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::AddrNotAvailable) => {
                RequestError::NotSent(format!("the server can't be reached ({kind})"))
            }
            // The error kind `InvalidData` means here that the server's certificate was rejected: the TLS library
            // returns it.
            ErrorKind::InvalidData => RequestError::bad_reply("no secure connection to the server"),
            kind => RequestError::InvalidResponse(format!("the connection broke ({kind})")),
        },
        _ => RequestError::bad_reply("the request failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::ToSocketAddrs;

    /// Tests the error for the host name `nobody.invalid`, which never exists, because it ends with `.invalid` (RFC
    /// 2606). The test works even without a network.
    #[test]
    fn unknown_host_is_named_in_the_error() {
        let error = ("nobody.invalid", 443).to_socket_addrs();
        let error = error.expect_err("no such host");
        let RequestError::NotSent(why) = request_error(&Error::Io(error), "nobody.invalid") else {
            panic!("nothing was sent")
        };
        let expected = "the host nobody.invalid is not found";
        assert!(why.starts_with(expected), "{why}");
    }
}
