//! Bitboards: sets of squares as 64-bit words. Bit `8·y + x` of a bitboard is the square in column `x` and row `y`,
//! both counted from 0; row 0 is north (top, row 1 in the notation of moves). [`Slides`] finds the empty squares that a
//! queen reaches in a straight line, by Kogge-Stone fills. [`with_neighbours`] adds the squares that are one king step
//! away.
//!
//! Each algorithm is written once, generic over the lane type [`Lanes`]: `u64` for one position, or a vector register
//! (SIMD) for two, four or eight positions side by side. A type that implements [`Kernel`] is a computation for any
//! lane type; [`run_widest`] runs it with the most lanes that the processor supports.

mod lanes;
mod player_pair;
mod slide_masks;
pub mod vectors;

pub use lanes::{FilterRow, Kernel, Lanes, MAX_LANES, NumberRow, RowGroup};
pub use player_pair::{PairSlides, PlayerPair};
pub use slide_masks::SlideMasks;
pub use vectors::{Four, run_with};

/// Mask of all squares except column a. After a shift by one step to the east, it removes the squares that wrapped
/// around from column h to column a.
const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
/// Mask of all squares except column h. After a shift by one step to the west, it removes the squares that wrapped
/// around from column a to column h.
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Runs `kernel`, a computation with SIMD instructions, with the most 64-bit lanes that this processor supports (one,
/// two, four or eight). Returns the kernel's result.
pub fn run_widest<K: Kernel>(kernel: K) -> K::Output {
    run_with::<8, _>(kernel).unwrap_or_else(run_up_to_four)
}

/// Runs `kernel`, a computation with SIMD instructions, with the most 64-bit lanes that this processor supports, but at
/// most four. Returns the kernel's result. Meant for kernels that are no faster with eight lanes than with four.
pub fn run_up_to_four<K: Kernel>(kernel: K) -> K::Output {
    run_with::<4, _>(kernel)
        .or_else(run_with::<2, _>)
        .unwrap_or_else(|kernel| kernel.run::<u64>())
}

/// Returns the name of the vector instruction set that [`run_widest`] uses on this processor, such as `AVX2`. Returns
/// `no vectors` if the processor has none that is supported.
pub fn vectors_in_use() -> &'static str {
    run_widest(InstructionSetName)
}

/// Computation (kernel) that only returns the name of the vector instruction set with which it is run.
struct InstructionSetName;

impl Kernel for InstructionSetName {
    type Output = &'static str;

    fn run<L: Lanes>(self) -> &'static str {
        L::NAME
    }
}

/// Queen slides over given empty squares. A slide is a queen's way in one of the eight directions, over any number of
/// empty squares. The lane type `L` holds one bitboard per lane, each of another position.
///
/// The slides are computed by parallel-prefix ("Kogge-Stone") fills. A fill extends the reached squares three times, by
/// one, two and four steps; together, these give all lengths from 0 to 7. Each extension needs the propagator mask of
/// its length. For each direction, there are the masks 1, 2 and 4: mask n contains the squares that a slide of n steps
/// in this direction can end on: the square and the n − 1 squares before it are empty, and no step wraps around the
/// edge of the board.
pub struct Slides<L> {
    /// Propagator masks of the Kogge-Stone fills in the four directions towards higher square indices, see [`Slides`].
    ///
    /// - First index, the direction: 0 = east, 1 = south-west, 2 = south, 3 = south-east.
    /// - Second index, the number of steps by which the mask lets a fill grow: 0 = one, 1 = two, 2 = four.
    towards_higher: [[L; 3]; 4],
    /// Propagator masks of the Kogge-Stone fills in the four directions towards lower square indices, see [`Slides`].
    ///
    /// - First index, the direction: 0 = west, 1 = north-east, 2 = north, 3 = north-west.
    /// - Second index, the number of steps by which the mask lets a fill grow: 0 = one, 1 = two, 2 = four.
    towards_lower: [[L; 3]; 4],
}

/// Expands to a Kogge-Stone fill in one direction: the squares `$from`, and the empty squares that a queen on one of
/// them reaches in this direction before an amazon, an arrow or the edge blocks the way.
///
/// - `$shift`: method that moves squares in this direction: `shl` towards higher indices, `shr` towards lower ones.
/// - `$masks`: propagator masks of this direction for one, two and four steps, see [`Slides`].
/// - `$one`, `$two`, `$four`: differences of square indices for one, two and four steps.
macro_rules! slide_fill {
    ($shift:ident, $masks:expr, $from:expr, $one:literal, $two:literal, $four:literal) => {{
        let [one, two, four] = $masks;
        let reached = $from | one & $from.$shift::<$one>();
        let reached = reached | two & reached.$shift::<$two>();
        reached | four & reached.$shift::<$four>()
    }};
}

/// Expands to the propagator masks (bitboards) of a Kogge-Stone fill in one direction, for one, two and four steps. The
/// mask for n steps contains the squares on which n steps in this direction over empty squares can end. The square
/// itself must be empty, too, and no step may wrap around the edge of the board.
///
/// - `$shift`: method that moves squares in this direction: `shl` towards higher indices, `shr` towards lower ones.
/// - `$enterable`: empty squares that a step in this direction can enter without wrapping around the edge.
/// - `$one`, `$two`: differences of square indices for one and two steps. The mask for four steps results from the mask
///   for two steps by a shift by `$two`.
macro_rules! propagator_masks {
    ($shift:ident, $enterable:expr, $one:literal, $two:literal) => {{
        let one = $enterable;
        let two = one & one.$shift::<$one>();
        [one, two, two & two.$shift::<$two>()]
    }};
}

