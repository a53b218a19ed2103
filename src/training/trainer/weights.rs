//! [`Parameters`]: full-precision weights of a network in training. [`Weights`]: the quantised weights computed from
//! them.
//!
//! Weights may be factorised: then each weight row of the hidden layer is the sum of a row of its own and of rows that
//! it shares with other squares and other phases of the game.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::adam::{AdamStep, AdamTable, MIN_ROWS_PER_TASK};
use super::hidden_layer::{Row, SQUARES, add_row, add_scaled_row};
use engine::eval::symmetry::{FILTERS, FilterWeights};
use engine::eval::value::{FEATURES, MAX_WEIGHT};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Number of weight rows of the hidden layer in each phase of the game: one row for each pair of a feature and a
/// square, with the index `64·feature + square`.
pub const FEATURE_ROWS: usize = SQUARES * FEATURES;

/// Coefficient of AdamW's weight decay: each step also multiplies a weight by 1 − learning rate · `WEIGHT_DECAY`. Only
/// networks with factorised weights have weight decay: there, each weight row of the hidden layer is the sum of three
/// rows. Two of them decay: the row's own, and the row for its feature and square, which all phases of the game share.
/// The row for its feature, which all squares and phases share, does not decay. Biases and output weights do not decay
/// either.
const WEIGHT_DECAY: f32 = 0.01;

/// Shape of a weight table: number of rows, each of [`FILTERS`] weights; quantisation scale, by which weights are
/// multiplied before they are rounded to integers; and largest absolute value of a weight before this multiplication.
#[derive(Debug)]
pub struct Shape {
    /// Number of rows of the weight table, each with [`FILTERS`] weights. [`Weights`] describes what a row belongs to.
    pub rows: usize,
    /// Quantisation scale s: the engine stores a weight w as the integer nearest to w·s, and training rounds the weight
    /// in the same way. `None` if training uses the weights of this table unrounded, because the engine stores them
    /// with little rounding error.
    pub scale: Option<f32>,
    /// Largest absolute value of a weight in this table, before it is multiplied by `scale`. Weights outside ± `max`
    /// are clamped, so that the engine's integers can hold them.
    pub max: f32,
}

impl Shape {
    /// Returns the shape of a table with `rows` rows whose weights are rounded to multiples of 1 / `scale`. The engine
    /// stores a weight as an integer from −[`MAX_WEIGHT`] to [`MAX_WEIGHT`], the weight times `scale`.
    #[must_use]
    pub const fn quantized(rows: usize, scale: i32) -> Shape {
        Shape {
            rows,
            scale: Some(scale as f32),
            max: MAX_WEIGHT as f32 / scale as f32,
        }
    }
}

/// Weight tables of a network, or the gradient of the loss with respect to all weights. A table is a list of rows.
///
/// - Table 0: weights of the hidden layer. The [`FEATURE_ROWS`] rows of phase 0 of the game come first, then those of
///   phase 1, and so on. Within a phase, row `64·feature + square` belongs to this feature (content) of this square.
/// - Table 1: biases of the hidden layer. Row n is used in positions with n arrows, 0 to 56.
/// - Other tables: weights of the output layer; two tables in the value network, seven in the policy network. The value
///   network has two more: weights of the hidden layer, a row for each pattern of a square, and those of the amazon units.
pub type Weights = Vec<Vec<Row>>;

/// Returns weight tables with the shapes `shapes`, filled with zeros.
#[must_use]
pub fn zero_weights(shapes: &[Shape]) -> Weights {
    let table = |shape: &Shape| vec![[0.0; FILTERS]; shape.rows];
    shapes.iter().map(table).collect()
}

/// Converts rows of the engine's integer weights into floating-point weights: divides them by the quantisation scale
/// `scale`.
#[must_use]
pub fn dequantize(rows: &[FilterWeights], scale: f32) -> Vec<Row> {
    let float = |weight: i16| f32::from(weight) / scale;
    rows.iter().map(|row| row.map(float)).collect()
}

/// Converts rows of floating-point weights into the engine's integers: multiplies them by the quantisation scale
/// `scale` and rounds.
#[must_use]
pub fn quantize(rows: &[Row], scale: f32) -> Vec<FilterWeights> {
    let integer = |weight: f32| (weight * scale).round() as i16;
    rows.iter().map(|row| row.map(integer)).collect()
}

/// Full-precision weights of a network, with Adam's moving averages of their gradients (first moments) and squared
/// gradients (second moments).
#[derive(Serialize, Deserialize)]
pub struct Parameters {
    /// Weight tables, in the order of [`Weights`], before quantisation. If `shared` is `None`, table 0 contains the
    /// weights of the hidden layer. If it is `Some`, row r of the hidden layer's weights is the sum of three rows: row r
    /// of table 0, and the two rows of `shared` whose indices [`shared_rows`] returns for r.
    tables: Vec<AdamTable<f32, FILTERS>>,
    /// Shared rows of the hidden layer's weights (factorised weights); `None` if the network has none. Each shared row
    /// is added to several rows of `tables[0]`, the first weight table. The shared rows are in two tables. First: a row
    /// for each feature and square, added in all phases of the game. Second: a row for each feature, added in all
    /// phases and on all squares.
    ///
    /// By the shared rows, a combination of feature, square and phase that is rare in the games also learns from other
    /// phases and squares.
    shared: Option<[AdamTable<f32, FILTERS>; 2]>,
}

/// Returns the indices of the two shared rows that are added to row `row` of the hidden layer's weights (factorised
/// weights). `row` has the index `FEATURE_ROWS·phase + 64·feature + square`. First: `64·feature + square`, in the table
/// of rows that all phases share. Second: `feature`, in the table of rows that all phases and squares share.
const fn shared_rows(row: usize) -> [usize; 2] {
    [row % FEATURE_ROWS, row / SQUARES % FEATURES]
}

