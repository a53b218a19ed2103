//! The text of a network: weights as printable characters, which any source file can hold.
//!
//! Lines that begin with `# ` are comments. A line for each phase follows, `phase` with bias, skip and weights of its
//! [`Output`] in decimal. All else is weights, a character each, whatever the lines' length: the hidden layer's biases by
//! number of arrows, then, kind by kind of those that occur, the rows of the 64 squares.

use super::{BIASES, HIDDEN, KINDS, MAX_OUTPUT, Network, Output, PHASES};
use crate::bitboard::NumberRow;

/// The character of the smallest weight. The characters that follow stand for larger ones.
const FIRST: u8 = b'#';

/// The character of the largest weight.
const LAST: u8 = b'~';

/// The one character between that is left out: in source code it is an escape.
const LEFT_OUT: u8 = b'\\';

/// The largest weight of a row; the smallest is its negative.
pub const MAX_WEIGHT: i16 = ((LAST - FIRST - 1) / 2) as i16;

/// How a comment begins.
pub(in crate::eval) const COMMENT: &str = "# ";

/// How the line of a phase begins.
const PHASE: &str = "phase ";

/// Weights in a line.
pub(in crate::eval) const LINE: usize = 120;

/// The kinds that occur.
pub(in crate::eval) fn kinds() -> impl Iterator<Item = usize> {
    (0..KINDS).filter(|kind| match (kind / 8, kind % 8) {
        (..=5, distance) => distance <= 5,
        (6, neighbours) => neighbours <= 5,
        (_, neighbours_or_arrow) => neighbours_or_arrow <= 6,
    })
}

/// Reads a network.
///
/// # Errors
/// If the text holds none; the message says what was expected.
pub fn parse(text: &str) -> Result<Network, String> {
    let mut outputs = Vec::new();
    let mut weights = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with(COMMENT)) {
        match line.strip_prefix(PHASE) {
            Some(numbers) => outputs.push(output(numbers)?),
            None => {
                for character in line.bytes() {
                    weights.push(weight(character)?);
                }
            }
        }
    }
    let found = outputs.len();
    let outputs = outputs
        .try_into()
        .map_err(|_| format!("{found} phases: expected {PHASES}"))?;
    let expected = HIDDEN * (BIASES + 64 * kinds().count());
    if weights.len() != expected {
        return Err(format!("{} weights: expected {expected}", weights.len()));
    }
    let mut rows = weights.as_chunks().0.iter().copied().map(NumberRow);
    let mut row = || rows.next().expect("as many as were counted");
    let biases = std::array::from_fn(|_| row());
    let mut table = vec![NumberRow([0; HIDDEN]); KINDS * 64];
    for kind in kinds() {
        table[kind * 64..][..64].fill_with(&mut row);
    }
    let table = table.into_boxed_slice();
    Ok(Network {
        table: table.try_into().expect("64 rows for each kind"),
        biases,
        outputs,
    })
}

/// Reads the numbers of a phase.
fn output(numbers: &str) -> Result<Output, String> {
    let fault = || {
        format!(
            "\"{PHASE}{numbers}\": expected bias, skip and {HIDDEN} weights from -{MAX_OUTPUT} to {MAX_OUTPUT}"
        )
    };
    let mut numbers = numbers.split(' ').map(str::parse::<i32>);
    let mut number = || numbers.next()?.ok();
    let (bias, skip) = number().zip(number()).ok_or_else(fault)?;
    let mut weights = [0; HIDDEN];
    for weight in &mut weights {
        *weight = number()
            .and_then(|number| i16::try_from(number).ok())
            .filter(|number| (-MAX_OUTPUT..=MAX_OUTPUT).contains(number))
            .ok_or_else(fault)?;
    }
    match numbers.next() {
        None => Ok(Output {
            weights,
            bias,
            skip,
        }),
        Some(_) => Err(fault()),
    }
}

/// The weight that a character stands for.
pub(in crate::eval) fn weight(character: u8) -> Result<i16, String> {
    match character {
        FIRST..=LAST if character != LEFT_OUT => {
            let place = character - FIRST - u8::from(character > LEFT_OUT);
            Ok(i16::from(place) - MAX_WEIGHT)
        }
        _ => Err(format!(
            "{:?}: expected the character of a weight",
            char::from(character)
        )),
    }
}

/// The character of a weight.
pub(in crate::eval) fn character(weight: i16) -> char {
    let place = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT) + MAX_WEIGHT;
    let character = FIRST + place as u8;
    char::from(character + u8::from(character >= LEFT_OUT))
}

/// The text of a network, behind comments that hold the lines of `header`. Weights of rows beyond ± [`MAX_WEIGHT`]
/// are cut to it.
#[must_use]
pub fn write(header: &str, network: &Network) -> String {
    let mut text = String::new();
    for line in header.lines() {
        text += &format!("{COMMENT}{line}\n");
    }
    for output in &network.outputs {
        let weights = output.weights.map(|weight| weight.to_string()).join(" ");
        text += &format!("{PHASE}{} {} {weights}\n", output.bias, output.skip);
    }
    let rows = kinds().flat_map(|kind| &network.table[kind * 64..][..64]);
    let rows = network.biases.iter().chain(rows);
    let weights: String = rows.flat_map(|row| row.0.map(character)).collect();
    for line in weights.as_bytes().chunks(LINE) {
        text += str::from_utf8(line).expect("ASCII");
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network in which every weight that counts is another than its neighbours.
    fn network() -> Network {
        let span = i32::from(2 * MAX_WEIGHT + 1);
        let mut next = 0;
        let mut row = || {
            NumberRow(std::array::from_fn(|_| {
                next += 1;
                (next * 17 % span) as i16 - MAX_WEIGHT
            }))
        };
        let biases = std::array::from_fn(|_| row());
        let mut table = vec![NumberRow([0; HIDDEN]); KINDS * 64];
        for kind in kinds() {
            table[kind * 64..][..64].fill_with(&mut row);
        }
        Network {
            table: table.into_boxed_slice().try_into().expect("64 rows a kind"),
            biases,
            outputs: std::array::from_fn(|phase| Output {
                weights: std::array::from_fn(|at| (phase * 1000 + at) as i16 - MAX_OUTPUT),
                bias: phase as i32 - 3,
                skip: 1 << phase,
            }),
        }
    }

    #[test]
    fn a_network_reads_back_as_it_was_written() {
        let network = network();
        let text = write("two\nlines", &network);
        assert!(text.starts_with("# two\n# lines\nphase "), "{text:.40}");
        assert!(!text.contains(['"', '\\']), "it must fit in a literal");
        assert!(parse(&text).as_ref() == Ok(&network));
    }

    #[test]
    fn all_but_a_network_is_refused_in_words() {
        let text = write("", &network());
        let fault = |text: &str| parse(text).expect_err("no network");
        assert_eq!(fault(""), "0 phases: expected 8");
        let shorter = text.trim_end().strip_suffix(|_| true).expect("weights");
        assert_eq!(fault(shorter), "204351 weights: expected 204352");
        assert_eq!(
            fault(&text.replacen("phase", "phases", 1)),
            "' ': expected the character of a weight"
        );
        for wrong in [
            "phase 1 2 3",
            "phase 1 x",
            &text[..text.find("\n").unwrap_or(0)],
        ] {
            let line = format!("{wrong} 9000");
            assert!(fault(&line).starts_with(&format!("\"{line}\": expected bias,")));
        }
    }
}
