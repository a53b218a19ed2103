//! The parameters of the value network, and their step.
//!
//! A row is the sum of two: one of its own, and one that all squares share in which its kind may be. Squares where a
//! kind is rare learn from the others.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::layers::{PhaseOutput, Row, SKIP, SQUARES, Weights};
use crate::bitboard::{Kernel, Lanes, widest};
use crate::eval::network::{
    BIASES, HIDDEN, KINDS, MAX_OUTPUT, MAX_WEIGHT, OUTPUT_UNIT, PHASES, UNIT,
};
use crate::tools::training::trainer::adam::{Step, Table, add_scaled, rounded};
use crate::tools::training::trainer::head::HeadParameters;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// Share of the learning rate by which a step shrinks the squares' own rows.
const DECAY: f32 = 0.01;

/// First weights of rows lie between this and its negative.
const FIRST_ROWS: f32 = 0.05;

/// First weights of the output lie between this and its negative.
const FIRST_OUTPUTS: f32 = 0.5;

/// First biases of the hidden layer.
const FIRST_BIAS: f32 = 0.3;

/// The unit of the weights of rows.
const ONE: f32 = UNIT as f32;

/// Largest weight of a row.
const MAX: f32 = MAX_WEIGHT as f32 / ONE;

/// Largest weight of an output.
const MAX_OUTPUT_WEIGHT: f32 = MAX_OUTPUT as f32 / OUTPUT_UNIT as f32;

/// The weights of a kind of square.
struct KindParameters {
    /// A row for each square.
    own: Table<HIDDEN>,
    /// The row that is added to all of them.
    shared: Table<HIDDEN>,
}

/// All parameters of the network.
pub struct Parameters {
    kinds: Vec<KindParameters>,
    biases: Table<HIDDEN>,
    outputs: Table<{ HIDDEN + 2 }>,
}

impl HeadParameters<Weights> for Parameters {
    fn random(seed: u64) -> Parameters {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut row =
            |limit: f32| -> Row { std::array::from_fn(|_| random.random_range(-limit..limit)) };
        let mut rows = |count: usize| Table::new((0..count).map(|_| row(FIRST_ROWS)).collect());
        let kinds = (0..KINDS).map(|_| KindParameters {
            own: rows(SQUARES),
            shared: rows(1),
        });
        let kinds = kinds.collect();
        let mut output: PhaseOutput = [0.0; HIDDEN + 2];
        output[..HIDDEN].copy_from_slice(&row(FIRST_OUTPUTS));
        output[SKIP] = 1.0;
        Parameters {
            kinds,
            biases: Table::new(vec![[FIRST_BIAS; HIDDEN]; BIASES]),
            outputs: Table::new(vec![output; PHASES]),
        }
    }

    fn step(&mut self, step: Step, gradients: &[Weights], scale: f32, weights: &mut Weights) {
        let rows = weights.rows.par_chunks_mut(SQUARES);
        let kinds = self.kinds.par_iter_mut().zip(rows).enumerate();
        kinds.for_each(|(kind, (parameters, rows))| {
            widest(StepKind {
                kind,
                parameters,
                rows,
                gradients,
                scale,
                step,
            });
        });
        let mut biases = [[0.0; HIDDEN]; BIASES];
        let mut outputs = [[0.0; HIDDEN + 2]; PHASES];
        for gradient in gradients {
            add_scaled(&mut biases, &gradient.biases, scale);
            add_scaled(&mut outputs, &gradient.outputs, scale);
        }
        step.take(&mut self.biases, &biases, 0.0);
        step.take(&mut self.outputs, &outputs, 0.0);
        self.round_ends(weights);
    }

    fn round(&mut self, weights: &mut Weights) {
        let rows = weights.rows.chunks_mut(SQUARES);
        for (kind, rows) in self.kinds.iter_mut().zip(rows) {
            kind.round(rows);
        }
        self.round_ends(weights);
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        let kinds = self.kinds.iter_mut();
        kinds
            .flat_map(|kind| [&mut kind.own, &mut kind.shared])
            .chain([&mut self.biases])
            .flat_map(Table::numbers)
            .chain(self.outputs.numbers())
            .collect()
    }
}

