//! PUCT: which edge an iteration takes, and which move is played in the end.
//!
//! The score of an edge is `mean + explore·prior / (1 + visits)` (Rosin 2011, as in Silver et al. 2017).
//! `explore` is `c·√N` of a node with `N` visits, see [`exploration`].

use super::params::Params;
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
/// evaluation stands for the mean, less `reduction` for the second edge, half of that for the third, and so on.
#[inline]
#[must_use]
pub fn first_play_urgency(
    value: f32,
    prior: f32,
    visited: usize,
    explore: f32,
    reduction: f32,
) -> f32 {
    let reduction = match visited {
        0 => 0.0,
        visited => reduction / visited as f32,
    };
    value - reduction + explore * prior
}

/// The score of a visited edge.
#[inline(always)]
#[must_use]
pub fn score(mean: f32, prior: f32, visits: u32, explore: f32) -> f32 {
    mean + explore * (prior / (1 + visits) as f32)
}

/// The lower confidence bound of a mean: the move that is played has the highest.
#[must_use]
pub fn lower_confidence_bound(mean: f32, visits: u32, width: f32) -> f32 {
    mean - width / (visits.max(1) as f32).sqrt()
}

/// Edges that are compared side by side.
pub const LANES: usize = 4;

/// A number for each of four edges.
pub type Scores = [f32; LANES];

/// The score of a proven loss, and of what is no edge.
const NO_SCORE: f32 = f32::NEG_INFINITY;

/// The statistics of four sibling edges. Where there is no edge, `means` holds −∞.
#[derive(Clone, Copy)]
pub struct FourEdges {
    /// Win probabilities of the player who chooses; ±∞ when proven.
    pub means: [f32; LANES],
    /// Priors.
    pub priors: [f32; LANES],
    /// Numbers of visits.
    pub visits: [u32; LANES],
}

/// The scores of sibling edges, compared four at a time.
pub struct Ranking {
    explore: f32,
    /// By lane, the best score so far, and the second best.
    best: Scores,
    second: Scores,
    /// By lane, the largest `prior / (1 + visits)`: how fast scores grow with `explore`.
    slope: Scores,
}

impl Ranking {
    /// A ranking of no edges yet.
    #[inline(always)]
    #[must_use]
    pub const fn new(explore: f32) -> Ranking {
        Ranking {
            explore,
            best: [NO_SCORE; LANES],
            second: [NO_SCORE; LANES],
            slope: [0.0; LANES],
        }
    }

    /// Ranks four more edges, but the first `skipped`. Returns their scores.
    #[inline(always)]
    pub fn enter(&mut self, edges: FourEdges, skipped: usize) -> Scores {
        let (mut scores, mut slopes) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            // Signed, because before AVX-512 processors only convert signed numbers side by side.
            let visits = edges.visits[lane] as i32;
            slopes[lane] = edges.priors[lane] / (1 + visits) as f32;
            scores[lane] = edges.means[lane] + self.explore * slopes[lane];
        }
        scores[..skipped].fill(NO_SCORE);
        slopes[..skipped].fill(0.0);
        self.second = larger(self.second, smaller(self.best, scores));
        self.best = larger(self.best, scores);
        self.slope = larger(self.slope, slopes);
        scores
    }

    /// The highest score.
    #[inline(always)]
    #[must_use]
    pub fn highest(&self) -> f32 {
        highest(self.best)
    }

    /// An upper bound, linear in `explore`, on every score but the highest. It holds as long as `explore` grows
    /// and no statistics but the leader's change.
    #[inline(always)]
    #[must_use]
    pub fn bound_of_others(&self) -> Bound {
        let highest = self.highest();
        // The second best of the lane that has the highest score, the best of the three others.
        let mut others = self.best;
        if let Some(lane) = others.iter().position(|&score| score == highest) {
            others[lane] = self.second[lane];
        }
        let slope = self::highest(self.slope);
        Bound {
            base: self::highest(others) - self.explore * slope,
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

/// The larger of two scores, lane by lane. No score is NaN: `f32::max`, which heeds them, is slower.
#[inline(always)]
fn larger(one: Scores, other: Scores) -> Scores {
    let mut larger = one;
    for lane in 0..LANES {
        larger[lane] = if other[lane] > one[lane] {
            other[lane]
        } else {
            one[lane]
        };
    }
    larger
}

/// The smaller of two scores, lane by lane.
#[inline(always)]
fn smaller(one: Scores, other: Scores) -> Scores {
    let mut smaller = one;
    for lane in 0..LANES {
        smaller[lane] = if other[lane] < one[lane] {
            other[lane]
        } else {
            one[lane]
        };
    }
    smaller
}

/// The highest of four scores.
#[inline(always)]
fn highest(scores: Scores) -> f32 {
    let mut highest = scores[0];
    for score in scores {
        highest = if score > highest { score } else { highest };
    }
    highest
}

/// Finds a score among those of several fours: which four, and which lane of it; the first if there are more.
#[inline(always)]
#[must_use]
pub fn find(score: f32, fours: &[Scores]) -> Option<(usize, usize)> {
    for (four, scores) in fours.iter().enumerate() {
        if let Some(lane) = scores.iter().position(|&other| other == score) {
            return Some((four, lane));
        }
    }
    None
}
