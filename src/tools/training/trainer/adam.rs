//! Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019): steps of about equal length for
//! every weight.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use rayon::prelude::*;

/// Share of the mean gradient that a step keeps.
const KEEP_MEAN: f32 = 0.9;

/// Share of the mean square of the gradient that a step keeps.
const KEEP_SQUARE: f32 = 0.999;

/// Keeps a weight without gradient from a division by zero.
const TINY: f32 = 1e-8;

/// Rows that a thread takes at least.
const MIN_ROWS: usize = 1024;

/// Rows of weights, each with the moving averages of its gradient.
#[derive(Clone, Debug)]
pub struct Table<const N: usize> {
    pub values: Vec<[f32; N]>,
    /// Mean of the gradients.
    means: Vec<[f32; N]>,
    /// Mean of the gradients' squares.
    squares: Vec<[f32; N]>,
}

impl<const N: usize> Table<N> {
    /// Weights before the first step.
    #[must_use]
    pub fn new(values: Vec<[f32; N]>) -> Table<N> {
        let zeros = vec![[0.0; N]; values.len()];
        Table {
            values,
            means: zeros.clone(),
            squares: zeros,
        }
    }

    /// All numbers that a step depends on.
    pub fn numbers(&mut self) -> [&mut [f32]; 3] {
        [&mut self.values, &mut self.means, &mut self.squares].map(|rows| rows.as_flattened_mut())
    }
}

/// One step for all weights.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    rate: f32,
    /// Sum of the weights in the mean so far; it grows to 1.
    mean_share: f32,
    /// Sum of the weights in the mean square so far.
    square_share: f32,
}

impl Step {
    /// The step of a number, counted from 1.
    #[must_use]
    pub fn new(number: u32, rate: f32) -> Step {
        Step {
            rate,
            mean_share: 1.0 - KEEP_MEAN.powi(number as i32),
            square_share: 1.0 - KEEP_SQUARE.powi(number as i32),
        }
    }

    /// Moves weights against their gradients, and by a share `decay` of the learning rate towards zero.
    #[inline(always)]
    pub fn take<const N: usize>(self, table: &mut Table<N>, gradients: &[[f32; N]], decay: f32) {
        let rows = (
            &mut table.values,
            &mut table.means,
            &mut table.squares,
            gradients,
        );
        rows.into_par_iter().with_min_len(MIN_ROWS).for_each(
            |(values, means, squares, gradients)| {
                for at in 0..N {
                    let gradient = gradients[at];
                    means[at] += (1.0 - KEEP_MEAN) * (gradient - means[at]);
                    squares[at] += (1.0 - KEEP_SQUARE) * (gradient * gradient - squares[at]);
                    let spread = (squares[at] / self.square_share).sqrt() + TINY;
                    let step = means[at] / self.mean_share / spread + decay * values[at];
                    values[at] -= self.rate * step;
                }
            },
        );
    }
}

/// Adds rows, multiplied by a number, to others.
#[inline(always)]
pub fn add_scaled<const N: usize>(sum: &mut [[f32; N]], rows: &[[f32; N]], scale: f32) {
    for row in 0..sum.len() {
        for at in 0..N {
            sum[row][at] += rows[row][at] * scale;
        }
    }
}

/// So large that a number that is added to it loses its fraction, ties to even. The function for that is a call for each
/// weight where the compiler may not use newer instructions, and took a seventh of a training.
const ROUNDING: f32 = 1.5 * (1 << 23) as f32;

/// A weight as the engine will have it: an integer in 1 / `unit`, far below [`ROUNDING`].
#[inline(always)]
#[must_use]
pub fn rounded(weight: f32, unit: f32) -> f32 {
    (weight * unit + ROUNDING - ROUNDING) / unit
}
