//! The optimiser AdamW: Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019).
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use num_traits::Float;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// β₁ of Adam, the decay rate of the gradient's moving average per step.
const BETA_1: f64 = 0.9;

/// β₂ of Adam, the decay rate of the squared gradient's moving average per step.
const BETA_2: f64 = 0.999;

/// ε of Adam, added to the denominator: it prevents a division by zero for weights whose gradients were all 0.
const EPSILON: f64 = 1e-8;

/// Minimum number of weight rows that a thread processes at a time.
pub const MIN_ROWS_PER_TASK: usize = 1024;

/// A table of weights, in rows of `N`, with the moving averages that Adam keeps for each weight.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(
    serialize = "[F; N]: Serialize",
    deserialize = "[F; N]: Deserialize<'de>"
))]
pub struct AdamTable<F, const N: usize> {
    pub values: Vec<[F; N]>,
    /// Moving averages of the gradients (first moments).
    means: Vec<[F; N]>,
    /// Moving averages of the squared gradients (second moments).
    squares: Vec<[F; N]>,
}

impl<F: Float + Send + Sync, const N: usize> AdamTable<F, N> {
    /// Returns a table with initial weights, before the first optimiser step.
    #[must_use]
    pub fn new(values: Vec<[F; N]>) -> AdamTable<F, N> {
        let zeros = vec![[F::zero(); N]; values.len()];
        AdamTable {
            values,
            means: zeros.clone(),
            squares: zeros,
        }
    }

    /// Performs an Adam step against `gradients`. Weight decay also multiplies each weight by 1 − learning rate · `decay`.
    #[inline(always)]
    pub fn step(&mut self, step: AdamStep<F>, gradients: &[[F; N]], decay: F) {
        let float = |number: f64| F::from(number).expect("a float holds it");
        let [one, beta_1, beta_2, epsilon] = [1.0, BETA_1, BETA_2, EPSILON].map(float);
        // Bias correction: the averages start at 0, so they are divided by 1 − β^number.
        let mean_correction = one - beta_1.powi(step.number as i32);
        let square_correction = one - beta_2.powi(step.number as i32);
        let (means, squares) = (&mut self.means, &mut self.squares);
        let rows = (&mut self.values, means, squares, gradients);
        rows.into_par_iter()
            .with_min_len(MIN_ROWS_PER_TASK)
            .for_each(|(values, means, squares, gradients)| {
                for at in 0..N {
                    let (gradient, mean, square) = (gradients[at], means[at], squares[at]);
                    means[at] = mean + (one - beta_1) * (gradient - mean);
                    squares[at] = square + (one - beta_2) * (gradient * gradient - square);
                    let denominator = (squares[at] / square_correction).sqrt() + epsilon;
                    let update = means[at] / mean_correction / denominator + decay * values[at];
                    values[at] = values[at] - step.rate * update;
                }
            });
    }
}

/// Number and learning rate of an optimiser step.
#[derive(Clone, Copy, Debug)]
pub struct AdamStep<F> {
    /// Index of the step, from 1; used for Adam's bias correction.
    pub number: u32,
    /// Learning rate of this step.
    pub rate: F,
}
