//! The weights of a network in training: as the engine will have them, and what they are before they are rounded.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::adam::{MIN_ROWS, Step, Table};
use super::images::{Row, SQUARES};
use engine::eval::images::{FILTERS, Filters};
use engine::eval::network::{KINDS, MAX_WEIGHT};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Rows of a table with one for each square of each kind.
pub const KIND_ROWS: usize = SQUARES * KINDS;

/// Share of the learning rate by which a step shrinks rows of the first table, if kinds share theirs.
const DECAY: f32 = 0.01;

/// What the weights of a table can be.
#[derive(Debug)]
pub struct Shape {
    pub rows: usize,
    /// What a weight of 1 is in the engine, to whose integers weights are rounded. Nothing if they are fine enough
    /// without.
    pub unit: Option<f32>,
    /// Largest weight.
    pub max: f32,
}

impl Shape {
    /// A table of integers in 1 / `unit`.
    #[must_use]
    pub const fn of_integers(rows: usize, unit: i32) -> Shape {
        Shape {
            rows,
            unit: Some(unit as f32),
            max: MAX_WEIGHT as f32 / unit as f32,
        }
    }
}

/// The weights of a network, or the gradient of the loss in each of them, table by table. In the first one every square of
/// every kind has a row, in each part of a game if the network tells these apart. The second holds the biases by number of
/// arrows.
pub type Weights = Vec<Vec<Row>>;

/// Returns weights of zero.
#[must_use]
pub fn zero(shapes: &[Shape]) -> Weights {
    let table = |shape: &Shape| vec![[0.0; FILTERS]; shape.rows];
    shapes.iter().map(table).collect()
}

/// The engine's weights of some rows, of which `unit` is 1.
#[must_use]
pub fn of_integers(rows: &[Filters], unit: f32) -> Vec<Row> {
    let real = |weight: i16| f32::from(weight) / unit;
    rows.iter().map(|row| row.map(real)).collect()
}

/// Rows as the engine has them, in which `unit` is 1.
#[must_use]
pub fn to_integers(rows: &[Row], unit: f32) -> Vec<Filters> {
    let integer = |weight: f32| (weight * unit).round() as i16;
    rows.iter().map(|row| row.map(integer)).collect()
}

/// The parameters of a network: what its weights are before they are rounded, with what the optimiser remembers.
#[derive(Serialize, Deserialize)]
pub struct Parameters {
    tables: Vec<Table<f32, FILTERS>>,
    /// What the rows of the first table have in common, if anything: a row for each square of each kind, the same in all
    /// parts of a game, and one for each kind. A row is the sum of its own and these two, so parts and squares in which a kind
    /// is rare learn from the others.
    shared: Option<[Table<f32, FILTERS>; 2]>,
}

/// The rows of [`Parameters::shared`] that belong to a row of the first table.
const fn shared_rows(row: usize) -> [usize; 2] {
    [row % KIND_ROWS, row / SQUARES % KINDS]
}

impl Parameters {
    /// First parameters of a network: the rows of its tables, and those that are shared.
    #[must_use]
    pub fn new(first: Weights, shared: Option<[Vec<Row>; 2]>) -> Parameters {
        Parameters {
            tables: first.into_iter().map(Table::new).collect(),
            shared: shared.map(|tables| tables.map(Table::new)),
        }
    }

    /// Moves all parameters against the sum of the shards' gradients, each multiplied by `scale`.
    pub fn step(&mut self, step: Step<f32>, gradients: &[Weights], scale: f32) {
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
                    table.step(step, &sum, DECAY);
                }
                _ => table.step(step, &sum, 0.0),
            }
        }
    }

    /// Limits all parameters to what `shapes` allow, and rounds them to `weights`.
    pub fn round(&mut self, shapes: &[Shape], weights: &mut Weights) {
        let tables = self.tables.iter_mut().zip(weights);
        for ((at, shape), (table, weights)) in shapes.iter().enumerate().zip(tables) {
            let (unit, max) = (shape.unit, shape.max);
            let shared = self.shared.as_ref().filter(|_| at == 0);
            let rows = table.values.par_iter_mut().zip(weights).enumerate();
            rows.with_min_len(MIN_ROWS)
                .for_each(|(row, (own, weights))| {
                    let common = shared.map_or([0.0; FILTERS], |[squares, kinds]| {
                        let [square, kind] = shared_rows(row);
                        sum(&squares.values[square], &kinds.values[kind])
                    });
                    for filter in 0..FILTERS {
                        let common = common[filter];
                        own[filter] = own[filter].clamp(-max - common, max - common);
                        let weight = (own[filter] + common).clamp(-max, max);
                        weights[filter] = unit.map_or(weight, |unit| rounded(weight, unit));
                    }
                });
        }
    }
}

/// Moves shared rows against the sum of the gradients in the rows that share them.
fn step_shared(shared: &mut [Table<f32, FILTERS>; 2], step: Step<f32>, gradients: &[Row]) {
    let [squares, kinds] = shared;
    let mut sums = [&*squares, kinds].map(|table| vec![[0.0; FILTERS]; table.values.len()]);
    for (row, gradient) in gradients.iter().enumerate() {
        for (sums, at) in sums.iter_mut().zip(shared_rows(row)) {
            sums[at] = sum(&sums[at], gradient);
        }
    }
    squares.step(step, &sums[0], DECAY);
    kinds.step(step, &sums[1], 0.0);
}

/// The sum of two rows.
#[inline(always)]
fn sum(one: &Row, other: &Row) -> Row {
    let mut sum = *one;
    for filter in 0..FILTERS {
        sum[filter] += other[filter];
    }
    sum
}

/// Adds rows, multiplied by a number, to others.
#[inline(always)]
fn add_scaled(sum: &mut [Row], rows: &[Row], scale: f32) {
    for row in 0..sum.len() {
        for filter in 0..FILTERS {
            sum[row][filter] += rows[row][filter] * scale;
        }
    }
}

/// So large that a number that is added to it loses its fraction, ties to even. The function for that is a call for each
/// weight where the compiler may not use newer instructions, and took a seventh of a training.
const ROUNDING: f32 = 1.5 * (1 << 23) as f32;

/// A weight as the engine will have it: an integer in 1 / `unit`, far below [`ROUNDING`].
#[inline(always)]
fn rounded(weight: f32, unit: f32) -> f32 {
    (weight * unit + ROUNDING - ROUNDING) / unit
}
