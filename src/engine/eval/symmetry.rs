//! Weight sharing between the eight symmetries of the board, in the value network and in the policy network.
//!
//! A filter is a set of weights of the hidden layer. Each of [`FILTERS`] filters is applied to the position under each
//! of the eight symmetries of the board (four rotations and four reflections). Each application results in one
//! activation, whose index is `8·filter + symmetry`. The number `symmetry`, from 0 to 7, is explained in
//! [`transformed`]. As a result, rotations and reflections of a position have the same value.

use super::policy::{DIRECTIONS, MAX_SLIDE, transformed_slide};
use super::value::{MAX_WEIGHT, PATTERNS};
use crate::bitboard::{NumberRow, NumberTable, TableRow};

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

/// Returns a row of weights for all 128 activations; the index of an activation is `8·filter + symmetry`. The function
/// `weights` gets a symmetry from 0 to 7, and returns the weights of the 16 filters for this symmetry.
pub fn expand_row(weights: &dyn Fn(usize) -> FilterWeights) -> NumberRow {
    let mut row = NumberRow([0; NumberRow::LEN]);
    for symmetry in 0..SYMMETRIES {
        for (filter, weight) in weights(symmetry).into_iter().enumerate() {
            row.0[SYMMETRIES * filter + symmetry] = weight;
        }
    }
    row
}

/// Returns a row of weights for `square`: one weight for each of the 128 activations. At the index `8·filter +
/// symmetry`, it contains the weight of `filter` for the square to which `symmetry` moves `square`. `weights` contains
/// the weights of the 16 filters; its index is the square.
pub fn square_row(weights: &[FilterWeights], square: usize) -> NumberRow {
    expand_row(&|symmetry| weights[transformed(square, symmetry)])
}

// Check that the sum of two network weights fits into an `i8`: vector instructions add two 8-bit weights before they
// widen the sum to 16 bits.
const _: () = assert!(2 * MAX_WEIGHT <= i8::MAX as i16);

/// Copies the weights of a hidden layer for the eight symmetries of the board. `weights` has rows of one weight for
/// each of the 16 filters; the result has rows of one weight for each of the 128 activations. In both, a row belongs to
/// a feature on a square and has the index `64·feature + square`.
///
/// # Panics
/// If a weight does not fit into eight bits, or `weights` does not contain 64 rows for each feature.
pub fn expand_table(weights: &[FilterWeights]) -> Box<NumberTable> {
    expand_rows(|at| square_row(&weights[at / 64 * 64..], at % 64))
}

/// Weight table of a hidden layer for the patterns of squares, copied for the eight symmetries of the board. The index
/// of a row is the pattern. The number of [`PATTERNS`] is rounded up to a power of two, so that
/// [`Lanes::sum_rows`](crate::bitboard::Lanes::sum_rows) needs no bounds checks; the further rows are 0.
pub type PatternTable = [TableRow; PATTERNS.next_power_of_two()];

/// Copies the weights of patterns for the eight symmetries of the board. `weights` has a row for each of the
/// [`PATTERNS`], with one weight for each of the 16 filters.
///
/// # Panics
/// If a weight does not fit into eight bits.
pub fn expand_patterns(weights: &[FilterWeights]) -> Box<PatternTable> {
    let weights = |pattern| weights.get(pattern).copied().unwrap_or_default();
    expand_rows(|pattern| expand_row(&|symmetry| weights(transformed_pattern(pattern, symmetry))))
}

/// Returns the table of `ROWS` rows in which the row `at` has the weights `row(at)`, converted to eight bits.
///
/// # Panics
/// If a weight does not fit into eight bits.
fn expand_rows<const ROWS: usize>(row: impl Fn(usize) -> NumberRow) -> Box<[TableRow; ROWS]> {
    let small = |weight| i8::try_from(weight).expect("at most MAX_WEIGHT");
    let rows: Box<[TableRow]> = (0..ROWS).map(|at| TableRow(row(at).0.map(small))).collect();
    rows.try_into().expect("`ROWS` rows")
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
