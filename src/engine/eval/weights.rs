//! The phase weights: what each feature adds to the log-odds that black wins.
//!
//! Logistic regression fitted them: one knot every six arrows, linear interpolation between knots. Columns: queen
//! territory, king territory, queen position, king position, mobility, side to move; amazons with no, one, and two or
//! three empty neighbours (parts of mobility); squares that only one player reaches (part of king position).

mod table;

use super::{COMPONENTS, LOG_ODDS_ONE, UNITS};
use crate::board::MAX_ARROWS;
use table::WEIGHTS;

/// Number of weights: one per feature of [`super::Features`], and one for the side to move.
pub const COLUMNS: usize = COMPONENTS + 1;

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

/// Integer weights of one phase, fixed-point log-odds per unit of each feature.
#[derive(Clone, Copy)]
pub(super) struct PhaseWeights {
    pub(super) features: [i32; COMPONENTS],
    pub(super) to_move: i32,
}

impl PhaseWeights {
    const ZERO: PhaseWeights = PhaseWeights {
        features: [0; COMPONENTS],
        to_move: 0,
    };

    const fn at(arrows: usize) -> PhaseWeights {
        let table = at(knots(), arrows);
        let mut weights = PhaseWeights::ZERO;
        weights.to_move = fixed_point(table[SIDE_TO_MOVE]);
        let mut column = 0;
        while column < weights.features.len() {
            let entry = table[if column < SIDE_TO_MOVE {
                column
            } else {
                column + 1
            }];
            weights.features[column] = fixed_point(entry / UNITS[column]);
            column += 1;
        }
        weights
    }
}

/// Log-odds as a fixed-point number, rounded to nearest.
const fn fixed_point(log_odds: f64) -> i32 {
    let scaled = log_odds * LOG_ODDS_ONE as f64;
    (if scaled < 0.0 {
        scaled - 0.5
    } else {
        scaled + 0.5
    }) as i32
}

/// The weights by number of arrows.
static PHASES: [PhaseWeights; MAX_ARROWS + 1] = {
    let mut table = [PhaseWeights::ZERO; MAX_ARROWS + 1];
    let mut arrows = 0;
    while arrows <= MAX_ARROWS {
        table[arrows] = PhaseWeights::at(arrows);
        arrows += 1;
    }
    table
};

/// The compiled-in weights at a number of arrows, as the evaluation multiplies by them.
#[inline(always)]
pub(super) fn of_phase(arrows: usize) -> &'static PhaseWeights {
    &PHASES[arrows]
}
