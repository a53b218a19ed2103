//! The passes of a head through many samples, as kernels.

use super::head::Head;
use crate::bitboard::{Kernel, Lanes, widest};
use crate::tools::training::measures::Measures;
use rayon::prelude::*;

/// Samples that a thread predicts at a time.
const CHUNK: usize = 4096;

/// Forward and backward pass, as a kernel: adds the gradient of the samples' losses to `gradient`. Returns the sum of the
/// losses.
pub struct Backward<'a, H: Head> {
    pub head: &'a H,
    pub weights: &'a H::Weights,
    pub samples: &'a [H::Sample],
    /// That of [`activation`](super::activation).
    pub surrogate: f32,
    pub gradient: &'a mut H::Weights,
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
    weights: &'a H::Weights,
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
pub fn predict<H: Head>(weights: &H::Weights, samples: &[H::Sample]) -> Vec<H::Prediction> {
    let chunks = samples.par_chunks(CHUNK);
    let predicted = chunks.flat_map_iter(|samples| widest(Predict::<H> { weights, samples }));
    predicted.collect()
}

/// Measures a network by samples.
#[must_use]
pub fn measure<H: Head>(weights: &H::Weights, samples: &[H::Sample]) -> Measures {
    let predicted = samples.iter().zip(predict::<H>(weights, samples));
    let measures = predicted.map(|(sample, prediction)| H::measures(sample, prediction));
    Measures::new(&H::LAYOUT, measures)
}
