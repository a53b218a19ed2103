//! Weights of the linear evaluation, rewritten by `amazons tune`.
//!
//! - games: 60000, 5963 of them held out
//! - positions: 4889290
//! - commit: d94f7c532421
//! - held-out log-loss: 0.3309 before, 0.3281 after
//! - note: round 2: games of round 1's engine, 400 iterations a move
//!
//! Each round fits new weights to games that the bot played with the weights of the previous round. The losses are
//! those of the old weights (before) and of the new weights (after). Half of these positions were between an amazon's
//! move and its arrow. Their weights formed a second table, which has been deleted.

use super::Knots;

/// Weights of the linear evaluation for positions in which an amazon moves next. Row `i` is for `6·i` arrows; for
/// numbers of arrows between two rows, the weights are interpolated linearly. [`Knots`] lists the columns.
#[rustfmt::skip]
pub(super) const WEIGHTS: Knots = [
    [-0.1341, 0.0188, 0.3530, -0.0443, 0.0073, 0.5274, -3.0073, -1.0992, -0.2315, -0.2821],
    [-0.1281, 0.0133, 0.3799, 0.0821, 0.0004, 0.5040, -2.9556, -1.3788, -0.2739, -0.2751],
    [0.0961, 0.0105, 0.0270, 0.4289, -0.0077, 0.5075, -2.4518, -1.4309, -0.2224, -0.2089],
    [0.2622, 0.0839, -0.2097, 0.5614, 0.0283, 0.5084, -1.5948, -0.8316, -0.0029, -0.2079],
    [0.3044, 0.1620, -0.2019, 0.6450, 0.0719, 0.4820, -0.5376, -0.1273, 0.1486, -0.2799],
    [0.4416, 0.2140, -0.1598, 0.8213, 0.0867, 0.3227, 0.1570, 0.3973, 0.3632, -0.4231],
    [0.8394, 0.3216, -0.2315, 1.0810, 0.1364, -0.2031, 0.9344, 0.8930, 0.6640, -0.6323],
    [1.2845, 0.5509, -0.4150, 1.3763, 0.2744, -1.1648, 2.4501, 2.0596, 1.2807, -0.5525],
    [1.6480, 0.8552, -0.3580, 1.7636, 0.1943, -1.7034, 4.4110, 2.9836, 1.0977, -0.2245],
    [1.9102, 1.0705, 0.0498, 2.0694, 0.2805, -2.5026, 2.7363, 3.0652, 1.6806, 0.0522],
    [1.9157, 1.0751, 0.0622, 2.0761, 0.2842, -2.2972, 2.3882, 3.2771, 1.6845, 0.0584],
];
