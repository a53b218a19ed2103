//! The type [`Four`]: four 32-bit floating-point numbers that are processed by the same instruction (SIMD), on x86-64,
//! 64-bit ARM and WebAssembly with `simd128`. On other targets, `Four` is an array; results are the same to the last
//! bit.
//!
//! Intrinsics are needed because the compiler does not vectorise arrays of four reliably: if it knows one of the four
//! numbers, it splits the array into scalars.

cfg_select! {
    target_arch = "x86_64" => {
        use sse2 as numbers;
    }
    target_arch = "aarch64" => {
        use neon as numbers;
    }
    all(target_arch = "wasm32", target_feature = "simd128") => {
        use simd128 as numbers;
    }
    _ => {
        use plain as numbers;
    }
}

/// Four 32-bit floating-point numbers that are processed by the same instruction. None of them may be NaN.
#[derive(Clone, Copy)]
pub struct Four(numbers::Register);

impl Four {
    /// Returns a value with `number` in all four lanes.
    #[inline(always)]
    pub fn splat(number: f32) -> Four {
        Four::from([number; 4])
    }

    /// Returns four numbers, given by their IEEE 754 bit patterns. None of them may be NaN.
    #[inline(always)]
    pub fn from_bits(bits: [u32; 4]) -> Four {
        Four(numbers::from_bits(bits))
    }

    /// Adds one to each of the four integers in `whole`, and converts the sums to 32-bit floating-point numbers. The
    /// integers must be below 2^31 − 1.
    #[inline(always)]
    pub fn from_incremented(whole: [u32; 4]) -> Four {
        Four(numbers::from_incremented(whole))
    }

    /// Returns the larger of `self` and `other` in each lane.
    #[inline(always)]
    pub fn larger(self, other: Four) -> Four {
        Four(numbers::larger(self.0, other.0))
    }

    /// Returns the smaller of `self` and `other` in each lane.
    #[inline(always)]
    pub fn smaller(self, other: Four) -> Four {
        Four(numbers::smaller(self.0, other.0))
    }

    /// Selects a number for each lane: the one in `above` if `self` is larger than `other` in this lane, otherwise the
    /// one in `otherwise`.
    #[inline(always)]
    pub fn choose_above(self, other: Four, above: Four, otherwise: Four) -> Four {
        Four(numbers::choose_above(self.0, other.0, above.0, otherwise.0))
    }

    /// Returns the largest of the four numbers in the lanes.
    #[inline(always)]
    pub fn largest(self) -> f32 {
        self.fold(Four::larger)
    }

    /// Returns the smallest of the four numbers in the lanes.
    #[inline(always)]
    pub fn smallest(self) -> f32 {
        self.fold(Four::smaller)
    }

    /// Combines the four numbers in the lanes to one number by repeated calls of `join`, for example a function that
    /// returns the larger number in each lane. `join` must work lane by lane, and must be associative and commutative.
    #[inline(always)]
    fn fold(self, join: impl Fn(Four, Four) -> Four) -> f32 {
        let two = join(self, Four(numbers::swap_halves(self.0)));
        numbers::first(join(two, Four(numbers::swap_pairs(two.0))).0)
    }
}

impl From<[f32; 4]> for Four {
    #[inline(always)]
    fn from(numbers: [f32; 4]) -> Four {
        Four::from_bits(numbers.map(f32::to_bits))
    }
}

implement_operators! { Four:
    Add add(one, other) numbers::add(one, other);
    Mul mul(one, other) numbers::multiply(one, other);
    Div div(one, other) numbers::divide(one, other);
}

/// Defines public functions, each with an expression of vector intrinsics as its body, wrapped in an `unsafe` block.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! define_functions {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty { $expression:expr })*) => {
        $(
            #[inline(always)]
            pub fn $name($($argument: $type),*) -> $result {
                // SAFETY: every x86-64 processor has SSE2 and every 64-bit ARM processor has NEON. The intrinsics do
                // not access memory, and every bit pattern is valid as four numbers.
                unsafe { $expression }
            }
        )*
    };
}

