//! The optimiser AdamW: Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019).
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use num_traits::Float;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// β₁ of Adam: decay factor per step of the moving average of the gradients.
const BETA_1: f64 = 0.9;

/// β₂ of Adam: decay factor per step of the moving average of the squared gradients.
const BETA_2: f64 = 0.999;

/// ε of Adam: added to the denominator to prevent a division by zero for weights whose gradients were all 0.
const EPSILON: f64 = 1e-8;

/// Minimum number of weight rows that one parallel task updates. It bounds the number of tasks, because starting a task
/// takes time, too.
pub const MIN_ROWS_PER_TASK: usize = 1024;

/// Table of weights, in rows of `N` numbers of the type `F`, with the two moving averages that Adam keeps for each
/// weight.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(
    serialize = "[F; N]: Serialize",
    deserialize = "[F; N]: Deserialize<'de>"
))]
pub struct AdamTable<F, const N: usize> {
    /// Weights after the last optimiser step, as rows of `N` numbers; before the first step, the initial weights.
    pub values: Vec<[F; N]>,
    /// Moving average of each weight's gradients (first moment), before bias correction.
    means: Vec<[F; N]>,
    /// Moving average of each weight's squared gradients (second moment), before bias correction.
    squares: Vec<[F; N]>,
}

impl<F: Float + Send + Sync, const N: usize> AdamTable<F, N> {
    /// Returns a table with the initial weights `values`. Adam's moving averages of their gradients (first moments) and
    /// squared gradients (second moments) start at 0.
    #[must_use]
    pub fn new(values: Vec<[F; N]>) -> AdamTable<F, N> {
        let zeros = vec![[F::zero(); N]; values.len()];
        AdamTable {
            values,
            means: zeros.clone(),
            squares: zeros,
        }
    }

    /// Performs one step of the optimiser AdamW: moves the weights so that the loss decreases. `step` contains the
    /// number of the step, from 1, and its learning rate. `gradients` contains the gradient of the loss with respect to
    /// each weight.
    ///
    /// `decay` is the weight-decay coefficient: `decay`·weight is added to the update before it is multiplied by the
    /// learning rate, so that weights shrink towards 0.
    #[inline(always)]
    pub fn step(&mut self, step: AdamStep<F>, gradients: &[[F; N]], decay: F) {
        let float = |number: f64| F::from(number).expect("a float holds it");
        let [one, beta_1, beta_2, epsilon] = [1.0, BETA_1, BETA_2, EPSILON].map(float);
        // Bias correction: the moving averages start at 0, so they are too small in the first steps. In step n, a
        // moving average with the decay factor β is divided by 1 − βⁿ.
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

/// Number and learning rate of one optimiser step.
#[derive(Clone, Copy, Debug)]
pub struct AdamStep<F> {
    /// Number of the step, from 1, counted over the whole run. It determines Adam's bias correction: in step n, a
    /// moving average with the decay factor β is divided by 1 − βⁿ.
    pub number: u32,
    /// Learning rate of the step.
    pub rate: F,
}
