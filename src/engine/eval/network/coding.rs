//! Symbols as short printable text: an adaptive arithmetic coder.
//!
//! A symbol is coded bit by bit, the highest first. The chance of a bit depends on the bits before it and on a context,
//! which the caller chooses by what it has coded already. Chances begin even and follow the bits that come. Bits narrow an
//! interval of numbers, as in lpaq1 (Mahoney 2007). Its digits are of 13 bits, and two characters stand for one.
//!
//! A text ends with the lower end of the last interval. So just one text stands for some symbols in some contexts, and a
//! changed text is found out as by a checksum.

use std::hint::select_unpredictable;

/// Bits of a symbol.
const SYMBOL_BITS: u32 = 7;

/// Number of different symbols.
pub const SYMBOLS: usize = 1 << SYMBOL_BITS;

/// Bits of a digit.
const DIGIT_BITS: u32 = 13;

/// Digits of the ends of the interval.
const DIGITS: u32 = 3;

/// The largest number of so many digits.
const WHOLE: u64 = (1 << (DIGITS * DIGIT_BITS)) - 1;

/// The largest digit.
const LAST_DIGIT: u64 = (1 << DIGIT_BITS) - 1;

/// The characters that stand for numbers from 0 on, the higher one of a digit's two first. Printable ones are left out that
/// source code escapes: quotation mark and backslash, and the question mark, two of which begin a trigraph in C.
const CHARACTERS: &[u8; 91] =
    b"!#$%&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// The numbers that bytes stand for; [`NONE`] for all other bytes.
