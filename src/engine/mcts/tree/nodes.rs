//! Types for the nodes of the search tree: the id of a node ([`NodeId`]), and the set of live nodes ([`LiveNodes`]). A
//! node occupies several 64-byte blocks of the tree's memory. Its data begin in one of them, called its own block; the
//! id of this block is the id of the node.

use super::arena::BlockId;
use std::collections::TryReserveError;

/// Id of a node of the search tree: the id of the node's own 64-byte block. The id of a new node is made only by
/// `LiveNodes::add`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(BlockId);

impl NodeId {
    /// Returns the id of the node whose data begin in `block`.
    pub(super) const fn new(block: BlockId) -> NodeId {
        NodeId(block)
    }

    /// Returns the id of the 64-byte block that stores the node.
    #[must_use]
    pub const fn block(self) -> BlockId {
        self.0
    }

    /// Encodes the id of a node, or `None`, as a 32-bit word that can be stored in a block. The word is 0 for `None`.
    /// Otherwise, it is the id of the 64-byte block in which the node's data begin, which is never 0.
    #[must_use]
    pub fn to_word(node: Option<NodeId>) -> u32 {
        BlockId::to_word(node.map(NodeId::block))
    }

    /// Decodes a word made by [`NodeId::to_word`]: 0 gives `None`. Does not check that the block stores a node; callers
    /// must pass only words that were stored for a live node.
    #[must_use]
    pub fn from_word(word: u32) -> Option<NodeId> {
        BlockId::from_word(word).map(NodeId)
    }
}

/// Set of the live nodes of the search tree: the nodes in memory that are not on the tree's list of dead nodes (those
/// that were cut off from the tree). The set has one bit for each 64-byte block of the tree's memory: bit `n % 64` of
/// element `n / 64` for block `n`. The bit is set if the data of a live node begin in this block.
pub struct LiveNodes(Vec<u64>);

impl LiveNodes {
    /// Creates an empty set of nodes for a tree whose memory has `blocks` 64-byte blocks. The blocks have ids from 1 to
    /// `blocks`.
    ///
    /// # Errors
    /// If the memory for the set cannot be allocated.
    pub fn with_capacity(blocks: usize) -> Result<LiveNodes, TryReserveError> {
        let words = blocks / 64 + 1;
        let mut bits = Vec::new();
        bits.try_reserve_exact(words)?;
        bits.resize(words, 0);
        Ok(LiveNodes(bits))
    }

    /// Adds a node to the set, and returns its id. `block` is the first of the node's 64-byte blocks, which holds the
    /// data of the node; its further blocks hold edges.
    ///
    /// # Panics
    /// If `block` is in the set already, or if the id of `block` exceeds the capacity of the set.
    #[inline]
    pub fn add(&mut self, node: NodeId) {
        let block = node.block();
        let (word, bit) = bit_position(block);
        assert!(self.0[word] & bit == 0, "{block:?} is a node already");
        self.0[word] |= bit;
    }

    /// Removes `node` from the set of live nodes. Does not free the memory of the node.
    #[inline]
    pub fn remove(&mut self, node: NodeId) {
        let (word, bit) = bit_position(node.block());
        self.0[word] &= !bit;
    }

    /// Tests if `node` is in the set of live nodes.
    #[cfg(test)]
    pub fn contains(&self, node: NodeId) -> bool {
        let (word, bit) = bit_position(node.block());
        self.0[word] & bit != 0
    }

    /// Removes all nodes from the set.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Returns the node of this set with the lowest id that is `block` or higher. If there is none, returns the node
    /// with the lowest id of all. Returns `None` if the set is empty. The id of a node is the index of the 64-byte
    /// block in which its data begin.
    pub fn next_live(&self, block: usize) -> Option<NodeId> {
        let words = self.0.len();
        let mut block = block % (64 * words);
        for _ in 0..=words {
            let word = block / 64;
            let ahead = self.0[word] >> (block % 64);
            if ahead != 0 {
                return NodeId::from_word(block as u32 + ahead.trailing_zeros());
            }
            block = (word + 1) % words * 64;
        }
        None
    }
}

/// Returns the position of the bit that stands for `block` in [`LiveNodes`]. First: index of the 64-bit element.
/// Second: mask with only this bit of the element set.
const fn bit_position(block: BlockId) -> (usize, u64) {
    (block.index() / 64, 1 << (block.index() % 64))
}
