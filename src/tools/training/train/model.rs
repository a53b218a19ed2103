//! The network in training: floating-point weights, its prediction, and the slopes of the loss.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::samples::Sample;
use crate::bitboard::{Kernel, Lanes, NumberRow};
use crate::eval::network::{
    BIASES, HIDDEN, KINDS, Network, OUTPUT_UNIT, Output, PHASES, SKIP_UNIT, UNIT, phase, rows,
};
use crate::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS, probability};

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

/// How far slopes leak, see [`output_slopes`], at the start of a training; none leak at its end. Without a leak many
/// hidden numbers end beyond their limits for every position, and learn no more.
pub const LEAK: f32 = 0.1;

/// A number for each of the hidden layer.
pub type Row = [f32; HIDDEN];

/// The numbers of a phase: weights, [`BIAS`] and [`SKIP`].
pub type PhaseOutput = [f32; HIDDEN + 2];

/// The weights of the network, or the slopes of the loss in each of them.
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
    /// Zeros.
    #[must_use]
    pub fn zero() -> Weights {
        Weights {
            rows: vec![[0.0; HIDDEN]; SQUARES * KINDS],
            biases: vec![[0.0; HIDDEN]; BIASES],
            outputs: [[0.0; HIDDEN + 2]; PHASES],
        }
    }

    /// Sets all numbers to zero.
    pub fn clear(&mut self) {
        self.rows.fill([0.0; HIDDEN]);
        self.biases.fill([0.0; HIDDEN]);
        self.outputs = [[0.0; HIDDEN + 2]; PHASES];
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

/// The hidden layer of a position, before its numbers are clamped and squared.
#[inline(always)]
fn hidden(weights: &Weights, rows: &[u16; SQUARES], arrows: usize) -> Row {
    let mut sum = weights.biases[arrows];
    for &row in rows {
        let row = &weights.rows[usize::from(row)];
        for at in 0..HIDDEN {
            sum[at] += row[at];
        }
    }
    sum
}

/// Log-odds that the player to move wins, from the hidden layer and the linear evaluation's log-odds.
#[inline(always)]
fn log_odds(output: &PhaseOutput, hidden: &Row, linear: f32) -> f32 {
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
fn loss(log_odds: f32, target: f32) -> f64 {
    let (log_odds, target) = (f64::from(log_odds), f64::from(target));
    (-log_odds.abs()).exp().ln_1p() + log_odds.max(0.0) - target * log_odds
}

/// Adds the slopes of the samples' losses to `slopes`. The kernel returns the sum of the losses.
pub struct AddSlopes<'a> {
    /// The network.
    pub weights: &'a Weights,
    /// The samples.
    pub samples: &'a [Sample],
    /// What [`Sample::target`] mixes.
    pub mix: [f32; 2],
    /// How far slopes leak, see [`LEAK`].
    pub leak: f32,
    /// The slopes to add to.
    pub slopes: &'a mut Weights,
}

impl Kernel for AddSlopes<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let AddSlopes {
            weights,
            samples,
            mix,
            leak,
            slopes,
        } = self;
        let mut sum = 0.0;
        for sample in samples {
            let rows = rows::<L>(sample.mine, sample.theirs, sample.empty);
            let arrows = usize::from(sample.arrows);
            let phase = phase(arrows);
            let (output, hidden) = (&weights.outputs[phase], hidden(weights, &rows, arrows));
            let log_odds = log_odds(output, &hidden, sample.linear);
            let target = sample.target(mix);
            sum += loss(log_odds, target);
            let slope = probability(log_odds) - target;
            let below = output_slopes(&mut slopes.outputs[phase], output, &hidden, slope, leak);
            slopes.outputs[phase][SKIP] += slope * sample.linear;
            for at in 0..HIDDEN {
                slopes.biases[arrows][at] += below[at];
            }
            for &row in &rows {
                let row = &mut slopes.rows[usize::from(row)];
                for at in 0..HIDDEN {
                    row[at] += below[at];
                }
            }
        }
        sum
    }
}

/// Adds the slopes in a phase's weights and bias to `slopes`, from the slope in the log-odds. Returns the slopes in the
/// hidden layer.
///
/// A hidden number near 0 tells as much slope as one of `leak` does. One beyond the limits tells that share of its slope
/// if the step leads back within them, else none.
#[inline(always)]
fn output_slopes(
    slopes: &mut PhaseOutput,
    output: &PhaseOutput,
    hidden: &Row,
    slope: f32,
    leak: f32,
) -> Row {
    let mut below = [0.0; HIDDEN];
    for at in 0..HIDDEN {
        let number = hidden[at].clamp(0.0, 1.0);
        slopes[at] += slope * number * number;
        let full = 2.0 * number.max(leak) * output[at] * slope;
        let leads_back = full * (hidden[at] - 0.5) > 0.0;
        let beyond = if leads_back { leak } else { 0.0 };
        let is_within = hidden[at] > 0.0 && hidden[at] < 1.0;
        below[at] = full * if is_within { 1.0 } else { beyond };
    }
    slopes[BIAS] += slope;
    below
}

/// Predicts samples: log-odds that the player to move wins.
pub struct Predict<'a> {
    /// The network.
    pub weights: &'a Weights,
    /// The samples.
    pub samples: &'a [Sample],
    /// Where the log-odds go, one for each sample.
    pub log_odds: &'a mut [f32],
}

impl Kernel for Predict<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for at in 0..self.samples.len() {
            let sample = &self.samples[at];
            let rows = rows::<L>(sample.mine, sample.theirs, sample.empty);
            let arrows = usize::from(sample.arrows);
            let output = &self.weights.outputs[phase(arrows)];
            let hidden = hidden(self.weights, &rows, arrows);
            self.log_odds[at] = log_odds(output, &hidden, sample.linear);
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::samples::SYMMETRIES;
    use super::super::samples::tests::random_data;
    use super::*;
    use crate::bitboard::widest;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    const MIX: [f32; 2] = [0.3, 0.6];

