//! The text of an order network: weights as printable characters, which any source file can hold.
//!
//! Lines that begin with `# ` are comments. All else is weights, a character each as in the text of the
//! [value network](crate::eval::network), whatever the lines' length: the hidden layer's biases by number of arrows, kind by
//! kind of those that occur the rows of the 64 squares, then squares left, squares entered, ways, and the kinds that occur.

use super::{FILTERS, Filters, OrderWeights};
use crate::eval::network::text::{COMMENT, LINE, character, kinds, weight};

/// All weights that the text holds, in its order.
fn all(weights: &mut OrderWeights) -> impl Iterator<Item = &mut Filters> {
    let OrderWeights {
        rows,
        biases,
        from,
        to,
        ways,
        kinds: of_kinds,
    } = weights;
    let occurs = |kind: usize| kinds().any(|occurring| occurring == kind);
    let rows = rows.chunks_mut(64).enumerate();
    let rows = rows.filter(move |(kind, _)| occurs(*kind));
    let of_kinds = of_kinds.iter_mut().enumerate();
    let of_kinds = of_kinds.filter(move |(kind, _)| occurs(*kind));
    biases
        .iter_mut()
        .chain(rows.flat_map(|(_, rows)| rows))
        .chain(from)
        .chain(to)
        .chain(ways)
        .chain(of_kinds.map(|(_, filters)| filters))
}

/// Reads an order network.
///
/// # Errors
/// If the text holds none; the message says what was expected.
pub fn parse(text: &str) -> Result<OrderWeights, String> {
    let lines = text.lines().filter(|line| !line.starts_with(COMMENT));
    let found = lines.flat_map(str::bytes).map(weight);
    let found: Vec<i16> = found.collect::<Result<_, _>>()?;
    let mut weights = OrderWeights::zero();
    let expected = FILTERS * all(&mut weights).count();
    if found.len() != expected {
        return Err(format!("{} weights: expected {expected}", found.len()));
    }
    for (filters, found) in all(&mut weights).zip(found.as_chunks().0) {
        *filters = *found;
    }
    Ok(weights)
}

/// The text of an order network, behind comments that hold the lines of `header`. Weights beyond ±
/// [`MAX_WEIGHT`](crate::eval::network::MAX_WEIGHT) are cut to it.
#[must_use]
pub fn write(header: &str, mut weights: OrderWeights) -> String {
    let mut text = String::new();
    for line in header.lines() {
        text += &format!("{COMMENT}{line}\n");
    }
    let characters = all(&mut weights).flat_map(|filters| filters.map(character));
    let characters: String = characters.collect();
    for line in characters.as_bytes().chunks(LINE) {
        text += str::from_utf8(line).expect("ASCII");
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::MAX_WEIGHT;

    /// Weights that are all others than their neighbours.
    fn weights() -> OrderWeights {
        let span = i32::from(2 * MAX_WEIGHT + 1);
        let mut weights = OrderWeights::zero();
        for (at, number) in all(&mut weights).flatten().enumerate() {
            *number = (at as i32 * 17 % span) as i16 - MAX_WEIGHT;
        }
        weights
    }

    #[test]
    fn weights_read_back_as_they_were_written() {
        let weights = weights();
        let text = write("two\nlines", weights.clone());
        assert!(text.starts_with("# two\n# lines\n"), "{text:.40}");
        assert!(!text.contains(['"', '\\']), "it must fit in a literal");
        assert!(parse(&text).as_ref() == Ok(&weights));
    }

    #[test]
    fn all_but_weights_is_refused_in_words() {
        let text = write("", weights());
        let fault = |text: &str| parse(text).expect_err("no weights");
        assert_eq!(fault(""), "0 weights: expected 27864");
        let shorter = text.trim_end().strip_suffix(|_| true).expect("weights");
        assert_eq!(fault(shorter), "27863 weights: expected 27864");
        assert_eq!(
            fault(&format!("{text} ")),
            "' ': expected the character of a weight"
        );
    }
}
