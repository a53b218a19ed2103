//! The value head: trains the value network, which predicts who wins a position.

mod layers;
pub mod outcome;

use super::games::SelfPlayGame;
use super::metrics::log_loss;
use super::plots::{BLUE, Line, calibrated};
use super::samples::Sampler;
use super::share;
use super::trainer::curves::OTHER;
use super::trainer::head::{About, Head};
use super::trainer::images::Row;
use super::trainer::weights::{
    FEATURE_ROWS, Parameters, Shape, Weights, of_integers, to_integers, zero,
};
use engine::bitboard::Lanes;
use engine::board::Board;
use engine::eval::symmetry::FILTERS;
use engine::eval::value::{
    self, FEATURES, OUTPUT_PHASE_ARROWS, OUTPUT_UNIT, Output, SKIP_UNIT, UNIT, ValueWeights,
    hidden_phase,
};
use engine::eval::{LOG_ODDS_ONE, probability};
use layers::{BIAS, BIASES_AT, ENDS, Forward, OUTPUTS, ROWS, SKIP};
use outcome::{LATE_ARROWS, Sample};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

/// Bound on the absolute value of the initial factorised weights; rows' own weights start at 0.
const INITIAL_ROWS_BOUND: f32 = 0.05;

/// Bound on the absolute value of the initial output weights. Their signs alternate from filter to filter.
const INITIAL_OUTPUTS_BOUND: f32 = 0.5;

/// Initial bias of the hidden layer, in the same unit as its activations (clamped to 0 to 1).
const INITIAL_BIAS: f32 = 0.3;

/// The value head as a trainable [`Head`], with its command-line options.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
pub struct ValueHead {
    /// Weight of the search's win probability in the training target, 0 to 1; the game's result has the remaining weight
    #[arg(long, value_name = "F", default_value_t = 0.5, value_parser = share)]
    pub target_mix: f32,
    /// Value of --target-mix for positions with 50 or more arrows; linear from 0 to 50 arrows [default: --target-mix]
    #[arg(long, value_name = "F", value_parser = share)]
    pub late_target_mix: Option<f32>,
}

impl ValueHead {
    /// Returns the weight of the search's win probability in the target, without arrows and at [`LATE_ARROWS`] arrows.
    #[inline(always)]
    fn mix(&self) -> [f32; 2] {
        let early = self.target_mix;
        [early, self.late_target_mix.unwrap_or(early)]
    }
}

impl Sampler for ValueHead {
    type Sample = Sample;

    /// Returns `None` for plies of the random opening. In held-out games, positions before a random move are also left out,
    /// because such a move may change the result by which predictions are measured.
    fn sample(
        &self,
        board: &Board,
        game: &SelfPlayGame,
        ply: usize,
        held_out: bool,
    ) -> Option<Sample> {
        let is_before_noise = ply < game.plies_before_noise_ends();
        let search = game.plies[ply].win_probability;
        (ply >= game.opening.into() && !(held_out && is_before_noise))
            .then(|| Sample::new(board, search, game.winner, is_before_noise))
    }
}

impl Head for ValueHead {
    type Prediction = f32;

    const ABOUT: About = About {
        name: "network",
        command: "train",
        magic: b"amazons-train6\n",
        path: "src/engine/eval/value/weights.txt",
        compiled_in: value::WEIGHTS,
        epochs: "10",
        batch: "4096",
        loss: "log-loss",
        table_head: "log-loss of the held-out results:",
        group_arrows: OUTPUT_PHASE_ARROWS,
        columns: ["linear", "network"],
        loss_column: 1,
        baseline: Some(("the linear evaluation", 0)),
    };
    const SHAPES: &'static [Shape] = &layers::SHAPES;

