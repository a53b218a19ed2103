//! Ids of the nodes of the search tree, and the set of live nodes: it tells which of the tree's 64-byte blocks begin a
//! node.

use super::arena::BlockId;
use std::collections::TryReserveError;

/// Id of a node of the search tree: the id of the node's own 64-byte block. Only `LiveNodes::add` makes a block the id
/// of a new node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(BlockId);

impl NodeId {
    /// Returns the id of the 64-byte block that stores the node.
    #[must_use]
    pub const fn block(self) -> BlockId {
        self.0
    }

    /// Encodes an optional node as a 32-bit word of the arena: the id of the node's block, or 0 for `None`.
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

/// Set of the live nodes, which are stored and not on the search tree's list of dead nodes. Block `n` of the tree's
/// memory is the own block of a live node if bit `n % 64` of element `n / 64` is set.
pub struct LiveNodes(Vec<u64>);

impl LiveNodes {
    /// Creates an empty set for an arena whose 64-byte blocks have the ids 1 to `blocks`.
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

    /// Adds to the set the node whose own 64-byte block is `block`, and returns the node's id.
    ///
    /// # Panics
    /// If `block` is in the set already, or if its id is too high for the set.
    #[inline]
    pub fn add(&mut self, block: BlockId) -> NodeId {
        let (word, bit) = bit_position(block);
        assert!(self.0[word] & bit == 0, "{block:?} is a node already");
        self.0[word] |= bit;
        NodeId(block)
    }

    /// Removes `node` from the set of live nodes. Does not free the node's blocks.
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

    /// Returns the live node whose own block has the lowest index that is at least `block`. If there is none, starts
    /// again at the beginning of the arena. Returns `None` if no node is live.
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

/// Returns where the bit of `block` is in the set. First: the index of a 64-bit element. Second: a mask with this bit
/// of the element.
const fn bit_position(block: BlockId) -> (usize, u64) {
    (block.index() / 64, 1 << (block.index() % 64))
}
