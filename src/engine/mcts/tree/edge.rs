//! The types [`PackedEdge`] and [`Edge`]: an edge of the search tree before its first visit, in four bytes, and its
//! full statistics from the first visit on.

use super::arena::BlockId;
use super::nodes::NodeId;
use crate::board::{Move, Square};
use crate::eval::LOG_ODDS_ONE;

/// An action (an amazon's move, or the shot of an arrow) in 12 bits:
///
/// - bits 0 to 5: the square on which the amazon or the arrow lands,
/// - bits 6 to 11 of an amazon's move: the square that the amazon leaves,
/// - bits 6 to 11 of an arrow: its [policy offset](Action::policy_offset), a signed number of steps of
///   [`Action::POLICY_OFFSET_STEP`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action(u16);

impl Action {
    /// Number of bits in which an action is encoded: two fields of six bits each.
    const BITS: u32 = 12;

    /// Placeholder for unused array entries. Must never be played: its bits are those of an arrow at square 0.
    pub const NONE: Action = Action(0);

    /// Creates an amazon's move from square `from` to square `to`.
    #[must_use]
    pub const fn amazon(from: Square, to: Square) -> Action {
        Action((from.index() as u16) << 6 | to.index() as u16)
    }

    /// Creates an arrow's shot at square `target`, with a policy offset of 0.
    #[must_use]
    pub const fn arrow(target: Square) -> Action {
        Action(target.index() as u16)
    }

    /// Returns this arrow with a policy offset of `steps` times [`Action::POLICY_OFFSET_STEP`]. `steps` must lie within
    /// [`Action::POLICY_OFFSETS`].
    #[must_use]
    pub const fn with_policy_offset(self, steps: i32) -> Action {
        Action(self.to().index() as u16 | (steps as u16 & 0o77) << 6)
    }

    /// Returns the policy offset of this arrow: the log-odds, in units of 1 / [`LOG_ODDS_ONE`], that the policy network
    /// added to the static evaluation for the side that shoots. Meaningless for an amazon's move.
    #[must_use]
    pub const fn policy_offset(self) -> i32 {
        let steps = ((self.0 << 4) as i16) >> 10;
        steps as i32 * Action::POLICY_OFFSET_STEP
    }

    /// Size of a quantisation step of policy offsets, in units of 1 / [`LOG_ODDS_ONE`]: 1/8 in log-odds.
    pub const POLICY_OFFSET_STEP: i32 = LOG_ODDS_ONE / 8;

    /// Minimum and maximum policy offset of an arrow, in steps of [`Action::POLICY_OFFSET_STEP`]: the range of six
    /// signed bits.
    pub const POLICY_OFFSETS: [i32; 2] = [-32, 31];

    /// Returns the square that the amazon leaves. Meaningless for an arrow.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::wrapping((self.0 >> 6) as u32)
    }

    /// Returns the square on which the amazon or the arrow lands.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0 as u32)
    }

    /// Combines this amazon's move and the arrow's shot `arrow` into a whole turn.
    #[must_use]
    pub const fn followed_by(self, arrow: Action) -> Move {
        Move {
            from: self.from(),
            to: self.to(),
            arrow: arrow.to(),
        }
    }
}

/// An edge before its first visit, packed into 32 bits. Packed edges are ordered by estimate.
///
/// - Bits 0 to 11: the [`Action`].
/// - Bits 12 to 31: the estimate for the side to move, from 0 to [`PackedEdge::MAX_ESTIMATE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedEdge(pub u32);

impl PackedEdge {
    /// Maximum estimate of a packed edge, 2^20 − 1, which means a proven win.
    pub const MAX_ESTIMATE: u32 = (1 << (32 - Action::BITS)) - 1;

    /// Packs `action` with its quantised `estimate`, which must be at most [`PackedEdge::MAX_ESTIMATE`].
    #[must_use]
    pub const fn new(estimate: u32, action: Action) -> PackedEdge {
        PackedEdge(estimate << Action::BITS | action.0 as u32)
    }

    /// Returns the quantised log-odds that the side to move wins, from 0 (proven loss) to [`PackedEdge::MAX_ESTIMATE`]
    /// (proven win).
    #[must_use]
    pub const fn estimate(self) -> u32 {
        self.0 >> Action::BITS
    }

