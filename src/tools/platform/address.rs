//! Addresses on Botzone. [`MatchAddress`] is the web address of a match: the server, as an [`Origin`] (first part of a
//! URL, such as `https://www.botzone.org.cn`), and the match's [`Id`]. A version of a bot has an [`Id`], too.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use ureq::http::Uri;
use ureq::http::uri::{Authority, Parts, Scheme};

/// Number of hexadecimal digits of an [`Id`].
const ID_DIGITS: usize = 24;

/// Host name of Botzone's server.
const BOTZONE_HOST: &str = "www.botzone.org.cn";

/// Id of a match or of a bot's version on Botzone: 24 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(u128);

impl Id {
    /// Returns the first id in `text`; `None` if `text` contains no id. An id is a sequence of exactly 24 hexadecimal
    /// digits with no other ASCII letter or digit directly before or after it.
    #[must_use]
    pub fn find(text: &str) -> Option<Id> {
        text.split(|character: char| !character.is_ascii_alphanumeric())
            .find_map(|word| word.parse().ok())
    }
}

impl FromStr for Id {
    type Err = String;

    fn from_str(text: &str) -> Result<Id, String> {
        let is_id = text.len() == ID_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok().filter(|_| is_id);
        Ok(Id(number.ok_or("expected 24 hexadecimal digits")?))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0ID_DIGITS$x}", self.0)
    }
}

/// Server of a URL: the first part of the URL, which consists of scheme, host and port, such as
/// `https://www.botzone.org.cn`. It never contains a user name or a password, so messages may show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: Scheme,
    authority: Authority,
}

impl Default for Origin {
    fn default() -> Origin {
        Origin {
            scheme: Scheme::HTTPS,
            authority: Authority::from_static(BOTZONE_HOST),
        }
    }
}

impl Origin {
    /// Splits `url` into a pair. First: the server (scheme, host and port). Second: the rest (path and query).
    ///
    /// # Errors
    /// If the URL begins neither with `https://` nor with `http://` and a loopback address, or if it contains a user
    /// name. The error message does not quote the URL, which may contain a secret.
    pub fn split_url(url: &str) -> Result<(Origin, String), &'static str> {
        let Ok(Parts {
            scheme: Some(scheme),
            authority: Some(authority),
            path_and_query: path,
            ..
        }) = url.parse().map(Uri::into_parts)
        else {
            return Err("expected it to begin with https://");
        };
        let host_and_port = match authority.port() {
            Some(port) => format!("{}:{port}", authority.host()),
            None => authority.host().to_owned(),
        };
        if authority != *host_and_port {
            return Err("expected a host after https://, and at most a port");
        }
        let path = path.map_or_else(String::new, |path| path.to_string());
        let origin = Origin { scheme, authority };
        match origin.scheme.as_str() {
            "https" => Ok((origin, path)),
            "http" if origin.is_loopback() => Ok((origin, path)),
            _ => Err("expected https://; http:// is for this machine's own addresses alone"),
        }
    }

    /// Returns the host name or IP address of the server.
    #[must_use]
    pub fn host(&self) -> &str {
        self.authority.host().trim_matches(['[', ']'])
    }

    /// Tests if the server runs on this machine: its host is a loopback address or `localhost`.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let address: Option<IpAddr> = self.host().parse().ok();
        let is_local_name = self.host().eq_ignore_ascii_case("localhost");
        address.map_or(is_local_name, |address| address.is_loopback())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.authority)
    }
}

/// Public web address of a match, `https://HOST/match/ID`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchAddress {
    /// Server on which the match was played.
    pub origin: Origin,
    /// Id of the match.
    pub id: Id,
}

impl FromStr for MatchAddress {
    type Err = String;

    /// Parses a match id, which stands for a match on Botzone's server, or the address of a match on any server, such
    /// as `https://www.botzone.org.cn/match/594553a2630d4c0758e2b2b1`.
    fn from_str(text: &str) -> Result<MatchAddress, String> {
        let origin = Origin::default();
        if let Ok(id) = text.parse() {
            return Ok(MatchAddress { origin, id });
        }
        let (origin, path) = Origin::split_url(text).map_err(|_| EXPECTED_ADDRESS)?;
        let id = path.strip_prefix("/match/");
        let id = id.and_then(|rest| rest.split(['/', '?']).next()?.parse().ok());
        let id = id.ok_or(EXPECTED_ADDRESS)?;
        Ok(MatchAddress { origin, id })
    }
}

/// End of the error message for a command-line argument that is neither a match id nor the address of a match. It says
/// what was expected.
const EXPECTED_ADDRESS: &str =
    "expected a match's id, 24 hexadecimal digits, or its address, https://HOST/match/ID";

impl fmt::Display for MatchAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/match/{}", self.origin, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "594553a2630d4c0758e2b2b1";

    #[test]
    fn ids_and_addresses_are_read() {
        let at = |host: &str| format!("{host}/match/{ID}");
        let official = at("https://www.botzone.org.cn");
        for (text, address) in [
            (ID.to_owned(), &official),
            (ID.to_uppercase(), &official),
            (official.clone() + "?lite=true", &official),
            (at("http://127.0.0.1:80") + "/", &at("http://127.0.0.1:80")),
        ] {
            let read: MatchAddress = text.parse().expect("an address");
            assert_eq!(read.to_string(), *address);
        }
        for text in ["", "594553", "game.json", &format!("https://x/{ID}")] {
            assert!(text.parse::<MatchAddress>().is_err(), "{text}");
        }
        assert_eq!(Id::find(&format!("{{\"id\":\"{ID}\"}}")), ID.parse().ok());
        assert_eq!(Id::find("nothing here"), None);
    }

    #[test]
    fn plain_http_is_for_loopback_only() {
        for (url, good) in [
            ("https://www.botzone.org.cn/api", true),
            ("http://www.botzone.org.cn/api", false),
            ("http://127.0.0.1:8080/api", true),
            ("http://localhost/api", true),
            ("http://[::1]:80/api", true),
            ("http://[::1]x:80/api", false),
            ("http://127.0.0.1.evil.example/api", false),
            ("http://localhost@evil.example/api", false),
            ("https://user:word@evil.example/api", false),
            ("ftp://127.0.0.1/api", false),
            ("https:///api", false),
            ("www.botzone.org.cn/api", false),
        ] {
            assert_eq!(Origin::split_url(url).is_ok(), good, "{url}");
        }
    }
}
