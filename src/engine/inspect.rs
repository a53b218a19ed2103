//! Re-exports types of the search tree, its nodes and its edges, for other crates of this project that read search
//! trees.

pub use crate::mcts::expansion::{StaticEstimator, TurnStage};
pub use crate::mcts::tree::{Action, BLOCK_BYTES, Edge, EdgeRef, NodeId, Tree, Word};
