//! How well an order network foresees held-out searches, by number of arrows.

use super::model::{Foresee, Foreseen, Weights};
use super::samples::Sample;
use crate::bitboard::widest;
use crate::board::MAX_ARROWS;
use rayon::prelude::*;

/// Samples that a thread looks at at a time.
const CHUNK: usize = 4096;

/// Arrows from one group to the next.
pub const GROUP_ARROWS: usize = 6;

/// Groups of positions, by number of arrows. Full boards have no moves.
pub const GROUPS: usize = MAX_ARROWS.div_ceil(GROUP_ARROWS);

/// Sums over some samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Number of samples.
    pub count: u32,
    losses: f64,
    best: u32,
}

impl Sums {
    /// Mean loss, in nats.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.losses / f64::from(self.count)
    }

    /// Share of the samples whose likeliest move is one of those with the most visits.
    #[must_use]
    pub fn top(&self) -> f64 {
        f64::from(self.best) / f64::from(self.count)
    }

    fn add(&mut self, foreseen: Foreseen) {
        self.count += 1;
        self.losses += foreseen.loss;
        self.best += u32::from(foreseen.is_best);
    }
}

/// The sums by group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured(pub [Sums; GROUPS]);

impl Measured {
    /// Those of all groups together.
    #[must_use]
    pub fn all(&self) -> Sums {
        let mut all = Sums::default();
        for group in &self.0 {
            all.count += group.count;
            all.losses += group.losses;
            all.best += group.best;
        }
        all
    }
}

/// Measures a network. The sums are made in the order of the samples, whatever the number of threads.
#[must_use]
pub fn measure(weights: &Weights, samples: &[Sample]) -> Measured {
    let chunks = samples.par_chunks(CHUNK);
    let foreseen = chunks.flat_map_iter(|samples| widest(Foresee { weights, samples }));
    let foreseen: Vec<Foreseen> = foreseen.collect();
    let mut measured = Measured::default();
    for (sample, foreseen) in samples.iter().zip(foreseen) {
        measured.0[sample.arrows() / GROUP_ARROWS].add(foreseen);
    }
    measured
}
