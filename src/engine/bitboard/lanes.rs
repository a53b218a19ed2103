//! The trait [`Lanes`]: one or more 64-bit words that are processed by the same instruction (SIMD). Here `u64`
//! implements it, as a single lane in plain Rust; other modules implement it for vector registers.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Largest number of lanes (64-bit words) of any type that implements [`Lanes`].
pub const MAX_LANES: usize = 8;

/// Row of 128 16-bit numbers, one for each unit of a neural network's hidden layer: for example the activations, the
/// biases or the output weights of all units. Aligned to cache lines of 64 bytes. [`symmetry`](crate::eval::symmetry)
/// defines the order of the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct NumberRow(pub [i16; NumberRow::LEN]);

impl NumberRow {
    /// Number of elements of a `NumberRow`: 128, one for each unit in the hidden layer of a neural network.
    pub const LEN: usize = 128;
}

/// Row of weights in the first layer of a neural network: the weights from one input to the 16 filters (weight sets).
/// Each byte is a weight, −63 to 63, plus [`FilterRow::OFFSET`]. So none is negative, and the sum of two fits into a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterRow(pub [u8; 16]);

impl FilterRow {
    /// Number that is added to each weight in a row.
    pub const OFFSET: i16 = 64;
}

/// Four rows of weights from one input, which belong to four symmetries of the board. They fill a cache line of 64
/// bytes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct RowGroup(pub [FilterRow; 4]);

impl RowGroup {
    /// Returns the index, 0 to 3, of the row for `symmetry` in a group: in one for symmetries 0 to 3, or in one for
    /// symmetries 4 to 7. An input may share its groups with its mirror images; `mirror`, 0 to 3, is the symmetry that
    /// leads from the input whose rows are in this order to the input. It is 0 if nothing is shared.
    ///
    /// Symmetries 4 to 7 also swap `x` and `y`, and so the two bits of a number that says which of both are mirrored.
    #[inline(always)]
    #[must_use]
    pub const fn index_of(mirror: usize, symmetry: usize) -> usize {
        let mirrored = mirror ^ (symmetry % 4);
        if symmetry < 4 {
            mirrored
        } else {
            mirrored % 2 * 2 + mirrored / 2
        }
    }
}

/// One or more 64-bit words (lanes) that the same processor instruction processes, as in SIMD. Each lane contains a
/// bitboard or a number.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Number of lanes of this type. Each lane is one 64-bit word.
    const COUNT: usize;

    /// Name of the vector instruction set that this type uses, for users, such as `AVX2`.
    const NAME: &'static str;

    /// Loads the first [`Lanes::COUNT`] words of a slice, one per lane.
    ///
    /// # Panics
    /// If the slice has fewer words than there are lanes.
    fn load(words: &[u64]) -> Self;

    /// Stores the lanes, in order, in the first [`Lanes::COUNT`] words of a slice.
    ///
    /// # Panics
    /// If the slice has fewer words than there are lanes.
    fn store(self, words: &mut [u64]);

    /// Returns a value with `word` in every lane.
    fn splat(word: u64) -> Self;

    /// Shifts every lane left by `BY` bits, 0 to 63, filling with zeros.
    #[must_use]
    fn shl<const BY: i32>(self) -> Self;

    /// Shifts every lane right by `BY` bits, 0 to 63, filling with zeros.
    #[must_use]
    fn shr<const BY: i32>(self) -> Self;

    /// Shifts every lane of `self` left, and fills with zeros. The same lane of `by` is the number of bits, which must
    /// be less than 64.
    #[must_use]
    fn shl_each(self, by: Self) -> Self;

    /// Shifts every lane of `self` right, and fills with zeros. The same lane of `by` is the number of bits, which must
    /// be less than 64.
    #[must_use]
    fn shr_each(self, by: Self) -> Self;

    /// Replaces each of lanes 0 to 3 by the bitwise or of lanes 0 to 3, and each of lanes 4 to 7 by the bitwise or of
    /// lanes 4 to 7. Types with fewer than four lanes return `self` unchanged.
    #[must_use]
    #[inline(always)]
    fn union_of_four(self) -> Self {
        self
    }

    /// Returns the bits of `self` that are not set in `other`: `self & !other`.
    #[must_use]
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// Adds `self` and `other`, lane by lane, modulo 2^64.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// Subtracts `other` from `self`, lane by lane, modulo 2^64.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Multiplies every lane, taken as a signed number, by `factor`. Each lane must lie in the range of an `i32`; the
    /// products have 64 bits.
    #[must_use]
    fn times(self, factor: i32) -> Self;

    /// Tests if any bit is set in any lane.
    fn any(self) -> bool;

    /// Counts the bits set in each lane. Each lane of the result holds the count of the same lane of `self`.
    #[must_use]
    fn count_ones(self) -> Self;

    /// Counts the bits set in eight values together: each lane of the result is the sum of the counts of this lane in
    /// all of `sets`, from 0 to 512.
    #[must_use]
    #[inline(always)]
    fn count_ones_of(sets: [Self; 8]) -> Self {
        let mut sum = Self::splat(0);
        for set in sets {
            sum = sum.plus(set.count_ones());
        }
        sum
    }

    /// Converts eight bitboards to 64 bytes, one for each square; the index of a byte is the square's. Bit `i` of a
    /// square's byte is set if the square is in bitboard `bits[i]`.
    #[must_use]
    fn bytes_by_square(bits: [u64; 8]) -> [u8; 64];

    /// Adds the weights of 64 inputs to a row of 16-bit numbers, and returns the sum. Element `16·symmetry + filter` of the
    /// row belongs to a symmetry of the board, 0 to 7, and a filter. Sums wrap around at 16 bits.
    ///
    /// `group(input, half)` returns the weights of an input, 0 to 63, for symmetries 0 to 3 (`half` 0) or 4 to 7 (`half`
    /// 1). [`RowGroup::index_of`] says which row belongs to which symmetry, with `mirror` = `input % MIRRORS`. `MIRRORS`
    /// is 4 or 1.
    #[must_use]
    fn sum_rows<'a, const MIRRORS: usize>(
        start: &NumberRow,
        group: impl Fn(usize, usize) -> &'a RowGroup,
    ) -> NumberRow;

    /// Returns the dot product of `one` with the element-wise sum of all `others`. The elements of this sum wrap around
    /// at 16 bits; the dot product must fit into 32 bits.
    #[must_use]
    #[inline(always)]
    fn dot<const OTHERS: usize>(one: &NumberRow, others: [&NumberRow; OTHERS]) -> i32 {
        let mut sum = 0;
        for at in 0..NumberRow::LEN {
            let mut all = 0_i16;
            for other in others {
                all = all.wrapping_add(other.0[at]);
            }
            sum += i32::from(one.0[at]) * i32::from(all);
        }
        sum
    }
}

