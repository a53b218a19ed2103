//! Text format of the policy network. Any source file can contain the text as a string literal.
//!
//! Lines that begin with `# ` are comments. All other lines together encode weight rows, like those of the [value
//! network](crate::eval::value), in this order: biases of the hidden layer by number of arrows; rows of the features
//! that can occur, by feature and square; start squares; then for amazon moves, and again for arrows: end squares,
//! slides, and features that can occur.

use super::{BIASES, FEATURES, FilterWeights, MAX_SLIDE, PolicyWeights, SHOOTER, SLIDES};
use crate::eval::value::prediction::{self, Related, existing};
use crate::eval::value::text::{self, COMMENT, possible_rows};

/// Tests if `feature` can be set on any square in the policy network's input. The policy network has the features of the
/// value network and [`SHOOTER`], the square of the amazon that is about to shoot.
fn can_occur(feature: usize) -> bool {
    feature == SHOOTER || text::can_occur(feature)
}

/// Iterates over all weight rows in the order in which the text stores them.
fn all_rows(weights: &mut PolicyWeights) -> impl Iterator<Item = &mut FilterWeights> {
    let [rows, biases, from, amazons_and_arrows @ ..] = weights.tables();
    let [
        to,
        slides,
        features,
        arrow_ends,
        arrow_slides,
        arrow_features,
    ] = amazons_and_arrows;
    let [rows, features, arrow_features] = [(rows, 64), (features, 1), (arrow_features, 1)]
        .map(|(table, rows_per_feature)| possible_rows(table, rows_per_feature, can_occur));
    let hidden_rows = biases.iter_mut().chain(rows).chain(from);
    let amazons = to.iter_mut().chain(slides).chain(features);
    let arrows = arrow_ends
        .iter_mut()
        .chain(arrow_slides)
        .chain(arrow_features);
    hidden_rows.chain(amazons).chain(arrows)
}

/// Returns the earlier rows from which row number `row` of the text is predicted: those of neighbouring squares, of the
/// slide one square shorter and of the previous direction, or of the previous feature. `features` lists the features
/// that can occur.
fn related(features: &[usize], row: usize) -> Vec<Related> {
    let hidden_rows = BIASES + 64 * features.len();
    let Some(row) = row.checked_sub(hidden_rows) else {
        return text::related(features, row);
    };
    let of_end = |square| [(square % 8 > 0, 1, 6), (square >= 8, 8, 4)];
    existing(match row.checked_sub(64) {
        None => of_end(row),
        Some(row) => match row % (FEATURES_AT + features.len()) {
            square @ ..SLIDES_AT => of_end(square),
            row @ ..FEATURES_AT => {
                let slide = row - SLIDES_AT;
                [
                    (!slide.is_multiple_of(MAX_SLIDE), 1, 6),
                    (slide >= MAX_SLIDE, MAX_SLIDE, 4),
                ]
            }
            row => [(row > FEATURES_AT, 1, 6), (false, 0, 0)],
        },
    })
}

/// Index of the first row by slide among the output weights of one type of action, after 64 rows by end square.
const SLIDES_AT: usize = 64;

/// Index of the first row by feature among the output weights of one type of action, after the rows by end square
/// and by slide.
const FEATURES_AT: usize = SLIDES_AT + SLIDES;

/// Returns a function that maps the number of a row in the text to the earlier rows from which it is predicted.
fn related_rows() -> impl Fn(usize) -> Vec<Related> {
    let features: Vec<usize> = (0..FEATURES)
        .filter(|&feature| can_occur(feature))
        .collect();
    move |row| related(&features, row)
}

/// Parses the text of a policy network, as [`write()`] produces it.
///
/// # Errors
/// If `text` is not a policy network: it contains a character that no encoder writes, or is incomplete or damaged.
pub fn parse(text: &str) -> Result<PolicyWeights, String> {
    let coded: String = text
        .lines()
        .filter(|line| !line.starts_with(COMMENT))
        .collect();
    let mut weights = PolicyWeights::zero();
    prediction::read(&coded, all_rows(&mut weights), related_rows())?;
    Ok(weights)
}

/// Returns a policy network as text, after the lines of `header` as comments. Weights are clamped to ±
/// [`MAX_WEIGHT`](crate::eval::value::MAX_WEIGHT).
#[must_use]
pub fn write(header: &str, mut weights: PolicyWeights) -> String {
    let coded = prediction::write(
        all_rows(&mut weights).map(|filters| *filters),
        related_rows(),
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
