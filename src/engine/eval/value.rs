//! The value network: predicts who wins a position in which no amazon has yet moved in the current turn. It was trained
//! on games of self-play.
//!
//! - Input: one of 64 features and one of 1,536 patterns on each square, see [`FEATURES`] and [`PATTERNS`], and the
//!   log-odds of the linear evaluation.
//! - Hidden layer: 128 units. The pre-activation of a unit is the sum of 128 weights (two per square, selected by its
//!   feature and by its pattern) and a bias. Its activation is the pre-activation, clamped to the range from 0 to 1 and
//!   squared. The weights of features depend on the [`hidden_phase`] and the square, those of patterns on neither. The
//!   bias depends on the number of arrows. Mirror images of a position have the same activations in another order, see
//!   [`symmetry`].
//! - Amazon units: 16 more hidden units for each of the eight amazons, see [`amazons`]. Their activation function is
//!   the same.
//! - Output: the log-odds that the side to move wins, a weighted sum of all activations and of the linear evaluation.
//!   The weights depend on the [`output_phase`].
//!
//! All arithmetic is on integers, so that the result is the same on every machine. The hidden layer is computed from
//! scratch for each position, because one arrow changes the features of many squares.

pub mod amazons;
mod coding;
mod inputs;
pub(super) mod prediction;
pub(super) mod text;

pub use inputs::{FEATURES, Inputs, PATTERNS, find_inputs, find_inputs_of};
pub use prediction::MAX_WEIGHT;
pub use text::{parse, write};

use super::symmetry::{self, FilterWeights, PatternTable, SquareTable, expand_row};
use super::{LOG_ODDS_ONE, clamp_log_odds};
use crate::bitboard::{Kernel, Lanes, NumberRow, run_widest};
use crate::board::{Board, MAX_ARROWS};
use amazons::{AmazonInputs, AmazonTable, amazon_table};

/// Number of activations in the hidden layer.
pub const HIDDEN: usize = NumberRow::LEN;

/// Fixed-point scale of the hidden layer of the value network: the integer 32 represents the value 1.0 of a weight, a
/// bias, or a pre-activation. The activation function squares the pre-activation, so in an activation `UNIT²` represents
/// 1.0.
pub const UNIT: i32 = 32;

/// Number of hidden phases. A hidden phase is an interval of the number of arrows with its own weights of the hidden
/// layer.
pub const HIDDEN_PHASES: usize = 3;

/// Length of each hidden phase, in arrows. The phases are 0 to 14, 15 to 29, and 30 or more arrows.
const HIDDEN_PHASE_ARROWS: usize = 15;

/// Returns the hidden phase, from 0 to 2, of a position with this number of arrows: 0 to 14, 15 to 29, or more.
#[must_use]
pub const fn hidden_phase(arrows: usize) -> usize {
    let phase = arrows / HIDDEN_PHASE_ARROWS;
    if phase < HIDDEN_PHASES {
        phase
    } else {
        HIDDEN_PHASES - 1
    }
}

/// Number of output phases. An output phase is an interval of the number of arrows with its own weights of the output
/// layer.
pub const OUTPUT_PHASES: usize = 8;

/// Number of biases of the hidden layer: one for each possible number of arrows, from 0 to 56.
pub const BIASES: usize = MAX_ARROWS + 1;

/// Length of each output phase, in arrows. The phases are 0 to 6, 7 to 13, and so on; the last is 49 or more.
pub const OUTPUT_PHASE_ARROWS: usize = 7;

/// Returns the output phase, from 0 to 7, of a position with this number of arrows: 0 to 6, 7 to 13, …, 49 or more.
#[must_use]
pub const fn output_phase(arrows: usize) -> usize {
    let phase = arrows / OUTPUT_PHASE_ARROWS;
    if phase < OUTPUT_PHASES {
        phase
    } else {
        OUTPUT_PHASES - 1
    }
}

/// Number of rows of output weights in each output phase: for the filters, for the units of the amazons of the side to
/// move, and for those of the opponent's amazons.
pub const OUTPUT_ROWS: usize = 3;

