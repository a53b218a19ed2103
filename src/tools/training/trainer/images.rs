//! The hidden layer of both heads, forward and backward: a few filters, each laid on the board under its eight symmetries.
//!
//! The numbers of a symmetry see the position as it turns it. So the network is one of a few filters, which looks at all
//! eight images of the position. The weights are never repeated.
//!
//! A hidden unit is a clipped squared ReLU: clamped to 0 to 1, then squared. Its true gradient is 0 beyond the limits, and
//! nearly so just above 0. A unit there would stop learning, and many end there for every position. So the backward pass
//! uses a surrogate gradient. Its size falls to 0 with the learning rate.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::weights::{KIND_ROWS, Weights};
use crate::eval::images::{FILTERS, SYMMETRIES, turned};

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

/// The hidden layer of a position, before its units are clamped and squared: a bias by number of arrows, in the second table,
/// and what each square looks up, `rows`, in a part of the first.
#[inline(always)]
pub fn hidden(weights: &Weights, part: usize, arrows: usize, rows: &[u16; SQUARES]) -> Images {
    let mut sum = [weights.tables[1][arrows]; SYMMETRIES];
    let table = &weights.tables[0][part * KIND_ROWS..][..KIND_ROWS];
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

/// Adds the gradient in the tables of [`hidden`], from that in the hidden layer.
#[inline(always)]
pub fn add_hidden(
    gradient: &mut Weights,
    part: usize,
    arrows: usize,
    rows: &[u16; SQUARES],
    below: &Images,
) {
    let bias = &mut gradient.tables[1][arrows];
    for image in 0..SYMMETRIES {
        for filter in 0..FILTERS {
            bias[filter] += below[image][filter];
        }
    }
    let table = &mut gradient.tables[0][part * KIND_ROWS..][..KIND_ROWS];
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

/// How large the surrogate gradient is at the start of a training.
pub const SURROGATE: f32 = 0.1;

/// The derivative of the square within the limits, at least that of a unit of `surrogate`.
#[inline(always)]
#[must_use]
pub fn derivative(unit: f32, surrogate: f32) -> f32 {
    2.0 * unit.clamp(0.0, 1.0).max(surrogate)
}

/// The gradient in a unit, from that by the [`derivative`]. Beyond the limits the share `surrogate` of it passes if a step
/// against it leads back within them, else nothing.
#[inline(always)]
#[must_use]
pub fn clipped(unit: f32, gradient: f32, surrogate: f32) -> f32 {
    let leads_back = gradient * (unit - 0.5) > 0.0;
    let beyond = if leads_back { surrogate } else { 0.0 };
    let is_within = unit > 0.0 && unit < 1.0;
    gradient * if is_within { 1.0 } else { beyond }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_limits_only_what_leads_back_passes() {
        for (unit, surrogate, expected) in [
            (0.4, 0.1, [-0.4, 0.4]),
            (0.01, 0.1, [-0.1, 0.1]),
            (1.5, 0.1, [0.0, 0.1]),
            (-0.5, 0.1, [-0.1 * 0.1, 0.0]),
            (1.5, 0.0, [0.0, 0.0]),
            (-0.5, 0.0, [0.0, 0.0]),
        ] {
            let found = [-0.5, 0.5].map(|gradient| {
                let gradient = derivative(unit, surrogate) * gradient;
                clipped(unit, gradient, surrogate)
            });
            assert_eq!(found, expected, "{unit}");
        }
    }
}
