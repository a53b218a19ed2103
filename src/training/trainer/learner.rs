//! Training steps of a network: gradients of a batch on several threads, the optimiser step, and quantisation of the weights.
//!
//! After every step, the weights are rounded to the engine's integers, so that the trained network is exactly the network
//! that plays (quantisation-aware training).

use super::adam::AdamStep;
use super::head::Head;
use super::weights::{Parameters, Weights, zero_weights};
use crate::metrics::Metrics;
use engine::bitboard::{Kernel, Lanes, widest};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Number of shards into which a batch is split; more threads than shards would be idle. The gradients of the shards are
/// summed in a fixed order, so the result does not depend on the number of threads.
const GRADIENT_SHARDS: usize = 8;

/// Number of samples in a chunk for which one thread runs the forward pass.
const PREDICT_CHUNK_SAMPLES: usize = 4096;

/// A network in training, with the state of its optimiser.
#[derive(Serialize, Deserialize)]
pub struct Learner {
    /// Quantised weights, with which the forward and backward passes work.
    #[serde(skip)]
    pub weights: Weights,
    /// Weights before quantisation, which the optimiser updates.
    parameters: Parameters,
    /// Number of optimiser steps so far.
    steps: u32,
    /// Buffers for the gradients of the batch's shards.
    #[serde(skip)]
    gradients: Vec<Weights>,
}

impl Learner {
    /// Returns a network with random weights, before the first optimiser step.
    #[must_use]
    pub fn new<H: Head>(seed: u64) -> Learner {
        let learner = Learner {
            weights: Vec::new(),
            parameters: H::random(seed),
            steps: 0,
            gradients: Vec::new(),
        };
        learner.fill_skipped_fields::<H>()
    }

    /// Fills the fields that a checkpoint does not store: the quantised weights and the gradient buffers.
    #[must_use]
    pub fn fill_skipped_fields<H: Head>(mut self) -> Learner {
        self.weights = zero_weights(H::SHAPES);
        self.gradients = vec![zero_weights(H::SHAPES); GRADIENT_SHARDS];
        self.parameters.quantize_into(H::SHAPES, &mut self.weights);
        self
    }

    /// Performs an optimiser step with the learning rate `rate` on the samples whose indices are in `batch`. Returns the sum of
    /// their losses before the step.
    ///
    /// `surrogate` is the size of the surrogate gradient, see [`hidden_layer`](super::hidden_layer).
    pub fn train_batch<H: Head>(
        &mut self,
        head: &H,
        samples: &[H::Sample],
        batch: &[u32],
        rate: f32,
        surrogate: f32,
    ) -> f64 {
        let weights = &self.weights;
        let shards = batch.par_chunks(batch.len().div_ceil(GRADIENT_SHARDS));
        let losses = shards.zip(&mut self.gradients).map(|(shard, gradient)| {
            for table in gradient.iter_mut() {
                table.as_flattened_mut().fill(0.0);
            }
            // Copies the scattered samples of the shard in one go: the cache misses of many reads then overlap.
            let samples = shard.iter().map(|&at| samples[at as usize]);
            let mut samples: Vec<H::Sample> = samples.collect();
            samples.sort_by_key(H::phase);
            widest(BackwardKernel {
                head,
                weights,
                samples: &samples,
                surrogate,
                gradient,
            })
        });
        let losses: Vec<f64> = losses.collect();
        self.steps += 1;
        let step = AdamStep {
            number: self.steps,
            rate,
        };
        let (gradients, scale) = (&self.gradients[..losses.len()], 1.0 / batch.len() as f32);
        self.parameters.step(step, gradients, scale);
        self.parameters.quantize_into(H::SHAPES, &mut self.weights);
        losses.iter().sum()
    }
}

/// Kernel of the forward and backward pass: adds the gradient of the samples' losses to `gradient` and returns the sum of
/// the losses.
pub struct BackwardKernel<'a, H: Head> {
    pub head: &'a H,
    pub weights: &'a Weights,
    pub samples: &'a [H::Sample],
    /// Size of the surrogate gradient, see [`hidden_layer`](super::hidden_layer).
    pub surrogate: f32,
    pub gradient: &'a mut Weights,
}

impl<H: Head> Kernel for BackwardKernel<'_, H> {
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

/// Kernel of the forward pass: returns the predictions for the samples.
struct PredictKernel<'a, H: Head> {
    weights: &'a Weights,
    samples: &'a [H::Sample],
}

impl<H: Head> Kernel for PredictKernel<'_, H> {
    type Output = Vec<H::Prediction>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<H::Prediction> {
        let mut predictions = Vec::with_capacity(self.samples.len());
        for sample in self.samples {
            predictions.push(H::predict::<L>(self.weights, sample));
        }
        predictions
    }
}

/// Returns the network's predictions for the samples, in their order. Runs on all threads of the current pool.
#[must_use]
pub fn predict<H: Head>(weights: &Weights, samples: &[H::Sample]) -> Vec<H::Prediction> {
    let chunks = samples.par_chunks(PREDICT_CHUNK_SAMPLES);
    let predictions =
        chunks.flat_map_iter(|samples| widest(PredictKernel::<H> { weights, samples }));
    predictions.collect()
}

/// Measures how well the network predicts `samples`, usually the held-out set.
#[must_use]
pub fn evaluate<H: Head>(weights: &Weights, samples: &[H::Sample]) -> Metrics {
    let predictions = samples.iter().zip(predict::<H>(weights, samples));
    let metrics = predictions.map(|(sample, prediction)| H::metrics(sample, prediction));
    Metrics::new(H::INFO.group_arrows, H::INFO.metric_names, metrics)
}
