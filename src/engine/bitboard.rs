//! Bitboards: queen slides and king steps over empty squares, for one position or for several side by side (SIMD). Bit
//! `8·y + x` of a bitboard is the square in column `x` and row `y`; row 0 is north.
//!
//! Each algorithm is written once, generic over [`Lanes`]: a `u64` holds the bitboard of one position, a vector
//! register the bitboards of two, four or eight positions. [`widest`] runs a [`Kernel`] with the widest registers of
//! the processor.

mod lanes;
mod player_pair;
mod slide_masks;
pub mod vectors;

pub use lanes::{Kernel, Lanes, MAX_LANES, NumberRow, NumberTable, TableRow};
pub use player_pair::{PairSlides, PlayerPair};
pub use slide_masks::SlideMasks;
pub use vectors::{Four, run_with};

/// All squares except column a, which a step to the east cannot enter without wrapping around the edge.
const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
/// All squares except column h, which a step to the west cannot enter without wrapping around the edge.
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Runs a kernel with the widest vector registers that this processor has (eight, four, two lanes, or `u64`) and
/// returns its result.
pub fn widest<K: Kernel>(kernel: K) -> K::Output {
    run_with::<8, _>(kernel).unwrap_or_else(with_four)
}

/// Runs a kernel with at most four lanes, for work that eight lanes do not speed up, and returns its result.
pub fn with_four<K: Kernel>(kernel: K) -> K::Output {
    run_with::<4, _>(kernel)
        .or_else(run_with::<2, _>)
        .unwrap_or_else(|kernel| kernel.run::<u64>())
}

/// Returns the name of the vector instruction set that [`widest`] uses on this processor, such as `AVX2`; `no vectors`
/// if there is none.
pub fn vectors_in_use() -> &'static str {
    widest(Name)
}

/// Kernel that returns [`Lanes::NAME`] of the lanes with which it is run.
struct Name;

impl Kernel for Name {
    type Output = &'static str;

    fn run<L: Lanes>(self) -> &'static str {
        L::NAME
    }
}

/// Precomputed slide masks: on which squares queen slides over given empty squares can end, in each of the eight
/// directions.
///
/// They serve parallel-prefix ("Kogge-Stone") fills. Each direction has three masks: the squares on which a slide of
/// one, two and four steps can end, because these squares and all squares crossed before them are empty.
pub struct Slides<L> {
    /// Masks of the directions towards higher square indices, in the order east, south-west, south, south-east.
    up: [[L; 3]; 4],
    /// Masks of the directions towards lower square indices, in the order west, north-east, north, north-west.
    down: [[L; 3]; 4],
}

/// Expands to a parallel-prefix fill from `$from` in one direction: slides of up to one, three and seven steps. `$over`
/// holds the three masks of the direction, `$one`, `$two` and `$four` its shifts by as many squares.
macro_rules! fill {
    ($shift:ident, $over:expr, $from:expr, $one:literal, $two:literal, $four:literal) => {{
        let [one, two, four] = $over;
        let reached = $from | one & $from.$shift::<$one>();
        let reached = reached | two & reached.$shift::<$two>();
        reached | four & reached.$shift::<$four>()
    }};
}

/// Expands to the three masks of one direction: squares on which a slide of one, two and four steps can end.
/// `$enterable` holds the empty squares that one step can enter.
macro_rules! prefixes {
    ($shift:ident, $enterable:expr, $one:literal, $two:literal) => {{
        let one = $enterable;
        let two = one & one.$shift::<$one>();
        [one, two, two & two.$shift::<$two>()]
    }};
}

impl<L: Lanes> Slides<L> {
    /// Computes the slide masks for the bitboard `empty` of empty squares, lane by lane.
    #[inline(always)]
    pub fn over(empty: L) -> Slides<L> {
        let not_a = empty & L::splat(NOT_FILE_A);
        let not_h = empty & L::splat(NOT_FILE_H);
        Slides {
            up: [
                prefixes!(shl, not_a, 1, 2),
                prefixes!(shl, not_h, 7, 14),
                prefixes!(shl, empty, 8, 16),
                prefixes!(shl, not_a, 9, 18),
            ],
            down: [
                prefixes!(shr, not_h, 1, 2),
                prefixes!(shr, not_a, 7, 14),
                prefixes!(shr, empty, 8, 16),
                prefixes!(shr, not_h, 9, 18),
            ],
        }
    }

