//! Amazon units: the part of the value network's hidden layer that sees the position from the square of one amazon.
//! Each amazon has 16 units. The weights are the same for the four amazons of a player and for the eight directions.
//!
//! The pre-activations of an amazon's units are the sum of one row of weights for its set of empty neighbours, and of
//! one row for each square that it sees. An amazon sees the squares that it reaches in one move, and the amazon or
//! arrow that ends its way in a direction. The row depends on the feature of the seen square and on whether the square
//! is adjacent.

use super::{FEATURES, RowIndices, UNIT, activation};
use crate::bitboard::with_neighbours;
use crate::board::squares;
use crate::eval::symmetry::{FILTERS, FilterWeights, SYMMETRIES, transformed_pattern};
use std::iter;

/// Number of sets of empty neighbours, if those that are images of each other under a symmetry of the board count once.
const NEIGHBOUR_SETS: usize = 51;

/// Number of weight rows for the squares that amazons see: for the amazons of the side to move, one for each feature of
/// a square that is not adjacent, then one for each feature of an adjacent square; then as many for the opponent's
/// amazons.
pub const SEEN_ROWS: usize = 4 * FEATURES;

/// Number of weight rows of the amazon units: [`SEEN_ROWS`], then one for each set of empty neighbours of an amazon of
/// the side to move, then as many for the opponent's amazons.
pub const AMAZON_ROWS: usize = SEEN_ROWS + 2 * NEIGHBOUR_SETS;

/// For each of the 256 sets of empty neighbours, a number from 0 to 50. Sets that are images of each other under a
/// symmetry of the board have the same number.
static NEIGHBOUR_SET: [u8; 256] = {
    let (mut numbers, mut count) = ([0; 256], 0);
    let mut set = 0;
    while set < 256 {
        let (mut first, mut symmetry) = (set, 0);
        while symmetry < SYMMETRIES {
            let image = transformed_pattern(set, symmetry);
            first = if image < first { image } else { first };
            symmetry += 1;
        }
        numbers[set] = if first < set { numbers[first] } else { count };
        count += (first == set) as u8;
        set += 1;
    }
    assert!(count as usize == NEIGHBOUR_SETS);
    numbers
};

/// For each square, bitboards of the squares between it and the edge to the east, south-west, south and south-east.
/// Along these directions, the indices of squares increase.
static RAYS: [[u64; 4]; 64] = {
    let steps = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut rays = [[0; 4]; 64];
    let mut at = 0;
    while at < 64 * 4 {
        let (square, (dx, dy)) = (at / 4, steps[at % 4]);
        let (mut x, mut y) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
        while x >= 0 && x < 8 && y < 8 {
            rays[square][at % 4] |= 1 << (8 * y + x);
            (x, y) = (x + dx, y + dy);
        }
        at += 1;
    }
    rays
};

/// Returns the squares that an amazon on `square` sees in the four directions of [`RAYS`]: up to the first square in
/// `occupied`, a bitboard of amazons and arrows, and including it.
#[inline(always)]
fn seen_towards_higher(square: usize, occupied: u64) -> u64 {
    let rays = RAYS[square];
    let seen = rays.map(|ray| {
        let blocked = ray & occupied;
        // All bits up to the lowest one in `blocked`; all bits if there is none.
        ray & (blocked ^ blocked.wrapping_sub(1))
    });
    seen[0] | seen[1] | seen[2] | seen[3]
}

/// Iterates over the eight amazons. Returns the index of each, 0 to 3 for the amazons of the side to move and 4 to 7
/// for the opponent's, with an iterator over the indices of the weight rows that this amazon selects.
///
/// `amazons` are bitboards of the amazons of the side to move and of the opponent, `empty` of the empty squares; `rows`
/// contains the features and patterns of the position.
#[inline(always)]
pub fn amazon_rows(
    mut amazons: [u64; 2],
    empty: u64,
    rows: &RowIndices,
) -> impl Iterator<Item = (usize, impl Iterator<Item = usize>)> {
    (0..8).map(move |amazon| {
        let player = amazon / 4;
        let square = amazons[player].trailing_zeros() as usize;
        amazons[player] &= amazons[player] - 1;
        (amazon, selected_rows(player, square, empty, rows))
    })
}

/// Iterates over the indices of the weight rows that an amazon on `square` selects. `player` is 0 for the side to move,
/// 1 for the opponent; [`amazon_rows`] explains the other arguments.
#[inline(always)]
fn selected_rows(
    player: usize,
    square: usize,
    empty: u64,
    rows: &RowIndices,
) -> impl Iterator<Item = usize> {
    let set = NEIGHBOUR_SET[usize::from(rows.patterns[square] & 0xff)];
    let neighbours = SEEN_ROWS + NEIGHBOUR_SETS * player + usize::from(set);
    // The opposite directions are the same in the position turned by 180 degrees, whose bitboards are reversed.
    let lower = seen_towards_higher(63 - square, !empty.reverse_bits()).reverse_bits();
    let seen = seen_towards_higher(square, !empty) | lower;
    let adjacent = with_neighbours(1 << square);
    let first = 2 * FEATURES * player;
    let parts = [
        (first, seen & !adjacent),
        (first + FEATURES, seen & adjacent),
    ];
    let seen_rows = parts.into_iter().flat_map(move |(first, seen)| {
        squares(seen).map(move |square| first + usize::from(rows.squares[square.index()] >> 6))
    });
    iter::once(neighbours).chain(seen_rows)
}

/// Number that is added to each weight in an [`AmazonTable`], so that none is negative.
const OFFSET: i16 = 64;

/// Weights of the amazon units, with four in a 64-bit word. To each weight, a number is added that makes it positive.
/// So one addition of words adds four weights, and no sum overflows into the next.
pub struct AmazonTable(Box<[[u64; FILTERS / 4]]>);

impl AmazonTable {
    /// Packs [`AMAZON_ROWS`] rows of weights.
    pub fn new(rows: &[FilterWeights]) -> AmazonTable {
        let pack = |row: &FilterWeights| {
            std::array::from_fn(|word| {
                let four = row[4 * word..][..4].iter().rev();
                four.fold(0, |word, weight| word << 16 | (weight + OFFSET) as u64)
            })
        };
        AmazonTable(rows.iter().map(pack).collect())
    }

    /// Returns the part of the output layer's integer sum that comes from the amazon units: all activations times their
    /// weights, in units of 1 / (`UNIT²` · [`OUTPUT_UNIT`](super::OUTPUT_UNIT)). `weights` are the output weights of
    /// the amazons of the side to move and of the opponent. [`amazon_rows`] explains the other arguments.
    // Not inlined: compiled once, instead of once for each set of vector instructions, and the bot's file is shorter.
    #[inline(never)]
    pub fn weighted_sum(
        &self,
        amazons: [u64; 2],
        empty: u64,
        rows: &RowIndices,
        weights: [&FilterWeights; 2],
    ) -> i32 {
        let mut total = 0;
        for (amazon, selected) in amazon_rows(amazons, empty, rows) {
            let (mut sum, mut offset) = ([0; FILTERS / 4], 0);
            selected.for_each(|row| {
                for (sum, word) in sum.iter_mut().zip(self.0[row]) {
                    *sum += word;
                }
                offset += OFFSET;
            });
            for (unit, &weight) in weights[amazon / 4].iter().enumerate() {
                let number = (sum[unit / 4] >> (16 * (unit % 4))) as i16 - offset;
                total += i32::from(activation(number, UNIT as i16)) * i32::from(weight);
            }
        }
        total
    }
}
