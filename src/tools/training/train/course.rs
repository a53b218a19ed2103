//! The course of a training: its epochs, the best network so far, and when it ends.

use super::learner::{Learner, Lesson};
use super::measure;
use super::model::{LEAK, Weights};
use super::samples::{Data, SYMMETRIES, Sample};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use std::f32::consts::PI;
use std::sync::atomic::{AtomicBool, Ordering};

/// Epochs without a smaller held-out loss that end a training.
pub const PATIENCE: usize = 3;

/// Bits of an entry of the order that tell a sample; the others tell the symmetry.
const SAMPLE_BITS: u32 = u32::BITS - SYMMETRIES.ilog2();

/// Most samples to train with.
pub const MAX_SAMPLES: usize = 1 << SAMPLE_BITS;

/// What a training depends on, besides its games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Most epochs. The learning rate falls to zero at their end.
    pub epochs: usize,
    /// Positions of a batch.
    pub batch: usize,
    /// Learning rate at the start.
    pub rate: f32,
    /// Share of the search's win probability in the target, see [`Sample::target`].
    pub target_mix: [f32; 2],
    /// Seed of the first weights, and of order and symmetries of the samples.
    pub seed: u64,
}

/// The mean log-losses of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Of the targets, before each step.
    pub train: f64,
    /// Of the held-out results, at the end of the epoch.
    pub held_out: f64,
}

/// How an epoch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It went through all samples.
    Whole,
    /// It was broken off; the course can't go on.
    BrokenOff,
}

/// A training between two epochs.
pub struct Course {
    /// What it depends on.
    pub settings: Settings,
    /// The network in training.
    pub learner: Learner,
    /// The finished epochs.
    pub epochs: Vec<Epoch>,
    /// The network of the best epoch; before the first, the random one.
    pub best: Weights,
}

impl Course {
    /// A training before its first epoch.
    #[must_use]
    pub fn new(settings: Settings) -> Course {
        let learner = Learner::new(settings.seed);
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
        done >= self.settings.epochs || done - self.best_epoch() >= PATIENCE
    }

    /// Steps of an epoch through so many samples. The samples left over have their turn in other epochs.
    #[must_use]
    pub const fn steps(&self, samples: usize) -> usize {
        samples / self.settings.batch
    }

    /// Trains for an epoch. `report` is told the mean loss so far after each step.
    pub fn epoch(&mut self, data: &Data, stop: &AtomicBool, mut report: impl FnMut(f64)) -> Ended {
        let number = self.epochs.len();
        let steps = self.steps(data.train.len());
        let settings = self.settings;
        let order = order(data.train.len(), settings.seed, number);
        let sample = |entry| sample(&data.train, entry);
        let mut sum = 0.0;
        for (step, batch) in order.chunks_exact(settings.batch).enumerate() {
            if stop.load(Ordering::SeqCst) {
                return Ended::BrokenOff;
            }
            let done = (number * steps + step) as f32 / (settings.epochs * steps) as f32;
            let share = falling(done);
            let lesson = Lesson {
                mix: settings.target_mix,
                rate: settings.rate * share,
                leak: LEAK * share,
            };
            sum += self.learner.learn(batch, sample, lesson);
            report(sum / ((step + 1) * settings.batch) as f64);
        }
        self.end_epoch(sum / (steps * settings.batch) as f64, data);
        Ended::Whole
    }

    /// Measures the network and keeps it if it is the best.
    fn end_epoch(&mut self, train: f64, data: &Data) {
        let weights = &self.learner.weights;
        let log_odds = measure::network(weights, &data.held_out);
        let held_out = measure::mean(&measure::losses(&data.held_out, &log_odds));
        self.epochs.push(Epoch { train, held_out });
        if self.best_epoch() == self.epochs.len() {
            self.best.clone_from(weights);
        }
    }
}

/// The share of the first learning rate when a share of the training is done: half a cosine, from 1 to 0 (Loshchilov &
/// Hutter 2017).
#[must_use]
pub fn falling(done: f32) -> f32 {
    0.5 * (1.0 + (PI * done).cos())
}