    /// A network whose hidden numbers lie within and beyond their limits.
    pub fn random_weights(seed: u64) -> Weights {
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

    /// Sum of the losses, and their slopes.
    fn slopes(weights: &Weights, samples: &[Sample]) -> (f64, Weights) {
        let mut slopes = Weights::zero();
        let loss = widest(AddSlopes {
            weights,
            samples,
            mix: MIX,
            leak: 0.0,
            slopes: &mut slopes,
        });
        (loss, slopes)
    }

    /// Every number of some weights, with a name of its sort.
    fn numbers(weights: &mut Weights) -> Vec<(&'static str, &mut f32)> {
        let rows = weights.rows.as_flattened_mut().iter_mut();
        let outputs = weights.outputs.as_flattened_mut().iter_mut();
        let biases = weights.biases.as_flattened_mut().iter_mut();
        let outputs = outputs.enumerate().map(|(at, number)| {
            let name = match at % (HIDDEN + 2) {
                BIAS => "output's bias",
                SKIP => "skip",
                _ => "output",
            };
            (name, number)
        });
        rows.map(|number| ("row", number))
            .chain(biases.map(|number| ("bias", number)))
            .chain(outputs)
            .collect()
    }

    /// The slopes of one sort of weights, against the difference of the losses that a step along them makes.
    #[test]
    fn slopes_are_those_of_the_loss() {
        const STEP: f32 = 1e-3;
        let samples = &random_data(8).train[..];
        let weights = random_weights(1);
        let mut slopes = slopes(&weights, samples).1;
        for sort in ["row", "bias", "output", "output's bias", "skip"] {
            let mut ends = [weights.clone(), weights.clone()];
            let mut expected = 0.0;
            let [up, down] = ends.each_mut().map(numbers);
            for ((up, down), (_, slope)) in up.into_iter().zip(down).zip(numbers(&mut slopes)) {
                if up.0 == sort {
                    let step = STEP.copysign(*slope);
                    *up.1 += step;
                    *down.1 -= step;
                    expected += f64::from(*slope * step);
                }
            }
            let [up, down] = ends.map(|weights| self::slopes(&weights, samples).0);
            let found = (up - down) / 2.0;
            assert!(
                (found - expected).abs() < 0.03 * expected,
                "{sort}: {found} instead of {expected}"
            );
        }
    }

    #[test]
    fn the_loss_is_that_of_the_prediction() {
        let samples = random_data(2).train;
        let weights = random_weights(3);
        let mut log_odds = vec![0.0; samples.len()];
        widest(Predict {
            weights: &weights,
            samples: &samples,
            log_odds: &mut log_odds,
        });
        let each = samples.iter().zip(&log_odds).map(|(sample, &log_odds)| {
            let (p, target) = (f64::from(log_odds), f64::from(sample.target(MIX)));
            let p = 1.0 / (1.0 + (-p).exp());
            -target * p.ln() - (1.0 - target) * (1.0 - p).ln()
        });
        let expected: f64 = each.sum();
        assert!((slopes(&weights, &samples).0 - expected).abs() < 1e-6 * expected);
    }

    /// By hidden number, the slope that is told where the loss wants it larger, and where it wants it smaller.
    fn told(hidden: f32, leak: f32) -> [f32; 2] {
        let output = [0.5; HIDDEN + 2];
        let mut slopes = [0.0; HIDDEN + 2];
        [-1.0, 1.0]
            .map(|slope| output_slopes(&mut slopes, &output, &[hidden; HIDDEN], slope, leak)[7])
    }

    #[test]
    fn slopes_leak_where_they_lead_back_within_the_limits() {
        assert_eq!(told(0.4, 0.1), [-0.4, 0.4]);
        assert_eq!(told(0.01, 0.1), [-0.1, 0.1], "more than the square tells");
        assert_eq!(told(1.5, 0.1), [0.0, 0.1]);
        assert_eq!(told(-0.5, 0.1), [-0.1 * 0.1, 0.0]);
        for beyond in [1.5, -0.5] {
            assert_eq!(told(beyond, 0.0), [0.0; 2]);
        }
    }

    /// A board and its eight images are one lesson, whichever of them is in the file.
    #[test]
    fn all_symmetries_together_are_the_same_for_every_image() {
        let weights = random_weights(4);
        for sample in random_data(1).train.into_iter().step_by(5) {
            let images = |first: u8| {
                let first = sample.turned(first);
                let images: Vec<_> = (0..SYMMETRIES).map(|by| first.turned(by)).collect();
                slopes(&weights, &images)
            };
            let (loss, slope) = images(0);
            for first in 1..SYMMETRIES {
                let (other_loss, other) = images(first);
                assert!((loss - other_loss).abs() < 1e-9);
                let pairs = slope
                    .rows
                    .as_flattened()
                    .iter()
                    .zip(other.rows.as_flattened());
                assert!(
                    pairs
                        .into_iter()
                        .all(|(one, other)| (one - other).abs() < 1e-5)
                );
            }
        }
    }

    #[test]
    fn every_vector_register_finds_the_same_bits() {
        let samples = random_data(2).train;
        let weights = random_weights(5);
        let mut plain = Weights::zero();
        let kernel = AddSlopes {
            weights: &weights,
            samples: &samples,
            mix: MIX,
            leak: 0.0,
            slopes: &mut plain,
        };
        let loss = kernel.run::<u64>();
        assert_eq!((loss, plain), slopes(&weights, &samples));
    }
}