const NUMBERS: [u8; 256] = {
    let mut numbers = [NONE; 256];
    let mut number = 0;
    while number < CHARACTERS.len() {
        numbers[CHARACTERS[number] as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// A byte that stands for no number.
const NONE: u8 = u8::MAX;

/// What is said of a text that no [`Encoder`] wrote.
pub const DAMAGED: &str = "the coded weights are cut or damaged";

/// The chance that a bit is set, in 1 / 65536: the mean of a fast and a slow moving average of the bits so far.
#[derive(Clone, Copy)]
struct Chance {
    fast: u16,
    slow: u16,
}

impl Chance {
    const EVEN: Chance = Chance {
        fast: 1 << 15,
        slow: 1 << 15,
    };

    /// The chance.
    #[inline]
    fn get(self) -> u64 {
        (u64::from(self.fast) + u64::from(self.slow)) / 2
    }

    /// Moves the averages towards a bit.
    #[inline]
    fn follow(&mut self, bit: bool) {
        self.fast = moved::<5>(self.fast, bit);
        self.slow = moved::<7>(self.slow, bit);
    }
}

/// A moving average after one more bit, whose share is 1 / 2^`SHIFT`.
#[inline]
fn moved<const SHIFT: u32>(average: u16, bit: bool) -> u16 {
    // Shifts round down: this target keeps averages as far from 0 as from the maximum.
    let target = select_unpredictable(bit, i32::from(u16::MAX), (1 << SHIFT) - 1);
    let average = i32::from(average);
    (average + ((target - average) >> SHIFT)) as u16
}

/// The chances of the bits of a symbol, by the bits before with a leading 1.
type Chances = [Chance; SYMBOLS];

/// Numbers from `low` to `high`. Digits that all of them share are taken away as soon as there are any.
struct Interval {
    low: u64,
    high: u64,
}

impl Interval {
    const ALL: Interval = Interval {
        low: 0,
        high: WHOLE,
    };

    /// The last number that stands for a set bit. It is never `high`, so either bit has a number.
    #[inline]
    fn middle(&self, chance: Chance) -> u64 {
        self.low + (((self.high - self.low) * chance.get()) >> u16::BITS)
    }

    /// Keeps the numbers that stand for a bit.
    #[inline]
    fn keep(&mut self, bit: bool, middle: u64) {
        self.low = select_unpredictable(bit, self.low, middle + 1);
        self.high = select_unpredictable(bit, middle, self.high);
    }

    /// Takes the first digit away if all numbers share it.
    #[inline]
    fn shared_digit(&mut self) -> Option<u64> {
        let digit = first_digit(self.low);
        if digit != first_digit(self.high) {
            return None;
        }
        self.low = followed(self.low, 0);
        self.high = followed(self.high, LAST_DIGIT);
        Some(digit)
    }
}

/// The first digit of a number.
#[inline]
fn first_digit(number: u64) -> u64 {
    number >> ((DIGITS - 1) * DIGIT_BITS)
}

/// A number without its first digit, and with one more behind.
#[inline]
fn followed(number: u64, digit: u64) -> u64 {
    number << DIGIT_BITS & WHOLE | digit
}

/// Writes symbols.
pub struct Encoder {
    /// By context.
    chances: Vec<Chances>,
    interval: Interval,
    text: String,
}

impl Encoder {
    /// Begins a text of symbols in contexts from 0 to below `contexts`.
    #[must_use]
    pub fn new(contexts: usize) -> Encoder {
        Encoder {
            chances: vec![[Chance::EVEN; SYMBOLS]; contexts],
            interval: Interval::ALL,
            text: String::new(),
        }
    }

    /// Appends a symbol.
    ///
    /// # Panics
    /// If the context or the symbol is too large.
    pub fn encode(&mut self, context: usize, symbol: usize) {
        assert!(symbol < SYMBOLS, "symbol {symbol}");
        let mut before = 1;
        for place in (0..SYMBOL_BITS).rev() {
            let bit = symbol >> place & 1;
            let chance = &mut self.chances[context][before];
            self.interval.keep(bit == 1, self.interval.middle(*chance));
            chance.follow(bit == 1);
            while let Some(digit) = self.interval.shared_digit() {
                write_digit(&mut self.text, digit);
            }
            before = before * 2 + bit;
        }
    }

    /// Ends the text.
    #[must_use]
    pub fn finish(mut self) -> String {
        for _ in 0..DIGITS {
            write_digit(&mut self.text, first_digit(self.interval.low));
            self.interval.low = followed(self.interval.low, 0);
        }
        self.text
    }
}

/// Reads symbols in the order in which they were written.
pub struct Decoder {
    /// By context.
    chances: Vec<Chances>,
    interval: Interval,
    /// The number in the interval that the text stands for, as far as it was read.
    number: u64,
    digits: Vec<u16>,
    /// Digits read so far.
    at: usize,
}

impl Decoder {
    /// Begins to read a text of symbols in contexts from 0 to below `contexts`.
    ///
    /// # Errors
    /// If a text has other characters than an [`Encoder`] writes.
    pub fn new(contexts: usize, text: &str) -> Result<Decoder, String> {
        let mut decoder = Decoder {
            chances: vec![[Chance::EVEN; SYMBOLS]; contexts],
            interval: Interval::ALL,
            number: 0,
            digits: read_digits(text)?,
            at: 0,
        };
        for _ in 0..DIGITS {
            decoder.read_on();
        }
        Ok(decoder)
    }

    /// The next symbol. In a damaged text it is any symbol: [`finish`](Decoder::finish) tells.
    ///
    /// # Panics
    /// If the context is too large.
    #[inline]
    pub fn decode(&mut self, context: usize) -> usize {
        let mut before = 1;
        while before < SYMBOLS {
            let chance = &mut self.chances[context][before];
            let middle = self.interval.middle(*chance);
            let bit = self.number <= middle;
            self.interval.keep(bit, middle);
            chance.follow(bit);
            while self.interval.shared_digit().is_some() {
                self.read_on();
            }
            before = before * 2 + usize::from(bit);
        }
        before - SYMBOLS
    }

    /// Takes one more digit into the number, 0 behind the end of the text.
    fn read_on(&mut self) {
        let digit = self.digits.get(self.at).copied().unwrap_or(0);
        self.number = followed(self.number, digit.into());
        self.at += 1;
    }

    /// Ends reading.
    ///
    /// # Errors
    /// If the text is not that of the symbols that were read: it is shorter or longer, or damaged.
    pub fn finish(self) -> Result<(), String> {
        if self.at == self.digits.len() && self.number == self.interval.low {
            Ok(())
        } else {
            Err(DAMAGED.to_owned())
        }
    }
}

/// Appends the characters of a digit.
fn write_digit(text: &mut String, digit: u64) {
    let base = CHARACTERS.len();
    for number in [digit as usize / base, digit as usize % base] {
        text.push(CHARACTERS[number].into());
    }
}

/// The digits of a text.
fn read_digits(text: &str) -> Result<Vec<u16>, String> {
    let number = |byte: u8| NUMBERS[usize::from(byte)];
    if let Some(other) = text
        .chars()
        .find(|&other| u8::try_from(other).map_or(NONE, number) == NONE)
    {
        return Err(format!("{other:?}: expected a character of coded weights"));
    }
    let (pairs, rest) = text.as_bytes().as_chunks();
    let digits = pairs.iter().map(|pair| {
        let [high, low] = pair.map(|byte| u16::from(number(byte)));
        high * CHARACTERS.len() as u16 + low
    });
    let digits: Vec<u16> = digits.collect();
    if !rest.is_empty() || digits.iter().any(|&digit| u64::from(digit) > LAST_DIGIT) {
        return Err(DAMAGED.to_owned());
    }
    Ok(digits)
}
