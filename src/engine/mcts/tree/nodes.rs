//! Which lines of the arena are nodes: the id of a node, and the set of the living.

use super::arena::LineId;
use std::collections::TryReserveError;

/// The id of a node: that of the line which is its own. Only `Nodes::add` makes one of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(LineId);

impl NodeId {
    /// The node's own line.
    #[must_use]
    pub const fn line(self) -> LineId {
        self.0
    }

    /// A node, or none, as a word.
    #[must_use]
    pub fn to_word(node: Option<NodeId>) -> u32 {
        LineId::to_word(node.map(NodeId::line))
    }

    /// The node, or none, that [`NodeId::to_word`] made a word of. Any other word gives the id of some other line, or of
    /// none: what is read there means nothing, and beyond the arena it is a panic.
    #[must_use]
    pub fn from_word(word: u32) -> Option<NodeId> {
        LineId::from_word(word).map(NodeId)
    }
}

/// The living nodes: a bit for every line, set for the lines that are a node's own.
pub struct Nodes(Vec<u64>);

impl Nodes {
    /// No nodes, of lines with ids up to a number.
    ///
    /// # Errors
    /// If there is no memory for a bit each.
    pub fn over(lines: usize) -> Result<Nodes, TryReserveError> {
        let words = lines / 64 + 1;
        let mut bits = Vec::new();
        bits.try_reserve_exact(words)?;
        bits.resize(words, 0);
        Ok(Nodes(bits))
    }

    /// Makes a line the own line of a node, which lives from now on.
    ///
    /// # Panics
    /// If it is one already, or lies outside the arena.
    #[inline]
    pub fn add(&mut self, own: LineId) -> NodeId {
        let (word, bit) = place(own);
        assert!(self.0[word] & bit == 0, "{own:?} is a node already");
        self.0[word] |= bit;
        NodeId(own)
    }

    /// A node has died.
    #[inline]
    pub fn remove(&mut self, node: NodeId) {
        let (word, bit) = place(node.line());
        self.0[word] &= !bit;
    }

    /// Tests if a node lives.
    #[cfg(test)]
    pub fn holds(&self, node: NodeId) -> bool {
        let (word, bit) = place(node.line());
        self.0[word] & bit != 0
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The first living node whose line has this number or a higher one, else the first of all; none if there are none.
    pub fn first_from(&self, line: usize) -> Option<NodeId> {
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

/// The word and the bit in it that stand for a line.
const fn place(line: LineId) -> (usize, u64) {
    (line.index() / 64, 1 << (line.index() % 64))
}