    /// Returns for each direction the squares that slides from `start` cross or reach, plus `start` itself. The order
    /// of directions is east, south-west, south, south-east, west, north-east, north, north-west.
    #[inline(always)]
    pub fn from(&self, start: L) -> [L; 8] {
        [
            fill!(shl, self.up[0], start, 1, 2, 4),
            fill!(shl, self.up[1], start, 7, 14, 28),
            fill!(shl, self.up[2], start, 8, 16, 32),
            fill!(shl, self.up[3], start, 9, 18, 36),
            fill!(shr, self.down[0], start, 1, 2, 4),
            fill!(shr, self.down[1], start, 7, 14, 28),
            fill!(shr, self.down[2], start, 8, 16, 32),
            fill!(shr, self.down[3], start, 9, 18, 36),
        ]
    }
}

/// Returns the union of eight bitboards, such as the results of `Slides::from`.
#[inline(always)]
pub fn union<L: Lanes>(sets: [L; 8]) -> L {
    let [a, b, c, d, e, f, g, h] = sets;
    ((a | b) | (c | d)) | ((e | f) | (g | h))
}

/// Returns `set` together with all squares that are one king step away from any of its squares.
#[inline(always)]
pub fn with_neighbours<L: Lanes>(set: L) -> L {
    let row = set | set.shl::<1>() & L::splat(NOT_FILE_A) | set.shr::<1>() & L::splat(NOT_FILE_H);
    row | row.shl::<8>() | row.shr::<8>()
}

/// Counts, for every square, how many of its up to eight adjacent squares are in `set`; five or more count as five.
/// Returns bit-sliced counters: the bitboards of the counts' bits with value one, two and four.
#[inline(always)]
pub fn neighbours_up_to_five(set: u64) -> [u64; 3] {
    let (east, west) = (set << 1 & NOT_FILE_A, set >> 1 & NOT_FILE_H);
    // Adds up two neighbours in the square's own row, and three in each of the rows above and below.
    let (beside, both_beside) = (east ^ west, east & west);
    let (one, two) = (beside ^ set, both_beside | beside & set);
    let (above, below) = ([one << 8, two << 8], [one >> 8, two >> 8]);
    let ones = above[0] ^ below[0] ^ beside;
    let carry = above[0] & below[0] | (above[0] ^ below[0]) & beside;
    // Adds up the four bitboards of value two into bits of value two and four, and detects sums of five or more.
    let (rows, both_rows) = (above[1] ^ below[1], above[1] & below[1]);
    let (rest, both_rest) = (both_beside ^ carry, both_beside & carry);
    let twos = rows ^ rest;
    let fours = both_rows | both_rest | rows & rest;
    let five_and_more = fours & (ones | twos) | both_rows & both_rest;
    [ones & !fours | five_and_more, twos & !fours, fours]
}

/// Classifies all squares by how many of their up to eight adjacent squares are in `set`. Returns the squares with
/// none, with exactly one, and with two or three.
#[inline(always)]
pub fn few_neighbours<L: Lanes>(set: L) -> [L; 3] {
    let (not_a, not_h) = (L::splat(NOT_FILE_A), L::splat(NOT_FILE_H));
    let (east, west) = (set.shl::<1>() & not_a, set.shr::<1>() & not_h);
    let neighbours = [
        east,
        west,
        set.shl::<8>(),
        set.shr::<8>(),
        east.shl::<8>(),
        east.shr::<8>(),
        west.shl::<8>(),
        west.shr::<8>(),
    ];
    // Saturating counters: bits of value one and two, and an overflow bit, set for good once the count reaches four.
    let (mut ones, mut twos, mut fours) = (L::splat(0), L::splat(0), L::splat(0));
    for neighbour in neighbours {
        let carry = ones & neighbour;
        ones = (ones | neighbour).without(carry);
        let overflow = twos & carry;
        twos = (twos | carry).without(overflow);
        fours = fours | overflow;
    }
    let few = !fours;
    [
        few.without(ones | twos),
        (few & ones).without(twos),
        few & twos,
    ]
}

#[cfg(test)]
mod tests {
    use super::vectors::fewer::MOST_LANES;
    use super::*;
    use crate::bench;

    #[test]
    fn search_result_is_independent_of_lanes() {
        let found = [1, 4, MAX_LANES].map(|most| {
            MOST_LANES.set(most);
            assert!(most > 1 || vectors_in_use() == "no vectors");
            bench::run(1000).signature
        });
        assert_eq!(found, [found[0]; 3]);
    }
}
