//! The hidden layer of both heads, forward and backward: a few filters, each laid on the board under its eight symmetries.
//!
//! The numbers of a symmetry see the position as it turns it. So the network is one of a few filters, which looks at all
//! eight images of the position. The weights are never repeated.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use crate::eval::images::{FILTERS, SYMMETRIES, turned};
use crate::eval::network::KINDS;

/// Squares, and so rows of a kind.
pub const SQUARES: usize = 64;

/// A number for each filter.
pub type Row = [f32; FILTERS];

/// The numbers of all images.
pub type Images = [Row; SYMMETRIES];

/// The square in which each image finds what the position has in another.
pub static TURNED: [[u8; SYMMETRIES]; SQUARES] = {
    let mut squares = [[0; SYMMETRIES]; SQUARES];
    let mut at = 0;
    while at < SQUARES * SYMMETRIES {
        let (square, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        squares[square][symmetry] = turned(square, symmetry) as u8;
        at += 1;
    }
    squares
};

/// The hidden layer of a position, before its units are clamped and squared. `table` holds a row for each square and kind,
/// `rows` what each square looks up.
#[inline(always)]
pub fn hidden(table: &[Row], bias: &Row, rows: &[u16; SQUARES]) -> Images {
    let mut sum = [*bias; SYMMETRIES];
    let table = &table[..SQUARES * KINDS];
    for square in 0..SQUARES {
        let first = usize::from(rows[square]) & 63 << 6;
        for image in 0..SYMMETRIES {
            let row = &table[first | usize::from(TURNED[square][image])];
            for filter in 0..FILTERS {
                sum[image][filter] += row[filter];
            }
        }
    }
    sum
}

/// Adds the gradient in the table and the bias of [`hidden`], from that in the hidden layer.
#[inline(always)]
pub fn add_hidden(table: &mut [Row], bias: &mut Row, rows: &[u16; SQUARES], below: &Images) {
    for image in 0..SYMMETRIES {
        for filter in 0..FILTERS {
            bias[filter] += below[image][filter];
        }
    }
    let table = &mut table[..SQUARES * KINDS];
    for square in 0..SQUARES {
        let first = usize::from(rows[square]) & 63 << 6;
        for image in 0..SYMMETRIES {
            let row = &mut table[first | usize::from(TURNED[square][image])];
            for filter in 0..FILTERS {
                row[filter] += below[image][filter];
            }
        }
    }
}
