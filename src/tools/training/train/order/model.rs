//! The order network in training: floating-point weights, its log-odds, and the slopes of the loss.
//!
//! The numbers of a symmetry see the position as it turns it. So the network is one of a few filters, which looks at all
//! eight images of the position, and the log-odds of a move are the sum over the images. The weights are never repeated.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::moves::{AmazonMove, AmazonMoves, MAX_MOVES};
use super::samples::Sample;
use crate::bitboard::{Kernel, Lanes};
use crate::eval::exp;
use crate::eval::network::{BIASES, KINDS, MAX_WEIGHT, rows};
use crate::eval::order::{
    FILTERS, Filters, HEAD_UNIT, OrderWeights, SYMMETRIES, UNIT, WAYS, turned, turned_way,
};

/// A number for each filter.
pub type Row = [f32; FILTERS];

/// The numbers of all images.
type Images = [Row; SYMMETRIES];

/// Tables of weights above the hidden layer. A move looks up the square that the amazon leaves, the one that it enters,
/// its way, and twice the last table: by the kinds of both squares.
const HEADS: usize = 4;

/// Place of the first of [`HEADS`] among the tables of [`Weights`].
const FIRST_HEAD: usize = 2;

/// All tables of [`Weights`].
pub const TABLES: usize = FIRST_HEAD + HEADS;

/// Entries of each table of weights.
const ENTRIES: [usize; TABLES] = [64 * KINDS, BIASES, 64, 64, WAYS, KINDS];

/// What a weight of 1 is in the engine, by table.
pub const UNITS: [f32; TABLES] = {
    let (unit, head) = (UNIT as f32, HEAD_UNIT as f32);
    [unit, unit, head, head, head, head]
};

/// Largest weight of a table.
#[must_use]
pub const fn max_weight(table: usize) -> f32 {
    MAX_WEIGHT as f32 / UNITS[table]
}

/// Entries of a table above the hidden layer, at most.
const MAX_ENTRIES: usize = 64;

/// The entry in which each image finds what the position has in another, by table.
static TURNED: [[[u8; SYMMETRIES]; MAX_ENTRIES]; HEADS] = {
    let mut tables = [[[0; SYMMETRIES]; MAX_ENTRIES]; HEADS];
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

/// The weights of the network, or the slopes of the loss in each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Rows of the hidden layer, its biases, and the tables above it in the order of [`OrderWeights`].
    pub tables: [Vec<Row>; TABLES],
}

impl Weights {
    /// Zeros.
    #[must_use]
    pub fn zero() -> Weights {
        Weights {
            tables: ENTRIES.map(|entries| vec![[0.0; FILTERS]; entries]),
        }
    }

    /// Sets all numbers to zero.
    pub fn clear(&mut self) {
        for table in &mut self.tables {
            table.fill([0.0; FILTERS]);
        }
    }

    /// The weights as the engine has them. These here are rounded already.
    #[must_use]
    pub fn order_weights(&self) -> OrderWeights {
        let integers = |table: usize| {
            let filters = move |row: &Row| row.map(|weight| (weight * UNITS[table]).round() as i16);
            self.tables[table].iter().map(filters)
        };
        fn array<const N: usize>(filters: impl Iterator<Item = Filters>) -> [Filters; N] {
            let filters: Vec<Filters> = filters.collect();
            filters.try_into().expect("a table has its size")
        }
        OrderWeights {
            rows: integers(0).collect(),
            biases: integers(1).collect(),
            from: array(integers(2)),
            to: array(integers(3)),
            ways: array(integers(4)),
            kinds: array(integers(5)),
        }
    }
}

/// A position as the network sees it, with what it finds of it.
struct Seen {
    rows: [u16; 64],
    arrows: usize,
    moves: AmazonMoves,
    /// The hidden layer before its numbers are clamped and squared.
    hidden: Images,
    /// The hidden layer.
    active: Images,
    /// By table above the hidden layer, the entries that some move looks up.
    used: [u64; HEADS],
    /// The log-odds of each move.
    log_odds: [f32; MAX_MOVES],
}