    /// Returns the action that the packed edge plays.
    #[must_use]
    pub const fn action(self) -> Action {
        Action(self.0 as u16 & ((1 << Action::BITS) - 1))
    }
}

/// Statistics of a visited edge. Win probabilities are those of the player who plays the edge.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Number of iterations through the edge, at most [`Edge::MAX_VISITS`].
    pub visits: u32,
    /// Mean win probability of the player who plays the edge, from 0 to 1. +∞ means a proven win, −∞ a proven loss.
    /// Until the first visit is backed up, this is the initial estimate.
    pub mean: f32,
    /// Prior probability of the edge, from 0 to 1: the softmax over the siblings' estimates, truncated to eight
    /// significant bits.
    pub prior: f32,
    /// The action that the edge plays: an amazon's move or an arrow's shot.
    pub action: Action,
    /// The child node, or `None` if it was not created yet or was removed to free memory.
    pub node: Option<NodeId>,
}

impl Edge {
    /// Value of [`Edge::mean`] if the side to move at the parent node is proven to win.
    pub const PROVEN_WIN: f32 = f32::INFINITY;

    /// Value of [`Edge::mean`] if the side to move at the parent node is proven to lose.
    pub const PROVEN_LOSS: f32 = f32::NEG_INFINITY;

    /// Maximum number of visits that an edge counts; further visits change only the mean. Two below 2^31, because
    /// [`Four::from_incremented`](crate::bitboard::Four::from_incremented) needs integers below 2^31 − 1.
    pub const MAX_VISITS: u32 = i32::MAX as u32 - 1;

    /// Returns `visits` plus one, at most [`Edge::MAX_VISITS`].
    #[inline(always)]
    #[must_use]
    pub const fn incremented_visits(visits: u32) -> u32 {
        visits + (visits < Edge::MAX_VISITS) as u32
    }

    /// Tests if the edge is a proven win or a proven loss.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.mean.is_infinite()
    }

    /// Returns the mean of the edge's win probabilities after one more visit with the win probability `value`.
    ///
    /// After many visits, one value changes the mean by less than the precision of an `f32`, and rounding to nearest
    /// would lose the change. Therefore, from `DITHERING_VISITS` visits on, the mean is rounded up or down
    /// pseudo-randomly (dithering), which is right on average.
    #[inline(always)]
    #[must_use]
    pub fn mean_with(&self, value: f32) -> f32 {
        let visits = self.visits + 1;
        if visits < DITHERING_VISITS {
            self.mean + (value - self.mean) / visits as f32
        } else {
            self.dithered_mean_with(value)
        }
    }

    /// Returns the mean of the edge's win probabilities after one more visit with the win probability `value`. Computes
    /// it in `f64` and rounds it to `f32` pseudo-randomly up or down (dithering), so that small changes are right on
    /// average.
    #[cold]
    #[inline(never)]
    fn dithered_mean_with(&self, value: f32) -> f32 {
        /// Mask of the lower 29 mantissa bits, which are lost when an `f64` is converted to an `f32`.
        const LOST_BITS: u64 = (1 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS)) - 1;
        let visits = self.visits + 1;
        let mean = f64::from(self.mean);
        let exact = mean + (f64::from(value) - mean) / f64::from(visits);
        // Multiples of the golden ratio, which spread evenly over an interval (Weyl 1916), decide whether to round up
        // or down.
        let number = match self.visits {
            // A saturated visit counter would give the same dither each time, so the bits of `value` replace it.
            Edge::MAX_VISITS => value.to_bits(),
            _ => visits,
        };
        let dither = u64::from(number.wrapping_mul(0x9e37_79b9)) & LOST_BITS;
        f64::from_bits((exact.to_bits() + dither) & !LOST_BITS) as f32
    }

    /// Packs prior and action of an edge into one 32-bit word of the arena:
    ///
    /// - bits 0 to 15: the [`Action`],
    /// - bits 16 to 31: the upper half of the prior as `f32`.
    pub(super) const fn pack_prior_and_action(prior: f32, action: Action) -> u32 {
        prior.to_bits() & PRIOR_BITS | action.0 as u32
    }

    /// Returns the prior in a word that [`Edge::pack_prior_and_action`] made, with eight significant bits.
    #[inline(always)]
    pub(super) const fn unpack_prior(word: u32) -> f32 {
        f32::from_bits(word & PRIOR_BITS)
    }

    /// Returns the action in a word that [`Edge::pack_prior_and_action`] made.
    #[inline(always)]
    pub(super) const fn unpack_action(word: u32) -> Action {
        Action(word as u16)
    }
}

