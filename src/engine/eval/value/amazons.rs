//! Amazon units: the part of the value network's hidden layer that sees the position from the square of one amazon.
//! Each amazon has 16 units. The weights are the same for the four amazons of a player and for the eight directions.
//!
//! The pre-activations of an amazon's units are the sum of one row of weights for its set of empty neighbours, and of
//! one row for each square that it sees. An amazon sees the squares that it reaches in one move, and the amazon or
//! arrow that ends its way in a direction. The row depends on the feature of the seen square and on whether the square
//! is adjacent.

use super::{FEATURES, Inputs, UNIT, activation};
use crate::bitboard::{Lanes, Slides, steps_from_rays, with_neighbours};
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

/// Number of amazons on the board.
const AMAZONS: usize = 8;

/// Iterates over the eight amazons. Returns the index of each, 0 to 3 for the amazons of the side to move and 4 to 7
/// for the opponent's, with an iterator over the indices of the weight rows that this amazon selects.
///
/// `amazons` are bitboards of the amazons of the side to move and of the opponent, `empty` of the empty squares;
/// `inputs` contains the features and patterns of the position.
#[inline(always)]
pub fn amazon_rows<L: Lanes>(
    mut amazons: [u64; 2],
    empty: u64,
    inputs: &Inputs,
) -> impl Iterator<Item = (usize, impl Iterator<Item = usize>)> {
    let mut places = [0; AMAZONS];
    for (amazon, place) in places.iter_mut().enumerate() {
        let rest = &mut amazons[amazon / 4];
        *place = *rest & rest.wrapping_neg();
        *rest ^= *place;
    }
    let seen = seen_squares::<L>(places, empty);
    (0..AMAZONS).map(move |amazon| {
        let rows = selected_rows(amazon / 4, places[amazon], seen[amazon], inputs);
        (amazon, rows)
    })
}

/// Returns, for each amazon, the squares that it sees: those that it reaches in one move over the empty squares `empty`,
/// and the amazon or arrow that ends its way in a direction. `places` has a bitboard of one square for each amazon.
#[inline(always)]
fn seen_squares<L: Lanes>(places: [u64; AMAZONS], empty: u64) -> [u64; AMAZONS] {
    let slides = Slides::over(L::splat(empty));
    let mut seen = [0; AMAZONS];
    for first in (0..AMAZONS).step_by(L::COUNT) {
        let rays = slides.rays_from(L::load(&places[first..]));
        steps_from_rays(rays).store(&mut seen[first..]);
    }
    seen
}

/// Iterates over the indices of the weight rows that an amazon selects. `player` is 0 for the side to move, 1 for the
/// opponent; `place` is the amazon's square and `seen` are the squares that it sees, as bitboards.
#[inline(always)]
fn selected_rows(
    player: usize,
    place: u64,
    seen: u64,
    inputs: &Inputs,
) -> impl Iterator<Item = usize> {
    let square = place.trailing_zeros() as usize;
    let set = NEIGHBOUR_SET[usize::from(inputs.patterns[square] & 0xff)];
    let neighbours = SEEN_ROWS + NEIGHBOUR_SETS * player + usize::from(set);
    let adjacent = with_neighbours(place);
    let seen_rows = squares(seen).map(move |square| {
        let part = 2 * player + usize::from(adjacent & square.bit() != 0);
        FEATURES * part + usize::from(inputs.features[square.index()])
    });
    iter::once(neighbours).chain(seen_rows)
}

/// Weight table of the amazon units. The number of [`AMAZON_ROWS`] is rounded up to a power of two, so that an index
/// needs no bounds check; the further rows are 0.
pub type AmazonTable = [FilterWeights; AMAZON_ROWS.next_power_of_two()];

/// Copies the [`AMAZON_ROWS`] rows of weights of the amazon units.
pub fn amazon_table(rows: &[FilterWeights]) -> Box<AmazonTable> {
    let mut table = [[0; FILTERS]; AMAZON_ROWS.next_power_of_two()];
    table[..AMAZON_ROWS].copy_from_slice(rows);
    Box::new(table)
}

/// Returns the part of the output layer's integer sum that comes from the amazon units: all activations times their
/// weights, in units of 1 / (`UNIT²` · [`OUTPUT_UNIT`](super::OUTPUT_UNIT)). `weights` are the output weights of the
/// amazons of the side to move and of the opponent. [`amazon_rows`] explains the other arguments.
#[inline(always)]
pub fn weighted_sum<L: Lanes>(
    table: &AmazonTable,
    weights: [&FilterWeights; 2],
    amazons: [u64; 2],
    empty: u64,
    inputs: &Inputs,
) -> i32 {
    let mut sums = [0; FILTERS];
    for (amazon, selected) in amazon_rows::<L>(amazons, empty, inputs) {
        let mut units = [0; FILTERS];
        selected.for_each(|row| units = add(units, &table[row % table.len()]));
        let weights = weights[amazon / 4];
        sums = std::array::from_fn(|unit| {
            let activation = activation(units[unit], UNIT as i16);
            sums[unit] + i32::from(activation) * i32::from(weights[unit])
        });
    }
    sums.iter().sum()
}

/// Returns the sum of two rows of weights.
// Returns a new row, because the compiler makes no vector instructions of a loop that changes `one`.
#[inline(always)]
fn add(one: FilterWeights, other: &FilterWeights) -> FilterWeights {
    std::array::from_fn(|unit| one[unit].wrapping_add(other[unit]))
}
