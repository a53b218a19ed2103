//! Bitboards: queen slides ([`Slides`]) and king steps over empty squares, for one position or for several side by side
//! (SIMD). Bit `8·y + x` of a bitboard is the square in column `x` and row `y`; row 0 is north.
//!
//! Each algorithm is written once, generic over the lane type [`Lanes`]. With the lane type `u64` it handles one
//! position; with a vector register as lane type, two, four or eight positions. An algorithm that is packed into a
//! [`Kernel`] runs with the most lanes that the processor supports, see [`run_widest`].

mod lanes;
mod player_pair;
mod slide_masks;
pub mod vectors;

pub use lanes::{Kernel, Lanes, MAX_LANES, NumberRow, NumberTable, TableRow};
pub use player_pair::{PairSlides, PlayerPair};
pub use slide_masks::SlideMasks;
pub use vectors::{Four, run_with};

/// Mask of all squares except column a. After a shift by one step to the east, it removes the squares that wrapped
/// around from column h to column a.
const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
/// Mask of all squares except column h. After a shift by one step to the west, it removes the squares that wrapped
/// around from column a to column h.
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Runs `kernel` with the most 64-bit lanes that this processor supports, one, two, four or eight, and returns its
/// result.
pub fn run_widest<K: Kernel>(kernel: K) -> K::Output {
    run_with::<8, _>(kernel).unwrap_or_else(run_up_to_four)
}

/// Runs `kernel` with the most 64-bit lanes that this processor supports, but at most four, and returns its result. Use
/// it for a kernel that eight lanes do not make faster.
pub fn run_up_to_four<K: Kernel>(kernel: K) -> K::Output {
    run_with::<4, _>(kernel)
        .or_else(run_with::<2, _>)
        .unwrap_or_else(|kernel| kernel.run::<u64>())
}

/// Returns the name of the vector instruction set that gives the most lanes on this processor, such as `AVX2`. If there
/// is none, returns `no vectors`.
pub fn vectors_in_use() -> &'static str {
    run_widest(InstructionSetName)
}

/// Computation that returns the name of the vector instruction set with which it runs.
struct InstructionSetName;

impl Kernel for InstructionSetName {
    type Output = &'static str;

    fn run<L: Lanes>(self) -> &'static str {
        L::NAME
    }
}

/// Masks for the computation of queen slides over given empty squares, by parallel-prefix ("Kogge-Stone") fills. `L`
/// holds one bitboard per lane.
///
/// Each of the eight directions has three masks, one for slides of exactly one, two and four steps. A mask contains the
/// squares on which a slide of this length can end: the end square and all squares crossed before it are empty.
pub struct Slides<L> {
    /// For directions towards higher square indices: squares on which a slide can end, because all squares on its way
    /// are empty.
    ///
    /// - First index: 0 = east, 1 = south-west, 2 = south, 3 = south-east.
    /// - Second index: 0 = slide of one step, 1 = of two steps, 2 = of four steps.
    towards_higher: [[L; 3]; 4],
    /// For directions towards lower square indices: squares on which a slide can end, because all squares on its way
    /// are empty.
    ///
    /// - First index: 0 = west, 1 = north-east, 2 = north, 3 = north-west.
    /// - Second index: 0 = slide of one step, 1 = of two steps, 2 = of four steps.
    towards_lower: [[L; 3]; 4],
}

/// Expands to the squares that slides of zero to seven steps from `$from` reach in one direction.
///
/// - `$shift`: method that moves squares in this direction, `shl` or `shr`.
/// - `$masks`: squares on which slides of one, two and four steps in this direction can end.
/// - `$one`, `$two`, `$four`: index differences of one, two and four steps.
macro_rules! slide_fill {
    ($shift:ident, $masks:expr, $from:expr, $one:literal, $two:literal, $four:literal) => {{
        let [one, two, four] = $masks;
        let reached = $from | one & $from.$shift::<$one>();
        let reached = reached | two & reached.$shift::<$two>();
        reached | four & reached.$shift::<$four>()
    }};
}

/// Expands to three bitboards: the squares on which slides of one, two and four steps in one direction can end.
///
/// - `$shift`: method that moves squares in this direction, `shl` or `shr`.
/// - `$enterable`: empty squares that a step in this direction can enter without wrapping around the edge.
/// - `$one`, `$two`: index differences of one and two steps.
macro_rules! landing_masks {
    ($shift:ident, $enterable:expr, $one:literal, $two:literal) => {{
        let one = $enterable;
        let two = one & one.$shift::<$one>();
        [one, two, two & two.$shift::<$two>()]
    }};
}

