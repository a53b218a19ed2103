//! The file of weights that the bot compiles in.

use crate::eval::weights::Knots;

/// How a file begins.
pub const FIRST_LINE: &str = "//! The table of the phase weights, rewritten by `amazons tune`.\n";

/// The text of `src/eval/weights/table.rs`. `facts` tell by name where the table comes from.
#[must_use]
pub fn source(facts: &[(&str, String)], table: &Knots) -> String {
    let mut text = FIRST_LINE.to_owned() + "//!\n";
    for (name, fact) in facts {
        text += &format!("//! - {name}: {fact}\n");
    }
    text += "\nuse super::Knots;\n";
    text += "\n/// Weights of positions in which a turn begins.\n#[rustfmt::skip]\n";
    text += "pub(super) const WEIGHTS: Knots = [\n";
    for row in table {
        text += &format!("    [{}],\n", row.map(|w| format!("{w:.4}")).join(", "));
    }
    text + "];\n"
}

/// The table as it reads back from a written file: rounded to four decimals.
#[must_use]
pub fn rounded(table: &Knots) -> Knots {
    table.map(|row| row.map(|weight| (weight * 1e4).round() / 1e4))
}
