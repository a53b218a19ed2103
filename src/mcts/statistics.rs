//! Lines with the statistics of four children, field by field, and the best score among them.

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

/// The scores of the slots of a line.
pub type Scores = [f32; SLOTS];

/// `mean + explore·prior / (1 + visits)` of all slots of a line.
#[inline(always)]
#[must_use]
pub fn scores(line: &Line, explore: f32) -> Scores {
    let words = &line.0;
    let mut scores = [0.0; SLOTS];
    for slot in 0..SLOTS {
        let mean = f32::from_bits(words[field::MEAN + slot]);
        let prior = Child::prior_of(words[field::SHARE + slot]);
        // Signed, because before AVX-512 processors only convert signed numbers side by side.
        let visits = words[field::VISITS + slot] as i32;
        scores[slot] = mean + explore * prior / (1 + visits) as f32;
    }
    scores
}

/// The larger of two scores, slot by slot. No score is NaN: `f32::max`, which heeds them, is slower.
#[inline(always)]
#[must_use]
pub fn larger(one: Scores, other: Scores) -> Scores {
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

/// The highest of the scores.
#[inline(always)]
#[must_use]
pub fn highest(scores: Scores) -> f32 {
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
