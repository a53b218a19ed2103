//! The phase weights: what each feature adds to the log-odds that black wins.
//!
//! Logistic regression fitted them: one knot every six arrows, linear interpolation between knots. Columns: queen
//! territory, king territory, queen position, king position, mobility, side to move; amazons with no, one, and two or
//! three empty neighbours (parts of mobility); squares that only one player reaches (part of king position).

mod table;

use crate::board::MAX_ARROWS;
use table::WEIGHTS;

/// Number of weights: one per feature of [`super::Features`], and one for the side to move.
pub const COLUMNS: usize = super::COMPONENTS + 1;

/// Column of the side to move.
pub const SIDE_TO_MOVE: usize = 5;

/// Arrows between two knots.
pub const SPACING: usize = 6;

/// Number of knots.
pub const KNOTS: usize = MAX_ARROWS / SPACING + 2;

/// Weights at 0, 6, …, 60 arrows.
pub type Knots = [[f64; COLUMNS]; KNOTS];

/// The compiled-in table.
#[must_use]
pub const fn knots() -> &'static Knots {
    &WEIGHTS
}

/// The weights of a table at a number of arrows, by linear interpolation between the knots.
///
/// # Panics
/// If there are more than [`MAX_ARROWS`].
#[must_use]
pub const fn at(knots: &Knots, arrows: usize) -> [f64; COLUMNS] {
    assert!(arrows <= MAX_ARROWS);
    let (low, high) = (&knots[arrows / SPACING], &knots[arrows / SPACING + 1]);
    let share = (arrows % SPACING) as f64 / SPACING as f64;
    let mut weights = [0.0; COLUMNS];
    let mut column = 0;
    while column < COLUMNS {
        weights[column] = low[column] + share * (high[column] - low[column]);
        column += 1;
    }
    weights
}
