//! Coding of network weights as text: each weight is coded as its difference from a prediction. [`write()`] encodes
//! rows of weights, and [`read`] decodes them.
//!
//! A row is predicted from reference rows: earlier rows, chosen by the caller, that are likely to be similar. The
//! prediction of a weight is the weighted mean of the reference rows' weights in the same column. The coding context is
//! the expected size of the difference. It is estimated from how much the reference rows differ and how large earlier
//! differences in this column were.

use super::coding::{DAMAGED, Decoder, Encoder, SYMBOLS};

/// Maximum absolute value of a network weight in the text format: the integer 45. In the hidden layer of the value
/// network it represents the weight 45/32, in that of the policy network 45/128. Greater weights are clamped to it when
/// they are written.
pub const MAX_WEIGHT: i16 = 45;

/// Reference row: an earlier row of network weights from which another row is predicted.
#[derive(Clone, Copy)]
pub struct ReferenceRow {
    /// Number of rows by which this row comes before the row that is predicted from it, in the order of the text. It is
    /// 1 for the row directly before the predicted row.
    pub distance: usize,
    /// Weight of this row in the weighted mean from which another row is predicted. The mean also contains the constant
    /// 0 with the weight 1. The weights of all reference rows of one predicted row, without that of the constant, may
    /// add up to at most 300; otherwise 16-bit sums could overflow.
    pub weight: i16,
}

/// Returns the reference rows (earlier rows of network weights from which a row is predicted) that exist. Each element
/// of `rows` is a possible reference row:
///
/// - first, whether the row exists; if not, it is left out
/// - second, its distance: how many rows it comes before the predicted row
/// - third, its coefficient in the weighted mean, see [`ReferenceRow::weight`]
pub fn existing_rows(rows: impl IntoIterator<Item = (bool, usize, i16)>) -> Vec<ReferenceRow> {
    let there = rows.into_iter().filter(|&(is_there, ..)| is_there);
    there
        .map(|(_, distance, weight)| ReferenceRow { distance, weight })
        .collect()
}

/// Number of coding contexts, which select the probability estimates of the arithmetic coder. The context of a network
/// weight is the expected absolute difference from its prediction, in steps of the integer weight, rounded down. The
/// expectation is computed from earlier rows. The last context, 11, also stands for all greater differences.
const CONTEXTS: usize = 12;

/// Weight of the constant 0 in the mean from which a network weight is predicted. It moves every prediction towards 0,
/// because most network weights are close to 0.
const ZERO_WEIGHT: i16 = 1;

/// Binary logarithm of 16, the number of rows over which the absolute differences between network weights and their
/// predictions are averaged. The averages are stored as integers, in units of 1/16.
const WINDOW_LOG2: u32 = 4;

/// Moving average of the absolute differences between network weights and their predictions, before the first row: 8,
/// stored in units of 1 / 2^[`WINDOW_LOG2`].
const INITIAL_DIFFERENCE: i16 = 8 << WINDOW_LOG2;

/// Symbol of the arithmetic coder for a network weight that equals its prediction: 64. If the weight exceeds the
/// prediction by `d`, which may be negative, the symbol is `d + NO_DIFFERENCE`, modulo 128.
const NO_DIFFERENCE: i16 = SYMBOLS as i16 / 2;

/// Predictor of rows of network weights. It contains the rows coded so far, from which it predicts the next one. `N` is
/// the number of weights in a row.
struct Predictor<const N: usize> {
    rows: Vec<[i16; N]>,
    /// For each column, the moving average of the absolute differences between the weights and their predictions in the
    /// rows coded so far, in units of 1 / 2^[`WINDOW_LOG2`].
    differences: [i16; N],
}

/// Prediction of a row of network weights: the predicted weights, and a coding context for each. The context, from 0 to
/// 11, is the expected absolute difference between the actual weight and its prediction; 11 also stands for greater
/// differences.
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

    /// Predicts the next row of network weights from `references`, the earlier rows that are likely to be similar. Each
    /// predicted weight is a weighted mean of their weights in the same column. Also returns the coding contexts: how
    /// large the difference between each weight and its prediction will probably be.
    fn predict(&self, references: &[ReferenceRow]) -> Prediction<N> {
        let total_weight = ZERO_WEIGHT + references.iter().map(|row| row.weight).sum::<i16>();
        let weights = self.sums(references, |_, weight| weight);
        let weights = weights.map(|sum| scaled_quotient(sum + total_weight / 2, total_weight, 0));
        let spreads = self.sums(references, |at, weight| (weight - weights[at]).abs());
        let contexts = std::array::from_fn(|column| {
            let spread = scaled_quotient(spreads[column], total_weight, WINDOW_LOG2);
            let typical = (spread + self.differences[column]) >> (WINDOW_LOG2 + 1);
            typical.min(CONTEXTS as i16 - 1) as u8
        });
        Prediction { weights, contexts }
    }

    /// Returns, for each column, the sum of `reference.weight · value(column, w)` over `references`, the earlier rows
    /// from which the next row is predicted. In this formula, `w` is the network weight that the earlier row has in the
    /// column. The caller must make sure that no sum overflows an `i16`.
    #[inline]
    fn sums(&self, references: &[ReferenceRow], value: impl Fn(usize, i16) -> i16) -> [i16; N] {
        let mut sums = [0; N];
        for reference in references {
            let row = &self.rows[self.rows.len() - reference.distance];
            for ((column, sum), &weight) in sums.iter_mut().enumerate().zip(row) {
                *sum += reference.weight * value(column, weight);
            }
        }
        sums
    }

    /// Appends an actual row of network weights, and updates each column's moving average of the differences between
    /// weights and predictions. `prediction` is what [`Predictor::predict`] returned for this row.
    fn push(&mut self, row: [i16; N], prediction: &Prediction<N>) {
        let weights = row.iter().zip(prediction.weights);
        for (average, (weight, prediction)) in self.differences.iter_mut().zip(weights) {
            *average += (weight - prediction).abs() - (*average >> WINDOW_LOG2);
        }
        self.rows.push(row);
    }
}

