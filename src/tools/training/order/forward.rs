//! The forward pass of the order network: the log-odds of the moves of a position.
//!
//! They are the sum over the [`images`](crate::tools::training::trainer::images) of the position.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::moves::{AmazonMove, MAX_MOVES, amazon_moves};
use super::tables::{FIRST_MOVE_TABLE, MOVE_TABLES, Weights};
use super::visits::Sample;
use crate::bitboard::Lanes;
use crate::eval::exp;
use crate::eval::images::{FILTERS, SYMMETRIES};
use crate::eval::order::{WAYS, turned_way};
use crate::tools::training::trainer::images::{self, Images, Row, hidden};

/// Entries of a table above the hidden layer, at most.
pub const MAX_ENTRIES: usize = 64;

/// The entry in which each image finds what the position has in another, by table.
pub static TURNED: [[[u8; SYMMETRIES]; MAX_ENTRIES]; MOVE_TABLES] = {
    let mut tables = [[[0; SYMMETRIES]; MAX_ENTRIES]; MOVE_TABLES];
    let mut entry = 0;
    while entry < MAX_ENTRIES {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            tables[0][entry][symmetry] = images::TURNED[entry][symmetry];
            tables[1][entry][symmetry] = images::TURNED[entry][symmetry];
            if entry < WAYS {
                tables[2][entry][symmetry] = turned_way(entry, symmetry) as u8;
            }
            tables[3][entry][symmetry] = entry as u8;
            symmetry += 1;
        }
        entry += 1;
    }
    tables
};

/// A position with what the network finds of it.
pub struct Forward {
    /// The row that each square looks up.
    pub rows: [u16; 64],
    pub arrows: usize,
    pub moves: Vec<AmazonMove>,
    /// The hidden layer before its units are clamped and squared.
    pub hidden: Images,
    pub active: Images,
    /// By table above the hidden layer, the entries that some move looks up.
    pub used: [u64; MOVE_TABLES],
    /// The log-odds of each move.
    pub log_odds: [f32; MAX_MOVES],
}

impl Forward {
    /// Looks at a position.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, sample: &Sample) -> Forward {
        let position = sample.position;
        let (rows, arrows) = (position.rows::<L>(), position.arrows());
        let hidden = hidden(&weights.tables[0], &weights.tables[1][arrows], &rows);
        let mut active = hidden;
        for image in 0..SYMMETRIES {
            for filter in 0..FILTERS {
                let number = hidden[image][filter].clamp(0.0, 1.0);
                active[image][filter] = number * number;
            }
        }
        let mut forward = Forward {
            rows,
            arrows,
            moves: amazon_moves(position.mine, position.empty),
            hidden,
            active,
            used: [0; MOVE_TABLES],
            log_odds: [0.0; MAX_MOVES],
        };
        forward.weigh(weights);
        forward
    }

    /// The entries of the [`MOVE_TABLES`] that a move looks up; the last two are of the last one.
    #[inline(always)]
    pub fn entries(&self, turn: AmazonMove) -> [usize; MOVE_TABLES + 1] {
        let kind = |square: u8| usize::from(self.rows[usize::from(square)]) / 64;
        let [from, to, way] = [turn.from, turn.to, turn.way].map(usize::from);
        [from, to, way, kind(turn.from), kind(turn.to)]
    }

    /// Finds the log-odds of all moves.
    #[inline(always)]
    fn weigh(&mut self, weights: &Weights) {
        for &turn in &self.moves {
            let [from, to, way, left, entered] = self.entries(turn);
            self.used[0] |= 1 << from;
            self.used[1] |= 1 << to;
            self.used[2] |= 1 << way;
            self.used[3] |= 1 << left | 1 << entered;
        }
        let mut parts = [[0.0; MAX_ENTRIES]; MOVE_TABLES];
        for number in 0..MOVE_TABLES {
            let table = &weights.tables[FIRST_MOVE_TABLE + number];
            let mut rest = self.used[number];
            while rest != 0 {
                let entry = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                parts[number][entry] = weighted_sum(&self.active, table, &TURNED[number][entry]);
            }
        }
        for (at, &turn) in self.moves.iter().enumerate() {
            let [from, to, way, left, entered] = self.entries(turn);
            let squares = parts[0][from] + parts[1][to] + parts[2][way];
            self.log_odds[at] = squares + (parts[3][left] + parts[3][entered]);
        }
    }

    /// The probabilities of all moves: the softmax of their log-odds. Also returns the logarithm of what divides them.
    #[inline(always)]
    pub fn probabilities(&self) -> ([f32; MAX_MOVES], f64) {
        let moves = self.moves.len();
        let mut max = f32::MIN;
        for at in 0..moves {
            max = max.max(self.log_odds[at]);
        }
        let (mut probabilities, mut sum) = ([0.0; MAX_MOVES], 0.0);
        for at in 0..moves {
            probabilities[at] = exp((self.log_odds[at] - max).max(LEAST));
            sum += probabilities[at];
        }
        for at in 0..moves {
            probabilities[at] /= sum;
        }
        (probabilities, f64::from(max) + f64::from(sum).ln())
    }
}

/// The least log-odds from the best move that count: [`exp`] goes no further.
const LEAST: f32 = -80.0;

/// The sum over all images of the hidden layer, weighted by an entry of a table.
#[inline(always)]
fn weighted_sum(active: &Images, table: &[Row], entries: &[u8; SYMMETRIES]) -> f32 {
    let mut sums = [0.0; FILTERS];
    for image in 0..SYMMETRIES {
        let row = &table[usize::from(entries[image])];
        for filter in 0..FILTERS {
            sums[filter] += active[image][filter] * row[filter];
        }
    }
    let mut all = 0.0;
    for sum in sums {
        all += sum;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::eval::LOG_ODDS_ONE;
    use crate::eval::order::Preferences;
    use crate::tools::training::samples::Position;
    use crate::tools::training::samples::tests::random_boards;
    use crate::tools::training::trainer::head::HeadWeights;

    /// What is trained is what is played: the engine's integers find the same log-odds of every move.
    #[test]
    fn the_engine_agrees_with_the_model() {
        let weights = Weights::parse(Weights::COMPILED_IN).expect("weights");
        let order = weights.order_weights().order();
        for board in random_boards(2) {
            let sample = Sample {
                position: Position::of(&board),
                shares: [[0; 2]; 8],
            };
            let found = Forward::new::<u64>(&weights, &sample);
            let squares = |turn: &AmazonMove| {
                let [from, to] = [turn.from, turn.to].map(|at| Square::wrapping(at.into()));
                (from, to)
            };
            let mut preferences = Preferences::default();
            preferences.find(&order, &board, found.moves.iter().map(squares));
            for (turn, log_odds) in found.moves.iter().zip(found.log_odds) {
                let (from, to) = squares(turn);
                let engine = preferences.log_odds(from, to) as f32 / LOG_ODDS_ONE as f32;
                assert!((log_odds - engine).abs() < 1e-4, "{log_odds} {engine}");
            }
        }
    }
}
