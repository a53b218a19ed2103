//! Logistic regression of the phase weights with Adam on mini-batches, and early stopping by the held-out loss.
//!
//! Weights are given at knots, fixed numbers of arrows, and interpolated linearly in between.

use super::regressors::Sample;
use crate::metrics::{Metrics, log_loss};
use crate::trainer::adam::{AdamStep, AdamTable};
use engine::board::MAX_ARROWS;
use engine::eval::weights::{self, COLUMNS, KNOTS, Knots, SPACING};
use engine::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS, probability};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// Maximum number of samples in a batch. Small training sets have smaller batches, so that an epoch has enough steps.
const MAX_BATCH_SAMPLES: usize = 1 << 14;

/// Minimum number of optimiser steps per epoch; it limits the batch size for small training sets.
const MIN_EPOCH_STEPS: usize = 32;

/// Initial learning rate, for weights of standardised features.
const INITIAL_RATE: f64 = 0.03;

/// Learning rate below which the fit ends. The rate is halved after every epoch without progress.
const MIN_RATE: f64 = 0.0002;

/// Maximum number of epochs of a fit.
const MAX_EPOCHS: usize = 300;

/// Minimum decrease of the held-out loss, in nats, for an epoch to count as progress.
const MIN_PROGRESS: f64 = 1e-6;

/// Regularisation strength: penalty for a difference of 1 between the standardised weights of neighbouring knots, in log-losses
/// of one sample. The penalty is tiny, but keeps the weights of knots without data close to their neighbours.
const SMOOTHNESS: f64 = 10.0;

/// Largest absolute value of the evaluation's log-odds, to which predictions are clamped.
const LOG_ODDS_LIMIT: f32 = (MAX_LOG_ODDS / LOG_ODDS_ONE) as f32;

/// Interpolated weights of the features, for every number of arrows.
type PhaseTable = [[f32; COLUMNS]; MAX_ARROWS + 1];

/// Fits the weights to `samples`, starting from the weights `start`, and shuffles the samples.
///
/// Returns the weights with the smallest held-out log-loss of all epochs, which are `start` itself if no epoch is better.
#[must_use]
pub fn fit(samples: &mut [Sample], held_out: &[Sample], start: &Knots) -> Knots {
    samples.shuffle(&mut SmallRng::seed_from_u64(1));
    let scale = feature_scales(samples);
    let smoothness = SMOOTHNESS / samples.len() as f64;
    let batch = (samples.len() / MIN_EPOCH_STEPS).clamp(1, MAX_BATCH_SAMPLES);
    let mut best = (
        loss(held_out, start),
        map_weights(start, |at, w| w * scale[at]),
    );
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

/// Returns `table` with every weight replaced by `change(column, weight)`, for example to standardise the weights.
fn map_weights(table: &[[f64; COLUMNS]], change: impl Fn(usize, f64) -> f64) -> Knots {
    let change = &change;
    let row = |knot: usize| std::array::from_fn(|column| change(column, table[knot][column]));
    std::array::from_fn(row)
}

/// Returns the scale of each feature for standardisation: the root mean square of its values, or 1 if all values are 0.
fn feature_scales(samples: &[Sample]) -> [f64; COLUMNS] {
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

/// Interpolates the weights between the knots for every number of arrows.
fn interpolate(table: &Knots) -> PhaseTable {
    std::array::from_fn(|arrows| weights::at(table, arrows).map(|weight| weight as f32))
}

/// Returns the log-odds that black wins a sample's position, clamped to the limits of the evaluation.
fn log_odds(sample: &Sample, table: &PhaseTable) -> f32 {
    let weights = &table[usize::from(sample.arrows)];
    let terms = weights.iter().zip(&sample.values).map(|(w, x)| w * x);
    terms.sum::<f32>().clamp(-LOG_ODDS_LIMIT, LOG_ODDS_LIMIT)
}

/// Returns the gradient of a batch's mean log-loss with respect to the weights at the knots.
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
        let (low, fraction) = (arrows / SPACING, (arrows % SPACING) as f64 / SPACING as f64);
        for (column, &sum) in sums.iter().enumerate() {
            let mean = f64::from(sum) / batch.len() as f64;
            by_knot[low][column] += (1.0 - fraction) * mean;
            by_knot[low + 1][column] += fraction * mean;
        }
    }
    by_knot
}

/// Adds the gradient of the regularisation term `penalty · Σ (difference of the weights of neighbouring knots)²`.
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

/// Returns the mean log-loss, in nats, of the games' results as predicted with the weights `table`.
#[must_use]
pub fn loss(samples: &[Sample], table: &Knots) -> f64 {
    losses(samples, table).sum::<f64>() / samples.len() as f64
}

/// Metrics the log-losses with the weights before and after a fit, by number of arrows.
#[must_use]
pub fn compare(samples: &[Sample], before: &Knots, after: &Knots) -> Metrics {
    let losses = losses(samples, before).zip(losses(samples, after));
    let losses = samples.iter().zip(losses);
    let losses = losses.map(|(sample, (before, after))| (sample.arrows.into(), [before, after]));
    // The rows of the printed table span as many arrows as lie between two knots.
    Metrics::new(SPACING, ["before", "after"], losses)
}

/// Returns the log-loss of each sample's result, in nats, as predicted with the weights `table`.
fn losses(samples: &[Sample], table: &Knots) -> impl Iterator<Item = f64> {
    let predictions = predict(samples, table);
    predictions.map(|(log_odds, black_won)| log_loss(log_odds, black_won.into()))
}

/// Returns, for each sample, the predicted log-odds that black wins, and whether black won the game.
pub fn predict(samples: &[Sample], table: &Knots) -> impl Iterator<Item = (f32, bool)> {
    let table = interpolate(table);
    let samples = samples.iter();
    samples.map(move |sample| (log_odds(sample, &table), sample.result > 0.5))
}
