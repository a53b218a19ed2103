//! The hidden layer of the value and the policy network: filters that are applied to the eight symmetric images of a position.
//!
//! Each filter has one set of weights, which all eight images of the position share. So the hidden layer has eight units for
//! each filter, and the network judges a position and its mirror images alike.
//!
//! The activation is a clipped squared ReLU: a unit's sum is clamped to 0 to 1, then squared. Its true gradient is 0 outside
//! this interval, and nearly 0 just above 0. Units whose sum lies there for every position would stop learning. So the
//! backward pass uses a surrogate gradient, whose size `surrogate` falls to 0 with the learning rate.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::weights::{FEATURE_ROWS, Weights};
use engine::eval::symmetry::{FILTERS, SYMMETRIES, transformed};

/// Number of squares of the board, and so of weight rows per feature.
pub const SQUARES: usize = 64;

/// Weight row: one weight, or one value, for each filter.
pub type Row = [f32; FILTERS];

/// Values of all hidden units: a row of filters for each symmetric image of the position.
pub type HiddenValues = [Row; SYMMETRIES];

/// Zero for all hidden units, the initial value of a gradient.
pub const ZERO: HiddenValues = [[0.0; FILTERS]; SYMMETRIES];

/// For each square and each symmetry, the square to which the symmetry maps it.
pub static TRANSFORMED: [[u8; SYMMETRIES]; SQUARES] = {
    let mut squares = [[0; SYMMETRIES]; SQUARES];
    let mut at = 0;
    while at < SQUARES * SYMMETRIES {
        let (square, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        squares[square][symmetry] = transformed(square, symmetry) as u8;
        at += 1;
    }
    squares
};

/// The hidden layer of a position after the forward pass, with what the backward pass needs.
pub struct HiddenLayer {
    /// Index of each square's weight row, counted from the first row of its phase.
    rows: [u16; SQUARES],
    /// Phase of the game, which selects a block of the first weight table.
    phase: usize,
    /// Number of arrows on the board, which selects the row of biases in the second weight table.
    arrows: usize,
    /// Sums of the hidden units before the activation function.
    sums: HiddenValues,
    /// Activations of the hidden units: their sums clamped to 0 to 1 and squared.
    activations: HiddenValues,
}

impl HiddenLayer {
    /// Runs the forward pass of the hidden layer: adds the weight rows of all squares to the bias and applies the activation.
    #[inline(always)]
    #[must_use]
    pub fn new(
        weights: &Weights,
        phase: usize,
        arrows: usize,
        rows: [u16; SQUARES],
    ) -> HiddenLayer {
        let mut sums = [weights[1][arrows]; SYMMETRIES];
        let table = &weights[0][phase * FEATURE_ROWS..][..FEATURE_ROWS];
        for square in 0..SQUARES {
            let first = usize::from(rows[square]) & 63 << 6;
            for image in 0..SYMMETRIES {
                let row = &table[first | usize::from(TRANSFORMED[square][image])];
                for filter in 0..FILTERS {
                    sums[image][filter] += row[filter];
                }
            }
        }
        let mut activations = sums;
        for image in 0..SYMMETRIES {
            for filter in 0..FILTERS {
                let number = sums[image][filter].clamp(0.0, 1.0);
                activations[image][filter] = number * number;
            }
        }
        HiddenLayer {
            rows,
            phase,
            arrows,
            sums,
            activations,
        }
    }

    /// Returns the dot product of the activations with output weights: image `i` has the weights `table[entries[i]]`.
    #[inline(always)]
    #[must_use]
    pub fn dot(&self, table: &[Row], entries: &[u8; SYMMETRIES]) -> f32 {
        let mut sums = [0.0; FILTERS];
        for image in 0..SYMMETRIES {
            let row = &table[usize::from(entries[image])];
            for filter in 0..FILTERS {
                sums[filter] += self.activations[image][filter] * row[filter];
            }
        }
        let mut all = 0.0;
        for sum in sums {
            all += sum;
        }
        all
    }

    /// Back-propagates through [`dot`](HiddenLayer::dot). `slope` is the derivative of the loss with respect to the dot
    /// product. Adds the gradient with respect to `table` to `gradient`, and that with respect to the activations to `hidden_gradient`.
    #[inline(always)]
    pub fn backpropagate_dot(
        &self,
        slope: f32,
        table: &[Row],
        entries: &[u8; SYMMETRIES],
        gradient: &mut [Row],
        hidden_gradient: &mut HiddenValues,
    ) {
        for image in 0..SYMMETRIES {
            let entry = usize::from(entries[image]);
            let (row, to) = (&table[entry], &mut gradient[entry]);
            for filter in 0..FILTERS {
                hidden_gradient[image][filter] += slope * row[filter];
                to[filter] += slope * self.activations[image][filter];
            }
        }
    }

    /// Back-propagates through [`new`](HiddenLayer::new). `hidden_gradient` is the gradient with respect to the
    /// activations. Adds the gradient with respect to the weight rows and the biases to `gradient`.
    #[inline(always)]
    pub fn backpropagate_rows(
        &self,
        gradient: &mut Weights,
        mut hidden_gradient: HiddenValues,
        surrogate: f32,
    ) {
        let bias = &mut gradient[1][self.arrows];
        for image in 0..SYMMETRIES {
            for filter in 0..FILTERS {
                let unit = self.sums[image][filter];
                let unclamped = square_derivative(unit, surrogate) * hidden_gradient[image][filter];
                hidden_gradient[image][filter] = clamp_gradient(unit, unclamped, surrogate);
                bias[filter] += hidden_gradient[image][filter];
            }
        }
        let table = &mut gradient[0][self.phase * FEATURE_ROWS..][..FEATURE_ROWS];
        for square in 0..SQUARES {
            let first = usize::from(self.rows[square]) & 63 << 6;
            for image in 0..SYMMETRIES {
                let row = &mut table[first | usize::from(TRANSFORMED[square][image])];
                for filter in 0..FILTERS {
                    row[filter] += hidden_gradient[image][filter];
                }
            }
        }
    }
}

/// Initial size of the surrogate gradient; it is annealed to 0 together with the learning rate.
pub const INITIAL_SURROGATE: f32 = 0.1;

/// Returns the derivative of the square, 2·`unit`, with `unit` clamped to `surrogate` to 1 so that small units keep learning.
#[inline(always)]
fn square_derivative(unit: f32, surrogate: f32) -> f32 {
    2.0 * unit.clamp(0.0, 1.0).max(surrogate)
}

/// Returns the gradient before the clamping of `unit` to 0 to 1, for the gradient `gradient` after it. Inside the interval, both
/// are equal. Outside, the result is `surrogate` times `gradient` if gradient descent would move the unit back inside, else 0.
#[inline(always)]
fn clamp_gradient(unit: f32, gradient: f32, surrogate: f32) -> f32 {
    let leads_back = gradient * (unit - 0.5) > 0.0;
    let outside_factor = if leads_back { surrogate } else { 0.0 };
    let is_within = unit > 0.0 && unit < 1.0;
    gradient * if is_within { 1.0 } else { outside_factor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipped_units_only_learn_towards_the_interval() {
        for (unit, surrogate, expected) in [
            (0.4, 0.1, [-0.4, 0.4]),
            (0.01, 0.1, [-0.1, 0.1]),
            (1.5, 0.1, [0.0, 0.1]),
            (-0.5, 0.1, [-0.1 * 0.1, 0.0]),
            (1.5, 0.0, [0.0, 0.0]),
            (-0.5, 0.0, [0.0, 0.0]),
        ] {
            let found = [-0.5, 0.5].map(|gradient| {
                let gradient = square_derivative(unit, surrogate) * gradient;
                clamp_gradient(unit, gradient, surrogate)
            });
            assert_eq!(found, expected, "{unit}");
        }
    }
}
