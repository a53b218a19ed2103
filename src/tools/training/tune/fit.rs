//! Logistic regression of a table of weights: mini-batches, Adam, early stop on held-out games.

use super::samples::Sample;
use crate::board::MAX_ARROWS;
use crate::eval::weights::{self, COLUMNS, KNOTS, Knots, SPACING};
use crate::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS, probability};
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
    let (mut table, mut adam, mut rate) = (best.1, Adam::default(), FIRST_RATE);
    for _ in 0..MAX_EPOCHS {
        for batch in samples.chunks(batch) {
            let weights = phase_table(&scaled(&table, |at, w| w / scale[at]));
            let slope = scaled(&gradient(batch, &weights), |at, g| g / scale[at]);
            let slope = add_smoothness(slope, &table, smoothness);
            adam.step(&mut table, &slope, rate);
        }
        let now = loss(held_out, &scaled(&table, |at, w| w / scale[at]));
        if now < best.0 - PROGRESS {
            best = (now, table);
            continue;
        }
        (table, rate) = (best.1, rate / 2.0);
        if rate < LAST_RATE {
            break;
        }
    }
    scaled(&best.1, |at, w| w / scale[at])
}

/// A table with a function of column and entry applied to every entry.
fn scaled(table: &Knots, change: impl Fn(usize, f64) -> f64) -> Knots {
    table.map(|row| std::array::from_fn(|column| change(column, row[column])))
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
        let slopes = &mut by_phase[usize::from(sample.arrows)];
        for (slope, value) in slopes.iter_mut().zip(&sample.values) {
            *slope += error * value;
        }
    }
    let mut by_knot = [[0.0; COLUMNS]; KNOTS];
    for (arrows, slopes) in by_phase.iter().enumerate() {
        let (low, share) = (arrows / SPACING, (arrows % SPACING) as f64 / SPACING as f64);
        for (column, &slope) in slopes.iter().enumerate() {
            let slope = f64::from(slope) / batch.len() as f64;
            by_knot[low][column] += (1.0 - share) * slope;
            by_knot[low + 1][column] += share * slope;
        }
    }
    by_knot
}

/// Adds the gradient of `price · Σ (difference of neighbouring knots)²`.
fn add_smoothness(mut slope: Knots, table: &Knots, price: f64) -> Knots {
    for low in 0..KNOTS - 1 {
        for column in 0..COLUMNS {
            let pull = 2.0 * price * (table[low + 1][column] - table[low][column]);
            slope[low][column] -= pull;
            slope[low + 1][column] += pull;
        }
    }
    slope
}

/// Adam (Kingma and Ba 2015): steps of about equal length for every weight.
#[derive(Default)]
struct Adam {
    mean: Knots,
    square: Knots,
    steps: i32,
}

impl Adam {
    /// Moves a table against its gradient.
    fn step(&mut self, table: &mut Knots, slope: &Knots, rate: f64) {
        const KEEP_MEAN: f64 = 0.9;
        const KEEP_SQUARE: f64 = 0.999;
        self.steps += 1;
        let mean_share = 1.0 - KEEP_MEAN.powi(self.steps);
        let square_share = 1.0 - KEEP_SQUARE.powi(self.steps);
        for knot in 0..KNOTS {
            for column in 0..COLUMNS {
                let (slope, mean) = (slope[knot][column], &mut self.mean[knot][column]);
                let square = &mut self.square[knot][column];
                *mean += (1.0 - KEEP_MEAN) * (slope - *mean);
                *square += (1.0 - KEEP_SQUARE) * (slope * slope - *square);
                let spread = (*square / square_share).sqrt() + 1e-8;
                table[knot][column] -= rate * (*mean / mean_share) / spread;
            }
        }
    }
}

/// Mean log-loss of the results under a table; 0 without samples.
#[must_use]
pub fn loss(samples: &[Sample], table: &Knots) -> f64 {
    let (count, sum) = losses(samples, table)
        .iter()
        .fold((0, 0.0), |sum, bin| (sum.0 + bin.0, sum.1 + bin.1));
    sum / (count.max(1) as f64)
}

/// Number of samples and sum of their log-losses, by phases as long as the spacing of knots.
#[must_use]
pub fn losses(samples: &[Sample], table: &Knots) -> [(usize, f64); KNOTS - 1] {
    let table = phase_table(table);
    let mut bins = [(0, 0.0); KNOTS - 1];
    for sample in samples {
        let for_winner = f64::from(log_odds(sample, &table) * (2.0 * sample.result - 1.0));
        let bin = &mut bins[usize::from(sample.arrows) / SPACING];
        bin.0 += 1;
        bin.1 += (-for_winner).exp().ln_1p();
    }
    bins
}

/// Calibration: for equal bins of the interval from 0 to 1, the number of samples predicted there, the sum of their
/// predictions, and the number that black won.
#[must_use]
pub fn calibration<const BINS: usize>(
    samples: &[Sample],
    table: &Knots,
) -> [(f64, f64, f64); BINS] {
    let table = phase_table(table);
    let mut bins = [(0.0, 0.0, 0.0); BINS];
    for sample in samples {
        let predicted = f64::from(probability(log_odds(sample, &table)));
        let bin = &mut bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
        bin.0 += 1.0;
        bin.1 += predicted;
        bin.2 += f64::from(sample.result);
    }
    bins
}