impl Parameters {
    /// Returns the parameters before the first optimiser step. `initial` contains the initial weight tables, in the
    /// order of [`Weights`].
    ///
    /// `initial_shared` contains two tables of initial shared rows; it is `None` for a network without shared rows. Row
    /// `64·feature + square` of the first table is added to this row of each phase in `initial[0]`, the hidden layer's
    /// weights. Row `feature` of the second table is added to the rows of this feature for all phases and squares.
    #[must_use]
    pub fn new(initial: Weights, initial_shared: Option<[Vec<Row>; 2]>) -> Parameters {
        Parameters {
            tables: initial.into_iter().map(AdamTable::new).collect(),
            shared: initial_shared.map(|tables| tables.map(AdamTable::new)),
        }
    }

    /// Performs one step of the optimiser AdamW. `step` contains the number of the step, from 1, and its learning rate.
    ///
    /// Each element of `gradients` is the gradient of the summed losses of one part of a batch. The optimiser uses the
    /// sum of the elements times `scale`. If `scale` is 1 / batch size, this is the gradient of the mean loss.
    pub fn step(&mut self, step: AdamStep<f32>, gradients: &[Weights], scale: f32) {
        for (at, table) in self.tables.iter_mut().enumerate() {
            let mut sum = vec![[0.0; FILTERS]; table.values.len()];
            let chunks = sum.par_chunks_mut(SQUARES).enumerate();
            chunks.for_each(|(chunk, sum)| {
                for gradient in gradients {
                    add_scaled(sum, &gradient[at][chunk * SQUARES..], scale);
                }
            });
            match &mut self.shared {
                Some(shared) if at == 0 => {
                    step_shared(shared, step, &sum);
                    table.step(step, &sum, WEIGHT_DECAY);
                }
                _ => table.step(step, &sum, 0.0),
            }
        }
    }

    /// Computes the quantised weights of the network and writes them into `weights`. First adds the shared rows, if the
    /// network has any, to the rows of the hidden layer's weights. Then clamps each weight to ± [`Shape::max`], and
    /// rounds it to a multiple of 1 / [`Shape::scale`]; tables without a scale are not rounded.
    ///
    /// Also clamps the parameters themselves, so that no weight drifts away beyond its limit.
    pub fn quantize_into(&mut self, shapes: &[Shape], weights: &mut Weights) {
        let tables = self.tables.iter_mut().zip(weights);
        for ((at, shape), (table, weights)) in shapes.iter().enumerate().zip(tables) {
            let (scale, max) = (shape.scale, shape.max);
            let shared = self.shared.as_ref().filter(|_| at == 0);
            let rows = table.values.par_iter_mut().zip(weights).enumerate();
            rows.with_min_len(MIN_ROWS_PER_TASK)
                .for_each(|(row, (own, weights))| {
                    let common = shared.map_or([0.0; FILTERS], |[squares, features]| {
                        let [square, feature] = shared_rows(row);
                        let mut sum = squares.values[square];
                        add_row(&mut sum, &features.values[feature]);
                        sum
                    });
                    for filter in 0..FILTERS {
                        let common = common[filter];
                        own[filter] = own[filter].clamp(-max - common, max - common);
                        let weight = (own[filter] + common).clamp(-max, max);
                        weights[filter] = scale.map_or(weight, |scale| round_weight(weight, scale));
                    }
                });
        }
    }
}

/// Performs one optimiser step on `shared`, the two tables of [`Parameters::shared`]. Each of their rows is added to
/// several rows of the hidden layer's weights. `gradients` contains the gradient of each row of these weights. The
/// gradient of a shared row is the sum of the gradients of all rows to which it is added.
fn step_shared(shared: &mut [AdamTable<f32, FILTERS>; 2], step: AdamStep<f32>, gradients: &[Row]) {
    let [squares, features] = shared;
    let mut sums = [&*squares, features].map(|table| vec![[0.0; FILTERS]; table.values.len()]);
    for (row, gradient) in gradients.iter().enumerate() {
        for (sums, at) in sums.iter_mut().zip(shared_rows(row)) {
            add_row(&mut sums[at], gradient);
        }
    }
    squares.step(step, &sums[0], WEIGHT_DECAY);
    features.step(step, &sums[1], 0.0);
}

/// Adds each row of `rows`, multiplied by `scale`, to the row of `sum` with the same index. `rows` must have at least
/// as many rows as `sum`; any further rows are ignored.
#[inline(always)]
fn add_scaled(sum: &mut [Row], rows: &[Row], scale: f32) {
    for row in 0..sum.len() {
        add_scaled_row(&mut sum[row], &rows[row], scale);
    }
}

/// The number 1.5 · 2²³, with which a weight is rounded to an integer, ties to even. If it is added to an `f32` of at
/// most 2²² in absolute value, the sum lies between 2²³ and 2²⁴, where all `f32` are integers. It is then subtracted
/// again.
///
/// On processors without a rounding instruction, `f32::round_ties_even` calls a function for each weight, which would
/// take a seventh of the training time.
const ROUNDING_SHIFT: f32 = 1.5 * (1 << 23) as f32;

/// Returns `weight` rounded to the nearest multiple of 1 / `scale`, ties to even. |`weight` · `scale`| must be at most
/// 2²²: for larger products, the trick with [`ROUNDING_SHIFT`] does not round to integers.
#[inline(always)]
fn round_weight(weight: f32, scale: f32) -> f32 {
    (weight * scale + ROUNDING_SHIFT - ROUNDING_SHIFT) / scale
}
