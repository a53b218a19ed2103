//! Weight sharing by symmetry, for both networks: each filter (one set of hidden weights) is applied to the board under
//! each of its eight symmetries.
//!
//! The hidden layer has an activation for each of [`FILTERS`] filters under each of [`SYMMETRIES`] symmetries.
//! Activation `8·filter + symmetry` is computed from the position [`transformed`] by that symmetry, with the filter's
//! weights. So a network gives a position and its mirror images the same value.

use super::value::{FEATURES, MAX_WEIGHT};
use crate::bitboard::{NumberRow, NumberTable, TableRow};

/// Number of filters of a network: sets of weights from which the hidden layer has one activation per symmetry.
pub const FILTERS: usize = 16;

/// Number of symmetries of the square board: four rotations and four reflections.
pub const SYMMETRIES: usize = 8;

/// One weight for each filter, by filter.
pub type FilterWeights = [i16; FILTERS];

/// Returns the index of the square onto which `symmetry`, from 0 to 7, maps `square`. Bit 0 of `symmetry` flips rows
/// (`y` becomes `7 − y`), bit 1 flips columns, and bit 2 then swaps rows and columns.
#[must_use]
pub const fn transformed(square: usize, symmetry: usize) -> usize {
    let mirrored = square ^ ((symmetry & 1) * 0o70) ^ ((symmetry >> 1 & 1) * 0o7);
    if symmetry & 4 == 0 {
        mirrored
    } else {
        mirrored % 8 * 8 + mirrored / 8
    }
}

/// Builds a vector of weights for all 128 activations, at index `8·filter + symmetry`. `weights` returns the filters'
/// weights under a given symmetry.
pub fn expand_row(weights: impl Fn(usize) -> FilterWeights) -> NumberRow {
    let mut row = NumberRow([0; NumberRow::LEN]);
    for symmetry in 0..SYMMETRIES {
        for (filter, weight) in weights(symmetry).into_iter().enumerate() {
            row.0[SYMMETRIES * filter + symmetry] = weight;
        }
    }
    row
}

/// Builds the vector of weights of one square for all 128 activations. `weights` holds the filters' weights of all 64
/// squares by index; each symmetry uses those of the transformed square.
pub fn square_row(weights: &[FilterWeights], square: usize) -> NumberRow {
    expand_row(|symmetry| weights[transformed(square, symmetry)])
}

// Vector code adds two table weights in eight bits before it widens the sum, so the sum must fit an `i8`.
const _: () = assert!(2 * MAX_WEIGHT <= i8::MAX as i16);

/// Builds the weight table of a hidden layer for all 128 activations from the filters' weights, both by index
/// `64·feature + square`.
///
/// # Panics
/// If a weight does not fit into eight bits, or `weights` does not hold 64 rows for each feature.
pub fn expand_table(weights: &[FilterWeights]) -> Box<NumberTable> {
    let small = |weight| i8::try_from(weight).expect("at most MAX_WEIGHT");
    let rows = (0..FEATURES * 64).map(|at| square_row(&weights[at / 64 * 64..], at % 64));
    let table: Box<[TableRow]> = rows.map(|row| TableRow(row.0.map(small))).collect();
    table.try_into().expect("64 rows for each feature")
}
