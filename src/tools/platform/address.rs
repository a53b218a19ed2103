//! Names of things on the real platform: a match's id, the origin of a server, the public address of a match.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Digits of an id.
const ID_DIGITS: usize = 24;

/// The platform's own server.
const BOTZONE: &str = "https://www.botzone.org.cn";

/// The id of a match, or of a version of a bot: 24 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Id([u8; ID_DIGITS]);

impl Id {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The first id in a text that may hold other words.
    #[must_use]
    pub fn find(text: &str) -> Option<Id> {
        text.split(|character: char| !character.is_ascii_alphanumeric())
            .find_map(|word| word.parse().ok())
    }
}

impl FromStr for Id {
    type Err = String;

    fn from_str(text: &str) -> Result<Id, String> {
        let digits: Option<[u8; ID_DIGITS]> = text.as_bytes().try_into().ok();
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.ok_or("expected 24 hexadecimal digits")?;
        Ok(Id(digits.map(|digit| digit.to_ascii_lowercase())))
    }
}

impl TryFrom<String> for Id {
    type Error = String;

    fn try_from(text: String) -> Result<Id, String> {
        text.parse()
    }
}

impl From<Id> for String {
    fn from(id: Id) -> String {
        id.as_str().to_owned()
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A server: scheme, host and port. It holds no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Default for Origin {
    fn default() -> Origin {
        Origin(BOTZONE.to_owned())
    }
}

impl Origin {
    /// Splits a URL into its origin and its path.
    ///
    /// # Errors
    /// If it is neither `https://` nor `http://` to this machine. The message doesn't quote it: it may be secret.
    pub fn split(url: &str) -> Result<(Origin, &str), &'static str> {
        let (scheme, rest) = url
            .split_once("://")
            .ok_or("expected it to begin with https://")?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let host = host(authority).ok_or("expected a host behind https://")?;
        let scheme = scheme.to_ascii_lowercase();
        match scheme.as_str() {
            "https" => {}
            "http" if is_loopback(host) => {}
            _ => {
                return Err("expected https://; http:// is for this machine's own addresses alone");
            }
        }
        let text = format!("{scheme}://{}", authority.to_ascii_lowercase());
        Ok((Origin(text), path))
    }

    /// The name or address of the server.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.0.split_once("://").map(|(_, rest)| rest);
        authority.and_then(host).unwrap_or_default()
    }

    /// Tests if the server is on this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        is_loopback(self.host())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The host of an authority without user and password, if it is made of what hosts are made of.
fn host(authority: &str) -> Option<&str> {
    let bracketed = authority
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'));
    let (host, port) = match bracketed {
        Some((host, rest)) => (
            host,
            rest.strip_prefix(':').or(rest.is_empty().then_some(""))?,
        ),
        None => authority.split_once(':').unwrap_or((authority, "")),
    };
    let fits = |character: char| character.is_ascii_alphanumeric() || ".-:".contains(character);
    let is_host = !host.is_empty() && host.chars().all(fits);
    (is_host && port.chars().all(|digit| digit.is_ascii_digit())).then_some(host)
}

/// Tests if a host is this machine.
fn is_loopback(host: &str) -> bool {
    let address: Option<std::net::IpAddr> = host.parse().ok();
    address.map_or(host.eq_ignore_ascii_case("localhost"), |address| {
        address.is_loopback()
    })
}

/// The public address of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchAddress {
    /// Its server.
    pub origin: Origin,
    /// Its id.
    pub id: Id,
}

impl FromStr for MatchAddress {
    type Err = String;

    /// Reads an id, which is the platform's own, or an address such as `https://www.botzone.org.cn/match/ID`.
    fn from_str(text: &str) -> Result<MatchAddress, String> {
        let origin = Origin::default();
        if let Ok(id) = text.parse() {
            return Ok(MatchAddress { origin, id });
        }
        let (origin, path) = Origin::split(text).map_err(|_| EXPECTED)?;
        let id = path.strip_prefix("/match/").ok_or(EXPECTED)?;
        let end = id.find(['/', '?', '#']).unwrap_or(id.len());
        let id = id[..end].parse().map_err(|_| EXPECTED)?;
        Ok(MatchAddress { origin, id })
    }
}

/// What a match's name may be.
const EXPECTED: &str =
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
    fn only_this_machine_is_spoken_to_without_encryption() {
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
            assert_eq!(Origin::split(url).is_ok(), good, "{url}");
        }
    }
}