/// Implementation of [`Four`] for x86-64, with SSE2 instructions, which every x86-64 processor has.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::*;
    use std::mem::transmute;

    pub type Register = __m128;

    define_functions! {
        from_bits(bits: [u32; 4]) -> Register { transmute::<[u32; 4], __m128>(bits) }
        from_incremented(whole: [u32; 4]) -> Register {
            _mm_cvtepi32_ps(_mm_add_epi32(transmute::<[u32; 4], __m128i>(whole), _mm_set1_epi32(1)))
        }
        add(one: Register, other: Register) -> Register { _mm_add_ps(one, other) }
        multiply(one: Register, other: Register) -> Register { _mm_mul_ps(one, other) }
        divide(one: Register, other: Register) -> Register { _mm_div_ps(one, other) }
        larger(one: Register, other: Register) -> Register { _mm_max_ps(one, other) }
        smaller(one: Register, other: Register) -> Register { _mm_min_ps(one, other) }
        choose_above(one: Register, other: Register, above: Register, otherwise: Register) -> Register {
            {
                let is_above = _mm_cmpgt_ps(one, other);
                _mm_or_ps(_mm_and_ps(is_above, above), _mm_andnot_ps(is_above, otherwise))
            }
        }
        swap_halves(four: Register) -> Register { _mm_shuffle_ps::<0b01_00_11_10>(four, four) }
        swap_pairs(four: Register) -> Register { _mm_shuffle_ps::<0b10_11_00_01>(four, four) }
        first(four: Register) -> f32 { _mm_cvtss_f32(four) }
    }
}

/// Implementation of [`Four`] for 64-bit ARM, with NEON instructions. Computes maximum and minimum by comparison and
/// selection, because NEON's own instructions order −0 before +0, unlike SSE2's.
#[cfg(target_arch = "aarch64")]
mod neon {
    use std::arch::aarch64::*;
    use std::mem::transmute;

    pub type Register = float32x4_t;

    define_functions! {
        from_bits(bits: [u32; 4]) -> Register { transmute::<[u32; 4], float32x4_t>(bits) }
        from_incremented(whole: [u32; 4]) -> Register {
            vcvtq_f32_u32(vaddq_u32(transmute::<[u32; 4], uint32x4_t>(whole), vdupq_n_u32(1)))
        }
        add(one: Register, other: Register) -> Register { vaddq_f32(one, other) }
        multiply(one: Register, other: Register) -> Register { vmulq_f32(one, other) }
        divide(one: Register, other: Register) -> Register { vdivq_f32(one, other) }
        choose_above(one: Register, other: Register, above: Register, otherwise: Register) -> Register {
            vbslq_f32(vcgtq_f32(one, other), above, otherwise)
        }
        swap_halves(four: Register) -> Register { vextq_f32::<2>(four, four) }
        swap_pairs(four: Register) -> Register { vrev64q_f32(four) }
        first(four: Register) -> f32 { vgetq_lane_f32::<0>(four) }
    }

    #[inline(always)]
    pub fn larger(one: Register, other: Register) -> Register {
        choose_above(one, other, one, other)
    }

    #[inline(always)]
    pub fn smaller(one: Register, other: Register) -> Register {
        choose_above(other, one, one, other)
    }
}

/// Implementation of [`Four`] for WebAssembly with `simd128`. Swaps the operands of `pmax` and `pmin`, so that zeros of
/// either sign give the same bits as with SSE2's `max` and `min`.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::*;
    pub use std::arch::wasm32::{f32x4_add as add, f32x4_div as divide, f32x4_mul as multiply};

    pub type Register = v128;

    #[inline(always)]
    pub fn from_bits([a, b, c, d]: [u32; 4]) -> Register {
        u32x4(a, b, c, d)
    }

    #[inline(always)]
    pub fn from_incremented(whole: [u32; 4]) -> Register {
        f32x4_convert_i32x4(i32x4_add(from_bits(whole), i32x4_splat(1)))
    }

    #[inline(always)]
    pub fn larger(one: Register, other: Register) -> Register {
        f32x4_pmax(other, one)
    }

    #[inline(always)]
    pub fn smaller(one: Register, other: Register) -> Register {
        f32x4_pmin(other, one)
    }

    #[inline(always)]
    pub fn choose_above(
        one: Register,
        other: Register,
        above: Register,
        otherwise: Register,
    ) -> Register {
        v128_bitselect(above, otherwise, f32x4_gt(one, other))
    }

    #[inline(always)]
    pub fn swap_halves(four: Register) -> Register {
        i32x4_shuffle::<2, 3, 0, 1>(four, four)
    }

    #[inline(always)]
    pub fn swap_pairs(four: Register) -> Register {
        i32x4_shuffle::<1, 0, 3, 2>(four, four)
    }

    #[inline(always)]
    pub fn first(four: Register) -> f32 {
        f32x4_extract_lane::<0>(four)
    }
}

