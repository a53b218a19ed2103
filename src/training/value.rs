//! Training of the value network, which predicts the win probability of the side to move (`amazons train`).

mod layers;
pub mod sample;

use super::games::SelfPlayGame;
use super::metrics::log_loss;
use super::parse_fraction;
use super::plots::{Curve, MODEL_COLOUR, calibration_points};
use super::samples::Sampler;
use super::trainer::curves::BASELINE_COLOUR;
use super::trainer::hidden_layer::Row;
use super::trainer::network::{NetworkInfo, TrainableNetwork};
use super::trainer::weights::{
    FEATURE_ROWS, Parameters, Shape, Weights, dequantize, quantize, zero_weights,
};
use engine::bitboard::Lanes;
use engine::board::Board;
use engine::eval::symmetry::FILTERS;
use engine::eval::value::amazons::{FIRST_REACH_ROW, SEEN_ROWS};
use engine::eval::value::{
    self, FEATURES, OUTPUT_PHASE_ARROWS, OUTPUT_UNIT, Output, SKIP_UNIT, UNIT, ValueWeights,
    hidden_phase,
};
use engine::eval::{LOG_ODDS_ONE, probability};
use layers::{
    AMAZONS_TABLE, BIAS, BIASES_TABLE, ForwardPass, OUTPUTS_TABLE, PATTERNS_TABLE, ROWS_TABLE,
    SCALARS_TABLE, SKIP,
};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sample::Sample;
use serde::{Deserialize, Serialize};

/// Bound b of the initial shared weights of the hidden layer: they are drawn uniformly from −b to b. Each weight of the
/// hidden layer is the sum of three numbers: one that all phases share, one that all phases and squares share, and one
/// of its own. The last one starts at 0.
const INITIAL_ROW_BOUND: f32 = 0.05;

/// Bound b of the initial output weights, in log-odds. Filters with an even index get random weights from 0 to b, those
/// with an odd index from −b to 0. So each filter at first either only raises or only lowers the predicted log-odds.
const INITIAL_OUTPUT_BOUND: f32 = 0.5;

/// Initial bias of every unit of the hidden layer. The value is inside the range from 0 to 1 to which a unit's
/// pre-activation is clamped, so the gradient is not 0 and the units learn from the first step.
const INITIAL_BIAS: f32 = 0.3;

/// Implementation of [`TrainableNetwork`] for the value network, with the command-line options that only this network
/// has.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
pub struct ValueTraining {
    /// Weight of the search's win probability in the training target, 0 to 1; the game's result has the remaining weight
    #[arg(long, value_name = "F", default_value_t = 0.5, value_parser = parse_fraction)]
    pub target_mix: f32,
}

impl Sampler for ValueTraining {
    type Sample = Sample;

    /// Returns the training sample for the position `board`, in which `game.plies[ply]` is about to be played. Returns
    /// `None` in the random opening.
    ///
    /// If `held_out` is true, also returns `None` if this move or a later one in the game is random (noise). Such a
    /// move may change who wins, and the predictions for held-out positions are compared with the winner.
    fn sample(
        &self,
        board: &Board,
        game: &SelfPlayGame,
        ply: usize,
        held_out: bool,
    ) -> Option<Sample> {
        let has_noisy_result = ply < game.first_reliable_ply();
        let search = game.plies[ply].win_probability;
        (ply >= game.opening_plies.into() && !(held_out && has_noisy_result))
            .then(|| Sample::new(board, search, game.winner, has_noisy_result))
    }
}

impl TrainableNetwork for ValueTraining {
    type Prediction = f32;

    const INFO: NetworkInfo = NetworkInfo {
        name: "network",
        command: "train",
        magic: b"amazons-train8\n",
        weights_path: "src/engine/eval/value/weights.txt",
        compiled_in: value::WEIGHTS,
        default_epochs: "10",
        default_batch: "4096",
        loss_name: "log-loss",
        table_title: "log-loss of the held-out results:",
        group_arrows: OUTPUT_PHASE_ARROWS,
        metric_names: ["linear", "network"],
        loss_metric: 1,
        baseline: Some(("the linear evaluation", 0)),
    };
    const SHAPES: &'static [Shape] = &layers::SHAPES;

