//! Training of the policy network, which predicts how a search distributes its visits over amazon moves and arrows
//! (`amazons train policy`).

mod forward;
mod loss;
pub mod sample;

use super::games::SelfPlayGame;
use super::samples::Sampler;
use super::trainer::network::{NetworkInfo, TrainableNetwork};
use super::trainer::weights::{Parameters, Shape, Weights, dequantize, quantize, zero_weights};
use engine::bitboard::Lanes;
use engine::board::Board;
use engine::eval::policy::{self, PolicyWeights};
use engine::eval::symmetry::FILTERS;
use forward::ForwardPass;
use loss::loss;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sample::Sample;
use serde::{Deserialize, Serialize};

/// Bounds of the initial weights of the policy network's nine weight tables, in the order of `forward::SHAPES`. With
/// the bound b, a table's weights are drawn uniformly from −b to b; 0 means that they start at 0.
///
/// - 0, 1: weights and biases of the hidden layer; the biases all start at [`INITIAL_BIAS`] instead
/// - 2 to 5: output weights for amazon moves, by origin, destination, slide (direction and length) and feature (content
///   of a square)
/// - 6 to 8: output weights for arrow shots, by destination, slide and feature
const INITIAL_BOUNDS: [f32; PolicyTraining::SHAPES.len()] =
    [0.05, 0.0, 0.3, 0.3, 0.3, 0.0, 0.3, 0.3, 0.0];

/// Initial bias of every unit of the hidden layer. The value is inside the range from 0 to 1 to which a unit's
/// pre-activation is clamped, so the gradient is not 0 and the units learn from the first step.
const INITIAL_BIAS: f32 = 0.3;

/// Implementation of [`TrainableNetwork`] for the policy network, which has no command-line options of its own.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
pub struct PolicyTraining {}

impl Sampler for PolicyTraining {
    type Sample = Sample;

    /// Returns the training sample for the position `board`, in which `game.plies[ply]` is about to be played. Returns
    /// `None` in the random opening, which was not searched, and if the winner of the position is proven.
    ///
    /// The reason for the second case: a search stops as soon as it proves a winner, perhaps after a few visits, and
    /// their distribution is no useful training target. The last parameter (is the game held out?) is not used.
    fn sample(&self, board: &Board, game: &SelfPlayGame, ply: usize, _: bool) -> Option<Sample> {
        let ply = &game.plies[ply];
        let is_proven = ply.win_probability == 0.0 || ply.win_probability == 1.0;
        (!is_proven && !ply.shares.is_empty()).then(|| Sample::new(board, ply))
    }
}

impl TrainableNetwork for PolicyTraining {
    type Prediction = [f64; 2];

    const INFO: NetworkInfo = NetworkInfo {
        name: "policy network",
        command: "train policy",
        magic: b"amazons-order5\n",
        weights_path: "src/engine/eval/policy/weights.txt",
        compiled_in: policy::WEIGHTS,
        default_epochs: "5",
        default_batch: "1024",
        loss_name: "Kullback-Leibler divergence of turns, nats",
        table_title: "held-out divergence: of turns, and of that the part of arrows after the amazon move played:",
        group_arrows: 6,
        metric_names: ["turns", "arrows"],
        loss_metric: 0,
        baseline: None,
    };
    const SHAPES: &'static [Shape] = &forward::SHAPES;

    fn random(seed: u64) -> Parameters {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut weights = zero_weights(Self::SHAPES);
        for (table, limit) in weights.iter_mut().zip(INITIAL_BOUNDS) {
            if limit > 0.0 {
                let numbers = table.as_flattened_mut();
                numbers.fill_with(|| random.random_range(-limit..limit));
            }
        }
        weights[1].fill([INITIAL_BIAS; FILTERS]);
        Parameters::new(weights, None)
    }

    fn parse(text: &str) -> Result<Weights, String> {
        let mut weights = policy::parse(text)?;
        let tables = weights.tables().into_iter().zip(Self::SHAPES);
        let tables = tables.map(|(rows, shape)| dequantize(rows, shape.scale.unwrap_or(1.0)));
        Ok(tables.collect())
    }

    fn write(weights: &Weights, header: &str) -> String {
        let mut engine = PolicyWeights::zero();
        for (at, rows) in engine.tables().into_iter().enumerate() {
            let scale = Self::SHAPES[at].scale.unwrap_or(1.0);
            rows.copy_from_slice(&quantize(&weights[at], scale));
        }
        policy::write(header, engine)
    }

    #[inline(always)]
    fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        sample: &Sample,
        surrogate: f32,
        gradient: &mut Weights,
    ) -> f64 {
        let mut sum = 0.0;
        for decision in sample.decisions() {
            let Some(decision) = decision else { continue };
            let forward = ForwardPass::new::<L>(weights, decision);
            let (loss, logit_gradient) = loss(&forward);
            forward.backward(weights, &logit_gradient, surrogate, gradient);
            sum += loss;
        }
        sum
    }

    /// Returns two losses in nats of the policy network for the sample, a position with the visits of its search.
    /// First: loss of the whole move (amazon's move plus arrow's shot). Second: loss of the arrow's shot alone.
    #[inline(always)]
    fn predict<L: Lanes>(weights: &Weights, sample: &Sample) -> [f64; 2] {
        let mut losses = [0.0; 2];
        for (loss_of_decision, decision) in losses.iter_mut().zip(sample.decisions()) {
            let Some(decision) = decision else { continue };
            let forward = ForwardPass::new::<L>(weights, decision);
            *loss_of_decision = loss(&forward).0;
        }
        let [amazons, arrows] = losses;
        [amazons + arrows, arrows]
    }

    fn metrics(sample: &Sample, prediction: [f64; 2]) -> (usize, [f64; 2]) {
        (sample.amazons.position.arrows(), prediction)
    }
}
