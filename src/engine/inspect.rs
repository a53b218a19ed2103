//! Read access to the nodes and edges of a search tree, for code that merges trees, trains networks, solves positions,
//! tests or benchmarks.

pub use crate::mcts::expansion::{StaticEstimator, TurnStage};
pub use crate::mcts::tree::{Action, BLOCK_BYTES, Edge, EdgeRef, NodeId, Tree};
