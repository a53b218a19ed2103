//! Weight sharing between the eight symmetries of the board, in the value network and in the policy network.
//!
//! A filter is a set of weights of the hidden layer. Each of [`FILTERS`] filters is applied to the position under each
//! of the eight symmetries of the board (four rotations and four reflections). Each application results in one
//! activation, whose index is `16·symmetry + filter`. The number `symmetry`, from 0 to 7, is explained in
//! [`transformed`]. As a result, rotations and reflections of a position have the same value.

use super::policy::{DIRECTIONS, MAX_SLIDE, transformed_slide};
use super::value::{FEATURES, MAX_WEIGHT, PATTERNS};
use crate::bitboard::{FilterRow, Lanes, NumberRow, RowGroup};

/// Number of filters of a network. A filter is a set of weights of the hidden layer, which is applied to the position
/// under each of the eight symmetries of the board.
pub const FILTERS: usize = 16;

/// Number of symmetries of the square board: four rotations and four reflections.
pub const SYMMETRIES: usize = 8;

/// A row of weights in the hidden layer or output layer of a network: one weight for each of the 16 filters. A filter
/// is a set of weights that the eight symmetries of the board share.
pub type FilterWeights = [i16; FILTERS];

/// Returns the index of the square to which `symmetry` moves `square`. `symmetry` is a set of three bits, applied in
/// this order:
///
/// - bit 0: mirror the rows (`y` becomes `7 − y`)
/// - bit 1: mirror the columns (`x` becomes `7 − x`)
/// - bit 2: swap `x` and `y`
#[must_use]
pub const fn transformed(square: usize, symmetry: usize) -> usize {
    let mirrored = square ^ ((symmetry & 1) * 0o70) ^ ((symmetry >> 1 & 1) * 0o7);
    if symmetry & 4 == 0 {
        mirrored
    } else {
        mirrored % 8 * 8 + mirrored / 8
    }
}

/// Returns a row of weights for all 128 activations; the index of an activation is `16·symmetry + filter`. The function
/// `weights` gets a symmetry from 0 to 7, and returns the weights of the 16 filters for this symmetry.
// Not inlined, so that the bot's file is shorter.
#[inline(never)]
pub fn expand_row(weights: &dyn Fn(usize) -> FilterWeights) -> NumberRow {
    let mut row = NumberRow([0; NumberRow::LEN]);
    for symmetry in 0..SYMMETRIES {
        row.0[FILTERS * symmetry..][..FILTERS].copy_from_slice(&weights(symmetry));
    }
    row
}

/// Returns a row of weights for `square`: one weight for each of the 128 activations. At the index `16·symmetry +
/// filter`, it contains the weight of `filter` for the square to which `symmetry` moves `square`. `weights` contains the
/// weights of the 16 filters; its index is the square.
pub fn square_row(weights: &[FilterWeights], square: usize) -> NumberRow {
    expand_row(&|symmetry| weights[transformed(square, symmetry)])
}

// Check that the sum of two network weights fits into a byte: vector instructions add two weights as bytes, then the sums
// as 16-bit numbers.
const _: () = assert!(2 * (MAX_WEIGHT + FilterRow::OFFSET) <= u8::MAX as i16);

/// Weight table of a hidden layer, for the features of squares. The first index is the feature, the second the number of
/// a square in the north-west quarter of the board, `4·y + x`. The four rows belong to this square and its mirror
/// images; their index is the symmetry, 0 to 3, that leads to the image. The table contains one copy of the weights,
/// which all symmetries use: it is so small that it stays in a processor's second-level cache.
pub type SquareTable = [[RowGroup; QUARTER]; FEATURES];

/// Number of squares in a quarter of the board: those with `x < 4` and `y < 4` are the north-west quarter.
const QUARTER: usize = 16;

