//! The learner: a network in training, the passes of a head through many samples, and the step that a batch makes.
//!
//! After every step weights are rounded to the engine's integers, so that what is trained is what will be played.

use super::adam::Step;
use super::head::Head;
use super::weights::{Parameters, Weights, zero};
use crate::measures::Measures;
use engine::bitboard::{Kernel, Lanes, widest};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Shards of a batch, each with a gradient of its own. They are summed in order, so that the result does not depend on
/// how many threads work on them; more threads would be idle.
const SHARDS: usize = 8;

/// Samples that a thread predicts at a time.
const CHUNK: usize = 4096;

/// A network in training.
#[derive(Serialize, Deserialize)]
pub struct Learner {
    /// The network as the engine will have it.
    #[serde(skip)]
    pub weights: Weights,
    /// What the weights are before they are rounded.
    parameters: Parameters,
    /// Steps so far.
    steps: u32,
    /// The gradient of each shard of a batch.
    #[serde(skip)]
    gradients: Vec<Weights>,
}

impl Learner {
    /// Begins with a random network.
    #[must_use]
    pub fn new<H: Head>(seed: u64) -> Learner {
        let learner = Learner {
            weights: Vec::new(),
            parameters: H::random(seed),
            steps: 0,
            gradients: Vec::new(),
        };
        learner.ready::<H>()
    }

    /// Makes a learner that was read from a file ready to go on.
    #[must_use]
    pub fn ready<H: Head>(mut self) -> Learner {
        self.weights = zero(H::SHAPES);
        self.gradients = vec![zero(H::SHAPES); SHARDS];
        self.parameters.round(H::SHAPES, &mut self.weights);
        self
    }

    /// Learns from a batch, the places of samples, with a learning rate. Returns the sum of the losses before the step.
    ///
    /// `surrogate` is that of [`images`](super::images).
    pub fn learn<H: Head>(
        &mut self,
        head: &H,
        samples: &[H::Sample],
        batch: &[u32],
        rate: f32,
        surrogate: f32,
    ) -> f64 {
        let weights = &self.weights;
        let shards = batch.par_chunks(batch.len().div_ceil(SHARDS));
        let losses = shards.zip(&mut self.gradients).map(|(shard, gradient)| {
            for table in gradient.iter_mut() {
                table.as_flattened_mut().fill(0.0);
            }
            // All samples at once: the memory answers faster.
            let samples = shard.iter().map(|&at| samples[at as usize]);
            let mut samples: Vec<H::Sample> = samples.collect();
            samples.sort_by_key(H::part);
            widest(Backward {
                head,
                weights,
                samples: &samples,
                surrogate,
                gradient,
            })
        });
        let losses: Vec<f64> = losses.collect();
        self.steps += 1;
        let step = Step {
            number: self.steps,
            rate,
        };
        let (gradients, scale) = (&self.gradients[..losses.len()], 1.0 / batch.len() as f32);
        self.parameters.step(step, gradients, scale);
        self.parameters.round(H::SHAPES, &mut self.weights);
        losses.iter().sum()
    }
}

/// Forward and backward pass, as a kernel: adds the gradient of the samples' losses to `gradient`. Returns the sum of the
/// losses.
pub struct Backward<'a, H: Head> {
    pub head: &'a H,
    pub weights: &'a Weights,
    pub samples: &'a [H::Sample],
    /// That of [`images`](super::images).
    pub surrogate: f32,
    pub gradient: &'a mut Weights,
}

impl<H: Head> Kernel for Backward<'_, H> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let (head, weights) = (self.head, self.weights);
        let mut sum = 0.0;
        for sample in self.samples {
            sum += head.backward::<L>(weights, sample, self.surrogate, self.gradient);
        }
        sum
    }
}

/// The forward pass as a kernel.
struct Predict<'a, H: Head> {
    weights: &'a Weights,
    samples: &'a [H::Sample],
}

impl<H: Head> Kernel for Predict<'_, H> {
    type Output = Vec<H::Prediction>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<H::Prediction> {
        let mut all = Vec::with_capacity(self.samples.len());
        for sample in self.samples {
            all.push(H::predict::<L>(self.weights, sample));
        }
        all
    }
}

/// The forward pass.
#[must_use]
pub fn predict<H: Head>(weights: &Weights, samples: &[H::Sample]) -> Vec<H::Prediction> {
    let chunks = samples.par_chunks(CHUNK);
    let predicted = chunks.flat_map_iter(|samples| widest(Predict::<H> { weights, samples }));
    predicted.collect()
}

/// Measures a network by samples.
#[must_use]
pub fn measure<H: Head>(weights: &Weights, samples: &[H::Sample]) -> Measures {
    let predicted = samples.iter().zip(predict::<H>(weights, samples));
    let measures = predicted.map(|(sample, prediction)| H::measures(sample, prediction));
    Measures::new(H::ABOUT.group_arrows, H::ABOUT.columns, measures)
}
