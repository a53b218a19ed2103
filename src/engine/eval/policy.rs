//! The policy network: predicts how a search distributes its visits over the amazon moves of a position, and over the
//! arrows after an amazon's move. It was trained on the visit counts of searches.
//!
//! The hidden layer works like that of the [value network](super::value): the sum of a weight row per square and a
//! bias, clamped and squared. The logit of an action is a weighted sum of the activations. For an amazon move, the
//! weights are the sum of five rows: those of the start square, of the end square, of the slide (direction and length),
//! and of the features of both squares. For an arrow, the weights are the sum of three rows: those of its target, of
//! the slide, and of the target's feature. The logit of an arrow is added to the evaluation's log-odds of the position
//! after the arrow; it was trained as such a correction. While an arrow is to be shot, the amazon that shoots has a
//! [feature of its own](SHOOTER).
//!
//! The network is symmetric, see [`symmetry`](super::symmetry): each symmetry transforms squares and directions alike.

mod logits;
mod text;

pub use logits::{PolicyLogits, PolicyNetwork, slide_between};
pub use text::{parse, write};

use super::symmetry::{FILTERS, FilterWeights};
use super::value::{BIASES, FEATURES};

/// Text of the compiled-in policy network, in the format that [`parse`] reads.
pub const WEIGHTS: &str = include_str!("policy/weights.txt");

/// Fixed-point scale of the hidden layer: the integer that represents 1.0 in weights, biases and activations before
/// squaring. A squared activation of 1.0 is `UNIT²`.
pub const UNIT: i32 = 128;

/// Fixed-point scale of the output weights: the integer that adds 1.0 to the logit per activation of 1.0.
pub const HEAD_UNIT: i32 = 64;

/// Maximum length of a slide, in squares.
pub const MAX_SLIDE: usize = 7;

/// Number of slides (pairs of direction and length) of a queen: 8 directions with 7 lengths each. A slide's index is
/// `MAX_SLIDE·direction + length − 1`.
pub const SLIDES: usize = MAX_SLIDE * DIRECTIONS.len();

/// Feature of the amazon that is about to shoot its arrow, a code that [`FEATURES`] leaves unused. The value network
/// never sees this feature.
pub const SHOOTER: usize = 0o66;

/// Directions of slides, each as one step `[right, down]`, in the same order as the board's directions: north-west,
/// north, north-east, west, east, south-west, south, south-east.
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

/// Weights of the policy network as trained and stored: one per filter, before they are repeated for the eight
/// symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWeights {
    /// Weight rows of the hidden layer. The row of a feature on a square has index `64·feature + square`.
    pub rows: Vec<FilterWeights>,
    /// Biases of the hidden layer; the index is the number of arrows on the board.
    pub biases: Vec<FilterWeights>,
    /// Output weights of amazon moves that depend on the start square, by its index.
    pub from: [FilterWeights; 64],
    /// Other output weights of amazon moves. The weights by feature apply to the start square too.
    pub amazons: ActionWeights,
    /// Output weights of arrows; an arrow's start square has none.
    pub arrows: ActionWeights,
}

/// Output weights for one type of action: amazon moves or arrows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionWeights {
    /// Weights by the index of the action's end square.
    pub to: [FilterWeights; 64],
    /// Weights by slide, the action's direction and length: index `MAX_SLIDE·direction + length − 1`, with
    /// directions as in [`DIRECTIONS`].
    pub slides: [FilterWeights; SLIDES],
    /// Weights by the feature of the action's end square, see [`FEATURES`].
    pub features: [FilterWeights; FEATURES],
}

impl ActionWeights {
    /// All weights zero.
    const ZERO: ActionWeights = ActionWeights {
        to: [[0; FILTERS]; 64],
        slides: [[0; FILTERS]; SLIDES],
        features: [[0; FILTERS]; FEATURES],
    };
}

impl PolicyWeights {
    /// Returns a network with all weights zero, from which training and parsing start.
    #[must_use]
    pub fn zero() -> PolicyWeights {
        PolicyWeights {
            rows: vec![[0; FILTERS]; FEATURES * 64],
            biases: vec![[0; FILTERS]; BIASES],
            from: [[0; FILTERS]; 64],
            amazons: ActionWeights::ZERO,
            arrows: ActionWeights::ZERO,
        }
    }

    /// Returns all weight tables, in the order in which they are stored: rows, biases and start squares; then end
    /// squares, slides and features of amazon moves; then the same three of arrows.
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

/// Returns the index of the slide onto which `symmetry` maps the slide with index `slide`. Symmetries are numbered as
/// in [`transformed`](super::symmetry::transformed).
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

    /// Returns the index of the square at the end of a slide from `square`, or `None` if it is off the board.
    fn end(square: usize, slide: usize) -> Option<usize> {
        let length = (slide % MAX_SLIDE + 1) as i8;
        let [right, down] = DIRECTIONS[slide / MAX_SLIDE].map(|step| step * length);
        let (x, y) = ((square % 8) as i8 + right, (square / 8) as i8 + down);
        Square::new(x as u8, y as u8).map(Square::index)
    }

    #[test]
    fn slides_transform_like_their_end_squares() {
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