impl Lanes for u64 {
    const COUNT: usize = 1;
    const NAME: &'static str = "no vectors";

    #[inline(always)]
    fn load(words: &[u64]) -> u64 {
        words[0]
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }

    #[inline(always)]
    fn splat(word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn shl<const BY: i32>(self) -> u64 {
        self << BY
    }

    #[inline(always)]
    fn shr<const BY: i32>(self) -> u64 {
        self >> BY
    }

    #[inline(always)]
    fn shl_each(self, by: u64) -> u64 {
        self << by
    }

    #[inline(always)]
    fn shr_each(self, by: u64) -> u64 {
        self >> by
    }

    #[inline(always)]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, other: u64) -> u64 {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn times(self, factor: i32) -> u64 {
        (self as i64).wrapping_mul(i64::from(factor)) as u64
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }

    #[inline(always)]
    fn count_ones(self) -> u64 {
        u64::from(u64::count_ones(self))
    }

    // Not inlined, so that the bot's file is shorter.
    #[inline(never)]
    fn bytes_by_square(bits: [u64; 8]) -> [u8; 64] {
        let mut numbers = [0; 64];
        for (square, number) in numbers.iter_mut().enumerate() {
            for (place, set) in bits.iter().enumerate() {
                *number |= ((set >> square & 1) as u8) << place;
            }
        }
        numbers
    }

    #[inline(always)]
    fn sum_rows<'a, const MIRRORS: usize>(
        start: &NumberRow,
        group: impl Fn(usize, usize) -> &'a RowGroup,
    ) -> NumberRow {
        let mut sum = *start;
        for input in 0..64 {
            for (symmetry, part) in sum.0.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let index = RowGroup::index_of(input % MIRRORS, symmetry);
                let row = &group(input, symmetry / 4).0[index];
                for (sum, &number) in part.iter_mut().zip(&row.0) {
                    *sum = sum.wrapping_add(i16::from(number) - FilterRow::OFFSET);
                }
            }
        }
        sum
    }
}

/// Computation that is written once, generic over the lane type. A lane type holds one or more 64-bit words (lanes)
/// that one instruction processes, see [`Lanes`]. Functions such as [`run_widest`](super::run_widest) choose the lane
/// type that suits the processor.
pub trait Kernel {
    /// Type of the result of the computation, which [`Kernel::run`] returns.
    type Output;

    /// Runs the computation with lanes of type `L`. Implementations must be `#[inline(always)]`: only then are they
    /// compiled with the vector instructions that the calling function enables.
    fn run<L: Lanes>(self) -> Self::Output;
}
