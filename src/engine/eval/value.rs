//! The value network: predicts the winner of a position in which a turn begins. It was trained on games of self-play.
//!
//! Every square has one of 64 features, see [`FEATURES`], which selects a weight row from the table of the [hidden
//! phase](hidden_phase). The hidden layer is the sum of these rows and of a bias for the number of arrows, clamped to 0
//! to 1 and squared. It is symmetric, see [`symmetry`], so mirror images of a position have the same value. The output
//! is linear, with separate weights for each of eight output phases. The log-odds of the linear evaluation are an
//! additional input of the output layer. All arithmetic is on integers, so every machine computes the same value.
//!
//! The hidden layer is computed from scratch for each position. An incremental update would save little, because one
//! arrow changes the distances of many squares.

mod coding;
mod inputs;
pub(super) mod prediction;
pub(super) mod text;

pub use inputs::{FEATURES, row_indices, row_indices_of};
pub use prediction::MAX_WEIGHT;
pub use text::{parse, write};

use super::symmetry::{self, FilterWeights, expand_row};
use super::{LOG_ODDS_ONE, clamp_log_odds};
use crate::bitboard::{Kernel, Lanes, NumberRow, NumberTable, widest};
use crate::board::{Board, MAX_ARROWS};

/// Number of activations in the hidden layer.
pub const HIDDEN: usize = NumberRow::LEN;

/// Fixed-point scale of the hidden layer: the integer that represents 1.0 in weights, biases and activations before
/// squaring. A squared activation of 1.0 is `UNIT²`.
pub const UNIT: i32 = 64;

/// Number of hidden phases: intervals of the number of arrows that each have their own table of weight rows.
pub const HIDDEN_PHASES: usize = 3;

/// Number of arrow counts in each hidden phase but the last: 0 to 14, 15 to 29, then 30 or more.
const HIDDEN_PHASE_ARROWS: usize = 15;

/// Returns the hidden phase, from 0 to 2, for a number of arrows: the index of the table of weight rows.
#[must_use]
pub const fn hidden_phase(arrows: usize) -> usize {
    let phase = arrows / HIDDEN_PHASE_ARROWS;
    if phase < HIDDEN_PHASES {
        phase
    } else {
        HIDDEN_PHASES - 1
    }
}

/// Number of output phases: intervals of the number of arrows that each have their own output weights.
pub const OUTPUT_PHASES: usize = 8;

/// Number of biases of the hidden layer: one for each possible number of arrows, from 0 to 56.
pub const BIASES: usize = MAX_ARROWS + 1;

/// Number of arrow counts in each output phase but the last, which begins at 49 arrows.
pub const OUTPUT_PHASE_ARROWS: usize = 7;

/// Returns the output phase, from 0 to 7, for a number of arrows: the index of the output weights.
#[must_use]
pub const fn output_phase(arrows: usize) -> usize {
    let phase = arrows / OUTPUT_PHASE_ARROWS;
    if phase < OUTPUT_PHASES {
        phase
    } else {
        OUTPUT_PHASES - 1
    }
}

/// Weights of the output layer for one output phase, see [`output_phase`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Log-odds that an activation of 1 adds, by filter, in units of 1 / [`OUTPUT_UNIT`]. The range is ±
    /// [`MAX_OUTPUT`].
    pub weights: FilterWeights,
    /// Log-odds for the side to move that are always added, in units of 1 / [`LOG_ODDS_ONE`].
    pub bias: i32,
    /// Factor by which the linear evaluation's log-odds are multiplied (skip connection), in units of 1 /
    /// [`SKIP_UNIT`].
    pub skip: i32,
}

/// Fixed-point scale of [`Output::weights`]: the integer that adds log-odds of 1.0 per activation of 1.
pub const OUTPUT_UNIT: i32 = 1 << 10;

/// Largest absolute value of [`Output::weights`]; larger weights could overflow the 32-bit sum.
pub const MAX_OUTPUT: i16 = (1 << 12) - 1;

/// Fixed-point scale of [`Output::skip`]: the integer that represents a factor of 1.0.
pub const SKIP_UNIT: i32 = 1 << 10;

