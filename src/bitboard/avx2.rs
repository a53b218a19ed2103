//! Four words side by side in an AVX2 register, when the processor has AVX2 and POPCNT.
//!
//! The only module with `unsafe` for speed. Its safe twin is `u64` as [`Lanes`]; a test holds both
//! against each other, and the benchmark `evaluate` shows what it pays.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
pub use x86_64::Quad;

use super::Kernel;
#[cfg(doc)]
use super::Lanes;

/// Runs a kernel with four lanes, or hands it back if the processor can't.
///
/// # Errors
/// The kernel itself, not run.
#[cfg(not(target_arch = "x86_64"))]
pub fn run<K: Kernel>(kernel: K) -> Result<K::Output, K> {
    Err(kernel)
}

/// Runs a kernel with four lanes, or hands it back if the processor can't.
///
/// # Errors
/// The kernel itself, not run.
#[cfg(target_arch = "x86_64")]
pub fn run<K: Kernel>(kernel: K) -> Result<K::Output, K> {
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the features that the function is compiled for.
        Ok(unsafe { x86_64::run(kernel) })
    } else {
        Err(kernel)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use crate::bitboard::{Kernel, Lanes};
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, Not};

    /// Four 64-bit words. Exists only inside [`super::run`], where AVX2 is there.
    #[derive(Clone, Copy)]
    pub struct Quad(__m256i);

    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Quad>()
    }

    impl Quad {
        /// Number of bits set in each byte (W. Muła's nibble look-up).
        #[inline(always)]
        fn count_ones_by_byte(self) -> __m256i {
            // SAFETY: a Quad exists only where AVX2 does; no memory is touched.
            unsafe {
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

    // SAFETY, for every block below: a Quad exists only inside `run`, where AVX2 does; only `load`
    // and `store` touch memory, and the slice of four words they take from is checked.
    impl Lanes for Quad {
        const COUNT: usize = 4;

        #[inline(always)]
        fn load(words: &[u64]) -> Quad {
            let words: &[u64; 4] = words[..4].try_into().expect("four words");
            unsafe { Quad(_mm256_loadu_si256(words.as_ptr().cast())) }
        }

        #[inline(always)]
        fn store(self, words: &mut [u64]) {
            let words: &mut [u64; 4] = (&mut words[..4]).try_into().expect("four words");
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn splat(word: u64) -> Quad {
            unsafe { Quad(_mm256_set1_epi64x(word as i64)) }
        }

        #[inline(always)]
        fn shl<const BY: i32>(self) -> Quad {
            unsafe { Quad(_mm256_slli_epi64::<BY>(self.0)) }
        }

        #[inline(always)]
        fn shr<const BY: i32>(self) -> Quad {
            unsafe { Quad(_mm256_srli_epi64::<BY>(self.0)) }
        }

        #[inline(always)]
        fn without(self, other: Quad) -> Quad {
            unsafe { Quad(_mm256_andnot_si256(other.0, self.0)) }
        }

        #[inline(always)]
        fn plus(self, other: Quad) -> Quad {
            unsafe { Quad(_mm256_add_epi64(self.0, other.0)) }
        }

        #[inline(always)]
        fn minus(self, other: Quad) -> Quad {
            unsafe { Quad(_mm256_sub_epi64(self.0, other.0)) }
        }

        #[inline(always)]
        fn times(self, factor: i32) -> Quad {
            unsafe {
                Quad(_mm256_mul_epi32(
                    self.0,
                    _mm256_set1_epi64x(i64::from(factor)),
                ))
            }
        }

        #[inline(always)]
        fn any(self) -> bool {
            unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
        }

        #[inline(always)]
        fn count_ones(self) -> Quad {
            unsafe {
                Quad(_mm256_sad_epu8(
                    self.count_ones_by_byte(),
                    _mm256_setzero_si256(),
                ))
            }
        }

        #[inline(always)]
        fn count_ones_of(sets: [Quad; 8]) -> Quad {
            // At most 8 × 8 a byte: no overflow before the bytes are summed.
            unsafe {
                let mut bytes = _mm256_setzero_si256();
                for set in sets {
                    bytes = _mm256_add_epi8(bytes, set.count_ones_by_byte());
                }
                Quad(_mm256_sad_epu8(bytes, _mm256_setzero_si256()))
            }
        }
    }

    impl BitAnd for Quad {
        type Output = Quad;

        #[inline(always)]
        fn bitand(self, other: Quad) -> Quad {
            unsafe { Quad(_mm256_and_si256(self.0, other.0)) }
        }
    }

    impl BitOr for Quad {
        type Output = Quad;

        #[inline(always)]
        fn bitor(self, other: Quad) -> Quad {
            unsafe { Quad(_mm256_or_si256(self.0, other.0)) }
        }
    }

    impl Not for Quad {
        type Output = Quad;

        #[inline(always)]
        fn not(self) -> Quad {
            unsafe { Quad(_mm256_andnot_si256(self.0, _mm256_set1_epi64x(-1))) }
        }
    }
}