/// Implementation of [`Four`] in portable Rust, for targets without SSE2, NEON or `simd128`. Tests compare the others
/// with it.
#[allow(
    dead_code,
    reason = "tests hold it against the registers, where there are some"
)]
mod plain {
    pub type Register = [f32; 4];

    /// Defines functions that compute an array of four numbers from two such arrays. The expression `$number` computes
    /// an element of the result from `$one` and `$other`, the elements of the two arrays at the same index.
    macro_rules! lane_by_lane {
        ($($name:ident($one:ident, $other:ident) $number:expr;)*) => {
            $(
                pub fn $name(one: Register, other: Register) -> Register {
                    std::array::from_fn(|lane| {
                        let ($one, $other) = (one[lane], other[lane]);
                        $number
                    })
                }
            )*
        };
    }

    lane_by_lane! {
        add(one, other) one + other;
        multiply(one, other) one * other;
        divide(one, other) one / other;
        larger(one, other) if one > other { one } else { other };
        smaller(one, other) if one < other { one } else { other };
    }

    pub fn from_bits(bits: [u32; 4]) -> Register {
        bits.map(f32::from_bits)
    }

    pub fn from_incremented(whole: [u32; 4]) -> Register {
        whole.map(|number| (number + 1) as f32)
    }

    pub fn choose_above(
        one: Register,
        other: Register,
        above: Register,
        otherwise: Register,
    ) -> Register {
        std::array::from_fn(|lane| match one[lane] > other[lane] {
            true => above[lane],
            false => otherwise[lane],
        })
    }

    pub fn swap_halves([a, b, c, d]: Register) -> Register {
        [c, d, a, b]
    }

    pub fn swap_pairs([a, b, c, d]: Register) -> Register {
        [b, a, d, c]
    }

    pub fn first(four: Register) -> f32 {
        four[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Calls every function of the module `$module`, and expands to an array of the results, as bit patterns. The
    /// inputs are two parameters. `$bits`: four arrays of four floating-point numbers, as bit patterns. `$whole`: four
    /// integers.
    macro_rules! all_results {
        ($module:ident, $bits:expr, $whole:expr) => {{
            use $module::*;
            let [a, b, c, d] = $bits.map(from_bits);
            let fours = [
                a,
                from_incremented($whole),
                add(a, b),
                multiply(a, b),
                divide(a, b),
                larger(a, b),
                smaller(a, b),
                choose_above(a, b, c, d),
            ];
            fours.map(|four| {
                let halves = swap_halves(four);
                [four, swap_pairs(four), halves, swap_pairs(halves)]
                    .map(|four| first(four).to_bits())
            })
        }};
    }

    #[test]
    fn registers_hold_the_same_bits_as_arrays() {
        let mut random = SmallRng::seed_from_u64(1);
        for _ in 0..1000 {
            // Draws each number from only 12 different ones, so that two of the four inputs often have equal numbers at
            // the same index.
            let mut bits = || (random.random_range(-4_i8..8) as f32 / 3.0).to_bits();
            let bits: [[u32; 4]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| bits()));
            let whole = std::array::from_fn(|_| random.random_range(0..(1 << 31) - 1));
            let in_registers = all_results!(numbers, bits, whole);
            let in_arrays = all_results!(plain, bits, whole);
            assert_eq!(in_registers, in_arrays, "{bits:?} {whole:?}");
        }
    }
}
