//! Edges of the search tree, which stand for an amazon's move or an arrow shot: [`PackedEdge`] is an edge before its
//! first visit, in four bytes; [`Edge`] is an edge with its statistics, from the first visit on.

use super::arena::BlockId;
use super::nodes::NodeId;
use crate::board::{Move, Square};
use crate::eval::LOG_ODDS_ONE;

/// Amazon's move or arrow shot, encoded in 12 bits:
///
/// - bits 0 to 5: the square on which the amazon or the arrow lands,
/// - bits 6 to 11 of an amazon's move: the square that the amazon leaves,
/// - bits 6 to 11 of an arrow shot: its [policy offset](Action::policy_offset) as a signed number, in steps of 1/8 in
///   log-odds. It is the part of the shot's estimated log-odds that comes from the policy network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action(u16);

impl Action {
    /// Number of bits that encode an amazon's move or an arrow shot: two fields of six bits.
    const BITS: u32 = 12;

    /// Placeholder for unused array entries, which must never be played. It has the same bits as an arrow shot at a1
    /// (square 0).
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

    /// Returns this arrow shot with a new policy offset: `steps` / 8 in log-odds. The policy offset is the part of the
    /// shot's estimated log-odds that comes from the policy network. `steps` must be from -32 to 31, the range
    /// [`Action::POLICY_OFFSETS`].
    #[must_use]
    pub const fn with_policy_offset(self, steps: i32) -> Action {
        Action(self.to().index() as u16 | (steps as u16 & 0o77) << 6)
    }

    /// Returns the policy offset of this arrow shot, in units of 1 / [`LOG_ODDS_ONE`]. The estimate of a shot, log-odds
    /// that the shooting side wins, is the sum of the static evaluation and the policy offset. The policy offset comes
    /// from the policy network; a positive number favours the shot. The result is meaningless for an amazon's move.
    #[must_use]
    pub const fn policy_offset(self) -> i32 {
        let steps = ((self.0 << 4) as i16) >> 10;
        steps as i32 * Action::POLICY_OFFSET_STEP
    }

    /// Quantisation step of the policy offset that an arrow shot stores: 1/8 in log-odds, stated in units of 1 /
    /// [`LOG_ODDS_ONE`]. The policy offset is the part of the shot's estimated log-odds that comes from the policy
    /// network.
    pub const POLICY_OFFSET_STEP: i32 = LOG_ODDS_ONE / 8;

    /// Lowest and highest policy offset that an arrow shot can store in six bits, in steps of 1/8 in log-odds
    /// ([`Action::POLICY_OFFSET_STEP`]). The policy offset is the part of the shot's estimated log-odds that comes from
    /// the policy network.
    pub const POLICY_OFFSETS: [i32; 2] = [-32, 31];

    /// Returns the square that the amazon leaves. Meaningless for an arrow shot.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::wrapping((self.0 >> 6) as u32)
    }

    /// Returns the square on which the amazon or the arrow lands.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0 as u32)
    }

    /// Combines this amazon's move and the arrow shot `arrow` to a whole turn.
    #[must_use]
    pub const fn followed_by(self, arrow: Action) -> Move {
        Move {
            from: self.from(),
            to: self.to(),
            arrow: arrow.to(),
        }
    }
}

/// Edge that is not visited yet: an amazon's move or arrow shot and its estimate, packed into 32 bits. The order of
/// packed edges is that of their estimates.
///
/// - Bits 0 to 11: the move or shot, an [`Action`].
/// - Bits 12 to 31: quantised log-odds that the side to move wins, from 0 to [`PackedEdge::MAX_ESTIMATE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedEdge(pub u32);

impl PackedEdge {
    /// Highest estimate of a packed edge, 2^20 − 1. It means that the edge is a proven win.
    pub const MAX_ESTIMATE: u32 = (1 << (32 - Action::BITS)) - 1;

    /// Packs an amazon's move or arrow shot together with its estimate, the quantised log-odds that the side to move
    /// wins. The estimate is 0 for a proven loss and [`PackedEdge::MAX_ESTIMATE`] for a proven win. Between these, it
    /// stands for the log-odds (`estimate` − `MAX_ESTIMATE` / 2) / 32768.
    #[must_use]
    pub const fn new(estimate: u32, action: Action) -> PackedEdge {
        PackedEdge(estimate << Action::BITS | action.0 as u32)
    }

