//! Amazon units: the part of the value network's hidden layer that sees the position from the square of one amazon.
//! Each amazon has 16 units. The weights are the same for the four amazons of a player and for the eight directions.
//!
//! The pre-activations of an amazon's units are the sum of one row of weights for its set of empty neighbours, and of
//! one row for each square that it sees. An amazon sees the squares that it reaches in one move, and the amazon or
//! arrow that ends its way in a direction. The row depends on the feature of the seen square and on whether the square
//! is adjacent. One row more is added for each square that the amazon reaches in two moves and not in one; it depends on
//! the queen distances of both players to the square.

use super::{FEATURES, Inputs, UNIT, activation};
use crate::bitboard::{Lanes, Slides, steps_from_rays, union, with_neighbours};
use crate::board::squares;
use crate::eval::symmetry::{FILTERS, FilterWeights, SYMMETRIES, transformed_pattern};
use std::hint::black_box;

/// Number of sets of empty neighbours, if those that are images of each other under a symmetry of the board count once.
const NEIGHBOUR_SETS: usize = 51;

/// Number of weight rows for the squares that amazons see (those that they reach in one move, and the amazons and arrows
/// that end their way). For the amazons of the side to move, there is one row for each feature of a square that is not
/// adjacent to the amazon, then one for each feature of an adjacent square; then as many for the opponent's amazons.
pub const SEEN_ROWS: usize = 4 * FEATURES;

/// Number of classes of the squares that an amazon reaches in two moves and not in one. The class is the code of the
/// opponent's queen distance to the square, 0 to 5, see [`FEATURES`], plus [`DISTANCE_CODES`] if no other amazon of the
/// player reaches the square in one move.
pub const REACH_CLASSES: usize = 2 * DISTANCE_CODES;

/// Number of codes of queen distances, see [`FEATURES`].
pub const DISTANCE_CODES: usize = 6;

/// Index of the first weight row for the squares that an amazon reaches in two moves and not in one.
pub const FIRST_REACH_ROW: usize = SEEN_ROWS + 2 * NEIGHBOUR_SETS;

/// Number of weight rows of the amazon units: [`SEEN_ROWS`], then one for each set of empty neighbours of an amazon of
/// the side to move, then as many for the opponent's amazons, then one for each of the [`REACH_CLASSES`] of squares that
/// an amazon of the side to move reaches in two moves, then as many for the opponent's amazons.
pub const AMAZON_ROWS: usize = FIRST_REACH_ROW + 2 * REACH_CLASSES;

/// For each of the 256 sets of empty neighbours, a number from 0 to 50. Sets that are images of each other under a
/// symmetry of the board have the same number.
static NEIGHBOUR_SET: [u8; 256] = {
    let (mut numbers, mut count) = ([0; 256], 0);
    let mut set = 0;
    while set < 256 {
        let (mut first, mut symmetry) = (set, 0);
        while symmetry < SYMMETRIES {
            let image = transformed_pattern(set, symmetry);
            first = if image < first { image } else { first };
            symmetry += 1;
        }
        numbers[set] = if first < set { numbers[first] } else { count };
        count += (first == set) as u8;
        set += 1;
    }
    assert!(count as usize == NEIGHBOUR_SETS);
    numbers
};

/// Number of amazons on the board.
const AMAZONS: usize = 8;

/// Squares that the eight amazons of a position see, which select their weight rows. Amazons 0 to 3 are those of the
/// side to move, amazons 4 to 7 the opponent's.
pub struct AmazonInputs<'a> {
    /// Features and patterns of the position.
    inputs: &'a Inputs,
    /// For each amazon, a bitboard of its square.
    places: [u64; AMAZONS],
    /// For each amazon, a bitboard of the squares that it sees: those that it reaches in one move, and the amazon or
    /// arrow that ends its way in a direction.
    seen: [u64; AMAZONS],
    /// For each of the [`REACH_CLASSES`] and each amazon, the number of squares of this class that the amazon reaches in
    /// two moves and not in one.
    reach: [[u64; AMAZONS]; REACH_CLASSES],
}

