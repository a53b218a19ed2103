//! Hidden layer of the value and the policy network: filters that are applied to the eight symmetric images of a
//! position.
//!
//! Each filter has one set of weights, which the eight images (rotations and reflections) share. So the hidden layer
//! has eight units per filter, and the network gives a position and its mirror images the same value.
//!
//! A unit's pre-activation is its bias plus the weights that the contents of the squares and, in the value network,
//! their patterns select. Its activation is a clipped squared ReLU: the pre-activation is clamped to the range from 0
//! to 1, then squared. The true derivative is 0 outside this range, and nearly 0 if the pre-activation is just above 0.
//! A unit with such pre-activations in every position would therefore stop learning. To prevent this, the backward pass
//! uses a surrogate gradient instead. Its size, `surrogate`, falls to 0 together with the learning rate.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::weights::{FEATURE_ROWS, Weights};
use engine::eval::symmetry::{FILTERS, SYMMETRIES, transformed, transformed_pattern};

/// Number of squares of the board. Weight rows that depend on a square are stored in groups of 64, one row per square.
pub const SQUARES: usize = 64;

/// A row of 16 numbers, one for each filter (set of weights) of the hidden layer: for example a row of a weight table,
/// or the activations for one symmetric image of a position.
pub type Row = [f32; FILTERS];

/// One number for each hidden unit, indexed by symmetry (0 to 7), then by filter (0 to 15).
pub type HiddenValues = [Row; SYMMETRIES];

/// Hidden values that are all 0: the start value of the sum in which the gradients of the hidden layer are added up.
pub const ZEROS: HiddenValues = [[0.0; FILTERS]; SYMMETRIES];

/// Images of the squares under the board's eight symmetries: `TRANSFORMED_SQUARES[square][symmetry]` is the index (0 to
/// 63) of the square to which the symmetry `symmetry` moves `square`.
pub static TRANSFORMED_SQUARES: [[u8; SYMMETRIES]; SQUARES] = images(false);

/// Images of the 256 sets of empty neighbours under the board's eight symmetries, see [`transformed_pattern`].
static TRANSFORMED_NEIGHBOURS: [[u8; SYMMETRIES]; 256] = images(true);

