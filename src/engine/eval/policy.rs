//! The policy network: predicts how a search will distribute its visits over the amazon moves of a position, and over
//! the arrows after an amazon's move. It was trained on the visit counts of searches.
//!
//! The hidden layer works like that of the [value network](super::value): a weight row per square and a bias, clamped
//! and squared. The logit of a half-move is a weighted sum of the activations. For an amazon move, the weights are the
//! sum of five rows: those of the start square, the end square, direction and distance of the move, and the features of
//! both squares. For an arrow, the weights are the sum of three rows: those of its target, of direction and distance,
//! and of the target's feature. The logit of an arrow is added to the evaluation's log-odds of the position after the
//! arrow; it was trained as such a correction. While an arrow is to be shot, the amazon that shoots has a [feature of
//! its own](SHOOTER).
//!
//! The hidden layer is symmetric, see [`symmetry`](super::symmetry); squares and directions are transformed alike.

mod logits;
mod text;

pub use logits::{PolicyLogits, PolicyNetwork, slide_between};
pub use text::{parse, write};

use super::symmetry::{FILTERS, FilterWeights};
use super::value::{BIASES, FEATURES};

/// Text of the compiled-in policy network, for [`parse`].
pub const WEIGHTS: &str = include_str!("policy/weights.txt");

/// Activation before squaring that stands for 1, and weight of the hidden layer that stands for 1.
pub const UNIT: i32 = 128;

/// Output weight that stands for log-odds of 1 per activation of 1.
pub const HEAD_UNIT: i32 = 64;

/// Length of the longest slide, in squares.
pub const MAX_SLIDE: usize = 7;

/// Number of slides: every direction with every length.
pub const SLIDES: usize = MAX_SLIDE * DIRECTIONS.len();

/// Feature of the amazon that is about to shoot. The value network never sees this feature.
pub const SHOOTER: usize = 0o66;

/// Directions of slides, as steps to the right and down, in the same order as the board's directions.
pub const DIRECTIONS: [[i8; 2]; 8] = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
];

/// Weights of the policy network as trained: one set per filter, not yet repeated for each symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWeights {
    /// Weight rows of the features. The row of a feature on a square has index `64·feature + square`.
    pub rows: Vec<FilterWeights>,
    /// Biases of the hidden layer, by number of arrows.
    pub biases: Vec<FilterWeights>,
    /// Output weights by start square of an amazon move.
    pub from: [FilterWeights; 64],
    /// Output weights of amazon moves. The feature weights also apply to the start square.
    pub amazons: HalfMoveWeights,
    /// Output weights of arrows.
    pub arrows: HalfMoveWeights,
}

/// Output weights for one type of half-move, amazon moves or arrows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfMoveWeights {
    /// Weights by end square.
    pub to: [FilterWeights; 64],
    /// Weights by slide: index `MAX_SLIDE·direction + length − 1`, with directions as in [`DIRECTIONS`].
    pub slides: [FilterWeights; SLIDES],
    /// Weights by feature of the end square.
    pub features: [FilterWeights; FEATURES],
}

impl HalfMoveWeights {
    /// Weights that are all zero.
    const ZERO: HalfMoveWeights = HalfMoveWeights {
        to: [[0; FILTERS]; 64],
        slides: [[0; FILTERS]; SLIDES],
        features: [[0; FILTERS]; FEATURES],
    };
}

impl PolicyWeights {
    /// Returns weights that are all zero.
    #[must_use]
    pub fn zero() -> PolicyWeights {
        PolicyWeights {
            rows: vec![[0; FILTERS]; FEATURES * 64],
            biases: vec![[0; FILTERS]; BIASES],
            from: [[0; FILTERS]; 64],
            amazons: HalfMoveWeights::ZERO,
            arrows: HalfMoveWeights::ZERO,
        }
    }

    /// Returns all tables: rows, biases and start squares; then end squares, slides and features of amazon moves, and
    /// the last three again for arrows.
    pub fn tables(&mut self) -> [&mut [FilterWeights]; 9] {
        let (amazons, arrows) = (&mut self.amazons, &mut self.arrows);
        [
            &mut self.rows,
            &mut self.biases,
            &mut self.from,
            &mut amazons.to,
            &mut amazons.slides,
            &mut amazons.features,
            &mut arrows.to,
            &mut arrows.slides,
            &mut arrows.features,
        ]
    }
}

/// Returns the slide onto which a symmetry maps `slide`.
#[must_use]
pub const fn transformed_slide(slide: usize, symmetry: usize) -> usize {
    let [mut right, mut down] = DIRECTIONS[slide / MAX_SLIDE];
    if symmetry & 1 != 0 {
        down = -down;
    }
    if symmetry & 2 != 0 {
        right = -right;
    }
    if symmetry & 4 != 0 {
        (right, down) = (down, right);
    }
    let mut direction = 0;
    while DIRECTIONS[direction][0] != right || DIRECTIONS[direction][1] != down {
        direction += 1;
    }
    direction * MAX_SLIDE + slide % MAX_SLIDE
}

#[cfg(test)]
mod tests {
    use super::super::symmetry::{SYMMETRIES, transformed};
    use super::*;
    use crate::board::Square;

    /// Returns the square at the end of a slide, if it is on the board.
    fn end(square: usize, slide: usize) -> Option<usize> {
        let length = (slide % MAX_SLIDE + 1) as i8;
        let [right, down] = DIRECTIONS[slide / MAX_SLIDE].map(|step| step * length);
        let (x, y) = ((square % 8) as i8 + right, (square / 8) as i8 + down);
        Square::new(x as u8, y as u8).map(Square::index)
    }

    #[test]
    fn ways_turn_with_the_squares_at_their_ends() {
        for symmetry in 0..SYMMETRIES {
            for square in 0..64 {
                for slide in 0..SLIDES {
                    assert_eq!(
                        end(square, slide).map(|end| transformed(end, symmetry)),
                        end(
                            transformed(square, symmetry),
                            transformed_slide(slide, symmetry)
                        )
                    );
                }
            }
        }
    }
}
