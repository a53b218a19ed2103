//! Formats fitted weights of the linear evaluation as the Rust source file that the bot compiles in.

use engine::eval::weights::Knots;

/// Returns the content of `src/engine/eval/weights/table.rs`: the lines of `header` as the file's doc comment, and
/// `table` as the constant `WEIGHTS`.
#[must_use]
pub fn to_source(header: &str, table: &Knots) -> String {
    let header = header.lines().map(|line| format!("//! {line}\n"));
    let mut text: String = header.collect();
    text += "\nuse super::Knots;\n";
    text += "\n/// Weights of the linear evaluation for positions in which an amazon moves next. Row `i` is for `6·i` arrows; for\n/// numbers of arrows between two rows, the weights are interpolated linearly. [`Knots`] lists the columns.\n#[rustfmt::skip]\n";
    text += "pub(super) const WEIGHTS: Knots = [\n";
    for row in table {
        text += &format!("    [{}],\n", row.map(|w| format!("{w:.4}")).join(", "));
    }
    text + "];\n"
}