/// Returns the images of the numbers from 0 to `COUNT` − 1 under the eight symmetries: as sets of empty neighbours if
/// `is_set` is true, otherwise as squares.
const fn images<const COUNT: usize>(is_set: bool) -> [[u8; SYMMETRIES]; COUNT] {
    let mut images = [[0; SYMMETRIES]; COUNT];
    let mut at = 0;
    while at < COUNT * SYMMETRIES {
        let (number, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        images[number][symmetry] = if is_set {
            transformed_pattern(number, symmetry) as u8
        } else {
            transformed(number, symmetry) as u8
        };
        at += 1;
    }
    images
}

/// Returns the index of the weight row that a square with the pattern `pattern` selects in the symmetric image `image`.
#[inline(always)]
fn transformed_row(pattern: u16, image: usize) -> usize {
    let [neighbours, class] = pattern.to_le_bytes();
    usize::from(class) << 8 | usize::from(TRANSFORMED_NEIGHBOURS[usize::from(neighbours)][image])
}

/// Hidden layer of one position after the forward pass, with the values that the backward pass needs.
pub struct HiddenLayer {
    /// Feature of each square, which encodes its content. It selects the row `64·feature + square` of those for the game
    /// phase `phase` in `weights[0]`, the table of hidden-layer weights.
    features: [u8; SQUARES],
    /// If the network has weight rows for patterns: the index of their weight table, and the pattern of each square.
    patterns: Option<(usize, [u16; SQUARES])>,
    /// Phase of the game, from 0: an interval of the number of arrows, with its own hidden-layer weights. Phase p uses
    /// the [`FEATURE_ROWS`] rows from row `p·FEATURE_ROWS` on in `weights[0]`. The value network has three phases (0 to
    /// 14, 15 to 29, and 30 or more arrows), the policy network only phase 0.
    phase: usize,
    /// Number of arrows on the board. The row with this index in weight table 1 contains the biases of the hidden
    /// layer.
    arrows: usize,
    /// Pre-activations and activations of the hidden units. A pre-activation is the unit's bias plus, for each square,
    /// the weight that belongs to the square's content.
    pub units: Units,
}

/// 128 hidden units of one position after the forward pass, in eight groups of 16. A group belongs to a symmetric image
/// of the position, or to an amazon.
pub struct Units {
    /// Pre-activations: weighted sums.
    pre_activations: HiddenValues,
    /// Activations: each is the unit's pre-activation, clamped to the range from 0 to 1 and then squared.
    activations: HiddenValues,
}

impl HiddenLayer {
    /// Runs the forward pass of the hidden layer on a position: adds the weight rows that the squares select to the
    /// bias, which gives the pre-activations, and applies the activation function (clamps each pre-activation to the
    /// range from 0 to 1 and squares it).
    ///
    /// - `phase`: phase of the game, from 0
    /// - `arrows`: number of arrows on the board, which selects the row of biases
    /// - `features`: the feature of each square
    /// - `patterns`: if the network has weight rows for patterns, the index of their table and the pattern of each
    ///   square, see [`PATTERNS`](engine::eval::value::PATTERNS)
    #[inline(always)]
    #[must_use]
    pub fn new(
        weights: &Weights,
        phase: usize,
        arrows: usize,
        features: [u8; SQUARES],
        patterns: Option<(usize, [u16; SQUARES])>,
    ) -> HiddenLayer {
        let mut pre_activations = [weights[1][arrows]; SYMMETRIES];
        if let Some((table, patterns)) = &patterns {
            for &pattern in patterns {
                for image in 0..SYMMETRIES {
                    let row = &weights[*table][transformed_row(pattern, image)];
                    add_row(&mut pre_activations[image], row);
                }
            }
        }
        let table = &weights[0][phase * FEATURE_ROWS..][..FEATURE_ROWS];
        for square in 0..SQUARES {
            let first = usize::from(features[square] & 63) << 6;
            for image in 0..SYMMETRIES {
                let row = &table[first | usize::from(TRANSFORMED_SQUARES[square][image])];
                add_row(&mut pre_activations[image], row);
            }
        }
        HiddenLayer {
            features,
            patterns,
            phase,
            arrows,
            units: Units::new(pre_activations),
        }
    }

    /// Back-propagates from the activations to the weights of the hidden layer: adds the gradient of the loss with
    /// respect to the weight rows and the biases to `gradient`. `hidden_gradient` is the gradient with respect to the
    /// activations; [`Units::backpropagate`] explains `surrogate`.
    #[inline(always)]
    pub fn backpropagate_rows(
        &self,
        gradient: &mut Weights,
        hidden_gradient: HiddenValues,
        surrogate: f32,
    ) {
        let hidden_gradient = self.units.backpropagate(hidden_gradient, surrogate);
        for image in &hidden_gradient {
            add_row(&mut gradient[1][self.arrows], image);
        }
        if let Some((table, patterns)) = &self.patterns {
            for &pattern in patterns {
                for image in 0..SYMMETRIES {
                    let row = &mut gradient[*table][transformed_row(pattern, image)];
                    add_row(row, &hidden_gradient[image]);
                }
            }
        }
        let table = &mut gradient[0][self.phase * FEATURE_ROWS..][..FEATURE_ROWS];
        for square in 0..SQUARES {
            let first = usize::from(self.features[square] & 63) << 6;
            for image in 0..SYMMETRIES {
                let row = &mut table[first | usize::from(TRANSFORMED_SQUARES[square][image])];
                add_row(row, &hidden_gradient[image]);
            }
        }
    }
}

impl Units {
    /// Applies the activation function: clamps each pre-activation to the range from 0 to 1 and squares it.
    #[inline(always)]
    #[must_use]
    pub fn new(pre_activations: HiddenValues) -> Units {
        let mut activations = pre_activations;
        for group in 0..SYMMETRIES {
            for unit in 0..FILTERS {
                let number = pre_activations[group][unit].clamp(0.0, 1.0);
                activations[group][unit] = number * number;
            }
        }
        Units {
            pre_activations,
            activations,
        }
    }

    /// Returns the dot product of the units with output weights: the sum over all units of activation times weight. The
    /// units of the symmetric image or amazon `i` (0 to 7) have the weights in row `row_by_image[i]` of `table`.
    #[inline(always)]
    #[must_use]
    pub fn dot(&self, table: &[Row], row_by_image: &[u8; SYMMETRIES]) -> f32 {
        let mut sums = [0.0; FILTERS];
        for image in 0..SYMMETRIES {
            let row = &table[usize::from(row_by_image[image])];
            for filter in 0..FILTERS {
                sums[filter] += self.activations[image][filter] * row[filter];
            }
        }
        let mut all = 0.0;
        for sum in sums {
            all += sum;
        }
        all
    }

    /// Back-propagates from the result of [`dot`](Units::dot) to its inputs. `slope` is the derivative of the
    /// loss with respect to this result.
    ///
    /// Adds the gradient of the loss with respect to `table` to `gradient`, and that with respect to the activations to
    /// `hidden_gradient`.
    #[inline(always)]
    pub fn backpropagate_dot(
        &self,
        slope: f32,
        table: &[Row],
        row_by_image: &[u8; SYMMETRIES],
        gradient: &mut [Row],
        hidden_gradient: &mut HiddenValues,
    ) {
        for image in 0..SYMMETRIES {
            let entry = usize::from(row_by_image[image]);
            let (row, to) = (&table[entry], &mut gradient[entry]);
            for filter in 0..FILTERS {
                hidden_gradient[image][filter] += slope * row[filter];
                to[filter] += slope * self.activations[image][filter];
            }
        }
    }

    /// Back-propagates through the activation function: returns the gradient of the loss with respect to the
    /// pre-activations. `hidden_gradient` is that with respect to the activations.
    ///
    /// `surrogate`, from 0 to 1, is the fraction of the gradient that is passed on through a unit whose pre-activation
    /// is clamped. With 0, the gradient is the true one; a larger value lets such units learn.
    #[inline(always)]
    #[must_use]
    pub fn backpropagate(&self, mut hidden_gradient: HiddenValues, surrogate: f32) -> HiddenValues {
        for group in 0..SYMMETRIES {
            for unit in 0..FILTERS {
                let pre_activation = self.pre_activations[group][unit];
                let unclamped =
                    square_derivative(pre_activation, surrogate) * hidden_gradient[group][unit];
                hidden_gradient[group][unit] = clamp_gradient(pre_activation, unclamped, surrogate);
            }
        }
        hidden_gradient
    }
}

/// Adds `row` to `sum`, element by element.
#[inline(always)]
pub fn add_row(sum: &mut Row, row: &Row) {
    for filter in 0..FILTERS {
        sum[filter] += row[filter];
    }
}

/// Adds `factor` times `row` to `sum`, element by element.
#[inline(always)]
pub fn add_scaled_row(sum: &mut Row, row: &Row, factor: f32) {
    for filter in 0..FILTERS {
        sum[filter] += factor * row[filter];
    }
}

/// Surrogate gradient in the first training step: the fraction of the gradient that is passed on through a hidden unit
/// whose pre-activation is clamped because it lies outside the range from 0 to 1. The fraction decreases to 0 together
/// with the learning rate.
pub const INITIAL_SURROGATE: f32 = 0.1;

/// Returns 2·s, the derivative of s², where s is `pre_activation`, the pre-activation of a hidden unit, clamped to the
/// range from 0 to 1. If s is below `surrogate`, returns 2·`surrogate` instead, so that units with pre-activations near
/// or below 0 continue to learn.
#[inline(always)]
fn square_derivative(pre_activation: f32, surrogate: f32) -> f32 {
    2.0 * pre_activation.clamp(0.0, 1.0).max(surrogate)
}

/// Back-propagates through the clamping of a hidden unit's pre-activation to the range from 0 to 1. `pre_activation` is
/// its value before it is clamped; `gradient` is the derivative of the loss with respect to the clamped value. Returns
/// the derivative with respect to `pre_activation`.
///
/// If `pre_activation` is inside the range, this is `gradient`. Outside, it is `surrogate`·`gradient` if gradient
/// descent would move `pre_activation` towards the range, and 0 otherwise.
#[inline(always)]
fn clamp_gradient(pre_activation: f32, gradient: f32, surrogate: f32) -> f32 {
    let leads_back = gradient * (pre_activation - 0.5) > 0.0;
    let outside_factor = if leads_back { surrogate } else { 0.0 };
    let is_within = pre_activation > 0.0 && pre_activation < 1.0;
    gradient * if is_within { 1.0 } else { outside_factor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipped_units_only_learn_towards_the_interval() {
        for (unit, surrogate, expected) in [
            (0.4, 0.1, [-0.4, 0.4]),
            (0.01, 0.1, [-0.1, 0.1]),
            (1.5, 0.1, [0.0, 0.1]),
            (-0.5, 0.1, [-0.1 * 0.1, 0.0]),
            (1.5, 0.0, [0.0, 0.0]),
            (-0.5, 0.0, [0.0, 0.0]),
        ] {
            let found = [-0.5, 0.5].map(|gradient| {
                let gradient = square_derivative(unit, surrogate) * gradient;
                clamp_gradient(unit, gradient, surrogate)
            });
            assert_eq!(found, expected, "{unit}");
        }
    }
}
