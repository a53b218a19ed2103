//! Adaptive binary arithmetic coder: [`Encoder`] writes symbols as short printable text, and [`Decoder`] reads it.
//!
//! The coder is similar to lpaq1 (Mahoney 2007). A symbol is coded bit by bit, the highest bit first. The model of a
//! bit depends on the earlier bits of the symbol and on a context chosen by the caller. It estimates the bit's
//! probability from the bits coded so far.
//!
//! The coder narrows an interval of numbers with every bit. The text is the lower end of the last interval, so that a
//! sequence of symbols has exactly one text. The decoder checks that the text is this number, and so detects most
//! damage, as with a checksum.

use std::hint::select_unpredictable;

/// Number of bits of a symbol, the integer that the arithmetic coder encodes in one call.
const SYMBOL_BITS: u32 = 7;

/// Number of different symbols of the arithmetic coder. A symbol is an integer from 0 to 127, which [`Encoder::encode`]
/// encodes in one call.
pub const SYMBOLS: usize = 1 << SYMBOL_BITS;

/// Number of bits of a digit. The arithmetic coder writes its output in digits, each as two characters from an alphabet
/// of 91 characters. This is possible because 2^13 ≤ 91².
const DIGIT_BITS: u32 = 13;

/// Number of 13-bit digits of each bound of the arithmetic coder's interval (`low` and `high`), thus 39 bits.
const DIGITS: u32 = 3;

/// Maximum value of a bound of the arithmetic coder's interval (`low` or `high`): 2^39 − 1.
const MAX_NUMBER: u64 = (1 << (DIGITS * DIGIT_BITS)) - 1;

/// Maximum value of a digit, 8191. The arithmetic coder writes its output in digits of 13 bits.
const MAX_DIGIT: u64 = (1 << DIGIT_BITS) - 1;

/// Characters in which the arithmetic coder writes its output; the index of a character is its value, from 0 to 90.
/// There is no quotation mark, no backslash and no question mark, so that the text can be put into a string literal
/// (`??` begins a trigraph in C++).
const ALPHABET: &[u8; 91] =
    b"!#$%&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// Value, from 0 to 90, of each byte as a character of the coded text, see [`ALPHABET`]. Bytes that are not in the
