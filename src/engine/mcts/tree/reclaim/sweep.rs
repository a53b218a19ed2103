//! The sweep: the order in which a full tree considers its nodes for removal, cyclically over the arena.
//!
//! Nodes lie in the arena roughly in the order of their creation, so a sweep meets the oldest nodes first and reads
//! memory sequentially. A node with fewer visits than a threshold (`bar`) is removed. The threshold doubles if few of
//! the considered nodes were removed, and halves if most were.

use crate::mcts::tree::nodes::{NodeId, Nodes};

/// Number of nodes considered between two adjustments of the threshold.
const WINDOW: u32 = 1024;

/// Minimum of the threshold, in visits: at 2, nodes with a single visit are removed.
const LOWEST_BAR: u32 = 2;

/// State of the sweep: its position in the arena, and the threshold of visits with its statistics.
pub struct Sweep {
    /// Index of the arena line at which the sweep continues.
    hand: usize,
    /// Threshold in visits: nodes with fewer visits are removed.
    pub bar: u32,
    /// Number of nodes considered since the last adjustment of the threshold; `given_up` is the number of nodes removed
    /// among them.
    looked_at: u32,
    given_up: u32,
}

impl Sweep {
    /// A sweep that starts at the first line.
    pub const START: Sweep = Sweep {
        hand: 0,
        bar: LOWEST_BAR,
        looked_at: 0,
        given_up: 0,
    };

    /// Returns the next live node, cyclically over the arena. Returns `None` if no node is live.
    pub fn next(&mut self, nodes: &Nodes) -> Option<NodeId> {
        let node = nodes.first_from(self.hand)?;
        self.hand = node.line().index() + 1;
        Some(node)
    }

    /// Records whether the considered node was removed. After [`WINDOW`] nodes, adjusts the threshold.
    pub fn note(&mut self, given_up: bool) {
        self.looked_at += 1;
        self.given_up += u32::from(given_up);
        if self.looked_at == WINDOW {
            if self.given_up < WINDOW / 4 {
                self.bar = self.bar.saturating_mul(2);
            } else if self.given_up > WINDOW * 3 / 4 {
                self.bar = (self.bar / 2).max(LOWEST_BAR);
            }
            (self.looked_at, self.given_up) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threshold_adapts_to_the_share_of_removed_nodes() {
        let mut sweep = Sweep::START;
        for (found, bar) in [
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
            (0..WINDOW).for_each(|number| sweep.note(number < found));
            assert_eq!(sweep.bar, bar, "{found} of {WINDOW} were found");
        }
    }
}
