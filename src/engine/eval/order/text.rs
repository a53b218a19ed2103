//! Text format of the policy network. Any source file can contain the text as a string literal.
//!
//! Lines that begin with `# ` are comments. All other lines together encode weight rows, like those of the [value
//! network](crate::eval::network), in this order: biases of the hidden layer by number of arrows; rows of the features
//! that can occur, by feature and square; start squares; then for amazon moves, and again for arrows: end squares,
//! slides, and features that can occur.

use super::{BIASES, Filters, KINDS, LONGEST, OrderWeights, SHOOTER, WAYS};
use crate::eval::network::forecast::{self, Related, those_there};
use crate::eval::network::text::{self, COMMENT, occurring};

/// Tests if a square can have the feature `kind`; the code leaves gaps.
fn occurs(kind: usize) -> bool {
    kind == SHOOTER || text::occurs(kind)
}

/// Iterates over all rows in the order of the text.
fn all(weights: &mut OrderWeights) -> impl Iterator<Item = &mut Filters> {
    let [rows, biases, from, amazons_and_arrows @ ..] = weights.tables();
    let [to, ways, kinds, targets, ways_there, kinds_there] = amazons_and_arrows;
    let [rows, kinds, kinds_there] = [(rows, 64), (kinds, 1), (kinds_there, 1)]
        .map(|(table, each)| occurring(table, each, occurs));
    let below = biases.iter_mut().chain(rows).chain(from);
    let amazons = to.iter_mut().chain(ways).chain(kinds);
    let arrows = targets.iter_mut().chain(ways_there).chain(kinds_there);
    below.chain(amazons).chain(arrows)
}

/// Returns the earlier rows from which row number `row` is predicted: those of neighbouring squares, of the shorter
/// slide and the previous direction, or of the previous feature. `kinds` are the features that can occur.
fn related(kinds: &[usize], row: usize) -> Vec<Related> {
    let below = BIASES + 64 * kinds.len();
    let Some(row) = row.checked_sub(below) else {
        return text::related(kinds, row);
    };
    let of_square = |square| [(square % 8 > 0, 1, 6), (square >= 8, 8, 4)];
    those_there(match row.checked_sub(64) {
        None => of_square(row),
        Some(row) => match row % (KINDS_AT + kinds.len()) {
            square @ ..WAYS_AT => of_square(square),
            row @ ..KINDS_AT => {
                let way = row - WAYS_AT;
                [
                    (!way.is_multiple_of(LONGEST), 1, 6),
                    (way >= LONGEST, LONGEST, 4),
                ]
            }
            row => [(row > KINDS_AT, 1, 6), (false, 0, 0)],
        },
    })
}

/// Number of rows by end square, which precede the rows by slide.
const WAYS_AT: usize = 64;

/// Number of rows by end square and by slide, which precede the rows by feature.
const KINDS_AT: usize = WAYS_AT + WAYS;

/// Returns the function that maps a row number to its related rows.
fn relations() -> impl Fn(usize) -> Vec<Related> {
    let kinds: Vec<usize> = (0..KINDS).filter(|&kind| occurs(kind)).collect();
    move |row| related(&kinds, row)
}

/// Parses a policy network.
///
/// # Errors
/// If `text` is not a policy network; the message says what was expected.
pub fn parse(text: &str) -> Result<OrderWeights, String> {
    let coded: String = text
        .lines()
        .filter(|line| !line.starts_with(COMMENT))
        .collect();
    let mut weights = OrderWeights::zero();
    forecast::read(&coded, all(&mut weights), relations())?;
    Ok(weights)
}

/// Writes a policy network as text, with the lines of `header` as comments before it. Weights are clamped to ±
/// [`MAX_WEIGHT`](crate::eval::network::MAX_WEIGHT).
#[must_use]
pub fn write(header: &str, mut weights: OrderWeights) -> String {
    let coded = forecast::write(all(&mut weights).map(|filters| *filters), relations());
    text::commented(header) + &text::in_lines(&coded)
}

#[cfg(test)]
mod tests {
    use super::super::WEIGHTS;
    use super::*;

    #[test]
    fn the_compiled_in_network_is_written_as_it_stands() {
        let weights = parse(WEIGHTS).expect("an order network");
        let header = WEIGHTS.lines().map_while(|line| line.strip_prefix(COMMENT));
        let header: Vec<&str> = header.collect();
        assert!(write(&header.join("\n"), weights) == WEIGHTS);
        assert!(!WEIGHTS.contains(['"', '\\', '?']));
    }
}
