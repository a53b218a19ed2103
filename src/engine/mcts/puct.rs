//! PUCT scores, which decide the edge that an iteration follows, and the lower confidence bound, which decides the move
//! to play.
//!
//! The score of an edge is `mean + explore·prior / (1 + visits)` (Rosin 2011, as in Silver et al. 2017), where
//! `explore` is `c·√N` for a node with `N` visits, see [`exploration`].

use super::params::Params;
use super::tree::{Edge, Estimate};
use crate::bitboard::Four;
use crate::eval;

/// Returns PUCT's exploration factor `c·√N` for a node with N = `visits`. For few visits c is about `weight`; for many
/// visits c grows with the logarithm of N, as in AlphaZero (Silver et al. 2018).
#[inline]
#[must_use]
pub fn exploration(weight: f32, visits: f32, params: &Params) -> f32 {
    let doublings = eval::log2(1.0 + visits / params.explore_growth_start);
    weight * (1.0 + params.explore_growth * doublings) * visits.sqrt()
}

/// Returns the PUCT score of a node's best unvisited edge `first`, with its estimate in place of a mean (first-play
/// urgency). If `visited` > 0 edges of the node were visited before, the score is lower by `reduction` / `visited`.
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

/// Returns the lower confidence bound of an edge's win probability, mean − `width` / √visits. The edge with the highest
/// bound is played.
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
    /// Numbers of visits plus one, the denominators in the PUCT score.
    pub visits_plus_one: Four,
}

/// Finds the edge with the best PUCT score among siblings, four edges at a time, and an upper bound on the scores of
/// the others.
pub struct Ranking {
    explore: f32,
    /// Index of the next edge to be added in each of the four SIMD lanes, counted over all lanes added so far, used or
    /// not.
    indices: Four,
    /// Best score so far in each SIMD lane.
    best: Four,
    /// Index of the edge with the best score in each SIMD lane.
    best_index: Four,
    /// Second-best score so far in each SIMD lane.
    second: Four,
    /// Largest `prior / (1 + visits)` so far in each SIMD lane. An edge's score grows with `explore` at this rate.
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

    /// Adds four edges to the ranking. Lane n of the k-th call, both from 0, gets the index 4·k + n.
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

    /// Returns the highest PUCT score of all edges added, or −∞ if all of them are lost.
    #[inline(always)]
    #[must_use]
    pub fn highest(&self) -> f32 {
        self.best.largest()
    }

    /// Returns the index of the edge with the highest PUCT score, the first one among equal scores. Indices count the
    /// lanes of all edges added, from 0.
    #[inline(always)]
    #[must_use]
    pub fn leader(&self) -> usize {
        let highest = Four::splat(self.highest());
        let elsewhere = Four::splat(f32::INFINITY);
        let indices = highest.choose_above(self.best, elsewhere, self.best_index);
        indices.smallest() as usize
    }

    /// Returns an upper bound, linear in `explore`, on the PUCT scores of all edges except the leader. The bound stays
    /// valid as long as `explore` does not shrink and only the leader's statistics change.
    #[inline(always)]
    #[must_use]
    pub fn bound_of_others(&self) -> Bound {
        let leader = Four::splat(self.leader() as f32);
        // The best score of each lane without the leader: the second-best score in the leader's lane, the best score in
        // the other three lanes. The bound needs the maximum of these four.
        let same_lane = leader.choose_above(self.best_index, self.best, self.second);
        let others = self.best_index.choose_above(leader, self.best, same_lane);
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
    /// Value of the bound on the scores for `explore` = 0.
    pub base: f32,
    /// Increase of the bound on the scores per unit of `explore`.
    pub slope: f32,
}

impl Bound {
    /// Returns the value of the bound for the exploration factor `explore`.
    #[inline(always)]
    #[must_use]
    pub fn at(self, explore: f32) -> f32 {
        self.base + explore * self.slope
    }
}
