//! The trait [`Lanes`]: one or more 64-bit words that are processed side by side (SIMD). `u64` implements it with one
//! lane, in plain Rust.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Largest number of lanes (64-bit words) of any type that implements [`Lanes`].
pub const MAX_LANES: usize = 8;

/// 128 16-bit numbers, aligned to cache lines of 64 bytes: one number for each unit of a network's hidden layer, such
/// as its activation, bias or output weight. The units are ordered as [`symmetry`](crate::eval::symmetry) defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct NumberRow(pub [i16; NumberRow::LEN]);

impl NumberRow {
    /// Number of values in a `NumberRow`: one for each unit in the hidden layer of a network.
    pub const LEN: usize = 128;
}

/// Row of a weight table: one 8-bit weight for each of the 128 hidden units, aligned to cache lines of 64 bytes.
/// Weights are within ±63, so that the sum of two fits into an `i8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct TableRow(pub [i8; NumberRow::LEN]);

/// A network's weight table: a row for each combination of a square (0 to 63) and the feature that describes its
/// content (0 to 63), at index `64·feature + square`.
pub type NumberTable = [TableRow; 64 * 64];

/// One or more 64-bit words (lanes) that are processed side by side. Each lane holds a bitboard or a number.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Number of lanes of this type. Each lane is one 64-bit word.
    const COUNT: usize;

    /// Name of the vector instruction set, shown to users, such as `AVX2`.
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

    /// Shifts every lane left by the number of bits in the same lane of `by`, which must be less than 64. Fills with
    /// zeros.
    #[must_use]
    fn shl_each(self, by: Self) -> Self;

    /// Shifts every lane right by the number of bits in the same lane of `by`, which must be less than 64. Fills with
    /// zeros.
    #[must_use]
    fn shr_each(self, by: Self) -> Self;

    /// Replaces each of lanes 0 to 3 by the bitwise or of these four lanes, and each of lanes 4 to 7 by the bitwise or
    /// of those four. Types with fewer than four lanes return `self`.
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

    /// Multiplies every lane by `factor` and returns signed 64-bit products. Each lane must hold a signed number that
    /// fits 32 bits.
    #[must_use]
    fn times(self, factor: i32) -> Self;

    /// Tests if any bit is set in any lane.
    fn any(self) -> bool;

    /// Counts the bits set in each lane. Each lane of the result holds the count of the same lane of `self`.
    #[must_use]
    fn count_ones(self) -> Self;

    /// Returns, for each lane, the total number of bits set in this lane of the eight values `sets`, from 0 to 512.
    #[must_use]
    #[inline(always)]
    fn count_ones_of(sets: [Self; 8]) -> Self {
        let mut sum = Self::splat(0);
        for set in sets {
            sum = sum.plus(set.count_ones());
        }
        sum
    }

    /// Combines eight bitboards into one byte per square; the index is the square. Bit `i` of a square's byte is set if
    /// the square is in `bits[i]`.
    #[must_use]
    fn bytes_by_square(bits: [u64; 8]) -> [u8; 64];

    /// Returns `start` plus 64 rows of `table`, element by element and modulo 2^16. `rows` holds the indices of the
    /// rows, which are taken modulo the length of the table.
    #[must_use]
    fn sum_rows(start: &NumberRow, table: &NumberTable, rows: &[u16; 64]) -> NumberRow;

    /// Adds the vectors `others`, and returns the dot product of `one` and their sum. The elements of the sum wrap
    /// around to 16 bits; the dot product must fit into 32 bits.
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

    #[inline(always)]
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
    fn sum_rows(start: &NumberRow, table: &NumberTable, rows: &[u16; 64]) -> NumberRow {
        let mut sum = *start;
        for &row in rows {
            let row = &table[usize::from(row) % table.len()];
            for (sum, number) in sum.0.iter_mut().zip(&row.0) {
                *sum = sum.wrapping_add(i16::from(*number));
            }
        }
        sum
    }
}

/// A computation that is generic over the lane type, see [`Lanes`]. Functions such as [`run_widest`](super::run_widest)
/// choose the lane type and run the computation.
pub trait Kernel {
    /// Type of the result that [`Kernel::run`] returns.
    type Output;

    /// Runs the computation with lanes of type `L`. Implementations must be `#[inline(always)]`, so that they are
    /// compiled for the processor features of the caller.
    fn run<L: Lanes>(self) -> Self::Output;
}
