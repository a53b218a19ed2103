//! The learner: a network in training, and the step that a batch makes.
//!
//! After every step weights are rounded to the engine's integers, so that what is trained is what will be played.

use super::adam::Step;
use super::head::{Head, HeadParameters, HeadWeights};
use super::passes::Backward;
use crate::bitboard::widest;
use rayon::prelude::*;

/// Shards of a batch, each with a gradient of its own. They are summed in order, so that the result does not depend on
/// how many threads work on them; more threads would be idle.
const SHARDS: usize = 8;

/// A network in training.
pub struct Learner<H: Head> {
    /// The network as the engine will have it.
    pub weights: H::Weights,
    /// What the weights are before they are rounded.
    pub parameters: H::Parameters,
    pub steps: u32,
    /// The gradient of each shard of a batch.
    gradients: Vec<H::Weights>,
}

impl<H: Head> Learner<H> {
    /// A random network.
    #[must_use]
    pub fn new(seed: u64) -> Learner<H> {
        let mut learner = Learner {
            weights: H::Weights::zero(),
            parameters: H::Parameters::random(seed),
            steps: 0,
            gradients: vec![H::Weights::zero(); SHARDS],
        };
        learner.resume(0);
        learner
    }

    /// Goes on after so many steps, once the numbers of the parameters are set.
    pub fn resume(&mut self, steps: u32) {
        self.steps = steps;
        self.parameters.round(&mut self.weights);
    }

    /// Learns from a batch with a learning rate. Returns the sum of the losses before the step.
    ///
    /// `sample` finds a sample by its entry in the batch. `surrogate` is that of [`activation`](super::activation).
    pub fn learn(
        &mut self,
        head: &H,
        batch: &[u32],
        sample: impl Fn(u32) -> H::Sample + Sync,
        rate: f32,
        surrogate: f32,
    ) -> f64 {
        let weights = &self.weights;
        let shards = batch.par_chunks(batch.len().div_ceil(SHARDS));
        let losses = shards.zip(&mut self.gradients).map(|(shard, gradient)| {
            for table in gradient.tables() {
                table.fill(0.0);
            }
            // All samples at once: the memory answers faster.
            let mut samples: Vec<H::Sample> = shard.iter().map(|&entry| sample(entry)).collect();
            samples.sort_by_key(H::table);
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
        self.parameters.step(
            Step::new(self.steps, rate),
            &self.gradients[..losses.len()],
            1.0 / batch.len() as f32,
            &mut self.weights,
        );
        losses.iter().sum()
    }
}
