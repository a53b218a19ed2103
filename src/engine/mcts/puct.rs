//! PUCT scores, by which an iteration of the search decides which edge to follow, and the lower confidence bound, by
//! which the move to play is chosen.
//!
//! The PUCT score of an edge is `mean + explore·prior / (1 + visits)` (Rosin 2011, as in Silver et al. 2017). `mean` is
//! the edge's mean win probability, `prior` its prior probability, and `explore` the exploration factor `c·√N` of a
//! node with `N` visits, see [`exploration`].

use super::params::Params;
use super::tree::{Edge, Estimate};
use crate::bitboard::Four;
use crate::eval;

/// Returns PUCT's exploration factor `c·√N` for a node with N = `visits`. Here, c is `weight`·(1 +
/// `explore_growth`·log2(1 + N / `explore_growth_start`)). So c grows with the logarithm of N, as in AlphaZero (Silver
/// et al. 2018).
#[inline]
#[must_use]
pub fn exploration(weight: f32, visits: f32, params: &Params) -> f32 {
    let doublings = eval::approximate_log2(1.0 + visits / params.explore_growth_start);
    weight * (1.0 + params.explore_growth * doublings) * visits.sqrt()
}

/// Returns the first-play urgency of a node's best unvisited edge, that with the highest estimate. It takes the place
/// of the edge's PUCT score: initial win probability + `explore`·prior − penalty. The penalty is 0 if no edge of the
/// node is visited, otherwise `reduction` / `visited`.
///
/// - `first`: initial win probability and prior probability of the edge.
/// - `visited`: number of visited edges of the node.
/// - `explore`: PUCT's exploration factor (c·√N) at the node.
#[inline]
#[must_use]
pub fn first_play_urgency(first: Estimate, visited: usize, explore: f32, reduction: f32) -> f32 {
    let reduction = match visited {
        0 => 0.0,
        visited => reduction / visited as f32,
    };
    first.value - reduction + explore * first.prior
}

/// Returns the PUCT score of a visited edge: mean win probability + `explore`·prior / (1 + visits). The win probability
/// is that of the player who makes the edge's move or shot. `explore` is the exploration factor (c·√N) of the node from
/// which the edge leads.
#[inline(always)]
#[must_use]
pub fn score(edge: Edge, explore: f32) -> f32 {
    edge.mean + explore * (edge.prior / (1 + edge.visits) as f32)
}

/// Returns the lower confidence bound of an edge's win probability: mean win probability − `width` / √visits. It is low
/// for edges with few visits, whose mean is uncertain.
#[must_use]
pub fn lower_confidence_bound(edge: &Edge, width: f32) -> f32 {
    edge.mean - width / (edge.visits.max(1) as f32).sqrt()
}

/// Number of edges whose PUCT scores are computed at once, one per SIMD lane.
pub const LANES: usize = 4;

/// PUCT score −∞ of edges that must never be selected: proven losses for the side to move, and SIMD lanes in which no
/// edge is stored.
const NEVER_SELECTED: f32 = f32::NEG_INFINITY;

/// Statistics of four edges of one node, one edge per SIMD lane. A lane without an edge has the mean −∞.
#[derive(Clone, Copy)]
pub struct FourEdges {
    /// Mean win probability of each edge, from 0 to 1, for the player to move at the node. It is +∞ for a proven win,
    /// and −∞ for a proven loss or a lane in which no edge is stored.
    pub means: Four,
    /// Prior probability of each edge, from 0 to 1.
    pub priors: Four,
    /// Number of visits of each edge plus one, which is the denominator in the PUCT formula.
    pub visits_plus_one: Four,
}

/// Ranking of the edges of one node by their PUCT scores, computed four edges at a time. Finds the edge with the
/// highest score, and an upper bound on the scores of the other edges.
pub struct Ranking {
    explore: f32,
    /// Indices of the four edges that the next call of [`Ranking::add`] will add, one index per SIMD lane. Lanes in
    /// which no edge is stored get indices, too. The indices are floating-point numbers because [`Four`] holds no
    /// others.
    next_indices: Four,
    /// Highest PUCT score in each SIMD lane so far.
    best: Four,
    /// For each SIMD lane, index of the edge with the highest PUCT score in this lane so far, as a floating-point
    /// number.
    best_indices: Four,
    /// Second-highest PUCT score in each SIMD lane so far.
    second: Four,
    /// For each SIMD lane, highest slope of the edges so far. The slope of an edge is prior / (1 + visits): the
    /// derivative of its PUCT score with respect to the exploration factor (c·√N). [`Ranking::bound_of_others`] needs
    /// the highest slope.
    max_slopes: Four,
}

