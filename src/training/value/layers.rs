//! The value network in floating point: its weight tables, forward pass and backward pass.

use super::sample::Sample;
use crate::trainer::hidden_layer::{self, HiddenLayer};
use crate::trainer::weights::{FEATURE_ROWS, Shape, Weights};
use engine::bitboard::Lanes;
use engine::eval::symmetry::SYMMETRIES;
use engine::eval::value::{
    BIASES, HIDDEN_PHASES, MAX_OUTPUT, OUTPUT_PHASES, OUTPUT_UNIT, UNIT, hidden_phase, output_phase,
};
use engine::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};

/// Index in [`SHAPES`] of the hidden layer's weight rows: [`FEATURE_ROWS`] rows for each phase of the hidden layer.
pub const ROWS_TABLE: usize = 0;

/// Index in [`SHAPES`] of the hidden layer's biases, a row for each number of arrows.
pub const BIASES_TABLE: usize = 1;

/// Index in [`SHAPES`] of the output weights, a row for each phase of the output layer.
pub const OUTPUTS_TABLE: usize = 2;

/// Index in [`SHAPES`] of the output's scalars, a row for each phase of the output layer with entries [`BIAS`] and [`SKIP`].
pub const SCALARS_TABLE: usize = 3;

/// Column of the table [`SCALARS_TABLE`] that holds the bias of the output, in log-odds.
pub const BIAS: usize = 0;

/// Column of the table [`SCALARS_TABLE`] that holds the weight of the skip connection, which multiplies the linear log-odds.
pub const SKIP: usize = 1;

/// Shapes of the weight tables. The output weights are not quantised in training: the engine's integers for them are precise
/// enough.
pub const SHAPES: [Shape; 4] = [
    Shape::quantized(HIDDEN_PHASES * FEATURE_ROWS, UNIT),
    Shape::quantized(BIASES, UNIT),
    Shape {
        rows: OUTPUT_PHASES,
        unit: None,
        max: MAX_OUTPUT as f32 / OUTPUT_UNIT as f32,
    },
    Shape {
        rows: OUTPUT_PHASES,
        unit: None,
        max: f32::INFINITY,
    },
];

/// Largest absolute value of the log-odds, to which the output is clamped.
const LIMIT: f32 = (MAX_LOG_ODDS / LOG_ODDS_ONE) as f32;

/// Result of a forward pass: the win probability as log-odds, and the activations for the backward pass.
pub struct Forward {
    hidden: HiddenLayer,
    output_phase: usize,
    linear: f32,
    /// Log-odds that the side to move wins.
    pub log_odds: f32,
}

impl Forward {
    /// Runs the forward pass on the position of a sample.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, sample: &Sample) -> Forward {
        let (arrows, linear) = (sample.position.arrows(), sample.linear);
        let hidden = HiddenLayer::new(
            weights,
            hidden_phase(arrows),
            arrows,
            sample.position.row_indices::<L>(),
        );
        let output_phase = output_phase(arrows);
        let scalars = &weights[SCALARS_TABLE][output_phase];
        let sum = hidden.dot(&weights[OUTPUTS_TABLE], &[output_phase as u8; SYMMETRIES]);
        Forward {
            hidden,
            output_phase,
            linear,
            log_odds: (scalars[BIAS] + scalars[SKIP] * linear + sum).clamp(-LIMIT, LIMIT),
        }
    }

    /// Back-propagates: adds the gradient of the loss with respect to all weights to `gradient`. `error` is the derivative of
    /// the loss with respect to the log-odds; `surrogate` is the size of the hidden layer's surrogate gradient.
    #[inline(always)]
    pub fn backward(&self, weights: &Weights, error: f32, surrogate: f32, gradient: &mut Weights) {
        let scalars = &mut gradient[SCALARS_TABLE][self.output_phase];
        scalars[BIAS] += error;
        scalars[SKIP] += error * self.linear;
        let (table, to) = (&weights[OUTPUTS_TABLE], &mut gradient[OUTPUTS_TABLE]);
        let (entries, mut hidden_gradient) =
            ([self.output_phase as u8; SYMMETRIES], hidden_layer::ZERO);
        self.hidden
            .backpropagate_dot(error, table, &entries, to, &mut hidden_gradient);
        self.hidden
            .backpropagate_rows(gradient, hidden_gradient, surrogate);
    }
}

#[cfg(test)]
mod tests {
    use super::super::ValueHead;
    use super::super::sample::tests::{VALUE, random_data};
    use super::*;
    use crate::samples::tests::random_boards;
    use crate::trainer::adam::AdamStep;
    use crate::trainer::head::Head;
    use crate::trainer::head::tests::trained;
    use crate::trainer::hidden_layer::SQUARES;
    use crate::trainer::learner::predict;
    use crate::trainer::weights::zero_weights;
    use engine::eval::symmetry::FILTERS;
    use engine::eval::{self, value};

    /// The engine's integer network gives the same log-odds as the floating-point network in training, up to rounding.
    #[test]
    fn engine_and_training_give_the_same_log_odds() {
        let weights = trained(&VALUE, &random_data(5).train);
        let text = ValueHead::write(&weights, "");
        let network = value::parse(&text).expect("a network").network();
        for board in random_boards(1) {
            let black = eval::evaluate_board(&board);
            let linear = [black, -black][board.to_move() as usize];
            let sample = Sample::new(&board, 0.5, 0, false);
            let float = predict::<ValueHead>(&weights, &[sample])[0];
            let engine = network.log_odds(&board, linear) as f32 / LOG_ODDS_ONE as f32;
            assert!((float - engine).abs() < 0.02, "{board}: {float} {engine}");
        }
    }

    /// A gradient for one feature, square and phase also changes other squares and phases, through the factorised weights.
    #[test]
    fn phases_and_squares_share_factorised_weights() {
        let mut parameters = ValueHead::random(1);
        let [mut before, mut gradient, mut after] = [(); 3].map(|()| zero_weights(&SHAPES));
        parameters.quantize_into(&SHAPES, &mut before);
        let at = 3 * SQUARES + 9;
        gradient[ROWS_TABLE][at] = [1.0; FILTERS];
        let step = AdamStep {
            number: 1,
            rate: 0.1,
        };
        parameters.step(step, &[gradient], 1.0);
        parameters.quantize_into(&SHAPES, &mut after);
        for (row, steps) in [
            (at, 3.0),
            (FEATURE_ROWS + at, 2.0),
            (at + 1, 1.0),
            (at + SQUARES, 0.0),
        ] {
            let change = before[ROWS_TABLE][row][0] - after[ROWS_TABLE][row][0];
            assert!((change - 0.1 * steps).abs() < 0.02, "row {row}: {change}");
        }
    }
}
