//! The order network: how likely a search is to prefer each amazon's move of a position, and each arrow behind an amazon's
//! move, learned from the visits of searches.
//!
//! Every square looks up a row of weights for its kind, as for the [value](super::network). A bias for the number of
//! arrows and these rows add up to the hidden layer, which is clamped to 0 to 1 and squared. The log-odds of a move are a
//! weighted sum of it. Its weights are the sum of five: those of the square that the amazon leaves, of the square that it
//! enters, of direction and length of its way, and of the kinds of both squares. Those of an arrow are the sum of three: of the
//! square where it lands, of its way and of the square's kind. They are added to the log-odds by the evaluation of the
//! position behind it, which the network was taught beside. Where an arrow is shot the amazon that shoots is of a
//! [kind of its own](SHOOTER).
//!
//! The hidden layer is one of [`images`](super::images), to which squares and ways are turned alike.

mod preferences;
mod text;

pub use preferences::{Order, Preferences, way_between};
pub use text::{parse, write};

use super::images::{FILTERS, Filters};
use super::network::{BIASES, KINDS};

/// The text of the order network that is compiled in.
pub const WEIGHTS: &str = include_str!("order/weights.txt");

/// A hidden number of 1, and the unit of the weights below the hidden layer.
pub const UNIT: i32 = 128;

/// Unit of the weights above it: log-odds for a hidden number of 1.
pub const HEAD_UNIT: i32 = 64;

/// Length of the longest way of an amazon.
pub const LONGEST: usize = 7;

/// Ways that an amazon can go.
pub const WAYS: usize = LONGEST * DIRECTIONS.len();

/// The kind of the square from which an arrow is to be shot. No square is of it where the network of values looks.
pub const SHOOTER: usize = 0o66;

/// The directions of ways: steps to the right and down. They are numbered as those of the board.
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

/// The weights of the order network, without the repetitions by symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderWeights {
    /// What a square adds to the hidden layer: 64 times its kind, plus the square, is the entry.
    pub rows: Vec<Filters>,
    /// The hidden layer before any square, by number of arrows.
    pub biases: Vec<Filters>,
    /// By the square that an amazon leaves.
    pub from: [Filters; 64],
    /// Of amazon's moves. The kind of the square that an amazon leaves counts, too.
    pub amazons: Ends,
    /// Of arrows.
    pub arrows: Ends,
}

/// Weights of a half-move by where it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// By the square that it enters.
    pub to: [Filters; 64],
    /// By way: [`LONGEST`] times the place of its direction in [`DIRECTIONS`], plus its length, less one.
    pub ways: [Filters; WAYS],
    /// By the kind of the square that it enters.
    pub kinds: [Filters; KINDS],
}

impl Ends {
    /// Zeros.
    const ZERO: Ends = Ends {
        to: [[0; FILTERS]; 64],
        ways: [[0; FILTERS]; WAYS],
        kinds: [[0; FILTERS]; KINDS],
    };
}

impl OrderWeights {
    /// Zeros.
    #[must_use]
    pub fn zero() -> OrderWeights {
        OrderWeights {
            rows: vec![[0; FILTERS]; KINDS * 64],
            biases: vec![[0; FILTERS]; BIASES],
            from: [[0; FILTERS]; 64],
            amazons: Ends::ZERO,
            arrows: Ends::ZERO,
        }
    }

    /// All tables: rows, biases, squares left; then squares entered, ways and kinds of amazon's moves, and the same of arrows.
    pub fn tables(&mut self) -> [&mut [Filters]; 9] {
        let (amazons, arrows) = (&mut self.amazons, &mut self.arrows);
        [
            &mut self.rows,
            &mut self.biases,
            &mut self.from,
            &mut amazons.to,
            &mut amazons.ways,
            &mut amazons.kinds,
            &mut arrows.to,
            &mut arrows.ways,
            &mut arrows.kinds,
        ]
    }
}

/// The way to which a symmetry turns another.
#[must_use]
pub const fn turned_way(way: usize, symmetry: usize) -> usize {
    let [mut right, mut down] = DIRECTIONS[way / LONGEST];
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
    direction * LONGEST + way % LONGEST
}

#[cfg(test)]
mod tests {
    use super::super::images::{SYMMETRIES, turned};
    use super::*;
    use crate::board::Square;

    /// The square at the end of a way, if it is on the board.
    fn end(square: usize, way: usize) -> Option<usize> {
        let length = (way % LONGEST + 1) as i8;
        let [right, down] = DIRECTIONS[way / LONGEST].map(|step| step * length);
        let (x, y) = ((square % 8) as i8 + right, (square / 8) as i8 + down);
        Square::new(x as u8, y as u8).map(Square::index)
    }

    #[test]
    fn ways_turn_with_the_squares_at_their_ends() {
        for symmetry in 0..SYMMETRIES {
            for square in 0..64 {
                for way in 0..WAYS {
                    assert_eq!(
                        end(square, way).map(|end| turned(end, symmetry)),
                        end(turned(square, symmetry), turned_way(way, symmetry))
                    );
                }
            }
        }
    }
}
