//! Implementation of [`Lanes`] for 64-bit ARM: two 64-bit words in a NEON register. Every 64-bit ARM processor has
//! NEON.
#![expect(
    clippy::needless_range_loop,
    reason = "registers and squares are counted, as in the kernels"
)]

use crate::bitboard::lanes::{FilterRow, Kernel, Lanes, NumberRow, RowGroup};
use std::arch::aarch64::*;

/// Evaluates an expression of vector intrinsics, wrapped in an `unsafe` block.
macro_rules! intrinsics {
    ($($expression:tt)*) => {
        // SAFETY: every 64-bit ARM processor has NEON. Only loads and stores access memory, in arrays and slices as large
        // as a register; the slices are checked.
        unsafe { $($expression)* }
    };
}

/// Runs `kernel`, a computation with SIMD instructions, with two 64-bit lanes, and returns its result.
#[inline(always)]
pub fn run_two_lanes<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<TwoLanes>()
}

/// Two lanes of 64 bits in a NEON register.
#[derive(Clone, Copy)]
struct TwoLanes(uint64x2_t);

/// Number of 16-bit numbers that fit into one vector register of 128 bits: 8.
const REGISTER_LEN: usize = 8;

/// Number of 128-bit registers that hold the 128 values of one [`NumberRow`].
const REGISTERS_PER_ROW: usize = NumberRow::LEN / REGISTER_LEN;

/// Loads the eight values `8·register..8·register + 8` of `row` into a vector register.
#[inline(always)]
fn load_values(row: &[i16; NumberRow::LEN], register: usize) -> int16x8_t {
    let numbers = &row[register * REGISTER_LEN..][..REGISTER_LEN];
    intrinsics!(vld1q_s16(numbers.as_ptr()))
}

/// Returns, for each of the two 64-bit words in `bytes`, the sum of its eight bytes.
#[inline(always)]
fn sum_of_bytes(bytes: uint8x16_t) -> TwoLanes {
    intrinsics!(TwoLanes(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)))))
}

impl TwoLanes {
    /// Counts the bits set in each of the 16 bytes of `self`.
    #[inline(always)]
    fn count_ones_by_byte(self) -> uint8x16_t {
        intrinsics!(vcntq_u8(vreinterpretq_u8_u64(self.0)))
    }
}

/// Adds the weights of the inputs `input` and `input + 1` to `registers`, the sums of [`Lanes::sum_rows`]. A function, so
/// that the compiler knows `input % 4` in each of its calls.
#[inline(always)]
fn add_two<'a, const MIRRORS: usize>(
    registers: &mut [uint16x8_t; REGISTERS_PER_ROW],
    group: &impl Fn(usize, usize) -> &'a RowGroup,
    input: usize,
) {
    for symmetry in 0..8 {
        let [one, other] = [input, input + 1].map(|input| {
            let index = RowGroup::index_of(input % MIRRORS, symmetry);
            &group(input, symmetry / 4).0[index].0
        });
        let [low, high] = [2 * symmetry, 2 * symmetry + 1];
        intrinsics! {
            let both = vaddq_u8(vld1q_u8(one.as_ptr()), vld1q_u8(other.as_ptr()));
            registers[low] = vaddw_u8(registers[low], vget_low_u8(both));
            registers[high] = vaddw_high_u8(registers[high], both);
        }
    }
}

impl Lanes for TwoLanes {
    const COUNT: usize = 2;
    const NAME: &'static str = "NEON";