impl<'a> AmazonInputs<'a> {
    /// Finds what the amazons see. `amazons` are bitboards of the amazons of the side to move and of the opponent,
    /// `empty` of the empty squares; `inputs` contains the features and patterns of the position.
    #[inline(always)]
    #[must_use]
    pub fn new<L: Lanes>(
        mut amazons: [u64; 2],
        empty: u64,
        inputs: &'a Inputs,
    ) -> AmazonInputs<'a> {
        let mut found = AmazonInputs {
            inputs,
            places: [0; AMAZONS],
            seen: [0; AMAZONS],
            reach: [[0; AMAZONS]; REACH_CLASSES],
        };
        for (amazon, place) in found.places.iter_mut().enumerate() {
            let rest = &mut amazons[amazon / 4];
            *place = *rest & rest.wrapping_neg();
            *rest ^= *place;
        }
        let (slides, classes) = (Slides::over(L::splat(empty)), reach_classes(inputs));
        for first in (0..AMAZONS).step_by(L::COUNT) {
            let rays = slides.rays_from(L::load(&found.places[first..]));
            steps_from_rays(rays).store(&mut found.seen[first..]);
            let one_move = union(rays) & L::splat(empty);
            let two_moves = union(slides.rays_from(one_move)).without(one_move);
            let counts_and_classes = found.reach.iter_mut().zip(&classes);
            for (counts, class) in counts_and_classes.take(class_count()) {
                let squares = two_moves & L::load(&class[first..]);
                squares.count_ones().store(&mut counts[first..]);
            }
        }
        found
    }

    /// Returns the index, among the [`AMAZON_ROWS`], of the weight row for the empty neighbours of `amazon`.
    #[inline(always)]
    #[must_use]
    pub fn neighbours_row(&self, amazon: usize) -> usize {
        let square = self.places[amazon].trailing_zeros() as usize;
        let set = NEIGHBOUR_SET[usize::from(self.inputs.patterns[square] & 0xff)];
        SEEN_ROWS + NEIGHBOUR_SETS * (amazon / 4) + usize::from(set)
    }

    /// Iterates over the indices, among the [`AMAZON_ROWS`], of the weight rows for the squares that `amazon` sees.
    #[inline(always)]
    pub fn seen_rows(&self, amazon: usize) -> impl Iterator<Item = usize> {
        let adjacent = with_neighbours(self.places[amazon]);
        squares(self.seen[amazon]).map(move |square| {
            let part = 2 * (amazon / 4) + usize::from(adjacent & square.bit() != 0);
            FEATURES * part + usize::from(self.inputs.features[square.index()])
        })
    }

    /// Iterates over the weight rows for the squares that `amazon` reaches in two moves and not in one. Returns the index
    /// of each, among the [`AMAZON_ROWS`], and the number of squares for which the row is added.
    #[inline(always)]
    pub fn reach_rows(&self, amazon: usize) -> impl Iterator<Item = (usize, u16)> {
        let first = FIRST_REACH_ROW + REACH_CLASSES * (amazon / 4);
        let count = move |class: usize| (first + class, self.reach[class][amazon] as u16);
        (0..class_count()).map(count)
    }
}

/// Returns [`REACH_CLASSES`], but hides the number from the compiler. Otherwise, the compiler unrolls loops over the
/// classes, and the bot's file is longer.
#[inline(always)]
fn class_count() -> usize {
    black_box(REACH_CLASSES)
}

/// Returns, for each of the [`REACH_CLASSES`] and each amazon, a bitboard of the squares of this class. It contains
/// squares that the amazon does not reach in two moves, too.
// Not inlined, so that the bot's file is shorter.
#[inline(never)]
fn reach_classes(inputs: &Inputs) -> [[u64; AMAZONS]; REACH_CLASSES] {
    let mut classes = [[0; AMAZONS]; REACH_CLASSES];
    for player in 0..2 {
        let (own, opponent) = (
            inputs.distance_codes[player],
            inputs.distance_codes[1 - player],
        );
        for code in 0..DISTANCE_CODES {
            let mut squares = !0;
            for (bit, &set) in opponent.iter().enumerate() {
                squares &= if code >> bit & 1 == 1 { set } else { !set };
            }
            // Where an amazon reaches a square in two moves, the code of the player's distance is 0, 1 or 2.
            classes[code][4 * player..][..4].fill(squares & !own[1]);
            classes[DISTANCE_CODES + code][4 * player..][..4].fill(squares & own[1]);
        }
    }
    classes
}

/// Weight table of the amazon units. The number of [`AMAZON_ROWS`] is rounded up to a power of two, so that an index
/// needs no bounds check; the further rows are 0.
pub type AmazonTable = [FilterWeights; AMAZON_ROWS.next_power_of_two()];

/// Copies the [`AMAZON_ROWS`] rows of weights of the amazon units.
pub fn amazon_table(rows: &[FilterWeights]) -> Box<AmazonTable> {
    let mut table = [[0; FILTERS]; AMAZON_ROWS.next_power_of_two()];
    table[..AMAZON_ROWS].copy_from_slice(rows);
    Box::new(table)
}

/// Returns the part of the output layer's integer sum that comes from the amazon units: all activations times their
/// weights, in units of 1 / (`UNIT²` · [`OUTPUT_UNIT`](super::OUTPUT_UNIT)). `weights` are the output weights of the
/// amazons of the side to move and of the opponent.
#[inline(always)]
pub fn weighted_sum(
    table: &AmazonTable,
    weights: [&FilterWeights; 2],
    amazons: &AmazonInputs<'_>,
) -> i32 {
    let mut sums = [0; FILTERS];
    for amazon in 0..AMAZONS {
        let mut units = table[amazons.neighbours_row(amazon) % table.len()];
        for (row, count) in amazons.reach_rows(amazon) {
            units = add(units, &table[row % table.len()], count as i16);
        }
        for row in amazons.seen_rows(amazon) {
            units = add(units, &table[row % table.len()], 1);
        }
        let weights = weights[amazon / 4];
        for unit in 0..FILTERS {
            let activation = activation(units[unit], UNIT as i16);
            sums[unit] += i32::from(activation) * i32::from(weights[unit]);
        }
    }
    sums.iter().sum()
}

/// Returns the sum of `sum` and `count` times `row`.
// Returns a new row, because the compiler makes no vector instructions of a loop that changes `sum`.
#[inline(always)]
fn add(sum: FilterWeights, row: &FilterWeights, count: i16) -> FilterWeights {
    std::array::from_fn(|unit| sum[unit].wrapping_add(row[unit].wrapping_mul(count)))
}
