//! Writes fitted phase weights as the Rust source file that the bot compiles in.

use engine::eval::weights::Knots;

/// Returns the text of `src/engine/eval/weights/table.rs`, with the lines of `header` as its doc comment.
#[must_use]
pub fn source(header: &str, table: &Knots) -> String {
    let header = header.lines().map(|line| format!("//! {line}\n"));
    let mut text: String = header.collect();
    text += "\nuse super::Knots;\n";
    text += "\n/// Weights of positions in which a turn begins.\n#[rustfmt::skip]\n";
    text += "pub(super) const WEIGHTS: Knots = [\n";
    for row in table {
        text += &format!("    [{}],\n", row.map(|w| format!("{w:.4}")).join(", "));
    }
    text + "];\n"
}

/// Rounds the weights to four decimals, as [`source`] writes them.
#[must_use]
pub fn rounded(table: &Knots) -> Knots {
    table.map(|row| row.map(|weight| (weight * 1e4).round() / 1e4))
}
