//! Simultaneous perturbation stochastic approximation: climbs what is known by noisy comparisons alone.
//!
//! All numbers are positive, and a tenth more means the same for a small one as for a large one: what is
//! moved is their logarithm θ.
//!
//! A step moves all numbers at once, each up or down by chance, compares the point so reached with its
//! mirror image, and goes towards the better one (Spall 1992). However many numbers there are, a step
//! costs the games of one comparison. With k pairs of games played of N, δ the signs of a step and
//! `result` its games won less those lost:
//!
//! ```text
//! c_k = c·(N/k)^γ        a_k = r·c²·((A + N)/(A + k))^α        θ += a_k·result / (c_k·δ)
//! ```
//!
//! α, γ and A are Spall's (1998). That c and r are given for the last step, where the first is a known
//! distance and the second how much of it a game moves, is the convention of Stockfish's tests (fishtest).
//! A climb that is gone on with beyond N keeps N: the steps that were made stay what they are, and those that
//! follow are smaller than the last one, as in Spall's endless sequence.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// How fast steps shrink (Spall 1998).
const ALPHA: f64 = 0.602;

/// How fast the distance of the compared points shrinks (Spall 1998).
const GAMMA: f64 = 0.101;

/// A as a share of all pairs: it keeps the first steps small (Spall 1998).
const STABILITY: f64 = 0.1;

/// Keeps the signs apart from all else that is drawn with the same seed.
const SALT: u64 = 0x5350_5341;

/// A number that is tuned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Where it begins, above 0.
    pub start: f64,
    /// The smallest value that is tried.
    pub min: f64,
    /// The largest value that is tried.
    pub max: f64,
}

/// How far and how fast to climb.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Pairs of games (N) after which distance and rate are those given; a climb may go on.
    pub pairs: u64,
    /// Pairs of games a step.
    pub batch: u64,
    /// Distance of the compared points from the present one in the last step (c): 0.1 is some 10 %.
    pub perturbation: f64,
    /// Share of that distance by which a game of the last step moves the numbers (r).
    pub rate: f64,
    /// Seed of the signs.
    pub seed: u64,
}

/// A climb under way.
pub struct Climb {
    axes: Vec<Axis>,
    schedule: Schedule,
    numbers: Vec<f64>,
    pairs: u64,
    /// Pairs of games in all.
    end: u64,
}

/// Two points to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The point in the direction of the signs.
    pub plus: Vec<f64>,
    /// The point on the other side.
    pub minus: Vec<f64>,
    /// How many pairs of games are to compare them.
    pub pairs: u64,
    /// 1 or −1 for every number.
    signs: Vec<f64>,
}

impl Climb {
    /// A climb at its start.
    #[must_use]
    pub fn new(axes: Vec<Axis>, schedule: Schedule) -> Climb {
        let numbers = axes.iter().map(|axis| axis.start).collect();
        Climb {
            axes,
            schedule,
            numbers,
            pairs: 0,
            end: schedule.pairs,
        }
    }

    /// Sets how many pairs of games are played in all. Steps beyond N shrink on by the same formulas.
    pub const fn lengthen(&mut self, pairs: u64) {
        self.end = pairs;
    }

    /// The numbers as they are tuned so far.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// Pairs of games so far.
    #[must_use]
    pub const fn pairs(&self) -> u64 {
        self.pairs
    }

    /// What the next step compares; nothing when all pairs are played.
    #[must_use]
    pub fn trial(&self) -> Option<Trial> {
        let pairs = self.schedule.batch.min(self.end.saturating_sub(self.pairs));
        let signs = self.signs();
        let perturbation = self.perturbation(self.pairs + pairs);
        (pairs > 0).then(|| Trial {
            plus: self.moved(&signs, perturbation),
            minus: self.moved(&signs, -perturbation),
            pairs,
            signs,
        })
    }

    /// Takes the games that `plus` won less those that it lost, and moves.
    pub fn take(&mut self, trial: &Trial, result: f64) {
        self.pairs += trial.pairs;
        let step = self.gain(self.pairs) * result / self.perturbation(self.pairs);
        self.numbers = self.moved(&trial.signs, step);
    }

    /// The numbers with their logarithms moved in the direction of the signs, within their ranges.
    fn moved(&self, signs: &[f64], distance: f64) -> Vec<f64> {
        let axes = self.axes.iter().zip(&self.numbers).zip(signs);
        axes.map(|((axis, number), sign)| {
            (number * (sign * distance).exp()).clamp(axis.min, axis.max)
        })
        .collect()
    }

    /// Signs by chance. They depend on nothing but seed and pairs, so that a climb can be gone on with.
    fn signs(&self) -> Vec<f64> {
        let place = self.pairs.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = SmallRng::seed_from_u64(self.schedule.seed ^ SALT ^ place);
        let sign = |_: &Axis| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
        self.axes.iter().map(sign).collect()
    }

    /// c_k.
    fn perturbation(&self, pairs: u64) -> f64 {
        let share = self.schedule.pairs as f64 / pairs as f64;
        self.schedule.perturbation * share.powf(GAMMA)
    }

    /// a_k.
    fn gain(&self, pairs: u64) -> f64 {
        let all = self.schedule.pairs as f64;
        let stability = STABILITY * all;
        let share = (stability + all) / (stability + pairs as f64);
        self.schedule.rate * self.schedule.perturbation.powi(2) * share.powf(ALPHA)
    }
}
