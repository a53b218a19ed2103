//! The layers of the value network: floating-point weights, the forward and the backward pass.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use crate::bitboard::NumberRow;
use crate::eval::network::{
    self, BIASES, HIDDEN, KINDS, Network, OUTPUT_UNIT, Output, PHASES, SKIP_UNIT, UNIT,
};
use crate::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};
use crate::tools::training::trainer::activation::{clipped, derivative};
use crate::tools::training::trainer::head::HeadWeights;

/// Squares, and so rows of a kind.
pub const SQUARES: usize = 64;

/// Place of the bias among the numbers of a phase, behind the hidden layer's weights.
pub const BIAS: usize = HIDDEN;

/// Place of the factor of the linear evaluation's log-odds.
pub const SKIP: usize = HIDDEN + 1;

/// Largest log-odds that the evaluation gives.
const LIMIT: f32 = (MAX_LOG_ODDS / LOG_ODDS_ONE) as f32;

/// Numbers that are summed side by side, in a fixed order whatever the vector registers.
const SIDE_BY_SIDE: usize = 16;

/// A number for each hidden unit.
pub type Row = [f32; HIDDEN];

/// The numbers of a phase: weights, [`BIAS`] and [`SKIP`].
pub type PhaseOutput = [f32; HIDDEN + 2];

/// The weights of the network, or the gradient of the loss in each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// [`SQUARES`] rows for each kind of square.
    pub rows: Vec<Row>,
    /// The hidden layer of no square at all, by number of arrows.
    pub biases: Vec<Row>,
    /// By phase.
    pub outputs: [PhaseOutput; PHASES],
}

impl Weights {
    /// The weights of the engine's network.
    fn of(network: &Network) -> Weights {
        let real = |number: i32, unit: i32| number as f32 / unit as f32;
        let row = |row: &NumberRow| row.0.map(|weight| real(weight.into(), UNIT));
        Weights {
            rows: network.table.iter().map(row).collect(),
            biases: network.biases.iter().map(row).collect(),
            outputs: network.outputs.map(|output| {
                let mut numbers = [0.0; HIDDEN + 2];
                for at in 0..HIDDEN {
                    numbers[at] = real(output.weights[at].into(), OUTPUT_UNIT);
                }
                numbers[BIAS] = real(output.bias, LOG_ODDS_ONE);
                numbers[SKIP] = real(output.skip, SKIP_UNIT);
                numbers
            }),
        }
    }

    /// The network as the engine has it. Its rows and biases are those of these weights, which are rounded already.
    #[must_use]
    pub fn network(&self) -> Network {
        let integer = |number: f32, unit: i32| (number * unit as f32).round() as i32;
        let row = |row: &Row| NumberRow(row.map(|weight| integer(weight, UNIT) as i16));
        let table: Box<[NumberRow]> = self.rows.iter().map(row).collect();
        Network {
            table: table.try_into().expect("64 rows for each kind"),
            biases: std::array::from_fn(|arrows| row(&self.biases[arrows])),
            outputs: self.outputs.map(|output| Output {
                weights: std::array::from_fn(|at| integer(output[at], OUTPUT_UNIT) as i16),
                bias: integer(output[BIAS], LOG_ODDS_ONE),
                skip: integer(output[SKIP], SKIP_UNIT),
            }),
        }
    }
}

impl HeadWeights for Weights {
    const COMPILED_IN: &'static str = network::WEIGHTS;

    fn zero() -> Weights {
        Weights {
            rows: vec![[0.0; HIDDEN]; SQUARES * KINDS],
            biases: vec![[0.0; HIDDEN]; BIASES],
            outputs: [[0.0; HIDDEN + 2]; PHASES],
        }
    }

    fn tables(&mut self) -> Vec<&mut [f32]> {
        vec![
            self.rows.as_flattened_mut(),
            self.biases.as_flattened_mut(),
            self.outputs.as_flattened_mut(),
        ]
    }

    fn parse(text: &str) -> Result<Weights, String> {
        network::parse(text).map(|network| Weights::of(&network))
    }

    fn write(&self, header: &str) -> String {
        network::write(header, &self.network())
    }
}

/// Adds a row to another.
#[inline(always)]
pub fn add(sum: &mut Row, row: &Row) {
    for at in 0..HIDDEN {
        sum[at] += row[at];
    }
}

