//! Text format of the value network: [`parse`] reads and [`write()`] writes it. The text contains no quotation marks
//! and no backslashes, so that it can be put into a string literal.
//!
//! - Lines that begin with `# ` are comments.
//! - Lines that begin with `phase` contain the weights of the output layer as decimal numbers, see [`Output`]: the
//!   bias, the skip factor (factor of the linear evaluation), and the three rows of weights. There is one line for each
//!   output phase (interval of the number of arrows).
//! - All other lines together encode the weight rows of the hidden layer; [`super::prediction`] explains the encoding.
//!   First come the biases, by number of arrows. Then come the rows for features, by hidden phase (a longer interval of
//!   the number of arrows), feature and square. Features that no square can have are left out. Then come the
//!   rows for patterns. The rows of the amazon units come last, not predicted from others.

use super::amazons::{AMAZON_ROWS, SEEN_ROWS};
use super::prediction::{self, ReferenceRow, existing_rows};
use super::{
    BIASES, FEATURES, HIDDEN_PHASES, MAX_OUTPUT, OUTPUT_PHASES, OUTPUT_ROWS, Output, PATTERNS,
    ValueWeights,
};
use crate::eval::symmetry::{FILTERS, FilterWeights};

/// Beginning of a comment line in the text format of the value network and the policy network.
pub(in crate::eval) const COMMENT: &str = "# ";

/// Beginning of a line that contains the weights of the output layer for one output phase, an interval of the number of
/// arrows.
const PHASE: &str = "phase ";

/// Maximum number of characters in a line of coded weights. Lines are long, because `scripts/pack`, which packs the bot
/// into one file for Botzone, spends three characters on each line break.
const LINE_CHARS: usize = 480;

/// Tests if a square can have the feature with the number `feature`, from 0 to 63. Some numbers are not used: the table
/// of [`FEATURES`] gives no meaning to them.
pub(in crate::eval) const fn can_occur(feature: usize) -> bool {
    match (feature / 8, feature % 8) {
        (..=5, distance) => distance <= 5,
        (6, neighbours) => neighbours <= 5,
        (_, neighbours_or_arrow) => neighbours_or_arrow <= 6,
    }
}

/// Returns the rows from which the weight row with the index `row` is predicted: rows earlier in the text that are
/// likely to be similar, because they belong to neighbouring squares, similar features of the same square, or the
/// previous hidden phase (interval of the number of arrows). `features` lists all possible features.
pub(in crate::eval) fn reference_rows(features: &[usize], row: usize) -> Vec<ReferenceRow> {
    let Some(row) = row.checked_sub(BIASES) else {
        return existing_rows([(row > 0, 1, 6)]);
    };
    let part = 64 * features.len();
    let (feature, file, rank) = (features[row % part / 64], row % 8, row / 8 % 8);
    existing_rows([
        (file > 0, 1, 5),
        (rank > 0, 8, 5),
        (rank > 0 && file < 7, 7, 3),
        (rank > 0 && file > 0, 9, 2),
        (feature % 8 > 0, 64, 7),
        // The feature of an empty square is `8·own + other`: the codes of the queen distances of the side to move
        // (`own`) and of the opponent (`other`), both from 0 to 5. The features from 8 to 47 are those with an `own` of
        // at least 1. They are predicted from the row for `own − 1`, too, with the weight 5. This row comes 6·64 rows
        // earlier, because each `own` has 6 features, and each feature has 64 rows.
        ((8..48).contains(&feature), 6 * 64, 5),
        (row >= part, part, 3),
    ])
}

/// Returns the rows from which the row of `pattern` is predicted: those of the patterns with one empty neighbour less,
/// and that of the previous class.
fn pattern_reference_rows(pattern: usize) -> Vec<ReferenceRow> {
    let bits = (0..8).map(|bit| (pattern >> bit & 1 == 1, 1 << bit, 6));
    existing_rows(bits.chain([(pattern >= 256, 256, 4)]))
}

/// Iterates over the weight rows in `tables`, in order, but leaves out features for which `can_occur` returns false.
/// `tables` begins with `rows_per_feature` rows for feature 0, then as many for feature 1, and so on up to feature 63.
/// If there are several hidden phases (intervals of the number of arrows), it contains such a series for each.
pub(in crate::eval) fn possible_rows(
    tables: &mut [FilterWeights],
    rows_per_feature: usize,
    can_occur: fn(usize) -> bool,
) -> impl Iterator<Item = &mut FilterWeights> {
    let by_feature = tables.chunks_mut(rows_per_feature).enumerate();
    let by_feature = by_feature.filter(move |(at, _)| can_occur(at % FEATURES));
    by_feature.flat_map(|(_, rows)| rows)
}

