//! Lines with the statistics of four children, field by field, and the ranking of children by their scores.

use super::arena::{Line, LineId};
use super::child::Child;

/// Children with statistics in a line.
pub const SLOTS: usize = 4;

/// Slot of the first child whose statistics lie in a node's own line; what else a node is lies in the
/// slots before.
pub const FIRST_INLINE: usize = 2;

/// Where in a line a field of a slot lies: at this word and slot words further.
pub mod field {
    /// Number of visits.
    pub const VISITS: usize = 0;
    /// Mean, an `f32`.
    pub const MEAN: usize = 4;
    /// Prior and half-move.
    pub const SHARE: usize = 8;
    /// Id of the child's own line, once expanded.
    pub const NODE: usize = 12;
}

/// A line with statistics of no child. Its slots never have the best score.
pub const NO_CHILDREN: Line = {
    let mut line = Line::ZERO;
    let mut slot = 0;
    while slot < SLOTS {
        line.0[field::MEAN + slot] = Child::LOST.to_bits();
        slot += 1;
    }
    line
};

/// The statistics in a slot of a line.
#[inline(always)]
#[must_use]
pub fn child(line: &Line, slot: usize) -> Child {
    let words = &line.0;
    let share = words[field::SHARE + slot];
    Child {
        visits: words[field::VISITS + slot],
        mean: f32::from_bits(words[field::MEAN + slot]),
        prior: Child::prior_of(share),
        half_move: Child::half_move_of(share),
        node: LineId::from_word(words[field::NODE + slot]),
    }
}

/// A number for each slot of a line.
pub type Scores = [f32; SLOTS];

/// The scores `mean + explore·prior / (1 + visits)` of siblings, compared four at a time.
pub struct Ranking {
    explore: f32,
    /// By slot, the best score of all lines, and the second best.
    best: Scores,
    second: Scores,
    /// By slot, the largest `prior / (1 + visits)`: how fast scores grow with `explore`.
    slope: Scores,
}

impl Ranking {
    /// No sibling yet.
    #[inline(always)]
    #[must_use]
    pub const fn new(explore: f32) -> Ranking {
        Ranking {
            explore,
            best: [Child::LOST; SLOTS],
            second: [Child::LOST; SLOTS],
            slope: [0.0; SLOTS],
        }
    }

    /// Ranks the children whose statistics lie in a node's own line, and returns their scores.
    #[inline(always)]
    pub fn enter_own(&mut self, own: &Line) -> Scores {
        let (mut scores, mut slopes) = self.scores(own);
        scores[..FIRST_INLINE].fill(Child::LOST);
        slopes[..FIRST_INLINE].fill(0.0);
        self.enter_scores(scores, slopes);
        scores
    }

    /// Ranks the children of another line, and returns their scores.
    #[inline(always)]
    pub fn enter(&mut self, line: &Line) -> Scores {
        let (scores, slopes) = self.scores(line);
        self.enter_scores(scores, slopes);
        scores
    }

    #[inline(always)]
    fn scores(&self, line: &Line) -> (Scores, Scores) {
        let words = &line.0;
        let (mut scores, mut slopes) = ([0.0; SLOTS], [0.0; SLOTS]);
        for slot in 0..SLOTS {
            let mean = f32::from_bits(words[field::MEAN + slot]);
            let prior = Child::prior_of(words[field::SHARE + slot]);
            // Signed, because before AVX-512 processors only convert signed numbers side by side.
            let visits = words[field::VISITS + slot] as i32;
            slopes[slot] = prior / (1 + visits) as f32;
            scores[slot] = mean + self.explore * slopes[slot];
        }
        (scores, slopes)
    }

    #[inline(always)]
    fn enter_scores(&mut self, scores: Scores, slopes: Scores) {
        self.second = larger(self.second, smaller(self.best, scores));
        self.best = larger(self.best, scores);
        self.slope = larger(self.slope, slopes);
    }

    /// The highest score.
    #[inline(always)]
    #[must_use]
    pub fn highest(&self) -> f32 {
        highest(self.best)
    }

    /// What no score but the highest exceeds, now and as long as `explore` grows and statistics stay as they are.
    #[inline(always)]
    #[must_use]
    pub fn bound_of_others(&self) -> Bound {
        let highest = self.highest();
        // The second best of the slot that has the highest score, the best of the three others.
        let mut others = self.best;
        if let Some(slot) = others.iter().position(|&score| score == highest) {
            others[slot] = self.second[slot];
        }
        let slope = self::highest(self.slope);
        Bound {
            base: self::highest(others) - self.explore * slope,
            slope,
        }
    }
}

/// A score as a straight line over `explore`.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The score at no exploration.
    pub base: f32,
    /// What is added for each unit of it.
    pub slope: f32,
}

impl Bound {
    /// The score.
    #[inline(always)]
    #[must_use]
    pub fn at(self, explore: f32) -> f32 {
        self.base + explore * self.slope
    }
}

/// The score of one child.
#[inline(always)]
#[must_use]
pub fn score(child: Child, explore: f32) -> f32 {
    child.mean + explore * (child.prior / (1 + child.visits) as f32)
}

/// The larger of two scores, slot by slot. No score is NaN: `f32::max`, which heeds them, is slower.
#[inline(always)]
fn larger(one: Scores, other: Scores) -> Scores {
    let mut larger = one;
    for slot in 0..SLOTS {
        larger[slot] = if other[slot] > one[slot] {
            other[slot]
        } else {
            one[slot]
        };
    }
    larger
}

/// The smaller of two scores, slot by slot.
#[inline(always)]
fn smaller(one: Scores, other: Scores) -> Scores {
    let mut smaller = one;
    for slot in 0..SLOTS {
        smaller[slot] = if other[slot] < one[slot] {
            other[slot]
        } else {
            one[slot]
        };
    }
    smaller
}

/// The highest of the scores.
#[inline(always)]
fn highest(scores: Scores) -> f32 {
    let mut highest = scores[0];
    for score in scores {
        highest = if score > highest { score } else { highest };
    }
    highest
}

/// The number of the first line that has a score, and its slot there.
#[inline(always)]
#[must_use]
pub fn find(score: f32, lines: &[Scores]) -> Option<(usize, usize)> {
    for (number, scores) in lines.iter().enumerate() {
        if let Some(slot) = scores.iter().position(|&other| other == score) {
            return Some((number, slot));
        }
    }
    None
}