    #[inline(always)]
    fn load(words: &[u64]) -> TwoLanes {
        let words = &words[..2];
        intrinsics!(TwoLanes(vld1q_u64(words.as_ptr())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..2];
        intrinsics!(vst1q_u64(words.as_mut_ptr(), self.0))
    }

    #[inline(always)]
    fn splat(word: u64) -> TwoLanes {
        intrinsics!(TwoLanes(vdupq_n_u64(word)))
    }

    #[inline(always)]
    fn shl<const BY: i32>(self) -> TwoLanes {
        intrinsics!(TwoLanes(vshlq_n_u64::<BY>(self.0)))
    }

    #[inline(always)]
    fn shr<const BY: i32>(self) -> TwoLanes {
        intrinsics!(TwoLanes(vshrq_n_u64::<BY>(self.0)))
    }

    #[inline(always)]
    fn shl_each(self, by: TwoLanes) -> TwoLanes {
        intrinsics!(TwoLanes(vshlq_u64(self.0, vreinterpretq_s64_u64(by.0))))
    }

    // Shifts left by a negative number, because NEON has no right shift by a variable.
    #[inline(always)]
    fn shr_each(self, by: TwoLanes) -> TwoLanes {
        intrinsics!(TwoLanes(vshlq_u64(
            self.0,
            vnegq_s64(vreinterpretq_s64_u64(by.0))
        )))
    }

    #[inline(always)]
    fn plus(self, other: TwoLanes) -> TwoLanes {
        intrinsics!(TwoLanes(vaddq_u64(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: TwoLanes) -> TwoLanes {
        intrinsics!(TwoLanes(vsubq_u64(self.0, other.0)))
    }

    #[inline(always)]
    fn times(self, factor: i32) -> TwoLanes {
        intrinsics! {
            let low = vmovn_s64(vreinterpretq_s64_u64(self.0));
            TwoLanes(vreinterpretq_u64_s64(vmull_n_s32(low, factor)))
        }
    }

    #[inline(always)]
    fn any(self) -> bool {
        intrinsics!(vmaxvq_u32(vreinterpretq_u32_u64(self.0)) != 0)
    }

    #[inline(always)]
    fn count_ones(self) -> TwoLanes {
        sum_of_bytes(self.count_ones_by_byte())
    }

    #[inline(always)]
    fn count_ones_of(sets: [TwoLanes; 8]) -> TwoLanes {
        // For each byte of the register, counts the bits that are set in this byte of all eight `sets`. Then adds up
        // the eight counts of each lane. A count is at most 8 × 8 = 64, so it cannot overflow.
        let mut bytes = intrinsics!(vdupq_n_u8(0));
        for set in sets {
            bytes = intrinsics!(vaddq_u8(bytes, set.count_ones_by_byte()));
        }
        sum_of_bytes(bytes)
    }

    #[inline(always)]
    fn bytes_by_square(bits: [u64; 8]) -> [u8; 64] {
        let mut numbers = [0; 64];
        intrinsics! {
            let bit_of_byte = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
            for quarter in 0..4 {
                let mut sum = vdupq_n_u8(0);
                for place in 0..8 {
                    let [first, second, ..] = (bits[place] >> (16 * quarter)).to_le_bytes();
                    let copies = vcombine_u8(vdup_n_u8(first), vdup_n_u8(second));
                    let ones = vtstq_u8(copies, bit_of_byte);
                    sum = vorrq_u8(sum, vandq_u8(ones, vdupq_n_u8(1 << place)));
                }
                vst1q_u8(numbers[16 * quarter..][..16].as_mut_ptr(), sum);
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
        intrinsics! {
            let offset = vdupq_n_s16(64 * FilterRow::OFFSET);
            let mut registers = [vdupq_n_u16(0); REGISTERS_PER_ROW];
            for register in 0..REGISTERS_PER_ROW {
                let values = vsubq_s16(load_values(&start.0, register), offset);
                registers[register] = vreinterpretq_u16_s16(values);
            }
            for first in (0..64).step_by(4) {
                add_two::<MIRRORS>(&mut registers, &group, first);
                add_two::<MIRRORS>(&mut registers, &group, first + 2);
            }
            for register in 0..REGISTERS_PER_ROW {
                let to = sum.0[register * REGISTER_LEN..][..REGISTER_LEN].as_mut_ptr();
                vst1q_s16(to, vreinterpretq_s16_u16(registers[register]));
            }
        }
        sum
    }

    #[inline(always)]
    fn dot<const OTHERS: usize>(one: &NumberRow, others: [&NumberRow; OTHERS]) -> i32 {
        intrinsics! {
            let mut sums = vdupq_n_s32(0);
            for register in 0..REGISTERS_PER_ROW {
                let (one, mut all) = (load_values(&one.0, register), vdupq_n_s16(0));
                for other in others {
                    all = vaddq_s16(all, load_values(&other.0, register));
                }
                sums = vmlal_s16(sums, vget_low_s16(one), vget_low_s16(all));
                sums = vmlal_high_s16(sums, one, all);
            }
            vaddvq_s32(sums)
        }
    }
}

implement_operators! { TwoLanes:
    BitAnd bitand(one, other) intrinsics!(vandq_u64(one, other));
    BitOr bitor(one, other) intrinsics!(vorrq_u64(one, other));
    BitXor bitxor(one, other) intrinsics!(veorq_u64(one, other));
    Not not(one) intrinsics!(veorq_u64(one, vdupq_n_u64(u64::MAX)));
}
