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
use engine::eval::images::{FILTERS, SYMMETRIES, turned};

/// Squares, and so rows of a kind.
pub const SQUARES: usize = 64;

/// A number for each filter.
pub type Row = [f32; FILTERS];

/// The numbers of all images.
pub type Images = [Row; SYMMETRIES];

/// Zeros.
pub const ZERO: Images = [[0.0; FILTERS]; SYMMETRIES];

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

/// The hidden layer of a position.
pub struct Hidden {
    /// The row of the first table that each square looks up.
    rows: [u16; SQUARES],
    /// Which part of that table they are in.
    part: usize,
    /// Number of arrows: a row of the second table, the biases.
    arrows: usize,
    /// The units before they are clamped and squared.
    units: Images,
    /// The units clamped and squared.
    active: Images,
}

impl Hidden {
    /// Adds up the bias and the rows of all squares.
    #[inline(always)]
    #[must_use]
    pub fn new(weights: &Weights, part: usize, arrows: usize, rows: [u16; SQUARES]) -> Hidden {
        let mut units = [weights[1][arrows]; SYMMETRIES];
        let table = &weights[0][part * KIND_ROWS..][..KIND_ROWS];
        for square in 0..SQUARES {
            let first = usize::from(rows[square]) & 63 << 6;
            for image in 0..SYMMETRIES {
                let row = &table[first | usize::from(TURNED[square][image])];
                for filter in 0..FILTERS {
                    units[image][filter] += row[filter];
                }
            }
        }
        let mut active = units;
        for image in 0..SYMMETRIES {
            for filter in 0..FILTERS {
                let number = units[image][filter].clamp(0.0, 1.0);
                active[image][filter] = number * number;
            }
        }
        Hidden {
            rows,
            part,
            arrows,
            units,
            active,
        }
    }

    /// Sums the layer up, each image weighted by its entry of a table.
    #[inline(always)]
    #[must_use]
    pub fn sum(&self, table: &[Row], entries: &[u8; SYMMETRIES]) -> f32 {
        let mut sums = [0.0; FILTERS];
        for image in 0..SYMMETRIES {
            let row = &table[usize::from(entries[image])];
            for filter in 0..FILTERS {
                sums[filter] += self.active[image][filter] * row[filter];
            }
        }
        let mut all = 0.0;
        for sum in sums {
            all += sum;
        }
        all
    }

    /// The backward pass of [`sum`](Hidden::sum): adds the gradient in the table to `gradient` and that in the layer to
    /// `below`, from that in the sum, `slope`.
    #[inline(always)]
    pub fn add_sum(
        &self,
        slope: f32,
        table: &[Row],
        entries: &[u8; SYMMETRIES],
        gradient: &mut [Row],
        below: &mut Images,
    ) {
        for image in 0..SYMMETRIES {
            let entry = usize::from(entries[image]);
            let (row, to) = (&table[entry], &mut gradient[entry]);
            for filter in 0..FILTERS {
                below[image][filter] += slope * row[filter];
                to[filter] += slope * self.active[image][filter];
            }
        }
    }

    /// The backward pass of [`new`](Hidden::new): adds the gradient in both tables, from that in the layer, `below`.
    #[inline(always)]
    pub fn add_rows(&self, gradient: &mut Weights, mut below: Images, surrogate: f32) {
        let bias = &mut gradient[1][self.arrows];
        for image in 0..SYMMETRIES {
            for filter in 0..FILTERS {
                let unit = self.units[image][filter];
                let slope = derivative(unit, surrogate) * below[image][filter];
                below[image][filter] = clipped(unit, slope, surrogate);
                bias[filter] += below[image][filter];
            }
        }
        let table = &mut gradient[0][self.part * KIND_ROWS..][..KIND_ROWS];
        for square in 0..SQUARES {
            let first = usize::from(self.rows[square]) & 63 << 6;
            for image in 0..SYMMETRIES {
                let row = &mut table[first | usize::from(TURNED[square][image])];
                for filter in 0..FILTERS {
                    row[filter] += below[image][filter];
                }
            }
        }
    }
}

/// How large the surrogate gradient is at the start of a training.
pub const SURROGATE: f32 = 0.1;

/// The derivative of the square within the limits, at least that of a unit of `surrogate`.
#[inline(always)]
fn derivative(unit: f32, surrogate: f32) -> f32 {
    2.0 * unit.clamp(0.0, 1.0).max(surrogate)
}

/// The gradient in a unit, from that by the [`derivative`]. Beyond the limits the share `surrogate` of it passes if a step
/// against it leads back within them, else nothing.
#[inline(always)]
fn clipped(unit: f32, gradient: f32, surrogate: f32) -> f32 {
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
