//! The forward pass of the order network: the log-odds of the moves of a position.
//!
//! The numbers of a symmetry see the position as it turns it. So the network is one of a few filters, which looks at all
//! eight images of the position, and the log-odds of a move are the sum over the images. The weights are never repeated.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::moves::{AmazonMove, AmazonMoves, MAX_MOVES};
use super::tables::{FIRST_MOVE_TABLE, MOVE_TABLES, Row, Weights};
use super::visits::Sample;
use crate::bitboard::Lanes;
use crate::eval::exp;
use crate::eval::network::{KINDS, rows};
use crate::eval::order::{FILTERS, SYMMETRIES, WAYS, turned, turned_way};

/// The numbers of all images.
pub type Images = [Row; SYMMETRIES];

/// Entries of a table above the hidden layer, at most.
pub const MAX_ENTRIES: usize = 64;

/// The entry in which each image finds what the position has in another, by table.
pub static TURNED: [[[u8; SYMMETRIES]; MAX_ENTRIES]; MOVE_TABLES] = {
    let mut tables = [[[0; SYMMETRIES]; MAX_ENTRIES]; MOVE_TABLES];
    let mut entry = 0;
    while entry < MAX_ENTRIES {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            tables[0][entry][symmetry] = turned(entry, symmetry) as u8;
            tables[1][entry][symmetry] = turned(entry, symmetry) as u8;
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
    /// Arrows on the board.
    pub arrows: usize,
    /// The moves of amazons.
    pub moves: AmazonMoves,
    /// The hidden layer before its units are clamped and squared.
    pub hidden: Images,
    /// The hidden layer.
    pub active: Images,
    /// By table above the hidden layer, the entries that some move looks up.
    pub used: [u64; MOVE_TABLES],
    /// The log-odds of each move.
    pub log_odds: [f32; MAX_MOVES],
}

impl Forward {
    #[inline(always)]
    /// Looks at a position.
    pub fn new<L: Lanes>(weights: &Weights, sample: &Sample) -> Forward {
        let rows = rows::<L>(sample.mine, sample.theirs, sample.empty);
        let arrows = sample.arrows();
        let hidden = hidden(weights, &rows, arrows);
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
            moves: AmazonMoves::of(sample.mine, sample.empty),
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
        for &turn in self.moves.all() {
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
        for (at, &turn) in self.moves.all().iter().enumerate() {
            let [from, to, way, left, entered] = self.entries(turn);
            let squares = parts[0][from] + parts[1][to] + parts[2][way];
            self.log_odds[at] = squares + (parts[3][left] + parts[3][entered]);
        }
    }

    /// The probabilities of all moves: the softmax of their log-odds. Also returns the logarithm of what divides them.
    #[inline(always)]
    pub fn probabilities(&self) -> ([f32; MAX_MOVES], f64) {
        let moves = self.moves.all().len();
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

/// The hidden layer of a position, before its units are clamped and squared.
#[inline(always)]
fn hidden(weights: &Weights, rows: &[u16; 64], arrows: usize) -> Images {
    let mut sum = [weights.tables[1][arrows]; SYMMETRIES];
    let table = &weights.tables[0][..64 * KINDS];
    for square in 0..64 {
        let first = usize::from(rows[square]) & 63 << 6;
        for image in 0..SYMMETRIES {
            let row = &table[first | usize::from(TURNED[0][square][image])];
            for filter in 0..FILTERS {
                sum[image][filter] += row[filter];
            }
        }
    }
    sum
}

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
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

#[cfg(test)]
pub mod tests {
    use super::super::tables::tests::random_weights;
    use super::super::visits::tests::random_samples;
    use super::*;
    use crate::bitboard::{Kernel, widest};
    use crate::eval::order::{HEAD_UNIT, UNIT};

    /// [`Forward`] as a kernel.
    pub struct Look<'a>(pub &'a Weights, pub &'a Sample);

    impl Kernel for Look<'_> {
        type Output = Forward;

        fn run<L: Lanes>(self) -> Forward {
            Forward::new::<L>(self.0, self.1)
        }
    }

    /// The moves of a position with their log-odds, by squares left and entered.
    fn log_odds(weights: &Weights, sample: &Sample) -> Vec<(usize, usize, f32)> {
        let found = widest(Look(weights, sample));
        let moves = found.moves.all().iter().zip(found.log_odds);
        moves
            .map(|(turn, log_odds)| (turn.from.into(), turn.to.into(), log_odds))
            .collect()
    }

    /// By the definition: each move's log-odds from the engine's integers, one hidden unit after another.
    #[test]
    fn log_odds_are_those_of_the_definition() {
        let weights = random_weights(2);
        let integers = weights.order_weights();
        for sample in random_samples(1).iter().step_by(5) {
            let rows = rows::<u64>(sample.mine, sample.theirs, sample.empty);
            let kind = |square: usize| usize::from(rows[square]) / 64;
            let mut expected = vec![0.0; log_odds(&weights, sample).len()];
            for number in 0..FILTERS * SYMMETRIES {
                let (filter, symmetry) = (number / SYMMETRIES, number % SYMMETRIES);
                let image = |square: usize| turned(square, symmetry);
                let mut sum = i32::from(integers.biases[sample.arrows()][filter]);
                for square in 0..64 {
                    sum += i32::from(integers.rows[64 * kind(square) + image(square)][filter]);
                }
                let hidden = (f64::from(sum) / f64::from(UNIT)).clamp(0.0, 1.0);
                let moves = AmazonMoves::of(sample.mine, sample.empty);
                for (expected, turn) in expected.iter_mut().zip(moves.all()) {
                    let [from, to, way] = [turn.from, turn.to, turn.way].map(usize::from);
                    let weight = integers.from[image(from)][filter]
                        + integers.to[image(to)][filter]
                        + integers.ways[turned_way(way, symmetry)][filter]
                        + integers.kinds[kind(from)][filter]
                        + integers.kinds[kind(to)][filter];
                    *expected += hidden * hidden * f64::from(weight) / f64::from(HEAD_UNIT);
                }
            }
            for ((.., found), expected) in log_odds(&weights, sample).into_iter().zip(expected) {
                assert!((f64::from(found) - expected).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn a_turned_position_has_the_log_odds_of_the_turned_moves() {
        let weights = random_weights(3);
        for sample in random_samples(1).iter().step_by(5) {
            for symmetry in 0..SYMMETRIES {
                let turn_set = |set: u64| {
                    let squares = (0..64).filter(|square| set >> square & 1 != 0);
                    let images = squares.map(|square| 1 << turned(square, symmetry));
                    images.fold(0, |all, image: u64| all | image)
                };
                let image = Sample {
                    mine: turn_set(sample.mine),
                    theirs: turn_set(sample.theirs),
                    empty: turn_set(sample.empty),
                    ..*sample
                };
                let found = log_odds(&weights, &image);
                for (from, to, expected) in log_odds(&weights, sample) {
                    let squares = [from, to].map(|square| turned(square, symmetry));
                    let found = found.iter().find(|&&(from, to, _)| [from, to] == squares);
                    assert!((found.expect("the same moves").2 - expected).abs() < 1e-4);
                }
            }
        }
    }
}
