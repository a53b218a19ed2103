//! Edges of the search tree: a packed edge of four bytes before the first visit, full statistics afterwards.

use super::arena::LineId;
use super::nodes::NodeId;
use crate::board::{Move, Square};
use crate::eval::LOG_ODDS_ONE;

/// A half-move: the move of an amazon, or the shot of an arrow. An arrow stores its [policy
/// offset](HalfMove::policy_offset) in the six bits in which an amazon's move stores its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMove(u16);

impl HalfMove {
    /// Size of a half-move in bits: six for each of two squares.
    const BITS: u32 = 12;

    /// Placeholder for unused array entries.
    pub const NONE: HalfMove = HalfMove(0);

    /// Creates the half-move of an amazon.
    #[must_use]
    pub const fn amazon(from: Square, to: Square) -> HalfMove {
        HalfMove((from.index() as u16) << 6 | to.index() as u16)
    }

    /// Creates the half-move of an arrow, with a policy offset of 0.
    #[must_use]
    pub const fn arrow(target: Square) -> HalfMove {
        HalfMove(target.index() as u16)
    }

    /// Returns this arrow with a policy offset, in steps of [`HalfMove::POLICY_OFFSET_STEP`]. The offset is what the
    /// policy network adds to the arrow's evaluation; it is stored so that the evaluation can be recovered from the
    /// estimate.
    #[must_use]
    pub const fn with_policy_offset(self, steps: i32) -> HalfMove {
        HalfMove(self.to().index() as u16 | (steps as u16 & 0o77) << 6)
    }

    /// Returns the policy offset of an arrow, in units of 1 / [`LOG_ODDS_ONE`].
    #[must_use]
    pub const fn policy_offset(self) -> i32 {
        let steps = ((self.0 << 4) as i16) >> 10;
        steps as i32 * HalfMove::POLICY_OFFSET_STEP
    }

    /// Quantisation step of policy offsets, in units of 1 / [`LOG_ODDS_ONE`].
    pub const POLICY_OFFSET_STEP: i32 = LOG_ODDS_ONE / 8;

    /// Minimum and maximum policy offset, in steps of [`HalfMove::POLICY_OFFSET_STEP`].
    pub const POLICY_OFFSETS: [i32; 2] = [-32, 31];

    /// Returns the square that the amazon leaves; meaningless for an arrow.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::wrapping((self.0 >> 6) as u32)
    }

    /// Returns the square that the amazon enters, or on which the arrow lands.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0 as u32)
    }

    /// Combines this amazon's move with the arrow after it into a whole turn.
    #[must_use]
    pub const fn then(self, arrow: HalfMove) -> Move {
        Move {
            from: self.from(),
            to: self.to(),
            arrow: arrow.to(),
        }
    }
}

/// A packed edge, for edges without visits: 20 bits of estimate for the side to move, above 12 bits of half-move.
/// Integers compare like estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedEdge(pub u32);

impl PackedEdge {
    /// Maximum estimate, which stands for a proven win. An estimate of 0 stands for a proven loss.
    pub const MAX_ESTIMATE: u32 = (1 << (32 - HalfMove::BITS)) - 1;

    /// Packs a half-move with an estimate of at most [`PackedEdge::MAX_ESTIMATE`].
    #[must_use]
    pub const fn new(estimate: u32, half_move: HalfMove) -> PackedEdge {
        PackedEdge(estimate << HalfMove::BITS | half_move.0 as u32)
    }

    /// Returns the estimate for the side to move, from 0 to [`PackedEdge::MAX_ESTIMATE`].
    #[must_use]
    pub const fn estimate(self) -> u32 {
        self.0 >> HalfMove::BITS
    }

    /// Returns the half-move.
    #[must_use]
    pub const fn half_move(self) -> HalfMove {
        HalfMove(self.0 as u16 & ((1 << HalfMove::BITS) - 1))
    }
}

/// Statistics of a visited edge, from the view of the side to move at its parent node.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Number of iterations through the edge, at most [`Edge::MAX_VISITS`].
    pub visits: u32,
    /// Mean win probability of the side to move, from 0 to 1; ±∞ if proven.
    pub mean: f32,
    /// Prior probability: softmax over the siblings, rounded to eight significant bits.
    pub prior: f32,
    /// The half-move that the edge plays.
    pub half_move: HalfMove,
    /// The child node, or `None` while the child is not in the tree.
    pub node: Option<NodeId>,
}

impl Edge {
    /// Value of `mean` for a proven win.
    pub const PROVEN_WIN: f32 = f32::INFINITY;

    /// Value of `mean` for a proven loss.
    pub const PROVEN_LOSS: f32 = f32::NEG_INFINITY;

    /// Maximum number of visits that is counted; further visits change only the mean. One more than this still fits
    /// below 2^31, as [`crate::bitboard::Four::after`] requires.
    pub const MAX_VISITS: u32 = i32::MAX as u32 - 1;

    /// Adds one visit to `visits`, up to [`Edge::MAX_VISITS`].
    #[inline(always)]
    #[must_use]
    pub const fn add_visit(visits: u32) -> u32 {
        visits + (visits < Edge::MAX_VISITS) as u32
    }

