//! The value network: predicts the winner of a position in which a turn begins. It was trained on games of self-play.
//!
//! Every square has one of 64 features, see [`FEATURES`], which selects a weight row from the table of the [phase of
//! the game](hidden_phase). The hidden layer is the sum of these rows and of a bias for the number of arrows, clamped
//! to 0 to 1 and squared. It is symmetric, see [`symmetry`], so mirror images of a position have the same value. The
//! output is linear, with separate weights for each of eight output phases. The log-odds of the linear evaluation are
//! an additional input of the output layer. All arithmetic is on integers, so every machine computes the same.
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

/// Activation before squaring that stands for 1, and weight that stands for 1.
pub const UNIT: i32 = 64;

/// Number of phases of the game with separate weight rows.
pub const HIDDEN_PHASES: usize = 3;

/// Number of arrows per phase of the game.
const HIDDEN_PHASE_ARROWS: usize = 15;

/// Returns the phase of the game, from 0 to 2, for a number of arrows.
#[must_use]
pub const fn hidden_phase(arrows: usize) -> usize {
    let phase = arrows / HIDDEN_PHASE_ARROWS;
    if phase < HIDDEN_PHASES {
        phase
    } else {
        HIDDEN_PHASES - 1
    }
}

/// Number of phases with separate output weights.
pub const OUTPUT_PHASES: usize = 8;

/// Number of biases of the hidden layer: one for each possible number of arrows, from 0 to 56.
pub const BIASES: usize = MAX_ARROWS + 1;

/// Number of arrows per phase of the output layer.
pub const OUTPUT_PHASE_ARROWS: usize = 7;

/// Returns the phase of the output layer, from 0 to 7, for a number of arrows.
#[must_use]
pub const fn output_phase(arrows: usize) -> usize {
    let phase = arrows / OUTPUT_PHASE_ARROWS;
    if phase < OUTPUT_PHASES {
        phase
    } else {
        OUTPUT_PHASES - 1
    }
}

/// Weights of the output layer for one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Log-odds that each filter's activation of 1 adds, in units of 1 / [`OUTPUT_UNIT`]; the range is ±
    /// [`MAX_OUTPUT`].
    pub weights: FilterWeights,
    /// Bias of the log-odds, in units of 1 / [`LOG_ODDS_ONE`].
    pub bias: i32,
    /// Factor of the linear evaluation's log-odds, in units of 1 / [`SKIP_UNIT`].
    pub skip: i32,
}

/// Value of [`Output::weights`] that stands for log-odds of 1.
pub const OUTPUT_UNIT: i32 = 1 << 10;

/// Largest absolute value of [`Output::weights`]; larger weights could overflow the 32-bit sum.
pub const MAX_OUTPUT: i16 = (1 << 12) - 1;

/// Value of [`Output::skip`] that stands for a factor of 1.
pub const SKIP_UNIT: i32 = 1 << 10;

/// Fixed-point log-odds, in units of 1 / [`LOG_ODDS_ONE`], per unit of the weighted sum of activations.
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * OUTPUT_UNIT);

/// Weights of the value network as trained: one set per filter, not yet repeated for each symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueWeights {
    /// Weight rows of the features. The row of a feature on a square has index `64·(FEATURES·phase + feature) +
    /// square`; [`hidden_phase`] returns the phase.
    pub rows: Vec<FilterWeights>,
    /// Biases of the hidden layer, by number of arrows.
    pub biases: Vec<FilterWeights>,
    /// Weights of the output layer, by [`output_phase`].
    pub outputs: [Output; OUTPUT_PHASES],
}

/// The value network, ready for evaluation: with separate weights for every activation.
pub struct ValueNetwork {
    /// Weight tables, by [`hidden_phase`].
    tables: [Box<NumberTable>; HIDDEN_PHASES],
    /// Biases of the hidden layer, by number of arrows.
    biases: [NumberRow; BIASES],
    /// Output layers by [`output_phase`], each with the weights of all activations.
    outputs: [(Output, NumberRow); OUTPUT_PHASES],
}

impl ValueWeights {
    /// Builds the network for evaluation, by repeating the filters' weights for each symmetry.
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

/// Text of the compiled-in value network, for [`parse`].
pub const WEIGHTS: &str = include_str!("value/weights.txt");

impl ValueNetwork {
    /// Returns the log-odds that the side to move wins a position in which a turn begins. `linear` is the log-odds of
    /// the linear evaluation for the side to move.
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

/// Kernel that computes the hidden layer and its weighted sum.
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

/// Returns the activations of a hidden layer: `bias` plus the rows of `table` given by `rows`, clamped to 0 to `unit`,
/// then squared. `unit` stands for 1.
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
