//! Training run of a network: trains epoch by epoch with cosine annealing of the learning rate, keeps the best weights,
//! and stops early when the held-out loss no longer falls.

use super::hidden_layer::INITIAL_SURROGATE;
use super::learner::{Learner, evaluate};
use super::network::TrainableNetwork;
use super::weights::Weights;
use crate::samples::Dataset;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::f32::consts::PI;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of consecutive epochs without a smaller held-out loss after which a training run stops early.
const PATIENCE_EPOCHS: usize = 5;

/// Hyperparameters of a training run, such as batch size and learning rate. Equal hyperparameters and equal games in
/// the same order give equal trained weights.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
#[serde(bound = "", rename_all = "kebab-case")]
pub struct Settings<N: TrainableNetwork> {
    /// Maximum number of epochs (passes over all positions); the learning rate falls to zero at this number
    #[arg(long, default_value = N::INFO.default_epochs, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub epochs: u16,
    /// Number of positions per batch
    #[arg(long, default_value = N::INFO.default_batch, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub batch: u32,
    /// Initial learning rate
    #[arg(long, value_name = "F", default_value_t = 0.003, value_parser = parse_rate)]
    pub rate: f32,
    #[command(flatten)]
    #[serde(flatten)]
    pub network: N,
    /// Seed of the initial weights and of the shuffling of the positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Parses a learning rate, above 0 and at most 1, from the command line.
///
/// # Errors
/// If `word` is not a number, or the number is outside this range.
fn parse_rate(word: &str) -> Result<f32, String> {
    let rate = word.parse().ok();
    rate.filter(|&rate| 0.0 < rate && rate <= 1.0)
        .ok_or_else(|| "expected a number above 0, up to 1".to_owned())
}

/// Mean losses of a finished epoch, in nats per sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Mean loss over the training set, in nats per sample. The loss of each batch is measured just before its
    /// optimiser step, so the weights change during the epoch.
    pub train: f64,
    /// Mean loss over the held-out set, in nats per sample, measured after the last optimiser step of the epoch.
    pub held_out: f64,
}

/// State of a training run between two epochs; checkpoints store it as JSON.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TrainingRun<N: TrainableNetwork> {
    /// Hyperparameters of the training run, such as the number of epochs and the learning rate.
    pub settings: Settings<N>,
    /// Weights and optimiser state after the last finished epoch.
    pub learner: Learner,
    /// Mean losses of each finished epoch, in the order of the epochs.
    pub epochs: Vec<Epoch>,
    /// Quantised weights after the epoch with the smallest held-out loss so far. Before the first epoch ends, these are
    /// the random initial weights.
    pub best: Weights,
}

impl<N: TrainableNetwork> TrainingRun<N> {
    /// Returns a run before its first epoch, with random weights drawn from `settings.seed`.
    #[must_use]
    pub fn new(settings: Settings<N>) -> TrainingRun<N> {
        let learner = Learner::new::<N>(settings.seed);
        TrainingRun {
            settings,
            best: learner.weights.clone(),
            learner,
            epochs: Vec::new(),
        }
    }

    /// Returns the number (from 1) of the epoch with the smallest held-out loss, the earliest if several are equal; 0
    /// before the first epoch ends.
    #[must_use]
    pub fn best_epoch(&self) -> usize {
        let held_out = |(_, epoch): &(usize, &Epoch)| epoch.held_out;
        let best = (1..)
            .zip(&self.epochs)
            .min_by(|one, other| held_out(one).total_cmp(&held_out(other)));
        best.map_or(0, |(number, _)| number)
    }

