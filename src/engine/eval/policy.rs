//! The policy network: predicts how a search distributes its visits over the amazon's moves of a position, or over the
//! arrow shots after an amazon's move. It was trained on the visit counts of searches.
//!
//! The hidden layer is like that of the [value network](super::value): each square has a feature, see [`FEATURES`],
//! which selects a weight row. The rows of all squares and a bias are added, which gives the pre-activations; these are
//! clamped and squared, which gives the activations. The amazon that has moved and must now shoot has a feature of its
//! own, [`SHOOTER`].
//!
//! The output layer computes the logit of each move or shot: a weighted sum of the activations. Its weights are the sum
//! of several weight rows:
//!
//! - for an amazon's move: the rows of its start square, its end square, its slide (direction and length), the start
//!   square's feature and the end square's feature
//! - for an arrow shot: the rows of its end square, its slide, and the end square's feature
//!
//! The logit of an arrow shot is a correction: the search adds it to the log-odds of the position after the shot.
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

/// Fixed-point scale of the hidden layer of the policy network: the integer 128 represents the value 1.0 of a weight, a
/// bias, or a pre-activation. After the activation function has squared it, `UNIT²` represents 1.0.
pub const UNIT: i32 = 128;

/// Fixed-point scale of the output weights of the policy network: the integer 64 represents the weight 1.0. An
/// activation of 1.0 with this weight adds 1.0 to the logit (unnormalised log-probability) of an amazon's move or arrow
/// shot.
pub const OUTPUT_UNIT: i32 = 64;

/// Maximum length of a slide (an amazon's move or an arrow's flight along a line), in squares.
pub const MAX_SLIDE: usize = 7;

/// Number of slides: 56. A slide is an amazon's move or an arrow's flight, given by one of 8 directions and a length
/// from 1 to 7. Its index is `MAX_SLIDE·direction + length − 1`, where `direction` is an index of [`DIRECTIONS`].
pub const SLIDES: usize = MAX_SLIDE * DIRECTIONS.len();

/// Number of a feature that only the policy network has: the square is occupied by the amazon that has moved and must
/// now shoot its arrow. Of the six bits of the feature, the high three and the low three are each 6. In the table of
/// [`FEATURES`], no square has this number: with the high bits 6, the low bits are at most 5.
pub const SHOOTER: usize = 0o66;

/// The eight directions in which amazons move and shoot, as steps `[right, down]`: north-west, north, north-east, west,
/// east, south-west, south, south-east.
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

/// Weights of the policy network in the form in which they are trained and stored. A row has one weight for each of 16
/// filters (sets of weights of the hidden layer), because the eight symmetries of the board share weights.
/// [`PolicyWeights::network`] returns a network that can evaluate positions; it applies the weights under each of the
/// eight symmetries, which results in 128 activations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWeights {
    /// Weights of the hidden layer: a row for each feature (content and surroundings of a square) on each square, at
    /// the index `64·feature + square`. A row contains one weight for each of the 16 filters (weight sets).
    pub rows: Vec<FilterWeights>,
    /// Biases of the hidden layer: a row for each number of arrows on the board, which is the row's index. A row
    /// contains one bias for each of the 16 filters (weight sets).
    pub biases: Vec<FilterWeights>,
    /// Output weights that depend on the start square of an amazon's move: a row of 16 weights for each square, at the
    /// square's index.
    pub from: [FilterWeights; 64],
    /// Output weights for amazon's moves, by end square, by slide (direction and length), and by feature (content and
    /// surroundings of a square). The logit of a move uses two rows of the weights by feature: the row of the start
    /// square's feature and the row of the end square's feature.
    pub amazons: ActionWeights,
    /// Output weights for arrow shots, by end square, slide (direction and length), and feature (content and
    /// surroundings) of the end square.
    pub arrows: ActionWeights,
}

/// Output weights of the policy network, either for amazon's moves or for arrow shots. There are separate weights for
/// the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionWeights {
    /// Weights that depend on the square on which the amazon or the arrow lands: a row of 16 weights for each square.
    pub to: [FilterWeights; 64],
    /// Weights that depend on the slide: direction and length of the amazon's move or of the arrow's flight. Each row
    /// has one weight for each of the 16 filters (weight sets). The row's index is `MAX_SLIDE·direction + length − 1`,
    /// see [`SLIDES`].
    pub slides: [FilterWeights; SLIDES],
    /// Weights that depend on the feature of the square on which the amazon or the arrow lands. A feature is a number
    /// from 0 to 63 for the content and the surroundings of a square, see [`FEATURES`]. It is the index of a row, which
    /// has one weight for each of the 16 filters (weight sets).
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
    /// Returns weights that are all zero.
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

    /// Returns all nine tables of weights of the policy network, for code that treats all alike. A slide is a direction
    /// and a length; a feature is a number for the content and the surroundings of a square. The order of the tables
    /// is:
    ///
    /// - two of the hidden layer: weights by feature and square, and biases by number of arrows
    /// - four of the output layer for amazon's moves: by start square, by end square, by slide, and by feature
    /// - three of the output layer for arrow shots: by end square, by slide, and by feature
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

/// Returns the index of the slide (direction and length) that results from applying a symmetry of the board to the
/// slide with index `slide`. `symmetry` is a number from 0 to 7, as in [`transformed`](super::symmetry::transformed).
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

    /// Returns the index of the square that is reached from `square` by the slide (amazon's move or arrow's flight)
    /// with the index `slide`; `None` if it is not on the board. The slide's index is `MAX_SLIDE·direction + length −
    /// 1`, where `direction` is an index of [`DIRECTIONS`] and `length` is from 1 to 7 squares.
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
