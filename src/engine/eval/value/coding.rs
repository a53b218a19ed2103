//! An adaptive binary arithmetic coder that writes symbols as short printable text.
//!
//! A symbol is coded bit by bit, the highest bit first. The probability of a bit depends on the symbol's earlier bits
//! and on a context that the caller chooses. The probability starts at one half and adapts to the bits coded so far.
//! Each bit narrows an interval, as in lpaq1 (Mahoney 2007). The interval's ends are numbers of 13-bit digits, each
//! written as two characters.
//!
//! The text ends with the lower end of the last interval. So exactly one text encodes a given sequence of symbols, and
//! the decoder detects most damage, as a checksum would.

use std::hint::select_unpredictable;

/// Number of bits of a coded symbol.
const SYMBOL_BITS: u32 = 7;

/// Number of different symbols: 0 to 127.
pub const SYMBOLS: usize = 1 << SYMBOL_BITS;

/// Number of bits of a digit, which the text holds as two characters: 2^13 ≤ 91².
const DIGIT_BITS: u32 = 13;

/// Number of 13-bit digits in each end of the coder's interval.
const DIGITS: u32 = 3;

/// Maximum value of an end of the interval: all [`DIGITS`] digits at their maximum.
const MAX_NUMBER: u64 = (1 << (DIGITS * DIGIT_BITS)) - 1;

/// Maximum value of a 13-bit digit.
const MAX_DIGIT: u64 = (1 << DIGIT_BITS) - 1;

/// Characters of the text, by the number from 0 to 90 that each stands for. Characters that source code must escape are
/// left out: quotation mark, backslash, and question mark, since two of these begin a trigraph in C++.
const ALPHABET: &[u8; 91] =
    b"!#$%&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// Number from 0 to 90 that each byte stands for, by [`ALPHABET`], or [`NONE`] for bytes that are not in the alphabet.