/// Returns approximately `sum / total_weight`, in units of 1 / 2^`bits`, rounded down to an integer. `total_weight` is
/// from 1 to 301. Before rounding, the result is closer to zero than the exact quotient by at most 1 %. Multiplies by a
/// reciprocal instead of dividing, because compilers do not use vector instructions for integer divisions.
#[inline]
fn scaled_quotient(sum: i16, total_weight: i16, bits: u32) -> i16 {
    let reciprocal = i16::MAX / total_weight;
    ((i32::from(sum) * i32::from(reciprocal)) >> (15 - bits)) as i16
}

/// Encodes rows of network weights as text. The function `references` returns, for the index of a row, its reference
/// rows: earlier rows that are likely to be similar, and from which the row is predicted. Weights outside ±
/// [`MAX_WEIGHT`] are clamped to this range.
#[must_use]
pub fn write<const N: usize>(
    rows: impl Iterator<Item = [i16; N]>,
    references: impl Fn(usize) -> Vec<ReferenceRow>,
) -> String {
    let mut predictor = Predictor::new();
    let mut encoder = Encoder::new(CONTEXTS);
    for (number, row) in rows.enumerate() {
        let row = row.map(|weight| weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
        let prediction = predictor.predict(&references(number));
        for (column, weight) in row.iter().enumerate() {
            // The symbol is the difference between the weight and its prediction, plus 64 (`NO_DIFFERENCE`), modulo 128
            // (`SYMBOLS`). The decoder can still determine the weight, because weights are limited to −45 to 45, which
            // are fewer than 128 numbers.
            let symbol = weight - prediction.weights[column] + NO_DIFFERENCE;
            let symbol = symbol.rem_euclid(SYMBOLS as i16);
            encoder.encode(prediction.contexts[column].into(), symbol as usize);
        }
        predictor.push(row, &prediction);
    }
    encoder.finish()
}

/// Decodes network weights from `text` and stores them in `rows`, in the order in which [`write()`] encoded the rows.
/// `references(i)` returns the reference rows of row `i`, which are earlier rows from which row `i` is predicted. It
/// must return the same as for [`write()`].
///
/// # Errors
/// If `text` does not encode exactly as many rows as `rows` yields, is damaged, or contains a character that no encoder
/// writes.
// `rows` and `references` are trait objects, so that the bot's file contains this function once, not for each network.
pub fn read<const N: usize>(
    text: &str,
    rows: &mut dyn Iterator<Item = &mut [i16; N]>,
    references: &dyn Fn(usize) -> Vec<ReferenceRow>,
) -> Result<(), String> {
    let mut predictor = Predictor::new();
    let mut decoder = Decoder::new(CONTEXTS, text)?;
    for (number, row) in rows.enumerate() {
        let prediction = predictor.predict(&references(number));
        *row = std::array::from_fn(|column| {
            let symbol = decoder.decode(prediction.contexts[column].into()) as i16;
            (prediction.weights[column] + symbol).rem_euclid(SYMBOLS as i16) - NO_DIFFERENCE
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

    /// Number of weights in each row of the tests.
    const N: usize = 5;

    /// Returns the reference rows that the tests use to predict the row with index `row`: the rows one and three places
    /// before it, if they exist.
    fn references(row: usize) -> Vec<ReferenceRow> {
        existing_rows([(row >= 1, 1, 200), (row >= 3, 3, 100)])
    }

    /// Decodes `count` rows of `N` network weights from `text`. The rows must have been encoded with the function
    /// `references` of these tests.
    fn read<const N: usize>(text: &str, count: usize) -> Result<Vec<[i16; N]>, String> {
        let mut rows = vec![[0; N]; count];
        super::read(text, &mut rows.iter_mut(), &references).map(|()| rows)
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
            let text = write(rows.iter().copied(), references);
            assert!(read(&text, rows.len()).as_ref() == Ok(&rows));
        }
    }

    #[test]
    fn weights_out_of_range_are_clamped() {
        let text = write([[i16::MAX, i16::MIN, 46, -46, 45]].into_iter(), references);
        assert_eq!(read(&text, 1), Ok(vec![[45, -45, 45, -45, 45]]));
    }

    #[test]
    fn damaged_texts_are_rejected() {
        let text = write(random_rows(40, 20).into_iter(), references);
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
        // Encode a weight that is out of range. In the first row, every prediction is 0, and a symbol stands for the
        // weight plus 64. So the symbol 0 stands for −64, which is less than −`MAX_WEIGHT` (−45), and the text must be
        // rejected.
        let mut encoder = Encoder::new(CONTEXTS);
        encoder.encode(8, 0);
        assert!(read::<1>(&encoder.finish(), 1).is_err());
    }
}
