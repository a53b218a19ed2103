//! What a tree holds of its nodes and edges, for those who merge trees, learn from them, solve, test and measure.

pub use crate::mcts::expansion::{Choice, Policy};
pub use crate::mcts::tree::{Edge, EdgeRef, HalfMove, LINE_BYTES, NodeId, Tree};
