//! The sweep ([`Sweep`]): the order in which nodes are examined for removal when the memory of the search tree is full.
//! It goes through the memory from the first block to the last, again and again.
//!
//! Nodes lie in memory roughly in the order of their creation, so a sweep meets the oldest nodes first and reads memory
//! sequentially. Nodes with fewer visits than a threshold are removed. After every 1024 nodes examined, the threshold
//! doubles if fewer than a quarter of them were removed, and halves if more than three quarters were.

use crate::mcts::tree::nodes::{LiveNodes, NodeId};

/// Number of nodes that the sweep examines between two adjustments of its threshold. Nodes with fewer visits than this
/// threshold are removed.
const PERIOD: u32 = 1024;

/// Lowest threshold of a sweep, which removes nodes with few visits. In visits: with this threshold, nodes with 0 or 1
/// visits are removed, others are not.
const MIN_THRESHOLD: u32 = 2;

/// State of the sweep, which frees memory for the search: it examines the nodes in the order in which they lie in
/// memory, and removes those with few visits.
pub struct Sweep {
    /// Index of the 64-byte block from which on the sweep looks for the next node to examine.
    next_block: usize,
    /// Threshold of the sweep: nodes with fewer visits are removed.
    pub threshold: u32,
    /// Number of nodes that the sweep has examined since `threshold` was last adjusted, from 0 to 1023. The sweep is
    /// the pass over all nodes that frees memory.
    examined: u32,
    /// Number of nodes that the sweep has removed since `threshold` was last adjusted, from 0 to 1023. The sweep
    /// removes nodes with fewer visits than `threshold`.
    removed: u32,
}

impl Sweep {
    /// State of a sweep that has not examined any node. It begins at the first block of the tree's memory, and removes
    /// only nodes with fewer than two visits, the lowest threshold.
    pub const START: Sweep = Sweep {
        next_block: 0,
        threshold: MIN_THRESHOLD,
        examined: 0,
        removed: 0,
    };

    /// Returns the next live node for the sweep to examine, in the order in which nodes lie in memory; after the last
    /// node, the sweep starts again at the first one. Returns `None` if no node is live.
    pub fn next(&mut self, nodes: &LiveNodes) -> Option<NodeId> {
        let node = nodes.next_live(self.next_block)?;
        self.next_block = node.block().index() + 1;
        Some(node)
    }

    /// Counts one node that the sweep has examined; `removed` says whether it was removed from the tree. After every
    /// 1024 nodes, adjusts `threshold`, the number of visits below which nodes are removed. Doubles it if less than 1/4
    /// of these nodes were removed, halves it if more than 3/4 were, but not below 2.
    pub fn count_examined(&mut self, removed: bool) {
        self.examined += 1;
        self.removed += u32::from(removed);
        if self.examined == PERIOD {
            if self.removed < PERIOD / 4 {
                self.threshold = self.threshold.saturating_mul(2);
            } else if self.removed > PERIOD * 3 / 4 {
                self.threshold = (self.threshold / 2).max(MIN_THRESHOLD);
            }
            (self.examined, self.removed) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threshold_adapts_to_the_share_of_removed_nodes() {
        let mut sweep = Sweep::START;
        for (found, threshold) in [
            (0, 4),
            (0, 8),
            (PERIOD / 4, 8),
            (PERIOD / 4 - 1, 16),
            (PERIOD * 3 / 4, 16),
            (PERIOD * 3 / 4 + 1, 8),
            (PERIOD, 4),
            (PERIOD, 2),
            (PERIOD, 2),
            (PERIOD / 2, 2),
        ] {
            (0..PERIOD).for_each(|number| sweep.count_examined(number < found));
            assert_eq!(sweep.threshold, threshold, "{found} of {PERIOD} were found");
        }
    }
}
