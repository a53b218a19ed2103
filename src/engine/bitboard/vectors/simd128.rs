//! Implementation of [`Lanes`] for WebAssembly with `simd128`: two 64-bit words in a `v128` register. A type with four
//! words in two registers was tried; it made the evaluation slower.
//!
//! WebAssembly cannot detect features at run time, so the module must be compiled with `simd128`.
#![expect(
    clippy::needless_range_loop,
    reason = "registers and squares are counted, as in the kernels"
)]

use crate::bitboard::lanes::{FilterRow, Kernel, Lanes, NumberRow, RowGroup};
use std::arch::wasm32::*;

/// Runs `kernel`, a computation with SIMD instructions, with two 64-bit lanes, and returns its result.
#[inline(always)]
pub fn run_two_lanes<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<TwoLanes>()
}

/// Two lanes of 64 bits in a `v128` register.
#[derive(Clone, Copy)]
struct TwoLanes(v128);

/// Number of 16-bit numbers that fit into one vector register of 128 bits: 8.
const REGISTER_LEN: usize = 8;

/// Number of 128-bit registers that hold the 128 values of one [`NumberRow`].
const REGISTERS_PER_ROW: usize = NumberRow::LEN / REGISTER_LEN;

/// Loads the eight values `8·register..8·register + 8` of `row` into a vector register.
#[inline(always)]
fn load_values(row: &[i16; NumberRow::LEN], register: usize) -> v128 {
    let at = |number| row[register * REGISTER_LEN + number];
    i16x8(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7))
}

/// Loads the 16 bytes of `row` into a vector register.
#[inline(always)]
fn load_weights(row: &FilterRow) -> v128 {
    let at = |number| row.0[number];
    u8x16(
        at(0),
        at(1),
        at(2),
        at(3),
        at(4),
        at(5),
        at(6),
        at(7),
        at(8),
        at(9),
        at(10),
        at(11),
        at(12),
        at(13),
        at(14),
        at(15),
    )
}

impl TwoLanes {
    /// Returns the two 64-bit halves of the 128-bit register, the low half (64-bit lane 0) first.
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        [
            u64x2_extract_lane::<0>(self.0),
            u64x2_extract_lane::<1>(self.0),
        ]
    }

    /// Builds the register from two 64-bit words; the first one becomes lane 0.
    #[inline(always)]
    fn from_words([first, second]: [u64; 2]) -> TwoLanes {
        TwoLanes(u64x2(first, second))
    }
}

/// Stores a vector register as the eight values `8·register..8·register + 8` of `row`.
#[inline(always)]
fn store_values(row: &mut [i16; NumberRow::LEN], register: usize, values: v128) {
    let words = TwoLanes(values).words();
    for number in 0..REGISTER_LEN {
        row[register * REGISTER_LEN + number] = (words[number / 4] >> (16 * (number % 4))) as i16;
    }
}

/// Adds the bytes of the groups for symmetries `4·HALF` to `4·HALF + 3` to `sum`, the result of [`Lanes::sum_rows`].
///
/// A 16-bit number contains two bytes. `all` adds up these numbers, `odd` their upper bytes alone. So the sum of the
/// lower bytes is `all` − 256·`odd`, modulo 2^16.
#[inline(always)]
fn add_half<'a, const MIRRORS: usize, const HALF: usize>(
    sum: &mut NumberRow,
    group: &impl Fn(usize, usize) -> &'a RowGroup,
) {
    let (mut all, mut odd) = ([u16x8_splat(0); 4], [u16x8_splat(0); 4]);
    for first in (0..64).step_by(2 * MIRRORS) {
        for mirror in 0..MIRRORS {
            let one = group(first + mirror, HALF);
            let other = group(first + MIRRORS + mirror, HALF);
            for symmetry in 0..4 {
                let row = RowGroup::index_of(mirror, 4 * HALF + symmetry);
                let both = u8x16_add(load_weights(&one.0[row]), load_weights(&other.0[row]));
                all[symmetry] = u16x8_add(all[symmetry], both);
                odd[symmetry] = u16x8_add(odd[symmetry], u16x8_shr(both, 8));
            }
        }
    }
    for symmetry in 0..4 {
        let odd = odd[symmetry];
        let even = u16x8_sub(all[symmetry], u16x8_shl(odd, 8));
        let numbers = [
            i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(even, odd),
            i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(even, odd),
        ];
        for part in 0..2 {
            let register = 2 * (4 * HALF + symmetry) + part;
            let values = i16x8_add(load_values(&sum.0, register), numbers[part]);
            store_values(&mut sum.0, register, values);
        }
    }
}

impl Lanes for TwoLanes {
    const COUNT: usize = 2;
    const NAME: &'static str = "SIMD128";

    #[inline(always)]
    fn load(words: &[u64]) -> TwoLanes {
        TwoLanes::from_words([words[0], words[1]])
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[..2].copy_from_slice(&self.words());
    }

    #[inline(always)]
    fn splat(word: u64) -> TwoLanes {
        TwoLanes(u64x2_splat(word))
    }

