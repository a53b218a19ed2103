//! The trait [`Head`]: what the trainer needs to know of a network to train it, from its samples to its weights file.

use super::weights::{Parameters, Shape, Weights};
use crate::plots::Curve;
use crate::samples::Sampler;
use engine::bitboard::Lanes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A network that can be trained, with the command-line options that are specific to it.
pub trait Head:
    Sampler<Sample: Copy + Send + Sync>
    + clap::Args
    + Clone
    + Debug
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
{
    /// Result of a forward pass for one sample.
    type Prediction: Copy + Send;

    /// Names, default hyperparameters and report layout of the network.
    const INFO: HeadInfo;

    /// Shapes of the weight tables.
    const SHAPES: &'static [Shape];

    /// Returns randomly initialised parameters.
    fn random(seed: u64) -> Parameters;

    /// Parses a weights file.
    ///
    /// # Errors
    /// If the text is not a weights file of this network.
    fn parse(text: &str) -> Result<Weights, String>;

    /// Returns the text of a weights file, with the lines of `header` as comments at its top.
    fn write(weights: &Weights, header: &str) -> String;

    /// Returns the phase of the game whose block of the first weight table a sample looks up. Samples of a batch are sorted by
    /// phase, so that this block of the weights and of the gradient stays in the CPU cache.
    fn phase(_sample: &Self::Sample) -> usize {
        0
    }

    /// Runs the forward and backward pass for a sample: adds the gradient of its loss to `gradient` and returns the loss.
    ///
    /// `surrogate` is the size of the surrogate gradient, see [`hidden_layer`](super::hidden_layer). The function is inlined into
    /// a kernel that is compiled for each vector instruction set.
    fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        sample: &Self::Sample,
        surrogate: f32,
        gradient: &mut Weights,
    ) -> f64;

    /// Runs the forward pass for a sample. The function is inlined into a kernel that is compiled for each vector instruction
    /// set.
    fn predict<L: Lanes>(weights: &Weights, sample: &Self::Sample) -> Self::Prediction;

    /// Returns the sample's number of arrows, and the two metrics of its prediction named in [`HeadInfo::metric_names`].
    fn metrics(sample: &Self::Sample, prediction: Self::Prediction) -> (usize, [f64; 2]);

    /// Returns the calibration curves for the plot; none if the network does not predict results.
    fn calibrations(_samples: &[Self::Sample], _predictions: &[Self::Prediction]) -> Vec<Curve> {
        Vec::new()
    }

    /// Returns a line about the network's own options for the header of the weights file, if it has any.
    fn header_line(&self) -> Option<String> {
        None
    }
}