    /// Returns the estimate of the edge, the quantised log-odds that the side to move wins. The estimate is 0 for a
    /// proven loss and [`PackedEdge::MAX_ESTIMATE`] for a proven win. Between these, it stands for the log-odds
    /// (estimate − `MAX_ESTIMATE` / 2) / 32768.
    #[must_use]
    pub const fn estimate(self) -> u32 {
        self.0 >> Action::BITS
    }

    /// Returns the amazon's move or the arrow shot that this edge stands for.
    #[must_use]
    pub const fn action(self) -> Action {
        Action(self.0 as u16 & ((1 << Action::BITS) - 1))
    }
}

/// Edge of the search tree that was visited at least once: an amazon's move or arrow shot with its statistics. Win
/// probabilities are those of the player who makes this move or shot.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Number of iterations whose paths contain the edge, at most [`Edge::MAX_VISITS`].
    pub visits: u32,
    /// Mean win probability of the player who makes the move or shot, from 0 to 1, over all iterations that followed
    /// the edge. Before the first of them has ended, it is the edge's initial estimate. It is +∞ for a proven win, −∞
    /// for a proven loss.
    pub mean: f32,
    /// Prior probability of the edge, from 0 to 1. It is computed by a softmax over the estimates of all edges of the
    /// node, and rounded down to eight significant bits.
    pub prior: f32,
    /// The amazon's move or the arrow shot that the edge stands for.
    pub action: Action,
    /// The child node, or `None` if it was not created yet or was removed to free memory.
    pub node: Option<NodeId>,
}

impl Edge {
    /// Value of [`Edge::mean`], +∞, if the player who makes the move or shot of the edge is proven to win.
    pub const PROVEN_WIN: f32 = f32::INFINITY;

    /// Value of [`Edge::mean`], −∞, if the player who makes the move or shot of the edge is proven to lose.
    pub const PROVEN_LOSS: f32 = f32::NEG_INFINITY;

    /// Maximum number of visits that an edge counts. Later visits change only its mean. The maximum is 2^31 − 2,
    /// because [`Four::from_incremented`](crate::bitboard::Four::from_incremented) needs integers below 2^31 − 1.
    pub const MAX_VISITS: u32 = i32::MAX as u32 - 1;

    /// Tests if the edge is a proven win or a proven loss.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.mean.is_infinite()
    }

    /// Returns the mean win probability that this edge has after one more visit. `value` is the result of this visit, a
    /// win probability from 0 to 1.
    ///
    /// After many visits, one result changes the mean by less than the precision of an `f32`, and rounding to the
    /// nearest number would discard every change. Therefore, from `DITHERING_VISITS` (65536) visits on, the mean is
    /// sometimes rounded up and sometimes down, so that rounding errors cancel (dithering).
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

    /// Returns the mean win probability that this edge has after one more visit. `value` is the result of this visit, a
    /// win probability from 0 to 1. Computes the mean in `f64`, then rounds it up or down to an `f32` in such
    /// proportions that rounding errors cancel over many visits (dithering).
    #[cold]
    #[inline(never)]
    fn dithered_mean_with(&self, value: f32) -> f32 {
        /// Mask of the lowest 29 mantissa bits of an `f64`, which do not fit into an `f32`.
        const LOST_BITS: u64 = (1 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS)) - 1;
        let visits = self.visits + 1;
        let mean = f64::from(self.mean);
        let exact = mean + (f64::from(value) - mean) / f64::from(visits);
        // Dithers the mean, so that rounding errors cancel over successive visits: adds a number from a low-discrepancy
        // sequence to the low bits that do not fit into an `f32`, then sets these bits to 0. The sequence consists of
        // the fractional parts of multiples of the golden ratio (Weyl 1916), indexed by the number of visits.
        let number = match self.visits {
            // `number` is the index in the low-discrepancy sequence by which the mean is rounded. Usually, it is the
            // number of visits. At `MAX_VISITS`, this number no longer changes, and would always round the mean in the
            // same direction. So the bits of `value` serve as the index.
            Edge::MAX_VISITS => value.to_bits(),
            _ => visits,
        };
        let dither = u64::from(number.wrapping_mul(0x9e37_79b9)) & LOST_BITS;
        f64::from_bits((exact.to_bits() + dither) & !LOST_BITS) as f32
    }

    /// Packs the prior probability and the amazon's move or arrow shot of an edge into one 32-bit word:
    ///
    /// - bits 0 to 15: the [`Action`],
    /// - bits 16 to 31: the upper half of the prior as an `f32`.
    pub(super) const fn pack_prior_and_action(prior: f32, action: Action) -> u32 {
        prior.to_bits() & PRIOR_BITS | action.0 as u32
    }

    /// Returns the prior probability in a word that [`Edge::pack_prior_and_action`] made. It has eight significant
    /// bits.
    #[inline(always)]
    pub(super) const fn unpack_prior(word: u32) -> f32 {
        f32::from_bits(word & PRIOR_BITS)
    }

    /// Returns the amazon's move or arrow shot in a word that [`Edge::pack_prior_and_action`] made.
    #[inline(always)]
    pub(super) const fn unpack_action(word: u32) -> Action {
        Action(word as u16)
    }
}

