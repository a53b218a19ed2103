//! The logistic function, its inverse, and the exponentials and logarithms that they need. They use only IEEE 754
//! arithmetic, so every machine computes the same bits, regardless of its mathematical library.

/// Scale of fixed-point log-odds (natural logarithm): the integer that represents log-odds of 1.0.
pub const LOG_ODDS_ONE: i32 = 1 << 24;

/// Returns `e^x` for `|x| ≤ 80`, with an error of about two units in the last place of the result.
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    /// 1.5·2^23. Adding this constant to a small number rounds the number to an integer, which the low bits of the sum
    /// then hold.
    const ROUND: f32 = 12_582_912.0;
    let exponent = x * std::f32::consts::LOG2_E;
    let rounded = exponent + ROUND;
    let rest = (exponent - (rounded - ROUND)) * std::f32::consts::LN_2;
    // Taylor polynomial of degree six for `e^rest`; `|rest|` is at most `ln 2 / 2`.
    let power = 1.0 / 120.0 + rest * (1.0 / 720.0);
    let power = 1.0 / 6.0 + rest * (1.0 / 24.0 + rest * power);
    let power = 1.0 + rest * (1.0 + rest * (0.5 + rest * power));
    let biased = rounded
        .to_bits()
        .wrapping_sub(ROUND.to_bits())
        .wrapping_add(127);
    power * f32::from_bits(biased << 23)
}

/// Returns the binary logarithm of a positive number, with an error of at most 0.09. It is exact at powers of two and
/// linear between them (Mitchell 1962).
#[inline]
#[must_use]
pub fn log2(x: f32) -> f32 {
    x.to_bits() as f32 * (1.0 / (1_u32 << 23) as f32) - 127.0
}

/// Converts fixed-point log-odds, in units of 1 / [`LOG_ODDS_ONE`], to a floating-point number in units of 1.
#[inline]
#[must_use]
pub fn log_odds(fixed: i32) -> f32 {
    fixed as f32 * (1.0 / LOG_ODDS_ONE as f32)
}

/// Converts log-odds in units of 1, within ±80, to a probability by the logistic function `1 / (1 + e^-x)`.
#[inline]
#[must_use]
pub fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + exp(-log_odds))
}

/// Converts a probability between 0 and 1 to fixed-point log-odds, `ln(p / (1 − p))` in units of 1 / [`LOG_ODDS_ONE`].
/// The inverse of [`log_odds`] followed by [`probability`].
#[inline]
#[must_use]
pub fn fixed_log_odds(probability: f32) -> i32 {
    ((ln(probability) - ln(1.0 - probability)) * LOG_ODDS_ONE as f32) as i32
}

/// Returns the natural logarithm of a number from 0 to 1, with an error of about 10^-6. Numbers below the smallest
/// normal number are treated like that number.
#[inline]
fn ln(x: f32) -> f32 {
    /// Bit pattern of √½ as a 32-bit floating-point number, the lower limit of `rest`.
    const ROOT: i32 = 0x3f35_04f3;
    // Splits `x` as `2^exponent · rest`, with `rest` from √½ to √2.
    let bits = x.max(f32::MIN_POSITIVE).to_bits() as i32;
    let exponent = (bits - ROOT) >> 23;
    let rest = f32::from_bits((bits - (exponent << 23)) as u32);
    // Uses `ln rest = 2 artanh s`, by the series up to `s^9`; `|s|` is at most 0.172.
    let s = (rest - 1.0) / (rest + 1.0);
    let square = s * s;
    let series = 2.0 / 5.0 + square * (2.0 / 7.0 + square * (2.0 / 9.0));
    let series = 2.0 + square * (2.0 / 3.0 + square * series);
    exponent as f32 * std::f32::consts::LN_2 + s * series
}
