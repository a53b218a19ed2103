//! SIMD implementations of [`Lanes`](super::lanes::Lanes), 64-bit words in a vector register: eight with AVX-512, four
//! with AVX2, two on 64-bit ARM (NEON) and in WebAssembly with `simd128`.
//!
//! `unsafe` for speed occurs only in this module. `u64` implements the same trait in safe code; a test compares the
//! results of all implementations, and the benchmark `evaluate` compares their speed.
#![allow(unsafe_code)]

/// Implements operators such as `&` for a type that wraps one vector register. Each line in a call of this macro states
/// the operator's trait, the trait's method, names for the registers of both operands, and an expression for the
/// register of the result.
macro_rules! implement_operators {
    ($name:ident: $($operator:ident $method:ident($left:ident $(, $right:ident)?) $result:expr;)*) => {
        $(
            impl std::ops::$operator for $name {
                type Output = $name;

                #[inline(always)]
                fn $method(self $(, $right: $name)?) -> $name {
                    let $left = self.0;
                    $(let $right = $right.0;)?
                    $name($result)
                }
            }
        )*
    };
}

mod four;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

pub use four::Four;

use super::lanes::Kernel;

/// Runs `kernel`, a computation with SIMD instructions, with exactly `LANES` 64-bit lanes: eight or four on x86-64, two
/// on 64-bit ARM and in WebAssembly with `simd128`.
///
/// # Errors
/// The kernel itself, which was not run, if this processor does not support so many lanes.
pub fn run_with<const LANES: usize, K: Kernel>(kernel: K) -> Result<K::Output, K> {
    #[cfg(any(test, feature = "fewer-lanes"))]
    if LANES > lane_limit::LANE_LIMIT.get() {
        return Err(kernel);
    }
    match LANES {
        #[cfg(target_arch = "x86_64")]
        8 => x86_64::run_eight_lanes(kernel),
        #[cfg(target_arch = "x86_64")]
        4 => x86_64::run_four_lanes(kernel),
        #[cfg(target_arch = "aarch64")]
        2 => Ok(neon::run_two_lanes(kernel)),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        2 => Ok(simd128::run_two_lanes(kernel)),
        _ => Err(kernel),
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled without the vector instructions"
)]
mod x86_64 {
    use crate::bitboard::lanes::{FilterRow, Kernel, Lanes, NumberRow, RowGroup};
    use std::arch::x86_64::*;

    /// Defines a function `$name` that runs a kernel, a computation for any lane type, with lanes of type `$lanes`. The
    /// kernel is compiled for the processor features `$feature`. If the processor lacks one of them, the function
    /// returns the kernel as an error, without running it.
    macro_rules! define_run_with {
        ($lanes:ident, $name:ident: $($feature:tt)+) => {
            pub(super) fn $name<K: Kernel>(kernel: K) -> Result<K::Output, K> {
                #[target_feature($(enable = $feature),+)]
                fn run<K: Kernel>(kernel: K) -> K::Output {
                    kernel.run::<$lanes>()
                }
                if $(is_x86_feature_detected!($feature))&&+ {
                    // SAFETY: `run` needs only the processor features that were detected in the line above.
                    return Ok(unsafe { run(kernel) });
                }
                Err(kernel)
            }
        };
    }

    define_run_with! { FourLanes, run_four_lanes: "avx2" "popcnt" }
    define_run_with! { EightLanes, run_eight_lanes: "avx512f" "avx512bw" "avx512vpopcntdq" "popcnt" }

    /// Evaluates an expression of vector intrinsics, wrapped in an `unsafe` block.
    macro_rules! intrinsics {
        ($($expression:tt)*) => {
            // SAFETY: `FourLanes` and `EightLanes` are private, so this code runs only within `run_four_lanes` and
            // `run_eight_lanes`, after the processor features were detected. Only loads and stores access memory, in
            // arrays and slices as large as a register; the slices are checked.
            unsafe { $($expression)* }
        };
    }