    /// Tests if the edge is a proven win or a proven loss.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.mean.is_infinite()
    }

    /// Returns the mean after one more visit with the value `value`.
    ///
    /// After many visits, one value changes the mean by less than the precision of an `f32`. Rounding to nearest would
    /// then drop every change, and the mean would stop moving. From `DITHERING_VISITS` visits on, dithering rounds up
    /// or down at a rate that keeps the mean right on average.
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

    /// Returns the mean after one more visit like [`Edge::mean_with`], with dithered rounding.
    #[cold]
    #[inline(never)]
    fn dithered_mean_with(&self, value: f32) -> f32 {
        /// Mask of the mantissa bits that are lost when an `f64` becomes an `f32`.
        const REST: u64 = (1 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS)) - 1;
        let visits = self.visits + 1;
        let mean = f64::from(self.mean);
        let exact = mean + (f64::from(value) - mean) / f64::from(visits);
        // The dither: multiples of the golden ratio spread evenly over an interval (Weyl 1916).
        let number = match self.visits {
            // The number of visits no longer changes, so the dither is made from the value.
            Edge::MAX_VISITS => value.to_bits(),
            _ => visits,
        };
        let dither = u64::from(number.wrapping_mul(0x9e37_79b9)) & REST;
        f64::from_bits((exact.to_bits() + dither) & !REST) as f32
    }

    /// Packs prior and half-move into one word: the upper 16 bits of the prior's `f32`, then the half-move.
    pub(super) const fn prior_and_move_word(prior: f32, half_move: HalfMove) -> u32 {
        prior.to_bits() & PRIOR_BITS | half_move.0 as u32
    }

    /// Returns the prior from a word made by [`Edge::prior_and_move_word`].
    #[inline(always)]
    pub(super) const fn prior_of(word: u32) -> f32 {
        f32::from_bits(word & PRIOR_BITS)
    }

    /// Returns the half-move from a word made by [`Edge::prior_and_move_word`].
    #[inline(always)]
    pub(super) const fn half_move_of(word: u32) -> HalfMove {
        HalfMove(word as u16)
    }
}

/// Number of visits from which means are rounded with dithering. Only long searches reach this number.
const DITHERING_VISITS: u32 = 1 << 16;

/// Mask of the bits of a prior's `f32` that are stored.
const PRIOR_BITS: u32 = 0xffff_0000;

/// Location of a visited edge in the arena: a line and a slot in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeRef {
    pub(super) line: LineId,
    slot: u8,
}

impl EdgeRef {
    /// Number of bits that a slot takes in a word.
    const SLOT_BITS: u32 = 2;

    /// Creates the location of `slot` in `line`; `slot` must be below 4.
    #[inline(always)]
    pub(super) const fn new(line: LineId, slot: usize) -> EdgeRef {
        EdgeRef {
            line,
            slot: slot as u8,
        }
    }

    /// Returns the slot in the line, from 0 to 3.
    #[inline(always)]
    pub(super) const fn slot(self) -> usize {
        self.slot as usize % (1 << Self::SLOT_BITS)
    }

    /// Encodes the location as a word of the arena, never 0.
    pub(super) fn to_word(self) -> u32 {
        LineId::to_word(Some(self.line)) << Self::SLOT_BITS | u32::from(self.slot)
    }

    /// Decodes a word made by [`EdgeRef::to_word`]; 0 gives `None`.
    pub(super) fn from_word(word: u32) -> Option<EdgeRef> {
        let line = LineId::from_word(word >> Self::SLOT_BITS)?;
        Some(EdgeRef::new(line, word as usize % (1 << Self::SLOT_BITS)))
    }
}

/// Initial value and prior of an edge, before any visit.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Win probability of the side to move, from 0 to 1; ±∞ if proven.
    pub value: f32,
    /// Prior probability of the edge among its siblings.
    pub prior: f32,
}

/// Constants of the softmax over sibling edges, needed to turn a packed edge into an [`Estimate`].
#[derive(Clone, Copy, Debug)]
pub struct Softmax {
    /// Highest estimate among the siblings.
    pub best: u32,
    /// Reciprocal of the sum of the siblings' exponentials.
    pub inverse_sum: f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Feeds values near a slowly changing probability, like those of a search that discovers something.
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
                half_move: HalfMove::NONE,
                node: None,
            };
            for visit in 0..5_000_000 {
                let center = probability + 0.04 * (1e-6 * f64::from(visit)).sin();
                let value = (center + random.random_range(-0.01..0.01)) as f32;
                edge.mean = edge.mean_with(value);
                edge.visits = Edge::add_visit(edge.visits);
                exact += (f64::from(value) - exact) / f64::from(edge.visits);
                let drift = (f64::from(edge.mean) - exact).abs();
                assert!(drift < 5e-5, "{edge:?}, not {exact}");
            }
            let counted = (visits + 5_000_000).min(Edge::MAX_VISITS);
            assert_eq!(edge.visits, counted);
        }
    }
}