/// Arranges the weights of a hidden layer as a [`SquareTable`]. In `weights`, the row for a feature on a square has the
/// index `64·feature + square`.
///
/// # Panics
/// If a weight does not fit into eight bits, or `weights` does not contain 64 rows for each feature.
pub fn square_table(weights: &[FilterWeights]) -> Box<SquareTable> {
    let mut table = vec![[RowGroup([small_row([0; FILTERS]); 4]); QUARTER]; FEATURES];
    for at in 0..64 * FEATURES {
        let (feature, corner, mirror) = (at / 64, at / 4 % QUARTER, at % 4);
        let weights = weights[64 * feature + square_of(corner, mirror)];
        table[feature][corner].0[mirror] = small_row(weights);
    }
    let table = table.into_boxed_slice();
    table.try_into().expect("rows for each feature")
}

/// Returns the index of the square to which the symmetry `mirror`, from 0 to 3, moves a square of the north-west quarter
/// of the board: the square whose `4·y + x` is `corner`.
#[inline(always)]
const fn square_of(corner: usize, mirror: usize) -> usize {
    transformed(corner / 4 * 8 + corner % 4, mirror)
}

/// Adds the weights of the features of all squares to `start`. `features` contains the feature of each square.
#[inline(always)]
pub fn add_squares<L: Lanes>(
    start: &NumberRow,
    table: &SquareTable,
    features: &[u8; 64],
) -> NumberRow {
    // Of four successive inputs, the squares are mirror images of each other.
    L::sum_rows::<4>(start, |input, half| {
        let corner = input / 4;
        let feature = usize::from(features[square_of(corner, input % 4) % 64]);
        // The symmetries of the second half swap `x` and `y`.
        let corners = [corner, corner % 4 * 4 + corner / 4];
        &table[feature % FEATURES][corners[half] % QUARTER]
    })
}

/// Weight table of a hidden layer, for the patterns of squares. Each pattern has two groups of rows, for symmetries 0 to
/// 3 and 4 to 7. The number of [`PATTERNS`] is rounded up to a power of two, so that an index needs no bounds check; the
/// further rows are 0.
pub type PatternTable = [[RowGroup; 2]; PATTERNS.next_power_of_two()];

/// Copies the weights of patterns for the eight symmetries of the board. `weights` has a row for each of the
/// [`PATTERNS`].
///
/// # Panics
/// If a weight does not fit into eight bits.
pub fn pattern_table(weights: &[FilterWeights]) -> Box<PatternTable> {
    let zero = [RowGroup([small_row([0; FILTERS]); 4]); 2];
    let mut table = vec![zero; PATTERNS.next_power_of_two()];
    for at in 0..PATTERNS * SYMMETRIES {
        let (pattern, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        let row = small_row(weights[transformed_pattern(pattern, symmetry)]);
        table[pattern][symmetry / 4].0[RowGroup::index_of(0, symmetry)] = row;
    }
    let table = table.into_boxed_slice();
    table.try_into().expect("groups for each pattern")
}

/// Adds the weights of the patterns of all squares to `start`. `patterns` contains the pattern of each square.
#[inline(always)]
pub fn add_patterns<L: Lanes>(
    start: &NumberRow,
    table: &PatternTable,
    patterns: &[u16; 64],
) -> NumberRow {
    L::sum_rows::<1>(start, |square, half| {
        &table[usize::from(patterns[square]) % table.len()][half]
    })
}

/// Converts a row of weights to eight bits.
///
/// # Panics
/// If a weight does not fit into eight bits.
fn small_row(weights: FilterWeights) -> FilterRow {
    let byte = |weight| u8::try_from(weight + FilterRow::OFFSET).expect("at most MAX_WEIGHT");
    FilterRow(weights.map(byte))
}

/// Returns the pattern that results from applying a symmetry of the board to `pattern`: the eight bits for the empty
/// neighbours are permuted.
#[must_use]
pub const fn transformed_pattern(pattern: usize, symmetry: usize) -> usize {
    let mut transformed = pattern & !255;
    let mut direction = 0;
    while direction < DIRECTIONS.len() {
        let image = transformed_slide(direction * MAX_SLIDE, symmetry) / MAX_SLIDE;
        transformed |= (pattern >> direction & 1) << image;
        direction += 1;
    }
    transformed
}
