//! The weights of the linear evaluation: how much each term adds to the log-odds that black wins, by the number of
//! arrows on the board.
//!
//! They were fitted by logistic regression, with a knot every six arrows and linear interpolation between knots.
//! Columns: queen territory, king territory, queen position, king position, mobility, side to move; amazons with no,
//! one, and two or three empty neighbours (terms of mobility); squares that only one player reaches (a term of king
//! position).

mod table;

use super::{COMPONENTS, LOG_ODDS_ONE, UNITS};
use crate::board::MAX_ARROWS;
use table::WEIGHTS;

/// Number of weights per knot: one per term of [`super::Features`], and one for the side to move.
pub const COLUMNS: usize = COMPONENTS + 1;

/// Index of the column that holds the side-to-move bonus, in log-odds.
pub const SIDE_TO_MOVE: usize = 5;

/// Number of arrows between two neighbouring knots.
pub const SPACING: usize = 6;

/// Number of knots: eleven, at 0, 6, …, 60 arrows.
pub const KNOTS: usize = MAX_ARROWS / SPACING + 2;

/// Table of weights in log-odds per 1.0 of each term: a row for each knot at 0, 6, …, 60 arrows, with the columns
/// described in the module.
pub type Knots = [[f64; COLUMNS]; KNOTS];

/// Returns the compiled-in table of weights, before conversion to integers.
#[must_use]
pub const fn knots() -> &'static Knots {
    &WEIGHTS
}

/// Returns the weights for a number of arrows, by linear interpolation between the two nearest rows of `knots`. The
/// result has the columns of [`Knots`].
///
/// # Panics
/// If `arrows` is greater than [`MAX_ARROWS`].
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

/// Integer weights for one number of arrows, in log-odds of 1 / [`LOG_ODDS_ONE`] per integer unit of each term.
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

/// Converts log-odds to a fixed-point number in units of 1 / [`LOG_ODDS_ONE`], rounded to nearest.
const fn fixed_point(log_odds: f64) -> i32 {
    let scaled = log_odds * LOG_ODDS_ONE as f64;
    (if scaled < 0.0 {
        scaled - 0.5
    } else {
        scaled + 0.5
    }) as i32
}

/// Integer weights of the linear evaluation; the index is the number of arrows, from 0 to 56.
static PHASES: [PhaseWeights; MAX_ARROWS + 1] = {
    let mut table = [PhaseWeights::ZERO; MAX_ARROWS + 1];
    let mut arrows = 0;
    while arrows <= MAX_ARROWS {
        table[arrows] = PhaseWeights::at(arrows);
        arrows += 1;
    }
    table
};

/// Returns the compiled-in integer weights for a number of arrows.
///
/// # Panics
/// If `arrows` is greater than [`MAX_ARROWS`].
#[inline(always)]
pub(super) fn of_phase(arrows: usize) -> &'static PhaseWeights {
    &PHASES[arrows]
}
