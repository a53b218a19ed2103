//! Simultaneous perturbation stochastic approximation: maximises a function known only by noisy comparisons.
//!
//! All numbers are positive and scale by ratios, so their logarithms θ are moved.
//!
//! A step moves all numbers at once, each up or down at random. It compares this point with its mirror image and goes
//! towards the better one (Spall 1992). Its cost does not depend on the number of parameters. With k of N pairs of
//! games played, the signs δ of a step, and its `result` (games won less games lost):
//!
//! ```text
//! c_k = c·(N/k)^γ        a_k = r·c²·((A + N)/(A + k))^α        θ += a_k·result / (c_k·δ)
//! ```
//!
//! N, c and r are `pairs`, `perturbation` and `rate` of a [`Schedule`]. α, γ and A are Spall's (1998). c and r are given for the last step, as in Stockfish's tests (fishtest): c is the
//! distance there, and r the share of it by which a game moves. A climb that is resumed beyond N keeps N: earlier
//! steps stay as they are, later ones are smaller than the last, as in Spall's endless sequence.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// α, the rate at which steps shrink (Spall 1998).
const ALPHA: f64 = 0.602;

/// γ, the rate at which the distance of the compared points shrinks (Spall 1998).
const GAMMA: f64 = 0.101;

/// A as a share of all pairs: it keeps the first steps small (Spall 1998).
const STABILITY: f64 = 0.1;

/// Separates the signs from other draws with the same seed.
const SALT: u64 = 0x5350_5341;

/// A number that is tuned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Its start, above 0.
    pub start: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

/// Length, distance and rate of a climb.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
pub struct Schedule {
    /// Pairs of games in all; the games of a pair share an opening, with colours swapped. With --resume the number may
    /// grow: steps go on shrinking, and have the given distance and rate at the first number of pairs
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs: u64,
    /// Pairs of games a step, played at the same time
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Distance of the compared settings from the present one in the last step: 0.1 makes every number about 10 %
    /// larger or smaller; first steps are two to three times as far
    #[arg(long, value_name = "F", default_value_t = 0.1, value_parser = share)]
    pub perturbation: f64,
    /// Share of that distance by which a game of the last step moves the setting: 0.002 suits tens of thousands of
    /// games, 0.01 is quicker and leaves more to chance
    #[arg(long, value_name = "F", default_value_t = 0.002, value_parser = share)]
    pub rate: f64,
    /// Seed of openings, searches and steps
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Reads a number above 0 and below 1 on the command line.
fn share(word: &str) -> Result<f64, String> {
    let share = word.parse().ok();
    share
        .filter(|&share| 0.0 < share && share < 1.0)
        .ok_or_else(|| "expected a number above 0 and below 1".to_owned())
}

/// A running climb.
pub struct Climb {
    axes: Vec<Axis>,
    schedule: Schedule,
    /// The numbers as they are tuned so far.
    pub numbers: Vec<f64>,
    /// Pairs of games so far.
    pub pairs: u64,
    /// Pairs of games in all. Steps beyond N shrink on by the same formulas.
    pub end: u64,
}

/// Two points to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The point in the direction of the signs.
    pub plus: Vec<f64>,
    /// The point on the other side.
    pub minus: Vec<f64>,
    /// Number of pairs of games to play.
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

    /// The points that the next step compares; nothing when all pairs are played.
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

    /// Takes the result (games that `plus` won less those it lost) and moves.
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

    /// Random signs. They depend only on seed and pairs, so that a climb can be resumed.
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
