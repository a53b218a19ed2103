//! The course of a training of the order network: its epochs, the best weights so far, and when it ends.

use super::super::course::{Ended, PATIENCE, falling};
use super::super::model::LEAK;
use super::learner::{Learner, Lesson};
use super::measure::{self, Measured};
use super::model::Weights;
use super::samples::Data;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a training depends on, besides its games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Most epochs. The learning rate falls to zero at their end.
    pub epochs: usize,
    /// Positions of a batch.
    pub batch: usize,
    /// Learning rate at the start.
    pub rate: f32,
    /// Seed of the first weights, and of the order of the samples.
    pub seed: u64,
}

/// The mean losses of an epoch, in nats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Of the samples to train with, before each step.
    pub train: f64,
    /// Of the held-out ones, at the end of the epoch.
    pub held_out: f64,
}

/// A training between two epochs.
pub struct Course {
    /// What it depends on.
    pub settings: Settings,
    learner: Learner,
    /// The finished epochs.
    pub epochs: Vec<Epoch>,
    /// The weights of the best epoch; before the first, random ones.
    pub best: Weights,
    /// How these foresee the held-out samples.
    pub measured: Measured,
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
            measured: Measured::default(),
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
        let mut sum = 0.0;
        for (step, batch) in order.chunks_exact(settings.batch).enumerate() {
            if stop.load(Ordering::SeqCst) {
                return Ended::BrokenOff;
            }
            let share = falling((number * steps + step) as f32 / (settings.epochs * steps) as f32);
            let lesson = Lesson {
                rate: settings.rate * share,
                leak: LEAK * share,
            };
            sum += self.learner.learn(batch, &data.train, lesson);
            report(sum / ((step + 1) * settings.batch) as f64);
        }
        self.end_epoch(sum / (steps * settings.batch) as f64, data);
        Ended::Whole
    }

    /// Measures the network and keeps it if it is the best.
    fn end_epoch(&mut self, train: f64, data: &Data) {
        let weights = &self.learner.weights;
        let measured = measure::measure(weights, &data.held_out);
        let held_out = measured.all().loss();
        self.epochs.push(Epoch { train, held_out });
        if self.best_epoch() == self.epochs.len() {
            self.best.clone_from(weights);
            self.measured = measured;
        }
    }
}

/// The order of the samples in an epoch.
fn order(samples: usize, seed: u64, epoch: usize) -> Vec<u32> {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch as u64;
    let mut order: Vec<u32> = (0..samples as u32).collect();
    order.shuffle(&mut SmallRng::seed_from_u64(seed));
    order
}

#[cfg(test)]
mod tests {
    use super::super::samples::tests::{random_boards, sample};
    use super::*;

    const SETTINGS: Settings = Settings {
        epochs: 4,
        batch: 64,
        rate: 0.01,
        seed: 5,
    };

    /// Searches that love long ways.
    fn long_ways() -> Data {
        let samples = random_boards(60).into_iter().map(|board| {
            sample(&board, |turn| {
                let length = u32::from(turn.way) % 7;
                length.pow(4) + 1
            })
        });
        let mut train: Vec<_> = samples.collect();
        let held_out = train.split_off(50 * train.len() / 60);
        Data {
            train,
            held_out,
            ..Data::default()
        }
    }

    #[test]
    fn a_rule_is_learned_and_the_best_weights_are_kept() {
        let data = long_ways();
        let mut course = Course::new(SETTINGS);
        let before = measure::measure(&course.best, &data.held_out).all();
        while !course.is_over() {
            let ended = course.epoch(&data, &AtomicBool::new(false), |_| ());
            assert_eq!(ended, Ended::Whole);
        }
        let after = course.measured.all();
        assert!(after.loss() < 0.3 * before.loss(), "{before:?} {after:?}");
        assert!(after.top() > 0.9, "{after:?}");
        let best = &course.epochs[course.best_epoch() - 1];
        assert_eq!(best.held_out, after.loss());
        assert_eq!(
            course.measured,
            measure::measure(&course.best, &data.held_out)
        );
    }

    #[test]
    fn an_epoch_sees_every_sample_once() {
        let mut first = order(1000, 1, 0);
        assert_ne!(first, order(1000, 1, 1), "another epoch");
        assert_ne!(first, order(1000, 2, 0), "another seed");
        assert!(!first.is_sorted());
        first.sort_unstable();
        assert!(first.into_iter().eq(0..1000));
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
        assert_eq!(ends(&[0.5; 9]), (1, true));
    }

    #[test]
    fn a_stopped_epoch_is_told() {
        let mut course = Course::new(SETTINGS);
        let ended = course.epoch(&long_ways(), &AtomicBool::new(true), |_| ());
        assert_eq!((ended, course.epochs.len()), (Ended::BrokenOff, 0));
    }
}
