//! The value head: the network of the evaluation, which learns who wins.

mod kinds;
mod layers;
pub mod outcome;

use super::games::SelfPlayGame;
use super::measures::{Layout, log_loss};
use super::plots::{BLUE, Calibration, calibrated};
use super::samples::Sampler;
use super::share;
use super::trainer::curves::{OTHER, TRAIN};
use super::trainer::head::Head;
use crate::bitboard::Lanes;
use crate::board::{Board, MAX_ARROWS};
use crate::eval::network::{PHASE_ARROWS, part, phase};
use crate::eval::probability;
use kinds::Parameters;
use layers::{SKIP, Weights, add_hidden, backward_output, hidden, log_odds, loss};
use outcome::{LATE_ARROWS, Sample};
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
        sample.position.sum_up(checksum);
        for number in [sample.linear, sample.search] {
            checksum.update(&number.to_le_bytes());
        }
        let arrows = sample.position.arrows() as u8;
        checksum.update(&[sample.won.into(), sample.is_spoilt.into(), arrows]);
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
    const MAGIC: &'static [u8] = b"amazons-train4\n";
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
        (false, "network, held-out results", BLUE),
        (false, "network, targets of the training", TRAIN),
        (true, "linear evaluation, held-out loss", OTHER),
        (false, "linear evaluation, calibration", OTHER),
    ];

    fn table(sample: &Sample) -> usize {
        part(sample.position.arrows())
    }

    #[inline(always)]
    fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        sample: &Sample,
        surrogate: f32,
        gradient: &mut Weights,
    ) -> f64 {
        let (rows, arrows) = (sample.position.rows::<L>(), sample.position.arrows());
        let hidden = hidden(weights, &rows, arrows);
        let output = &weights.outputs[phase(arrows)];
        let log_odds = log_odds(output, &hidden, sample.linear);
        let target = sample.target(self.target_mix);
        let error = probability(log_odds) - target;
        let to = &mut gradient.outputs[phase(arrows)];
        to[SKIP] += error * sample.linear;
        let below = backward_output(to, output, &hidden, error, surrogate);
        add_hidden(gradient, &rows, arrows, &below);
        loss(log_odds, target)
    }

    /// Log-odds that the player to move wins.
    #[inline(always)]
    fn predict<L: Lanes>(weights: &Weights, sample: &Sample) -> f32 {
        let (rows, arrows) = (sample.position.rows::<L>(), sample.position.arrows());
        let hidden = hidden(weights, &rows, arrows);
        log_odds(&weights.outputs[phase(arrows)], &hidden, sample.linear)
    }

    fn measures(sample: &Sample, network: f32) -> (usize, [f64; 2]) {
        let losses = [sample.linear, network].map(|log_odds| log_loss(log_odds, sample.won));
        (sample.position.arrows(), losses)
    }

    fn calibrations(samples: &[Sample], networks: &[f32]) -> Vec<(Calibration, RGBColor)> {
        let linear = samples.iter().map(|sample| (sample.linear, sample.won));
        let network = samples.iter().zip(networks);
        let network = network.map(|(sample, &network)| (network, sample.won));
        vec![(calibrated(linear), OTHER), (calibrated(network), BLUE)]
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