    /// Tests if the training run is complete: all epochs are done, or the last [`PATIENCE_EPOCHS`] epochs brought no
    /// smaller held-out loss.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let done = self.epochs.len();
        done >= self.settings.epochs.into() || done - self.best_epoch() >= PATIENCE_EPOCHS
    }

    /// Returns the number of batches per epoch for `samples` training samples: `samples` divided by the batch size,
    /// rounded down.
    ///
    /// The remaining samples do not fill a batch and are left out of the epoch. Because the samples are shuffled before
    /// each epoch, different ones are left out each time.
    #[must_use]
    pub const fn steps_per_epoch(&self, samples: usize) -> usize {
        samples / self.settings.batch as usize
    }

    /// Trains for one epoch and appends its losses to `epochs`. After each step, calls `report` with the mean training
    /// loss of the epoch so far, in nats.
    ///
    /// Returns true at the end of the epoch. Returns false if `stop` was set before: then the run is in the middle of
    /// an epoch and must be neither continued nor stored in a checkpoint.
    pub fn train_epoch(
        &mut self,
        data: &Dataset<N::Sample>,
        stop: &AtomicBool,
        mut report: impl FnMut(f64),
    ) -> bool {
        let number = self.epochs.len();
        let steps = self.steps_per_epoch(data.train.len());
        let settings = &self.settings;
        let size = settings.batch as usize;
        let all = usize::from(settings.epochs) * steps;
        let indices = shuffled_indices(data.train.len(), settings.seed, number);
        let mut sum = 0.0;
        for (step, batch) in indices.chunks_exact(size).enumerate() {
            if stop.load(Ordering::SeqCst) {
                return false;
            }
            let factor = cosine_annealing((number * steps + step) as f32 / all as f32);
            let [rate, surrogate] =
                [settings.rate, INITIAL_SURROGATE].map(|initial| initial * factor);
            let (learner, network) = (&mut self.learner, &settings.network);
            sum += learner.train_batch(network, &data.train, batch, rate, surrogate);
            report(sum / ((step + 1) * size) as f64);
        }
        let train = sum / (steps * size) as f64;
        let metrics = evaluate::<N>(&self.learner.weights, &data.held_out);
        let held_out = metrics.means()[N::INFO.loss_metric];
        self.epochs.push(Epoch { train, held_out });
        if self.best_epoch() == self.epochs.len() {
            self.best.clone_from(&self.learner.weights);
        }
        true
    }
}

/// Returns the factor by which the initial learning rate is multiplied (cosine annealing, Loshchilov and Hutter 2017):
/// `½·(1 + cos(π·done))`, which falls from 1 to 0. `done` is the completed fraction of the run, from 0 to 1.
fn cosine_annealing(done: f32) -> f32 {
    0.5 * (1.0 + (PI * done).cos())
}

/// Returns a random permutation of the indices 0 to `samples` − 1, which orders the training samples in an epoch. Equal
/// `seed` and `epoch` give the same permutation.
fn shuffled_indices(samples: usize, seed: u64, epoch: usize) -> Vec<u32> {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch as u64;
    let mut random = SmallRng::seed_from_u64(seed);
    let samples = u32::try_from(samples).expect("memory holds fewer");
    let mut indices: Vec<u32> = (0..samples).collect();
    indices.shuffle(&mut random);
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::PolicyTraining;
    use std::collections::HashSet;

    #[test]
    fn each_epoch_contains_every_sample_once() {
        let first = shuffled_indices(1000, 1, 0);
        assert_ne!(first, shuffled_indices(1000, 1, 1), "another epoch");
        assert_ne!(first, shuffled_indices(1000, 2, 0), "another seed");
        assert!(!first.is_sorted());
        assert_eq!(HashSet::<u32>::from_iter(first), (0..1000).collect());
    }

    #[test]
    fn run_ends_after_all_epochs_or_without_improvement() {
        let settings = Settings {
            epochs: 9,
            batch: 64,
            rate: 0.01,
            network: PolicyTraining {},
            seed: 5,
        };
        let mut run = TrainingRun::new(settings);
        let better: Vec<f64> = (0..9).map(|epoch| 0.5 - 0.01 * f64::from(epoch)).collect();
        for (losses, best, is_complete) in [
            (&[][..], 0, false),
            (&[0.4, 0.5, 0.6, 0.5, 0.6], 1, false),
            (&[0.4, 0.5, 0.6, 0.5, 0.6, 0.4], 1, true),
            (&[0.5, 0.4, 0.6, 0.5, 0.6, 0.5], 2, false),
            (&better[..8], 8, false),
            (&better, 9, true),
            (&[0.5; 9], 1, true),
        ] {
            let epoch = |&held_out| Epoch {
                train: 0.5,
                held_out,
            };
            run.epochs = losses.iter().map(epoch).collect();
            assert_eq!((run.best_epoch(), run.is_complete()), (best, is_complete));
        }
    }
}
