//! The parameters of the value network, and their step.
//!
//! A row is the sum of three: one of its own, one that all parts of the game share, and one that all squares share, too, in
//! which its kind may be. Parts and squares where a kind is rare learn from the others.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::layers::{PART_ROWS, PhaseOutput, SKIP, Weights};
use crate::eval::images::FILTERS;
use crate::eval::network::{
    BIASES, KINDS, MAX_OUTPUT, MAX_WEIGHT, OUTPUT_UNIT, PARTS, PHASES, UNIT,
};
use crate::tools::training::trainer::adam::{Step, Table, add_scaled, rounded};
use crate::tools::training::trainer::head::HeadParameters;
use crate::tools::training::trainer::images::{Row, SQUARES};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// Share of the learning rate by which a step shrinks all rows that not all squares share.
const DECAY: f32 = 0.01;

/// First weights of shared rows lie between this and its negative.
const FIRST_ROWS: f32 = 0.05;

/// First weights of the output are at most this. Those of every other filter are negative.
const FIRST_OUTPUTS: f32 = 0.5;

/// First biases of the hidden layer.
const FIRST_BIAS: f32 = 0.3;

/// The unit of the weights of rows.
const ONE: f32 = UNIT as f32;

/// Largest weight of a row.
const MAX: f32 = MAX_WEIGHT as f32 / ONE;

/// Largest weight of an output.
const MAX_OUTPUT_WEIGHT: f32 = MAX_OUTPUT as f32 / OUTPUT_UNIT as f32;

/// All parameters of the network.
pub struct Parameters {
    /// A row for each part, kind and square.
    own: Table<FILTERS>,
    /// A row for each kind and square, which is added in all parts.
    squares: Table<FILTERS>,
    /// A row for each kind, which is added to all of these.
    kinds: Table<FILTERS>,
    biases: Table<FILTERS>,
    outputs: Table<{ FILTERS + 2 }>,
}

impl HeadParameters<Weights> for Parameters {
    fn random(seed: u64) -> Parameters {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut row =
            |limit: f32| -> Row { std::array::from_fn(|_| random.random_range(-limit..limit)) };
        let mut rows = |count: usize| Table::new((0..count).map(|_| row(FIRST_ROWS)).collect());
        let (squares, kinds) = (rows(PART_ROWS), rows(KINDS));
        let mut output: PhaseOutput = [0.0; FILTERS + 2];
        for (at, weight) in row(FIRST_OUTPUTS).into_iter().enumerate() {
            output[at] = weight.abs() * if at % 2 == 0 { 1.0 } else { -1.0 };
        }
        output[SKIP] = 1.0;
        Parameters {
            own: Table::new(vec![[0.0; FILTERS]; PARTS * PART_ROWS]),
            squares,
            kinds,
            biases: Table::new(vec![[FIRST_BIAS; FILTERS]; BIASES]),
            outputs: Table::new(vec![output; PHASES]),
        }
    }

    fn step(&mut self, step: Step, gradients: &[Weights], scale: f32, weights: &mut Weights) {
        let mut own = vec![[0.0; FILTERS]; PARTS * PART_ROWS];
        let mut biases = [[0.0; FILTERS]; BIASES];
        let mut outputs = [[0.0; FILTERS + 2]; PHASES];
        let own_kinds = own.par_chunks_mut(SQUARES).enumerate();
        own_kinds.for_each(|(kind, own)| {
            for gradient in gradients {
                add_scaled(own, &gradient.rows[kind * SQUARES..], scale);
            }
        });
        for gradient in gradients {
            add_scaled(&mut biases, &gradient.biases, scale);
            add_scaled(&mut outputs, &gradient.outputs, scale);
        }
        let mut squares = vec![[0.0; FILTERS]; PART_ROWS];
        let mut kinds = [[0.0; FILTERS]; KINDS];
        for (at, row) in own.iter().enumerate() {
            for filter in 0..FILTERS {
                squares[at % PART_ROWS][filter] += row[filter];
                kinds[at % PART_ROWS / SQUARES][filter] += row[filter];
            }
        }
        step.take(&mut self.own, &own, DECAY);
        step.take(&mut self.squares, &squares, DECAY);
        step.take(&mut self.kinds, &kinds, 0.0);
        step.take(&mut self.biases, &biases, 0.0);
        step.take(&mut self.outputs, &outputs, 0.0);
        self.round(weights);
    }

    fn round(&mut self, weights: &mut Weights) {
        self.round_rows(weights);
        let biases = self.biases.values.as_flattened_mut().iter_mut();
        for (value, weight) in biases.zip(weights.biases.as_flattened_mut()) {
            *value = value.clamp(-MAX, MAX);
            *weight = rounded(*value, ONE);
        }
        // The weights of the output are fine enough without rounding.
        for output in &mut self.outputs.values {
            for weight in &mut output[..FILTERS] {
                *weight = weight.clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT);
            }
        }
        weights.outputs.copy_from_slice(&self.outputs.values);
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        let rows = [
            &mut self.own,
            &mut self.squares,
            &mut self.kinds,
            &mut self.biases,
        ];
        rows.into_iter()
            .flat_map(Table::numbers)
            .chain(self.outputs.numbers())
            .collect()
    }
}

impl Parameters {
    /// Keeps the sums within the engine's range, and rounds them to the rows.
    fn round_rows(&mut self, weights: &mut Weights) {
        let rows = self.own.values.par_iter_mut().zip(&mut weights.rows);
        rows.enumerate().for_each(|(at, (own, row))| {
            let square = &self.squares.values[at % PART_ROWS];
            let kind = &self.kinds.values[at % PART_ROWS / SQUARES];
            for filter in 0..FILTERS {
                let shared = square[filter] + kind[filter];
                own[filter] = own[filter].clamp(-MAX - shared, MAX - shared);
                row[filter] = rounded((own[filter] + shared).clamp(-MAX, MAX), ONE);
            }
        });
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
        let network: Network = weights.value_weights().network();
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

    /// A kind that is seen in one part of the game, on one square, teaches the others through the shared rows.
    #[test]
    fn parts_and_squares_learn_from_each_other() {
        let mut parameters = Parameters::random(1);
        let mut before = Weights::zero();
        parameters.round(&mut before);
        let at = 3 * SQUARES + 9;
        let mut gradient = Weights::zero();
        gradient.rows[at] = [1.0; FILTERS];
        let mut after = Weights::zero();
        parameters.step(Step::new(1, 0.1), &[gradient], 1.0, &mut after);
        let fell = |row: usize| before.rows[row][0] - after.rows[row][0];
        for (row, steps) in [
            (at, 3.0),
            (PART_ROWS + at, 2.0),
            (at + 1, 1.0),
            (at + SQUARES, 0.0),
        ] {
            assert!(
                (fell(row) - 0.1 * steps).abs() < 0.02,
                "row {row}: {}",
                fell(row)
            );
        }
    }
}
