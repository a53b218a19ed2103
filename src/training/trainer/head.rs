//! What a head is: a network to train, with its samples, its passes forward and backward, its measures and its file.

use super::weights::{Parameters, Shape, Weights};
use crate::plots::Line;
use crate::samples::Sampler;
use engine::bitboard::Lanes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A network to train, with the options that this one alone has.
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
    /// What a forward pass finds of a sample.
    type Prediction: Copy + Send;

    /// What it is called, measured by and trained with.
    const ABOUT: About;

    /// The tables of its weights.
    const SHAPES: &'static [Shape];

    /// Random parameters.
    fn random(seed: u64) -> Parameters;

    /// Reads a file of weights.
    ///
    /// # Errors
    /// If it holds others.
    fn parse(text: &str) -> Result<Weights, String>;

    /// The file of weights, behind comments that hold the lines of `header`.
    fn write(weights: &Weights, header: &str) -> String;

    /// Which part of the first table a sample looks up, if it has several. The samples of one come one after another, so
    /// that its part of weights and gradient stays in the cache.
    fn part(_sample: &Self::Sample) -> usize {
        0
    }

    /// Forward and backward pass, inlined into a kernel: adds the gradient of a sample's loss to `gradient`. Returns the
    /// loss.
    ///
    /// `surrogate` is that of [`images`](super::images).
    fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        sample: &Self::Sample,
        surrogate: f32,
        gradient: &mut Weights,
    ) -> f64;

    /// Forward pass, inlined into a kernel.
    fn predict<L: Lanes>(weights: &Weights, sample: &Self::Sample) -> Self::Prediction;

    /// The number of arrows and the measures of a held-out sample.
    fn measures(sample: &Self::Sample, prediction: Self::Prediction) -> (usize, [f64; 2]);

    /// Predicted against observed results for the plot.
    fn calibrations(_samples: &[Self::Sample], _predictions: &[Self::Prediction]) -> Vec<Line> {
        Vec::new()
    }

    /// A line of the header about the options of this head.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// What a head is called, measured by and trained with if the user does not say.
#[derive(Debug)]
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// The command that trains it.
    pub command: &'static str,
    /// The first bytes of a [checkpoint](super::checkpoint); the last but one is the version.
    pub magic: &'static [u8],
    /// Where the weights lie that are compiled in.
    pub path: &'static str,
    /// Their text.
    pub compiled_in: &'static str,
    /// Epochs at most, as text: clap keeps other defaults for one head alone.
    pub epochs: &'static str,
    /// Positions of a batch.
    pub batch: &'static str,
    /// What the loss is called.
    pub loss: &'static str,
    /// What stands above the table of measures.
    pub table_head: &'static str,
    /// Arrows from one group of held-out samples to the next.
    pub group_arrows: usize,
    /// What is measured of them.
    pub columns: [&'static str; 2],
    /// Which of the measures is the loss.
    pub loss_column: usize,
    /// A simpler predictor to compare with, by its name, and the measure that is its loss.
    pub baseline: Option<(&'static str, usize)>,
}

impl About {
    /// How a file of weights begins, behind the mark of a comment.
    #[must_use]
    pub fn first_line(&self) -> String {
        let About { name, command, .. } = self;
        format!("Weights of the {name}, trained by `amazons {command}`")
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::learner::{Backward, Learner};
    use super::super::weights::zero;
    use super::*;
    use crate::order::Order;
    use crate::order::visits::tests::random_samples;
    use crate::value::Value;
    use crate::value::outcome::tests::{VALUE, random_data};
    use engine::bitboard::vectors::fewer::MOST_LANES;
    use engine::bitboard::{MAX_LANES, widest};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use rayon::ThreadPoolBuilder;

    /// Weights whose hidden units lie within and beyond their limits.
    pub fn random_weights<H: Head>(seed: u64) -> Weights {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut weights = zero(H::SHAPES);
        for (at, table) in weights.iter_mut().enumerate() {
            let limits = if at == 0 { -0.08..0.08 } else { -0.3..0.6 };
            let numbers = table.as_flattened_mut();
            numbers.fill_with(|| random.random_range(limits.clone()));
        }
        weights
    }

    /// The sum of the losses, and their gradient.
    pub fn gradient<H: Head>(head: &H, weights: &Weights, samples: &[H::Sample]) -> (f64, Weights) {
        let mut gradient = zero(H::SHAPES);
        let loss = widest(Backward {
            head,
            weights,
            samples,
            surrogate: 0.0,
            gradient: &mut gradient,
        });
        (loss, gradient)
    }

    /// Checks the gradient in each table against the difference of the losses that a step along it makes.
    fn check_gradient<H: Head>(head: &H, samples: &[H::Sample]) {
        let weights = random_weights::<H>(1);
        let gradient = self::gradient(head, &weights, samples).1;
        for (table, rows) in gradient.iter().enumerate() {
            let step = if table == 0 { 1e-4 } else { 1e-3 };
            let loss = |sign: f32| {
                let mut end = weights.clone();
                let numbers = end[table].as_flattened_mut().iter_mut();
                for (number, slope) in numbers.zip(rows.as_flattened()) {
                    *number += sign * step * slope.signum() * f32::from(*slope != 0.0);
                }
                self::gradient(head, &end, samples).0
            };
            let slopes = rows.as_flattened().iter();
            let expected: f64 = slopes.map(|slope| f64::from(step * slope.abs())).sum();
            let found = (loss(1.0) - loss(-1.0)) / 2.0;
            assert!(
                expected > 0.0 && (found - expected).abs() < 0.03 * expected,
                "table {table}: {found} instead of {expected}"
            );
        }
    }

    /// Every vector register finds the same loss and the same gradient, bit by bit.
    fn check_registers<H: Head>(head: &H, samples: &[H::Sample]) {
        let [plain, widest] = [1, MAX_LANES].map(|most| {
            MOST_LANES.set(most);
            gradient(head, &random_weights::<H>(5), samples)
        });
        assert_eq!(plain, widest);
    }

    /// The weights after some steps.
    pub fn trained<H: Head>(head: &H, samples: &[H::Sample]) -> Weights {
        let mut learner = Learner::new::<H>(1);
        let batch: Vec<u32> = (0..samples.len() as u32).collect();
        for _ in 0..20 {
            learner.learn(head, samples, &batch, 0.01, 0.1);
        }
        learner.weights
    }

    /// A number of threads learns the same weights as another. All are integers of the engine.
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

    /// What is compiled in is read, and written again as it stands.
    fn check_text<H: Head>() {
        let text = H::ABOUT.compiled_in;
        let weights = H::parse(text).expect("weights");
        let coded = text.lines().skip_while(|line| line.starts_with("# "));
        assert!(H::write(&weights, "").lines().eq(coded));
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        check_gradient(&VALUE, &random_data(8).train);
        check_gradient(&Order {}, &random_samples(8));
    }

    #[test]
    fn every_vector_register_finds_the_same_bits() {
        check_registers(&VALUE, &random_data(2).train);
        check_registers(&Order {}, &random_samples(2));
    }

    #[test]
    fn the_engines_weights_come_back_as_they_were() {
        check_text::<Value>();
        check_text::<Order>();
    }

    #[test]
    fn weights_are_integers_and_do_not_depend_on_the_threads() {
        check_training(&VALUE, &random_data(5).train);
        check_training(&Order {}, &random_samples(5));
    }
}
