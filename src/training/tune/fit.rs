//! Logistic regression of the evaluation's weights with Adam on mini-batches, and early stopping by the held-out loss.
//!
//! The weights depend on the number of arrows. A weight table has a row for 0, 6, 12, … arrows (every [`KNOT_STEP`]);
//! these numbers of arrows are called knots. Between two knots, the weights are interpolated linearly. Each column
//! belongs to one feature of the evaluation.

use super::regressors::Sample;
use crate::metrics::{Metrics, log_loss};
use crate::trainer::adam::{AdamStep, AdamTable};
use engine::board::MAX_ARROWS;
use engine::eval::weights::{self, COLUMNS, KNOT_STEP, KNOTS, Knots};
use engine::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS, probability};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// Maximum number of samples per mini-batch. If an epoch of such batches would have fewer than [`MIN_EPOCH_STEPS`]
/// steps, the batches are smaller.
const MAX_BATCH_SAMPLES: usize = 1 << 14;

/// Minimum number of optimiser steps per epoch. Small training sets are split into this number of mini-batches.
const MIN_EPOCH_STEPS: usize = 32;

/// Learning rate of Adam in the first epoch, for scaled weights. During the fit, each feature is divided by its root
/// mean square, and the weight of the feature is multiplied by the same number.
const INITIAL_RATE: f64 = 0.03;

/// Learning rate below which the fit ends. After each epoch that lowers the held-out loss by less than
/// [`MIN_PROGRESS`], the fit returns to the best weights so far and halves the learning rate.
const MIN_RATE: f64 = 0.0002;

/// Maximum number of epochs (passes over all samples) of a fit. A fit ends earlier if its learning rate falls below
/// [`MIN_RATE`].
const MAX_EPOCHS: usize = 300;

/// Minimum decrease of the mean held-out loss, in nats per sample, for an epoch to be accepted as an improvement.
const MIN_PROGRESS: f64 = 1e-6;

/// Strength of the penalty that makes the weights vary smoothly with the number of arrows. The fit minimises the mean
/// loss plus `SMOOTHNESS/n · Σ (w[k+1] − w[k])²`, where `n` is the number of samples. `w[k]` and `w[k+1]` are the
/// weights of one feature at neighbouring knots (0, 6, 12, … arrows). The sum is over all features and knots.
///
/// The weights in the penalty are scaled: each is multiplied by the root mean square of its feature. The penalty mainly
/// determines the weights at knots without data.
const SMOOTHNESS: f64 = 10.0;

/// Largest absolute value of the predicted log-odds that black wins; larger predictions are clamped. The engine clamps
/// its evaluation to the same limit.
const LOG_ODDS_LIMIT: f32 = (MAX_LOG_ODDS / LOG_ODDS_ONE) as f32;

/// Weights of the evaluation for each number of arrows from 0 to 56: `table[arrows][column]`, with a column for each
/// feature. They are interpolated linearly between the weights for 0, 6, 12, …, 60 arrows.
type PhaseTable = [[f32; COLUMNS]; MAX_ARROWS + 1];

/// Fits the weights of the evaluation to `samples`, starting from the weights `start`. Also changes the order of
/// `samples`, at random.
///
/// Returns the weights after the epoch with the smallest log-loss on `held_out`, or `start` if no epoch improves on it.
#[must_use]
pub fn fit(samples: &mut [Sample], held_out: &[Sample], start: &Knots) -> Knots {
    samples.shuffle(&mut SmallRng::seed_from_u64(1));
    let scale = feature_scales(samples);
    let smoothness = SMOOTHNESS / samples.len() as f64;
    let batch = (samples.len() / MIN_EPOCH_STEPS).clamp(1, MAX_BATCH_SAMPLES);
    let scaled = map_weights(start, |at, w| w * scale[at]);
    let mut best = (loss(held_out, start), scaled);
    let (mut table, mut number, mut rate) = (AdamTable::new(best.1.to_vec()), 0, INITIAL_RATE);
    for _ in 0..MAX_EPOCHS {
        for batch in samples.chunks(batch) {
            let weights = interpolate(&map_weights(&table.values, |at, w| w / scale[at]));
            let gradient = map_weights(&gradient(batch, &weights), |at, g| g / scale[at]);
            let gradient = add_smoothness(gradient, &table.values, smoothness);
            number += 1;
            table.step(AdamStep { number, rate }, &gradient, 0.0);
        }
        let loss_now = loss(held_out, &map_weights(&table.values, |at, w| w / scale[at]));
        if loss_now < best.0 - MIN_PROGRESS {
            best = (loss_now, map_weights(&table.values, |_, w| w));
            continue;
        }
        table.values.copy_from_slice(&best.1);
        rate /= 2.0;
        if rate < MIN_RATE {
            break;
        }
    }
    map_weights(&best.1, |at, w| w / scale[at])
}

