//! What both networks lay on the board under its eight symmetries: filters, and their weights for every hidden number.
//!
//! A hidden layer holds [`FILTERS`] numbers for each of the [`SYMMETRIES`]. Those of a symmetry see the position as it
//! [turns](turned) it, through the same weights as all others: number `8·filter + symmetry` takes the weights of the filter
//! for the turned square. So a network judges a position and its images alike.

use super::network::{KINDS, MAX_WEIGHT};
use crate::bitboard::{NumberRow, NumberTable, TableRow};

/// Numbers of a hidden layer for each symmetry.
pub const FILTERS: usize = 16;

/// Symmetries of the board.
pub const SYMMETRIES: usize = 8;

/// A weight for each filter.
pub type Filters = [i16; FILTERS];

/// The square to which a symmetry turns another. Its lowest bit mirrors rows, the next one columns; then the highest one
/// swaps both.
#[must_use]
pub const fn turned(square: usize, symmetry: usize) -> usize {
    let mirrored = square ^ ((symmetry & 1) * 0o70) ^ ((symmetry >> 1 & 1) * 0o7);
    if symmetry & 4 == 0 {
        mirrored
    } else {
        mirrored % 8 * 8 + mirrored / 8
    }
}

/// A weight for each hidden number: `weights` tells those of the filters under a symmetry.
pub fn row(weights: impl Fn(usize) -> Filters) -> NumberRow {
    let mut row = NumberRow([0; NumberRow::LEN]);
    for symmetry in 0..SYMMETRIES {
        for (filter, weight) in weights(symmetry).into_iter().enumerate() {
            row.0[SYMMETRIES * filter + symmetry] = weight;
        }
    }
    row
}

/// [`row`] of a square, by the weights of all squares.
pub fn by_square(weights: &[Filters], square: usize) -> NumberRow {
    row(|symmetry| weights[turned(square, symmetry)])
}

// Two weights of a table are added in eight bits.
const _: () = assert!(2 * MAX_WEIGHT <= i8::MAX as i16);

/// The table of a hidden layer, by the weights of 64 squares for each kind.
///
/// # Panics
/// If a weight does not fit into eight bits.
pub fn table(weights: &[Filters]) -> Box<NumberTable> {
    let small = |weight| i8::try_from(weight).expect("at most MAX_WEIGHT");
    let rows = (0..KINDS * 64).map(|at| by_square(&weights[at / 64 * 64..], at % 64));
    let table: Box<[TableRow]> = rows.map(|row| TableRow(row.0.map(small))).collect();
    table.try_into().expect("64 rows for each kind")
}
