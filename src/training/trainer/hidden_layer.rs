//! Hidden layer of the value and the policy network: filters that are applied to the eight symmetric images of a
//! position.
//!
//! Each filter has one set of weights, which the eight images (rotations and reflections) share. So the hidden layer
//! has eight units per filter, and the network gives a position and its mirror images the same value.
//!
//! The activation is a clipped squared ReLU: a unit's sum is clamped to 0 to 1, then squared. Its true derivative is 0
//! outside this interval and nearly 0 just above 0, so a unit whose sum lies there in every position would stop
//! learning. Therefore the backward pass uses a surrogate gradient, whose size `surrogate` is annealed to 0 together
//! with the learning rate.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::weights::{FEATURE_ROWS, Weights};
use engine::eval::symmetry::{FILTERS, SYMMETRIES, transformed};

/// Number of squares of the board, and of weight rows per feature: one for each square.
pub const SQUARES: usize = 64;

/// One number for each of the 16 filters: for example a row of a weight table, or the activations of a symmetric image.
pub type Row = [f32; FILTERS];

/// One number for each hidden unit, indexed by symmetry (0 to 7), then by filter (0 to 15).
pub type HiddenValues = [Row; SYMMETRIES];

/// Zero for each hidden unit, the initial value of a sum of gradients.
pub const ZEROS: HiddenValues = [[0.0; FILTERS]; SYMMETRIES];

/// Images of the squares under the board's symmetries: `TRANSFORMED_SQUARES[square][symmetry]` is the index of the
/// square to which the symmetry maps `square`.
pub static TRANSFORMED_SQUARES: [[u8; SYMMETRIES]; SQUARES] = {
    let mut squares = [[0; SYMMETRIES]; SQUARES];
    let mut at = 0;
    while at < SQUARES * SYMMETRIES {
        let (square, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        squares[square][symmetry] = transformed(square, symmetry) as u8;
        at += 1;
    }
    squares
};

/// Hidden layer of one position after the forward pass, with the values that the backward pass needs.
pub struct HiddenLayer {
    /// Index of each square's weight row, `64·feature + square`, counted from the first row of the game's phase `phase`
    /// in weight table 0.
    rows: [u16; SQUARES],
    /// Phase of the game, from 0. The weight rows of the phase are [`FEATURE_ROWS`] consecutive rows of weight table 0.
    phase: usize,
    /// Number of arrows on the board. The row with this index in weight table 1 contains the biases of the hidden
    /// layer.
    arrows: usize,
    /// Sums of the hidden units (pre-activations): bias plus the weights of all squares.
    sums: HiddenValues,
    /// Activations of the hidden units: sums clamped to 0 to 1, then squared.
    activations: HiddenValues,
}

impl HiddenLayer {
    /// Runs the forward pass of the hidden layer: adds the weight rows of all squares to the bias and applies the
    /// activation.
    ///
    /// `rows` contains the index `64·feature + square` of each square's weight row. `phase` is the game phase, from 0,
    /// whose weight rows are used; `arrows` is the number of arrows, whose biases are used.
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
                let row = &table[first | usize::from(TRANSFORMED_SQUARES[square][image])];
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

    /// Returns the dot product of the activations of all hidden units with output weights. The activations of symmetric
    /// image `i` are multiplied by the row `table[row_by_image[i]]`.
    #[inline(always)]
    #[must_use]
    pub fn dot(&self, table: &[Row], row_by_image: &[u8; SYMMETRIES]) -> f32 {
        let mut sums = [0.0; FILTERS];
        for image in 0..SYMMETRIES {
            let row = &table[usize::from(row_by_image[image])];
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

    /// Back-propagates through [`dot`](HiddenLayer::dot), where `slope` is the derivative of the loss with respect to
    /// the dot product.
    ///
    /// Adds the gradient with respect to `table` to `gradient`, and the gradient with respect to the activations to
    /// `hidden_gradient`.
    #[inline(always)]
    pub fn backpropagate_dot(
        &self,
        slope: f32,
        table: &[Row],
        row_by_image: &[u8; SYMMETRIES],
        gradient: &mut [Row],
        hidden_gradient: &mut HiddenValues,
    ) {
        for image in 0..SYMMETRIES {
            let entry = usize::from(row_by_image[image]);
            let (row, to) = (&table[entry], &mut gradient[entry]);
            for filter in 0..FILTERS {
                hidden_gradient[image][filter] += slope * row[filter];
                to[filter] += slope * self.activations[image][filter];
            }
        }
    }

    /// Back-propagates through [`new`](HiddenLayer::new), where `hidden_gradient` is the gradient with respect to the
    /// activations.
    ///
    /// Adds the gradient with respect to the weight rows and the biases to `gradient`. `surrogate`, from 0 to 1, is the
    /// fraction of the gradient that reaches a hidden unit while its sum is clamped; 0 gives the true gradient.
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
                let sum = self.sums[image][filter];
                let unclamped = square_derivative(sum, surrogate) * hidden_gradient[image][filter];
                hidden_gradient[image][filter] = clamp_gradient(sum, unclamped, surrogate);
                bias[filter] += hidden_gradient[image][filter];
            }
        }
        let table = &mut gradient[0][self.phase * FEATURE_ROWS..][..FEATURE_ROWS];
        for square in 0..SQUARES {
            let first = usize::from(self.rows[square]) & 63 << 6;
            for image in 0..SYMMETRIES {
                let row = &mut table[first | usize::from(TRANSFORMED_SQUARES[square][image])];
                for filter in 0..FILTERS {
                    row[filter] += hidden_gradient[image][filter];
                }
            }
        }
    }
}

/// Initial size of the surrogate gradient, which lets a hidden unit learn while its sum is outside the interval from 0
/// to 1, to which it is clamped. The size decreases to 0 together with the learning rate.
pub const INITIAL_SURROGATE: f32 = 0.1;

/// Returns 2·`sum`, the derivative of a hidden unit's activation, which is the square of its sum `sum`. First clamps
/// `sum` to the range from `surrogate` to 1, so that units with sums near or below 0 continue to learn.
#[inline(always)]
fn square_derivative(sum: f32, surrogate: f32) -> f32 {
    2.0 * sum.clamp(0.0, 1.0).max(surrogate)
}

/// Back-propagates through the clamping of a hidden unit's sum `sum` to the interval from 0 to 1. `gradient` is the
/// derivative of the loss with respect to the clamped sum.
///
/// Inside the interval, returns `gradient`. Outside, returns `surrogate`·`gradient` if gradient descent would move
/// `sum` towards the interval, and 0 otherwise.
#[inline(always)]
fn clamp_gradient(sum: f32, gradient: f32, surrogate: f32) -> f32 {
    let leads_back = gradient * (sum - 0.5) > 0.0;
    let outside_factor = if leads_back { surrogate } else { 0.0 };
    let is_within = sum > 0.0 && sum < 1.0;
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
