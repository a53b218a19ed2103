//! The value head: the network of the evaluation, which learns who wins.

mod kinds;
mod layers;
pub mod outcome;

use super::games::SelfPlayGame;
use super::measures::Layout;
use super::plots::{Calibration, calibrated};
use super::samples::Sampler;
use super::share;
use super::trainer::curves::{NETWORK, OTHER, TRAIN};
use super::trainer::head::Head;
use crate::bitboard::Lanes;
use crate::board::{Board, MAX_ARROWS};
use crate::eval::network::PHASE_ARROWS;
use kinds::Parameters;
use layers::Weights;
use outcome::{LATE_ARROWS, SYMMETRIES, Sample};
use plotters::style::RGBColor;
use serde::{Deserialize, Serialize};

/// The value head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Share of the search's win probability in the target, see [`Sample::target`].
    pub target_mix: [f32; 2],
}

/// The options of the value head.
#[derive(Clone, Debug, clap::Args)]
pub struct ValueOptions {
    /// Share of the search's win probability in the target, 0 to 1; the game's result has the rest
    #[arg(long, value_name = "F", default_value_t = 0.5, value_parser = share)]
    target_mix: f32,
    /// That share from 50 arrows on; in between it changes evenly [default: the same]
    #[arg(long, value_name = "F", value_parser = share)]
    late_target_mix: Option<f32>,
}

impl From<ValueOptions> for Value {
    fn from(options: ValueOptions) -> Value {
        let early = options.target_mix;
        Value {
            target_mix: [early, options.late_target_mix.unwrap_or(early)],
        }
    }
}

impl Sampler for Value {
    type Sample = Sample;

    /// Positions behind the random opening; of a held-out game those behind all noise, which spoils the result.
    fn is_sampled(&self, game: &SelfPlayGame, ply: usize, held_out: bool) -> bool {
        ply >= game.opening.into() && (!held_out || ply >= game.noise_end())
    }

    fn sample(&self, board: &Board, game: &SelfPlayGame, ply: usize) -> Sample {
        let search = game.plies[ply].win_probability;
        Sample::new(board, search, game.winner, ply < game.noise_end())
    }

    fn sum_up(&self, sample: &Sample, checksum: &mut crc32fast::Hasher) {
        for set in [sample.mine, sample.theirs, sample.empty] {
            checksum.update(&set.to_le_bytes());
        }
        for number in [sample.linear, sample.search] {
            checksum.update(&number.to_le_bytes());
        }
        checksum.update(&[sample.won.into(), sample.is_spoilt.into(), sample.arrows]);
    }
}

impl Head for Value {
    type Options = ValueOptions;
    type Weights = Weights;
    type Parameters = Parameters;
    type Prediction = f32;

    const EPOCHS: &'static str = "10";
    const BATCH: &'static str = "4096";
    const OUT_HELP: &'static str =
        "File for the weights; the bot compiles in src/eval/network/weights.txt";
    const FILE: &'static str = "a network";
    const FIRST_LINE: &'static str = "Weights of the network, trained by `amazons train`";
    const MAGIC: &'static [u8] = b"amazons-train2\n";
    const COMPILED_IN: &'static str = "the compiled-in network";
    const LOSS: &'static str = "log-loss";
    const TABLE_HEAD: &'static str = "log-loss of the held-out results:";
    const LAYOUT: Layout = Layout {
        group_arrows: PHASE_ARROWS,
        most_arrows: MAX_ARROWS,
        columns: [("linear", 8, 4), ("network", 9, 4)],
    };
    const LOSS_COLUMN: usize = 1;
    const BASELINE: Option<(&'static str, usize)> = Some(("the linear evaluation", 0));
    const LEGEND: &'static [(bool, &'static str, RGBColor)] = &[
        (false, "network, held-out results", NETWORK),
        (false, "network, targets of the training", TRAIN),
        (true, "linear evaluation, held-out loss", OTHER),
        (false, "linear evaluation, calibration", OTHER),
    ];
    const SYMMETRIES: u8 = SYMMETRIES;

    fn turned(sample: Sample, symmetry: u8) -> Sample {
        sample.turned(symmetry)
    }

    fn arrows(sample: &Sample) -> usize {
        sample.arrows.into()
    }

    #[inline(always)]
    fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        sample: &Sample,
        surrogate: f32,
        gradient: &mut Weights,
    ) -> f64 {
        layers::backward::<L>(weights, sample, self.target_mix, surrogate, gradient)
    }

    /// Log-odds that the player to move wins.
    #[inline(always)]
    fn predict<L: Lanes>(weights: &Weights, sample: &Sample) -> f32 {
        layers::predict::<L>(weights, sample)
    }

    fn measures(sample: &Sample, network: f32) -> [f64; 2] {
        [sample.linear, network].map(|log_odds| {
            let for_winner = if sample.won { log_odds } else { -log_odds };
            (-f64::from(for_winner)).exp().ln_1p()
        })
    }

    fn calibrations(samples: &[Sample], networks: &[f32]) -> Vec<(Calibration, RGBColor)> {
        let linear = samples.iter().map(|sample| (sample.linear, sample.won));
        let network = samples.iter().zip(networks);
        let network = network.map(|(sample, &network)| (network, sample.won));
        vec![(calibrated(linear), OTHER), (calibrated(network), NETWORK)]
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let [early, late] = self.target_mix.map(|share| share.to_string());
        vec![("--target-mix", early), ("--late-target-mix", late)]
    }

    fn remark(&self) -> Option<String> {
        let [early, late] = self.target_mix;
        let mix = match early == late {
            true => early.to_string(),
            false => format!("{early} without arrows, {late} from {LATE_ARROWS} arrows on"),
        };
        Some(format!(
            "share of the search's win probability in the targets: {mix}"
        ))
    }
}