/// The hidden layer of a position, before its units are clamped and squared.
#[inline(always)]
pub fn hidden(weights: &Weights, rows: &[u16; SQUARES], arrows: usize) -> Row {
    let mut sum = weights.biases[arrows];
    for &row in rows {
        add(&mut sum, &weights.rows[usize::from(row)]);
    }
    sum
}

/// Log-odds that the player to move wins, from the hidden layer and the linear evaluation's log-odds.
#[inline(always)]
pub fn log_odds(output: &PhaseOutput, hidden: &Row, linear: f32) -> f32 {
    let mut parts = [0.0; SIDE_BY_SIDE];
    for first in (0..HIDDEN).step_by(SIDE_BY_SIDE) {
        for at in 0..SIDE_BY_SIDE {
            let number = hidden[first + at].clamp(0.0, 1.0);
            parts[at] += output[first + at] * number * number;
        }
    }
    let mut sum = output[BIAS] + output[SKIP] * linear;
    for part in parts {
        sum += part;
    }
    sum.clamp(-LIMIT, LIMIT)
}

/// Log-loss of log-odds, for the probability that they should have given.
#[inline(always)]
pub fn loss(log_odds: f32, target: f32) -> f64 {
    let (log_odds, target) = (f64::from(log_odds), f64::from(target));
    (-log_odds.abs()).exp().ln_1p() + log_odds.max(0.0) - target * log_odds
}

/// The backward pass through the output layer: adds the gradient in a phase's weights and bias to `gradient`, from the
/// error, which is the gradient in the log-odds. Returns the gradient in the hidden layer.
#[inline(always)]
pub fn backward_output(
    gradient: &mut PhaseOutput,
    output: &PhaseOutput,
    hidden: &Row,
    error: f32,
    surrogate: f32,
) -> Row {
    let mut below = [0.0; HIDDEN];
    for at in 0..HIDDEN {
        let number = hidden[at].clamp(0.0, 1.0);
        gradient[at] += error * number * number;
        let behind = derivative(hidden[at], surrogate) * output[at] * error;
        below[at] = clipped(hidden[at], behind, surrogate);
    }
    gradient[BIAS] += error;
    below
}

#[cfg(test)]
mod tests {
    use super::super::Value;
    use super::super::outcome::tests::{VALUE, random_data};
    use super::*;
    use crate::tools::training::trainer::head::tests::{check_gradient, check_registers, gradient};
    use crate::tools::training::trainer::passes::predict;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// A network whose hidden units lie within and beyond their limits.
    fn random_weights(seed: u64) -> Weights {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut weights = Weights::zero();
        for number in weights.rows.as_flattened_mut() {
            *number = random.random_range(-0.1..0.1);
        }
        weights.biases.fill([0.4; HIDDEN]);
        for number in weights.outputs.as_flattened_mut() {
            *number = random.random_range(-0.3..0.5);
        }
        weights
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let samples = &random_data(8).train;
        let weights = random_weights(1);
        let sort = |table, at| match (table, at % (HIDDEN + 2)) {
            (2, BIAS) => 3,
            (2, SKIP) => 4,
            _ => table,
        };
        for one in 0..5 {
            let is_of = |table, at| sort(table, at) == one;
            check_gradient(&VALUE, &weights, samples, 1e-3, is_of);
        }
    }

    #[test]
    fn the_loss_is_that_of_the_prediction() {
        let samples = random_data(2).train;
        let weights = random_weights(3);
        let log_odds = predict::<Value>(&weights, &samples);
        let each = samples.iter().zip(&log_odds).map(|(sample, &log_odds)| {
            let target = f64::from(sample.target(VALUE.target_mix));
            let p = 1.0 / (1.0 + (-f64::from(log_odds)).exp());
            -target * p.ln() - (1.0 - target) * (1.0 - p).ln()
        });
        let expected: f64 = each.sum();
        let found = gradient(&VALUE, &weights, &samples).0;
        assert!((found - expected).abs() < 1e-6 * expected);
    }

    #[test]
    fn every_vector_register_finds_the_same_bits() {
        check_registers(&VALUE, &random_weights(5), &random_data(2).train);
    }
}