/// Names, default hyperparameters and report layout of a network.
#[derive(Debug)]
pub struct HeadInfo {
    /// Name of the network in reports and headers.
    pub name: &'static str,
    /// Subcommand of `amazons` that trains the network.
    pub command: &'static str,
    /// First bytes of a [checkpoint](super::checkpoint) of this network; the last byte but one is the format version.
    pub magic: &'static [u8],
    /// Path, in the repository, of the weights file that the bot compiles in.
    pub weights_path: &'static str,
    /// Text of the weights file that this program was compiled with.
    pub compiled_in: &'static str,
    /// Default of `--epochs`. A string, because clap evaluates a typed default once and would share it between the networks.
    pub default_epochs: &'static str,
    /// Default of `--batch`, as a string for the same reason as `default_epochs`.
    pub default_batch: &'static str,
    /// Name of the loss, with its unit if it has one.
    pub loss_name: &'static str,
    /// Title of the table of metrics.
    pub table_title: &'static str,
    /// Number of arrows that a group of held-out samples spans in the table of metrics.
    pub group_arrows: usize,
    /// Names of the two metrics of held-out predictions, used as column titles.
    pub metric_names: [&'static str; 2],
    /// Index of the loss among the two metrics.
    pub loss_metric: usize,
    /// Simpler predictor to compare with: its name, and the index of its loss among the two metrics.
    pub baseline: Option<(&'static str, usize)>,
}

impl HeadInfo {
    /// Returns the first line of a weights file, without its comment marker. Files that begin with this line may be
    /// overwritten by a new training run.
    #[must_use]
    pub fn first_line(&self) -> String {
        let HeadInfo { name, command, .. } = self;
        format!("Weights of the {name}, trained by `amazons {command}`")
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::learner::{BackwardKernel, Learner};
    use super::super::weights::zero_weights;
    use super::*;
    use crate::policy::PolicyHead;
    use crate::policy::sample::tests::random_samples;
    use crate::value::ValueHead;
    use crate::value::sample::tests::{VALUE, random_data};
    use engine::bitboard::vectors::fewer::MOST_LANES;
    use engine::bitboard::{MAX_LANES, widest};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use rayon::ThreadPoolBuilder;

    /// Returns random weights that leave some hidden units inside the interval from 0 to 1 and some outside.
    pub fn random_weights<H: Head>(seed: u64) -> Weights {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut weights = zero_weights(H::SHAPES);
        for (at, table) in weights.iter_mut().enumerate() {
            let limits = if at == 0 { -0.08..0.08 } else { -0.3..0.6 };
            let numbers = table.as_flattened_mut();
            numbers.fill_with(|| random.random_range(limits.clone()));
        }
        weights
    }

    /// Returns the sum of the samples' losses and its true gradient, without the surrogate.
    pub fn gradient<H: Head>(head: &H, weights: &Weights, samples: &[H::Sample]) -> (f64, Weights) {
        let mut gradient = zero_weights(H::SHAPES);
        let loss = widest(BackwardKernel {
            head,
            weights,
            samples,
            surrogate: 0.0,
            gradient: &mut gradient,
        });
        (loss, gradient)
    }

    /// Checks the gradient with respect to each table against a central difference of the loss along the gradient's signs.
    fn check_gradient<H: Head>(head: &H, samples: &[H::Sample]) {
        let weights = random_weights::<H>(1);
        let gradient = self::gradient(head, &weights, samples).1;
        for (table, rows) in gradient.iter().enumerate() {
            let step = if table == 0 { 1e-4 } else { 1e-3 };
            let loss = |sign: f32| {
                let mut end = weights.clone();
                let numbers = end[table].as_flattened_mut().iter_mut();
                for (number, derivative) in numbers.zip(rows.as_flattened()) {
                    *number += sign * step * derivative.signum() * f32::from(*derivative != 0.0);
                }
                self::gradient(head, &end, samples).0
            };
            let derivatives = rows.as_flattened().iter();
            let expected: f64 = derivatives
                .map(|derivative| f64::from(step * derivative.abs()))
                .sum();
            let found = (loss(1.0) - loss(-1.0)) / 2.0;
            assert!(
                expected > 0.0 && (found - expected).abs() < 0.03 * expected,
                "table {table}: {found} instead of {expected}"
            );
        }
    }

    /// Checks that the loss and the gradient are bit for bit the same with and without vector registers.
    fn check_registers<H: Head>(head: &H, samples: &[H::Sample]) {
        let [plain, widest] = [1, MAX_LANES].map(|max| {
            MOST_LANES.set(max);
            gradient(head, &random_weights::<H>(5), samples)
        });
        assert_eq!(plain, widest);
    }

    /// Returns the weights after 20 optimiser steps on one batch of all samples.
    pub fn trained<H: Head>(head: &H, samples: &[H::Sample]) -> Weights {
        let mut learner = Learner::new::<H>(1);
        let batch: Vec<u32> = (0..samples.len() as u32).collect();
        for _ in 0..20 {
            learner.train_batch(head, samples, &batch, 0.01, 0.1);
        }
        learner.weights
    }

    /// Checks that one and five threads learn the same weights, and that all weights are multiples of the engine's unit.
    fn check_training<H: Head>(head: &H, samples: &[H::Sample]) {
        let [one, many] = [1, 5].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            pool.install(|| trained(head, samples))
        });
        assert_eq!(one, many);
        let first = Learner::new::<H>(1).weights;
        for (at, (shape, table)) in H::SHAPES.iter().zip(&one).enumerate() {
            for &weight in table.as_flattened() {
                let integer = weight * shape.unit.unwrap_or(0.0);
                assert_eq!(integer, integer.round(), "table {at}");
                assert!(weight.abs() <= shape.max, "table {at}: {weight}");
            }
            assert_ne!(*table, first[at], "it learns");
        }
    }

    /// Checks that parsing the compiled-in weights and writing them reproduces the file, except for its header.
    fn check_text<H: Head>() {
        let text = H::INFO.compiled_in;
        let weights = H::parse(text).expect("weights");
        let content = text.lines().skip_while(|line| line.starts_with("# "));
        assert!(H::write(&weights, "").lines().eq(content));
    }

    #[test]
    fn gradient_matches_difference_of_losses() {
        check_gradient(&VALUE, &random_data(8).train);
        check_gradient(&PolicyHead {}, &random_samples(8));
    }

    #[test]
    fn gradient_is_equal_for_all_vector_registers() {
        check_registers(&VALUE, &random_data(2).train);
        check_registers(&PolicyHead {}, &random_samples(2));
    }

    #[test]
    fn compiled_in_weights_survive_parse_and_write() {
        check_text::<ValueHead>();
        check_text::<PolicyHead>();
    }

    #[test]
    fn weights_are_integers_on_any_number_of_threads() {
        check_training(&VALUE, &random_data(5).train);
        check_training(&PolicyHead {}, &random_samples(5));
    }
}
