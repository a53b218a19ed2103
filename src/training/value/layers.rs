//! Forward and backward pass of the value network in floating point, and the shapes of its weight tables.

use super::sample::Sample;
use crate::samples::Position;
use crate::trainer::hidden_layer::{self, HiddenLayer, Units, add_row, add_scaled_row};
use crate::trainer::weights::{FEATURE_ROWS, Shape, Weights};
use engine::bitboard::Lanes;
use engine::eval::symmetry::SYMMETRIES;
use engine::eval::value::amazons::AMAZON_ROWS;
use engine::eval::value::{
    BIASES, HIDDEN_PHASES, Inputs, MAX_OUTPUT, OUTPUT_PHASES, OUTPUT_ROWS, OUTPUT_UNIT, PATTERNS,
    UNIT, hidden_phase, output_phase,
};
use engine::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};
use std::iter;

/// Index in [`SHAPES`] of the table with the weight rows of the hidden layer. A square with the feature (content)
/// `feature` selects row `FEATURE_ROWS·phase + 64·feature + square`; `phase` is the phase of the game.
pub const ROWS_TABLE: usize = 0;

/// Index in [`SHAPES`] of the table with the hidden layer's biases. Its row `n` is used in positions with `n` arrows.
pub const BIASES_TABLE: usize = 1;

/// Index in [`SHAPES`] of the table with the output weights. Rows `3·p` to `3·p + 2` are used in phase `p` (0 to 7) of
/// the output layer: for the filters, for the units of the amazons of the side to move, and for those of the opponent's
/// amazons. The number of arrows determines the phase.
pub const OUTPUTS_TABLE: usize = 2;

/// Index in [`SHAPES`] of the table of scalars: two numbers for each phase (0 to 7) of the output layer. Column
/// [`BIAS`] contains the output bias, column [`SKIP`] the weight of the linear evaluation; the other columns are
/// unused.
pub const SCALARS_TABLE: usize = 3;

/// Index in [`SHAPES`] of the table with the weight rows of the hidden layer for patterns of squares. The pattern is
/// the index of the row that a square selects.
pub const PATTERNS_TABLE: usize = 4;

/// Index in [`SHAPES`] of the table with the weight rows of the amazon units, in the order of [`AMAZON_ROWS`].
pub const AMAZONS_TABLE: usize = 5;

/// Column of the table [`SCALARS_TABLE`] with the output bias, which is in log-odds.
pub const BIAS: usize = 0;

/// Column of the table [`SCALARS_TABLE`] with the skip weight: the linear evaluation's log-odds, multiplied by this
/// weight, are added to the network's output.
pub const SKIP: usize = 1;

/// Shapes of the value network's six weight tables: weight rows of the hidden layer for features, biases of the hidden
/// layer, output weights, scalars (output biases and skip weights), weight rows for patterns and for amazon units.
/// Training rounds neither output weights nor scalars, because the engine stores them with little rounding error.
pub const SHAPES: [Shape; 6] = [
    Shape::quantized(HIDDEN_PHASES * FEATURE_ROWS, UNIT),
    Shape::quantized(BIASES, UNIT),
    Shape {
        rows: OUTPUT_PHASES * OUTPUT_ROWS,
        scale: None,
        max: MAX_OUTPUT as f32 / OUTPUT_UNIT as f32,
    },
    Shape {
        rows: OUTPUT_PHASES,
        scale: None,
        max: f32::INFINITY,
    },
    Shape::quantized(PATTERNS, UNIT),
    Shape::quantized(AMAZON_ROWS, UNIT),
];

/// Largest absolute value of the network's output, in log-odds; outputs outside ± this limit are clamped to it.
const LOG_ODDS_LIMIT: f32 = (MAX_LOG_ODDS / LOG_ODDS_ONE) as f32;

/// Result of a forward pass of the value network: the predicted log-odds, and the values that the backward pass needs.
pub struct ForwardPass {
    /// Hidden layer of the network: pre-activations (weighted sums) and activations of the units.
    hidden: HiddenLayer,
    /// Amazon units: 16 for each amazon.
    amazons: Units,
    /// Position, and the features and patterns of its squares, which select the weight rows of the amazon units.
    inputs: (Position, Inputs),
    /// Phase of the output layer, which selects the row of output weights: 0 for 0 to 6 arrows, 1 for 7 to 13, and so
    /// on; the last is 7 for 49 or more.
    output_phase: usize,
    /// Log-odds that the side to move wins, as the linear evaluation estimates them. They are multiplied by a trained
    /// weight and added to the network's output.
    linear_log_odds: f32,
    /// Output of the network: log-odds that the side to move wins, clamped to ± [`LOG_ODDS_LIMIT`].
    pub log_odds: f32,
}

