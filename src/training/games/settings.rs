//! [`SelfPlaySettings`]: the settings that determine the games of a self-play run, and the file header that stores
//! them.

use super::{CHECKSUM_BYTES, checksum, checksum_matches};
use crate::parse_fraction;
use base::openings;
use engine::board::Move;
use serde::Serialize;

/// Largest number of random opening plies that the options `--min-plies` and `--max-plies` accept. A longer sequence of
/// random moves could already end the game.
const MAX_OPENING_PLIES: i64 = 20;

/// First bytes of a file of self-play games, which identify the file type. The byte of the format version follows them.
const MAGIC: [u8; 7] = *b"amazons";

/// Version of the format of files of self-play games. The program rejects files of other versions.
const VERSION: u8 = 5;

/// Length of the header of a file of self-play games, in bytes, without the checksum at its end.
const HEADER_BYTES: usize = 38;

/// Settings of a self-play run. Equal settings and game numbers give equal games. So several machines can each play
/// some of the games of a run, and `amazons selfplay merge` can join their files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
pub struct SelfPlaySettings {
    /// Search iterations per move
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: u64,
    /// Minimum number of random opening plies
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=MAX_OPENING_PLIES))]
    pub min_plies: u8,
    /// Maximum number of random opening plies
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u8).range(0..=MAX_OPENING_PLIES))]
    pub max_plies: u8,
    /// Probability, from 0 to 1, that a random move is played instead of the best one, after the random plies of the
    /// opening
    #[arg(long, value_name = "F", default_value_t = 0.0, value_parser = parse_fraction)]
    pub noise: f32,
    /// Seed of openings, searches and noise
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// CRC-32 of the weights of the value network that plays; identifies the network.
    #[arg(skip)]
    #[serde(rename = "checksum of the value network:")]
    pub value_network: u32,
    /// CRC-32 of the weights of the policy network that plays; identifies the network.
    #[arg(skip)]
    #[serde(rename = "checksum of the policy network:")]
    pub policy_network: u32,
}

impl SelfPlaySettings {
    /// Returns the moves of the random opening of game number `number`. Its length in plies goes in turn through all
    /// values from `min_plies` to `max_plies`: game 0 has `min_plies` random plies, game 1 one more, and so on. After
    /// `max_plies`, `min_plies` follows again.
    #[must_use]
    pub fn opening(&self, number: u32) -> Vec<Move> {
        let span = u32::from(self.max_plies - self.min_plies) + 1;
        let plies = u32::from(self.min_plies) + number % span;
        openings::random_opening(self.seed, number as usize, plies as usize)
    }

    /// Returns the bytes of the header with which a file of games stores these settings, including the header's
    /// checksum.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[VERSION]].concat();
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.iterations.to_le_bytes());
        bytes.extend([self.min_plies, self.max_plies]);
        bytes.extend(self.noise.to_le_bytes());
        bytes.extend(self.value_network.to_le_bytes());
        bytes.extend(self.policy_network.to_le_bytes());
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// Parses the header at the beginning of `bytes`, the content of a file of self-play games. Returns a pair. First:
    /// settings of the run. Second: length of the header in bytes, including its checksum.
    ///
    /// # Errors
    /// If `bytes` does not begin as a file of self-play games, or the version or the header's checksum is wrong.
    pub(super) fn read(bytes: &[u8]) -> Result<(SelfPlaySettings, usize), String> {
        match bytes.strip_prefix(&MAGIC) {
            Some([VERSION, ..]) => {}
            Some([other, ..]) => return Err(format!("version {other}: expected {VERSION}")),
            _ => return Err("expected a file of self-play games".to_owned()),
        }
        if !checksum_matches(bytes, HEADER_BYTES) {
            let expected = "expected a seed, iterations, plies and their checksum";
            return Err(format!("the beginning is damaged: {expected}"));
        }
        let settings = SelfPlaySettings {
            seed: u64::from_le_bytes(bytes_at(bytes, 8)),
            iterations: u64::from_le_bytes(bytes_at(bytes, 16)),
            min_plies: bytes[24],
            max_plies: bytes[25],
            noise: f32::from_le_bytes(bytes_at(bytes, 26)),
            value_network: u32::from_le_bytes(bytes_at(bytes, 30)),
            policy_network: u32::from_le_bytes(bytes_at(bytes, 34)),
        };
        Ok((settings, HEADER_BYTES + CHECKSUM_BYTES))
    }
}

/// Returns the `N` bytes of the header `bytes` that begin at `offset`.
///
/// # Panics
/// If `bytes` has fewer than `offset + N` bytes.
fn bytes_at<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let found = bytes[offset..].first_chunk();
    *found.expect("the header is longer")
}
