//! The seal of a page: a checksum that shows that this program wrote the page and that nobody has changed it.
//!
//! No tool overwrites a page without a valid seal: a page that somebody has edited, a page that a browser has saved in another
//! form, or a page of an early version.

use super::insert_part;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::digest::{SHA256, digest};

/// Text in the page before its seal. The 1 is the version of the page's form.
const SEAL_PREFIX: &str = "<meta name=\"generator\" content=\"amazons page 1, sha256 ";

/// Placeholder that the seal replaces.
const PLACEHOLDER: &str = "{seal}";

/// Length of a Base64 checksum in characters.
const CHECKSUM_CHARS: usize = 44;

/// Returns the SHA-256 of a text in Base64.
pub fn checksum(text: &str) -> String {
    BASE64_STANDARD.encode(digest(&SHA256, text.as_bytes()))
}

/// Inserts the seal into a page: the checksum of the page with the placeholder.
pub fn add_seal(page: String) -> String {
    let seal = checksum(&page);
    insert_part(page, (PLACEHOLDER, &seal))
}

/// Tests if a file is a page that this program wrote and nobody has changed.
#[must_use]
pub fn is_unmodified(content: &[u8]) -> bool {
    let page = std::str::from_utf8(content).unwrap_or_default();
    let parts = page.split_once(SEAL_PREFIX);
    let parts =
        parts.and_then(|(before, rest)| Some((before, rest.split_at_checked(CHECKSUM_CHARS)?)));
    parts.is_some_and(|(before, (seal, after))| {
        checksum(&[before, SEAL_PREFIX, PLACEHOLDER, after].concat()) == seal
    })
}