    /// Defines the type `$name`, a vector register of type `$register` with `$count` 64-bit lanes, and implements
    /// [`Lanes`] for it. `$title` is the name of the instruction set.
    ///
    /// - `$feature`: the processor features that these methods need.
    /// - `$load` to `$merge_mirrors`: the intrinsics and functions that the methods call. These methods are otherwise the
    ///   same for all such types.
    /// - `$own`: the remaining methods of [`Lanes`], written out, because not all such types implement them in the same
    ///   way.
    macro_rules! define_lanes {
        (
            $(#[$doc:meta])*
            $name:ident: $title:literal with $($feature:literal)+, $count:literal words of $register:ident,
            $load:ident $store:ident $splat:ident $and:ident $or:ident $xor:ident $and_not:ident $add:ident $subtract:ident
            $multiply:ident $shift_left:ident $shift_right:ident $add_numbers:ident $multiply_numbers:ident
            $add_words:ident $reduce:ident $add_bytes:ident $subtract_numbers:ident $shift_numbers_left:ident
            $shift_numbers_right:ident $unpack_low:ident $unpack_high:ident $merge_mirrors:ident;
            $($own:item)*
        ) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            struct $name($register);

            impl Lanes for $name {
                const COUNT: usize = $count;
                const NAME: &'static str = $title;

                #[inline(always)]
                fn load(words: &[u64]) -> $name {
                    let words: &[u64; $count] = words[..$count].try_into().expect("enough words");
                    intrinsics!($name($load(words.as_ptr().cast())))
                }

                #[inline(always)]
                fn store(self, words: &mut [u64]) {
                    let words: &mut [u64; $count] = (&mut words[..$count]).try_into().expect("enough words");
                    intrinsics!($store(words.as_mut_ptr().cast(), self.0))
                }

                #[inline(always)]
                fn splat(word: u64) -> $name {
                    intrinsics!($name($splat(word as i64)))
                }

                #[inline(always)]
                fn without(self, other: $name) -> $name {
                    intrinsics!($name($and_not(other.0, self.0)))
                }

                #[inline(always)]
                fn plus(self, other: $name) -> $name {
                    intrinsics!($name($add(self.0, other.0)))
                }

                #[inline(always)]
                fn minus(self, other: $name) -> $name {
                    intrinsics!($name($subtract(self.0, other.0)))
                }

                #[inline(always)]
                fn times(self, factor: i32) -> $name {
                    intrinsics!($name($multiply(self.0, $splat(i64::from(factor)))))
                }

                #[inline(always)]
                fn shl_each(self, by: $name) -> $name {
                    intrinsics!($name($shift_left(self.0, by.0)))
                }

                #[inline(always)]
                fn shr_each(self, by: $name) -> $name {
                    intrinsics!($name($shift_right(self.0, by.0)))
                }

                #[inline(always)]
                fn sum_rows<'a, const MIRRORS: usize>(
                    start: &NumberRow,
                    group: impl Fn(usize, usize) -> &'a RowGroup,
                ) -> NumberRow {
                    // Not inlined, so that the bot's file is shorter.
                    #[inline(never)]
                    #[target_feature($(enable = $feature),+)]
                    fn sum<'a, const MIRRORS: usize>(
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

                    /// Adds the bytes of the groups for symmetries `4·HALF` to `4·HALF + 3`.
                    ///
                    /// A 16-bit number contains two bytes. `all` adds up these numbers, `odd` their upper bytes alone. So
                    /// the sum of the lower bytes is `all` − 256·`odd`, modulo 2^16.
                    ///
                    /// A row with the index `i` in the group of an input with the mirror 0 has the index `i ^ x` in that
                    /// of another input. Sums in which `x` differs in the bits that say where in a register a row is are
                    /// kept apart; at the end, `$merge_mirrors` adds them.
                    #[inline(always)]
                    fn add_half<'a, const MIRRORS: usize, const HALF: usize>(
                        sum: &mut NumberRow,
                        group: &impl Fn(usize, usize) -> &'a RowGroup,
                    ) {
                        const ROWS: usize = $count / 2;
                        const REGISTERS: usize = 4 / ROWS;
                        intrinsics! {
                            let mut all = [$splat(0); 4];
                            let mut odd = [$splat(0); 4];
                            for first in (0..64).step_by(2 * MIRRORS) {
                                for mirror in 0..MIRRORS {
                                    let one = group(first + mirror, HALF);
                                    let other = group(first + MIRRORS + mirror, HALF);
                                    for register in 0..REGISTERS {
                                        let [one, other] = [one, other].map(|group| {
                                            $load(group.0[ROWS * register..][..ROWS].as_ptr().cast())
                                        });
                                        let both = $add_bytes(one, other);
                                        let at = RowGroup::index_of(mirror, 4 * HALF) ^ 2 * register;
                                        all[at] = $add_numbers(all[at], both);
                                        odd[at] = $add_numbers(odd[at], $shift_numbers_right::<8>(both));
                                    }
                                }
                            }
                            if MIRRORS > 1 {
                                ($merge_mirrors(&mut all), $merge_mirrors(&mut odd));
                            }
                            for register in 0..REGISTERS {
                                let (all, odd) = (all[2 * register], odd[2 * register]);
                                let even = $subtract_numbers(all, $shift_numbers_left::<8>(odd));
                                let mut halves = [[[0_i16; 8]; ROWS]; 2];
                                $store(halves[0].as_mut_ptr().cast(), $unpack_low(even, odd));
                                $store(halves[1].as_mut_ptr().cast(), $unpack_high(even, odd));
                                for row in 0..ROWS {
                                    let symmetry = 4 * HALF + RowGroup::index_of(0, 4 * HALF + ROWS * register + row);
                                    for number in 0..16 {
                                        let sum = &mut sum.0[16 * symmetry + number];
                                        *sum = sum.wrapping_add(halves[number / 8][row][number % 8]);
                                    }
                                }
                            }
                        }
                    }

                    intrinsics!(sum::<MIRRORS>(start, group))
                }

                #[inline(always)]
                fn dot<const OTHERS: usize>(one: &NumberRow, others: [&NumberRow; OTHERS]) -> i32 {
                    const REGISTER_LEN: usize = 4 * $count;
                    intrinsics! {
                        let mut sums = [$splat(0); 2];
                        for part in 0..NumberRow::LEN / REGISTER_LEN {
                            let at = part * REGISTER_LEN;
                            let one = $load(one.0[at..][..REGISTER_LEN].as_ptr().cast());
                            let mut all = $splat(0);
                            for other in others {
                                all = $add_numbers(all, $load(other.0[at..][..REGISTER_LEN].as_ptr().cast()));
                            }
                            sums[part % 2] = $add_words(sums[part % 2], $multiply_numbers(one, all));
                        }
                        $reduce($add_words(sums[0], sums[1]))
                    }
                }

                $($own)*
            }

