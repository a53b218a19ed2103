//! Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019): steps of about equal length for
//! every weight.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use num_traits::Float;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Share of the mean gradient that a step keeps.
const KEEP_MEAN: f64 = 0.9;

/// Share of the mean square of the gradient that a step keeps.
const KEEP_SQUARE: f64 = 0.999;

/// Keeps a weight without gradient from a division by zero.
const TINY: f64 = 1e-8;

/// Rows that a thread takes at least.
pub const MIN_ROWS: usize = 1024;

/// Rows of weights, each with the moving averages of its gradient.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(
    serialize = "[F; N]: Serialize",
    deserialize = "[F; N]: Deserialize<'de>"
))]
pub struct Table<F, const N: usize> {
    pub values: Vec<[F; N]>,
    /// Mean of the gradients.
    means: Vec<[F; N]>,
    /// Mean of the gradients' squares.
    squares: Vec<[F; N]>,
}

impl<F: Float + Send + Sync, const N: usize> Table<F, N> {
    /// Weights before the first step.
    #[must_use]
    pub fn new(values: Vec<[F; N]>) -> Table<F, N> {
        let zeros = vec![[F::zero(); N]; values.len()];
        Table {
            values,
            means: zeros.clone(),
            squares: zeros,
        }
    }

    /// Moves the weights against their gradients, and by a share `decay` of the learning rate towards zero.
    #[inline(always)]
    pub fn step(&mut self, step: Step<F>, gradients: &[[F; N]], decay: F) {
        let number = |number: f64| F::from(number).expect("a float holds it");
        let [one, keep_mean, keep_square, tiny] = [1.0, KEEP_MEAN, KEEP_SQUARE, TINY].map(number);
        // Sums of the weights in the averages so far; they grow to 1.
        let mean_share = one - keep_mean.powi(step.number as i32);
        let square_share = one - keep_square.powi(step.number as i32);
        let (means, squares) = (&mut self.means, &mut self.squares);
        let rows = (&mut self.values, means, squares, gradients);
        rows.into_par_iter().with_min_len(MIN_ROWS).for_each(
            |(values, means, squares, gradients)| {
                for at in 0..N {
                    let (gradient, mean, square) = (gradients[at], means[at], squares[at]);
                    means[at] = mean + (one - keep_mean) * (gradient - mean);
                    squares[at] = square + (one - keep_square) * (gradient * gradient - square);
                    let spread = (squares[at] / square_share).sqrt() + tiny;
                    let length = means[at] / mean_share / spread + decay * values[at];
                    values[at] = values[at] - step.rate * length;
                }
            },
        );
    }
}

/// One step for all weights.
#[derive(Clone, Copy, Debug)]
pub struct Step<F> {
    /// Its number, counted from 1.
    pub number: u32,
    /// The learning rate.
    pub rate: F,
}
