//! The policy network: predicts how a search distributes its visits over the amazon moves of a position, or over the
//! arrows after an amazon's move. It was trained on the visit counts of searches.
//!
//! Each square has a feature, see [`FEATURES`], which selects one weight row of the hidden layer. As in the value
//! network, the rows of all squares and a bias are added, clamped and squared, see [`super::value`]. The logit of an
//! action is a weighted sum of these activations. Its weights are the sum of several output rows:
//!
//! - amazon move: rows of the start square, the end square, the slide (direction and length), the start square's
//!   feature and the end square's feature
//! - arrow: rows of the target square, the slide, and the target square's feature
//!
//! The logit of an arrow is a correction: the search adds it to the log-odds of the position after the arrow. The
//! amazon that is about to shoot has a feature of its own, [`SHOOTER`].
//!
//! Mirror images of a position get mirrored predictions, see [`symmetry`](super::symmetry).

mod logits;
mod text;

pub use logits::{PolicyLogits, PolicyNetwork, slide_between};
pub use text::{parse, write};

use super::symmetry::{FILTERS, FilterWeights};
use super::value::{BIASES, FEATURES};

/// Text of the compiled-in policy network, see [`parse`].
pub const WEIGHTS: &str = include_str!("policy/weights.txt");

/// Scale of the hidden layer: the integer that represents 1.0 in weights, biases and unsquared activations. Squared
/// activations have the scale `UNIT²`.
pub const UNIT: i32 = 128;

/// Scale of the output weights: the integer for a weight that adds 1.0 to the logit if the activation is 1.0.
pub const OUTPUT_UNIT: i32 = 64;

/// Maximum length of a slide, in squares.
pub const MAX_SLIDE: usize = 7;

/// Number of slides, each a pair of direction and length: 8 directions with 7 lengths each. The slide with the index
/// `MAX_SLIDE·direction + length − 1` has a direction from [`DIRECTIONS`] and a length from 1 to 7.
pub const SLIDES: usize = MAX_SLIDE * DIRECTIONS.len();

/// Feature, in the policy network only, of the amazon that is about to shoot its arrow. Its number is one of those that
/// the encoding in [`FEATURES`] leaves unused.
pub const SHOOTER: usize = 0o66;

/// Directions of slides as steps `[right, down]`: north-west, north, north-east, west, east, south-west, south,
/// south-east.
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

/// Weights of the policy network as they are trained and stored: one weight for each filter. In a [`PolicyNetwork`],
/// each of these is copied for the eight symmetries of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWeights {
    /// Weights of the hidden layer: one row for each feature on each square, with the index `64·feature + square`.
    pub rows: Vec<FilterWeights>,
    /// Biases of the hidden layer; the index is the number of arrows on the board.
    pub biases: Vec<FilterWeights>,
    /// Output weights of amazon moves by the index of the start square.
    pub from: [FilterWeights; 64],
    /// Output weights of amazon moves by end square, slide and feature. The weights of a feature apply both if the end
    /// square and if the start square has this feature.
    pub amazons: ActionWeights,
    /// Output weights of arrows by end square, slide and feature.
    pub arrows: ActionWeights,
}

/// Output weights for one type of action: amazon moves or arrows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionWeights {
    /// Weights by the index of the end square.
    pub to: [FilterWeights; 64],
    /// Weights by the index of the slide, see [`SLIDES`].
    pub slides: [FilterWeights; SLIDES],
    /// Weights by the feature of the end square, see [`FEATURES`].
    pub features: [FilterWeights; FEATURES],
}

impl ActionWeights {
    const ZERO: ActionWeights = ActionWeights {
        to: [[0; FILTERS]; 64],
        slides: [[0; FILTERS]; SLIDES],
        features: [[0; FILTERS]; FEATURES],
    };
}

impl PolicyWeights {
    /// Returns a network with all weights zero.
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

    /// Returns all tables of weights in this order: rows and biases of the hidden layer, output weights by start
    /// square, output weights of amazon moves by end square, slide and feature, and the same for arrows.
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

/// Returns the index of the slide that results from applying `symmetry` to the slide with index `slide`. `symmetry` is
/// a number from 0 to 7, as in [`transformed`](super::symmetry::transformed).
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

    /// Returns the index of the square at which the slide with index `slide` ends if it starts on `square`; `None` if
    /// the slide leaves the board.
    fn end_square(square: usize, slide: usize) -> Option<usize> {
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
                        end_square(square, slide).map(|end| transformed(end, symmetry)),
                        end_square(
                            transformed(square, symmetry),
                            transformed_slide(slide, symmetry)
                        )
                    );
                }
            }
        }
    }
}
