//! The phase weights: what each feature adds to the log-odds that black wins.
//!
//! First table, from a preliminary study: logistic regression on about 5,000 self-play games, with a
//! knot every six arrows and straight lines between them. Columns: queen territory, king territory,
//! queen position, king position, mobility, side to move, then amazons with no, one, and two or three
//! empty neighbours (part of mobility), and squares that one side alone reaches (part of king position).

use crate::board::MAX_ARROWS;

/// Number of weights: one per feature of [`super::Features`], and one for the side to move.
pub(super) const COLUMNS: usize = 10;

/// Column of the side to move.
pub(super) const SIDE_TO_MOVE: usize = 5;

/// Arrows between two knots.
const SPACING: usize = 6;

/// Weights at 0, 6, …, 60 arrows.
type Knots = [[f64; COLUMNS]; MAX_ARROWS / SPACING + 2];

/// Weights of positions in which a turn is to begin.
#[rustfmt::skip]
const WHOLE_TURN: Knots = [
    [0.0710, 0.0105, -0.1883, -0.0430, 0.0359, 0.2731, 0.0539, -0.2208, -0.1865, -0.3658],
    [-0.0754, 0.0074, 0.2747, 0.0770, -0.0065, 0.4062, -1.1997, -1.0461, -0.1504, -0.1888],
    [0.0805, 0.0308, 0.0648, 0.3529, -0.0075, 0.4156, -2.2014, -0.6780, -0.0643, -0.1462],
    [0.2180, 0.0510, -0.1049, 0.4866, 0.0181, 0.4103, -1.2682, -0.5680, 0.0800, -0.1508],
    [0.3017, 0.1032, -0.1855, 0.7185, 0.0648, 0.4358, -0.4419, -0.0793, 0.1312, -0.3001],
    [0.4624, 0.1011, -0.1600, 0.8924, 0.0732, 0.2999, -0.4179, 0.0761, 0.2546, -0.4092],
    [0.7611, 0.3383, -0.1999, 0.7572, 0.1295, -0.1140, 0.4760, 0.5772, 0.3836, -0.2838],
    [0.9864, 0.7466, -0.1240, 0.8731, 0.0815, -1.1763, 0.7160, 0.5684, 0.5466, -0.0761],
    [1.2130, 1.5351, -0.5082, 1.2048, -0.0869, -2.0575, 0.2770, 0.2120, 0.4179, 0.6073],
    [1.3622, 1.3657, 0.4556, 1.3515, -0.3685, -2.4163, 0.2953, 0.1481, -0.4760, 1.3453],
    [0.2591, 0.2590, 0.2591, 0.2592, 0.2591, 0.2591, -0.2591, 0.2591, -0.0002, 0.2590],
];

/// Weights of positions in which an amazon has moved and its arrow is still to be shot.
#[rustfmt::skip]
const BEFORE_ARROW: Knots = [
    [0.0333, -0.0276, -0.1322, -0.0370, 0.0388, -0.0293, -0.0176, -0.3198, -0.2814, -0.5973],
    [-0.0564, 0.0217, 0.2051, 0.1445, -0.0072, -0.1820, -1.1862, -1.2151, -0.2030, -0.2073],
    [0.0992, 0.0247, 0.0371, 0.4103, -0.0081, -0.0735, -2.1264, -0.7184, -0.0669, -0.2007],
    [0.2277, 0.0683, -0.1289, 0.4830, 0.0073, 0.0030, -1.2455, -0.6404, 0.0403, -0.1822],
    [0.2895, 0.1373, -0.2277, 0.6639, 0.0533, 0.0029, -0.4589, -0.0647, 0.0835, -0.2863],
    [0.4146, 0.2161, -0.1355, 0.7304, 0.0548, -0.0229, -0.3082, 0.0714, 0.2463, -0.3671],
    [0.8828, 0.4278, -0.1823, 0.5354, 0.1005, -0.2281, 0.7725, 0.7145, 0.5024, -0.2863],
    [0.8959, 0.8444, -0.2416, 0.8935, 0.1241, -0.6718, 0.8253, 0.6196, 0.4935, -0.3429],
    [1.8269, 1.8472, -0.5701, 0.3872, -0.1272, -1.1332, 0.4167, -0.1216, 0.1787, -0.3429],
    [1.5385, 1.5123, 0.3788, 0.8049, -0.0061, -1.7879, 0.3344, -0.0700, -0.2925, 0.6330],
    [0.2266, 0.2265, 0.2264, 0.2265, 0.2276, 0.4837, -0.2278, 0.2276, -0.0000, 0.2265],
];

/// The weights at a number of arrows, by linear interpolation between the knots.
///
/// # Panics
/// If there are more than [`MAX_ARROWS`].
pub(super) const fn at(arrows: usize, before_arrow: bool) -> [f64; COLUMNS] {
    assert!(arrows <= MAX_ARROWS);
    let knots = if before_arrow {
        &BEFORE_ARROW
    } else {
        &WHOLE_TURN
    };
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
