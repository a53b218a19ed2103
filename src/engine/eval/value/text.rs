//! Text format of the value network. Any source file can contain the text as a string literal.
//!
//! Lines that begin with `# ` are comments. Lines that begin with `phase` hold the bias, skip factor and weights of one
//! phase's [`Output`], in decimal. All other lines together encode weight rows, see [`super::prediction`]: first the
//! biases of the hidden layer by number of arrows, then the rows of the features that can occur, by phase of the game,
//! feature and square.

use super::prediction::{self, Related, existing};
use super::{BIASES, FEATURES, HIDDEN_PHASES, MAX_OUTPUT, OUTPUT_PHASES, Output, ValueWeights};
use crate::eval::symmetry::{FILTERS, FilterWeights};

/// Prefix of a comment line.
pub(in crate::eval) const COMMENT: &str = "# ";

/// Prefix of a line with the output weights of one output phase.
const PHASE: &str = "phase ";

/// Number of characters in a line of coded weights. Lines are long, because each line break takes three characters in
/// the single C++ file.
const LINE_CHARS: usize = 480;

/// Tests if a square can have the given feature; some of the 64 codes of [`FEATURES`] stand for no feature.
pub(in crate::eval) const fn can_occur(feature: usize) -> bool {
    match (feature / 8, feature % 8) {
        (..=5, distance) => distance <= 5,
        (6, neighbours) => neighbours <= 5,
        (_, neighbours_or_arrow) => neighbours_or_arrow <= 6,
    }
}

/// Returns the earlier rows from which row number `row` of the text is predicted: those of neighbouring squares, of the
/// same square with similar features, and of the previous hidden phase. `features` lists the features that can occur.
pub(in crate::eval) fn related(features: &[usize], row: usize) -> Vec<Related> {
    let Some(row) = row.checked_sub(BIASES) else {
        return existing([(row > 0, 1, 6)]);
    };
    let part = 64 * features.len();
    let (feature, file, rank) = (features[row % part / 64], row % 8, row / 8 % 8);
    existing([
        (file > 0, 1, 5),
        (rank > 0, 8, 5),
        (rank > 0 && file < 7, 7, 3),
        (rank > 0 && file > 0, 9, 2),
        (feature % 8 > 0, 64, 7),
        // For an empty square (features 8 to 47): the feature with the queen distance of the side to move smaller by one.
        // In the table it lies six features of 64 rows earlier.
        ((8..48).contains(&feature), 6 * 64, 5),
        (row >= part, part, 3),
    ])
}

/// Iterates over the weight rows of the features that can occur, in tables that store `rows_per_feature` rows for each
/// feature in turn.
pub(in crate::eval) fn possible_rows(
    tables: &mut [FilterWeights],
    rows_per_feature: usize,
    can_occur: fn(usize) -> bool,
) -> impl Iterator<Item = &mut FilterWeights> {
    let by_feature = tables.chunks_mut(rows_per_feature).enumerate();
    let by_feature = by_feature.filter(move |(at, _)| can_occur(at % FEATURES));
    by_feature.flat_map(|(_, rows)| rows)
}

/// Iterates over all weight rows in the order in which the text stores them.
fn all_rows(weights: &mut ValueWeights) -> impl Iterator<Item = &mut FilterWeights> {
    let rows = possible_rows(&mut weights.rows, 64, can_occur);
    weights.biases.iter_mut().chain(rows)
}

/// Returns a function that maps the number of a row in the text to the earlier rows from which it is predicted.
fn related_rows() -> impl Fn(usize) -> Vec<Related> {
    let features: Vec<usize> = (0..FEATURES)
        .filter(|&feature| can_occur(feature))
        .collect();
    move |row| related(&features, row)
}

/// Parses the text of a value network, as [`write()`] produces it.
///
/// # Errors
/// If `text` is not a value network: a `phase` line is malformed, their number is wrong, or the coded weights are
/// incomplete or damaged. The message names the fault.
pub fn parse(text: &str) -> Result<ValueWeights, String> {
    let mut outputs = Vec::new();
    let mut coded = String::new();
    for line in text.lines().filter(|line| !line.starts_with(COMMENT)) {
        match line.strip_prefix(PHASE) {
            Some(numbers) => outputs.push(parse_output(numbers)?),
            None => coded += line,
        }
    }
    let found = outputs.len();
    let outputs = outputs
        .try_into()
        .map_err(|_| format!("{found} phases: expected {OUTPUT_PHASES}"))?;
    let mut weights = ValueWeights {
        rows: vec![[0; FILTERS]; HIDDEN_PHASES * FEATURES * 64],
        biases: vec![[0; FILTERS]; BIASES],
        outputs,
    };
    prediction::read(&coded, all_rows(&mut weights), related_rows())?;
    Ok(weights)
}

/// Parses one output phase from its line after the prefix: bias, skip factor and weights.
///
/// # Errors
/// If a number is missing, surplus or out of range; the message quotes the line.
fn parse_output(numbers: &str) -> Result<Output, String> {
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

/// Returns a value network as text, after the lines of `header` as comments. Coded weights are clamped to ±
/// [`MAX_WEIGHT`](super::MAX_WEIGHT).
#[must_use]
pub fn write(header: &str, mut weights: ValueWeights) -> String {
    let mut text = comment_lines(header);
    for output in &weights.outputs {
        let numbers = output.weights.map(|weight| weight.to_string()).join(" ");
        text += &format!("{PHASE}{} {} {numbers}\n", output.bias, output.skip);
    }
    let rows = all_rows(&mut weights).map(|row| *row);
    text + &break_lines(&prediction::write(rows, related_rows()))
}

/// Returns the lines of `header` as comment lines, each after [`COMMENT`].
pub(in crate::eval) fn comment_lines(header: &str) -> String {
    let comments = header.lines().map(|line| format!("{COMMENT}{line}\n"));
    comments.collect()
}

/// Breaks coded weights into lines of [`LINE_CHARS`] characters.
pub(in crate::eval) fn break_lines(coded: &str) -> String {
    let lines = coded.as_bytes().chunks(LINE_CHARS);
    let lines = lines.map(|line| format!("{}\n", str::from_utf8(line).expect("ASCII")));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::super::WEIGHTS;
    use super::*;

    #[test]
    fn compiled_in_network_round_trips() {
        let weights = parse(WEIGHTS).expect("a network");
        let header = WEIGHTS.lines().map_while(|line| line.strip_prefix(COMMENT));
        let header: Vec<&str> = header.collect();
        assert!(write(&header.join("\n"), weights) == WEIGHTS);
        // These three characters would need escapes in a string literal; two question marks begin a trigraph in C++.
        assert!(!WEIGHTS.contains(['"', '\\', '?']));
    }

    #[test]
    fn rejects_other_text_with_a_message() {
        let first = WEIGHTS.lines().find(|line| line.starts_with(PHASE));
        for wrong in ["phase 1 2 3", "phase 1 x", first.expect("a phase")] {
            let line = format!("{wrong} 9000");
            let fault = parse(&line).expect_err("no network");
            assert!(fault.starts_with(&format!("\"{line}\": expected bias,")));
        }
    }
}
