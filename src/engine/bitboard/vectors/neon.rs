//! [`Lanes`] for 64-bit ARM: two 64-bit words in a NEON register. Every 64-bit ARM processor has NEON.
#![expect(
    clippy::needless_range_loop,
    reason = "parts and squares are counted, as in the kernels"
)]

use crate::bitboard::lanes::{Kernel, Lanes, NumberRow, NumberTable};
use std::arch::aarch64::*;

/// Evaluates an expression of vector intrinsics in an `unsafe` block, with the reasons why it is safe.
macro_rules! intrinsics {
    ($($expression:tt)*) => {
        // SAFETY: every 64-bit ARM processor has NEON. Only loads and stores access memory, in slices checked to be as
        // large as a register.
        unsafe { $($expression)* }
    };
}

/// Runs a kernel with two lanes and returns its result.
#[inline(always)]
pub fn run_two<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Two>()
}

/// Two 64-bit words in a NEON register.
#[derive(Clone, Copy)]
struct Two(uint64x2_t);

/// Number of 16-bit values in a 128-bit register.
const NUMBERS: usize = 8;

/// Number of registers that hold one [`NumberRow`], that is, 128 values.
const PARTS: usize = NumberRow::LEN / NUMBERS;

/// Loads the eight 16-bit values of `row` that belong in its register number `part`, from 0.
#[inline(always)]
fn numbers(row: &[i16; NumberRow::LEN], part: usize) -> int16x8_t {
    let numbers = &row[part * NUMBERS..][..NUMBERS];
    intrinsics!(vld1q_s16(numbers.as_ptr()))
}

/// Returns, for each 64-bit word of `bytes`, the sum of its eight bytes.
#[inline(always)]
fn sum_of_bytes(bytes: uint8x16_t) -> Two {
    intrinsics!(Two(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)))))
}

impl Two {
    /// Counts the bits set in each of the 16 bytes.
    #[inline(always)]
    fn count_ones_by_byte(self) -> uint8x16_t {
        intrinsics!(vcntq_u8(vreinterpretq_u8_u64(self.0)))
    }
}

impl Lanes for Two {
    const COUNT: usize = 2;
    const NAME: &'static str = "NEON";

    #[inline(always)]
    fn load(words: &[u64]) -> Two {
        let words = &words[..2];
        intrinsics!(Two(vld1q_u64(words.as_ptr())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..2];
        intrinsics!(vst1q_u64(words.as_mut_ptr(), self.0))
    }

    #[inline(always)]
    fn splat(word: u64) -> Two {
        intrinsics!(Two(vdupq_n_u64(word)))
    }

    #[inline(always)]
    fn shl<const BY: i32>(self) -> Two {
        intrinsics!(Two(vshlq_n_u64::<BY>(self.0)))
    }

    #[inline(always)]
    fn shr<const BY: i32>(self) -> Two {
        intrinsics!(Two(vshrq_n_u64::<BY>(self.0)))
    }

    #[inline(always)]
    fn shl_each(self, by: Two) -> Two {
        intrinsics!(Two(vshlq_u64(self.0, vreinterpretq_s64_u64(by.0))))
    }

    // NEON has no right shift by a variable; a left shift by a negative number shifts right.
    #[inline(always)]
    fn shr_each(self, by: Two) -> Two {
        intrinsics!(Two(vshlq_u64(
            self.0,
            vnegq_s64(vreinterpretq_s64_u64(by.0))
        )))
    }

    #[inline(always)]
    fn plus(self, other: Two) -> Two {
        intrinsics!(Two(vaddq_u64(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: Two) -> Two {
        intrinsics!(Two(vsubq_u64(self.0, other.0)))
    }

    #[inline(always)]
    fn times(self, factor: i32) -> Two {
        intrinsics! {
            let low = vmovn_s64(vreinterpretq_s64_u64(self.0));
            Two(vreinterpretq_u64_s64(vmull_n_s32(low, factor)))
        }
    }

    #[inline(always)]
    fn any(self) -> bool {
        intrinsics!(vmaxvq_u32(vreinterpretq_u32_u64(self.0)) != 0)
    }

    #[inline(always)]
    fn count_ones(self) -> Two {
        sum_of_bytes(self.count_ones_by_byte())
    }

    #[inline(always)]
    fn count_ones_of(sets: [Two; 8]) -> Two {
        // Each byte counts at most 8 × 8 = 64 bits, so no byte overflows before the bytes are summed.
        let mut bytes = intrinsics!(vdupq_n_u8(0));
        for set in sets {
            bytes = intrinsics!(vaddq_u8(bytes, set.count_ones_by_byte()));
        }
        sum_of_bytes(bytes)
    }

    #[inline(always)]
    fn numbers_by_square(bits: [u64; 8]) -> [u8; 64] {
        let mut numbers = [0; 64];
        intrinsics! {
            let own_bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
            for quarter in 0..4 {
                let mut sum = vdupq_n_u8(0);
                for place in 0..8 {
                    let [first, second, ..] = (bits[place] >> (16 * quarter)).to_le_bytes();
                    let copies = vcombine_u8(vdup_n_u8(first), vdup_n_u8(second));
                    let ones = vtstq_u8(copies, own_bits);
                    sum = vorrq_u8(sum, vandq_u8(ones, vdupq_n_u8(1 << place)));
                }
                vst1q_u8(numbers[16 * quarter..][..16].as_mut_ptr(), sum);
            }
        }
        numbers
    }

    #[inline(always)]
    fn sum_rows(start: &NumberRow, table: &NumberTable, rows: &[u16; 64]) -> NumberRow {
        let mut sum = *start;
        intrinsics! {
            let mut parts = [vdupq_n_s16(0); PARTS];
            for part in 0..PARTS {
                parts[part] = numbers(&start.0, part);
            }
            for pair in rows.as_chunks::<2>().0 {
                let [one, other] = pair.map(|row| &table[usize::from(row) % table.len()].0);
                for part in 0..PARTS {
                    let at = part * NUMBERS;
                    let one = vld1_s8(one[at..][..NUMBERS].as_ptr());
                    let other = vld1_s8(other[at..][..NUMBERS].as_ptr());
                    parts[part] = vaddw_s8(parts[part], vadd_s8(one, other));
                }
            }
            for part in 0..PARTS {
                vst1q_s16(sum.0[part * NUMBERS..][..NUMBERS].as_mut_ptr(), parts[part]);
            }
        }
        sum
    }

    #[inline(always)]
    fn dot<const OTHERS: usize>(one: &NumberRow, others: [&NumberRow; OTHERS]) -> i32 {
        intrinsics! {
            let mut sums = vdupq_n_s32(0);
            for part in 0..PARTS {
                let (one, mut all) = (numbers(&one.0, part), vdupq_n_s16(0));
                for other in others {
                    all = vaddq_s16(all, numbers(&other.0, part));
                }
                sums = vmlal_s16(sums, vget_low_s16(one), vget_low_s16(all));
                sums = vmlal_high_s16(sums, one, all);
            }
            vaddvq_s32(sums)
        }
    }
}

operators! { Two:
    BitAnd bitand(one, other) intrinsics!(vandq_u64(one, other));
    BitOr bitor(one, other) intrinsics!(vorrq_u64(one, other));
    BitXor bitxor(one, other) intrinsics!(veorq_u64(one, other));
    Not not(one) intrinsics!(veorq_u64(one, vdupq_n_u64(u64::MAX)));
}