/// Number of visits (65536) from which on an edge's mean win probability is rounded sometimes up and sometimes down, so
/// that rounding errors cancel (dithering). With fewer visits, the mean is rounded to the nearest `f32`.
const DITHERING_VISITS: u32 = 1 << 16;

/// Mask of the bits of a prior probability that are stored: the upper 16 bits of an `f32`, which are the number in the
/// format bfloat16.
const PRIOR_BITS: u32 = 0xffff_0000;

/// Location of a visited edge's statistics in the memory of the search tree: a 64-byte block, and one of the four slots
/// for edges in this block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeRef {
    pub(super) block: BlockId,
    slot: u8,
}

impl EdgeRef {
    /// Number of bits for the slot in the word that [`EdgeRef::to_word`] returns: the two lowest bits. A slot is one of
    /// the four places for edges in a 64-byte block, numbered from 0 to 3. The upper 30 bits are the id of the block.
    const SLOT_BITS: u32 = 2;

    /// Creates the location of an edge from the id of a 64-byte block and the slot in this block, from 0 to 3.
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

    /// Encodes the location of an edge as a 32-bit word, which is never 0:
    ///
    /// - bits 0 and 1: the edge's slot, its place in a 64-byte block, from 0 to 3,
    /// - bits 2 to 31: the id of this block, which is never 0.
    pub(super) fn to_word(self) -> u32 {
        BlockId::to_word(Some(self.block)) << Self::SLOT_BITS | u32::from(self.slot)
    }

    /// Decodes the location of an edge from a word that [`EdgeRef::to_word`] returned. Returns `None` for the word 0.
    pub(super) fn from_word(word: u32) -> Option<EdgeRef> {
        let block = BlockId::from_word(word >> Self::SLOT_BITS)?;
        Some(EdgeRef::new(block, word as usize % (1 << Self::SLOT_BITS)))
    }
}

/// Initial statistics of an edge, before its first visit: the win probability of the player to move at the edge's node,
/// and the edge's prior probability.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Win probability of the player to move, from 0 to 1; +∞ if the edge is a proven win, −∞ if it is a proven loss.
    pub value: f32,
    /// Prior probability of the edge, from 0 to 1. The priors of all edges of a node add up to about 1.
    pub prior: f32,
}

/// Constants of the softmax that converts the estimates of a node's edges to their prior probabilities. All edges of a
/// node share them. The estimate of an edge is a 20-bit integer that stands for log-odds, see [`PackedEdge::estimate`].
#[derive(Clone, Copy, Debug)]
pub struct Softmax {
    /// Highest estimate of the edges of the node, from 0 (proven loss) to [`PackedEdge::MAX_ESTIMATE`] (proven win).
    /// Between these, an estimate is a linear function of the log-odds that the side to move wins; the middle stands
    /// for log-odds of 0.
    pub best: u32,
    /// Normalising constant of the softmax: 1 divided by the sum of the terms 2^(−`slope`·d / 2^23) of all edges of the
    /// node. Here, d is `best` minus the edge's estimate, and `slope` is 256·log2(e) / softmax temperature, see
    /// `expansion::softmax_slope`. The prior probability of an edge is its term times `inverse_sum`.
    pub inverse_sum: f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Checks that an edge's mean win probability stays accurate over millions of visits. The results are random
    /// numbers whose average changes slowly, as in a search that finds better moves over time.
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
                edge.visits += u32::from(edge.visits < Edge::MAX_VISITS);
                exact += (f64::from(value) - exact) / f64::from(edge.visits);
                let drift = (f64::from(edge.mean) - exact).abs();
                assert!(drift < 5e-5, "{edge:?}, not {exact}");
            }
            let counted = (visits + 5_000_000).min(Edge::MAX_VISITS);
            assert_eq!(edge.visits, counted);
        }
    }
}
