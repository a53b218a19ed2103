//! The course of a training: its epochs, the best weights so far, and when it ends.

use super::head::Head;
use super::images::SURROGATE;
use super::learner::{Learner, measure};
use super::weights::Weights;
use crate::samples::Data;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::f32::consts::PI;
use std::sync::atomic::{AtomicBool, Ordering};

/// Epochs without a smaller held-out loss that end a training.
const PATIENCE: usize = 5;

/// What a training depends on, besides its games.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
#[serde(bound = "", rename_all = "kebab-case")]
pub struct Settings<H: Head> {
    /// Most epochs, passes over the positions; the learning rate falls to zero over them
    #[arg(long, default_value = H::ABOUT.epochs, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub epochs: u16,
    /// Positions of a batch
    #[arg(long, default_value = H::ABOUT.batch, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub batch: u32,
    /// Learning rate at the start
    #[arg(long, value_name = "F", default_value_t = 0.003, value_parser = rate)]
    pub rate: f32,
    #[command(flatten)]
    #[serde(flatten)]
    pub head: H,
    /// Seed of the first weights, and of the order of the positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Reads a number above 0 and up to 1 on the command line.
fn rate(word: &str) -> Result<f32, String> {
    let rate = word.parse().ok();
    rate.filter(|&rate| 0.0 < rate && rate <= 1.0)
        .ok_or_else(|| "expected a number above 0, up to 1".to_owned())
}

/// The mean losses of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Of the samples to train with, before each step.
    pub train: f64,
    /// Of the held-out ones, at the end of the epoch.
    pub held_out: f64,
}

/// A training between two epochs.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Course<H: Head> {
    pub settings: Settings<H>,
    pub learner: Learner,
    pub epochs: Vec<Epoch>,
    /// The weights of the best epoch; before the first, the random ones.
    pub best: Weights,
}

impl<H: Head> Course<H> {
    /// A training before its first epoch.
    #[must_use]
    pub fn new(settings: Settings<H>) -> Course<H> {
        let learner = Learner::new::<H>(settings.seed);
        Course {
            settings,
            best: learner.weights.clone(),
            learner,
            epochs: Vec::new(),
        }
    }

    /// Number of the epoch with the smallest held-out loss, from 1; 0 before the first.
    #[must_use]
    pub fn best_epoch(&self) -> usize {
        let held_out = |(_, epoch): &(usize, &Epoch)| epoch.held_out;
        let best = (1..)
            .zip(&self.epochs)
            .min_by(|one, other| held_out(one).total_cmp(&held_out(other)));
        best.map_or(0, |(number, _)| number)
    }

    /// Tests if the schedule has ended, or several epochs in a row brought nothing.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let done = self.epochs.len();
        done >= self.settings.epochs.into() || done - self.best_epoch() >= PATIENCE
    }

    /// Steps of an epoch through so many samples. The samples left over have their turn in other epochs.
    #[must_use]
    pub const fn steps(&self, samples: usize) -> usize {
        samples / self.settings.batch as usize
    }

    /// Trains for an epoch. `report` gets the mean loss so far after each step. Returns false if `stop` broke it off:
    /// then the course can't go on.
    pub fn epoch(
        &mut self,
        data: &Data<H::Sample>,
        stop: &AtomicBool,
        mut report: impl FnMut(f64),
    ) -> bool {
        let number = self.epochs.len();
        let steps = self.steps(data.train.len());
        let settings = &self.settings;
        let (size, all) = (
            settings.batch as usize,
            usize::from(settings.epochs) * steps,
        );
        let order = order(data.train.len(), settings.seed, number);
        let mut sum = 0.0;
        for (step, batch) in order.chunks_exact(size).enumerate() {
            if stop.load(Ordering::SeqCst) {
                return false;
            }
            let share = annealed((number * steps + step) as f32 / all as f32);
            let [rate, surrogate] = [settings.rate, SURROGATE].map(|first| first * share);
            let (learner, head) = (&mut self.learner, &settings.head);
            sum += learner.learn(head, &data.train, batch, rate, surrogate);
            report(sum / ((step + 1) * size) as f64);
        }
        let train = sum / (steps * size) as f64;
        let measures = measure::<H>(&self.learner.weights, &data.held_out);
        let held_out = measures.means()[H::ABOUT.loss_column];
        self.epochs.push(Epoch { train, held_out });
        if self.best_epoch() == self.epochs.len() {
            self.best.clone_from(&self.learner.weights);
        }
        true
    }
}

/// The share of the first learning rate when a share of the training is done: half a cosine, from 1 to 0 (Loshchilov &
/// Hutter 2017).
fn annealed(done: f32) -> f32 {
    0.5 * (1.0 + (PI * done).cos())
}

/// The order of the samples in an epoch.
fn order(samples: usize, seed: u64, epoch: usize) -> Vec<u32> {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch as u64;
    let mut random = SmallRng::seed_from_u64(seed);
    let samples = u32::try_from(samples).expect("memory holds fewer");
    let mut order: Vec<u32> = (0..samples).collect();
    order.shuffle(&mut random);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Order;
    use std::collections::HashSet;

    #[test]
    fn an_epoch_sees_every_sample_once() {
        let first = order(1000, 1, 0);
        assert_ne!(first, order(1000, 1, 1), "another epoch");
        assert_ne!(first, order(1000, 2, 0), "another seed");
        assert!(!first.is_sorted());
        assert_eq!(HashSet::<u32>::from_iter(first), (0..1000).collect());
    }

    #[test]
    fn a_training_ends_with_its_schedule_or_when_nothing_gets_better() {
        let settings = Settings {
            epochs: 9,
            batch: 64,
            rate: 0.01,
            head: Order {},
            seed: 5,
        };
        let mut course = Course::new(settings);
        let better: Vec<f64> = (0..9).map(|epoch| 0.5 - 0.01 * f64::from(epoch)).collect();
        for (losses, best, is_over) in [
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
            course.epochs = losses.iter().map(epoch).collect();
            assert_eq!((course.best_epoch(), course.is_over()), (best, is_over));
        }
    }
}
