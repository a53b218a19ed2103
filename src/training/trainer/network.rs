//! The trait [`TrainableNetwork`], through which the trainer handles both the value network and the policy network, and
//! [`NetworkInfo`] with a network's names and defaults.

use super::weights::{Parameters, Shape, Weights};
use crate::plots::Curve;
use crate::samples::Sampler;
use engine::bitboard::Lanes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A network that the trainer can train. The implementing type holds the command-line options that only this network
/// has.
///
/// The value network and the policy network implement this trait.
pub trait TrainableNetwork:
    Sampler<Sample: Copy + Send + Sync>
    + clap::Args
    + Clone
    + Debug
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
{
    /// Result of the forward pass for one sample. For the value network: the log-odds that the side to move wins. For
    /// the policy network: two losses in nats, that of the whole move and that of the arrow shot alone.
    type Prediction: Copy + Send;

    /// Names, default hyperparameters and report layout of this network.
    const INFO: NetworkInfo;

    /// Properties of each weight table, in the order of the tables in [`Weights`]: number of rows, quantisation scale,
    /// and largest absolute value of a weight.
    const SHAPES: &'static [Shape];

    /// Returns parameters with random initial weights, before the first optimiser step. Equal seeds give equal
    /// parameters.
    fn random(seed: u64) -> Parameters;

    /// Parses the text of a weights file into floating-point weights.
    ///
    /// # Errors
    /// If the text is not a weights file of this network.
    fn parse(text: &str) -> Result<Weights, String>;

    /// Rounds `weights` to the integers that the engine uses, and returns them as the text of a weights file. The lines
    /// of `header` become comments at its top.
    fn write(weights: &Weights, header: &str) -> String;

    /// Returns the phase of the game to which `sample` belongs, from 0: an interval of the number of arrows, with its
    /// own weights of the hidden layer. The value network has three phases: 0 to 14, 15 to 29, and 30 or more arrows.
    /// The default, for networks without phases, is 0.
    ///
    /// The trainer sorts samples by phase, so that the rows of one phase and their gradients stay in the CPU cache.
    fn phase(_sample: &Self::Sample) -> usize {
        0
    }

    /// Runs the forward and backward pass for one sample: adds the gradient of its loss to `gradient` and returns the
    /// loss in nats.
    ///
    /// `surrogate`, from 0 to 1, is the fraction of the gradient that is passed on through a hidden unit whose
    /// pre-activation is clamped; with 0, the gradient is the true one. Implementations must be `#[inline(always)]`, so
    /// that they are compiled for the SIMD instruction set of `L`.
    fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        sample: &Self::Sample,
        surrogate: f32,
        gradient: &mut Weights,
    ) -> f64;

    /// Runs the forward pass for one sample and returns the network's prediction. Implementations must be
    /// `#[inline(always)]`, so that they are compiled for the SIMD instruction set of `L`.
    fn predict<L: Lanes>(weights: &Weights, sample: &Self::Sample) -> Self::Prediction;

    /// Returns a pair for the prediction of one sample. First: number of arrows on the sample's board. Second: values
    /// of two metrics, such as log-losses, in the order of [`NetworkInfo::metric_names`].
    fn metrics(sample: &Self::Sample, prediction: Self::Prediction) -> (usize, [f64; 2]);

    /// Returns calibration curves for the plot, computed from samples and their predictions in the same order. Networks
    /// that do not predict who wins return no curves (the default).
    fn calibrations(_samples: &[Self::Sample], _predictions: &[Self::Prediction]) -> Vec<Curve> {
        Vec::new()
    }

    /// Returns a line for the header of the weights file, which describes the command-line options that only this
    /// network has. Returns `None` if there are no such options.
    fn header_line(&self) -> Option<String> {
        None
    }
}

