//! The order head: the order network, which learns how a search spreads its visits over amazon's moves and arrows.

mod backward;
mod forward;
mod moves;
mod tables;
pub mod visits;

use super::games::SelfPlayGame;
use super::measures::Layout;
use super::plots::BLUE;
use super::samples::Sampler;
use super::trainer::curves::{OTHER, TRAIN};
use super::trainer::head::Head;
use crate::bitboard::Lanes;
use crate::board::{Board, MAX_ARROWS};
use backward::{add_hidden, add_move_tables, loss, targets};
use forward::Forward;
use plotters::style::RGBColor;
use serde::{Deserialize, Serialize};
use tables::{Parameters, Weights};
use visits::Sample;

/// The order head, which has no options of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
pub struct Order {}

impl Sampler for Order {
    type Sample = Sample;

    fn check(&self, games: &[SelfPlayGame]) -> Result<(), String> {
        match games.iter().any(SelfPlayGame::has_shares) {
            true => Ok(()),
            false => Err(
                "expected games with shares of the visits, as `amazons selfplay` writes since version 4"
                    .to_owned(),
            ),
        }
    }

    /// Nothing was searched in an opening. Where the winner is proven visits say little: the winning move may have few.
    fn is_sampled(&self, game: &SelfPlayGame, ply: usize, _held_out: bool) -> bool {
        let ply = &game.plies[ply];
        let is_proven = ply.win_probability == 0.0 || ply.win_probability == 1.0;
        !is_proven && !ply.shares.is_empty()
    }

    fn sample(&self, board: &Board, game: &SelfPlayGame, ply: usize) -> Sample {
        Sample::new(board, &game.plies[ply])
    }

    fn sum_up(&self, sample: &Sample, checksum: &mut crc32fast::Hasher) {
        for view in sample.views().into_iter().flatten() {
            view.position.sum_up(checksum);
            checksum.update(&[view.shooter.unwrap_or(64)]);
            checksum.update(view.shares.as_flattened());
        }
    }
}

impl Head for Order {
    type Options = Order;
    type Weights = Weights;
    type Parameters = Parameters;
    type Prediction = [f64; 2];

    const EPOCHS: &'static str = "5";
    const BATCH: &'static str = "1024";
    const OUT_HELP: &'static str =
        "File for the weights; the bot compiles in src/eval/order/weights.txt";
    const FILE: &'static str = "an order network";
    const FIRST_LINE: &'static str =
        "Weights of the order network, trained by `amazons train order`";
    const MAGIC: &'static [u8] = b"amazons-order3\n";
    const COMPILED_IN: &'static str = "the compiled-in order network";
    const LOSS: &'static str = "Kullback-Leibler divergence of turns, nats";
    const TABLE_HEAD: &'static str = "held-out divergence: of turns, and of that the part of arrows behind the amazon's move played:";
    const LAYOUT: Layout = Layout {
        group_arrows: 6,
        most_arrows: MAX_ARROWS - 1,
        columns: [("turns", 8, 4), ("arrows", 8, 4)],
    };
    const LOSS_COLUMN: usize = 0;
    const LEGEND: &'static [(bool, &'static str, RGBColor)] = &[
        (false, "order network, held-out searches", BLUE),
        (false, "order network, searches to train with", TRAIN),
        (true, "compiled-in order network, held-out", OTHER),
    ];

    #[inline(always)]
    fn backward<L: Lanes>(
        &self,
        weights: &Weights,
        sample: &Sample,
        surrogate: f32,
        gradient: &mut Weights,
    ) -> f64 {
        let mut sum = 0.0;
        for view in sample.views() {
            let Some(view) = view else { continue };
            let forward = Forward::new::<L>(weights, view);
            let (loss, by_move) = loss(&forward, &targets(&forward, view));
            let below = add_move_tables(gradient, weights, &forward, &by_move);
            add_hidden(gradient, &forward, below, surrogate);
            sum += loss;
        }
        sum
    }

    /// The loss, and the part of arrows.
    #[inline(always)]
    fn predict<L: Lanes>(weights: &Weights, sample: &Sample) -> [f64; 2] {
        let mut parts = [0.0; 2];
        for (part, view) in parts.iter_mut().zip(sample.views()) {
            let Some(view) = view else { continue };
            let forward = Forward::new::<L>(weights, view);
            *part = loss(&forward, &targets(&forward, view)).0;
        }
        let [amazons, arrows] = parts;
        [amazons + arrows, arrows]
    }

    fn measures(sample: &Sample, prediction: [f64; 2]) -> (usize, [f64; 2]) {
        (sample.amazons.position.arrows(), prediction)
    }
}
