//! The header of a file of self-play games: what a schedule of games is.

use super::{SUM, checksum, is_intact};
use crate::board::Move;
use crate::tools::player::openings;
use crate::tools::support::journal::differences;

/// Most random plies of an opening: later the game may be over.
pub const MAX_OPENING: u8 = 20;

/// The first bytes of a file; the version follows.
const NAME: [u8; 7] = *b"amazons";

/// The version of the files.
const VERSION: u8 = 5;

/// Bytes of the header, checksum left out.
const HEADER: usize = 38;

/// The header: files of one schedule hold the same games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SelfPlayPlan {
    /// Seed of openings, searches and noise.
    pub seed: u64,
    /// Iterations a move.
    pub iterations: u64,
    /// Fewest random plies of an opening.
    pub min_plies: u8,
    /// Most random plies of an opening, [`MAX_OPENING`] at most.
    pub max_plies: u8,
    /// Probability of a random move instead of the best one, 0 to 1.
    pub noise: f32,
    /// Checksums of the value network and of the order network that play.
    pub networks: [u32; 2],
}

impl SelfPlayPlan {
    /// The random opening of a game.
    #[must_use]
    pub fn opening(&self, number: u32) -> Vec<Move> {
        let span = u32::from(self.max_plies - self.min_plies) + 1;
        let plies = u32::from(self.min_plies) + number % span;
        openings::opening(self.seed, number as usize, plies as usize)
    }

    /// The bytes with which a new file begins.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [&NAME[..], &[VERSION]].concat();
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.iterations.to_le_bytes());
        bytes.extend([self.min_plies, self.max_plies]);
        bytes.extend(self.noise.to_le_bytes());
        bytes.extend(self.networks.iter().flat_map(|sum| sum.to_le_bytes()));
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// Reads the beginning of a file. Also returns where its games begin.
    pub(super) fn read(bytes: &[u8]) -> Result<(SelfPlayPlan, usize), String> {
        match bytes.strip_prefix(&NAME) {
            Some([VERSION, ..]) => {}
            Some([other, ..]) => return Err(format!("version {other}: expected {VERSION}")),
            _ => return Err("expected a file of self-play games".to_owned()),
        }
        if !is_intact(bytes, HEADER) {
            let expected = "expected a seed, iterations, plies and their checksum";
            return Err(format!("the beginning is damaged: {expected}"));
        }
        let plan = SelfPlayPlan {
            seed: u64::from_le_bytes(number(bytes, 8)),
            iterations: u64::from_le_bytes(number(bytes, 16)),
            min_plies: bytes[24],
            max_plies: bytes[25],
            noise: f32::from_le_bytes(number(bytes, 26)),
            networks: [30, 34].map(|at| u32::from_le_bytes(number(bytes, at))),
        };
        Ok((plan, HEADER + SUM))
    }

    /// Describes the difference from an expected schedule.
    #[must_use]
    pub fn differences(&self, expected: &SelfPlayPlan) -> String {
        differences(self.facts(), expected.facts()).join("; ")
    }

    /// What a schedule says, by the names that messages use.
    fn facts(&self) -> [(&'static str, String); 7] {
        let [value, order] = self.networks.map(|sum| format!("{sum:08x}"));
        [
            ("--seed", self.seed.to_string()),
            ("--iterations", self.iterations.to_string()),
            ("--min-plies", self.min_plies.to_string()),
            ("--max-plies", self.max_plies.to_string()),
            ("--noise", self.noise.to_string()),
            ("checksum of the value network:", value),
            ("checksum of the order network:", order),
        ]
    }
}

/// The bytes of a number of the header.
fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let number = bytes[at..].first_chunk();
    *number.expect("the header is longer")
}
