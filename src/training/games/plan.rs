//! The header of a file of self-play games: what a schedule of games is.

use super::{SUM, checksum, is_intact};
use crate::share;
use base::openings;
use engine::board::Move;
use serde::Serialize;

/// Most random plies of an opening: later the game may be over.
const MAX_OPENING: i64 = 20;

/// The first bytes of a file; the version follows.
const NAME: [u8; 7] = *b"amazons";

/// The version of the files.
const VERSION: u8 = 5;

/// Bytes of the header, checksum left out.
const HEADER: usize = 38;

/// The header: files of one schedule hold the same games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
pub struct SelfPlayPlan {
    /// Iterations a move
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: u64,
    /// Fewest random plies of an opening
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=MAX_OPENING))]
    pub min_plies: u8,
    /// Most random plies of an opening
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u8).range(0..=MAX_OPENING))]
    pub max_plies: u8,
    /// Share of the plies behind the opening in which a random move is played instead of the best one, 0 to 1
    #[arg(long, value_name = "F", default_value_t = 0.0, value_parser = share)]
    pub noise: f32,
    /// Seed of openings, searches and noise
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Checksum of the value network that plays.
    #[arg(skip)]
    #[serde(rename = "checksum of the value network:")]
    pub value_network: u32,
    /// Checksum of the order network that plays.
    #[arg(skip)]
    #[serde(rename = "checksum of the order network:")]
    pub order_network: u32,
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
        bytes.extend(self.value_network.to_le_bytes());
        bytes.extend(self.order_network.to_le_bytes());
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
            value_network: u32::from_le_bytes(number(bytes, 30)),
            order_network: u32::from_le_bytes(number(bytes, 34)),
        };
        Ok((plan, HEADER + SUM))
    }
}

/// The bytes of a number of the header.
fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let number = bytes[at..].first_chunk();
    *number.expect("the header is longer")
}
