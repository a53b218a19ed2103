//! An edge, from a node to what a half-move leads to: a four-byte key before its first visit, statistics from
//! then on.

use super::arena::LineId;
use super::nodes::NodeId;
use crate::board::{Move, Square};
use crate::eval::LOG_ODDS_ONE;

/// Half a turn: an amazon's move, or the shot of an arrow. In the place of the square where an amazon's move begins an arrow
/// has its [lean](HalfMove::lean).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMove(u16);

impl HalfMove {
    /// Bits of a half-move.
    const BITS: u32 = 12;

    /// Stands where there is no half-move.
    pub const NONE: HalfMove = HalfMove(0);

    /// An amazon's move.
    #[must_use]
    pub const fn amazon(from: Square, to: Square) -> HalfMove {
        HalfMove((from.index() as u16) << 6 | to.index() as u16)
    }

    /// An arrow's shot, with a lean of 0.
    #[must_use]
    pub const fn arrow(target: Square) -> HalfMove {
        HalfMove(target.index() as u16)
    }

    /// An arrow with a lean, in steps of [`HalfMove::LEAN_STEP`] what the order network
    /// adds to the log-odds by the evaluation. So these can be had again from the estimate.
    #[must_use]
    pub const fn leaning(self, steps: i32) -> HalfMove {
        HalfMove(self.to().index() as u16 | (steps as u16 & 0o77) << 6)
    }

    /// The lean of an arrow in units of 1 / [`LOG_ODDS_ONE`].
    #[must_use]
    pub const fn lean(self) -> i32 {
        let steps = ((self.0 << 4) as i16) >> 10;
        steps as i32 * HalfMove::LEAN_STEP
    }

    /// The step of a lean, in units of 1 / [`LOG_ODDS_ONE`].
    pub const LEAN_STEP: i32 = LOG_ODDS_ONE / 8;

    /// Steps of the smallest lean and of the largest.
    pub const LEANS: [i32; 2] = [-32, 31];

    /// Where the amazon moves from; meaningless for an arrow.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::wrapping((self.0 >> 6) as u32)
    }

    /// Where the amazon moves to, or where the arrow lands.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0 as u32)
    }

    /// The turn of an amazon's move and the arrow after it.
    #[must_use]
    pub const fn then(self, arrow: HalfMove) -> Move {
        Move {
            from: self.from(),
            to: self.to(),
            arrow: arrow.to(),
        }
    }
}

/// An edge before its first visit, as a word of the arena: 20 bits of estimate for the player who chooses, 12 of half-move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(pub u32);

impl Key {
    /// Estimates from 0, worst, to this, best.
    pub const MAX_ESTIMATE: u32 = (1 << (32 - HalfMove::BITS)) - 1;

    /// The key of a half-move with an estimate of at most [`Key::MAX_ESTIMATE`].
    #[must_use]
    pub const fn new(estimate: u32, half_move: HalfMove) -> Key {
        Key(estimate << HalfMove::BITS | half_move.0 as u32)
    }

    /// The estimate, for the player who chooses.
    #[must_use]
    pub const fn estimate(self) -> u32 {
        self.0 >> HalfMove::BITS
    }

    /// The half-move.
    #[must_use]
    pub const fn half_move(self) -> HalfMove {
        HalfMove(self.0 as u16 & ((1 << HalfMove::BITS) - 1))
    }
}

/// A visited edge: its statistics, seen by the player who chooses it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Number of iterations that went through it, at most [`Edge::MOST_VISITS`].
    pub visits: u32,
    /// Mean win probability of the player who chooses; ±∞ when proven.
    pub mean: f32,
    /// Prior: its share of the search by the softmax over its siblings, to eight significant bits.
    pub prior: f32,
    /// The half-move.
    pub half_move: HalfMove,
    /// The node that it leads to, once expanded.
    pub node: Option<NodeId>,
}

impl Edge {
    /// The mean of a proven win.
    pub const WON: f32 = f32::INFINITY;

    /// The mean of a proven loss.
    pub const LOST: f32 = f32::NEG_INFINITY;

    /// Most visits that are counted; further ones change the mean alone. One more stays below 2^31, the bound of
    /// [`crate::bitboard::Four::after`].
    pub const MOST_VISITS: u32 = i32::MAX as u32 - 1;

    /// A number of visits after one more.
    #[inline(always)]
    #[must_use]
    pub const fn one_more_visit(visits: u32) -> u32 {
        visits + (visits < Edge::MOST_VISITS) as u32
    }

