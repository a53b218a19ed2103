//! What makes a page our own: a seal, by which it is known as written by this program and changed by nobody since.
//!
//! A page that somebody has edited, or that a browser has saved in another form, is somebody's: it has no seal that fits, and
//! no tool writes over it. So are the pages of earlier versions, which had none.

use super::inserted;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::digest::{SHA256, digest};

/// What stands before the seal. The number is that of the page's form.
const BEFORE: &str = "<meta name=\"generator\" content=\"amazons page 1, sha256 ";

/// What the seal takes the place of.
const PLACE: &str = "{seal}";

/// Length of a checksum in letters.
const LETTERS: usize = 44;

/// The SHA-256 of a text in Base64.
pub fn checksum(text: &str) -> String {
    BASE64_STANDARD.encode(digest(&SHA256, text.as_bytes()))
}

/// A page with its seal: the checksum of the page before it had one.
pub fn sealed(page: String) -> String {
    let seal = checksum(&page);
    inserted(page, (PLACE, &seal))
}

/// Tests if a file is a page of ours, as it was written.
#[must_use]
pub fn is_ours(content: &[u8]) -> bool {
    let page = std::str::from_utf8(content).unwrap_or_default();
    let parts = page.split_once(BEFORE);
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_at_checked(LETTERS)?)));
    parts.is_some_and(|(before, (seal, behind))| {
        checksum(&[before, BEFORE, PLACE, behind].concat()) == seal
    })
}