            implement_operators! { $name:
                BitAnd bitand(one, other) intrinsics!($and(one, other));
                BitOr bitor(one, other) intrinsics!($or(one, other));
                BitXor bitxor(one, other) intrinsics!($xor(one, other));
                Not not(one) intrinsics!($and_not(one, $splat(-1)));
            }
        };
    }

    define_lanes! {
        /// Four 64-bit words in an AVX2 register. This type is used only by kernels (computations) that
        /// [`run_four_lanes`] runs, after it has detected AVX2.
        FourLanes: "AVX2" with "avx2" "popcnt", 4 words of __m256i,
        _mm256_loadu_si256 _mm256_storeu_si256 _mm256_set1_epi64x _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256
        _mm256_andnot_si256 _mm256_add_epi64 _mm256_sub_epi64 _mm256_mul_epi32 _mm256_sllv_epi64
        _mm256_srlv_epi64 _mm256_add_epi16 _mm256_madd_epi16 _mm256_add_epi32 sum_of_eight
        _mm256_add_epi8 _mm256_sub_epi16 _mm256_slli_epi16 _mm256_srli_epi16 _mm256_unpacklo_epi16
        _mm256_unpackhi_epi16 merge_two_lanes;

        #[inline(always)]
        fn shl<const BY: i32>(self) -> FourLanes {
            intrinsics!(FourLanes(_mm256_slli_epi64::<BY>(self.0)))
        }

        #[inline(always)]
        fn shr<const BY: i32>(self) -> FourLanes {
            intrinsics!(FourLanes(_mm256_srli_epi64::<BY>(self.0)))
        }

        #[inline(always)]
        fn any(self) -> bool {
            intrinsics!(_mm256_testz_si256(self.0, self.0) == 0)
        }

        #[inline(always)]
        fn count_ones(self) -> FourLanes {
            intrinsics!(FourLanes(_mm256_sad_epu8(self.count_ones_by_byte(), _mm256_setzero_si256())))
        }

        #[inline(always)]
        fn count_ones_of(sets: [FourLanes; 8]) -> FourLanes {
            // For each byte of the register, counts the bits that are set in this byte of all eight `sets`. Then adds
            // up the eight counts of each lane. A count is at most 8 × 8 = 64, so it cannot overflow.
            intrinsics! {
                let mut bytes = _mm256_setzero_si256();
                for set in sets {
                    bytes = _mm256_add_epi8(bytes, set.count_ones_by_byte());
                }
                FourLanes(_mm256_sad_epu8(bytes, _mm256_setzero_si256()))
            }
        }

        #[inline(always)]
        fn union_of_four(self) -> FourLanes {
            intrinsics! {
                let pairs = _mm256_or_si256(self.0, _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0));
                FourLanes(_mm256_or_si256(pairs, _mm256_permute4x64_epi64::<0b10_11_00_01>(pairs)))
            }
        }

        #[inline(always)]
        fn bytes_by_square(bits: [u64; 8]) -> [u8; 64] {
            let mut numbers = [0; 64];
            intrinsics! {
                // Returns one byte per square. Bit `n` of this byte says whether the square is in the bitboard
                // `bits[n]`. Each pass of the outer loop computes the bytes of 32 squares, from square `32 * half` on.
                // `copies` repeats the four bytes of `bits[place]` for these squares. A shuffle by `bytes` copies, for
                // each square, the byte that contains its bit.
                let bytes = _mm256_setr_epi64x(
                    0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303,
                );
                let bit_of_byte = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
                for half in 0..2 {
                    let mut sum = _mm256_setzero_si256();
                    for place in 0..8 {
                        let copies = _mm256_set1_epi32((bits[place] >> (32 * half)) as i32);
                        let own = _mm256_and_si256(_mm256_shuffle_epi8(copies, bytes), bit_of_byte);
                        let ones = _mm256_cmpeq_epi8(own, bit_of_byte);
                        let value = _mm256_set1_epi8((1_u8 << place) as i8);
                        sum = _mm256_or_si256(sum, _mm256_and_si256(ones, value));
                    }
                    _mm256_storeu_si256(numbers[32 * half..][..32].as_mut_ptr().cast(), sum);
                }
            }
            numbers
        }
    }

    /// Adds the sums of `EightLanes::sum_rows` in which rows are at other places: a row that is in the 128-bit lane `i` of
    /// `sums[0]` is in the lane `i ^ x` of `sums[x]`. Sets `sums[0]` to the result.
    #[inline(always)]
    fn merge_four_lanes(sums: &mut [__m512i; 4]) {
        let [zero, one, two, three] = *sums;
        intrinsics! {
            let one = _mm512_shuffle_i64x2::<0b10_11_00_01>(one, one);
            let two = _mm512_shuffle_i64x2::<0b01_00_11_10>(two, two);
            let three = _mm512_shuffle_i64x2::<0b00_01_10_11>(three, three);
            sums[0] = _mm512_add_epi16(_mm512_add_epi16(zero, one), _mm512_add_epi16(two, three));
        }
    }

    /// Adds the sums of `FourLanes::sum_rows` in which rows are at other places: the rows in the two 128-bit lanes of
    /// `sums[0]` are exchanged in `sums[1]`, and so are those of `sums[2]` in `sums[3]`. Sets `sums[0]` and `sums[2]` to
    /// the results.
    #[inline(always)]
    fn merge_two_lanes(sums: &mut [__m256i; 4]) {
        intrinsics! {
            for at in [0, 2] {
                let exchanged = _mm256_permute2x128_si256::<1>(sums[at + 1], sums[at + 1]);
                sums[at] = _mm256_add_epi16(sums[at], exchanged);
            }
        }
    }

    /// Returns the sum of the eight signed 32-bit numbers in a 256-bit register.
    #[inline(always)]
    fn sum_of_eight(words: __m256i) -> i32 {
        intrinsics! {
            let four = _mm_add_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b11_10_11_10>(four));
            _mm_cvtsi128_si32(two) + _mm_extract_epi32::<1>(two)
        }
    }

    impl FourLanes {
        /// Counts the bits set in each of the 32 bytes of `self`. Looks up the counts of the upper and of the lower
        /// four bits in a table (Muła, Kurz and Lemire 2018).
        #[inline(always)]
        fn count_ones_by_byte(self) -> __m256i {
            intrinsics! {
                let nibbles = _mm256_setr_epi8(
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                    2, 3, 2, 3, 3, 4,
                );
                let mask = _mm256_set1_epi8(15);
                let low = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(self.0, mask));
                let high = _mm256_shuffle_epi8(
                    nibbles,
                    _mm256_and_si256(_mm256_srli_epi64::<4>(self.0), mask),
                );
                _mm256_add_epi8(low, high)
            }
        }
    }

    define_lanes! {
        /// Eight 64-bit words in an AVX-512 register. This type is used only by kernels (computations) that
        /// [`run_eight_lanes`] runs, after it has detected AVX-512.
        EightLanes: "AVX-512" with "avx512f" "avx512bw" "popcnt", 8 words of __m512i,
        _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi64 _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512
        _mm512_andnot_si512 _mm512_add_epi64 _mm512_sub_epi64 _mm512_mul_epi32 _mm512_sllv_epi64 _mm512_srlv_epi64
        _mm512_add_epi16 _mm512_madd_epi16 _mm512_add_epi32 _mm512_reduce_add_epi32
        _mm512_add_epi8 _mm512_sub_epi16 _mm512_slli_epi16 _mm512_srli_epi16 _mm512_unpacklo_epi16
        _mm512_unpackhi_epi16 merge_four_lanes;

        // Shifts by a variable, although `BY` is a constant: AVX-512's shift by a constant needs a `u32` const
        // parameter, and Rust cannot convert the `i32` parameter `BY` to one.
        #[inline(always)]
        fn shl<const BY: i32>(self) -> EightLanes {
            intrinsics!(EightLanes(_mm512_sllv_epi64(self.0, _mm512_set1_epi64(BY.into()))))
        }

        #[inline(always)]
        fn shr<const BY: i32>(self) -> EightLanes {
            intrinsics!(EightLanes(_mm512_srlv_epi64(self.0, _mm512_set1_epi64(BY.into()))))
        }

        #[inline(always)]
        fn any(self) -> bool {
            intrinsics!(_mm512_test_epi64_mask(self.0, self.0) != 0)
        }

        #[inline(always)]
        fn count_ones(self) -> EightLanes {
            intrinsics!(EightLanes(_mm512_popcnt_epi64(self.0)))
        }

        #[inline(always)]
        fn union_of_four(self) -> EightLanes {
            intrinsics! {
                let pairs = _mm512_or_si512(self.0, _mm512_permutex_epi64::<0b01_00_11_10>(self.0));
                EightLanes(_mm512_or_si512(pairs, _mm512_permutex_epi64::<0b10_11_00_01>(pairs)))
            }
        }

        #[inline(always)]
        fn bytes_by_square(bits: [u64; 8]) -> [u8; 64] {
            let mut numbers = [0; 64];
            intrinsics! {
                let mut sum = _mm512_setzero_si512();
                for place in 0..8 {
                    let ones = _mm512_maskz_set1_epi8(bits[place], (1_u8 << place) as i8);
                    sum = _mm512_or_si512(sum, ones);
                }
                _mm512_storeu_si512(numbers.as_mut_ptr().cast(), sum);
            }
            numbers
        }
    }
}

/// Limit on the number of 64-bit lanes with which kernels (computations with SIMD instructions) run. Tests lower it to
/// compare the results of different numbers of lanes on one machine.
#[cfg(any(test, feature = "fewer-lanes"))]
pub mod lane_limit {
    use crate::bitboard::lanes::MAX_LANES;
    use std::cell::Cell;

    thread_local! {
        /// Maximum number of 64-bit lanes with which kernels run in this thread, from 1 to [`MAX_LANES`]. Initially
        /// [`MAX_LANES`], which means no limit.
        pub static LANE_LIMIT: Cell<usize> = const { Cell::new(MAX_LANES) };
    }
}
