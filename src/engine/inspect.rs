//! Re-exports the types of the search tree's nodes and edges, for code outside the search that reads or merges trees.

pub use crate::mcts::expansion::{StaticEstimator, TurnStage};
pub use crate::mcts::tree::{Action, BLOCK_BYTES, Edge, EdgeRef, NodeId, Tree};