const ALPHABET_INDEX: [u8; 256] = {
    let mut numbers = [NONE; 256];
    let mut number = 0;
    while number < ALPHABET.len() {
        numbers[ALPHABET[number] as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// Entry of [`ALPHABET_INDEX`] for a byte that is not in the alphabet.
const NONE: u8 = u8::MAX;

/// Error message for a text that an [`Encoder`] cannot have written.
pub const DAMAGED: &str = "the coded weights are cut or damaged";

/// Estimated probability that a bit is 1, in units of 1 / 65536: the mean of a fast and a slow exponential moving
/// average of earlier bits.
#[derive(Clone, Copy)]
struct BitModel {
    fast: u16,
    slow: u16,
}

impl BitModel {
    const EVEN: BitModel = BitModel {
        fast: 1 << 15,
        slow: 1 << 15,
    };

    /// Returns the estimated probability that the next bit is 1, in units of 1 / 65536.
    #[inline]
    fn probability(self) -> u64 {
        (u64::from(self.fast) + u64::from(self.slow)) / 2
    }

    /// Moves both averages towards `bit`: the fast by 1/32, the slow by 1/128 of the difference.
    #[inline]
    fn update(&mut self, bit: bool) {
        self.fast = moving_average::<5>(self.fast, bit);
        self.slow = moving_average::<7>(self.slow, bit);
    }
}

/// Returns the exponential moving average `average` after one more bit, which has weight 1 / 2^`SHIFT`.
#[inline]
fn moving_average<const SHIFT: u32>(average: u16, bit: bool) -> u16 {
    // The shift rounds down, so the target for a 0 bit is above 0: averages stay as far from 0 as from the maximum.
    let target = select_unpredictable(bit, i32::from(u16::MAX), (1 << SHIFT) - 1);
    let average = i32::from(average);
    (average + ((target - average) >> SHIFT)) as u16
}

/// Probability estimates for all bits of a symbol in one context, indexed by the symbol's earlier bits with a leading
/// 1.
type SymbolModel = [BitModel; SYMBOLS];

/// The arithmetic coder's current interval, from `low` to `high`, both included. Leading digits that `low` and `high`
/// have in common are shifted out.
struct Interval {
    low: u64,
    high: u64,
}

impl Interval {
    const ALL: Interval = Interval {
        low: 0,
        high: MAX_NUMBER,
    };

    /// Returns the last number of the lower part of the interval, which stands for a 1 bit. It is always less than
    /// `high`, so the upper part, for a 0 bit, is not empty.
    #[inline]
    fn middle(&self, model: BitModel) -> u64 {
        self.low + (((self.high - self.low) * model.probability()) >> u16::BITS)
    }

    /// Narrows the interval to the part that stands for `bit`: up to `middle` for 1, above `middle` for 0.
    #[inline]
    fn narrow(&mut self, bit: bool, middle: u64) {
        self.low = select_unpredictable(bit, self.low, middle + 1);
        self.high = select_unpredictable(bit, middle, self.high);
    }

    /// Removes the leading digit from both ends and returns it, if both have the same; otherwise returns `None`.
    #[inline]
    fn take_shared_digit(&mut self) -> Option<u64> {
        let digit = first_digit(self.low);
        if digit != first_digit(self.high) {
            return None;
        }
        self.low = shift_in(self.low, 0);
        self.high = shift_in(self.high, MAX_DIGIT);
        Some(digit)
    }
}

/// Returns the leading of a number's [`DIGITS`] digits.
#[inline]
fn first_digit(number: u64) -> u64 {
    number >> ((DIGITS - 1) * DIGIT_BITS)
}

/// Returns `number` without its leading digit and with `digit` appended at the end.
#[inline]
fn shift_in(number: u64, digit: u64) -> u64 {
    number << DIGIT_BITS & MAX_NUMBER | digit
}

/// Encodes a sequence of symbols as text.
pub struct Encoder {
    /// Estimated probabilities of bits, by context number.
    models: Vec<SymbolModel>,
    interval: Interval,
    text: String,
}

impl Encoder {
    /// Creates an encoder for contexts from 0 to `contexts - 1`.
    #[must_use]
    pub fn new(contexts: usize) -> Encoder {
        Encoder {
            models: vec![[BitModel::EVEN; SYMBOLS]; contexts],
            interval: Interval::ALL,
            text: String::new(),
        }
    }

    /// Encodes one symbol, from 0 to 127, in the given context.
    ///
    /// # Panics
    /// If `context` or `symbol` is out of range.
    pub fn encode(&mut self, context: usize, symbol: usize) {
        assert!(symbol < SYMBOLS, "symbol {symbol}");
        let mut before = 1;
        for place in (0..SYMBOL_BITS).rev() {
            let bit = symbol >> place & 1;
            let model = &mut self.models[context][before];
            self.interval.narrow(bit == 1, self.interval.middle(*model));
            model.update(bit == 1);
            while let Some(digit) = self.interval.take_shared_digit() {
                write_digit(&mut self.text, digit);
            }
            before = before * 2 + bit;
        }
    }

    /// Ends the encoding and returns the complete text.
    #[must_use]
    pub fn finish(mut self) -> String {
        for _ in 0..DIGITS {
            write_digit(&mut self.text, first_digit(self.interval.low));
            self.interval.low = shift_in(self.interval.low, 0);
        }
        self.text
    }
}

/// Decodes the symbols of a text in the order in which they were encoded.
pub struct Decoder {
    /// Estimated probabilities of bits, by context number.
    models: Vec<SymbolModel>,
    interval: Interval,
    /// Number that the current [`DIGITS`] digits of the text form; it lies in the interval unless the text is damaged.
    number: u64,
    digits: Vec<u16>,
    /// Number of digits read so far, counting those past the end of the text.
    at: usize,
}

impl Decoder {
    /// Creates a decoder of `text` for contexts from 0 to `contexts - 1`.
    ///
    /// # Errors
    /// If `text` contains a character that an [`Encoder`] never writes, or a pair of characters that is not a digit.
    pub fn new(contexts: usize, text: &str) -> Result<Decoder, String> {
        let mut decoder = Decoder {
            models: vec![[BitModel::EVEN; SYMBOLS]; contexts],
            interval: Interval::ALL,
            number: 0,
            digits: read_digits(text)?,
            at: 0,
        };
        for _ in 0..DIGITS {
            decoder.read_digit();
        }
        Ok(decoder)
    }

    /// Decodes the next symbol, in the context in which it was encoded. A damaged text yields arbitrary symbols, which
    /// [`finish`](Decoder::finish) reports.
    ///
    /// # Panics
    /// If `context` is out of range.
    #[inline]
    pub fn decode(&mut self, context: usize) -> usize {
        let mut before = 1;
        while before < SYMBOLS {
            let model = &mut self.models[context][before];
            let middle = self.interval.middle(*model);
            let bit = self.number <= middle;
            self.interval.narrow(bit, middle);
            model.update(bit);
            while self.interval.take_shared_digit().is_some() {
                self.read_digit();
            }
            before = before * 2 + usize::from(bit);
        }
        before - SYMBOLS
    }

    /// Appends the next digit of the text to `number`, which loses its leading digit; past the end of the text, the
    /// digit is 0.
    fn read_digit(&mut self) {
        let digit = self.digits.get(self.at).copied().unwrap_or(0);
        self.number = shift_in(self.number, digit.into());
        self.at += 1;
    }

    /// Ends the decoding and checks that the text was complete and undamaged.
    ///
    /// # Errors
    /// If the text is not exactly the encoding of the symbols that were decoded.
    pub fn finish(self) -> Result<(), String> {
        if self.at == self.digits.len() && self.number == self.interval.low {
            Ok(())
        } else {
            Err(DAMAGED.to_owned())
        }
    }
}

/// Appends a digit to the text as two characters in base 91, the higher first.
fn write_digit(text: &mut String, digit: u64) {
    let base = ALPHABET.len();
    for number in [digit as usize / base, digit as usize % base] {
        text.push(ALPHABET[number].into());
    }
}

/// Converts a text of character pairs to its 13-bit digits.
///
/// # Errors
/// If a character is not in [`ALPHABET`], a pair stands for more than [`MAX_DIGIT`], or the last character has no
/// partner.
fn read_digits(text: &str) -> Result<Vec<u16>, String> {
    let number = |byte: u8| ALPHABET_INDEX[usize::from(byte)];
    if let Some(other) = text
        .chars()
        .find(|&other| u8::try_from(other).map_or(NONE, number) == NONE)
    {
        return Err(format!("{other:?}: expected a character of coded weights"));
    }
    let (pairs, rest) = text.as_bytes().as_chunks();
    let digits = pairs.iter().map(|pair| {
        let [high, low] = pair.map(|byte| u16::from(number(byte)));
        high * ALPHABET.len() as u16 + low
    });
    let digits: Vec<u16> = digits.collect();
    if !rest.is_empty() || digits.iter().any(|&digit| u64::from(digit) > MAX_DIGIT) {
        return Err(DAMAGED.to_owned());
    }
    Ok(digits)
}