/// Weights of the output layer in one output phase (interval of the number of arrows), see [`output_phase`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Weights of the activations, in three rows. First: one for each of the 16 filters (weight sets of the hidden
    /// layer), which the eight activations of the filter share. Second: one for each of the 16 units that every amazon
    /// of the side to move has. Third: the same for the opponent's amazons.
    ///
    /// The unit is 1 / [`OUTPUT_UNIT`] and the range ± [`MAX_OUTPUT`]. An activation of 1.0 with the weight 1.0 adds
    /// 1.0 to the log-odds that the side to move wins.
    pub weights: [FilterWeights; OUTPUT_ROWS],
    /// Log-odds, from the perspective of the side to move, that are added in every position of this output phase
    /// (interval of the number of arrows), in units of 1 / [`LOG_ODDS_ONE`].
    pub bias: i32,
    /// Factor by which the log-odds of the linear evaluation are multiplied before the network adds them to its result
    /// (skip connection), in units of 1 / [`SKIP_UNIT`].
    pub skip: i32,
}

/// Fixed-point scale of [`Output::weights`]: the integer 1024 represents the weight 1.0. An activation of 1.0 with this
/// weight adds 1.0 to the log-odds that the side to move wins.
pub const OUTPUT_UNIT: i32 = 1 << 10;

/// Maximum absolute value of [`Output::weights`]. Larger weights could overflow the 32-bit sum over all activations.
pub const MAX_OUTPUT: i16 = (1 << 12) - 1;

/// Fixed-point scale of [`Output::skip`]: the integer 1024 represents the factor 1.0. The log-odds of the linear
/// evaluation are multiplied by this factor and added to the network's result (skip connection).
pub const SKIP_UNIT: i32 = 1 << 10;

/// Factor that converts the integer sum of the output layer to log-odds in units of 1 / [`LOG_ODDS_ONE`].
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * OUTPUT_UNIT);

/// Weights of the value network in the form in which they are trained and stored: one weight for each of 16 filters
/// (weight sets), which the symmetries of the board share. Call [`ValueWeights::network`] for a network that can
/// evaluate positions; it applies them under each of the eight symmetries, which results in 128 activations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueWeights {
    /// Weights of the hidden layer: a row for each hidden phase (interval of the number of arrows), feature and square,
    /// at the index `64·(FEATURES·hidden_phase + feature) + square`. A row contains one weight for each of the 16
    /// filters (weight sets).
    pub rows: Vec<FilterWeights>,
    /// Weights of the hidden layer: a row for each of the [`PATTERNS`], in all hidden phases. A row contains one weight
    /// for each of the 16 filters (weight sets).
    pub patterns: Vec<FilterWeights>,
    /// Weights of the amazon units: [`AMAZON_ROWS`](amazons::AMAZON_ROWS) rows with one weight for each of the 16 units
    /// of an amazon.
    pub amazons: Vec<FilterWeights>,
    /// Biases of the hidden layer: a row for each number of arrows on the board, which is the row's index. A row
    /// contains one bias for each of the 16 filters (weight sets).
    pub biases: Vec<FilterWeights>,
    /// Weights of the output layer. The index is the output phase (interval of the number of arrows), see
    /// [`output_phase`].
    pub outputs: [Output; OUTPUT_PHASES],
}

/// Value network that can evaluate positions: the weights of [`ValueWeights`], arranged for fast sums. Biases and output
/// weights are copied for the eight symmetries of the board, so that each of the 128 activations has its own.
pub struct ValueNetwork {
    /// Weights of the hidden layer: one table for each hidden phase (interval of the number of arrows), see
    /// [`hidden_phase`].
    tables: [Box<SquareTable>; HIDDEN_PHASES],
    /// Weights of the hidden layer: a row for each of the [`PATTERNS`], used in all hidden phases.
    patterns: Box<PatternTable>,
    /// Weights of the amazon units.
    amazons: Box<AmazonTable>,
    /// Biases of the hidden layer: for each number of arrows on the board (the index), one bias for each of the 128
    /// activations.
    biases: [NumberRow; BIASES],
    /// Weights of the output layer. The index is the output phase (interval of the number of arrows). An element
    /// contains the stored weights, and those of the 16 filters copied for the eight symmetries of the board, so that
    /// each of the 128 activations has one.
    outputs: [(Output, NumberRow); OUTPUT_PHASES],
}

