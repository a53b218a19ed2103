//! Weights of a network in training: full-precision parameters with factorised features, and the quantised weights made
//! from them.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::adam::{AdamStep, AdamTable, MIN_ROWS_PER_TASK};
use super::hidden_layer::{Row, SQUARES};
use engine::eval::symmetry::{FILTERS, FilterWeights};
use engine::eval::value::{FEATURES, MAX_WEIGHT};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Number of weight rows for all pairs of a feature and a square; row `64·feature + square` belongs to a pair.
pub const FEATURE_ROWS: usize = SQUARES * FEATURES;

/// Coefficient of AdamW's weight decay: each step multiplies a weight by 1 − learning rate · `WEIGHT_DECAY`. Used only
/// for networks with factorised weights: for the first table, and for the rows that are shared across phases.
const WEIGHT_DECAY: f32 = 0.01;

/// Shape of a weight table: its number of rows, and the quantisation and range of its weights. A row has [`FILTERS`]
/// weights.
#[derive(Debug)]
pub struct Shape {
    /// Number of rows.
    pub rows: usize,
    /// Quantisation scale: the integer that stands for a weight of 1 in the engine. `None` if training does not
    /// quantise the weights, because the engine's integers are precise enough.
    pub unit: Option<f32>,
    /// Largest absolute value of a weight, before it is multiplied by the scale.
    pub max: f32,
}

impl Shape {
    /// Returns the shape of a table whose weights are quantised to multiples of 1 / `unit` and stored as integers
    /// within ± [`MAX_WEIGHT`].
    #[must_use]
    pub const fn quantized(rows: usize, unit: i32) -> Shape {
        Shape {
            rows,
            unit: Some(unit as f32),
            max: MAX_WEIGHT as f32 / unit as f32,
        }
    }
}

/// Weight tables of a network, or the gradient of the loss with respect to them; a table is a list of rows.
///
/// - Table 0: weight rows of the hidden layer, one for each feature and square, repeated for each phase of the game.
/// - Table 1: biases of the hidden layer, one row for each number of arrows.
/// - Other tables: weights of the output layer.
pub type Weights = Vec<Vec<Row>>;

/// Returns weight tables with the given shapes, filled with zeros.
#[must_use]
pub fn zero_weights(shapes: &[Shape]) -> Weights {
    let table = |shape: &Shape| vec![[0.0; FILTERS]; shape.rows];
    shapes.iter().map(table).collect()
}

/// Converts rows of the engine's integer weights into floating-point weights, by division by the quantisation scale
/// `unit`.
#[must_use]
pub fn dequantize(rows: &[FilterWeights], unit: f32) -> Vec<Row> {
    let float = |weight: i16| f32::from(weight) / unit;
    rows.iter().map(|row| row.map(float)).collect()
}

/// Converts rows of floating-point weights into the engine's integers: multiplies by the quantisation scale `unit` and
/// rounds.
#[must_use]
pub fn quantize(rows: &[Row], unit: f32) -> Vec<FilterWeights> {
    let integer = |weight: f32| (weight * unit).round() as i16;
    rows.iter().map(|row| row.map(integer)).collect()
}

/// Full-precision weights of a network, with the moving averages of the optimiser.
#[derive(Serialize, Deserialize)]
pub struct Parameters {
    /// Tables in the order of [`Weights`]. If `shared` is set, table 0 holds only each row's own summand.
    tables: Vec<AdamTable<f32, FILTERS>>,
    /// Factorised weights of table 0, `None` if the network does not use them. The first table has a row for each
    /// feature and square, shared across phases; the second has a row for each feature, shared across phases and
    /// squares.
    ///
    /// The network's weight row is the sum of its own row and these two, so rare combinations of feature, square and
    /// phase learn from frequent ones.
    shared: Option<[AdamTable<f32, FILTERS>; 2]>,
}

/// Returns the indices of the two shared rows that are added to row `row` of table 0: the row in the first and in the
/// second table of [`Parameters::shared`].
const fn shared_rows(row: usize) -> [usize; 2] {
    [row % FEATURE_ROWS, row / SQUARES % FEATURES]
}

