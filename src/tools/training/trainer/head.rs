//! What a head is: a network to train, with its samples, its passes forward and backward, its measures and its file.

use super::adam::Step;
use crate::bitboard::Lanes;
use crate::tools::training::measures::Layout;
use crate::tools::training::plots::Calibration;
use crate::tools::training::samples::Sampler;
use plotters::style::RGBColor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A network to train, with what the training of this one depends on.
pub trait Head:
    Sampler<Sample: Copy + Send + Sync>
    + Clone
    + Debug
    + PartialEq
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
{
    /// The options of the command line that this head alone has.
    type Options: clap::Args + Clone + Debug + Into<Self> + Sync;

    /// Its weights, rounded to what the engine can represent.
    type Weights: HeadWeights;

    /// What is trained, before it is rounded.
    type Parameters: HeadParameters<Self::Weights>;

    /// What a forward pass finds of a sample.
    type Prediction: Copy + Send;

    /// Epochs at most, if the user does not say.
    const EPOCHS: &'static str;

    /// Positions of a batch, if the user does not say.
    const BATCH: &'static str;

    /// What `--out` is.
    const OUT_HELP: &'static str;

    /// What the file of weights holds.
    const FILE: &'static str;

    /// How a file of weights begins, behind the mark of a comment.
    const FIRST_LINE: &'static str;

    /// The first bytes of a [checkpoint](super::checkpoint); the last but one is the version.
    const MAGIC: &'static [u8];

    /// What the compiled-in network is called.
    const COMPILED_IN: &'static str;

    /// What the loss is called.
    const LOSS: &'static str;

    /// What stands above the table of measures.
    const TABLE_HEAD: &'static str;

    /// What is measured of held-out samples.
    const LAYOUT: Layout;

    /// Which of the measures is the loss.
    const LOSS_COLUMN: usize;

    /// A simpler predictor to compare with, by its name, and the measure that is its loss.
    const BASELINE: Option<(&'static str, usize)> = None;

    /// What the lines of the plot mean: whether each is faint, its name and its colour.
    const LEGEND: &'static [(bool, &'static str, RGBColor)];

    /// Which table a sample looks up, if the network has several. The samples of one come one after another, so that its
    /// part of weights and gradient stays in the cache.
    fn table(_sample: &Self::Sample) -> usize {
        0
    }

    /// Forward and backward pass, inlined into a kernel: adds the gradient of a sample's loss to `gradient`. Returns the
    /// loss.
    ///
    /// `surrogate` is that of [`activation`](super::activation).
    fn backward<L: Lanes>(
        &self,
        weights: &Self::Weights,
        sample: &Self::Sample,
        surrogate: f32,
        gradient: &mut Self::Weights,
    ) -> f64;

    /// Forward pass, inlined into a kernel.
    fn predict<L: Lanes>(weights: &Self::Weights, sample: &Self::Sample) -> Self::Prediction;

    /// The number of arrows and the measures of a held-out sample.
    fn measures(sample: &Self::Sample, prediction: Self::Prediction) -> (usize, [f64; 2]);

    /// Predicted against observed results for the plot, each with its colour.
    fn calibrations(
        _samples: &[Self::Sample],
        _predictions: &[Self::Prediction],
    ) -> Vec<(Calibration, RGBColor)> {
        Vec::new()
    }

    /// The options of this head with their values.
    fn facts(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// A line of the header about the options of this head.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// The weights of a network, or the gradient of the loss in each of them.
pub trait HeadWeights: Clone + PartialEq + Debug + Send + Sync {
    /// Zeros.
    fn zero() -> Self;

    /// All numbers, table by table.
    fn tables(&mut self) -> Vec<&mut [f32]>;

    /// The file of weights that is compiled in.
    const COMPILED_IN: &'static str;

    /// Reads a file of weights.
    ///
    /// # Errors
    /// If it holds others.
    fn parse(text: &str) -> Result<Self, String>;

    /// The file of weights, behind comments that hold the lines of `header`.
    fn write(&self, header: &str) -> String;
}

/// The parameters of a network: what its weights are before they are rounded, with what the optimiser remembers.
pub trait HeadParameters<W>: Send + Sync {
    /// Random parameters.
    fn random(seed: u64) -> Self;

    /// Moves all parameters against the sum of the shards' gradients, each multiplied by `scale`. Rounds them to
    /// `weights`.
    fn step(&mut self, step: Step, gradients: &[W], scale: f32, weights: &mut W);

    /// Limits all parameters and rounds them to `weights`.
    fn round(&mut self, weights: &mut W);

    /// All numbers that later steps depend on.
    fn numbers(&mut self) -> Vec<&mut [f32]>;
}

#[cfg(test)]
pub mod tests {
    use super::super::learner::Learner;
    use super::super::passes::Backward;
    use super::*;
    use crate::bitboard::vectors::fewer::MOST_LANES;
    use crate::bitboard::{MAX_LANES, widest};
    use crate::tools::training::order::Order;
    use crate::tools::training::order::visits::tests::random_samples;
    use crate::tools::training::value::Value;
    use crate::tools::training::value::outcome::tests::{VALUE, random_data};
    use rayon::ThreadPoolBuilder;

    /// The sum of the losses, and their gradient.
    pub fn gradient<H: Head>(
        head: &H,
        weights: &H::Weights,
        samples: &[H::Sample],
    ) -> (f64, H::Weights) {
        let mut gradient = H::Weights::zero();
        let loss = widest(Backward {
            head,
            weights,
            samples,
            surrogate: 0.0,
            gradient: &mut gradient,
        });
        (loss, gradient)
    }

    /// Checks the gradient of one sort of weights against the difference of the losses that a step along it makes.
    /// `is_of` tells by table and place which weights are of the sort.
    pub fn check_gradient<H: Head>(
        head: &H,
        weights: &H::Weights,
        samples: &[H::Sample],
        step: f32,
        is_of: impl Fn(usize, usize) -> bool,
    ) {
        let mut gradient = self::gradient(head, weights, samples).1;
        let mut ends = [weights.clone(), weights.clone()];
        let mut expected = 0.0;
        for (table, numbers) in gradient.tables().into_iter().enumerate() {
            let [up, down] = ends.each_mut().map(|end| end.tables().swap_remove(table));
            for (at, number) in numbers.iter().enumerate() {
                if is_of(table, at) {
                    let step = step.copysign(*number);
                    up[at] += step;
                    down[at] -= step;
                    expected += f64::from(number * step);
                }
            }
        }
        let [up, down] = ends.map(|weights| self::gradient(head, &weights, samples).0);
        let found = (up - down) / 2.0;
        assert!(
            expected > 0.0 && (found - expected).abs() < 0.03 * expected,
            "{found} instead of {expected}"
        );
    }

    /// Every vector register finds the same loss and the same gradient, bit by bit.
    pub fn check_registers<H: Head>(head: &H, weights: &H::Weights, samples: &[H::Sample]) {
        let [plain, widest] = [1, MAX_LANES].map(|most| {
            MOST_LANES.set(most);
            gradient(head, weights, samples)
        });
        assert_eq!(plain, widest);
    }

    /// The weights after some steps.
    pub fn trained<H: Head>(head: &H, samples: &[H::Sample]) -> H::Weights {
        let mut learner = Learner::<H>::new(1);
        let batch: Vec<u32> = (0..samples.len() as u32).collect();
        for _ in 0..20 {
            learner.learn(head, &batch, |at| samples[at as usize], 0.01, 0.1);
        }
        learner.weights
    }

    /// A number of threads learns the same weights as another.
    fn check_threads<H: Head>(head: &H, samples: &[H::Sample]) {
        let [one, many] = [1, 5].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            pool.install(|| trained(head, samples))
        });
        assert_eq!(one, many);
    }

    /// What is compiled in is read, and written again as it stands.
    fn check_text<W: HeadWeights>() {
        let weights = W::parse(W::COMPILED_IN).expect("weights");
        let lines = W::COMPILED_IN.lines();
        let coded = lines.skip_while(|line| line.starts_with("# "));
        assert!(weights.write("").lines().eq(coded));
    }

    #[test]
    fn the_engines_weights_come_back_as_they_were() {
        check_text::<<Value as Head>::Weights>();
        check_text::<<Order as Head>::Weights>();
    }

    #[test]
    fn weights_do_not_depend_on_the_threads() {
        check_threads(&VALUE, &random_data(5).train);
        check_threads(&Order {}, &random_samples(5));
    }
}