    fn random(seed: u64) -> Parameters {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut row =
            |limit: f32| -> Row { std::array::from_fn(|_| random.random_range(-limit..limit)) };
        let shared = [FEATURE_ROWS, FEATURES]
            .map(|rows| (0..rows).map(|_| row(INITIAL_ROWS_BOUND)).collect());
        let mut output = row(INITIAL_OUTPUTS_BOUND).map(f32::abs);
        for weight in output.iter_mut().skip(1).step_by(2) {
            *weight = -*weight;
        }
        let mut weights = zero(Self::SHAPES);
        weights[BIASES_AT].fill([INITIAL_BIAS; FILTERS]);
        weights[OUTPUTS].fill(output);
        for ends in &mut weights[ENDS] {
            ends[SKIP] = 1.0;
        }
        Parameters::new(weights, Some(shared))
    }

    fn parse(text: &str) -> Result<Weights, String> {
        let weights = value::parse(text)?;
        let outputs = weights.outputs.map(|output| output.weights);
        let ends = weights.outputs.map(|output| {
            let mut ends = [0.0; FILTERS];
            ends[BIAS] = output.bias as f32 / LOG_ODDS_ONE as f32;
            ends[SKIP] = output.skip as f32 / SKIP_UNIT as f32;
            ends
        });
        Ok(vec![
            of_integers(&weights.rows, UNIT as f32),
            of_integers(&weights.biases, UNIT as f32),
            of_integers(&outputs, OUTPUT_UNIT as f32),
            ends.to_vec(),
        ])
    }

    fn write(weights: &Weights, header: &str) -> String {
        let outputs = to_integers(&weights[OUTPUTS], OUTPUT_UNIT as f32);
        let end = |number: f32, unit: i32| (number * unit as f32).round() as i32;
        let output = |phase: usize| Output {
            weights: outputs[phase],
            bias: end(weights[ENDS][phase][BIAS], LOG_ODDS_ONE),
            skip: end(weights[ENDS][phase][SKIP], SKIP_UNIT),
        };
        let weights = ValueWeights {
            rows: to_integers(&weights[ROWS], UNIT as f32),
            biases: to_integers(&weights[BIASES_AT], UNIT as f32),
            outputs: std::array::from_fn(output),
        };
        value::write(header, weights)
    }

    fn phase(sample: &Sample) -> usize {
        hidden_phase(sample.position.arrows())
    }

    #[inline(always)]
    fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        sample: &Sample,
        surrogate: f32,
        gradient: &mut Weights,
    ) -> f64 {
        let forward = Forward::new::<L>(weights, sample);
        let target = sample.target(self.mix());
        let error = probability(forward.log_odds) - target;
        forward.backward(weights, error, surrogate, gradient);
        log_loss(forward.log_odds, target)
    }

    /// Returns the log-odds that the side to move wins.
    #[inline(always)]
    fn predict<L: Lanes>(weights: &Weights, sample: &Sample) -> f32 {
        Forward::new::<L>(weights, sample).log_odds
    }

    fn measures(sample: &Sample, network: f32) -> (usize, [f64; 2]) {
        let won = sample.won.into();
        let losses = [sample.linear, network].map(|log_odds| log_loss(log_odds, won));
        (sample.position.arrows(), losses)
    }

    fn calibrations(samples: &[Sample], networks: &[f32]) -> Vec<Line> {
        let linear = samples.iter().map(|sample| (sample.linear, sample.won));
        let network = samples.iter().zip(networks);
        let network = network.map(|(sample, &network)| (network, sample.won));
        let name = "linear evaluation, calibration";
        vec![
            Line::new(name, OTHER, false, calibrated(linear)),
            Line::new("network, held-out", BLUE, false, calibrated(network)),
        ]
    }

    fn remark(&self) -> Option<String> {
        let [early, late] = self.mix();
        let mix = match early == late {
            true => early.to_string(),
            false => format!("{early} without arrows, {late} from {LATE_ARROWS} arrows on"),
        };
        Some(format!(
            "share of the search's win probability in the targets: {mix}"
        ))
    }
}