/// Fixed-point log-odds, in units of 1 / [`LOG_ODDS_ONE`], per unit of the weighted sum of activations.
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * OUTPUT_UNIT);

/// Weights of the value network as trained and stored: one per filter, before they are repeated for the eight
/// symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueWeights {
    /// Weight rows of the features. The row of a feature on a square has index `64·(FEATURES·phase + feature) +
    /// square`; [`hidden_phase`] returns the phase.
    pub rows: Vec<FilterWeights>,
    /// Biases of the hidden layer; the index is the number of arrows on the board.
    pub biases: Vec<FilterWeights>,
    /// Weights of the output layer, one set for each [`output_phase`].
    pub outputs: [Output; OUTPUT_PHASES],
}

/// The value network in the form used for evaluation, with separate weights for all 128 activations.
pub struct ValueNetwork {
    /// Weight tables of the hidden layer, one for each [`hidden_phase`].
    tables: [Box<NumberTable>; HIDDEN_PHASES],
    /// Biases of the hidden layer; the index is the number of arrows on the board.
    biases: [NumberRow; BIASES],
    /// Output layers, one for each [`output_phase`]: the filters' weights, and the same weights repeated for all 128
    /// activations.
    outputs: [(Output, NumberRow); OUTPUT_PHASES],
}

impl ValueWeights {
    /// Builds the network in the form used for evaluation, by repeating the filters' weights for each symmetry.
    #[must_use]
    pub fn network(&self) -> ValueNetwork {
        let rows = |phase: usize| &self.rows[phase * FEATURES * 64..][..FEATURES * 64];
        ValueNetwork {
            tables: std::array::from_fn(|phase| symmetry::expand_table(rows(phase))),
            biases: std::array::from_fn(|arrows| expand_row(|_| self.biases[arrows])),
            outputs: self
                .outputs
                .map(|output| (output, expand_row(|_| output.weights))),
        }
    }
}

/// Text of the compiled-in value network, in the format that [`parse`] reads.
pub const WEIGHTS: &str = include_str!("value/weights.txt");

impl ValueNetwork {
    /// Returns the log-odds that the side to move wins. A turn must begin in the position. `linear` is the log-odds of
    /// the linear evaluation, also for the side to move.
    ///
    /// `linear` and the result are in units of 1 / [`LOG_ODDS_ONE`] and within ± [`MAX_LOG_ODDS`](super::MAX_LOG_ODDS).
    #[must_use]
    pub fn log_odds(&self, board: &Board, linear: i32) -> i32 {
        let arrows = board.arrow_count();
        let (output, weights) = &self.outputs[output_phase(arrows)];
        let sum = widest(Sum {
            bias: &self.biases[arrows],
            table: &self.tables[hidden_phase(arrows)],
            board,
            weights,
        });
        let skip = i64::from(linear) * i64::from(output.skip) / i64::from(SKIP_UNIT);
        clamp_log_odds(i64::from(sum) * i64::from(SUM_STEP) + i64::from(output.bias) + skip)
    }
}

/// Kernel that computes the hidden layer of a position and returns its sum weighted by `weights`, in units of 1 /
/// (`UNIT²` · [`OUTPUT_UNIT`]).
struct Sum<'a> {
    bias: &'a NumberRow,
    table: &'a NumberTable,
    board: &'a Board,
    weights: &'a NumberRow,
}

impl Kernel for Sum<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> i32 {
        let rows = row_indices_of::<L>(self.board);
        let hidden = activations::<L>(self.bias, self.table, &rows, UNIT as i16);
        L::dot(&hidden, [self.weights])
    }
}

/// Returns the squared activations of a hidden layer: `bias` plus the 64 rows of `table` with the indices `rows`,
/// clamped to 0 to `unit`, then squared. `unit` is the integer that represents 1.0 before squaring.
#[inline(always)]
pub(super) fn activations<L: Lanes>(
    bias: &NumberRow,
    table: &NumberTable,
    rows: &[u16; 64],
    unit: i16,
) -> NumberRow {
    let mut hidden = L::sum_rows(bias, table, rows);
    for at in 0..HIDDEN {
        let number = hidden.0[at].clamp(0, unit);
        hidden.0[at] = number * number;
    }
    hidden
}