impl Seen {
    #[inline(always)]
    fn new<L: Lanes>(weights: &Weights, sample: &Sample) -> Seen {
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
        let mut seen = Seen {
            rows,
            arrows,
            moves: AmazonMoves::of(sample.mine, sample.empty),
            hidden,
            active,
            used: [0; HEADS],
            log_odds: [0.0; MAX_MOVES],
        };
        seen.weigh(weights);
        seen
    }

    /// The entries of the [`HEADS`] that a move looks up; the last two are of the last one.
    #[inline(always)]
    fn entries(&self, turn: AmazonMove) -> [usize; HEADS + 1] {
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
        let mut parts = [[0.0; MAX_ENTRIES]; HEADS];
        for head in 0..HEADS {
            let table = &weights.tables[FIRST_HEAD + head];
            let mut rest = self.used[head];
            while rest != 0 {
                let entry = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                parts[head][entry] = weighted_sum(&self.active, table, &TURNED[head][entry]);
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
    fn probabilities(&self) -> ([f32; MAX_MOVES], f64) {
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

    /// The share of the visits that each move is told to have, in 1/255.
    #[inline(always)]
    fn told(&self, sample: &Sample) -> [u8; MAX_MOVES] {
        let mut told = [0; MAX_MOVES];
        for [amazon_and_to, share] in sample.shares {
            if share == 0 {
                break;
            }
            for (at, turn) in self.moves.all().iter().enumerate() {
                if turn.amazon << 6 | turn.to == amazon_and_to {
                    told[at] = share;
                }
            }
        }
        told
    }

    /// The loss of a position, see [`AddSlopes`], and its slopes in the log-odds.
    #[inline(always)]
    fn loss(&self, told: &[u8; MAX_MOVES]) -> (f64, [f32; MAX_MOVES]) {
        let (mut slopes, log_sum) = self.probabilities();
        let moves = self.moves.all().len();
        let (mut all_told, mut others) = (0, 0.0);
        for at in 0..moves {
            all_told += u32::from(told[at]);
            others += if told[at] == 0 { slopes[at] } else { 0.0 };
        }
        // Rounded shares may be more than all together. Where no other moves are, they are all.
        let whole = if others > 0.0 {
            all_told.max(WHOLE)
        } else {
            all_told
        };
        let rest = (whole - all_told) as f32 / whole as f32;
        let mut loss = divergence(rest, f64::from(others).ln());
        for at in 0..moves {
            if told[at] == 0 {
                slopes[at] -= rest * (slopes[at] / others);
            } else {
                let target = f32::from(told[at]) / whole as f32;
                slopes[at] -= target;
                loss += divergence(target, f64::from(self.log_odds[at]) - log_sum);
            }
        }
        (loss, slopes)
    }
}

/// All visits, in units of [`Sample::shares`].
const WHOLE: u32 = 255;

/// What a share of the visits adds to the loss, with the logarithm of the probability that it has.
#[inline(always)]
fn divergence(share: f32, log_probability: f64) -> f64 {
    let share = f64::from(share);
    match share > 0.0 {
        true => share * (share.ln() - log_probability),
        false => 0.0,
    }
}

/// The least log-odds from the best move that are told apart: [`exp`] goes no further.
const LEAST: f32 = -80.0;

/// The hidden layer of a position, before its numbers are clamped and squared.
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

/// Adds the slopes of the samples' losses to `slopes`. The kernel returns the sum of the losses.
///
/// The loss of a sample is the Kullback-Leibler divergence of the network's probabilities from the shares of the visits,
/// in nats: the cross-entropy, less the entropy of the shares. Only some moves are told with their share. All others
/// count as one move, which has the rest of the visits.
pub struct AddSlopes<'a> {
    /// The network.
    pub weights: &'a Weights,
    /// The samples.
    pub samples: &'a [Sample],
    /// How far slopes leak, see [`LEAK`](super::super::model::LEAK).
    pub leak: f32,
    /// The slopes to add to.
    pub slopes: &'a mut Weights,
}

impl Kernel for AddSlopes<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let mut sum = 0.0;
        for sample in self.samples {
            let seen = Seen::new::<L>(self.weights, sample);
            let (loss, by_move) = seen.loss(&seen.told(sample));
            sum += loss;
            add_slopes(self.slopes, self.weights, &seen, &by_move, self.leak);
        }
        sum
    }
}

/// Adds the slopes in all weights, from the slopes in the log-odds of the moves.
#[inline(always)]
fn add_slopes(
    slopes: &mut Weights,
    weights: &Weights,
    seen: &Seen,
    by_move: &[f32; MAX_MOVES],
    leak: f32,
) {
    let mut parts = [[0.0; MAX_ENTRIES]; HEADS];
    for (at, &turn) in seen.moves.all().iter().enumerate() {
        let [from, to, way, left, entered] = seen.entries(turn);
        parts[0][from] += by_move[at];
        parts[1][to] += by_move[at];
        parts[2][way] += by_move[at];
        parts[3][left] += by_move[at];
        parts[3][entered] += by_move[at];
    }
    let mut below: Images = [[0.0; FILTERS]; SYMMETRIES];
    for head in 0..HEADS {
        let table = &weights.tables[FIRST_HEAD + head];
        let to = &mut slopes.tables[FIRST_HEAD + head];
        let mut rest = seen.used[head];
        while rest != 0 {
            let entry = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let slope = parts[head][entry];
            for image in 0..SYMMETRIES {
                let entry = usize::from(TURNED[head][entry][image]);
                let (row, to) = (&table[entry], &mut to[entry]);
                for filter in 0..FILTERS {
                    below[image][filter] += slope * row[filter];
                    to[filter] += slope * seen.active[image][filter];
                }
            }
        }
    }
    for image in 0..SYMMETRIES {
        for filter in 0..FILTERS {
            let number = &mut below[image][filter];
            *number = through(seen.hidden[image][filter], *number, leak);
        }
    }
    add_below(slopes, seen, &below);
}

/// The slope in a hidden number before it is clamped and squared, from that behind.
///
/// A hidden number near 0 tells as much slope as one of `leak` does. One beyond the limits tells that share of its slope
/// if the step leads back within them, else none.
#[inline(always)]
fn through(hidden: f32, slope: f32, leak: f32) -> f32 {
    let full = 2.0 * hidden.clamp(0.0, 1.0).max(leak) * slope;
    let leads_back = full * (hidden - 0.5) > 0.0;
    let beyond = if leads_back { leak } else { 0.0 };
    let is_within = hidden > 0.0 && hidden < 1.0;
    full * if is_within { 1.0 } else { beyond }
}

/// Adds the slopes in biases and rows, from those in the hidden layer.
#[inline(always)]
fn add_below(slopes: &mut Weights, seen: &Seen, below: &Images) {
    let [table, biases, ..] = &mut slopes.tables;
    let bias = &mut biases[seen.arrows];
    for image in 0..SYMMETRIES {
        for filter in 0..FILTERS {
            bias[filter] += below[image][filter];
        }
    }
    let table = &mut table[..64 * KINDS];
    for square in 0..64 {
        let first = usize::from(seen.rows[square]) & 63 << 6;
        for image in 0..SYMMETRIES {
            let row = &mut table[first | usize::from(TURNED[0][square][image])];
            for filter in 0..FILTERS {
                row[filter] += below[image][filter];
            }
        }
    }
}

/// How a sample is foreseen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foreseen {
    /// Its loss, see [`AddSlopes`].
    pub loss: f64,
    /// Whether no move has more visits than the likeliest one.
    pub is_best: bool,
}

/// Tells how samples are foreseen.
pub struct Foresee<'a> {
    /// The network.
    pub weights: &'a Weights,
    /// The samples.
    pub samples: &'a [Sample],
}

impl Kernel for Foresee<'_> {
    type Output = Vec<Foreseen>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<Foreseen> {
        let mut all = Vec::with_capacity(self.samples.len());
        for sample in self.samples {
            let seen = Seen::new::<L>(self.weights, sample);
            let told = seen.told(sample);
            let (mut likeliest, mut most) = (0, 0);
            for at in 0..seen.moves.all().len() {
                most = most.max(told[at]);
                if seen.log_odds[at] > seen.log_odds[likeliest] {
                    likeliest = at;
                }
            }
            all.push(Foreseen {
                loss: seen.loss(&told).0,
                is_best: told[likeliest] == most,
            });
        }
        all
    }
}