impl<L: Lanes> Slides<L> {
    /// Computes the masks for slides over the empty squares `empty`, a bitboard in each lane.
    #[inline(always)]
    pub fn over(empty: L) -> Slides<L> {
        let not_a = empty & L::splat(NOT_FILE_A);
        let not_h = empty & L::splat(NOT_FILE_H);
        Slides {
            towards_higher: [
                landing_masks!(shl, not_a, 1, 2),
                landing_masks!(shl, not_h, 7, 14),
                landing_masks!(shl, empty, 8, 16),
                landing_masks!(shl, not_a, 9, 18),
            ],
            towards_lower: [
                landing_masks!(shr, not_h, 1, 2),
                landing_masks!(shr, not_a, 7, 14),
                landing_masks!(shr, empty, 8, 16),
                landing_masks!(shr, not_h, 9, 18),
            ],
        }
    }

    /// Returns, for each of the eight directions, the squares that queen slides from the squares of `start` cross or
    /// reach, and `start` itself.
    ///
    /// The index is the direction: 0 = east, 1 = south-west, 2 = south, 3 = south-east, 4 = west, 5 = north-east, 6 =
    /// north, 7 = north-west.
    #[inline(always)]
    pub fn rays_from(&self, start: L) -> [L; 8] {
        [
            slide_fill!(shl, self.towards_higher[0], start, 1, 2, 4),
            slide_fill!(shl, self.towards_higher[1], start, 7, 14, 28),
            slide_fill!(shl, self.towards_higher[2], start, 8, 16, 32),
            slide_fill!(shl, self.towards_higher[3], start, 9, 18, 36),
            slide_fill!(shr, self.towards_lower[0], start, 1, 2, 4),
            slide_fill!(shr, self.towards_lower[1], start, 7, 14, 28),
            slide_fill!(shr, self.towards_lower[2], start, 8, 16, 32),
            slide_fill!(shr, self.towards_lower[3], start, 9, 18, 36),
        ]
    }
}

/// Returns the union of eight bitboards, such as the eight directions of `Slides::rays_from`.
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
///
/// Returns the counts in binary, as three bitboards: the squares whose count has bit 0 set, bit 1 set, and bit 2 set.
#[inline(always)]
pub fn neighbours_up_to_five(set: u64) -> [u64; 3] {
    let (east, west) = (set << 1 & NOT_FILE_A, set >> 1 & NOT_FILE_H);
    // Counts the left and right neighbours in `set` in binary: `beside` is bit 0 of the count, `both_beside` bit 1.
    let (beside, both_beside) = (east ^ west, east & west);
    let (one, two) = (beside ^ set, both_beside | beside & set);
    let (above, below) = ([one << 8, two << 8], [one >> 8, two >> 8]);
    let ones = above[0] ^ below[0] ^ beside;
    let carry = above[0] & below[0] | (above[0] ^ below[0]) & beside;
    // Adds the bits of value two: `above[1]`, `below[1]`, `both_beside` and `carry`.
    let (rows, both_rows) = (above[1] ^ below[1], above[1] & below[1]);
    let (rest, both_rest) = (both_beside ^ carry, both_beside & carry);
    let twos = rows ^ rest;
    let fours = both_rows | both_rest | rows & rest;
    let five_and_more = fours & (ones | twos) | both_rows & both_rest;
    [ones & !fours | five_and_more, twos & !fours, fours]
}

/// Sorts all squares by how many of their up to eight adjacent squares are in `set`. Returns three bitboards: the
/// squares with none in `set`, those with exactly one, and those with two or three.
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
    // Count of each square in binary: `ones` is bit 0, `twos` bit 1. `fours` collects the squares that have counted to
    // four or more.
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
    use super::vectors::lane_limit::LANE_LIMIT;
    use super::*;
    use crate::bench;

    #[test]
    fn search_result_is_independent_of_lanes() {
        let found = [1, 4, MAX_LANES].map(|most| {
            LANE_LIMIT.set(most);
            assert!(most > 1 || vectors_in_use() == "no vectors");
            bench::run(1000).signature
        });
        assert_eq!(found, [found[0]; 3]);
    }
}
