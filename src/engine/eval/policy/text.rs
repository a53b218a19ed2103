//! Text format of the policy network: [`parse`] reads and [`write()`] writes it. The text contains no quotation marks
//! and no backslashes, so that it can be put into a string literal.
//!
//! Lines that begin with `# ` are comments. All other lines together encode weight rows (see [`prediction`]), each with
//! one weight for each of the 16 filters, in this order:
//!
//! - biases of the hidden layer: 57 rows, one for each number of arrows from 0 to 56
//! - weights of the hidden layer: 64 rows for each feature, one for each square
//! - output weights of amazon's moves: 64 rows for the start squares, 64 for the end squares, 56 for the slides, 50 for
//!   the features
//! - output weights of arrow shots: 64 rows for the end squares, 56 for the slides, 50 for the features
//!
//! A slide is a direction and a length. A feature is a number for the content and the surroundings of a square; only
//! the 50 features that a square can have are stored.

use super::{BIASES, FEATURES, FilterWeights, MAX_SLIDE, PolicyWeights, SHOOTER, SLIDES};
use crate::eval::value::prediction::{self, ReferenceRow, existing_rows};
use crate::eval::value::text::{self, COMMENT, possible_rows};

/// Tests if a square can have the feature with the number `feature`, from 0 to 63, in the policy network. It can if
/// [`FEATURES`] describes the number or if the number is [`SHOOTER`].
fn can_occur(feature: usize) -> bool {
    feature == SHOOTER || text::can_occur(feature)
}

/// Iterates over all weight rows of the policy network, in the order of the network's text format. Rows of features
/// that no square can have are left out.
fn all_rows(weights: &mut PolicyWeights) -> impl Iterator<Item = &mut FilterWeights> {
    let [rows, biases, from, amazons_and_arrows @ ..] = weights.tables();
    let [to, slides, features, arrow_to, arrow_slides, arrow_features] = amazons_and_arrows;
    let [rows, features, arrow_features] = [(rows, 64), (features, 1), (arrow_features, 1)]
        .map(|(table, rows_per_feature)| possible_rows(table, rows_per_feature, can_occur));
    let hidden_rows = biases.iter_mut().chain(rows).chain(from);
    let amazons = to.iter_mut().chain(slides).chain(features);
    let arrows = arrow_to.iter_mut().chain(arrow_slides);
    let arrows = arrows.chain(arrow_features);
    hidden_rows.chain(amazons).chain(arrows)
}

/// Returns the rows from which the weight row with the index `row` is predicted: rows earlier in the text that are
/// likely to be similar, because they belong to neighbouring squares, similar slides (direction and length) or the
/// previous feature. `features` lists all possible features.
fn reference_rows(features: &[usize], row: usize) -> Vec<ReferenceRow> {
    let hidden_rows = BIASES + 64 * features.len();
    let Some(row) = row.checked_sub(hidden_rows) else {
        return text::reference_rows(features, row);
    };
    let of_end = |square| [(square % 8 > 0, 1, 6), (square >= 8, 8, 4)];
    existing_rows(match row.checked_sub(64) {
        None => of_end(row),
        Some(row) => match row % (FIRST_FEATURE_ROW + features.len()) {
            square @ ..FIRST_SLIDE_ROW => of_end(square),
            row @ ..FIRST_FEATURE_ROW => {
                let slide = row - FIRST_SLIDE_ROW;
                [
                    (!slide.is_multiple_of(MAX_SLIDE), 1, 6),
                    (slide >= MAX_SLIDE, MAX_SLIDE, 4),
                ]
            }
            row => [(row > FIRST_FEATURE_ROW, 1, 6), (false, 0, 0)],
        },
    })
}

/// Number of output weight rows before the first row for slides (direction and length): 64, one for each end square. It
/// is the same for amazon's moves and for arrow shots, because the rows for start squares are not counted.
const FIRST_SLIDE_ROW: usize = 64;

/// Index of the first weight row for features, counted from the first row for end squares. The rows for end squares and
/// for slides (direction and length) come before it, in the weights of amazon's moves as well as of arrow shots.
const FIRST_FEATURE_ROW: usize = FIRST_SLIDE_ROW + SLIDES;

/// Returns a function that maps the index of a weight row to its reference rows: the earlier rows from which this row
/// is predicted. They belong, for example, to neighbouring squares or to similar slides (direction and length). The
/// function is the argument `references` of `prediction::read` and `prediction::write`.
fn reference_row_finder() -> impl Fn(usize) -> Vec<ReferenceRow> {
    let features: Vec<usize> = (0..FEATURES)
        .filter(|&feature| can_occur(feature))
        .collect();
    move |row| reference_rows(&features, row)
}

/// Parses a policy network from the text that [`write()`] returns.
///
/// # Errors
/// If `text` is incomplete or damaged, or contains a character that does not occur in coded weights. Comments may
/// contain any characters.
pub fn parse(text: &str) -> Result<PolicyWeights, String> {
    let coded = text.lines().filter(|line| !line.starts_with(COMMENT));
    let coded: String = coded.collect();
    let mut weights = PolicyWeights::zero();
    let references = reference_row_finder();
    prediction::read(&coded, &mut all_rows(&mut weights), &references)?;
    Ok(weights)
}

/// Formats a policy network as text. `header` is a text whose lines are put at the beginning as comments. Weights
/// outside ± [`MAX_WEIGHT`](crate::eval::value::MAX_WEIGHT) are clamped to this range.
#[must_use]
pub fn write(header: &str, mut weights: PolicyWeights) -> String {
    let coded = prediction::write(
        all_rows(&mut weights).map(|filters| *filters),
        reference_row_finder(),
    );
    text::comment_lines(header) + &text::break_lines(&coded)
}

#[cfg(test)]
mod tests {
    use super::super::WEIGHTS;
    use super::*;

    #[test]
    fn compiled_in_network_round_trips() {
        let weights = parse(WEIGHTS).expect("a policy network");
        let header = WEIGHTS.lines().map_while(|line| line.strip_prefix(COMMENT));
        let header: Vec<&str> = header.collect();
        assert!(write(&header.join("\n"), weights) == WEIGHTS);
        assert!(!WEIGHTS.contains(['"', '\\', '?']));
    }
}
