//! Node ids, and the set of live nodes: which lines of the arena currently store a node.

use super::arena::LineId;
use std::collections::TryReserveError;

/// Id of a node: the id of the arena line that stores the node. Only `LiveNodes::add` turns a line into a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(LineId);

impl NodeId {
    /// Returns the id of the arena line that stores the node.
    #[must_use]
    pub const fn line(self) -> LineId {
        self.0
    }

    /// Encodes an optional node as a word of the arena; 0 stands for `None`.
    #[must_use]
    pub fn to_word(node: Option<NodeId>) -> u32 {
        LineId::to_word(node.map(NodeId::line))
    }

    /// Decodes a word made by [`NodeId::to_word`]. Any other word gives the id of an unrelated line: reads through this
    /// id return garbage, or panic if the line lies outside the arena.
    #[must_use]
    pub fn from_word(word: u32) -> Option<NodeId> {
        LineId::from_word(word).map(NodeId)
    }
}

/// Set of live nodes: one bit for every line of the arena, set if the line currently stores a node.
pub struct LiveNodes(Vec<u64>);

impl LiveNodes {
    /// Creates an empty set with room for line ids from 0 to `lines`.
    ///
    /// # Errors
    /// If the memory for the bits cannot be allocated.
    pub fn with_capacity(lines: usize) -> Result<LiveNodes, TryReserveError> {
        let words = lines / 64 + 1;
        let mut bits = Vec::new();
        bits.try_reserve_exact(words)?;
        bits.resize(words, 0);
        Ok(LiveNodes(bits))
    }

    /// Registers line `own` as a live node and returns the node's id.
    ///
    /// # Panics
    /// If the line already is a node, or lies outside the arena.
    #[inline]
    pub fn add(&mut self, own: LineId) -> NodeId {
        let (word, bit) = bit_of(own);
        assert!(self.0[word] & bit == 0, "{own:?} is a node already");
        self.0[word] |= bit;
        NodeId(own)
    }

    /// Removes a node from the set of live nodes.
    #[inline]
    pub fn remove(&mut self, node: NodeId) {
        let (word, bit) = bit_of(node.line());
        self.0[word] &= !bit;
    }

    /// Tests if `node` is live.
    #[cfg(test)]
    pub fn contains(&self, node: NodeId) -> bool {
        let (word, bit) = bit_of(node.line());
        self.0[word] & bit != 0
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Returns the first live node at or after `line`, wrapping around to the start of the arena. Returns `None` if no
    /// node is live.
    pub fn next_live(&self, line: usize) -> Option<NodeId> {
        let words = self.0.len();
        let mut line = line % (64 * words);
        for _ in 0..=words {
            let word = line / 64;
            let ahead = self.0[word] >> (line % 64);
            if ahead != 0 {
                return NodeId::from_word(line as u32 + ahead.trailing_zeros());
            }
            line = (word + 1) % words * 64;
        }
        None
    }
}

/// Returns the index of the word, and the bit in this word, that represent `line`.
const fn bit_of(line: LineId) -> (usize, u64) {
    (line.index() / 64, 1 << (line.index() % 64))
}