/// The order of the samples in an epoch, each with a random symmetry.
fn order(samples: usize, seed: u64, epoch: usize) -> Vec<u32> {
    assert!(
        samples <= MAX_SAMPLES,
        "a sample is told by {SAMPLE_BITS} bits"
    );
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch as u64;
    let mut random = SmallRng::seed_from_u64(seed);
    let mut symmetry = || u32::from(random.random_range(0..SYMMETRIES));
    let mut order: Vec<u32> = (0..samples as u32)
        .map(|sample| symmetry() << SAMPLE_BITS | sample)
        .collect();
    order.shuffle(&mut random);
    order
}

/// The sample that an entry of the order stands for.
fn sample(samples: &[Sample], entry: u32) -> Sample {
    let sample = entry as usize % MAX_SAMPLES;
    samples[sample].turned((entry >> SAMPLE_BITS) as u8)
}

#[cfg(test)]
pub mod tests {
    use super::super::samples::tests::random_data;
    use super::*;
    use std::collections::HashSet;

    /// A short training.
    pub const SETTINGS: Settings = Settings {
        epochs: 4,
        batch: 100,
        rate: 0.003,
        target_mix: [0.2, 0.1],
        seed: 5,
    };

    /// Trains for an epoch.
    pub fn go_on(course: &mut Course, data: &Data) {
        let ended = course.epoch(data, &AtomicBool::new(false), |_| ());
        assert_eq!(ended, Ended::Whole);
    }

    #[test]
    fn an_epoch_sees_every_sample_once_in_any_symmetry() {
        let order = order(1000, 1, 0);
        let samples: HashSet<u32> = order
            .iter()
            .map(|entry| entry % (1 << SAMPLE_BITS))
            .collect();
        assert_eq!(samples, (0..1000).collect());
        let symmetries: HashSet<u32> = order.iter().map(|entry| entry >> SAMPLE_BITS).collect();
        assert_eq!(symmetries, (0..8).collect());
        assert_ne!(order, super::order(1000, 1, 1), "another epoch");
        assert_ne!(order, super::order(1000, 2, 0), "another seed");
        let data = random_data(1);
        let entry = 6 << SAMPLE_BITS | 3;
        assert_eq!(sample(&data.train, entry), data.train[3].turned(6));
    }

    #[test]
    fn a_training_ends_with_its_schedule_or_when_nothing_gets_better() {
        let mut course = Course::new(Settings {
            epochs: 9,
            ..SETTINGS
        });
        let mut ends = |losses: &[f64]| {
            let epoch = |&held_out| Epoch {
                train: 0.5,
                held_out,
            };
            course.epochs = losses.iter().map(epoch).collect();
            (course.best_epoch(), course.is_over())
        };
        assert_eq!(ends(&[]), (0, false));
        assert_eq!(ends(&[0.4, 0.5, 0.6]), (1, false));
        assert_eq!(ends(&[0.4, 0.5, 0.6, 0.4]), (1, true));
        assert_eq!(ends(&[0.5, 0.4, 0.6, 0.5]), (2, false));
        let better: Vec<f64> = (0..9).map(|epoch| 0.5 - 0.01 * f64::from(epoch)).collect();
        assert_eq!(ends(&better[..8]), (8, false));
        assert_eq!(ends(&better), (9, true));
    }

    #[test]
    fn training_lowers_the_loss_and_keeps_the_best_network() {
        let data = random_data(150);
        let mut course = Course::new(SETTINGS);
        while !course.is_over() {
            go_on(&mut course, &data);
        }
        let [first, last] = [0, course.epochs.len() - 1].map(|at| course.epochs[at].train);
        assert!(last < first - 0.01, "{first} {last}");
        let log_odds = measure::network(&course.best, &data.held_out);
        let best = measure::mean(&measure::losses(&data.held_out, &log_odds));
        assert_eq!(best, course.epochs[course.best_epoch() - 1].held_out);
    }

    #[test]
    fn a_stopped_epoch_is_told() {
        let data = random_data(20);
        let mut course = Course::new(SETTINGS);
        let ended = course.epoch(&data, &AtomicBool::new(true), |_| ());
        assert_eq!(ended, Ended::BrokenOff);
        assert!(course.epochs.is_empty());
    }
}
