//! Training steps of a network: computes a batch's gradient on several threads, performs the optimiser step, and
//! quantises the weights.
//!
//! After every step, the weights are rounded to the engine's integers, so that the network in training computes what
//! the engine will compute (quantisation-aware training).

use super::adam::AdamStep;
use super::network::TrainableNetwork;
use super::weights::{Parameters, Weights, zero_weights};
use crate::metrics::Metrics;
use engine::bitboard::{Kernel, Lanes, run_widest};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Number of parts into which each batch is split to compute its gradient on several threads. Each part is computed by
/// one thread; threads beyond this number remain unused.
///
/// The gradients of the parts are summed in a fixed order, so the result does not depend on the number of threads.
const GRADIENT_PARTS: usize = 8;

/// Maximum number of samples that one parallel task predicts in the forward pass.
const PREDICT_CHUNK_SAMPLES: usize = 4096;

/// Weights of a network in training, with the state of the optimiser.
#[derive(Serialize, Deserialize)]
pub struct Learner {
    /// Quantised weights (rounded to the engine's integers), used by the forward and backward pass. They are recomputed
    /// from `parameters` after every step.
    #[serde(skip)]
    pub weights: Weights,
    /// Full-precision weights, which the optimiser updates in each step. The quantised weights are computed from them.
    parameters: Parameters,
    /// Number of optimiser steps since the start of the training run; Adam's bias correction depends on it.
    steps: u32,
    /// Buffers for the gradients of the `GRADIENT_PARTS` parts into which each batch is split. They are kept from step
    /// to step to avoid allocating memory.
    #[serde(skip)]
    gradients: Vec<Weights>,
}

impl Learner {
    /// Returns a network with random weights, before the first optimiser step. Equal seeds give equal weights.
    #[must_use]
    pub fn new<N: TrainableNetwork>(seed: u64) -> Learner {
        let learner = Learner {
            weights: Vec::new(),
            parameters: N::random(seed),
            steps: 0,
            gradients: Vec::new(),
        };
        learner.fill_skipped_fields::<N>()
    }

    /// Computes the fields that a checkpoint does not store: the quantised weights and the gradient buffers. Must be
    /// called after a learner is deserialised from a checkpoint.
    #[must_use]
    pub fn fill_skipped_fields<N: TrainableNetwork>(mut self) -> Learner {
        self.weights = zero_weights(N::SHAPES);
        self.gradients = vec![zero_weights(N::SHAPES); GRADIENT_PARTS];
        self.parameters.quantize_into(N::SHAPES, &mut self.weights);
        self
    }

    /// Performs an optimiser step with the learning rate `rate` on a mini-batch: the `samples` whose indices are in
    /// `batch`. Returns the sum of their losses before the step, in nats.
    ///
    /// `surrogate`, from 0 to 1, is the fraction of the gradient that is passed on through a hidden unit whose
    /// pre-activation is clamped. With 0, the true gradient is used; a larger value lets such units learn.
    ///
    /// # Panics
    /// If `batch` is empty, or an index is out of range.
    pub fn train_batch<N: TrainableNetwork>(
        &mut self,
        network: &N,
        samples: &[N::Sample],
        batch: &[u32],
        rate: f32,
        surrogate: f32,
    ) -> f64 {
        let weights = &self.weights;
        let parts = batch.par_chunks(batch.len().div_ceil(GRADIENT_PARTS));
        let losses = parts.zip(&mut self.gradients).map(|(part, gradient)| {
            for table in gradient.iter_mut() {
                table.as_flattened_mut().fill(0.0);
            }
            // Copy the samples of this part of the batch, which are scattered in memory, in a loop of its own. Its
            // reads do not depend on each other, so the processor can wait for several at once.
            let samples = part.iter().map(|&index| samples[index as usize]);
            let mut samples: Vec<N::Sample> = samples.collect();
            samples.sort_by_key(N::phase);
            run_widest(BackwardKernel {
                network,
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
        self.parameters.quantize_into(N::SHAPES, &mut self.weights);
        losses.iter().sum()
    }
}

/// Forward and backward pass of the network over `samples`, as a [`Kernel`]: a function that is compiled for several
/// SIMD instruction sets. The fields of the struct are the arguments of the function; [`run_widest`] calls it.
///
/// The function adds the gradient of the sum of the samples' losses to `gradient`. It returns this sum, in nats.
pub struct BackwardKernel<'a, N: TrainableNetwork> {
    /// Network to train, with the values of its own command-line options.
    pub network: &'a N,
    /// Quantised weights of the network.
    pub weights: &'a Weights,
    /// Samples whose gradient is computed: one part of a batch.
    pub samples: &'a [N::Sample],
    /// Fraction, from 0 to 1, of the gradient that is passed on through a hidden unit whose pre-activation is clamped.
    /// With 0, the gradient is the true one; a larger value lets such units learn.
    pub surrogate: f32,
    /// Output buffer for the gradient: the gradient of the samples' summed losses with respect to the weights is added
    /// to it.
    pub gradient: &'a mut Weights,
}

impl<N: TrainableNetwork> Kernel for BackwardKernel<'_, N> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let (network, weights) = (self.network, self.weights);
        let mut sum = 0.0;
        for sample in self.samples {
            sum += network.backward::<L>(weights, sample, self.surrogate, self.gradient);
        }
        sum
    }
}

/// Forward pass of the network over `samples`, as a [`Kernel`]: a function that is compiled for several SIMD
/// instruction sets. The fields of the struct are the arguments of the function; [`run_widest`] calls it.
///
/// The function returns a [`TrainableNetwork::Prediction`] for each sample, in the order of `samples`.
struct PredictKernel<'a, N: TrainableNetwork> {
    weights: &'a Weights,
    samples: &'a [N::Sample],
}

impl<N: TrainableNetwork> Kernel for PredictKernel<'_, N> {
    type Output = Vec<N::Prediction>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<N::Prediction> {
        let mut predictions = Vec::with_capacity(self.samples.len());
        for sample in self.samples {
            predictions.push(N::predict::<L>(self.weights, sample));
        }
        predictions
    }
}

/// Returns the network's prediction for each sample, in the order of `samples`. Runs on all threads of the current
/// Rayon thread pool.
#[must_use]
pub fn predict<N: TrainableNetwork>(
    weights: &Weights,
    samples: &[N::Sample],
) -> Vec<N::Prediction> {
    let chunks = samples.par_chunks(PREDICT_CHUNK_SAMPLES);
    let predictions =
        chunks.flat_map_iter(|samples| run_widest(PredictKernel::<N> { weights, samples }));
    predictions.collect()
}

/// Computes the metrics (such as the log-loss) of the predictions that the network with the weights `weights` makes for
/// `samples`. Returns their sums in groups by the number of arrows on the board.
#[must_use]
pub fn evaluate<N: TrainableNetwork>(weights: &Weights, samples: &[N::Sample]) -> Metrics {
    let predictions = samples.iter().zip(predict::<N>(weights, samples));
    let metrics = predictions.map(|(sample, prediction)| N::metrics(sample, prediction));
    Metrics::new(N::INFO.group_arrows, N::INFO.metric_names, metrics)
}
