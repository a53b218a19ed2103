//! PUCT scores, which decide the edge that an iteration follows, and the lower confidence bound, which decides the move
//! to play.
//!
//! The score of an edge is `mean + explore·prior / (1 + visits)` (Rosin 2011, as in Silver et al. 2017), where
//! `explore` is `c·√N` for a node with `N` visits, see [`exploration`].

use super::params::Params;
use super::tree::{Edge, Estimate};
use crate::bitboard::Four;
use crate::eval;

/// Returns PUCT's exploration factor `c·√N` for a node with N = `visits`. At 0 visits, c is `weight`; it grows with the
/// logarithm of N, as in AlphaZero (Silver et al. 2018).
#[inline]
#[must_use]
pub fn exploration(weight: f32, visits: f32, params: &Params) -> f32 {
    let doublings = eval::log2(1.0 + visits / params.explore_growth_start);
    weight * (1.0 + params.explore_growth * doublings) * visits.sqrt()
}

/// Returns the first-play urgency of `first`, a node's best unvisited edge: its PUCT score, with its initial estimate
/// as mean. If `visited` > 0 edges of the node were visited before, the score is reduced by `reduction` / `visited`.
/// `explore` is the exploration factor of the node.
#[inline]
#[must_use]
pub fn first_play_urgency(first: Estimate, visited: usize, explore: f32, reduction: f32) -> f32 {
    let reduction = match visited {
        0 => 0.0,
        visited => reduction / visited as f32,
    };
    first.value - reduction + explore * first.prior
}

/// Returns the PUCT score of a visited edge. `explore` is the exploration factor of the edge's parent node, see
/// [`exploration`].
#[inline(always)]
#[must_use]
pub fn score(edge: Edge, explore: f32) -> f32 {
    edge.mean + explore * (edge.prior / (1 + edge.visits) as f32)
}

/// Returns the lower confidence bound of an edge's win probability: mean − `width` / √visits.
#[must_use]
pub fn lower_confidence_bound(edge: &Edge, width: f32) -> f32 {
    edge.mean - width / (edge.visits.max(1) as f32).sqrt()
}

/// Number of edges whose PUCT scores are computed at once, one per SIMD lane.
pub const LANES: usize = 4;

/// PUCT score of an edge that is a proven loss, and of an unused lane.
const NO_SCORE: f32 = f32::NEG_INFINITY;

/// Statistics of four sibling edges, one per SIMD lane. The mean of an unused lane is −∞.
#[derive(Clone, Copy)]
pub struct FourEdges {
    /// Mean win probabilities of the side to move, from 0 to 1; +∞ for proven wins, −∞ for proven losses and unused
    /// lanes.
    pub means: Four,
    /// Prior probabilities of the edges, from 0 to 1.
    pub priors: Four,
    /// Number of visits of each edge, plus one: the denominator in the PUCT score.
    pub visits_plus_one: Four,
}

/// Compares the PUCT scores of sibling edges, four at a time. Finds the best edge, and an upper bound on the scores of
/// the other edges.
pub struct Ranking {
    explore: f32,
    /// Index, in each SIMD lane, of the edge that the next call of [`Ranking::add`] passes in this lane. Unused lanes
    /// get indices, too.
    indices: Four,
    /// Best score so far in each SIMD lane.
    best: Four,
    /// Index of the edge with the best score in each SIMD lane.
    best_index: Four,
    /// Second-best score so far in each SIMD lane.
    second: Four,
    /// Largest `prior / (1 + visits)` so far in each SIMD lane: the increase of an edge's score per unit of `explore`.
    slope: Four,
}

impl Ranking {
    /// Creates a ranking without edges. `explore` is the exploration factor of the edges' parent node, see
    /// [`exploration`].
    #[inline(always)]
    #[must_use]
    pub fn new(explore: f32) -> Ranking {
        let indices = Four::from([0.0, 1.0, 2.0, 3.0]);
        Ranking {
            explore,
            indices,
            best: Four::splat(NO_SCORE),
            best_index: indices,
            second: Four::splat(NO_SCORE),
            slope: Four::splat(0.0),
        }
    }

    /// Adds four edges to the ranking. Lane n of the k-th call gets the index 4·k + n, with n and k counted from 0.
    #[inline(always)]
    pub fn add(&mut self, edges: FourEdges) {
        let slopes = edges.priors / edges.visits_plus_one;
        let scores = edges.means + Four::splat(self.explore) * slopes;
        self.best_index = scores.choose_above(self.best, self.indices, self.best_index);
        self.second = self.second.larger(self.best.smaller(scores));
        self.best = self.best.larger(scores);
        self.slope = self.slope.larger(slopes);
        self.indices = self.indices + Four::splat(LANES as f32);
    }

    /// Returns the highest PUCT score of all edges added, or −∞ if all edges are proven losses.
    #[inline(always)]
    #[must_use]
    pub fn highest(&self) -> f32 {
        self.best.largest()
    }

    /// Returns the index of the edge with the highest PUCT score; the lowest index if scores are equal. The four edges
    /// of the first [`Ranking::add`] have the indices 0 to 3, those of the second 4 to 7, and so on.
    #[inline(always)]
    #[must_use]
    pub fn index_of_best(&self) -> usize {
        let highest = Four::splat(self.highest());
        let elsewhere = Four::splat(f32::INFINITY);
        let indices = highest.choose_above(self.best, elsewhere, self.best_index);
        indices.smallest() as usize
    }

    /// Returns an upper bound, linear in `explore`, on the PUCT scores of all edges except the best one. The bound
    /// remains valid until `explore` decreases or the statistics of an edge other than the best one change.
    #[inline(always)]
    #[must_use]
    pub fn bound_of_others(&self) -> Bound {
        let index = Four::splat(self.index_of_best() as f32);
        // `others` holds, for each lane, the best score without that of the best edge: the second-best score in the
        // lane of the best edge, the best score in the other lanes.
        let same_lane = index.choose_above(self.best_index, self.best, self.second);
        let others = self.best_index.choose_above(index, self.best, same_lane);
        let slope = self.slope.largest();
        Bound {
            base: others.largest() - self.explore * slope,
            slope,
        }
    }
}

/// An upper bound on PUCT scores: a linear function `base + slope·explore` of the exploration factor.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Upper bound on the scores at the exploration factor 0.
    pub base: f32,
    /// Increase of the upper bound on the scores per unit of the exploration factor.
    pub slope: f32,
}

impl Bound {
    /// Returns the upper bound on the scores for the exploration factor `explore`.
    #[inline(always)]
    #[must_use]
    pub fn value_at(self, explore: f32) -> f32 {
        self.base + explore * self.slope
    }
}
