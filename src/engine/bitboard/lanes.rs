//! Lanes: 64-bit words that go through the same steps side by side. A `u64` is one lane, the plain twin of the
//! vector registers.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// The largest number of [`Lanes`] of any kind.
pub const MAX_LANES: usize = 8;

/// A row of numbers, in whole vector registers and cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct NumberRow(pub [i16; NumberRow::LEN]);

impl NumberRow {
    /// Numbers in a row.
    pub const LEN: usize = 128;
}

/// A row of a table: numbers in cache lines, none beyond ±63, so that two of them fit into eight bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct TableRow(pub [i8; NumberRow::LEN]);

/// A table of rows: 64 for each square.
pub type NumberTable = [TableRow; 64 * 64];

/// One or more 64-bit words that go through the same steps: sets of squares, or numbers.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Number of lanes.
    const COUNT: usize;

    /// Name of the vectors, for people.
    const NAME: &'static str;

    /// The first words of a slice, a lane each.
    ///
    /// # Panics
    /// If the slice is shorter than the lanes.
    fn load(words: &[u64]) -> Self;

    /// Writes the lanes to the front of a slice.
    ///
    /// # Panics
    /// If the slice is shorter than the lanes.
    fn store(self, words: &mut [u64]);

    /// The same word in every lane.
    fn splat(word: u64) -> Self;

    /// Shifts every lane left by `BY` bits.
    #[must_use]
    fn shl<const BY: i32>(self) -> Self;

    /// Shifts every lane right by `BY` bits, filling with zeros.
    #[must_use]
    fn shr<const BY: i32>(self) -> Self;

    /// Shifts every lane left by as many bits as the same lane of `by` says, fewer than 64.
    #[must_use]
    fn shl_each(self, by: Self) -> Self;

    /// Shifts every lane right by as many bits as the same lane of `by` says, fewer than 64, filling with zeros.
    #[must_use]
    fn shr_each(self, by: Self) -> Self;

    /// In every lane the union of its group of four, or the lane itself if there are fewer than four.
    #[must_use]
    #[inline(always)]
    fn union_of_four(self) -> Self {
        self
    }

    /// `self & !other`.
    #[must_use]
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// Lane by lane sum, modulo 2^64.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// Lane by lane difference, modulo 2^64.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Lane by lane product of a signed number that fits 32 bits and a signed factor.
    #[must_use]
    fn times(self, factor: i32) -> Self;

    /// Tests if a bit is set in any lane.
    fn any(self) -> bool;

    /// Number of bits set in each lane.
    #[must_use]
    fn count_ones(self) -> Self;

    /// Number of bits set in each lane of all eight together.
    #[must_use]
    #[inline(always)]
    fn count_ones_of(sets: [Self; 8]) -> Self {
        let mut sum = Self::splat(0);
        for set in sets {
            sum = sum.plus(set.count_ones());
        }
        sum
    }

    /// For every square of the board, the number of which the eight sets are the bits, the lowest first.
    #[must_use]
    fn numbers_by_square(bits: [u64; 8]) -> [u8; 64];

    /// A row plus some rows of a table, number by number, modulo 2^16. Rows are counted modulo the table's length.
    ///
    /// Rows are added two by two in eight bits, then in sixteen.
    #[must_use]
    fn sum_rows(start: &NumberRow, table: &NumberTable, rows: &[u16; 64]) -> NumberRow;

    /// The sum of the products of a row and of the sum of others, number by number, none of its parts beyond 32 bits. That sum
    /// is modulo 2^16.
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
    fn numbers_by_square(bits: [u64; 8]) -> [u8; 64] {
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

/// Work that is written over [`Lanes`], to be run by [`widest`](super::widest) and its like.
pub trait Kernel {
    /// What the work returns.
    type Output;

    /// Does the work with the given lanes. Implementations are `#[inline(always)]`, so that the
    /// code is compiled for the processor features of the caller.
    fn run<L: Lanes>(self) -> Self::Output;
}