impl Parameters {
    /// Returns the parameters before the first optimiser step. `first` are the initial weights; `shared` are the
    /// initial factorised weights of table 0, or `None` for a network without them.
    #[must_use]
    pub fn new(first: Weights, shared: Option<[Vec<Row>; 2]>) -> Parameters {
        Parameters {
            tables: first.into_iter().map(AdamTable::new).collect(),
            shared: shared.map(|tables| tables.map(AdamTable::new)),
        }
    }

    /// Performs an optimiser step. The gradient is the sum of `gradients`, one for each shard of the batch, multiplied
    /// by `scale`: 1 / batch size for the gradient of the mean loss.
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

    /// Clamps all parameters to the ranges in `shapes`, adds up the factorised weights, and writes the quantised
    /// weights into `weights`.
    pub fn quantize_into(&mut self, shapes: &[Shape], weights: &mut Weights) {
        let tables = self.tables.iter_mut().zip(weights);
        for ((at, shape), (table, weights)) in shapes.iter().enumerate().zip(tables) {
            let (unit, max) = (shape.unit, shape.max);
            let shared = self.shared.as_ref().filter(|_| at == 0);
            let rows = table.values.par_iter_mut().zip(weights).enumerate();
            rows.with_min_len(MIN_ROWS_PER_TASK)
                .for_each(|(row, (own, weights))| {
                    let common = shared.map_or([0.0; FILTERS], |[squares, features]| {
                        let [square, feature] = shared_rows(row);
                        add(&squares.values[square], &features.values[feature])
                    });
                    for filter in 0..FILTERS {
                        let common = common[filter];
                        own[filter] = own[filter].clamp(-max - common, max - common);
                        let weight = (own[filter] + common).clamp(-max, max);
                        weights[filter] = unit.map_or(weight, |unit| round_to_unit(weight, unit));
                    }
                });
        }
    }
}

/// Performs an optimiser step on the factorised weights. `gradients` has one row for each row of table 0. The gradient
/// of a shared row is the sum of the gradients of all rows to which it is added.
fn step_shared(shared: &mut [AdamTable<f32, FILTERS>; 2], step: AdamStep<f32>, gradients: &[Row]) {
    let [squares, features] = shared;
    let mut sums = [&*squares, features].map(|table| vec![[0.0; FILTERS]; table.values.len()]);
    for (row, gradient) in gradients.iter().enumerate() {
        for (sums, at) in sums.iter_mut().zip(shared_rows(row)) {
            sums[at] = add(&sums[at], gradient);
        }
    }
    squares.step(step, &sums[0], WEIGHT_DECAY);
    features.step(step, &sums[1], 0.0);
}

/// Returns the element-wise sum of two weight rows.
#[inline(always)]
fn add(one: &Row, other: &Row) -> Row {
    let mut sum = *one;
    for filter in 0..FILTERS {
        sum[filter] += other[filter];
    }
    sum
}

/// Adds `rows`, multiplied by `scale`, to `sum`, row by row; `rows` has at least as many rows as `sum`.
#[inline(always)]
fn add_scaled(sum: &mut [Row], rows: &[Row], scale: f32) {
    for row in 0..sum.len() {
        for filter in 0..FILTERS {
            sum[row][filter] += rows[row][filter] * scale;
        }
    }
}

/// Number whose addition and subtraction rounds a small `f32` to an integer, ties to even: 1.5 · 2²³, where adjacent
/// floating-point numbers differ by 1.
///
/// On processors without an instruction for rounding, the standard function costs a call per weight, a seventh of the
/// training time.
const ROUNDING_SHIFT: f32 = 1.5 * (1 << 23) as f32;

/// Quantises a weight: rounds it to a multiple of 1 / `unit`. |`weight` · `unit`| must be far below [`ROUNDING_SHIFT`].
#[inline(always)]
fn round_to_unit(weight: f32, unit: f32) -> f32 {
    (weight * unit + ROUNDING_SHIFT - ROUNDING_SHIFT) / unit
}