/// Number of visits of an edge from which its mean win probability is rounded up or down pseudo-randomly (dithering).
const DITHERING_VISITS: u32 = 1 << 16;

/// Mask of the upper 16 bits of a prior as `f32`, which are stored: sign, exponent and seven mantissa bits.
const PRIOR_BITS: u32 = 0xffff_0000;

/// Location of a visited edge in the tree's arena: a 64-byte block, and one of the four slots in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeRef {
    pub(super) block: BlockId,
    slot: u8,
}

impl EdgeRef {
    /// Number of bits that the slot takes in the word made by [`EdgeRef::to_word`].
    const SLOT_BITS: u32 = 2;

    /// Creates the location of the edge in slot `slot`, from 0 to 3, of block `block`.
    #[inline(always)]
    pub(super) const fn new(block: BlockId, slot: usize) -> EdgeRef {
        EdgeRef {
            block,
            slot: slot as u8,
        }
    }

    /// Returns the edge's slot in its block, from 0 to 3.
    #[inline(always)]
    pub(super) const fn slot(self) -> usize {
        self.slot as usize % (1 << Self::SLOT_BITS)
    }

    /// Encodes the location as a 32-bit word of the arena, which is never 0:
    ///
    /// - bits 0 and 1: the slot,
    /// - bits 2 to 31: the id of the block.
    pub(super) fn to_word(self) -> u32 {
        BlockId::to_word(Some(self.block)) << Self::SLOT_BITS | u32::from(self.slot)
    }

    /// Decodes a word that [`EdgeRef::to_word`] made. Returns `None` for 0.
    pub(super) fn from_word(word: u32) -> Option<EdgeRef> {
        let block = BlockId::from_word(word >> Self::SLOT_BITS)?;
        Some(EdgeRef::new(block, word as usize % (1 << Self::SLOT_BITS)))
    }
}

/// Estimate of an edge before its first visit: initial value and prior probability.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Win probability of the side to move, from 0 to 1; +∞ if the edge is a proven win, −∞ if a proven loss.
    pub value: f32,
    /// Prior probability of the edge, from 0 to 1; the priors of all siblings add up to about 1.
    pub prior: f32,
}

/// Constants of the softmax over the estimates of sibling edges. With them, a packed edge is converted to an
/// [`Estimate`].
#[derive(Clone, Copy, Debug)]
pub struct Softmax {
    /// Highest quantised estimate among the siblings, from 0 to [`PackedEdge::MAX_ESTIMATE`].
    pub best: u32,
    /// Reciprocal of the sum of the siblings' softmax terms. A sibling's term is 2^-x, where x is proportional to the
    /// difference between `best` and the sibling's estimate.
    pub inverse_sum: f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Checks the mean of an edge after millions of visits with random win probabilities, whose average drifts as in a
    /// search that finds better moves over time.
    #[test]
    fn mean_stays_accurate_over_millions_of_visits() {
        for (visits, mean, probability) in [
            (0, 0.5, 0.9),
            (0, 0.5, 0.55),
            (0, 0.5, 0.3),
            (Edge::MAX_VISITS - 2, 0.25, 0.95),
        ] {
            let mut random = SmallRng::seed_from_u64(1);
            let mut exact = f64::from(mean);
            let mut edge = Edge {
                visits,
                mean,
                prior: 0.0,
                action: Action::NONE,
                node: None,
            };
            for visit in 0..5_000_000 {
                let center = probability + 0.04 * (1e-6 * f64::from(visit)).sin();
                let value = (center + random.random_range(-0.01..0.01)) as f32;
                edge.mean = edge.mean_with(value);
                edge.visits = Edge::incremented_visits(edge.visits);
                exact += (f64::from(value) - exact) / f64::from(edge.visits);
                let drift = (f64::from(edge.mean) - exact).abs();
                assert!(drift < 5e-5, "{edge:?}, not {exact}");
            }
            let counted = (visits + 5_000_000).min(Edge::MAX_VISITS);
            assert_eq!(edge.visits, counted);
        }
    }
}
