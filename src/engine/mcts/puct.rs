//! PUCT: scores that decide which edge an iteration follows, and the bound that decides which move is played.
//!
//! The score of an edge is `mean + explore·prior / (1 + visits)` (Rosin 2011, as in Silver et al. 2017), where
//! `explore` is `c·√N` for a node with `N` visits, see [`exploration`].

use super::params::Params;
use super::tree::{Edge, Estimate};
use crate::bitboard::Four;
use crate::eval;

/// Returns PUCT's exploration factor `c·√N` for a node with N = `visits`. For few visits c is `weight`; for many visits
/// c grows with the logarithm of N, as in AlphaZero (Silver et al. 2018).
#[inline]
#[must_use]
pub fn exploration(weight: f32, visits: f32, params: &Params) -> f32 {
    let doublings = eval::log2(1.0 + visits / params.explore_growth_start);
    weight * (1.0 + params.explore_growth * doublings) * visits.sqrt()
}

/// Returns the score of the best unvisited edge of a node: first-play urgency. The edge's estimate stands in for its
/// mean. If `visited` edges were visited before, the score is lower by `reduction` / `visited`.
#[inline]
#[must_use]
pub fn first_play_urgency(first: Estimate, visited: usize, explore: f32, reduction: f32) -> f32 {
    let reduction = match visited {
        0 => 0.0,
        visited => reduction / visited as f32,
    };
    first.value - reduction + explore * first.prior
}

/// Returns the PUCT score of a visited edge.
#[inline(always)]
#[must_use]
pub fn score(edge: Edge, explore: f32) -> f32 {
    edge.mean + explore * (edge.prior / (1 + edge.visits) as f32)
}

/// Returns the lower confidence bound of an edge's mean win probability. The move with the highest bound is played.
#[must_use]
pub fn lower_confidence_bound(edge: &Edge, width: f32) -> f32 {
    edge.mean - width / (edge.visits.max(1) as f32).sqrt()
}

/// Number of edges whose scores are computed at once, one per SIMD lane.
pub const LANES: usize = 4;

/// Score of a proven loss, and of an unused slot.
const NO_SCORE: f32 = f32::NEG_INFINITY;

/// Statistics of four sibling edges, one per SIMD lane. In an unused lane the mean is −∞.
#[derive(Clone, Copy)]
pub struct FourEdges {
    /// Mean win probabilities of the side to move, from 0 to 1; ±∞ for proven edges.
    pub means: Four,
    /// Priors, from 0 to 1.
    pub priors: Four,
    /// Numbers of visits plus one.
    pub visits_plus_one: Four,
}

/// Finds the edge with the best PUCT score among siblings, four edges at a time.
pub struct Ranking {
    explore: f32,
    /// Indices of the next four edges, counted over all edges entered so far.
    indices: Four,
    /// Per lane: the best score so far, the index of the edge with this score, and the second-best score.
    best: Four,
    best_index: Four,
    second: Four,
    /// Per lane: the largest `prior / (1 + visits)`, which is how fast a score grows with `explore`.
    slope: Four,
}

impl Ranking {
    /// Creates a ranking without edges. `explore` is PUCT's exploration factor, see [`exploration`].
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

    /// Adds four edges to the ranking.
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

    /// Returns the highest score.
    #[inline(always)]
    #[must_use]
    pub fn highest(&self) -> f32 {
        self.best.largest()
    }

    /// Returns the index of the edge with the highest score, the first one among equal scores.
    #[inline(always)]
    #[must_use]
    pub fn leader(&self) -> usize {
        let highest = Four::splat(self.highest());
        let elsewhere = Four::splat(f32::INFINITY);
        let indices = highest.choose_above(self.best, elsewhere, self.best_index);
        indices.smallest() as usize
    }

    /// Returns an upper bound, linear in `explore`, on the scores of all edges except the leader. The bound stays valid
    /// as long as `explore` does not shrink and only the leader's statistics change.
    #[inline(always)]
    #[must_use]
    pub fn bound_of_others(&self) -> Bound {
        let leader = Four::splat(self.leader() as f32);
        // The best score that is not the leader's: in the leader's lane that is the second-best score, in the other three
        // lanes the best one. `bound_of_others` is the maximum of all four.
        let same_lane = leader.choose_above(self.best_index, self.best, self.second);
        let others = self.best_index.choose_above(leader, self.best, same_lane);
        let slope = self.slope.largest();
        Bound {
            base: others.largest() - self.explore * slope,
            slope,
        }
    }
}

/// An upper bound on PUCT scores, as a linear function of `explore`.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Value of the bound for `explore` = 0.
    pub base: f32,
    /// Increase of the bound per unit of `explore`.
    pub slope: f32,
}

impl Bound {
    /// Returns the bound for a given exploration factor.
    #[inline(always)]
    #[must_use]
    pub fn at(self, explore: f32) -> f32 {
        self.base + explore * self.slope
    }
}