    /// Tests if the outcome is certain.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.mean.is_infinite()
    }

    /// The mean with one more value, which belongs to one visit more.
    ///
    /// After many visits one value moves the mean by less than an `f32` resolves. Rounding to the nearest then loses
    /// it every time, and the mean stops following the values. From `DITHERED` visits on a dither rounds up or
    /// down, each as often as the exact mean is near.
    #[inline(always)]
    #[must_use]
    pub fn mean_with(&self, value: f32) -> f32 {
        let visits = self.visits + 1;
        if visits < DITHERED {
            self.mean + (value - self.mean) / visits as f32
        } else {
            self.dithered_mean_with(value)
        }
    }

    /// [`Edge::mean_with`] after many visits.
    #[cold]
    #[inline(never)]
    fn dithered_mean_with(&self, value: f32) -> f32 {
        /// Bits of an `f64`'s mantissa that an `f32` has not.
        const REST: u64 = (1 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS)) - 1;
        let visits = self.visits + 1;
        let mean = f64::from(self.mean);
        let exact = mean + (f64::from(value) - mean) / f64::from(visits);
        // Multiples of the golden ratio spread evenly over an interval (Weyl 1916).
        let number = match self.visits {
            // The count stands still, but values differ.
            Edge::MOST_VISITS => value.to_bits(),
            _ => visits,
        };
        let dither = u64::from(number.wrapping_mul(0x9e37_79b9)) & REST;
        f64::from_bits((exact.to_bits() + dither) & !REST) as f32
    }

    /// Prior and half-move in one word: the upper half of the prior's, then the half-move.
    pub(super) const fn share_word(prior: f32, half_move: HalfMove) -> u32 {
        prior.to_bits() & PRIOR_BITS | half_move.0 as u32
    }

    /// The prior in a word of prior and half-move.
    #[inline(always)]
    pub(super) const fn prior_of(word: u32) -> f32 {
        f32::from_bits(word & PRIOR_BITS)
    }

    /// The half-move in a word of prior and half-move.
    #[inline(always)]
    pub(super) const fn half_move_of(word: u32) -> HalfMove {
        HalfMove(word as u16)
    }
}

/// Visits from which on means are rounded by a dither. A node with so many is part of long searches only.
const DITHERED: u32 = 1 << 16;

/// The bits of an `f32` that are kept of a prior.
const PRIOR_BITS: u32 = 0xffff_0000;

/// Where a visited edge lies in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeRef {
    pub(super) line: LineId,
    slot: u8,
}

impl EdgeRef {
    /// Bits of a slot in a word.
    const SLOT_BITS: u32 = 2;

    /// A slot of a line, below 4.
    #[inline(always)]
    pub(super) const fn new(line: LineId, slot: usize) -> EdgeRef {
        EdgeRef {
            line,
            slot: slot as u8,
        }
    }

    /// The slot in the line.
    #[inline(always)]
    pub(super) const fn slot(self) -> usize {
        self.slot as usize % (1 << Self::SLOT_BITS)
    }

    /// The place as a word of the arena, never 0.
    pub(super) fn to_word(self) -> u32 {
        LineId::to_word(Some(self.line)) << Self::SLOT_BITS | u32::from(self.slot)
    }

    /// The place, or none, that [`EdgeRef::to_word`] made a word of.
    pub(super) fn from_word(word: u32) -> Option<EdgeRef> {
        let line = LineId::from_word(word >> Self::SLOT_BITS)?;
        Some(EdgeRef::new(line, word as usize % (1 << Self::SLOT_BITS)))
    }
}

/// What an edge starts with at its first visit.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Win probability of the player who chooses.
    pub value: f32,
    /// Prior: its share of the search.
    pub prior: f32,
}

/// The softmax over siblings, as far as it turns a key into an [`Estimate`].
#[derive(Clone, Copy, Debug)]
pub struct Softmax {
    /// Estimate of the best sibling.
    pub best: u32,
    /// One over the sum of the siblings' exponentials.
    pub inverse_sum: f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Values lie close to a probability that moves slowly, as those of a search do when it finds something.
    #[test]
    fn a_mean_stays_near_the_exact_one_for_millions_of_visits() {
        for (visits, mean, probability) in [
            (0, 0.5, 0.9),
            (0, 0.5, 0.55),
            (0, 0.5, 0.3),
            (Edge::MOST_VISITS - 2, 0.25, 0.95),
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
                let moved = probability + 0.04 * (1e-6 * f64::from(visit)).sin();
                let value = (moved + random.random_range(-0.01..0.01)) as f32;
                edge.mean = edge.mean_with(value);
                edge.visits = Edge::one_more_visit(edge.visits);
                exact += (f64::from(value) - exact) / f64::from(edge.visits);
                let drift = (f64::from(edge.mean) - exact).abs();
                assert!(drift < 5e-5, "{edge:?}, not {exact}");
            }
            let counted = (visits + 5_000_000).min(Edge::MOST_VISITS);
            assert_eq!(edge.visits, counted);
        }
    }
}
