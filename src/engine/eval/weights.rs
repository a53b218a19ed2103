//! Weights of the linear evaluation: how much each term adds to the log-odds that black wins, by number of arrows.
//!
//! Weights are stored for 0, 6, …, 60 arrows (the knots) and interpolated linearly between them. The last knot exceeds
//! the maximum of 56 arrows, because the weights for 55 and 56 are interpolated between those for 54 and 60. The
//! weights were fitted by logistic regression. The columns of the table are:
//!
//! | column | term: black's number minus white's |
//! | --- | --- |
//! | 0 | queen territory: squares that the player reaches in fewer queen moves than the opponent |
//! | 1 | king territory: squares that the player reaches in fewer king moves than the opponent |
//! | 2 | queen position: sum of `2·2^-d` over the empty squares, `d` queen moves from the player |
//! | 3 | king position: king moves by which the player is closer, at most 6 per square, summed, divided by 6 |
//! | 4 | mobility: squares that an amazon reaches in one move, summed over the player's amazons |
//! | 5 | side to move: 1 for the player to move, 0 for the other |
//! | 6 | amazons without empty neighbours |
//! | 7 | amazons with one empty neighbour |
//! | 8 | amazons with two or three empty neighbours |
//! | 9 | squares that only this player reaches |

mod table;

use super::{LOG_ODDS_ONE, TERMS, UNITS};
use crate::board::MAX_ARROWS;
use table::WEIGHTS;

/// Number of columns in the table of weights: one for each of the nine terms in [`super::Features`], and one for the
/// side to move.
pub const COLUMNS: usize = TERMS + 1;

/// Index of the column of the weight table that holds the tempo bonus: the log-odds that the side to move gains from
/// having the move.
pub const SIDE_TO_MOVE: usize = 5;

/// Number of arrows by which two neighbouring rows of [`Knots`], the table of weights, differ.
pub const KNOT_STEP: usize = 6;

/// Number of rows of [`Knots`], the table of weights: eleven, for 0, 6, …, 60 arrows.
pub const KNOTS: usize = MAX_ARROWS / KNOT_STEP + 2;

/// Table of weights of the linear evaluation. A weight is the increase of the log-odds that black wins if a term
/// increases by 1.0. The rows are for 0, 6, …, 60 arrows. The columns are the terms in the order of
/// [`Features`](super::Features), with [`SIDE_TO_MOVE`] inserted as column 5.
pub type Knots = [[f64; COLUMNS]; KNOTS];

/// Returns the compiled-in table of weights of the linear evaluation. Row `i` contains the weights for `6·i` arrows;
/// for other numbers of arrows, [`interpolated`] interpolates between two rows. [`Knots`] describes the columns.
#[must_use]
pub const fn knots() -> &'static Knots {
    &WEIGHTS
}

/// Returns the weights of the linear evaluation for a number of arrows, interpolated linearly between two rows of
/// `knots`. The columns of the result are those of [`Knots`].
///
/// # Panics
/// If `arrows` is greater than [`MAX_ARROWS`].
#[must_use]
pub const fn interpolated(knots: &Knots, arrows: usize) -> [f64; COLUMNS] {
    assert!(arrows <= MAX_ARROWS);
    let (low, high) = (&knots[arrows / KNOT_STEP], &knots[arrows / KNOT_STEP + 1]);
    let share = (arrows % KNOT_STEP) as f64 / KNOT_STEP as f64;
    let mut weights = [0.0; COLUMNS];
    let mut column = 0;
    while column < COLUMNS {
        weights[column] = low[column] + share * (high[column] - low[column]);
        column += 1;
    }
    weights
}

/// Weights of the linear evaluation for positions with a certain number of arrows, as integers in units of 1 /
/// [`LOG_ODDS_ONE`]. Each of `features` is multiplied by the integer that [`super::Features`] stores for its term. The
/// sum of the products, plus `to_move` if black is to move, otherwise minus `to_move`, is the log-odds that black wins.
/// Because the stored integer is the term times its scale in [`UNITS`], the weight in [`Knots`] is divided by this
/// scale.
#[derive(Clone, Copy)]
pub(super) struct PhaseWeights {
    pub(super) features: [i32; TERMS],
    pub(super) to_move: i32,
}

impl PhaseWeights {
    const ZERO: PhaseWeights = PhaseWeights {
        features: [0; TERMS],
        to_move: 0,
    };

    const fn interpolated(arrows: usize) -> PhaseWeights {
        let table = interpolated(knots(), arrows);
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

/// Weights of the linear evaluation as integers, in units of 1 / [`LOG_ODDS_ONE`]. The index is the number of arrows,
/// from 0 to 56. They are computed at compile time from the weights for 0, 6, …, 60 arrows, by linear interpolation.
static PHASES: [PhaseWeights; MAX_ARROWS + 1] = {
    let mut table = [PhaseWeights::ZERO; MAX_ARROWS + 1];
    let mut arrows = 0;
    while arrows <= MAX_ARROWS {
        table[arrows] = PhaseWeights::interpolated(arrows);
        arrows += 1;
    }
    table
};

/// Returns the compiled-in weights of the linear evaluation for positions with `arrows` arrows, as integers in units of
/// 1 / [`LOG_ODDS_ONE`].
///
/// # Panics
/// If `arrows` is greater than [`MAX_ARROWS`].
#[inline(always)]
pub(super) fn integer_weights(arrows: usize) -> &'static PhaseWeights {
    &PHASES[arrows]
}
