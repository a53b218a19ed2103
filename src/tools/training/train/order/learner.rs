//! The learner of the order network: its weights with their moments, and the step that a batch makes.
//!
//! After every step weights are rounded to the engine's integers, so that what is trained is what will be played.

use super::super::adam::{Parameters, Step};
use super::model::{AddSlopes, Row, TABLES, UNITS, Weights, max_weight};
use super::samples::Sample;
use crate::bitboard::{Kernel, Lanes, widest};
use crate::eval::order::FILTERS;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// Parts of a batch, each with slopes of its own. They are summed in order, so that the result does not depend on how
/// many threads work on them; more threads would be idle.
pub const SHARDS: usize = 8;

/// First weights of a table lie between this and its negative. Kinds of squares have none.
const FIRST: [f32; TABLES] = [0.05, 0.0, 0.3, 0.3, 0.3, 0.0];

/// First biases of the hidden layer.
const FIRST_BIAS: f32 = 0.3;

/// Place of the biases among the tables.
const BIASES: usize = 1;

/// How a batch is learnt.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Learning rate.
    pub rate: f32,
    /// How far slopes leak, see [`LEAK`](super::super::model::LEAK).
    pub leak: f32,
}

/// An order network in training.
pub struct Learner {
    /// The network as the engine will have it: all weights are rounded.
    pub weights: Weights,
    tables: [Parameters<FILTERS>; TABLES],
    steps: u32,
    /// The slopes of each part of a batch.
    slopes: Vec<Weights>,
}

impl Learner {
    /// A random network.
    #[must_use]
    pub fn new(seed: u64) -> Learner {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut first = Weights::zero();
        for (table, limit) in first.tables.iter_mut().zip(FIRST) {
            if limit > 0.0 {
                table
                    .as_flattened_mut()
                    .fill_with(|| random.random_range(-limit..limit));
            }
        }
        first.tables[BIASES].fill([FIRST_BIAS; FILTERS]);
        let mut learner = Learner {
            weights: first.clone(),
            tables: first.tables.map(Parameters::new),
            steps: 0,
            slopes: vec![Weights::zero(); SHARDS],
        };
        for table in 0..TABLES {
            round(
                table,
                &mut learner.tables[table].values,
                &mut learner.weights.tables[table],
            );
        }
        learner
    }

    /// Learns from a batch of samples, told by their places. Returns the sum of the losses before the step.
    pub fn learn(&mut self, batch: &[u32], samples: &[Sample], lesson: Lesson) -> f64 {
        let Lesson { rate, leak } = lesson;
        let weights = &self.weights;
        let parts = batch.par_chunks(batch.len().div_ceil(SHARDS));
        let losses = parts.zip(&mut self.slopes).map(|(part, slopes)| {
            slopes.clear();
            // All samples at once: the memory answers faster.
            let part = part.iter().map(|&at| samples[at as usize]);
            let samples: Vec<Sample> = part.collect();
            widest(AddSlopes {
                weights,
                samples: &samples,
                leak,
                slopes,
            })
        });
        let losses: Vec<f64> = losses.collect();
        self.steps += 1;
        widest(StepAll {
            parts: &self.slopes[..losses.len()],
            scale: 1.0 / batch.len() as f32,
            step: Step::new(self.steps, rate),
            tables: &mut self.tables,
            weights: &mut self.weights,
        });
        losses.iter().sum()
    }
}

/// A step of all weights against the sum of the parts' slopes, each multiplied by `scale`, as a kernel.
struct StepAll<'a> {
    parts: &'a [Weights],
    scale: f32,
    step: Step,
    tables: &'a mut [Parameters<FILTERS>; TABLES],
    /// The rounded weights.
    weights: &'a mut Weights,
}

impl Kernel for StepAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for table in 0..TABLES {
            let parameters = &mut self.tables[table];
            let mut slopes = vec![[0.0; FILTERS]; parameters.values.len()];
            for part in self.parts {
                add_scaled(&mut slopes, &part.tables[table], self.scale);
            }
            self.step.take(parameters, &slopes, 0.0);
            round(
                table,
                &mut parameters.values,
                &mut self.weights.tables[table],
            );
        }
    }
}

/// Adds rows, multiplied by a number, to others.
#[inline(always)]
fn add_scaled(sum: &mut [Row], rows: &[Row], scale: f32) {
    for (sum, row) in sum.iter_mut().zip(rows) {
        for filter in 0..FILTERS {
            sum[filter] += row[filter] * scale;
        }
    }
}

/// Limits the weights of a table to the engine's range and rounds them.
#[inline(always)]
fn round(table: usize, values: &mut [Row], rounded: &mut [Row]) {
    let (max, unit) = (max_weight(table), UNITS[table]);
    for (row, rounded) in values.iter_mut().zip(rounded) {
        for filter in 0..FILTERS {
            row[filter] = row[filter].clamp(-max, max);
            rounded[filter] = (row[filter] * unit).round_ties_even() / unit;
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::samples::tests::random_samples;
    use super::*;
    use rayon::ThreadPoolBuilder;

    const LESSON: Lesson = Lesson {
        rate: 0.01,
        leak: 0.1,
    };

    /// The weights after some steps.
    fn trained(samples: &[Sample]) -> Weights {
        let mut learner = Learner::new(1);
        let batch: Vec<u32> = (0..samples.len() as u32).collect();
        for _ in 0..20 {
            learner.learn(&batch, samples, LESSON);
        }
        learner.weights
    }

    #[test]
    fn weights_do_not_depend_on_the_threads() {
        let samples = random_samples(5);
        let [one, many] = [1, 5].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            pool.install(|| trained(&samples))
        });
        assert_eq!(one, many);
    }

    #[test]
    fn weights_are_the_integers_of_the_engine_at_every_step() {
        let weights = trained(&random_samples(5));
        for (table, rows) in weights.tables.iter().enumerate() {
            for number in rows.as_flattened() {
                let integer = number * UNITS[table];
                assert_eq!(integer, integer.round());
                assert!(integer.abs() <= 45.0, "table {table}: {integer}");
            }
            assert_ne!(*rows, Learner::new(1).weights.tables[table], "it learns");
        }
    }
}
