//! Rows of weights as coded text. A weight is coded as its difference from a forecast.
//!
//! The forecast of a weight is the weighted mean of the weights at the same place of related rows, which come before. The
//! further these lie apart, and the worse the forecasts at this place were so far, the larger a difference is likely to be:
//! both choose its context. Rows of any number of weights, and any relations, can be coded so.

use super::coding::{DAMAGED, Decoder, Encoder, SYMBOLS};

/// The largest weight; the smallest is its negative.
pub const MAX_WEIGHT: i16 = 45;

/// A row that the forecast of another row rests on.
#[derive(Clone, Copy)]
pub struct Related {
    /// The number of rows that it comes before the other one, 1 or more.
    pub before: usize,
    /// Its share in the forecast. The shares of all related rows add up to 300 at most, so that sums fit into 16 bits.
    pub share: i16,
}

/// Those related rows that are there: of each is told whether it is, and the numbers of [`Related`].
pub fn those_there(rows: impl IntoIterator<Item = (bool, usize, i16)>) -> Vec<Related> {
    let there = rows.into_iter().filter(|&(is_there, ..)| is_there);
    there
        .map(|(_, before, share)| Related { before, share })
        .collect()
}

/// Contexts of differences: a typical difference of 0 to 11, or more.
const CONTEXTS: usize = 12;

/// The share of 0 in every forecast: weights tend to be small.
const ZERO_SHARE: i16 = 1;

/// Differences in the moving average, as a shift.
const AVERAGED: u32 = 4;

/// Moving averages in the beginning.
const FIRST_AVERAGE: i16 = 8 << AVERAGED;

/// The difference of 0 as a symbol.
const NO_DIFFERENCE: i16 = SYMBOLS as i16 / 2;

/// Rows that were coded, and all that the forecast of the next one rests on.
struct Rows<const N: usize> {
    rows: Vec<[i16; N]>,
    /// Moving averages of the differences' sizes, by place, in 1 / 2^[`AVERAGED`].
    differences: [i16; N],
}

/// What the rows before a row tell of it.
struct Forecast<const N: usize> {
    weights: [i16; N],
    contexts: [u8; N],
}

impl<const N: usize> Rows<N> {
    fn new() -> Rows<N> {
        Rows {
            rows: Vec::new(),
            differences: [FIRST_AVERAGE; N],
        }
    }

    /// The forecast of the next row.
    fn forecast(&self, related: &[Related]) -> Forecast<N> {
        let shares = ZERO_SHARE + related.iter().map(|related| related.share).sum::<i16>();
        let weights = self.sums(related, |_, weight| weight);
        let weights = weights.map(|sum| divided(sum + shares / 2, shares, 0));
        let spreads = self.sums(related, |at, weight| (weight - weights[at]).abs());
        let contexts = std::array::from_fn(|at| {
            let spread = divided(spreads[at], shares, AVERAGED);
            let typical = (spread + self.differences[at]) >> (AVERAGED + 1);
            typical.min(CONTEXTS as i16 - 1) as u8
        });
        Forecast { weights, contexts }
    }

    /// By place, the sum over related rows of their share times a value.
    #[inline]
    fn sums(&self, related: &[Related], value: impl Fn(usize, i16) -> i16) -> [i16; N] {
        let mut sums = [0; N];
        for related in related {
            let row = &self.rows[self.rows.len() - related.before];
            for ((at, sum), &weight) in sums.iter_mut().enumerate().zip(row) {
                *sum += related.share * value(at, weight);
            }
        }
        sums
    }

    /// Takes the next row.
    fn push(&mut self, row: [i16; N], forecast: &Forecast<N>) {
        let weights = row.iter().zip(forecast.weights);
        for (average, (weight, forecast)) in self.differences.iter_mut().zip(weights) {
            *average += (weight - forecast).abs() - (*average >> AVERAGED);
        }
        self.rows.push(row);
    }
}

/// About `sum / shares`, in 1 / 2^`bits`, rounded down. Multiplication by a reciprocal works on many numbers at once.
#[inline]
fn divided(sum: i16, shares: i16, bits: u32) -> i16 {
    let reciprocal = i16::MAX / shares;
    ((i32::from(sum) * i32::from(reciprocal)) >> (15 - bits)) as i16
}

