//! The text of a network, which any source file can hold.
//!
//! Lines that begin with `# ` are comments. A line for each phase follows, `phase` with bias, skip and weights of its
//! [`Output`] in decimal. All other lines together are rows of weights, see [`super::forecast`]: the hidden layer's biases
//! by number of arrows, then, part by part and kind by kind of those that occur, the rows of the 64 squares.

use super::forecast::{self, Related, those_there};
use super::{BIASES, KINDS, MAX_OUTPUT, Output, PARTS, PHASES, ValueWeights};
use crate::eval::images::{FILTERS, Filters};

/// How a comment begins.
pub(in crate::eval) const COMMENT: &str = "# ";

/// How the line of a phase begins.
const PHASE: &str = "phase ";

/// Characters in a line of weights. Lines are long, because their ends take three characters each in the single C++ file.
const LINE: usize = 480;

/// Tests if a kind occurs.
pub(in crate::eval) const fn occurs(kind: usize) -> bool {
    match (kind / 8, kind % 8) {
        (..=5, distance) => distance <= 5,
        (6, neighbours) => neighbours <= 5,
        (_, neighbours_or_arrow) => neighbours_or_arrow <= 6,
    }
}

/// The rows by which a row is foreseen: of close squares, and of the same square in the kinds that are closest and in the
/// part of the game before.
pub(in crate::eval) fn related(kinds: &[usize], row: usize) -> Vec<Related> {
    let Some(row) = row.checked_sub(BIASES) else {
        return those_there([(row > 0, 1, 6)]);
    };
    let part = 64 * kinds.len();
    let (kind, file, rank) = (kinds[row % part / 64], row % 8, row / 8 % 8);
    those_there([
        (file > 0, 1, 5),
        (rank > 0, 8, 5),
        (rank > 0 && file < 7, 7, 3),
        (rank > 0 && file > 0, 9, 2),
        (kind % 8 > 0, 64, 7),
        // Empty squares with the next smaller queen distance of the player to move.
        ((8..48).contains(&kind), 6 * 64, 5),
        (row >= part, part, 3),
    ])
}

/// The rows of the kinds that occur, in tables with so many for each kind.
pub(in crate::eval) fn occurring(
    tables: &mut [Filters],
    each: usize,
    occurs: fn(usize) -> bool,
) -> impl Iterator<Item = &mut Filters> {
    let of_kinds = tables.chunks_mut(each).enumerate();
    let of_kinds = of_kinds.filter(move |(at, _)| occurs(at % KINDS));
    of_kinds.flat_map(|(_, rows)| rows)
}

/// All rows that the text holds, in its order.
fn all(weights: &mut ValueWeights) -> impl Iterator<Item = &mut Filters> {
    let rows = occurring(&mut weights.rows, 64, occurs);
    weights.biases.iter_mut().chain(rows)
}

/// What tells the related rows of a row by its number.
fn relations() -> impl Fn(usize) -> Vec<Related> {
    let kinds: Vec<usize> = (0..KINDS).filter(|&kind| occurs(kind)).collect();
    move |row| related(&kinds, row)
}

/// Reads a network.
///
/// # Errors
/// If the text holds none; the message says what was expected.
pub fn parse(text: &str) -> Result<ValueWeights, String> {
    let mut outputs = Vec::new();
    let mut coded = String::new();
    for line in text.lines().filter(|line| !line.starts_with(COMMENT)) {
        match line.strip_prefix(PHASE) {
            Some(numbers) => outputs.push(output(numbers)?),
            None => coded += line,
        }
    }
    let found = outputs.len();
    let outputs = outputs
        .try_into()
        .map_err(|_| format!("{found} phases: expected {PHASES}"))?;
    let mut weights = ValueWeights {
        rows: vec![[0; FILTERS]; PARTS * KINDS * 64],
        biases: vec![[0; FILTERS]; BIASES],
        outputs,
    };
    forecast::read(&coded, all(&mut weights), relations())?;
    Ok(weights)
}

/// Reads the numbers of a phase.
fn output(numbers: &str) -> Result<Output, String> {
    let fault = || {
        format!(
            "\"{PHASE}{numbers}\": expected bias, skip and {FILTERS} weights from -{MAX_OUTPUT} to {MAX_OUTPUT}"
        )
    };
    let mut numbers = numbers.split(' ').map(str::parse::<i32>);
    let mut number = || numbers.next()?.ok();
    let (bias, skip) = number().zip(number()).ok_or_else(fault)?;
    let mut weights = [0; FILTERS];
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

/// The text of a network, behind comments that hold the lines of `header`. Weights of rows beyond ±
/// [`MAX_WEIGHT`](super::MAX_WEIGHT)
/// are cut to it.
#[must_use]
pub fn write(header: &str, mut weights: ValueWeights) -> String {
    let mut text = commented(header);
    for output in &weights.outputs {
        let numbers = output.weights.map(|weight| weight.to_string()).join(" ");
        text += &format!("{PHASE}{} {} {numbers}\n", output.bias, output.skip);
    }
    let rows = all(&mut weights).map(|row| *row);
    text + &in_lines(&forecast::write(rows, relations()))
}

/// The lines of a header as comments.
pub(in crate::eval) fn commented(header: &str) -> String {
    let comments = header.lines().map(|line| format!("{COMMENT}{line}\n"));
    comments.collect()
}

/// Coded weights in lines.
pub(in crate::eval) fn in_lines(coded: &str) -> String {
    let lines = coded.as_bytes().chunks(LINE);
    let lines = lines.map(|line| format!("{}\n", str::from_utf8(line).expect("ASCII")));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::super::WEIGHTS;
    use super::*;

    #[test]
    fn the_compiled_in_network_is_written_as_it_stands() {
        let weights = parse(WEIGHTS).expect("a network");
        let header = WEIGHTS.lines().map_while(|line| line.strip_prefix(COMMENT));
        let header: Vec<&str> = header.collect();
        assert!(write(&header.join("\n"), weights) == WEIGHTS);
        // Any source file can hold it, that of C++ with its trigraphs, too.
        assert!(!WEIGHTS.contains(['"', '\\', '?']));
    }

    #[test]
    fn all_but_a_network_is_refused_in_words() {
        let first = WEIGHTS.lines().find(|line| line.starts_with(PHASE));
        for wrong in ["phase 1 2 3", "phase 1 x", first.expect("a phase")] {
            let line = format!("{wrong} 9000");
            let fault = parse(&line).expect_err("no network");
            assert!(fault.starts_with(&format!("\"{line}\": expected bias,")));
        }
    }
}