impl Ranking {
    /// Creates a ranking to which no edges are added yet. `explore` is PUCT's exploration factor (c·√N) at the node of
    /// the edges.
    #[inline(always)]
    #[must_use]
    pub fn new(explore: f32) -> Ranking {
        let indices = Four::from([0.0, 1.0, 2.0, 3.0]);
        Ranking {
            explore,
            next_indices: indices,
            best: Four::splat(NEVER_SELECTED),
            best_indices: indices,
            second: Four::splat(NEVER_SELECTED),
            max_slopes: Four::splat(0.0),
        }
    }

    /// Adds four further edges of the node to the ranking, and computes their PUCT scores. Edges are numbered in the
    /// order of the calls and of the SIMD lanes: those of the first call have the indices 0 to 3, those of the second
    /// call 4 to 7, and so on.
    #[inline(always)]
    pub fn add(&mut self, edges: FourEdges) {
        let slopes = edges.priors / edges.visits_plus_one;
        let scores = edges.means + Four::splat(self.explore) * slopes;
        self.best_indices = scores.choose_above(self.best, self.next_indices, self.best_indices);
        self.second = self.second.larger(self.best.smaller(scores));
        self.best = self.best.larger(scores);
        self.max_slopes = self.max_slopes.larger(slopes);
        self.next_indices = self.next_indices + Four::splat(LANES as f32);
    }

    /// Returns the highest PUCT score of the edges that were added to this ranking, or −∞ if none was added or all of
    /// them are proven losses for the side to move.
    #[inline(always)]
    #[must_use]
    pub fn highest(&self) -> f32 {
        self.best.largest()
    }

    /// Returns the index of the edge with the highest PUCT score; if several edges have this score, the lowest index.
    /// The four edges of the first call of [`Ranking::add`] have the indices 0 to 3, those of the second call 4 to 7,
    /// and so on.
    #[inline(always)]
    #[must_use]
    pub fn index_of_best(&self) -> usize {
        let highest = Four::splat(self.highest());
        let elsewhere = Four::splat(f32::INFINITY);
        let indices = highest.choose_above(self.best, elsewhere, self.best_indices);
        indices.smallest() as usize
    }

    /// Returns an upper bound on the PUCT scores of all added edges except the one with the highest score. The bound is
    /// a linear function of PUCT's exploration factor (c·√N), see [`Bound`].
    ///
    /// The bound stays valid when this factor increases, as long as the statistics of these other edges do not change.
    #[inline(always)]
    #[must_use]
    pub fn bound_of_others(&self) -> Bound {
        let index = Four::splat(self.index_of_best() as f32);
        // Computes `others`: for each SIMD lane, the highest PUCT score of its edges, not counting the best edge of
        // all. This is the second-highest score in the lane of the best edge, and the highest score in each other lane.
        let same_lane = index.choose_above(self.best_indices, self.best, self.second);
        let others = self.best_indices.choose_above(index, self.best, same_lane);
        let slope = self.max_slopes.largest();
        Bound {
            base: others.largest() - self.explore * slope,
            slope,
        }
    }
}

/// An upper bound on the PUCT scores of several edges, as a linear function of PUCT's exploration factor (c·√N): `base
/// + slope·explore`, where `explore` is this factor.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Constant term of the upper bound `base + slope·explore` on PUCT scores, where `explore` is PUCT's exploration
    /// factor (c·√N).
    pub base: f32,
    /// Coefficient of PUCT's exploration factor `explore` (c·√N) in the upper bound `base + slope·explore` on PUCT
    /// scores.
    pub slope: f32,
}

impl Bound {
    /// Returns the value of this upper bound on PUCT scores if PUCT's exploration factor (c·√N) is `explore`.
    #[inline(always)]
    #[must_use]
    pub fn value_at(self, explore: f32) -> f32 {
        self.base + explore * self.slope
    }
}
