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

#[cfg(test)]
pub mod tests {
    use super::super::samples::tests::{random_samples, sample};
    use super::*;
    use crate::bitboard::widest;
    use crate::board::Board;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// A network of the engine's weights, whose hidden numbers lie within and beyond their limits.
    pub fn random_weights(seed: u64) -> Weights {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut weights = Weights::zero();
        for (table, unit) in UNITS.into_iter().enumerate() {
            let most = if table == 0 { 10 } else { 45 };
            for number in weights.tables[table].as_flattened_mut() {
                *number = random.random_range(-most..=most) as f32 / unit;
            }
        }
        weights
    }

    /// Sum of the losses, and their slopes.
    fn slopes(weights: &Weights, samples: &[Sample]) -> (f64, Weights) {
        let mut slopes = Weights::zero();
        let loss = widest(AddSlopes {
            weights,
            samples,
            leak: 0.0,
            slopes: &mut slopes,
        });
        (loss, slopes)
    }

    /// [`Seen`] as a kernel.
    struct See<'a>(&'a Weights, &'a Sample);

    impl Kernel for See<'_> {
        type Output = Seen;

        fn run<L: Lanes>(self) -> Seen {
            Seen::new::<L>(self.0, self.1)
        }
    }

    /// The moves of a position with their log-odds, by squares left and entered.
    fn log_odds(weights: &Weights, sample: &Sample) -> Vec<(usize, usize, f32)> {
        let seen = widest(See(weights, sample));
        let moves = seen.moves.all().iter().zip(seen.log_odds);
        moves
            .map(|(turn, log_odds)| (turn.from.into(), turn.to.into(), log_odds))
            .collect()
    }

    /// The slopes of one table, against the difference of the losses that a step along them makes.
    #[test]
    fn slopes_are_those_of_the_loss() {
        let samples = random_samples(8);
        let weights = random_weights(1);
        let slopes = slopes(&weights, &samples).1;
        for table in 0..TABLES {
            let step = if table == 0 { 1e-4 } else { 1e-3 };
            let mut ends = [weights.clone(), weights.clone()];
            let mut expected = 0.0;
            for (entry, row) in slopes.tables[table].iter().enumerate() {
                for (filter, &slope) in row.iter().enumerate() {
                    let step = step * slope.signum();
                    ends[0].tables[table][entry][filter] += step;
                    ends[1].tables[table][entry][filter] -= step;
                    expected += f64::from(slope * step);
                }
            }
            let [up, down] = ends.map(|weights| self::slopes(&weights, &samples).0);
            let found = (up - down) / 2.0;
            assert!(
                expected > 0.0 && (found - expected).abs() < 0.03 * expected,
                "table {table}: {found} instead of {expected}"
            );
        }
    }

    /// By the definition: each move's log-odds from the engine's integers, one hidden number after another.
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

    /// What the network makes of a position: its view, and the probabilities.
    fn probabilities(weights: &Weights, sample: &Sample) -> (Seen, Vec<f64>) {
        let seen = widest(See(weights, sample));
        let exps = seen.log_odds[..seen.moves.all().len()].iter();
        let exps: Vec<f64> = exps.map(|&number| f64::from(number).exp()).collect();
        let all: f64 = exps.iter().sum();
        let probabilities = exps.into_iter().map(|number| number / all);
        (seen, probabilities.collect())
    }

    #[test]
    fn moves_that_are_not_told_share_the_rest_of_the_visits() {
        let start = sample(&Board::start(), |_| 1);
        let (seen, probabilities) = probabilities(&random_weights(4), &start);
        let mut told = [0; MAX_MOVES];
        (told[3], told[9]) = (102, 51);
        let (first, second) = (probabilities[3], probabilities[9]);
        let rest = 1.0 - first - second;
        let expected =
            0.4 * (0.4 / first).ln() + 0.2 * (0.2 / second).ln() + 0.4 * (0.4 / rest).ln();
        let (loss, slopes) = seen.loss(&told);
        assert!((loss - expected).abs() < 1e-5);
        assert!((f64::from(slopes[3]) - (first - 0.4)).abs() < 1e-6);
        let other = probabilities[5] * (1.0 - 0.4 / rest);
        assert!((f64::from(slopes[5]) - other).abs() < 1e-6);
    }

    #[test]
    fn moves_that_are_all_told_have_all_visits() {
        let two_moves = Sample {
            mine: 0b001,
            theirs: 1 << 63,
            empty: 0b110,
            shares: [[0; 2]; 8],
        };
        let (seen, probabilities) = probabilities(&random_weights(4), &two_moves);
        let mut told = [0; MAX_MOVES];
        (told[0], told[1]) = (168, 84);
        let [first, second] = probabilities[..] else {
            panic!("two moves");
        };
        let (one, two) = (1.0 / 3.0, 2.0 / 3.0);
        let expected = two * (two / first).ln() + one * (one / second).ln();
        assert!((seen.loss(&told).0 - expected).abs() < 1e-5);
    }

    #[test]
    fn slopes_leak_where_they_lead_back_within_the_limits() {
        for (hidden, leak, told) in [
            (0.4, 0.1, [-0.4, 0.4]),
            (0.01, 0.1, [-0.1, 0.1]),
            (1.5, 0.1, [0.0, 0.1]),
            (-0.5, 0.1, [-0.1 * 0.1, 0.0]),
            (1.5, 0.0, [0.0, 0.0]),
            (-0.5, 0.0, [0.0, 0.0]),
        ] {
            let found = [-0.5, 0.5].map(|slope| through(hidden, slope, leak));
            assert_eq!(found, told, "{hidden}");
        }
    }

    #[test]
    fn every_vector_register_finds_the_same_bits() {
        let samples = random_samples(2);
        let weights = random_weights(5);
        let mut plain = Weights::zero();
        let kernel = AddSlopes {
            weights: &weights,
            samples: &samples,
            leak: 0.0,
            slopes: &mut plain,
        };
        let loss = kernel.run::<u64>();
        assert_eq!((loss, plain), slopes(&weights, &samples));
    }
}