/// The text of rows. `related` tells the related rows of a row by its number, from 0 on. Weights beyond ± [`MAX_WEIGHT`]
/// are cut to it.
#[must_use]
pub fn write<const N: usize>(
    rows: impl Iterator<Item = [i16; N]>,
    related: impl Fn(usize) -> Vec<Related>,
) -> String {
    let mut coded = Rows::new();
    let mut encoder = Encoder::new(CONTEXTS);
    for (number, row) in rows.enumerate() {
        let row = row.map(|weight| weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
        let forecast = coded.forecast(&related(number));
        for (at, weight) in row.iter().enumerate() {
            // Some differences share a symbol. They are so far apart that only one of them leads to a weight.
            let symbol = weight - forecast.weights[at] + NO_DIFFERENCE;
            let symbol = symbol.rem_euclid(SYMBOLS as i16);
            encoder.encode(forecast.contexts[at].into(), symbol as usize);
        }
        coded.push(row, &forecast);
    }
    encoder.finish()
}

/// Reads rows. `related` is that of [`write`].
///
/// # Errors
/// If the text is not that of so many rows; the message says what is wrong.
pub fn read<'a, const N: usize>(
    text: &str,
    rows: impl Iterator<Item = &'a mut [i16; N]>,
    related: impl Fn(usize) -> Vec<Related>,
) -> Result<(), String> {
    let mut coded = Rows::new();
    let mut decoder = Decoder::new(CONTEXTS, text)?;
    for (number, row) in rows.enumerate() {
        let forecast = coded.forecast(&related(number));
        *row = std::array::from_fn(|at| {
            let symbol = decoder.decode(forecast.contexts[at].into()) as i16;
            (forecast.weights[at] + symbol).rem_euclid(SYMBOLS as i16) - NO_DIFFERENCE
        });
        if row.iter().any(|weight: &i16| weight.abs() > MAX_WEIGHT) {
            return Err(DAMAGED.to_owned());
        }
        coded.push(*row, &forecast);
    }
    decoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Weights in a row of the tests.
    const N: usize = 5;

    /// The last row and the third-last one, where there are such.
    fn related(row: usize) -> Vec<Related> {
        those_there([(row >= 1, 1, 200), (row >= 3, 3, 100)])
    }

    /// Reads so many rows of some weights each.
    fn read<const N: usize>(text: &str, count: usize) -> Result<Vec<[i16; N]>, String> {
        let mut rows = vec![[0; N]; count];
        super::read(text, rows.iter_mut(), related).map(|()| rows)
    }

    fn random_rows(count: usize, most: i16) -> Vec<[i16; N]> {
        let mut random = SmallRng::seed_from_u64(1);
        let mut row = || std::array::from_fn(|_| random.random_range(-most..=most));
        (0..count).map(|_| row()).collect()
    }

    #[test]
    fn rows_read_back_as_they_were_written() {
        let extremes = [[MAX_WEIGHT; N], [-MAX_WEIGHT; N]];
        for rows in [
            vec![],
            vec![[0; N]; 300],
            vec![[MAX_WEIGHT; N]; 300],
            vec![[-MAX_WEIGHT; N]; 300],
            extremes.repeat(300),
            random_rows(1000, 3),
            random_rows(1000, MAX_WEIGHT),
        ] {
            let text = write(rows.iter().copied(), related);
            assert!(read(&text, rows.len()).as_ref() == Ok(&rows));
        }
    }

    #[test]
    fn weights_that_are_too_large_are_cut() {
        let text = write([[i16::MAX, i16::MIN, 46, -46, 45]].into_iter(), related);
        assert_eq!(read(&text, 1), Ok(vec![[45, -45, 45, -45, 45]]));
    }

    #[test]
    fn texts_that_are_damaged_or_of_other_rows_are_refused() {
        let text = write(random_rows(40, 20).into_iter(), related);
        let damaged = Err(DAMAGED.to_owned());
        for count in [39, 41] {
            assert_eq!(read::<N>(&text, count), damaged);
        }
        for end in 0..text.len() {
            assert_eq!(read::<N>(&text[..end], 40), damaged);
        }
        for more in ["!", "!!", "~~", "!!!!!!"] {
            assert_eq!(read::<N>(&(text.clone() + more), 40), damaged);
        }
        let other_characters = ["\"", "?", "\\", " ", "\n", "\u{7f}", "é", "中"];
        for at in 0..text.len() {
            let changed = |other: &str| format!("{}{other}{}", &text[..at], &text[at + 1..]);
            for other in ('!'..='~').map(String::from) {
                let is_other = other != text[at..][..1];
                let found = read::<N>(&changed(&other), 40);
                assert_eq!(found.is_err(), is_other, "{other} at {at}");
            }
            for other in other_characters {
                let fault = read::<N>(&changed(other), 40).expect_err("damaged");
                assert!(fault.ends_with(": expected a character of coded weights"));
            }
        }
        // A difference of -64 from nothing.
        let mut encoder = Encoder::new(CONTEXTS);
        encoder.encode(8, 0);
        assert!(read::<1>(&encoder.finish(), 1).is_err());
    }
}