/// Returns a copy of the weight table `table` in which each number `w` is replaced by `change(column, w)`. Example:
/// divide each column by the root mean square of its feature.
fn map_weights(table: &[[f64; COLUMNS]], change: impl Fn(usize, f64) -> f64) -> Knots {
    let change = &change;
    let row = |knot: usize| std::array::from_fn(|column| change(column, table[knot][column]));
    std::array::from_fn(row)
}

/// Returns, for each feature, the root mean square of its values in `samples`, or 1 if they are all 0. Divided by this
/// scale, the feature has the root mean square 1.
fn feature_scales(samples: &[Sample]) -> [f64; COLUMNS] {
    std::array::from_fn(|column| {
        let squares = samples
            .iter()
            .map(|sample| f64::from(sample.features[column]).powi(2));
        match (squares.sum::<f64>() / samples.len() as f64).sqrt() {
            scale if scale > 0.0 => scale,
            _ => 1.0,
        }
    })
}

/// Returns the weights for every number of arrows from 0 to 56, interpolated linearly between the rows of `table`,
/// which are for 0, 6, 12, … arrows.
fn interpolate(table: &Knots) -> PhaseTable {
    std::array::from_fn(|arrows| weights::interpolated(table, arrows).map(|weight| weight as f32))
}

/// Predicts the log-odds that black wins from the position of `sample`: the sum of its features, each times its weight
/// in `table` for the number of arrows. Returns them clamped to ± [`LOG_ODDS_LIMIT`].
fn log_odds(sample: &Sample, table: &PhaseTable) -> f32 {
    let weights = &table[usize::from(sample.arrows)];
    let terms = weights.iter().zip(&sample.features).map(|(w, x)| w * x);
    terms.sum::<f32>().clamp(-LOG_ODDS_LIMIT, LOG_ODDS_LIMIT)
}

/// Returns the gradient of the batch's mean log-loss with respect to the weights for 0, 6, 12, … arrows. `table`
/// contains the weights for every number of arrows, which are interpolated from the weights for these numbers.
fn gradient(batch: &[Sample], table: &PhaseTable) -> Knots {
    let mut by_phase = [[0.0_f32; COLUMNS]; MAX_ARROWS + 1];
    for sample in batch {
        let error = probability(log_odds(sample, table)) - sample.result;
        let sums = &mut by_phase[usize::from(sample.arrows)];
        for (sum, value) in sums.iter_mut().zip(&sample.features) {
            *sum += error * value;
        }
    }
    let mut by_knot = [[0.0; COLUMNS]; KNOTS];
    for (arrows, sums) in by_phase.iter().enumerate() {
        let low = arrows / KNOT_STEP;
        let fraction = (arrows % KNOT_STEP) as f64 / KNOT_STEP as f64;
        for (column, &sum) in sums.iter().enumerate() {
            let mean = f64::from(sum) / batch.len() as f64;
            by_knot[low][column] += (1.0 - fraction) * mean;
            by_knot[low + 1][column] += fraction * mean;
        }
    }
    by_knot
}

/// Returns `gradient` plus the gradient of the smoothness penalty `penalty · Σ (w[k+1] − w[k])²`. `w[k]` is a weight in
/// row `k` of `table`; the sum is over all pairs of neighbouring rows and over all columns.
fn add_smoothness(mut gradient: Knots, table: &[[f64; COLUMNS]], penalty: f64) -> Knots {
    for low in 0..KNOTS - 1 {
        for column in 0..COLUMNS {
            let pull = 2.0 * penalty * (table[low + 1][column] - table[low][column]);
            gradient[low][column] -= pull;
            gradient[low + 1][column] += pull;
        }
    }
    gradient
}

/// Returns the mean log-loss, in nats, of predicting the samples' game results with the weights `table`.
#[must_use]
pub fn loss(samples: &[Sample], table: &Knots) -> f64 {
    losses(samples, table).sum::<f64>() / samples.len() as f64
}

/// Compares the weights before a fit with those after it: returns the log-losses with which both predict the samples'
/// game results, in groups by the number of arrows.
#[must_use]
pub fn compare(samples: &[Sample], before: &Knots, after: &Knots) -> Metrics {
    let losses = losses(samples, before).zip(losses(samples, after));
    let losses = samples.iter().zip(losses);
    let losses = losses.map(|(sample, (before, after))| (sample.arrows.into(), [before, after]));
    // The samples are grouped by the number of arrows: 0 to 5, 6 to 11 and so on. Each group begins at a knot, one of
    // the numbers 0, 6, 12, … of arrows for which the table has a row of weights.
    Metrics::new(KNOT_STEP, ["before", "after"], losses)
}

/// Returns, for each sample, the log-loss in nats with which the weights `table` predict the result of its game.
fn losses(samples: &[Sample], table: &Knots) -> impl Iterator<Item = f64> {
    let table = interpolate(table);
    let samples = samples.iter();
    samples.map(move |sample| log_loss(log_odds(sample, &table), (sample.result > 0.5).into()))
}
