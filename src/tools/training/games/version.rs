//! The versions of the files of self-play games.

use super::PLY;
use super::shares::Shares;

/// The first bytes of a file; the version follows.
const NAME: [u8; 7] = *b"amazons";

/// The version of a file. A file stays of its version when games are appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Without a schedule and checksums. It is read, and no longer written.
    First = 1,
    /// Without noise.
    Second = 2,
    /// Without shares.
    Third = 3,
    /// Without checksums of the networks.
    Fourth = 4,
    /// The version of a new file.
    Fifth = 5,
}

impl Version {
    const ALL: [Version; 5] = [
        Version::First,
        Version::Second,
        Version::Third,
        Version::Fourth,
        Version::Fifth,
    ];

    /// The version of a new file.
    pub const NEWEST: Version = Version::Fifth;

    /// The version of a file that begins with these bytes.
    ///
    /// # Errors
    /// If they begin no file of games, or one of a later version; the message tells it.
    pub(super) fn of(bytes: &[u8]) -> Result<Version, String> {
        let found = bytes.strip_prefix(&NAME).and_then(|rest| rest.first());
        let &found = found.ok_or("expected a file of self-play games")?;
        let version = Version::ALL.into_iter().find(|&of| of as u8 == found);
        version.ok_or_else(|| {
            let newest = Version::NEWEST as u8;
            format!("version {found}: expected 1 to {newest}")
        })
    }

    /// The bytes that tell it.
    pub(super) fn to_bytes(self) -> [u8; NAME.len() + 1] {
        let [a, b, c, d, e, f, g] = NAME;
        [a, b, c, d, e, f, g, self as u8]
    }

    /// Bytes before the first game, their checksum left out.
    pub(super) const fn start(self) -> usize {
        match self {
            Version::First => NAME.len() + 1,
            Version::Second => 26,
            Version::Third | Version::Fourth => 30,
            Version::Fifth => 38,
        }
    }

    /// Whether there are checksums.
    pub(super) fn has_sums(self) -> bool {
        self >= Version::Second
    }

    /// Bytes of a ply.
    pub(super) fn ply(self) -> usize {
        match self.has_shares() {
            true => PLY + Shares::BYTES,
            false => PLY,
        }
    }

    /// Whether shares follow each ply.
    pub(super) fn has_shares(self) -> bool {
        self >= Version::Fourth
    }
}
