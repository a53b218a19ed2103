//! The layers of the value network: its tables, the forward and the backward pass.

use super::outcome::Sample;
use crate::trainer::images::{Hidden, ZERO};
use crate::trainer::weights::{KIND_ROWS, Shape, Weights};
use engine::bitboard::Lanes;
use engine::eval::images::SYMMETRIES;
use engine::eval::network::{BIASES, MAX_OUTPUT, OUTPUT_UNIT, PARTS, PHASES, UNIT, part, phase};
use engine::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};

/// Place of the rows of the hidden layer among the tables, [`KIND_ROWS`] for each part of the game.
pub const ROWS: usize = 0;

/// Place of the hidden layer of no square at all, by number of arrows.
pub const BIASES_AT: usize = 1;

/// Place of the filters' weights in the output, by phase.
pub const OUTPUTS: usize = 2;

/// Place of [`BIAS`] and [`SKIP`] of the output, by phase.
pub const ENDS: usize = 3;

/// Place of the bias in [`ENDS`].
pub const BIAS: usize = 0;

/// Place of the factor of the linear evaluation's log-odds in [`ENDS`].
pub const SKIP: usize = 1;

/// The tables of the network. The weights of the output are fine enough without rounding.
pub const SHAPES: [Shape; 4] = [
    Shape::of_integers(PARTS * KIND_ROWS, UNIT),
    Shape::of_integers(BIASES, UNIT),
    Shape {
        rows: PHASES,
        unit: None,
        max: MAX_OUTPUT as f32 / OUTPUT_UNIT as f32,
    },
    Shape {
        rows: PHASES,
        unit: None,
        max: f32::INFINITY,
    },
];

/// Largest log-odds that the evaluation gives.
const LIMIT: f32 = (MAX_LOG_ODDS / LOG_ODDS_ONE) as f32;

/// A position with what the network finds of it.
pub struct Forward {
    hidden: Hidden,
    phase: usize,
    linear: f32,
    /// Log-odds that the player to move wins.
    pub log_odds: f32,
}

impl Forward {
    /// Looks at a position.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, sample: &Sample) -> Forward {
        let (arrows, linear) = (sample.position.arrows(), sample.linear);
        let hidden = Hidden::new(weights, part(arrows), arrows, sample.position.rows::<L>());
        let phase = phase(arrows);
        let ends = &weights[ENDS][phase];
        let sum = hidden.sum(&weights[OUTPUTS], &[phase as u8; SYMMETRIES]);
        Forward {
            hidden,
            phase,
            linear,
            log_odds: (ends[BIAS] + ends[SKIP] * linear + sum).clamp(-LIMIT, LIMIT),
        }
    }

    /// The backward pass: adds the gradient in all tables, from that in the log-odds, `error`.
    #[inline(always)]
    pub fn backward(&self, weights: &Weights, error: f32, surrogate: f32, gradient: &mut Weights) {
        let ends = &mut gradient[ENDS][self.phase];
        ends[BIAS] += error;
        ends[SKIP] += error * self.linear;
        let (table, to) = (&weights[OUTPUTS], &mut gradient[OUTPUTS]);
        let (entries, mut below) = ([self.phase as u8; SYMMETRIES], ZERO);
        self.hidden.add_sum(error, table, &entries, to, &mut below);
        self.hidden.add_rows(gradient, below, surrogate);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Value;
    use super::super::outcome::tests::{VALUE, random_data};
    use super::*;
    use crate::samples::tests::random_boards;
    use crate::trainer::adam::Step;
    use crate::trainer::head::Head;
    use crate::trainer::head::tests::trained;
    use crate::trainer::images::SQUARES;
    use crate::trainer::learner::predict;
    use crate::trainer::weights::zero;
    use engine::eval::images::FILTERS;
    use engine::eval::{self, network};

    /// What is trained is what is played: the engine's integers find the same log-odds.
    #[test]
    fn the_engine_agrees_with_the_model() {
        let weights = trained(&VALUE, &random_data(5).train);
        let text = Value::write(&weights, "");
        let network = network::parse(&text).expect("a network").network();
        for board in random_boards(1) {
            let black = eval::evaluate_board(&board);
            let cheap = [black, -black][board.to_move() as usize];
            let sample = Sample::new(&board, 0.5, 0, false);
            let model = predict::<Value>(&weights, &[sample])[0];
            let engine = network.log_odds(&board, cheap) as f32 / LOG_ODDS_ONE as f32;
            assert!((model - engine).abs() < 0.02, "{board}: {model} {engine}");
        }
    }

    /// A kind that is seen in one part of the game, on one square, teaches the others through the shared rows.
    #[test]
    fn parts_and_squares_learn_from_each_other() {
        let mut parameters = Value::random(1);
        let [mut before, mut gradient, mut after] = [(); 3].map(|()| zero(&SHAPES));
        parameters.round(&SHAPES, &mut before);
        let at = 3 * SQUARES + 9;
        gradient[ROWS][at] = [1.0; FILTERS];
        let step = Step {
            number: 1,
            rate: 0.1,
        };
        parameters.step(step, &[gradient], 1.0);
        parameters.round(&SHAPES, &mut after);
        for (row, steps) in [
            (at, 3.0),
            (KIND_ROWS + at, 2.0),
            (at + 1, 1.0),
            (at + SQUARES, 0.0),
        ] {
            let fell = before[ROWS][row][0] - after[ROWS][row][0];
            assert!((fell - 0.1 * steps).abs() < 0.02, "row {row}: {fell}");
        }
    }
}