impl Parameters {
    /// Limits and rounds the biases, limits the outputs: they are fine enough without rounding.
    fn round_ends(&mut self, weights: &mut Weights) {
        let biases = self.biases.values.as_flattened_mut().iter_mut();
        for (value, weight) in biases.zip(weights.biases.as_flattened_mut()) {
            *value = value.clamp(-MAX, MAX);
            *weight = rounded(*value, ONE);
        }
        for output in &mut self.outputs.values {
            for weight in &mut output[..HIDDEN] {
                *weight = weight.clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT);
            }
        }
        weights.outputs.copy_from_slice(&self.outputs.values);
    }
}

impl KindParameters {
    /// Keeps the sums within the engine's range, and rounds them to the rows of the squares.
    #[inline(always)]
    fn round(&mut self, rows: &mut [Row]) {
        let shared = &self.shared.values[0];
        for square in 0..SQUARES {
            let (own, row) = (&mut self.own.values[square], &mut rows[square]);
            for at in 0..HIDDEN {
                own[at] = own[at].clamp(-MAX - shared[at], MAX - shared[at]);
                row[at] = rounded((own[at] + shared[at]).clamp(-MAX, MAX), ONE);
            }
        }
    }
}

/// A step of one kind's weights, as a kernel.
struct StepKind<'a> {
    kind: usize,
    parameters: &'a mut KindParameters,
    rows: &'a mut [Row],
    gradients: &'a [Weights],
    scale: f32,
    step: Step,
}

impl Kernel for StepKind<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut own = [[0.0; HIDDEN]; SQUARES];
        for gradient in self.gradients {
            let rows = &gradient.rows[self.kind * SQUARES..][..SQUARES];
            add_scaled(&mut own, rows, self.scale);
        }
        let mut shared = [[0.0; HIDDEN]];
        for row in &own {
            for at in 0..HIDDEN {
                shared[0][at] += row[at];
            }
        }
        self.step.take(&mut self.parameters.shared, &shared, 0.0);
        self.step.take(&mut self.parameters.own, &own, DECAY);
        self.parameters.round(self.rows);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Value;
    use super::super::outcome::Sample;
    use super::super::outcome::tests::{VALUE, random_data};
    use super::*;
    use crate::board::Player;
    use crate::eval::{self, LOG_ODDS_ONE, network::Network};
    use crate::tools::training::samples::tests::random_boards;
    use crate::tools::training::trainer::head::HeadWeights;
    use crate::tools::training::trainer::head::tests::trained;
    use crate::tools::training::trainer::passes::predict;

    #[test]
    fn rows_are_the_integers_of_the_engine_at_every_step() {
        let weights = trained(&VALUE, &random_data(5).train);
        let rows = weights.rows.iter().chain(&weights.biases);
        for number in rows.flatten() {
            let integer = number * ONE;
            assert_eq!(integer, integer.round());
            assert!(integer.abs() <= f32::from(MAX_WEIGHT));
        }
    }

    /// What is trained is what is played: the engine's integers find the same log-odds.
    #[test]
    fn the_engine_agrees_with_the_model() {
        let weights = trained(&VALUE, &random_data(5).train);
        let network: Network = weights.network();
        for board in random_boards(1) {
            let black = eval::evaluate_board(&board);
            let cheap = match board.to_move() {
                Player::Black => black,
                Player::White => -black,
            };
            let sample = Sample::new(&board, 0.5, 0, false);
            let model = predict::<Value>(&weights, &[sample])[0];
            let engine = network.log_odds(&board, cheap) as f32 / LOG_ODDS_ONE as f32;
            assert!((model - engine).abs() < 0.02, "{board}: {model} {engine}");
        }
    }

    /// A kind that is seen on one square teaches the others through the shared row.
    #[test]
    fn squares_learn_from_each_other() {
        let mut parameters = Parameters::random(1);
        let before = parameters.kinds[3].shared.values.clone();
        let mut gradient = Weights::zero();
        gradient.rows[3 * SQUARES + 9] = [1.0; HIDDEN];
        let mut weights = Weights::zero();
        parameters.step(Step::new(1, 0.01), &[gradient], 1.0, &mut weights);
        let after = &parameters.kinds[3].shared.values;
        for (before, after) in before[0].iter().zip(after[0]) {
            assert!((before - 0.01 - after).abs() < 1e-5, "a step of the rate");
        }
    }
}
