//! Conversion between log-odds and probabilities: [`probability`] is the logistic function, [`fixed_log_odds`] its
//! inverse.
//!
//! All functions use only basic arithmetic of IEEE 754, so that the result is the same on every machine.

/// Fixed-point scale of log-odds (natural logarithms of `p / (1 − p)`) that are stored as integers: the integer 2^24
/// represents 1.0.
pub const LOG_ODDS_ONE: i32 = 1 << 24;

/// Returns `e^x` for `x` from -80 to 80, with a relative error of about 2^-22.
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    /// Constant 1.5·2^23, by which a number is rounded to an integer. If it is added to a number whose absolute value
    /// is less than 2^22, the low bits of the sum contain the rounded number.
    const ROUND: f32 = 12_582_912.0;
    let exponent = x * std::f32::consts::LOG2_E;
    let rounded = exponent + ROUND;
    let rest = (exponent - (rounded - ROUND)) * std::f32::consts::LN_2;
    // Compute `e^rest` by its Taylor polynomial of degree six (Horner's method). The absolute value of `rest`, the part
    // of the exponent that rounding has left, is at most `ln 2 / 2`.
    let power = 1.0 / 120.0 + rest * (1.0 / 720.0);
    let power = 1.0 / 6.0 + rest * (1.0 / 24.0 + rest * power);
    let power = 1.0 + rest * (1.0 + rest * (0.5 + rest * power));
    let bits = rounded.to_bits().wrapping_sub(ROUND.to_bits());
    let biased = bits.wrapping_add(127);
    power * f32::from_bits(biased << 23)
}

/// Returns the approximate binary logarithm of a positive number. It is exact for powers of two and linear between them
/// (Mitchell 1962); the error is at most 0.09.
#[inline]
#[must_use]
pub fn approximate_log2(x: f32) -> f32 {
    x.to_bits() as f32 * (1.0 / (1_u32 << 23) as f32) - 127.0
}

/// Converts log-odds from an integer in units of 1 / [`LOG_ODDS_ONE`] to a floating-point number.
#[inline]
#[must_use]
pub fn log_odds(fixed: i32) -> f32 {
    fixed as f32 * (1.0 / LOG_ODDS_ONE as f32)
}

/// Converts log-odds `x`, from -80 to 80, to the probability `1 / (1 + e^-x)` (logistic function).
#[inline]
#[must_use]
pub fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + exp(-log_odds))
}

/// Converts a probability from 0 to 1 to log-odds `ln(p / (1 − p))`, as an integer in units of 1 / [`LOG_ODDS_ONE`].
/// The probabilities 0 and 1 give the finite log-odds −87.3 and 87.3.
#[inline]
#[must_use]
pub fn fixed_log_odds(probability: f32) -> i32 {
    ((ln(probability) - ln(1.0 - probability)) * LOG_ODDS_ONE as f32) as i32
}

/// Returns the natural logarithm of a number from 0 to 1, with a relative error of at most about 2·10^-7. Numbers below
/// [`f32::MIN_POSITIVE`], such as 0, are treated like [`f32::MIN_POSITIVE`].
#[inline]
fn ln(x: f32) -> f32 {
    /// Bits of √½ as an `f32`. If they are subtracted from the bits of a number `x`, the difference, shifted right by
    /// 23 bits, is the integer `e` for which `x / 2^e` lies from √½ to √2.
    const SQRT_HALF_BITS: i32 = 0x3f35_04f3;
    // Split `x` into `2^exponent · rest`, where `rest` lies from √½ to √2.
    let bits = x.max(f32::MIN_POSITIVE).to_bits() as i32;
    let exponent = (bits - SQRT_HALF_BITS) >> 23;
    let rest = f32::from_bits((bits - (exponent << 23)) as u32);
    // Compute `ln(rest)`, which equals `2·artanh(s)`, by the power series of artanh up to `s^9`. Because `rest` lies
    // from √½ to √2, the absolute value of `s` is at most 0.172.
    let s = (rest - 1.0) / (rest + 1.0);
    let square = s * s;
    let series = 2.0 / 5.0 + square * (2.0 / 7.0 + square * (2.0 / 9.0));
    let series = 2.0 + square * (2.0 / 3.0 + square * series);
    exponent as f32 * std::f32::consts::LN_2 + s * series
}
