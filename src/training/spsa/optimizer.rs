//! SPSA (simultaneous perturbation stochastic approximation, Spall 1992): maximises a noisy function of several
//! parameters, here playing strength, by comparing two points per step.
//!
//! All parameters are positive, and ratios matter more than differences, so θ is the vector of their logarithms.
//!
//! In each step, a random sign δ = ±1 is drawn for each parameter. Games between the points θ + c·δ and θ − c·δ show
//! which is better, and θ is moved towards it. The cost of a step does not depend on the number of parameters. Let N be
//! the total number of pairs of games, k the number played so far, including this step, and `result` the number of
//! games that θ + c·δ won minus the number that it lost. Then:
//!
//! ```text
//! c_k = c·(N/k)^γ        a_k = r·c²·((A + N)/(A + k))^α        θ += a_k·result / (c_k·δ)
//! ```
//! N, c and r are `pairs`, `perturbation` and `rate` of a [`Schedule`]. α, γ and A are those of Spall (1998). As in
//! fishtest, Stockfish's testing framework, c and r are given for the last step: c is its perturbation, and r the
//! fraction of c by which one game moves θ. A run that is extended beyond N pairs keeps N in the formulas: earlier
//! steps stay valid, and later steps continue to shrink, as in Spall's infinite sequence.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Exponent α in SPSA's gain a_k ∝ 1/(A + k)^α, which determines how far a step moves the parameters. A is a constant
/// (see `STABILITY`), k the number of game pairs played so far. Spall (1998) proposes this value.
const ALPHA: f64 = 0.602;

/// Exponent γ in SPSA's perturbation c_k ∝ 1/k^γ, the distance of the compared settings from the current one. k is the
/// number of game pairs played so far. Spall (1998) proposes this value.
const GAMMA: f64 = 0.101;

/// Ratio A/N. A is the constant in SPSA's gain a_k ∝ 1/(A + k)^α that keeps the first steps small; N is the total
/// number of game pairs. Spall (1998) proposes this value.
const STABILITY: f64 = 0.1;

/// Constant that is XORed into the seed from which SPSA's random signs are drawn. Without it, the signs would depend on
/// the same random numbers as the openings and searches of the games.
const SIGN_SEED_SALT: u64 = 0x5350_5341;

/// Start value and range of a search parameter that SPSA tunes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TunedParam {
    /// Value (not its logarithm) before the first step; must be above 0, because the logarithm is tuned.
    pub start: f64,
    /// Smallest allowed value, inclusive. SPSA raises smaller values to it.
    pub min: f64,
    /// Largest allowed value, inclusive. SPSA lowers larger values to it.
    pub max: f64,
}

/// Hyperparameters of an SPSA run: number and grouping of the games, perturbation, learning rate and seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
pub struct Schedule {
    /// Total number of pairs of games; the two games of a pair have the same opening, with colours swapped. With
    /// --resume, the number may be larger than before; --perturbation and --rate then still describe the step at the
    /// original number, and later steps are smaller
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs: u64,
    /// Number of pairs of games in each step; the games of a step are played at the same time
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Size of the SPSA perturbation in the last step: with 0.1, the two settings that play each other have every
    /// parameter about 10 % above or below its current value; in the first steps, the perturbation is two to three
    /// times as large
    #[arg(long, value_name = "F", default_value_t = 0.1, value_parser = parse_open_fraction)]
    pub perturbation: f64,
    /// Learning rate in the last step: each game won by one of the two settings moves the parameters towards it by this
    /// fraction of --perturbation; earlier steps are larger. 0.002 suits tens of thousands of games; 0.01 is faster,
    /// but its result is noisier
    #[arg(long, value_name = "F", default_value_t = 0.002, value_parser = parse_open_fraction)]
    pub rate: f64,
    /// Seed of the random openings, the searches, and the signs of the SPSA perturbations
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

/// State of an SPSA run: current values of the tuned parameters, and number of game pairs played. Another type,
/// `Tuning`, plays the games and passes their results.
pub struct SpsaState {
    /// Start values and ranges of the tuned parameters.
    params: Vec<TunedParam>,
    /// Settings of SPSA, such as the total number of game pairs, perturbation and learning rate.
    schedule: Schedule,
    /// Current values of the tuned parameters (e^θ, not their logarithms θ), in the order of `params`.
    pub values: Vec<f64>,
    /// Number of game pairs (two games with exchanged colours) played so far.
    pub pairs_played: u64,
    /// Total number of game pairs (two games with exchanged colours) to play. If the run was extended later, it is
    /// greater than `schedule.pairs`.
    pub total_pairs: u64,
}

/// Games to play in the next SPSA step: two settings of the tuned parameters, and the number of game pairs between
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// First setting to play: a value for each tuned parameter, in the order of the parameters. It is the current value
    /// times e^(c_k·δ), where c_k is the size of the perturbation and δ the parameter's random sign.
    pub plus: Vec<f64>,
    /// Second setting to play: a value for each tuned parameter, in the order of the parameters. It is the current
    /// value times e^(−c_k·δ), where c_k is the size of the perturbation and δ the parameter's random sign.
    pub minus: Vec<f64>,
    /// Number of game pairs (two games with exchanged colours) to play between the settings `plus` and `minus`. It is
    /// `schedule.batch`, or in the last step the remaining number, if that is smaller.
    pub pairs: u64,
    /// Random sign δ of each tuned parameter: 1.0 if the first setting has the larger value, −1.0 if the second has it.
    signs: Vec<f64>,
}

