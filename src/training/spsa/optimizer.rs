//! SPSA (simultaneous perturbation stochastic approximation, Spall 1992): maximises a noisy function of several
//! parameters, here playing strength, by comparing two points per step.
//!
//! All parameters are positive, and ratios matter more than differences, so θ is the vector of their logarithms.
//!
//! A step draws a random sign δ = ±1 for each parameter, plays games between the points θ + c·δ and θ − c·δ, and moves
//! θ towards the better point. The cost of a step does not depend on the number of parameters. Let N be the total
//! number of pairs of games, k the number played so far, including this step, and `result` the games won minus games
//! lost by θ + c·δ. Then:
//!
//! ```text
//! c_k = c·(N/k)^γ        a_k = r·c²·((A + N)/(A + k))^α        θ += a_k·result / (c_k·δ)
//! ```
//!
//! N, c and r are `pairs`, `perturbation` and `rate` of a [`Schedule`]. α, γ and A are those of Spall (1998). As in
//! fishtest, Stockfish's testing framework, c and r are given for the last step: c is its perturbation, and r the
//! fraction of c by which one game moves θ. A run that is extended beyond N pairs keeps N in the formulas: earlier
//! steps stay valid, and later steps continue to shrink, as in Spall's infinite sequence.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// α, the exponent with which the gain a_k decreases (Spall 1998), see the formulas in the module's documentation.
const ALPHA: f64 = 0.602;

/// γ, the exponent with which the perturbation c_k decreases (Spall 1998), see the formulas in the module's
/// documentation.
const GAMMA: f64 = 0.101;

/// A, the stability constant that keeps the first steps small (Spall 1998), as a fraction of N, the total number of
/// pairs of games.
const STABILITY: f64 = 0.1;

/// Constant that is XORed into the seed of the signs δ, so that they are independent of openings and searches with the
/// same seed.
const SIGN_SEED_SALT: u64 = 0x5350_5341;

/// Start value and range of a tuned parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TunedParam {
    /// Value (not its logarithm) before the first step; must be above 0, because the logarithm is tuned.
    pub start: f64,
    /// Smallest allowed value. The current value and the compared values are clamped to the range.
    pub min: f64,
    /// Largest allowed value. The current value and the compared values are clamped to the range.
    pub max: f64,
}

/// Hyperparameters of an SPSA run: number and grouping of the games, perturbation, learning rate and seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
pub struct Schedule {
    /// Total number of pairs of games; the two games of a pair have the same opening, with colours swapped. With --resume the
    /// number may grow: steps continue to shrink, and --perturbation and --rate still hold for the original number of pairs
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs: u64,
    /// Pairs of games per step, played at the same time
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Distance of the compared settings from the current one in the last step: 0.1 makes every parameter about 10 %
    /// larger or smaller; in the first steps the distance is two to three times as large
    #[arg(long, value_name = "F", default_value_t = 0.1, value_parser = parse_open_fraction)]
    pub perturbation: f64,
    /// Fraction of --perturbation by which a game of the last step moves the setting: 0.002 suits tens of thousands of
    /// games; 0.01 is faster, but its result is noisier
    #[arg(long, value_name = "F", default_value_t = 0.002, value_parser = parse_open_fraction)]
    pub rate: f64,
    /// Seed of openings, searches and steps
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Parses a number strictly between 0 and 1 from the command line.
///
/// # Errors
/// If `word` is not a number, or the number is outside this range.
fn parse_open_fraction(word: &str) -> Result<f64, String> {
    let fraction = word.parse().ok();
    fraction
        .filter(|&fraction| 0.0 < fraction && fraction < 1.0)
        .ok_or_else(|| "expected a number above 0 and below 1".to_owned())
}

/// State of an SPSA run: current parameter values and number of games played.
pub struct SpsaState {
    /// Start values and ranges of the tuned parameters.
    params: Vec<TunedParam>,
    /// Schedule of SPSA: step sizes and perturbation sizes by iteration.
    schedule: Schedule,
    /// Current values of the tuned parameters (e^θ, not their logarithms θ), in the order of `params`.
    pub values: Vec<f64>,
    /// Number of pairs of games played so far.
    pub pairs: u64,
    /// Number of pairs of games after which the run ends. Larger than N, the `pairs` of the schedule, if the run was
    /// extended.
    pub total_pairs: u64,
}

/// One SPSA step that is still to be played: two settings of the parameters to compare, and the number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Parameter values (not logarithms) at the point θ + c·δ.
    pub plus: Vec<f64>,
    /// Parameter values (not logarithms) at the point θ − c·δ.
    pub minus: Vec<f64>,
    /// Number of pairs of games to play between the two settings; the batch size, or less in the last step.
    pub pairs: u64,
    /// δ, a random sign for each parameter: 1.0 or −1.0.
    signs: Vec<f64>,
}

