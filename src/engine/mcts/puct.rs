//! PUCT: which edge an iteration takes, and which move is played in the end.
//!
//! The score of an edge is `mean + explore·prior / (1 + visits)` (Rosin 2011, as in Silver et al. 2017).
//! `explore` is `c·√N` of a node with `N` visits, see [`exploration`].

use super::params::Params;
use super::tree::{Edge, Estimate};
use crate::bitboard::Four;
use crate::eval;

/// `c·√N` of a node with `visits` N. `weight` is c for few visits; from then on c grows with the logarithm
/// of N, as in AlphaZero (Silver et al. 2018).
#[inline]
#[must_use]
pub fn exploration(weight: f32, visits: f32, params: &Params) -> f32 {
    let doublings = eval::log2(1.0 + visits / params.explore_growth_start);
    weight * (1.0 + params.explore_growth * doublings) * visits.sqrt()
}

/// First-play urgency: the score of the best unvisited edge, behind `visited` edges that were visited. Its
/// estimate stands for the mean, less `reduction` for the second edge, half of that for the third, and so on.
#[inline]
#[must_use]
pub fn first_play_urgency(first: Estimate, visited: usize, explore: f32, reduction: f32) -> f32 {
    let reduction = match visited {
        0 => 0.0,
        visited => reduction / visited as f32,
    };
    first.value - reduction + explore * first.prior
}

/// The score of a visited edge.
#[inline(always)]
#[must_use]
pub fn score(edge: Edge, explore: f32) -> f32 {
    edge.mean + explore * (edge.prior / (1 + edge.visits) as f32)
}

/// The lower confidence bound of an edge's mean: the move that is played has the highest.
#[must_use]
pub fn lower_confidence_bound(edge: &Edge, width: f32) -> f32 {
    edge.mean - width / (edge.visits.max(1) as f32).sqrt()
}

/// Edges that are compared side by side.
pub const LANES: usize = 4;

/// The score of a proven loss, and of what is no edge.
const NO_SCORE: f32 = f32::NEG_INFINITY;

/// The statistics of four sibling edges. Where there is no edge, `means` holds −∞.
#[derive(Clone, Copy)]
pub struct FourEdges {
    /// Win probabilities of the player who chooses; ±∞ when proven.
    pub means: Four,
    /// Priors.
    pub priors: Four,
    /// Numbers of visits, each larger by one.
    pub visits_and_one: Four,
}

/// The scores of sibling edges, compared four at a time.
pub struct Ranking {
    explore: f32,
    /// Places of the next four edges among all that are entered.
    places: Four,
    /// By lane, the best score so far, its place, and the second best score.
    best: Four,
    best_place: Four,
    second: Four,
    /// By lane, the largest `prior / (1 + visits)`: how fast scores grow with `explore`.
    slope: Four,
}

impl Ranking {
    /// A ranking of no edges yet.
    #[inline(always)]
    #[must_use]
    pub fn new(explore: f32) -> Ranking {
        let places = Four::from([0.0, 1.0, 2.0, 3.0]);
        Ranking {
            explore,
            places,
            best: Four::splat(NO_SCORE),
            best_place: places,
            second: Four::splat(NO_SCORE),
            slope: Four::splat(0.0),
        }
    }

    /// Ranks four more edges.
    #[inline(always)]
    pub fn enter(&mut self, edges: FourEdges) {
        let slopes = edges.priors / edges.visits_and_one;
        let scores = edges.means + Four::splat(self.explore) * slopes;
        self.best_place = scores.choose_above(self.best, self.places, self.best_place);
        self.second = self.second.larger(self.best.smaller(scores));
        self.best = self.best.larger(scores);
        self.slope = self.slope.larger(slopes);
        self.places = self.places + Four::splat(LANES as f32);
    }

    /// The highest score.
    #[inline(always)]
    #[must_use]
    pub fn highest(&self) -> f32 {
        self.best.largest()
    }

    /// The place of the highest score, the first of equals.
    #[inline(always)]
    #[must_use]
    pub fn leader(&self) -> usize {
        let highest = Four::splat(self.highest());
        let elsewhere = Four::splat(f32::INFINITY);
        let places = highest.choose_above(self.best, elsewhere, self.best_place);
        places.smallest() as usize
    }

    /// An upper bound, linear in `explore`, on every score but that of the leader. It holds as long as `explore`
    /// grows and no statistics but the leader's change.
    #[inline(always)]
    #[must_use]
    pub fn bound_of_others(&self) -> Bound {
        let leader = Four::splat(self.leader() as f32);
        // The second best of the leader's lane, the best of the three others.
        let behind = leader.choose_above(self.best_place, self.best, self.second);
        let others = self.best_place.choose_above(leader, self.best, behind);
        let slope = self.slope.largest();
        Bound {
            base: others.largest() - self.explore * slope,
            slope,
        }
    }
}

/// A bound on scores, linear in `explore`.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The bound where `explore` is 0.
    pub base: f32,
    /// Its growth per unit of `explore`.
    pub slope: f32,
}

impl Bound {
    /// The bound for a value of `explore`.
    #[inline(always)]
    #[must_use]
    pub fn at(self, explore: f32) -> f32 {
        self.base + explore * self.slope
    }
}
