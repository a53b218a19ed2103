//! How well held-out games are predicted: log-loss by phase, and calibration.

use super::model::{Predict, Weights};
use super::samples::Sample;
use crate::bitboard::widest;
use crate::eval::network::{PHASES, phase};
use crate::eval::probability;
use crate::tools::training::plots::{CALIBRATION_BINS, Calibration};
use rayon::prelude::*;

/// Samples that a thread predicts at a time.
const CHUNK: usize = 4096;

/// Number of samples and sum of their log-losses, by phase.
pub type Losses = [(usize, f64); PHASES];

/// Log-odds of each sample that the player to move wins, by a network.
#[must_use]
pub fn network(weights: &Weights, samples: &[Sample]) -> Vec<f32> {
    let mut all = vec![0.0; samples.len()];
    let chunks = samples.par_chunks(CHUNK).zip(all.par_chunks_mut(CHUNK));
    chunks.for_each(|(samples, log_odds)| {
        widest(Predict {
            weights,
            samples,
            log_odds,
        });
    });
    all
}

/// Log-odds of each sample that the player to move wins, by the linear evaluation.
#[must_use]
pub fn linear(samples: &[Sample]) -> Vec<f32> {
    samples.iter().map(|sample| sample.linear).collect()
}

/// Log-losses of the games' results.
#[must_use]
pub fn losses(samples: &[Sample], log_odds: &[f32]) -> Losses {
    let mut losses = [(0, 0.0); PHASES];
    for (sample, &log_odds) in samples.iter().zip(log_odds) {
        let for_winner = f64::from(if sample.won { log_odds } else { -log_odds });
        let (count, sum) = &mut losses[phase(sample.arrows.into())];
        *count += 1;
        *sum += (-for_winner).exp().ln_1p();
    }
    losses
}

/// Mean log-loss of all phases.
#[must_use]
pub fn mean(losses: &Losses) -> f64 {
    let all = losses.iter();
    let (count, sum) = all.fold((0, 0.0), |all, phase| (all.0 + phase.0, all.1 + phase.1));
    sum / f64::from(count as u32)
}

/// Predicted and observed results.
#[must_use]
pub fn calibration(samples: &[Sample], log_odds: &[f32]) -> Calibration {
    let mut bins = [(0.0, 0.0, 0.0); CALIBRATION_BINS];
    for (sample, &log_odds) in samples.iter().zip(log_odds) {
        let predicted = f64::from(probability(log_odds));
        let bin = (predicted * CALIBRATION_BINS as f64) as usize;
        let (count, sum, won) = &mut bins[bin.min(CALIBRATION_BINS - 1)];
        *count += 1.0;
        *sum += predicted;
        *won += f64::from(u8::from(sample.won));
    }
    bins
}