/// Iterates over the weight rows of the value network that are arithmetically coded: the biases and the rows of the
/// hidden layer, in the order in which they are stored in the text.
fn all_rows(weights: &mut ValueWeights) -> impl Iterator<Item = &mut FilterWeights> {
    let rows = possible_rows(&mut weights.rows, 64, can_occur);
    let biases_and_rows = weights.biases.iter_mut().chain(rows);
    let (seen, neighbours) = weights.amazons.split_at_mut(SEEN_ROWS);
    let amazons = possible_rows(seen, 1, can_occur).chain(neighbours);
    biases_and_rows.chain(&mut weights.patterns).chain(amazons)
}

/// Returns a function that maps the index of a weight row to its reference rows: the earlier rows from which this row
/// is predicted; the text contains only the differences. The reference rows belong, for example, to neighbouring squares
/// or to similar features. The function is the argument `references` of `prediction::read` and `prediction::write`.
fn reference_row_finder() -> impl Fn(usize) -> Vec<ReferenceRow> {
    let features: Vec<usize> = (0..FEATURES)
        .filter(|&feature| can_occur(feature))
        .collect();
    let first_pattern = BIASES + HIDDEN_PHASES * 64 * features.len();
    move |row| match row.checked_sub(first_pattern) {
        None => reference_rows(&features, row),
        Some(pattern) if pattern < PATTERNS => pattern_reference_rows(pattern),
        Some(_) => Vec::new(),
    }
}

/// Parses a value network from the text that [`write()`] returns.
///
/// # Errors
/// If a line that begins with `phase` is malformed, if the number of these lines is wrong, or if the coded weights are
/// incomplete or damaged. The message says which.
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
        patterns: vec![[0; FILTERS]; PATTERNS],
        amazons: vec![[0; FILTERS]; AMAZON_ROWS],
        biases: vec![[0; FILTERS]; BIASES],
        outputs,
    };
    let references = reference_row_finder();
    prediction::read(&coded, &mut all_rows(&mut weights), &references)?;
    Ok(weights)
}

/// Parses the weights of the output layer for one output phase (interval of the number of arrows) from the numbers of a
/// line: bias, skip factor (factor of the linear evaluation), and three rows of 16 weights.
///
/// # Errors
/// If there are too few or too many numbers, or one is out of range; the message quotes the line.
fn parse_output(numbers: &str) -> Result<Output, String> {
    let fault = || {
        format!(
            "\"{PHASE}{numbers}\": expected bias, skip and {} weights from -{MAX_OUTPUT} to {MAX_OUTPUT}",
            OUTPUT_ROWS * FILTERS
        )
    };
    let mut numbers = numbers.split(' ').map(str::parse::<i32>);
    let mut number = || numbers.next()?.ok();
    let (bias, skip) = number().zip(number()).ok_or_else(fault)?;
    let mut weights = [[0; FILTERS]; OUTPUT_ROWS];
    for weight in weights.as_flattened_mut() {
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

/// Formats a value network as text. `header` is a text whose lines are put at the beginning as comments. Weights of the
/// hidden layer outside ± [`MAX_WEIGHT`](super::MAX_WEIGHT) are clamped to this range.
#[must_use]
pub fn write(header: &str, mut weights: ValueWeights) -> String {
    let mut text = comment_lines(header);
    for output in &weights.outputs {
        text += &format!("{PHASE}{} {}", output.bias, output.skip);
        for weight in output.weights.as_flattened() {
            text += &format!(" {weight}");
        }
        text += "\n";
    }
    let rows = all_rows(&mut weights).map(|row| *row);
    text + &break_lines(&prediction::write(rows, reference_row_finder()))
}

/// Makes comments of the lines of `header`: begins each with [`COMMENT`] and ends it with a line break.
pub(in crate::eval) fn comment_lines(header: &str) -> String {
    let comments = header.lines().map(|line| format!("{COMMENT}{line}\n"));
    comments.collect()
}

/// Inserts line breaks into a text of coded weights. Each line has [`LINE_CHARS`] characters; the last may have fewer.
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
        // The text must not contain characters that need escapes in a string literal, nor `?`, because `??` begins a
        // trigraph in C++.
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
