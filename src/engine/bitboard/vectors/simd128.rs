//! [`Lanes`] for WebAssembly with `simd128`: two 64-bit words in a `v128` register. Four words in two registers made
//! the evaluation slower.
//!
//! WebAssembly cannot detect features at run time, so the module must be compiled with `simd128`.
#![expect(
    clippy::needless_range_loop,
    reason = "parts and squares are counted, as in the kernels"
)]

use crate::bitboard::lanes::{Kernel, Lanes, NumberRow, NumberTable};
use std::arch::wasm32::*;

/// Runs a kernel with two lanes and returns its result.
#[inline(always)]
pub fn run_two<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Two>()
}

/// Two 64-bit words in a `v128` register.
#[derive(Clone, Copy)]
struct Two(v128);

/// Number of 16-bit values in a 128-bit register.
const NUMBERS: usize = 8;

/// Number of registers that hold one [`NumberRow`], that is, 128 values.
const PARTS: usize = NumberRow::LEN / NUMBERS;

/// Loads the eight 16-bit values of `row` that belong in its register number `part`, from 0.
#[inline(always)]
fn numbers(row: &[i16; NumberRow::LEN], part: usize) -> v128 {
    let at = |number| row[part * NUMBERS + number];
    i16x8(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7))
}

/// Loads the 16 8-bit weights of `row` from number `16·part` on into one register.
#[inline(always)]
fn small_numbers(row: &[i8; NumberRow::LEN], part: usize) -> v128 {
    let at = |number| row[part * 2 * NUMBERS + number];
    i8x16(
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

impl Two {
    /// Returns the two 64-bit words, the lower lane first.
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        [
            u64x2_extract_lane::<0>(self.0),
            u64x2_extract_lane::<1>(self.0),
        ]
    }

    /// Builds the register from two 64-bit words, the lower lane first.
    #[inline(always)]
    fn of([first, second]: [u64; 2]) -> Two {
        Two(u64x2(first, second))
    }
}

impl Lanes for Two {
    const COUNT: usize = 2;
    const NAME: &'static str = "SIMD128";

    #[inline(always)]
    fn load(words: &[u64]) -> Two {
        Two::of([words[0], words[1]])
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[..2].copy_from_slice(&self.words());
    }

    #[inline(always)]
    fn splat(word: u64) -> Two {
        Two(u64x2_splat(word))
    }

    #[inline(always)]
    fn shl<const BY: i32>(self) -> Two {
        Two(u64x2_shl(self.0, BY as u32))
    }

    #[inline(always)]
    fn shr<const BY: i32>(self) -> Two {
        Two(u64x2_shr(self.0, BY as u32))
    }

    // WebAssembly has no shift with a separate count for each lane, so the two words are shifted one by one.
    #[inline(always)]
    fn shl_each(self, by: Two) -> Two {
        let [words, by] = [self.words(), by.words()];
        Two::of([words[0] << by[0], words[1] << by[1]])
    }

    #[inline(always)]
    fn shr_each(self, by: Two) -> Two {
        let [words, by] = [self.words(), by.words()];
        Two::of([words[0] >> by[0], words[1] >> by[1]])
    }

    #[inline(always)]
    fn plus(self, other: Two) -> Two {
        Two(u64x2_add(self.0, other.0))
    }

    #[inline(always)]
    fn minus(self, other: Two) -> Two {
        Two(u64x2_sub(self.0, other.0))
    }

    #[inline(always)]
    fn times(self, factor: i32) -> Two {
        let low = i32x4_shuffle::<0, 2, 0, 2>(self.0, self.0);
        Two(i64x2_extmul_low_i32x4(low, i32x4_splat(factor)))
    }

    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(self.0)
    }

    // Two scalar counts are faster than one vector count of bytes, whose eight counts would have to be added up.
    #[inline(always)]
    fn count_ones(self) -> Two {
        Two::of(self.words().map(|word| u64::from(word.count_ones())))
    }

    #[inline(always)]
    fn count_ones_of(sets: [Two; 8]) -> Two {
        // Each byte counts at most 8 × 8 = 64 bits, so no byte overflows before the bytes are summed.
        let mut bytes = u8x16_popcnt(sets[0].0);
        for set in &sets[1..] {
            bytes = u8x16_add(bytes, u8x16_popcnt(set.0));
        }
        let quarters = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(bytes));
        let low = v128_and(quarters, u64x2_splat(u32::MAX.into()));
        Two(u64x2_add(low, u64x2_shr(quarters, 32)))
    }

    #[inline(always)]
    fn numbers_by_square(bits: [u64; 8]) -> [u8; 64] {
        let mut numbers = [0; 64];
        // Byte `i` of this quarter of the board gets a copy of byte `i / 8` of the bitboard, of which bit `i % 8` is
        // extracted.
        let own_bits = u64x2_splat(0x8040_2010_0804_0201);
        for quarter in 0..4 {
            let mut sum = u8x16_splat(0);
            for place in 0..8 {
                let set = u16x8_splat((bits[place] >> (16 * quarter)) as u16);
                let copies =
                    i8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1>(set, set);
                let ones = u8x16_eq(v128_and(copies, own_bits), own_bits);
                sum = v128_or(sum, v128_and(ones, u8x16_splat(1 << place)));
            }
            let words = Two(sum).words();
            numbers[16 * quarter..][..8].copy_from_slice(&words[0].to_le_bytes());
            numbers[16 * quarter + 8..][..8].copy_from_slice(&words[1].to_le_bytes());
        }
        numbers
    }

    #[inline(always)]
    fn sum_rows(start: &NumberRow, table: &NumberTable, rows: &[u16; 64]) -> NumberRow {
        let mut parts = [u16x8_splat(0); PARTS];
        for part in 0..PARTS {
            parts[part] = numbers(&start.0, part);
        }
        for pair in rows.as_chunks::<2>().0 {
            let [one, other] = pair.map(|row| &table[usize::from(row) % table.len()].0);
            for both in 0..PARTS / 2 {
                let numbers = i8x16_add(small_numbers(one, both), small_numbers(other, both));
                let [low, high] = [2 * both, 2 * both + 1];
                parts[low] = i16x8_add(parts[low], i16x8_extend_low_i8x16(numbers));
                parts[high] = i16x8_add(parts[high], i16x8_extend_high_i8x16(numbers));
            }
        }
        let mut sum = *start;
        for part in 0..PARTS {
            let all: [i16; NUMBERS] = [
                i16x8_extract_lane::<0>(parts[part]),
                i16x8_extract_lane::<1>(parts[part]),
                i16x8_extract_lane::<2>(parts[part]),
                i16x8_extract_lane::<3>(parts[part]),
                i16x8_extract_lane::<4>(parts[part]),
                i16x8_extract_lane::<5>(parts[part]),
                i16x8_extract_lane::<6>(parts[part]),
                i16x8_extract_lane::<7>(parts[part]),
            ];
            sum.0[part * NUMBERS..][..NUMBERS].copy_from_slice(&all);
        }
        sum
    }

    #[inline(always)]
    fn dot<const OTHERS: usize>(one: &NumberRow, others: [&NumberRow; OTHERS]) -> i32 {
        let mut sums = i32x4_splat(0);
        for part in 0..PARTS {
            let mut all = i16x8_splat(0);
            for other in others {
                all = i16x8_add(all, numbers(&other.0, part));
            }
            sums = i32x4_add(sums, i32x4_dot_i16x8(numbers(&one.0, part), all));
        }
        let pairs = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
        i32x4_extract_lane::<0>(pairs) + i32x4_extract_lane::<1>(pairs)
    }
}

operators! { Two:
    BitAnd bitand(one, other) v128_and(one, other);
    BitOr bitor(one, other) v128_or(one, other);
    BitXor bitxor(one, other) v128_xor(one, other);
    Not not(one) v128_not(one);
}