impl SpsaState {
    /// Returns the state before the first SPSA step: all parameters at their start values, no games played.
    #[must_use]
    pub fn new(params: Vec<TunedParam>, schedule: Schedule) -> SpsaState {
        let values = params.iter().map(|param| param.start).collect();
        SpsaState {
            params,
            schedule,
            values,
            pairs_played: 0,
            total_pairs: schedule.pairs,
        }
    }

    /// Returns what to play in the next step: two settings of the parameters to compare, and the number of game pairs
    /// (two games with exchanged colours) between them. Returns `None` if all game pairs are played. Does not change
    /// the state.
    #[must_use]
    pub fn next_trial(&self) -> Option<Trial> {
        let left = self.total_pairs.saturating_sub(self.pairs_played);
        let pairs = left.min(self.schedule.batch);
        let signs = self.next_signs();
        let perturbation = self.perturbation(self.pairs_played + pairs);
        (pairs > 0).then(|| Trial {
            plus: self.perturbed(&signs, perturbation),
            minus: self.perturbed(&signs, -perturbation),
            pairs,
            signs,
        })
    }

    /// Completes an SPSA step: adds `trial.pairs` to the number of game pairs played, and moves the parameters towards
    /// the setting of `trial` that won more games. `result` is the number of games, among the 2·`trial.pairs` games of
    /// the step, that `trial.plus` won minus the number that it lost. If it is 0, the parameters stay unchanged.
    pub fn update(&mut self, trial: &Trial, result: f64) {
        self.pairs_played += trial.pairs;
        let step = self.gain(self.pairs_played) * result / self.perturbation(self.pairs_played);
        self.values = self.perturbed(&trial.signs, step);
    }

    /// Returns the current values of the tuned parameters, each multiplied by e^(`distance`·sign) and then clamped to
    /// the parameter's range. `signs` contains the sign, 1.0 or −1.0, of each parameter; a negative `distance` reverses
    /// all of them.
    fn perturbed(&self, signs: &[f64], distance: f64) -> Vec<f64> {
        let params = self.params.iter().zip(&self.values).zip(signs);
        params
            .map(|((param, value), sign)| {
                (value * (sign * distance).exp()).clamp(param.min, param.max)
            })
            .collect()
    }

    /// Returns δ, the random sign (1.0 or −1.0) of each parameter for the next step. The signs depend only on the seed
    /// and the number of game pairs played: a resumed run draws the same signs.
    fn next_signs(&self) -> Vec<f64> {
        let step_bits = self.pairs_played.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = SmallRng::seed_from_u64(self.schedule.seed ^ SIGN_SEED_SALT ^ step_bits);
        let sign = |_: &TunedParam| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
        self.params.iter().map(sign).collect()
    }

    /// Returns SPSA's perturbation c_k. The current value of a parameter is multiplied by e^c_k in one of the two
    /// compared settings, and by e^−c_k in the other. `pairs` is k, the number of game pairs played so far, including
    /// those of the present step.
    fn perturbation(&self, pairs: u64) -> f64 {
        let ratio = self.schedule.pairs as f64 / pairs as f64;
        self.schedule.perturbation * ratio.powf(GAMMA)
    }

    /// Returns SPSA's gain a_k: a step adds a_k times the estimated gradient of the playing strength to the logarithms
    /// of the parameters. `pairs` is k, the number of game pairs played so far, including those of the present step.
    fn gain(&self, pairs: u64) -> f64 {
        let all = self.schedule.pairs as f64;
        let stability = STABILITY * all;
        let ratio = (stability + all) / (stability + pairs as f64);
        self.schedule.rate * self.schedule.perturbation.powi(2) * ratio.powf(ALPHA)
    }
}