    #[inline(always)]
    fn shl<const BY: i32>(self) -> TwoLanes {
        TwoLanes(u64x2_shl(self.0, BY as u32))
    }

    #[inline(always)]
    fn shr<const BY: i32>(self) -> TwoLanes {
        TwoLanes(u64x2_shr(self.0, BY as u32))
    }

    // Shifts the two words one by one, because WebAssembly has no shift with a separate count for each lane.
    #[inline(always)]
    fn shl_each(self, by: TwoLanes) -> TwoLanes {
        let [words, by] = [self.words(), by.words()];
        TwoLanes::from_words([words[0] << by[0], words[1] << by[1]])
    }

    #[inline(always)]
    fn shr_each(self, by: TwoLanes) -> TwoLanes {
        let [words, by] = [self.words(), by.words()];
        TwoLanes::from_words([words[0] >> by[0], words[1] >> by[1]])
    }

    #[inline(always)]
    fn plus(self, other: TwoLanes) -> TwoLanes {
        TwoLanes(u64x2_add(self.0, other.0))
    }

    #[inline(always)]
    fn minus(self, other: TwoLanes) -> TwoLanes {
        TwoLanes(u64x2_sub(self.0, other.0))
    }

    #[inline(always)]
    fn times(self, factor: i32) -> TwoLanes {
        let low = i32x4_shuffle::<0, 2, 0, 2>(self.0, self.0);
        TwoLanes(i64x2_extmul_low_i32x4(low, i32x4_splat(factor)))
    }

    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(self.0)
    }

    // Counts the bits of the two words by two scalar instructions. The vector instruction counts the bits of each byte,
    // and adding up eight counts per word would then take longer.
    #[inline(always)]
    fn count_ones(self) -> TwoLanes {
        TwoLanes::from_words(self.words().map(|word| u64::from(word.count_ones())))
    }

    #[inline(always)]
    fn count_ones_of(sets: [TwoLanes; 8]) -> TwoLanes {
        // Adds up the numbers of bits set in each byte over all eight `sets`, then the eight bytes of each lane. The
        // sum in a byte is at most 8 × 8 = 64, so it cannot overflow.
        let mut bytes = u8x16_popcnt(sets[0].0);
        for set in &sets[1..] {
            bytes = u8x16_add(bytes, u8x16_popcnt(set.0));
        }
        let quarters = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(bytes));
        let low = v128_and(quarters, u64x2_splat(u32::MAX.into()));
        TwoLanes(u64x2_add(low, u64x2_shr(quarters, 32)))
    }

    #[inline(always)]
    fn bytes_by_square(bits: [u64; 8]) -> [u8; 64] {
        let mut numbers = [0; 64];
        // Byte `i` of a register stands for a square in column `i % 8`. So byte `i` of `bit_of_byte` has only bit `i %
        // 8` set, the bit of this column.
        let bit_of_byte = u64x2_splat(0x8040_2010_0804_0201);
        for quarter in 0..4 {
            let mut sum = u8x16_splat(0);
            for place in 0..8 {
                let set = u16x8_splat((bits[place] >> (16 * quarter)) as u16);
                let copies =
                    i8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1>(set, set);
                let ones = u8x16_eq(v128_and(copies, bit_of_byte), bit_of_byte);
                sum = v128_or(sum, v128_and(ones, u8x16_splat(1 << place)));
            }
            let words = TwoLanes(sum).words();
            numbers[16 * quarter..][..8].copy_from_slice(&words[0].to_le_bytes());
            numbers[16 * quarter + 8..][..8].copy_from_slice(&words[1].to_le_bytes());
        }
        numbers
    }

    #[inline(always)]
    fn sum_rows<'a, const MIRRORS: usize>(
        start: &NumberRow,
        group: impl Fn(usize, usize) -> &'a RowGroup,
    ) -> NumberRow {
        let mut sum = *start;
        for number in &mut sum.0 {
            *number = number.wrapping_sub(64 * FilterRow::OFFSET);
        }
        add_half::<MIRRORS, 0>(&mut sum, &group);
        add_half::<MIRRORS, 1>(&mut sum, &group);
        sum
    }

    #[inline(always)]
    fn dot<const OTHERS: usize>(one: &NumberRow, others: [&NumberRow; OTHERS]) -> i32 {
        let mut sums = i32x4_splat(0);
        for register in 0..REGISTERS_PER_ROW {
            let mut all = i16x8_splat(0);
            for other in others {
                all = i16x8_add(all, load_values(&other.0, register));
            }
            sums = i32x4_add(sums, i32x4_dot_i16x8(load_values(&one.0, register), all));
        }
        let pairs = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
        i32x4_extract_lane::<0>(pairs) + i32x4_extract_lane::<1>(pairs)
    }
}

implement_operators! { TwoLanes:
    BitAnd bitand(one, other) v128_and(one, other);
    BitOr bitor(one, other) v128_or(one, other);
    BitXor bitxor(one, other) v128_xor(one, other);
    Not not(one) v128_not(one);
}