impl SpsaState {
    /// Returns a run before its first step, with all parameters at their start values.
    #[must_use]
    pub fn new(params: Vec<TunedParam>, schedule: Schedule) -> SpsaState {
        let values = params.iter().map(|param| param.start).collect();
        SpsaState {
            params,
            schedule,
            values,
            pairs: 0,
            total_pairs: schedule.pairs,
        }
    }

    /// Returns the next step to play, or `None` if all pairs of games are played. Does not change the state.
    #[must_use]
    pub fn next_trial(&self) -> Option<Trial> {
        let pairs = self
            .schedule
            .batch
            .min(self.total_pairs.saturating_sub(self.pairs));
        let signs = self.next_signs();
        let perturbation = self.perturbation(self.pairs + pairs);
        (pairs > 0).then(|| Trial {
            plus: self.perturbed(&signs, perturbation),
            minus: self.perturbed(&signs, -perturbation),
            pairs,
            signs,
        })
    }

    /// Moves the parameters towards the better point of `trial`. `result` is the number of games that `trial.plus` won
    /// minus the number that it lost.
    pub fn update(&mut self, trial: &Trial, result: f64) {
        self.pairs += trial.pairs;
        let step = self.gain(self.pairs) * result / self.perturbation(self.pairs);
        self.values = self.perturbed(&trial.signs, step);
    }

    /// Returns the parameter values at the point θ + `distance`·`signs`, clamped to their ranges; `distance` is in
    /// units of the natural logarithm.
    fn perturbed(&self, signs: &[f64], distance: f64) -> Vec<f64> {
        let params = self.params.iter().zip(&self.values).zip(signs);
        params
            .map(|((param, value), sign)| {
                (value * (sign * distance).exp()).clamp(param.min, param.max)
            })
            .collect()
    }

    /// Returns δ, the random signs (1.0 or −1.0) of the next step. They depend only on the seed and the number of pairs
    /// played, so a resumed run draws the same signs.
    fn next_signs(&self) -> Vec<f64> {
        let step_bits = self.pairs.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = SmallRng::seed_from_u64(self.schedule.seed ^ SIGN_SEED_SALT ^ step_bits);
        let sign = |_: &TunedParam| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
        self.params.iter().map(sign).collect()
    }

    /// Returns c_k, the distance of the compared points from θ in natural logarithms, for the step that ends after k =
    /// `pairs` pairs of games.
    fn perturbation(&self, pairs: u64) -> f64 {
        let ratio = self.schedule.pairs as f64 / pairs as f64;
        self.schedule.perturbation * ratio.powf(GAMMA)
    }

    /// Returns the gain a_k, the factor of the gradient estimate `result` / (c_k·δ), for the step that ends after k =
    /// `pairs` pairs of games.
    fn gain(&self, pairs: u64) -> f64 {
        let all = self.schedule.pairs as f64;
        let stability = STABILITY * all;
        let ratio = (stability + all) / (stability + pairs as f64);
        self.schedule.rate * self.schedule.perturbation.powi(2) * ratio.powf(ALPHA)
    }
}
