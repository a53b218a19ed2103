//! What is known so far of the position that the page shows.

use crate::tools::analysis::ownership::{Share, shares};
use crate::tools::analysis::position::Position;
use crate::tools::thinking::mind::Mind;
use serde_json::{Value, json};

/// What a mind has found in the position that it studies, with so many best moves. Probabilities are those of the player to
/// move; visits are the iterations through the position's best amazon move, those of earlier positions counted; ownership is
/// that of each square by rows from a1.
///
/// # Errors
/// If it studies none.
pub fn findings(mind: &Mind, candidates: usize) -> Result<Value, String> {
    let search = mind.search().ok_or("no position is set")?;
    let found = Position::of(search, candidates, None);
    Ok(json!({
        "iterations": mind.iterations(),
        "visits": found.report.visits,
        "depth": mind.depth(),
        "win_probability": found.report.win_probability,
        "proven": found.proven,
        "candidates": found.candidates,
        "ownership": shares(search.board()).map(Share::ownership).to_vec(),
    }))
}
