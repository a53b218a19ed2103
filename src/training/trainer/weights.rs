//! The weights of a network in training, before and after quantisation to the engine's integers, with factorised features.
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

/// Number of rows of a weight table with one row for each pair of a feature and a square.
pub const FEATURE_ROWS: usize = SQUARES * FEATURES;

/// Weight decay per step, in units of the learning rate, of the first table and the rows shared across phases; only for
/// networks with factorised weights.
const WEIGHT_DECAY: f32 = 0.01;

/// Size of a weight table, and quantisation and limit of its weights.
#[derive(Debug)]
pub struct Shape {
    pub rows: usize,
    /// Quantisation scale: the engine's integer for a weight of 1. `None` if the weights are not quantised in training,
    /// because the engine's integers are precise enough.
    pub unit: Option<f32>,
    /// Largest absolute value of a weight.
    pub max: f32,
}

impl Shape {
    /// Returns the shape of a table whose weights are quantised to multiples of 1 / `unit`.
    #[must_use]
    pub const fn quantized(rows: usize, unit: i32) -> Shape {
        Shape {
            rows,
            unit: Some(unit as f32),
            max: MAX_WEIGHT as f32 / unit as f32,
        }
    }
}

/// The weight tables of a network, or the gradient of the loss with respect to them. Table 0 has a row for each feature and
/// square, and for each phase of the game if the network distinguishes phases. Table 1 has the biases of the hidden layer, a
/// row for each number of arrows. The other tables belong to the output layer.
pub type Weights = Vec<Vec<Row>>;

/// Returns weight tables of these shapes, filled with zeros.
#[must_use]
pub fn zero_weights(shapes: &[Shape]) -> Weights {
    let table = |shape: &Shape| vec![[0.0; FILTERS]; shape.rows];
    shapes.iter().map(table).collect()
}

/// Converts rows of the engine's integers into floating-point weights; the integer `unit` stands for 1.
#[must_use]
pub fn dequantize(rows: &[FilterWeights], unit: f32) -> Vec<Row> {
    let float = |weight: i16| f32::from(weight) / unit;
    rows.iter().map(|row| row.map(float)).collect()
}

/// Converts rows of floating-point weights into the engine's integers by rounding; the integer `unit` stands for 1.
#[must_use]
pub fn quantize(rows: &[Row], unit: f32) -> Vec<FilterWeights> {
    let integer = |weight: f32| (weight * unit).round() as i16;
    rows.iter().map(|row| row.map(integer)).collect()
}

/// Weights of a network before quantisation, with the moving averages of the optimiser.
#[derive(Serialize, Deserialize)]
pub struct Parameters {
    tables: Vec<AdamTable<f32, FILTERS>>,
    /// Factorised weights of the first table, if the network uses them: rows for each feature and square, shared across game
    /// phases, and rows for each feature, shared across phases and squares. The network's row is the sum of a row's own weights
    /// and these two. So rare combinations of feature, square and phase learn from frequent ones.
    shared: Option<[AdamTable<f32, FILTERS>; 2]>,
}

/// Returns the indices of the two rows of [`Parameters::shared`] that are added to row `row` of the first table.
const fn shared_rows(row: usize) -> [usize; 2] {
    [row % FEATURE_ROWS, row / SQUARES % FEATURES]
}

impl Parameters {
    /// Returns the parameters of a network before the first optimiser step. `first` are the initial weights, and `shared` are
    /// the initial factorised weights of the first table.
    #[must_use]
    pub fn new(first: Weights, shared: Option<[Vec<Row>; 2]>) -> Parameters {
        Parameters {
            tables: first.into_iter().map(AdamTable::new).collect(),
            shared: shared.map(|tables| tables.map(AdamTable::new)),
        }
    }

    /// Performs an optimiser step. The gradient is the sum of `gradients`, one for each shard of the batch, times `scale`.
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

    /// Clamps all parameters to the limits in `shapes`, adds up factorised weights, and writes the quantised weights into
    /// `weights`.
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

/// Performs an optimiser step on the factorised rows. The gradient of a shared row is the sum of the gradients of all rows
/// that share it.
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

/// Adds two weight rows.
#[inline(always)]
fn add(one: &Row, other: &Row) -> Row {
    let mut sum = *one;
    for filter in 0..FILTERS {
        sum[filter] += other[filter];
    }
    sum
}

/// Adds `rows`, multiplied by `scale`, to `sum`.
#[inline(always)]
fn add_scaled(sum: &mut [Row], rows: &[Row], scale: f32) {
    for row in 0..sum.len() {
        for filter in 0..FILTERS {
            sum[row][filter] += rows[row][filter] * scale;
        }
    }
}

/// Adding and subtracting this number rounds an `f32` to an integer, ties to even: at 1.5 · 2²³, floating-point
/// numbers have no fractional bits. The standard rounding function would be a function call for each weight on processors
/// without an instruction for it, and took a seventh of the training time.
const ROUNDING_SHIFT: f32 = 1.5 * (1 << 23) as f32;

/// Quantises a weight: rounds it to a multiple of 1 / `unit`. The weight in this unit must be far below [`ROUNDING_SHIFT`].
#[inline(always)]
fn round_to_unit(weight: f32, unit: f32) -> f32 {
    (weight * unit + ROUNDING_SHIFT - ROUNDING_SHIFT) / unit
}
