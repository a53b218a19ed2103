//! The layers of the value network: floating-point weights, the forward and the backward pass.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use crate::eval::images::{FILTERS, Filters, SYMMETRIES};
use crate::eval::network::{
    self, BIASES, KINDS, OUTPUT_UNIT, Output, PARTS, PHASES, SKIP_UNIT, UNIT, ValueWeights, part,
};
use crate::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};
use crate::tools::training::trainer::activation::{clipped, derivative};
use crate::tools::training::trainer::head::HeadWeights;
use crate::tools::training::trainer::images::{self, Images, Row, SQUARES};

/// Place of the bias among the numbers of a phase, behind the filters' weights.
pub const BIAS: usize = FILTERS;

/// Place of the factor of the linear evaluation's log-odds.
pub const SKIP: usize = FILTERS + 1;

/// Rows of a part of the game: [`SQUARES`] for each kind of square.
pub const PART_ROWS: usize = SQUARES * KINDS;

/// Largest log-odds that the evaluation gives.
const LIMIT: f32 = (MAX_LOG_ODDS / LOG_ODDS_ONE) as f32;

/// The numbers of a phase: weights, [`BIAS`] and [`SKIP`].
pub type PhaseOutput = [f32; FILTERS + 2];

/// The weights of the network, or the gradient of the loss in each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// [`PART_ROWS`] for each part of the game.
    pub rows: Vec<Row>,
    /// The hidden layer of no square at all, by number of arrows.
    pub biases: Vec<Row>,
    /// By phase.
    pub outputs: [PhaseOutput; PHASES],
}

impl Weights {
    /// The weights of the engine's network.
    fn of(weights: &ValueWeights) -> Weights {
        let real = |number: i32, unit: i32| number as f32 / unit as f32;
        let row = |row: &Filters| row.map(|weight| real(weight.into(), UNIT));
        Weights {
            rows: weights.rows.iter().map(row).collect(),
            biases: weights.biases.iter().map(row).collect(),
            outputs: weights.outputs.map(|output| {
                let mut numbers = [0.0; FILTERS + 2];
                for at in 0..FILTERS {
                    numbers[at] = real(output.weights[at].into(), OUTPUT_UNIT);
                }
                numbers[BIAS] = real(output.bias, LOG_ODDS_ONE);
                numbers[SKIP] = real(output.skip, SKIP_UNIT);
                numbers
            }),
        }
    }

    /// The weights as the engine has them. Rows and biases are those of these weights, which are rounded already.
    #[must_use]
    pub fn value_weights(&self) -> ValueWeights {
        let integer = |number: f32, unit: i32| (number * unit as f32).round() as i32;
        let row = |row: &Row| row.map(|weight| integer(weight, UNIT) as i16);
        ValueWeights {
            rows: self.rows.iter().map(row).collect(),
            biases: self.biases.iter().map(row).collect(),
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
            rows: vec![[0.0; FILTERS]; PARTS * PART_ROWS],
            biases: vec![[0.0; FILTERS]; BIASES],
            outputs: [[0.0; FILTERS + 2]; PHASES],
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
        network::parse(text).map(|weights| Weights::of(&weights))
    }

    fn write(&self, header: &str) -> String {
        network::write(header, self.value_weights())
    }
}

/// The hidden layer of a position, before its units are clamped and squared.
#[inline(always)]
pub fn hidden(weights: &Weights, rows: &[u16; SQUARES], arrows: usize) -> Images {
    let table = &weights.rows[part(arrows) * PART_ROWS..];
    images::hidden(table, &weights.biases[arrows], rows)
}

/// Adds the gradient in rows and biases, from that in the hidden layer.
#[inline(always)]
pub fn add_hidden(gradient: &mut Weights, rows: &[u16; SQUARES], arrows: usize, below: &Images) {
    let table = &mut gradient.rows[part(arrows) * PART_ROWS..];
    images::add_hidden(table, &mut gradient.biases[arrows], rows, below);
}

/// Log-odds that the player to move wins, from the hidden layer and the linear evaluation's log-odds.
#[inline(always)]
pub fn log_odds(output: &PhaseOutput, hidden: &Images, linear: f32) -> f32 {
    let mut parts = [0.0; FILTERS];
    for image in 0..SYMMETRIES {
        for at in 0..FILTERS {
            let number = hidden[image][at].clamp(0.0, 1.0);
            parts[at] += output[at] * number * number;
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
    hidden: &Images,
    error: f32,
    surrogate: f32,
) -> Images {
    let mut below = [[0.0; FILTERS]; SYMMETRIES];
    for image in 0..SYMMETRIES {
        for at in 0..FILTERS {
            let unit = hidden[image][at];
            let number = unit.clamp(0.0, 1.0);
            gradient[at] += error * number * number;
            let behind = derivative(unit, surrogate) * output[at] * error;
            below[image][at] = clipped(unit, behind, surrogate);
        }
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
        weights.biases.fill([0.4; FILTERS]);
        for number in weights.outputs.as_flattened_mut() {
            *number = random.random_range(-0.3..0.5);
        }
        weights
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let samples = &random_data(8).train;
        let weights = random_weights(1);
        let sort = |table, at| match (table, at % (FILTERS + 2)) {
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