/// Names, default hyperparameters and report layout of a trainable network.
#[derive(Debug)]
pub struct NetworkInfo {
    /// Name of the network, used in reports, error messages and the headers of weights files.
    pub name: &'static str,
    /// Arguments of `amazons` that train this network: "train" or "train policy".
    pub command: &'static str,
    /// First 15 bytes of a [checkpoint](super::checkpoint) of this network: a name, the format version as one digit,
    /// and a newline.
    pub magic: &'static [u8],
    /// Path of the weights file that is embedded in the bot at build time, relative to the root of the repository.
    pub weights_path: &'static str,
    /// Content of the weights file with which this program was compiled.
    pub compiled_in: &'static str,
    /// Default of `--epochs`, the maximum number of epochs, as text. A number would not work: clap computes a default
    /// number only once, so the value network and the policy network would share one default.
    pub default_epochs: &'static str,
    /// Default of `--batch`, the number of positions per batch. It is a text, because clap would compute a default
    /// number only once and use that of one network for both.
    pub default_batch: &'static str,
    /// Name of the training loss in reports and in the plot, for example `log-loss`.
    pub loss_name: &'static str,
    /// Title of the table of held-out metrics in the report and in the header of the weights file.
    pub table_title: &'static str,
    /// Number of successive arrow counts that share a row in the table of held-out metrics. For example, 7 gives a row
    /// for positions with 0 to 6 arrows, a row for 7 to 13 arrows, and so on.
    pub group_arrows: usize,
    /// Names of the two held-out metrics, used as column titles, in the order of the values that
    /// [`TrainableNetwork::metrics`] returns. Value network: log-losses of the linear evaluation and of the network.
    /// Policy network: losses of the whole move and of the arrow shot alone.
    pub metric_names: [&'static str; 2],
    /// Index, 0 or 1, in [`metric_names`](NetworkInfo::metric_names) of the metric that is the training loss. The epoch
    /// with the smallest held-out mean of this metric gives the final weights.
    pub loss_metric: usize,
    /// Simpler predictor with which the network is compared; `None` if there is none. First: its name. Second: which of
    /// the two [`metric_names`](NetworkInfo::metric_names) is the loss of this predictor, 0 or 1.
    pub baseline: Option<(&'static str, usize)>,
}

impl NetworkInfo {
    /// Returns the first line of a weights file, without the comment marker `# `. A training run overwrites an existing
    /// file only if it begins with this line or is empty.
    #[must_use]
    pub fn first_line(&self) -> String {
        let NetworkInfo { name, command, .. } = self;
        format!("Weights of the {name}, trained by `amazons {command}`")
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::learner::{BackwardKernel, Learner};
    use super::super::weights::zero_weights;
    use super::*;
    use crate::policy::PolicyTraining;
    use crate::policy::sample::tests::random_samples;
    use crate::value::ValueTraining;
    use crate::value::sample::tests::{VALUE_NET, random_data};
    use engine::bitboard::vectors::lane_limit::LANE_LIMIT;
    use engine::bitboard::{MAX_LANES, run_widest};
    use engine::eval::value::PATTERNS;
    use engine::eval::value::amazons::AMAZON_ROWS;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use rayon::ThreadPoolBuilder;

    /// Returns random weights for tests of the clamped activation: the pre-activations of some hidden units lie in the
    /// range from 0 to 1, those of others outside.
    pub fn random_weights<N: TrainableNetwork>(seed: u64) -> Weights {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut weights = zero_weights(N::SHAPES);
        for (at, table) in weights.iter_mut().enumerate() {
            let limits = if is_hidden::<N>(at) {
                -0.08..0.08
            } else {
                -0.3..0.6
            };
            let numbers = table.as_flattened_mut();
            numbers.fill_with(|| random.random_range(limits.clone()));
        }
        weights
    }

    /// Tests if the weight table with the index `at` has rows of the hidden layer, for features, for patterns or of
    /// amazon units. A position adds dozens of them, so the tests give them small weights and small steps.
    fn is_hidden<N: TrainableNetwork>(at: usize) -> bool {
        at == 0 || [PATTERNS, AMAZON_ROWS].contains(&N::SHAPES[at].rows)
    }

    /// Returns the sum of the losses of `samples`, and its true gradient: no surrogate gradient is passed on through
    /// hidden units whose pre-activations are clamped.
    pub fn gradient<N: TrainableNetwork>(
        network: &N,
        weights: &Weights,
        samples: &[N::Sample],
    ) -> (f64, Weights) {
        let mut gradient = zero_weights(N::SHAPES);
        let loss = run_widest(BackwardKernel {
            network,
            weights,
            samples,
            surrogate: 0.0,
            gradient: &mut gradient,
        });
        (loss, gradient)
    }

    /// Checks the gradient of each weight table by central differences. Moves all weights of the table by a small step
    /// along the signs of the gradient, and in a second run against them. Compares half the difference of the two
    /// losses with the change that the gradient predicts for one step.
    fn check_gradient<N: TrainableNetwork>(network: &N, samples: &[N::Sample]) {
        let weights = random_weights::<N>(1);
        let gradient = self::gradient(network, &weights, samples).1;
        for (table, rows) in gradient.iter().enumerate() {
            let step = if is_hidden::<N>(table) { 1e-4 } else { 1e-3 };
            let loss = |sign: f32| {
                let mut end = weights.clone();
                let numbers = end[table].as_flattened_mut().iter_mut();
                for (number, derivative) in numbers.zip(rows.as_flattened()) {
                    *number += sign * step * derivative.signum() * f32::from(*derivative != 0.0);
                }
                self::gradient(network, &end, samples).0
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

    /// Checks that loss and gradient have the same bits whether they are computed by scalar code or with the widest
    /// SIMD registers.
    fn check_registers<N: TrainableNetwork>(network: &N, samples: &[N::Sample]) {
        let [plain, widest] = [1, MAX_LANES].map(|max| {
            LANE_LIMIT.set(max);
            gradient(network, &random_weights::<N>(5), samples)
        });
        assert_eq!(plain, widest);
    }

    /// Returns the quantised weights after 20 optimiser steps on one batch of all samples, at learning rate 0.01.
    pub fn trained_weights<N: TrainableNetwork>(network: &N, samples: &[N::Sample]) -> Weights {
        let mut learner = Learner::new::<N>(1);
        let batch: Vec<u32> = (0..samples.len() as u32).collect();
        for _ in 0..20 {
            learner.train_batch(network, samples, &batch, 0.01, 0.1);
        }
        learner.weights
    }

    /// Checks that training with one thread and with five threads gives the same weights, and that these are quantised:
    /// multiples of 1 / scale within the range of their table.
    fn check_training<N: TrainableNetwork>(network: &N, samples: &[N::Sample]) {
        let [one, many] = [1, 5].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            pool.install(|| trained_weights(network, samples))
        });
        assert_eq!(one, many);
        let first = Learner::new::<N>(1).weights;
        for (at, (shape, table)) in N::SHAPES.iter().zip(&one).enumerate() {
            for &weight in table.as_flattened() {
                let integer = weight * shape.scale.unwrap_or(0.0);
                assert_eq!(integer, integer.round(), "table {at}");
                assert!(weight.abs() <= shape.max, "table {at}: {weight}");
            }
            assert_ne!(*table, first[at], "it learns");
        }
    }

    /// Checks that parsing the compiled-in weights and writing them again reproduces the file, except for its header.
    fn check_text<N: TrainableNetwork>() {
        let text = N::INFO.compiled_in;
        let weights = N::parse(text).expect("weights");
        let content = text.lines().skip_while(|line| line.starts_with("# "));
        assert!(N::write(&weights, "").lines().eq(content));
    }

    #[test]
    fn gradient_matches_difference_of_losses() {
        check_gradient(&VALUE_NET, &random_data(8).train);
        check_gradient(&PolicyTraining {}, &random_samples(8));
    }

    #[test]
    fn gradient_is_equal_for_all_vector_registers() {
        check_registers(&VALUE_NET, &random_data(2).train);
        check_registers(&PolicyTraining {}, &random_samples(2));
    }

    #[test]
    fn compiled_in_weights_survive_parse_and_write() {
        check_text::<ValueTraining>();
        check_text::<PolicyTraining>();
    }

    #[test]
    fn weights_are_integers_on_any_number_of_threads() {
        check_training(&VALUE_NET, &random_data(5).train);
        check_training(&PolicyTraining {}, &random_samples(5));
    }
}
