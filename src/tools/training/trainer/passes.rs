//! The passes of a head through many samples, as kernels.

use super::head::Head;
use crate::bitboard::{Kernel, Lanes, widest};
use crate::tools::training::measures::Measures;
use rayon::prelude::*;

/// Samples that a thread predicts at a time.
const CHUNK: usize = 4096;

/// [`backward`] as a kernel.
struct Backward<'a, H: Head> {
    head: &'a H,
    weights: &'a H::Weights,
    samples: &'a [H::Sample],
    surrogate: f32,
    gradient: &'a mut H::Weights,
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

/// Forward and backward pass: adds the gradient of the samples' losses to `gradient`. Returns the sum of the losses.
///
/// `surrogate` is that of [`activation`](super::activation).
pub fn backward<H: Head>(
    head: &H,
    weights: &H::Weights,
    samples: &[H::Sample],
    surrogate: f32,
    gradient: &mut H::Weights,
) -> f64 {
    widest(Backward {
        head,
        weights,
        samples,
        surrogate,
        gradient,
    })
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
    let measures =
        predicted.map(|(sample, prediction)| (H::arrows(sample), H::measures(sample, prediction)));
    Measures::new(&H::LAYOUT, measures)
}