/// alphabet have the value [`NOT_IN_ALPHABET`].
const ALPHABET_INDEX: [u8; 256] = {
    let mut numbers = [NOT_IN_ALPHABET; 256];
    let mut number = 0;
    while number < ALPHABET.len() {
        numbers[ALPHABET[number] as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// Value in [`ALPHABET_INDEX`] of a byte that is not in the alphabet.
const NOT_IN_ALPHABET: u8 = u8::MAX;

/// Error message for a text of coded network weights that is incomplete, or that no [`Encoder`] can have written.
pub const DAMAGED: &str = "the coded weights are cut or damaged";

/// Adaptive estimate of the probability that the next bit is 1, from the earlier bits with the same context. The
/// estimate is the mean of two exponential moving averages: `fast` follows recent bits faster than `slow`. Both are in
/// units of 1 / 65536.
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

    /// Returns the estimated probability that the next bit is 1, in units of 1 / 65536. It is the mean of the two
    /// moving averages.
    #[inline]
    fn probability(self) -> u64 {
        (u64::from(self.fast) + u64::from(self.slow)) / 2
    }

    /// Updates the probability estimate after a bit, once the value of this bit is known. Moves each of the two moving
    /// averages towards the bit, by 1/32 (`fast`) or 1/128 (`slow`) of the difference.
    #[inline]
    fn update(&mut self, bit: bool) {
        self.fast = moving_average::<5>(self.fast, bit);
        self.slow = moving_average::<7>(self.slow, bit);
    }
}

/// Returns the exponential moving average of bits that results from `average` and one more bit, in units of 1 / 65536.
/// The new bit has the weight 1 / 2^`SHIFT`.
#[inline]
fn moving_average<const SHIFT: u32>(average: u16, bit: bool) -> u16 {
    // The moving average is a probability in units of 1 / 65536. After many 1 bits, it is close to 65535, but at least
    // `2^SHIFT − 1` below it, because the right shift rounds down. For symmetry, a 0 bit moves the average towards
    // `2^SHIFT − 1` and not towards 0.
    let target = select_unpredictable(bit, i32::from(u16::MAX), (1 << SHIFT) - 1);
    let average = i32::from(average);
    (average + ((target - average) >> SHIFT)) as u16
}

/// Probability estimates for all bits of a symbol (integer from 0 to 127) in one coding context. The index of a bit's
/// estimate is a 1 bit followed by the symbol's earlier bits: binary 1 for the first bit, binary 101 after the bits 0
/// and 1.
type SymbolModel = [BitModel; SYMBOLS];

/// Current interval of the arithmetic coder, from `low` to `high`, both inclusive. It narrows with each coded bit. When
/// `low` and `high` have the same leading 13-bit digit, this digit is final: it is appended to the text and removed
/// from both.
struct Interval {
    low: u64,
    high: u64,
}

impl Interval {
    const ALL: Interval = Interval {
        low: 0,
        high: MAX_NUMBER,
    };

    /// Divides the interval into a lower part, which stands for a 1 bit, and an upper part, which stands for a 0 bit.
    /// Returns the highest number of the lower part. The size of this part is proportional to the probability of a 1
    /// bit; the upper part is never empty.
    #[inline]
    fn split(&self, model: BitModel) -> u64 {
        self.low + (((self.high - self.low) * model.probability()) >> u16::BITS)
    }

    /// Narrows the interval after a bit was coded: to its lower part, up to and including `middle`, if `bit` is 1,
    /// otherwise to its upper part, above `middle`.
    #[inline]
    fn narrow(&mut self, bit: bool, middle: u64) {
        self.low = select_unpredictable(bit, self.low, middle + 1);
        self.high = select_unpredictable(bit, middle, self.high);
    }

    /// Removes the leading 13-bit digit of both `low` and `high` if it is the same, and returns this digit. If it
    /// differs, returns `None` and changes nothing.
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

/// Returns the first (most significant) digit of `number`, which has [`DIGITS`] digits of 13 bits.
#[inline]
fn first_digit(number: u64) -> u64 {
    number >> ((DIGITS - 1) * DIGIT_BITS)
}

/// Removes the leading 13-bit digit of `number`, appends `digit` at its end, and returns the result. The number of
/// digits, [`DIGITS`], stays the same.
#[inline]
fn shift_in(number: u64, digit: u64) -> u64 {
    number << DIGIT_BITS & MAX_NUMBER | digit
}

/// Arithmetic encoder, which encodes a sequence of symbols (integers from 0 to 127) as text. Call [`Encoder::encode`]
/// for each symbol, then [`Encoder::finish`], which returns the text.
pub struct Encoder {
    /// One model for each context, which estimates the probabilities of the symbol's bits in this context. The index is
    /// the argument `context` of [`Encoder::encode`].
    models: Vec<SymbolModel>,
    interval: Interval,
    text: String,
}

impl Encoder {
    /// Creates an encoder that has not yet encoded a symbol. `contexts` is the number of different coding contexts.
    #[must_use]
    pub fn new(contexts: usize) -> Encoder {
        Encoder {
            models: vec![[BitModel::EVEN; SYMBOLS]; contexts],
            interval: Interval::ALL,
            text: String::new(),
        }
    }

    /// Encodes a symbol from 0 to 127. `context` selects the probability estimates for its bits; the decoder must use
    /// the same context for this symbol.
    ///
    /// # Panics
    /// If `context` or `symbol` is out of range.
    pub fn encode(&mut self, context: usize, symbol: usize) {
        assert!(symbol < SYMBOLS, "symbol {symbol}");
        let mut before = 1;
        for place in (0..SYMBOL_BITS).rev() {
            let bit = symbol >> place & 1;
            let model = &mut self.models[context][before];
            self.interval.narrow(bit == 1, self.interval.split(*model));
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

/// Arithmetic decoder, which decodes the text of an [`Encoder`]. Call [`Decoder::decode`] for each symbol, in the order
/// in which the symbols were encoded, then [`Decoder::finish`], which checks the text.
pub struct Decoder {
    /// One model for each context, which estimates the probabilities of the symbol's bits in this context. The index is
    /// the argument `context` of [`Decoder::decode`].
    models: Vec<SymbolModel>,
    interval: Interval,
    /// The last [`DIGITS`] digits read from the text, as one number. Its position in `interval` determines the next
    /// bit. If the text is undamaged, it is never outside the interval.
    number: u64,
    digits: Vec<u16>,
    /// Number of 13-bit digits read from the text so far. After the end of the text, zeros are read, and these count,
    /// too.
    digits_read: usize,
}

impl Decoder {
    /// Creates a decoder before the first symbol of `text`. `contexts` must be the number that was passed to
    /// [`Encoder::new`].
    ///
    /// # Errors
    /// If `text` contains a character outside the encoder's alphabet, has an odd number of characters, or contains a
    /// pair of characters that no encoder writes.
    pub fn new(contexts: usize, text: &str) -> Result<Decoder, String> {
        let mut decoder = Decoder {
            models: vec![[BitModel::EVEN; SYMBOLS]; contexts],
            interval: Interval::ALL,
            number: 0,
            digits: read_digits(text)?,
            digits_read: 0,
        };
        for _ in 0..DIGITS {
            decoder.read_digit();
        }
        Ok(decoder)
    }

    /// Decodes the next symbol, given the context in which it was encoded. If the text is damaged, the symbol is
    /// arbitrary; [`finish`](Decoder::finish) then returns an error.
    ///
    /// # Panics
    /// If `context` is out of range.
    #[inline]
    pub fn decode(&mut self, context: usize) -> usize {
        let mut before = 1;
        while before < SYMBOLS {
            let model = &mut self.models[context][before];
            let middle = self.interval.split(*model);
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

    /// Removes the leading 13-bit digit of `number` and appends the next digit of the text. After the end of the text,
    /// appends the digit 0.
    fn read_digit(&mut self) {
        let digit = self.digits.get(self.digits_read).copied().unwrap_or(0);
        self.number = shift_in(self.number, digit.into());
        self.digits_read += 1;
    }

    /// Checks that the text is undamaged and that all of its symbols have been decoded. Must be called after decoding
    /// the last symbol.
    ///
    /// # Errors
    /// If encoding the decoded symbols would not result in exactly this text.
    pub fn finish(self) -> Result<(), String> {
        if self.digits_read == self.digits.len() && self.number == self.interval.low {
            Ok(())
        } else {
            Err(DAMAGED.to_owned())
        }
    }
}

/// Appends a 13-bit digit to `text` as two characters of [`ALPHABET`]: the digit divided by 91, then the remainder.
fn write_digit(text: &mut String, digit: u64) {
    let base = ALPHABET.len();
    for number in [digit as usize / base, digit as usize % base] {
        text.push(ALPHABET[number].into());
    }
}

/// Converts a text to 13-bit digits; each digit is two characters.
///
/// # Errors
/// If a character is not in [`ALPHABET`], the number of characters is odd, or a digit exceeds [`MAX_DIGIT`].
fn read_digits(text: &str) -> Result<Vec<u16>, String> {
    let number = |byte: u8| ALPHABET_INDEX[usize::from(byte)];
    if let Some(other) = text
        .chars()
        .find(|&other| u8::try_from(other).map_or(NOT_IN_ALPHABET, number) == NOT_IN_ALPHABET)
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
