//! Seal of a page: a checksum that is embedded in the page. By it the tools recognise pages that this program wrote and
//! nobody has changed.
//!
//! The tools overwrite no page without a valid seal: somebody may have edited it, or a browser may have saved it.

use super::insert_part;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::digest::{SHA256, digest};

/// Text directly before the seal (the checksum) in a page. The 1 in `page 1` is the version of the page's format.
const SEAL_PREFIX: &str = "<meta name=\"generator\" content=\"amazons page 1, sha256 ";

/// Placeholder for the seal in the page's template. [`add_seal`] replaces it by the seal: the SHA-256 checksum, in
/// Base64, of the finished page with this placeholder.
const PLACEHOLDER: &str = "{seal}";

/// Number of characters of a seal, which is a SHA-256 checksum in Base64.
const SEAL_CHARS: usize = 44;

/// Returns the SHA-256 checksum of `text` in Base64, 44 characters long. Content security policies use the same
/// encoding.
pub fn checksum(text: &str) -> String {
    BASE64_STANDARD.encode(digest(&SHA256, text.as_bytes()))
}

/// Seals a page: computes the checksum of the text `page`, in which [`PLACEHOLDER`] occurs once, and replaces the
/// placeholder by the checksum.
pub fn add_seal(page: String) -> String {
    let seal = checksum(&page);
    insert_part(page, (PLACEHOLDER, &seal))
}

/// Tests if `content` is a page with a valid seal: this program wrote the page, and nobody has changed it.
#[must_use]
pub fn is_unmodified(content: &[u8]) -> bool {
    let page = std::str::from_utf8(content).unwrap_or_default();
    let parts = page.split_once(SEAL_PREFIX);
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_at_checked(SEAL_CHARS)?)));
    parts.is_some_and(|(before, (seal, after))| {
        checksum(&[before, SEAL_PREFIX, PLACEHOLDER, after].concat()) == seal
    })
}
