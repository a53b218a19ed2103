//! The header of a file of self-play games: what a schedule of games is.

use super::version::{NAME, Version};
use super::{checksum, is_intact};
use crate::board::Move;
use crate::tools::player::networks::compiled_checksums;
use crate::tools::player::openings;
use crate::tools::support::journal::differences;

/// Most random plies of an opening: later the game may be over.
pub const MAX_OPENING: u8 = 20;

/// The header: files of one schedule hold the same games.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        let mut bytes = [&NAME[..], &[Version::NEWEST.0]].concat();
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.iterations.to_le_bytes());
        bytes.extend([self.min_plies, self.max_plies]);
        bytes.extend(self.noise.to_le_bytes());
        bytes.extend(self.networks.iter().flat_map(|sum| sum.to_le_bytes()));
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// Reads the beginning of a file of a version that has a schedule.
    pub(super) fn read(bytes: &[u8], version: Version) -> Result<SelfPlayPlan, String> {
        let end = version.start();
        if !is_intact(bytes, end) {
            return Err(
                "the beginning is damaged: expected a seed, iterations, plies and their checksum"
                    .to_owned(),
            );
        }
        let number = |at: usize| {
            let bytes = bytes[at..].first_chunk().expect("the beginning is longer");
            u64::from_le_bytes(*bytes)
        };
        let [min_plies, max_plies] = [bytes[24], bytes[25]];
        if min_plies > max_plies || max_plies > MAX_OPENING {
            return Err(format!(
                "openings of {min_plies} to {max_plies} plies: expected {MAX_OPENING} at most"
            ));
        }
        let noise = bytes[Version(2).start()..end].first_chunk();
        let noise = noise.map_or(0.0, |&bytes| f32::from_le_bytes(bytes));
        if !(0.0..=1.0).contains(&noise) {
            return Err(format!("noise {noise}: expected a number from 0 to 1"));
        }
        let networks = bytes.get(Version(4).start()..end).unwrap_or_default();
        let networks = match *networks.as_chunks().0 {
            [value, order] => [value, order].map(u32::from_le_bytes),
            _ => compiled_checksums(),
        };
        Ok(SelfPlayPlan {
            seed: number(8),
            iterations: number(16),
            min_plies,
            max_plies,
            noise,
            networks,
        })
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
