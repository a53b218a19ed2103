//! Logistic regression of a table of weights: mini-batches, Adam, early stop on held-out games.

use super::regressors::Sample;
use crate::measures::{Measures, log_loss};
use crate::trainer::adam::{Step, Table};
use engine::board::MAX_ARROWS;
use engine::eval::weights::{self, COLUMNS, KNOTS, Knots, SPACING};
use engine::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS, probability};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// Largest batch. Few samples make smaller batches, so that an epoch has enough steps.
const MAX_BATCH: usize = 1 << 14;

/// Steps of an epoch if there are few samples.
const MIN_STEPS: usize = 32;

/// Length of the first steps, in standardised weights.
const FIRST_RATE: f64 = 0.03;

/// Step length at which the fit ends. The length is halved after every epoch without progress.
const LAST_RATE: f64 = 0.0002;

/// Most epochs.
const MAX_EPOCHS: usize = 300;

/// Least decrease of the held-out loss that counts as progress.
const PROGRESS: f64 = 1e-6;

/// Penalty for a step of 1 between standardised weights of neighbouring knots, in log-loss of one sample. It is tiny,
/// but ties knots without data to their neighbours.
const SMOOTHNESS: f64 = 10.0;

/// Largest log-odds that the evaluation gives.
const LIMIT: f32 = (MAX_LOG_ODDS / LOG_ODDS_ONE) as f32;

/// Weights in use, by the number of arrows.
type PhaseTable = [[f32; COLUMNS]; MAX_ARROWS + 1];

/// Fits a table to samples, beginning with another table.
///
/// Returns the table with the smallest held-out log-loss on the way, the first table included. The samples are
/// shuffled.
#[must_use]
pub fn fit(samples: &mut [Sample], held_out: &[Sample], start: &Knots) -> Knots {
    samples.shuffle(&mut SmallRng::seed_from_u64(1));
    let scale = scales(samples);
    let smoothness = SMOOTHNESS / samples.len() as f64;
    let batch = (samples.len() / MIN_STEPS).clamp(1, MAX_BATCH);
    let mut best = (loss(held_out, start), scaled(start, |at, w| w * scale[at]));
    let (mut table, mut number, mut rate) = (Table::new(best.1.to_vec()), 0, FIRST_RATE);
    for _ in 0..MAX_EPOCHS {
        for batch in samples.chunks(batch) {
            let weights = phase_table(&scaled(&table.values, |at, w| w / scale[at]));
            let gradient = scaled(&gradient(batch, &weights), |at, g| g / scale[at]);
            let gradient = add_smoothness(gradient, &table.values, smoothness);
            number += 1;
            table.step(Step { number, rate }, &gradient, 0.0);
        }
        let now = loss(held_out, &scaled(&table.values, |at, w| w / scale[at]));
        if now < best.0 - PROGRESS {
            best = (now, scaled(&table.values, |_, w| w));
            continue;
        }
        table.values.copy_from_slice(&best.1);
        rate /= 2.0;
        if rate < LAST_RATE {
            break;
        }
    }
    scaled(&best.1, |at, w| w / scale[at])
}

/// A table with a function of column and entry applied to every entry.
fn scaled(table: &[[f64; COLUMNS]], change: impl Fn(usize, f64) -> f64) -> Knots {
    let change = &change;
    let row = |knot: usize| std::array::from_fn(|column| change(column, table[knot][column]));
    std::array::from_fn(row)
}

/// Root of the mean square of every column, or 1 for columns of zeros.
fn scales(samples: &[Sample]) -> [f64; COLUMNS] {
    std::array::from_fn(|column| {
        let squares = samples
            .iter()
            .map(|sample| f64::from(sample.values[column]).powi(2));
        match (squares.sum::<f64>() / samples.len() as f64).sqrt() {
            scale if scale > 0.0 => scale,
            _ => 1.0,
        }
    })
}

/// The weights of a table by the number of arrows.
fn phase_table(table: &Knots) -> PhaseTable {
    std::array::from_fn(|arrows| weights::at(table, arrows).map(|weight| weight as f32))
}

/// Log-odds that black wins, within the evaluation's bounds.
fn log_odds(sample: &Sample, table: &PhaseTable) -> f32 {
    let weights = &table[usize::from(sample.arrows)];
    let terms = weights.iter().zip(&sample.values).map(|(w, x)| w * x);
    terms.sum::<f32>().clamp(-LIMIT, LIMIT)
}

/// Gradient of a batch's mean loss with respect to every weight.
fn gradient(batch: &[Sample], table: &PhaseTable) -> Knots {
    let mut by_phase = [[0.0_f32; COLUMNS]; MAX_ARROWS + 1];
    for sample in batch {
        let error = probability(log_odds(sample, table)) - sample.target;
        let sums = &mut by_phase[usize::from(sample.arrows)];
        for (sum, value) in sums.iter_mut().zip(&sample.values) {
            *sum += error * value;
        }
    }
    let mut by_knot = [[0.0; COLUMNS]; KNOTS];
    for (arrows, sums) in by_phase.iter().enumerate() {
        let (low, share) = (arrows / SPACING, (arrows % SPACING) as f64 / SPACING as f64);
        for (column, &sum) in sums.iter().enumerate() {
            let mean = f64::from(sum) / batch.len() as f64;
            by_knot[low][column] += (1.0 - share) * mean;
            by_knot[low + 1][column] += share * mean;
        }
    }
    by_knot
}

/// Adds the gradient of `price · Σ (difference of neighbouring knots)²`.
fn add_smoothness(mut gradient: Knots, table: &[[f64; COLUMNS]], price: f64) -> Knots {
    for low in 0..KNOTS - 1 {
        for column in 0..COLUMNS {
            let pull = 2.0 * price * (table[low + 1][column] - table[low][column]);
            gradient[low][column] -= pull;
            gradient[low + 1][column] += pull;
        }
    }
    gradient
}

/// Mean log-loss of the results under a table.
#[must_use]
pub fn loss(samples: &[Sample], table: &Knots) -> f64 {
    losses(samples, table).sum::<f64>() / samples.len() as f64
}

/// Compares the log-losses of the results under the table before a fit and after it.
#[must_use]
pub fn compared(samples: &[Sample], before: &Knots, after: &Knots) -> Measures {
    let losses = losses(samples, before).zip(losses(samples, after));
    let losses = samples.iter().zip(losses);
    let losses = losses.map(|(sample, (before, after))| (sample.arrows.into(), [before, after]));
    // The phases of the report are as long as the spacing of knots.
    Measures::new(SPACING, ["before", "after"], losses)
}

/// The log-loss of each sample's result under a table.
fn losses(samples: &[Sample], table: &Knots) -> impl Iterator<Item = f64> {
    let predicted = predicted(samples, table);
    predicted.map(|(log_odds, black_won)| log_loss(log_odds, black_won.into()))
}

/// The log-odds of each sample that black wins under a table, and whether black has won.
pub fn predicted(samples: &[Sample], table: &Knots) -> impl Iterator<Item = (f32, bool)> {
    let table = phase_table(table);
    let samples = samples.iter();
    samples.map(move |sample| (log_odds(sample, &table), sample.result > 0.5))
}