    fn random(seed: u64) -> Parameters {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut row =
            |limit: f32| -> Row { std::array::from_fn(|_| random.random_range(-limit..limit)) };
        let shared = [FEATURE_ROWS, FEATURES]
            .map(|rows| (0..rows).map(|_| row(INITIAL_ROW_BOUND)).collect());
        let mut output = row(INITIAL_OUTPUT_BOUND).map(f32::abs);
        for weight in output.iter_mut().skip(1).step_by(2) {
            *weight = -*weight;
        }
        let mut weights = zero_weights(Self::SHAPES);
        let amazons = &mut weights[AMAZONS_TABLE];
        amazons[..SEEN_ROWS].fill_with(|| row(INITIAL_ROW_BOUND));
        amazons[SEEN_ROWS..FIRST_REACH_ROW].fill([INITIAL_BIAS; FILTERS]);
        weights[BIASES_TABLE].fill([INITIAL_BIAS; FILTERS]);
        weights[OUTPUTS_TABLE].fill(output);
        for scalars in &mut weights[SCALARS_TABLE] {
            scalars[SKIP] = 1.0;
        }
        Parameters::new(weights, Some(shared))
    }

    fn parse(text: &str) -> Result<Weights, String> {
        let weights = value::parse(text)?;
        let outputs = weights.outputs.map(|output| output.weights);
        let scalars = weights.outputs.map(|output| {
            let mut scalars = [0.0; FILTERS];
            scalars[BIAS] = output.bias as f32 / LOG_ODDS_ONE as f32;
            scalars[SKIP] = output.skip as f32 / SKIP_UNIT as f32;
            scalars
        });
        Ok(vec![
            dequantize(&weights.rows, UNIT as f32),
            dequantize(&weights.biases, UNIT as f32),
            dequantize(outputs.as_flattened(), OUTPUT_UNIT as f32),
            scalars.to_vec(),
            dequantize(&weights.patterns, UNIT as f32),
            dequantize(&weights.amazons, UNIT as f32),
        ])
    }

    fn write(weights: &Weights, header: &str) -> String {
        let outputs = quantize(&weights[OUTPUTS_TABLE], OUTPUT_UNIT as f32);
        let integer = |number: f32, unit: i32| (number * unit as f32).round() as i32;
        let output = |phase: usize| Output {
            weights: outputs.as_chunks().0[phase],
            bias: integer(weights[SCALARS_TABLE][phase][BIAS], LOG_ODDS_ONE),
            skip: integer(weights[SCALARS_TABLE][phase][SKIP], SKIP_UNIT),
        };
        let weights = ValueWeights {
            rows: quantize(&weights[ROWS_TABLE], UNIT as f32),
            patterns: quantize(&weights[PATTERNS_TABLE], UNIT as f32),
            amazons: quantize(&weights[AMAZONS_TABLE], UNIT as f32),
            biases: quantize(&weights[BIASES_TABLE], UNIT as f32),
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
        let forward = ForwardPass::new::<L>(weights, sample);
        let target = sample.target(self.target_mix);
        let error = probability(forward.log_odds) - target;
        forward.backward::<L>(weights, error, surrogate, gradient);
        log_loss(forward.log_odds, target)
    }

    /// Returns the network's prediction for `sample`: the log-odds that the side to move wins.
    #[inline(always)]
    fn predict<L: Lanes>(weights: &Weights, sample: &Sample) -> f32 {
        ForwardPass::new::<L>(weights, sample).log_odds
    }

    fn metrics(sample: &Sample, log_odds: f32) -> (usize, [f64; 2]) {
        let won = sample.won.into();
        let losses = [sample.linear_log_odds, log_odds].map(|log_odds| log_loss(log_odds, won));
        (sample.position.arrows(), losses)
    }

    fn calibrations(samples: &[Sample], predictions: &[f32]) -> Vec<Curve> {
        let linear = samples.iter().map(|one| (one.linear_log_odds, one.won));
        let network = samples.iter().zip(predictions);
        let network = network.map(|(sample, &log_odds)| (log_odds, sample.won));
        let (linear, network) = (calibration_points(linear), calibration_points(network));
        let name = "linear evaluation, calibration";
        vec![
            Curve::new(name, BASELINE_COLOUR, false, linear),
            Curve::new("network, held-out", MODEL_COLOUR, false, network),
        ]
    }

    fn header_line(&self) -> Option<String> {
        let mix = self.target_mix;
        Some(format!(
            "share of the search's win probability in the targets: {mix}"
        ))
    }
}
