//! Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019): steps of about equal length for
//! every weight.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

/// Share of the mean slope that a step keeps.
const KEEP_MEAN: f32 = 0.9;

/// Share of the mean square of the slope that a step keeps.
const KEEP_SQUARE: f32 = 0.999;

/// What keeps a weight without slopes from a division by zero.
const TINY: f32 = 1e-8;

/// Rows of weights, each with the moving averages of its slope.
#[derive(Clone, Debug)]
pub struct Parameters<const N: usize> {
    /// The weights.
    pub values: Vec<[f32; N]>,
    /// Mean of the slopes.
    means: Vec<[f32; N]>,
    /// Mean of the slopes' squares.
    squares: Vec<[f32; N]>,
}

impl<const N: usize> Parameters<N> {
    /// Weights that have seen no slope.
    #[must_use]
    pub fn new(values: Vec<[f32; N]>) -> Parameters<N> {
        let zeros = vec![[0.0; N]; values.len()];
        Parameters {
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
    /// Length of the step.
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

    /// Moves weights against their slopes, and by a share `decay` of the rate towards zero.
    #[inline(always)]
    pub fn take<const N: usize>(
        self,
        parameters: &mut Parameters<N>,
        slopes: &[[f32; N]],
        decay: f32,
    ) {
        for row in 0..slopes.len() {
            let (values, slopes) = (&mut parameters.values[row], &slopes[row]);
            let means = &mut parameters.means[row];
            let squares = &mut parameters.squares[row];
            for at in 0..N {
                let slope = slopes[at];
                means[at] += (1.0 - KEEP_MEAN) * (slope - means[at]);
                squares[at] += (1.0 - KEEP_SQUARE) * (slope * slope - squares[at]);
                let spread = (squares[at] / self.square_share).sqrt() + TINY;
                let step = means[at] / self.mean_share / spread + decay * values[at];
                values[at] -= self.rate * step;
            }
        }
    }
}