impl<L: Lanes> Slides<L> {
    /// Prepares the search for the squares that a queen reaches over the empty squares `empty`, one bitboard per lane:
    /// computes the propagator masks of the Kogge-Stone fills in all eight directions. [`Slides::rays_from`] uses them.
    #[inline(always)]
    pub fn over(empty: L) -> Slides<L> {
        let not_a = empty & L::splat(NOT_FILE_A);
        let not_h = empty & L::splat(NOT_FILE_H);
        Slides {
            towards_higher: [
                propagator_masks!(shl, not_a, 1, 2),
                propagator_masks!(shl, not_h, 7, 14),
                propagator_masks!(shl, empty, 8, 16),
                propagator_masks!(shl, not_a, 9, 18),
            ],
            towards_lower: [
                propagator_masks!(shr, not_h, 1, 2),
                propagator_masks!(shr, not_a, 7, 14),
                propagator_masks!(shr, empty, 8, 16),
                propagator_masks!(shr, not_h, 9, 18),
            ],
        }
    }

    /// Returns a bitboard for each of the eight directions: the squares of `start`, and all empty squares that a queen on
    /// one of them reaches in this direction before an amazon, an arrow or the edge blocks the way.
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

/// Returns, for each lane, the squares one step further in the direction of each bitboard in `rays`, a result of
/// [`Slides::rays_from`]: all squares that a queen reaches in a straight line, and the amazons and arrows that end the
/// lines.
#[inline(always)]
pub fn steps_from_rays<L: Lanes>(rays: [L; 8]) -> L {
    let [
        east,
        south_west,
        south,
        south_east,
        west,
        north_east,
        north,
        north_west,
    ] = rays;
    let to_east = east.shl::<1>() | south_east.shl::<9>() | north_east.shr::<7>();
    let to_west = west.shr::<1>() | south_west.shl::<7>() | north_west.shr::<9>();
    let straight = south.shl::<8>() | north.shr::<8>();
    to_east & L::splat(NOT_FILE_A) | to_west & L::splat(NOT_FILE_H) | straight
}

/// Returns, for each lane, the union of the eight bitboards in `sets`. With the result of [`Slides::rays_from`], which
/// has one bitboard per direction, these are the squares that a queen reaches in any direction.
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

/// Counts, for every square of the board, how many of its up to eight neighbours are in the bitboard `set`. Counts
/// above five are lowered to five.
///
/// Returns the counts as three-digit binary numbers, one bitboard per digit. First: the squares whose count is odd (1,
/// 3 or 5). Second: those whose count contains a two (2 or 3). Third: those whose count contains a four (4 or 5).
#[inline(always)]
pub fn neighbours_up_to_five(set: u64) -> [u64; 3] {
    let (east, west) = (set << 1 & NOT_FILE_A, set >> 1 & NOT_FILE_H);
    // Counts the neighbours in `set` to the left and right of each square: 0, 1 or 2, as a binary number. The low
    // digit, `one_beside`, is set if exactly one of both is in `set`. The high digit, `both_beside`, is set if both
    // are.
    let (one_beside, both_beside) = (east ^ west, east & west);
    let (one, two) = (one_beside ^ set, both_beside | one_beside & set);
    let (above, below) = ([one << 8, two << 8], [one >> 8, two >> 8]);
    let ones = above[0] ^ below[0] ^ one_beside;
    let carry = above[0] & below[0] | (above[0] ^ below[0]) & one_beside;
    // Adds, for each square, four binary digits that are worth two neighbours each. Three are the high digits of counts
    // of neighbours: `above[1]` in the row above, `below[1]` in the row below, `both_beside` in the square's own row.
    // The fourth, `carry`, is the carry from the sum of the three low digits, `ones`.
    let (one_row, both_rows) = (above[1] ^ below[1], above[1] & below[1]);
    let (rest, both_rest) = (both_beside ^ carry, both_beside & carry);
    let twos = one_row ^ rest;
    let fours = both_rows | both_rest | one_row & rest;
    let five_and_more = fours & (ones | twos) | both_rows & both_rest;
    [ones & !fours | five_and_more, twos & !fours, fours]
}

/// Returns, for each of the eight directions, the squares of the board whose neighbour in this direction is in the
/// bitboard `set`. The order of the directions is north-west, north, north-east, west, east, south-west, south,
/// south-east.
#[inline(always)]
pub fn neighbours_by_direction<L: Lanes>(set: L) -> [L; 8] {
    let (not_a, not_h) = (L::splat(NOT_FILE_A), L::splat(NOT_FILE_H));
    let (west, east) = (set.shl::<1>() & not_a, set.shr::<1>() & not_h);
    let above = [west, set, east].map(|row| row.shl::<8>());
    let below = [west, set, east].map(|row| row.shr::<8>());
    [
        above[0], above[1], above[2], west, east, below[0], below[1], below[2],
    ]
}

/// Finds the squares of the board with few neighbours in the bitboard `set`. Returns three bitboards: the squares with
/// no neighbour in `set`, with exactly one, and with two or three.
#[inline(always)]
pub fn few_neighbours<L: Lanes>(set: L) -> [L; 3] {
    // Counts, for each square, its neighbours in `set`, modulo four. The count is a binary number: `ones` is its lower
    // digit, `twos` its upper digit. Squares with four or more neighbours in `set` are also collected in `fours`.
    let (mut ones, mut twos, mut fours) = (L::splat(0), L::splat(0), L::splat(0));
    for neighbour in neighbours_by_direction(set) {
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
