//! The sweep ([`Sweep`]): the order in which a full tree considers its nodes for removal, cyclically over the arena.
//!
//! Nodes lie in the arena roughly in the order of their creation, so a sweep meets the oldest nodes first and reads
//! memory sequentially. Nodes with fewer visits than a threshold are removed. After every 1024 nodes considered, the
//! threshold doubles if fewer than a quarter of them were removed, and halves if more than three quarters were.

use crate::mcts::tree::nodes::{LiveNodes, NodeId};

/// Number of nodes that the sweep considers between two adjustments of its threshold.
const WINDOW: u32 = 1024;

/// Minimum of the sweep's threshold, in visits. With 2, only nodes with at most one visit are removed.
const MIN_THRESHOLD: u32 = 2;

/// State of the sweep for nodes to remove: its position in the arena, its threshold of visits, and the counts from
/// which the threshold is adjusted.
pub struct Sweep {
    /// Index of the 64-byte block in the arena at which the sweep continues.
    next_block: usize,
    /// Number of visits below which nodes are removed.
    pub threshold: u32,
    /// Number of nodes that the sweep has considered since its threshold was last adjusted.
    considered: u32,
    /// Number of nodes that the sweep has removed since its threshold was last adjusted.
    removed: u32,
}

impl Sweep {
    /// Initial state: the sweep starts at the first block of the arena, with the minimum threshold.
    pub const START: Sweep = Sweep {
        next_block: 0,
        threshold: MIN_THRESHOLD,
        considered: 0,
        removed: 0,
    };

    /// Returns the next live node, cyclically over the arena, and advances past it. Returns `None` if no node is live.
    pub fn next(&mut self, nodes: &LiveNodes) -> Option<NodeId> {
        let node = nodes.next_live(self.next_block)?;
        self.next_block = node.block().index() + 1;
        Some(node)
    }

    /// Counts one considered node; `removed` says whether it was removed. After every [`WINDOW`] nodes, doubles, halves
    /// or keeps the threshold.
    pub fn record(&mut self, removed: bool) {
        self.considered += 1;
        self.removed += u32::from(removed);
        if self.considered == WINDOW {
            if self.removed < WINDOW / 4 {
                self.threshold = self.threshold.saturating_mul(2);
            } else if self.removed > WINDOW * 3 / 4 {
                self.threshold = (self.threshold / 2).max(MIN_THRESHOLD);
            }
            (self.considered, self.removed) = (0, 0);
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
            (WINDOW / 4, 8),
            (WINDOW / 4 - 1, 16),
            (WINDOW * 3 / 4, 16),
            (WINDOW * 3 / 4 + 1, 8),
            (WINDOW, 4),
            (WINDOW, 2),
            (WINDOW, 2),
            (WINDOW / 2, 2),
        ] {
            (0..WINDOW).for_each(|number| sweep.record(number < found));
            assert_eq!(sweep.threshold, threshold, "{found} of {WINDOW} were found");
        }
    }
}
