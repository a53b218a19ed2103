//! Reads game files from disk, in any character set.

use crate::charset::{self, DecodedFile};
use encoding_rs::Encoding;
use std::path::Path;
use std::{fs, io};

/// Reads the game file at `path`, detects its character set and parses its games. Games that can't be parsed are errors
/// in [`DecodedFile::games`]; they do not make this function fail.
///
/// # Errors
/// If the file can't be read.
pub fn open_record(path: &Path) -> io::Result<DecodedFile> {
    Ok(charset::parse(&fs::read(path)?, decode))
}

/// Decodes `bytes` under the character set with this label of the Encoding Standard (encoding.spec.whatwg.org), as
/// browsers do. Returns `None` if the label is unknown or the bytes are invalid in that character set.
#[must_use]
pub fn decode(label: &str, bytes: &[u8]) -> Option<String> {
    let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
    let (text, is_damaged) = encoding.decode_with_bom_removal(bytes);
    (!is_damaged).then(|| text.into_owned())
}
