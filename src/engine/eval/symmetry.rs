//! Weight sharing by symmetry, for both networks: a network's filters are applied to the board under its eight
//! symmetries.
//!
//! The hidden layer has an activation for each of [`FILTERS`] filters under each of [`SYMMETRIES`] symmetries.
//! Activation `8·filter + symmetry` sees the position [`transformed`] by that symmetry, through the filter's
//! weights. So a network gives a position and its mirror images the same value.

use super::value::{FEATURES, MAX_WEIGHT};
use crate::bitboard::{NumberRow, NumberTable, TableRow};

/// Number of filters: activations of the hidden layer for each symmetry.
pub const FILTERS: usize = 16;

/// Number of symmetries of the board: rotations and reflections.
pub const SYMMETRIES: usize = 8;

/// One weight for each filter.
pub type FilterWeights = [i16; FILTERS];

/// Returns the square onto which a symmetry maps `square`. Bit 0 of `symmetry` flips the rows, bit 1 flips the columns,
/// and bit 2 then swaps rows and columns.
#[must_use]
pub const fn transformed(square: usize, symmetry: usize) -> usize {
    let mirrored = square ^ ((symmetry & 1) * 0o70) ^ ((symmetry >> 1 & 1) * 0o7);
    if symmetry & 4 == 0 {
        mirrored
    } else {
        mirrored % 8 * 8 + mirrored / 8
    }
}

/// Builds the row of weights for all activations. `weights` returns the filters' weights under a given symmetry.
pub fn expand_row(weights: impl Fn(usize) -> FilterWeights) -> NumberRow {
    let mut row = NumberRow([0; NumberRow::LEN]);
    for symmetry in 0..SYMMETRIES {
        for (filter, weight) in weights(symmetry).into_iter().enumerate() {
            row.0[SYMMETRIES * filter + symmetry] = weight;
        }
    }
    row
}

/// Builds the weight row of one square, from the filters' weights for all squares.
pub fn square_row(weights: &[FilterWeights], square: usize) -> NumberRow {
    expand_row(|symmetry| weights[transformed(square, symmetry)])
}

// Two weights of a table are added in eight bits before they are widened.
const _: () = assert!(2 * MAX_WEIGHT <= i8::MAX as i16);

/// Builds the weight table of a hidden layer from the filters' weights: 64 squares for each feature.
///
/// # Panics
/// If a weight does not fit into eight bits.
pub fn expand_table(weights: &[FilterWeights]) -> Box<NumberTable> {
    let small = |weight| i8::try_from(weight).expect("at most MAX_WEIGHT");
    let rows = (0..FEATURES * 64).map(|at| square_row(&weights[at / 64 * 64..], at % 64));
    let table: Box<[TableRow]> = rows.map(|row| TableRow(row.0.map(small))).collect();
    table.try_into().expect("64 rows for each feature")
}
