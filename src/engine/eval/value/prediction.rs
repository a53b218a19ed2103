//! Coding of weight rows as text: each weight is coded as its difference from a prediction.
//!
//! The prediction is the weighted mean of the weights in the same column of related rows, which come earlier in the
//! text. The context of a difference is its expected size, estimated from two numbers: how much the related weights
//! differ, and how large the column's recent differences were. The coding works for any row length and any choice of
//! related rows.

use super::coding::{DAMAGED, Decoder, Encoder, SYMBOLS};

/// Maximum absolute network weight that can be coded.
pub const MAX_WEIGHT: i16 = 45;

/// An earlier row from which a row is predicted.
#[derive(Clone, Copy)]
pub struct Related {
    /// Number of rows by which this row precedes the predicted row; at least 1.
    pub distance: usize,
    /// Weight of this row in the prediction's weighted mean. The weights of all related rows add up to at most 300, so
    /// that sums fit into 16 bits.
    pub weight: i16,
}

/// Selects the related rows that exist, from triples of a condition, [`Related::distance`] and [`Related::weight`].
pub fn existing(rows: impl IntoIterator<Item = (bool, usize, i16)>) -> Vec<Related> {
    let there = rows.into_iter().filter(|&(is_there, ..)| is_there);
    there
        .map(|(_, distance, weight)| Related { distance, weight })
        .collect()
}

/// Number of coding contexts: one for each expected size of a difference from 0 to 10, and one for 11 or more.
const CONTEXTS: usize = 12;

/// Weight of an additional 0 in every prediction's weighted mean, because network weights tend to be small.
const ZERO_WEIGHT: i16 = 1;

/// Binary logarithm of the moving averages' window, in rows; also the number of their fractional bits.
const WINDOW_LOG2: u32 = 4;

/// Initial value of the moving averages of absolute differences: a difference of 8.
const INITIAL_DIFFERENCE: i16 = 8 << WINDOW_LOG2;

/// Symbol that stands for a difference of 0.
const NO_DIFFERENCE: i16 = SYMBOLS as i16 / 2;

/// Rows that have been coded, with the statistics from which the next row is predicted. `N` is the length of a row.
struct Predictor<const N: usize> {
    rows: Vec<[i16; N]>,
    /// Moving averages of the absolute differences between weight and prediction, by column, in units of 1 /
    /// 2^[`WINDOW_LOG2`].
    differences: [i16; N],
}

/// Prediction of a row: its weights, and the coding context of each difference.
struct Prediction<const N: usize> {
    weights: [i16; N],
    contexts: [u8; N],
}

impl<const N: usize> Predictor<N> {
    fn new() -> Predictor<N> {
        Predictor {
            rows: Vec::new(),
            differences: [INITIAL_DIFFERENCE; N],
        }
    }

    /// Predicts the next row of the text from its related rows, so that only the differences are stored.
    fn predict(&self, related: &[Related]) -> Prediction<N> {
        let total_weight = ZERO_WEIGHT + related.iter().map(|related| related.weight).sum::<i16>();
        let weights = self.sums(related, |_, weight| weight);
        let weights = weights.map(|sum| scaled_quotient(sum + total_weight / 2, total_weight, 0));
        let spreads = self.sums(related, |at, weight| (weight - weights[at]).abs());
        let contexts = std::array::from_fn(|at| {
            let spread = scaled_quotient(spreads[at], total_weight, WINDOW_LOG2);
            let typical = (spread + self.differences[at]) >> (WINDOW_LOG2 + 1);
            typical.min(CONTEXTS as i16 - 1) as u8
        });
        Prediction { weights, contexts }
    }

    /// Returns, for each column, the sum over the related rows of `related.weight · value(column, weight)`, `weight`
    /// being the row's weight in that column.
    #[inline]
    fn sums(&self, related: &[Related], value: impl Fn(usize, i16) -> i16) -> [i16; N] {
        let mut sums = [0; N];
        for related in related {
            let row = &self.rows[self.rows.len() - related.distance];
            for ((at, sum), &weight) in sums.iter_mut().enumerate().zip(row) {
                *sum += related.weight * value(at, weight);
            }
        }
        sums
    }

