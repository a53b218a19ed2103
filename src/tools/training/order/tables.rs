//! The tables of the order network.

use crate::eval::network::{BIASES, KINDS};
use crate::eval::order::{HEAD_UNIT, UNIT, WAYS};
use crate::tools::training::trainer::images::SQUARES;
use crate::tools::training::trainer::weights::{KIND_ROWS, Shape};

/// Tables of weights above the hidden layer in which a half-move looks up its weights: by the square that it leaves, the one
/// that it enters, its way, and the kinds of squares. An amazon's move looks up the kinds of both squares; an arrow leaves
/// none.
pub const MOVE_TABLES: usize = 4;

/// Places of the [`MOVE_TABLES`] of amazon's moves among all tables.
pub const AMAZON_TABLES: [usize; MOVE_TABLES] = [2, 3, 4, 5];

/// The same of arrows.
pub const ARROW_TABLES: [usize; MOVE_TABLES] = [2, 6, 7, 8];

/// The tables of the network: rows of the hidden layer, its biases, and the tables above it in the order of
/// [`OrderWeights`](crate::eval::order::OrderWeights).
pub const SHAPES: [Shape; 9] = [
    Shape::of_integers(KIND_ROWS, UNIT),
    Shape::of_integers(BIASES, UNIT),
    Shape::of_integers(SQUARES, HEAD_UNIT),
    Shape::of_integers(SQUARES, HEAD_UNIT),
    Shape::of_integers(WAYS, HEAD_UNIT),
    Shape::of_integers(KINDS, HEAD_UNIT),
    Shape::of_integers(SQUARES, HEAD_UNIT),
    Shape::of_integers(WAYS, HEAD_UNIT),
    Shape::of_integers(KINDS, HEAD_UNIT),
];
