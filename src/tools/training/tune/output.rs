//! The file of weights that the bot compiles in.

use crate::eval::weights::Knots;
use crate::tools::training::provenance::one_line;
use std::fmt::Write;

/// How a file begins.
pub const FIRST_LINE: &str = "//! The table of the phase weights, rewritten by `amazons tune`.\n";

/// Where a table comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Provenance {
    /// Number of games.
    pub games: usize,
    /// How many of them were held out.
    pub held_out_games: usize,
    /// Number of positions.
    pub positions: usize,
    /// Share of the search's win probability in the targets.
    pub target_mix: f32,
    /// Commit of the program that made it.
    pub commit: String,
    /// Log-loss of the held-out positions under the table before and under this one.
    pub loss: [f64; 2],
    /// A note.
    pub note: Option<String>,
}

/// The text of `src/eval/weights/table.rs`.
#[must_use]
pub fn source(provenance: &Provenance, table: &Knots) -> String {
    let mut text = header(provenance);
    text += "\nuse super::Knots;\n";
    text += "\n/// Weights of positions in which a turn begins.\n#[rustfmt::skip]\n";
    text += "pub(super) const WEIGHTS: Knots = [\n";
    for row in table {
        text += &format!("    [{}],\n", row.map(|w| format!("{w:.4}")).join(", "));
    }
    text + "];\n"
}

/// The comment at the top of the file.
fn header(provenance: &Provenance) -> String {
    let Provenance {
        games,
        held_out_games,
        positions,
        target_mix,
        commit,
        loss: [before, after],
        note,
    } = provenance;
    let mut text = FIRST_LINE.to_owned() + "//!\n";
    let mut line = |name: &str, what: String| {
        writeln!(text, "//! - {name}: {what}").expect("a string takes everything");
    };
    line(
        "games",
        format!("{games}, {held_out_games} of them held out"),
    );
    line("positions", positions.to_string());
    line("commit", commit.clone());
    line(
        "held-out log-loss",
        format!("{before:.4} before, {after:.4} after"),
    );
    if *target_mix > 0.0 {
        line(
            "share of the search's win probability in the targets",
            target_mix.to_string(),
        );
    }
    if let Some(note) = note {
        line("note", one_line(note));
    }
    text
}

/// The table as it reads back from a written file: rounded to four decimals.
#[must_use]
pub fn rounded(table: &Knots) -> Knots {
    table.map(|row| row.map(|weight| (weight * 1e4).round() / 1e4))
}