    /// Appends a coded row and updates the moving averages with the errors of its `prediction`.
    fn push(&mut self, row: [i16; N], prediction: &Prediction<N>) {
        let weights = row.iter().zip(prediction.weights);
        for (average, (weight, prediction)) in self.differences.iter_mut().zip(weights) {
            *average += (weight - prediction).abs() - (*average >> WINDOW_LOG2);
        }
        self.rows.push(row);
    }
}

/// Returns approximately `sum / total_weight` in units of 1 / 2^`bits`, rounded down. Multiplying by a reciprocal lets
/// the compiler vectorise the division.
#[inline]
fn scaled_quotient(sum: i16, total_weight: i16, bits: u32) -> i16 {
    let reciprocal = i16::MAX / total_weight;
    ((i32::from(sum) * i32::from(reciprocal)) >> (15 - bits)) as i16
}

/// Encodes rows of network weights as text. `related` returns the related rows of the row with a given index. Weights
/// are clamped to ± [`MAX_WEIGHT`].
#[must_use]
pub fn write<const N: usize>(
    rows: impl Iterator<Item = [i16; N]>,
    related: impl Fn(usize) -> Vec<Related>,
) -> String {
    let mut predictor = Predictor::new();
    let mut encoder = Encoder::new(CONTEXTS);
    for (number, row) in rows.enumerate() {
        let row = row.map(|weight| weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
        let prediction = predictor.predict(&related(number));
        for (at, weight) in row.iter().enumerate() {
            // Differences are coded modulo 128. Weights span only 91 values, so the decoder can tell which difference
            // is meant.
            let symbol = weight - prediction.weights[at] + NO_DIFFERENCE;
            let symbol = symbol.rem_euclid(SYMBOLS as i16);
            encoder.encode(prediction.contexts[at].into(), symbol as usize);
        }
        predictor.push(row, &prediction);
    }
    encoder.finish()
}

/// Decodes network weights from `text` into `rows`. `related` must be the function that was passed to [`write`].
///
/// # Errors
/// If `text` does not encode exactly as many rows as `rows` yields, or contains a character that no encoder writes; the
/// message says which.
pub fn read<'a, const N: usize>(
    text: &str,
    rows: impl Iterator<Item = &'a mut [i16; N]>,
    related: impl Fn(usize) -> Vec<Related>,
) -> Result<(), String> {
    let mut predictor = Predictor::new();
    let mut decoder = Decoder::new(CONTEXTS, text)?;
    for (number, row) in rows.enumerate() {
        let prediction = predictor.predict(&related(number));
        *row = std::array::from_fn(|at| {
            let symbol = decoder.decode(prediction.contexts[at].into()) as i16;
            (prediction.weights[at] + symbol).rem_euclid(SYMBOLS as i16) - NO_DIFFERENCE
        });
        if row.iter().any(|weight: &i16| weight.abs() > MAX_WEIGHT) {
            return Err(DAMAGED.to_owned());
        }
        predictor.push(*row, &prediction);
    }
    decoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Number of weights in a row of the tests.
    const N: usize = 5;

    /// Relates a row to the last row and the third-last row, if these exist.
    fn related(row: usize) -> Vec<Related> {
        existing([(row >= 1, 1, 200), (row >= 3, 3, 100)])
    }

    /// Decodes `count` rows of `N` weights.
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
    fn weights_out_of_range_are_clamped() {
        let text = write([[i16::MAX, i16::MIN, 46, -46, 45]].into_iter(), related);
        assert_eq!(read(&text, 1), Ok(vec![[45, -45, 45, -45, 45]]));
    }

    #[test]
    fn damaged_texts_are_rejected() {
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
        // The difference −64 from a predicted 0 gives a weight out of range.
        let mut encoder = Encoder::new(CONTEXTS);
        encoder.encode(8, 0);
        assert!(read::<1>(&encoder.finish(), 1).is_err());
    }
}
