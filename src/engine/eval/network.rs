//! The network: the value of a position in which a turn begins, learned from games of self-play.
//!
//! Every square looks up a row of weights for its kind, see [`KINDS`], in the table of one of three [parts](part) of a game. A
//! bias for the number of arrows and these rows add up to the hidden layer, which is clamped to 0 to 1 and squared. It is
//! one of [`images`], so the network judges a position as it judges its mirror images. The output is linear,
//! with weights of its own for each phase. The log-odds of the cheap evaluation are one more of its inputs. All arithmetic
//! is on integers, so every machine computes the same.
//!
//! Such a network sees each position afresh: an arrow changes many distances at once, and little is left to update.

mod coding;
pub(super) mod forecast;
mod inputs;
pub(super) mod text;

pub use forecast::MAX_WEIGHT;
pub use inputs::{KINDS, rows, rows_of};
pub use text::{parse, write};

use super::images::{self, Filters, row};
use super::{LOG_ODDS_ONE, within_bounds};
use crate::bitboard::{Kernel, Lanes, NumberRow, NumberTable, widest};
use crate::board::{Board, MAX_ARROWS};

/// Numbers of the hidden layer.
pub const HIDDEN: usize = NumberRow::LEN;

/// A hidden number of 1, and the unit of the weights of the rows.
pub const UNIT: i32 = 64;

/// Parts of a game with weights of their own for the kinds of squares.
pub const PARTS: usize = 3;

/// Arrows from one part to the next.
const PART_ARROWS: usize = 15;

/// The part of a game to which a number of arrows belongs.
#[must_use]
pub const fn part(arrows: usize) -> usize {
    let part = arrows / PART_ARROWS;
    if part < PARTS { part } else { PARTS - 1 }
}

/// Phases with output weights of their own.
pub const PHASES: usize = 8;

/// Numbers of arrows, each with a bias of the hidden layer.
pub const BIASES: usize = MAX_ARROWS + 1;

/// Arrows from one phase to the next.
pub const PHASE_ARROWS: usize = 7;

/// The phase of a number of arrows.
#[must_use]
pub const fn phase(arrows: usize) -> usize {
    let phase = arrows / PHASE_ARROWS;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// The output layer of one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// What a filter's hidden number of 1 adds to the log-odds, in 1 / [`OUTPUT_UNIT`]; at most [`MAX_OUTPUT`] either way.
    pub weights: Filters,
    /// Log-odds in units of 1 / [`LOG_ODDS_ONE`].
    pub bias: i32,
    /// Factor of the cheap evaluation's log-odds, in 1 / [`SKIP_UNIT`].
    pub skip: i32,
}

/// A log-odds of 1 in [`Output::weights`].
pub const OUTPUT_UNIT: i32 = 1 << 10;

/// The largest of [`Output::weights`], so that no sum of them leaves 32 bits.
pub const MAX_OUTPUT: i16 = (1 << 12) - 1;

/// A factor of 1 in [`Output::skip`].
pub const SKIP_UNIT: i32 = 1 << 10;

/// Steps of the fixed-point log-odds for one step of the sum over the hidden layer.
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * OUTPUT_UNIT);

/// The weights of a network, without the repetitions by symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueWeights {
    /// What a square adds to the hidden layer: 64 times ([`KINDS`] times the part of the game, plus its kind), plus the
    /// square, is the entry.
    pub rows: Vec<Filters>,
    /// The hidden layer before any square, by number of arrows.
    pub biases: Vec<Filters>,
    /// By phase.
    pub outputs: [Output; PHASES],
}

/// A network with a weight for every hidden number.
pub struct Network {
    /// By part of the game.
    tables: [Box<NumberTable>; PARTS],
    /// The hidden layer before any square, by number of arrows.
    biases: [NumberRow; BIASES],
    /// By phase, with its weights for every hidden number.
    outputs: [(Output, NumberRow); PHASES],
}

impl ValueWeights {
    /// Repeats the weights by symmetry.
    #[must_use]
    pub fn network(&self) -> Network {
        let rows = |part: usize| &self.rows[part * KINDS * 64..][..KINDS * 64];
        Network {
            tables: std::array::from_fn(|part| images::table(rows(part))),
            biases: std::array::from_fn(|arrows| row(|_| self.biases[arrows])),
            outputs: self.outputs.map(|output| (output, row(|_| output.weights))),
        }
    }
}

/// The text of the network that is compiled in.
pub const WEIGHTS: &str = include_str!("network/weights.txt");

impl Network {
    /// Log-odds that the player to move wins a position in which a turn begins. `cheap` are those by the evaluation
    /// that the search orders moves with.
    ///
    /// Both in units of 1 / [`LOG_ODDS_ONE`] and within ±
    /// [`MAX_LOG_ODDS`](super::MAX_LOG_ODDS).
    #[must_use]
    pub fn log_odds(&self, board: &Board, cheap: i32) -> i32 {
        let arrows = board.arrow_count();
        let (output, weights) = &self.outputs[phase(arrows)];
        let sum = widest(Sum {
            bias: &self.biases[arrows],
            table: &self.tables[part(arrows)],
            board,
            weights,
        });
        let skip = i64::from(cheap) * i64::from(output.skip) / i64::from(SKIP_UNIT);
        within_bounds(i64::from(sum) * i64::from(SUM_STEP) + i64::from(output.bias) + skip)
    }
}

/// The hidden layer and its weighted sum, as a kernel.
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
        let rows = rows_of::<L>(self.board);
        let hidden = activated::<L>(self.bias, self.table, &rows, UNIT as i16);
        L::dot(&hidden, [self.weights])
    }
}

/// A hidden layer: the sum of a bias and of the rows of a table, clamped to 0 to 1 and squared. `unit` is a 1 before it is
/// squared.
#[inline(always)]
pub(super) fn activated<L: Lanes>(
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
