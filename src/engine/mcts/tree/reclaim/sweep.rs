//! The sweep: the order in which a full tree considers its nodes for removal, cyclically over the arena.
//!
//! Nodes lie in the arena roughly in the order of their creation, so a sweep meets the oldest nodes first and reads
//! memory sequentially. A node with fewer visits than a threshold is removed. The threshold doubles if few of
//! the considered nodes were removed, and halves if most were.

use crate::mcts::tree::nodes::{LiveNodes, NodeId};

/// Number of nodes considered between two adjustments of the threshold.
const WINDOW: u32 = 1024;

/// Minimum of the threshold, in visits: at 2, nodes with a single visit are removed.
const MIN_THRESHOLD: u32 = 2;

/// State of the sweep: its position in the arena, and the threshold of visits with its statistics.
pub struct Sweep {
    /// Index of the arena line at which the sweep continues.
    next_line: usize,
    /// Threshold in visits: nodes with fewer visits are removed.
    pub threshold: u32,
    /// Number of nodes considered since the last adjustment of the threshold; `removed` is the number of nodes removed
    /// among them.
    considered: u32,
    removed: u32,
}

impl Sweep {
    /// A sweep that starts at the first line.
    pub const START: Sweep = Sweep {
        next_line: 0,
        threshold: MIN_THRESHOLD,
        considered: 0,
        removed: 0,
    };

    /// Returns the next live node, cyclically over the arena. Returns `None` if no node is live.
    pub fn next(&mut self, nodes: &LiveNodes) -> Option<NodeId> {
        let node = nodes.next_live(self.next_line)?;
        self.next_line = node.line().index() + 1;
        Some(node)
    }

    /// Records whether the considered node was removed. After [`WINDOW`] nodes, adjusts the threshold.
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