impl ValueWeights {
    /// Returns a network that can evaluate positions.
    #[must_use]
    pub fn network(&self) -> ValueNetwork {
        let rows = |phase: usize| &self.rows[phase * FEATURES * 64..][..FEATURES * 64];
        ValueNetwork {
            tables: std::array::from_fn(|phase| symmetry::square_table(rows(phase))),
            patterns: symmetry::pattern_table(&self.patterns),
            amazons: amazon_table(&self.amazons),
            biases: std::array::from_fn(|arrows| expand_row(&|_| self.biases[arrows])),
            outputs: self
                .outputs
                .map(|output| (output, expand_row(&|_| output.weights[0]))),
        }
    }
}

/// Text of the compiled-in value network, see [`parse`].
pub const WEIGHTS: &str = include_str!("value/weights.txt");

impl ValueNetwork {
    /// Returns the log-odds that the side to move wins, by the value network. `linear` is the result of the linear
    /// evaluation for the side to move. `board` must be a position in which no amazon has yet moved in the current
    /// turn.
    ///
    /// Both log-odds are in units of 1 / [`LOG_ODDS_ONE`]; the result is within ±
    /// [`MAX_LOG_ODDS`](super::MAX_LOG_ODDS).
    #[must_use]
    pub fn log_odds(&self, board: &Board, linear: i32) -> i32 {
        let arrows = board.arrow_count();
        let (output, weights) = &self.outputs[output_phase(arrows)];
        let sum = run_widest(WeightedSum {
            bias: &self.biases[arrows],
            table: &self.tables[hidden_phase(arrows)],
            patterns: &self.patterns,
            amazons: &self.amazons,
            board,
            weights,
            amazon_weights: [&output.weights[1], &output.weights[2]],
        });
        let skip = i64::from(linear) * i64::from(output.skip) / i64::from(SKIP_UNIT);
        clamp_log_odds(i64::from(sum) * i64::from(SUM_STEP) + i64::from(output.bias) + skip)
    }
}

/// Computation of the output layer's integer sum for `board`: all activations times their weights, in units of 1 /
/// (`UNIT²` · [`OUTPUT_UNIT`]). As a [`Kernel`], it is compiled once for each supported set of vector instructions.
struct WeightedSum<'a> {
    bias: &'a NumberRow,
    table: &'a SquareTable,
    patterns: &'a PatternTable,
    amazons: &'a AmazonTable,
    board: &'a Board,
    weights: &'a NumberRow,
    amazon_weights: [&'a FilterWeights; 2],
}

impl Kernel for WeightedSum<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> i32 {
        let inputs = find_inputs_of::<L>(self.board);
        let sum = symmetry::add_squares::<L>(self.bias, self.table, &inputs.features);
        let sum = symmetry::add_patterns::<L>(&sum, self.patterns, &inputs.patterns);
        let hidden = activations(sum, UNIT as i16);
        let player = self.board.to_move();
        let amazons = [player, !player].map(|player| self.board.amazons(player));
        let amazons = AmazonInputs::new::<L>(amazons, self.board.empty(), &inputs);
        let amazon_sum = amazons::weighted_sum(self.amazons, self.amazon_weights, &amazons);
        L::dot(&hidden, [self.weights]) + amazon_sum
    }
}

/// Converts the 128 pre-activations of a hidden layer to activations, see [`activation`].
#[inline(always)]
pub(super) fn activations(mut hidden: NumberRow, unit: i16) -> NumberRow {
    for number in &mut hidden.0 {
        *number = activation(*number, unit);
    }
    hidden
}

/// Converts a pre-activation to an activation. The activation function is squared clipped ReLU: the pre-activation is
/// clamped to the range from 0 to `unit`, then squared. The integer `unit` represents 1.0 in a pre-activation, and
/// `unit²` represents 1.0 in an activation.
#[inline(always)]
fn activation(number: i16, unit: i16) -> i16 {
    number.clamp(0, unit).pow(2)
}
