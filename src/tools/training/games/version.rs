//! The versions of the files of self-play games.

use super::PLY;
use super::shares::Shares;

/// The first bytes of a file; the version follows.
pub(super) const NAME: [u8; 7] = *b"amazons";

/// The version of a file, from 1. A file stays of its version when games are appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u8);

impl Version {
    /// The version of a new file.
    pub const NEWEST: Version = Version(5);

    /// The version of a file that begins with these bytes.
    ///
    /// # Errors
    /// If they begin no file of games, or one of a later version; the message tells it.
    pub(super) fn of(bytes: &[u8]) -> Result<Version, String> {
        let found = bytes.strip_prefix(&NAME).and_then(|rest| rest.first());
        let &found = found.ok_or("expected a file of self-play games")?;
        let newest = Version::NEWEST.0;
        match (1..=newest).contains(&found) {
            true => Ok(Version(found)),
            false => Err(format!("version {found}: expected 1 to {newest}")),
        }
    }

    /// Bytes before the first game, their checksum left out.
    pub(super) const fn start(self) -> usize {
        match self.0 {
            1 => NAME.len() + 1,
            2 => 26,
            3 | 4 => 30,
            _ => 38,
        }
    }

    /// Whether there are a schedule and checksums.
    pub(super) fn has_sums(self) -> bool {
        self.0 >= 2
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
        self.0 >= 4
    }
}