impl ForwardPass {
    /// Runs the forward pass on the position of `sample`: predicts the log-odds that the side to move wins. `L` is the
    /// type of the SIMD registers to use.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, sample: &Sample) -> ForwardPass {
        let (arrows, linear) = (sample.position.arrows(), sample.linear_log_odds);
        let inputs = sample.position.find_inputs::<L>();
        let patterns = Some((PATTERNS_TABLE, inputs.patterns));
        let hidden = HiddenLayer::new(
            weights,
            hidden_phase(arrows),
            arrows,
            inputs.features,
            patterns,
        );
        let output_phase = output_phase(arrows);
        let scalars = &weights[SCALARS_TABLE][output_phase];
        let mut sums = hidden_layer::ZEROS;
        let amazons = sample.position.amazon_inputs::<L>(&inputs);
        for (amazon, sum) in sums.iter_mut().enumerate() {
            let rows = iter::once(amazons.neighbours_row(amazon)).chain(amazons.seen_rows(amazon));
            rows.for_each(|row| add_row(sum, &weights[AMAZONS_TABLE][row]));
            amazons.reach_rows(amazon).for_each(|(row, count)| {
                add_scaled_row(sum, &weights[AMAZONS_TABLE][row], count.into());
            });
        }
        let amazons = Units::new(sums);
        let [filter_rows, amazon_rows] = output_rows(output_phase);
        let table = &weights[OUTPUTS_TABLE];
        let sum = hidden.units.dot(table, &filter_rows) + amazons.dot(table, &amazon_rows);
        ForwardPass {
            hidden,
            amazons,
            inputs: (sample.position, inputs),
            output_phase,
            linear_log_odds: linear,
            log_odds: (scalars[BIAS] + scalars[SKIP] * linear + sum)
                .clamp(-LOG_ODDS_LIMIT, LOG_ODDS_LIMIT),
        }
    }

    /// Back-propagates: adds the gradient of the sample's loss with respect to all weights to `gradient`. `error` is
    /// the derivative of the loss with respect to the network's output, the log-odds.
    ///
    /// `L` is the type of the SIMD registers to use. `surrogate` is a fraction from 0 to 1. The pre-activations of the hidden units are clamped to the range from 0
    /// to 1, so the true gradient of a unit outside this range is 0. The surrogate gradient passes on this fraction of
    /// the gradient if it moves the pre-activation back towards the range, and 0 otherwise. With `surrogate` 0,
    /// `gradient` gets the true gradient.
    #[inline(always)]
    pub fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        error: f32,
        surrogate: f32,
        gradient: &mut Weights,
    ) {
        let scalars = &mut gradient[SCALARS_TABLE][self.output_phase];
        scalars[BIAS] += error;
        scalars[SKIP] += error * self.linear_log_odds;
        let (table, to) = (&weights[OUTPUTS_TABLE], &mut gradient[OUTPUTS_TABLE]);
        let rows = output_rows(self.output_phase);
        let mut unit_gradients = [hidden_layer::ZEROS; 2];
        let [hidden, amazons] = &mut unit_gradients;
        (self.hidden.units).backpropagate_dot(error, table, &rows[0], to, hidden);
        (self.amazons).backpropagate_dot(error, table, &rows[1], to, amazons);
        let [hidden, amazons] = unit_gradients;
        (self.hidden).backpropagate_rows(gradient, hidden, surrogate);
        let amazons = self.amazons.backpropagate(amazons, surrogate);
        let (position, inputs) = &self.inputs;
        let seen = position.amazon_inputs::<L>(inputs);
        for (amazon, gradient_of_units) in amazons.iter().enumerate() {
            let to = &mut gradient[AMAZONS_TABLE];
            let rows = iter::once(seen.neighbours_row(amazon)).chain(seen.seen_rows(amazon));
            rows.for_each(|row| add_row(&mut to[row], gradient_of_units));
            seen.reach_rows(amazon).for_each(|(row, count)| {
                add_scaled_row(&mut to[row], gradient_of_units, count.into());
            });
        }
    }
}

/// Returns, for an output phase, the rows of output weights of the eight symmetric images and of the eight amazons.
const fn output_rows(phase: usize) -> [[u8; SYMMETRIES]; 2] {
    let first = (OUTPUT_ROWS * phase) as u8;
    let (own, opponent) = (first + 1, first + 2);
    let amazons = [own, own, own, own, opponent, opponent, opponent, opponent];
    [[first; SYMMETRIES], amazons]
}

#[cfg(test)]
mod tests {
    use super::super::ValueTraining;
    use super::super::sample::tests::{VALUE_NET, random_data};
    use super::*;
    use crate::samples::tests::random_boards;
    use crate::trainer::adam::AdamStep;
    use crate::trainer::hidden_layer::SQUARES;
    use crate::trainer::learner::predict;
    use crate::trainer::network::TrainableNetwork;
    use crate::trainer::network::tests::trained_weights;
    use crate::trainer::weights::zero_weights;
    use engine::eval::symmetry::FILTERS;
    use engine::eval::{self, value};

    /// Checks that the engine's integer network and the training's floating-point network give a position the same
    /// log-odds, within 0.02.
    #[test]
    fn engine_and_training_give_the_same_log_odds() {
        let weights = trained_weights(&VALUE_NET, &random_data(5).train);
        let text = ValueTraining::write(&weights, "");
        let network = value::parse(&text).expect("a network").network();
        for board in random_boards(1) {
            let black = eval::evaluate_board(&board);
            let linear = [black, -black][board.to_move() as usize];
            let sample = Sample::new(&board, 0.5, 0, false);
            let float = predict::<ValueTraining>(&weights, &[sample])[0];
            let engine = network.log_odds(&board, linear) as f32 / LOG_ODDS_ONE as f32;
            assert!((float - engine).abs() < 0.02, "{board}: {float} {engine}");
        }
    }

    /// Checks that a training step for one combination of feature, square and phase also changes the weights of other
    /// squares and phases, because they share factorised weights.
    #[test]
    fn phases_and_squares_share_factorised_weights() {
        let mut parameters = ValueTraining::random(1);
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
