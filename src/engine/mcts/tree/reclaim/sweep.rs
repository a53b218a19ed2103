//! The sweep: the order in which a full tree looks for nodes to give up, round and round over the arena.
//!
//! Nodes lie in the arena about in the order in which they were made, so a sweep meets the oldest first and
//! reads memory from front to back. A node with fewer visits than the bar goes. The bar rises when few of the
//! nodes that the sweep met were below it, and falls when most were.

use crate::mcts::tree::nodes::{NodeId, Nodes};

/// Nodes that are looked at between two changes of the bar.
const WINDOW: u32 = 1024;

/// The lowest bar: nodes that were visited once are below it.
const LOWEST_BAR: u32 = 2;

/// Where a sweep is, and what it has to know.
pub struct Sweep {
    /// The line to be looked at next.
    hand: usize,
    /// Nodes with fewer visits are to be given up.
    pub bar: u32,
    /// Nodes looked at since the bar was set, and those of them that were given up.
    looked_at: u32,
    given_up: u32,
}

impl Sweep {
    /// A sweep that begins with the first line.
    pub const START: Sweep = Sweep {
        hand: 0,
        bar: LOWEST_BAR,
        looked_at: 0,
        given_up: 0,
    };

    /// The next living node, from the first again after the last; none if there are none.
    pub fn next(&mut self, nodes: &Nodes) -> Option<NodeId> {
        let node = nodes.first_from(self.hand)?;
        self.hand = node.line().index() + 1;
        Some(node)
    }

    /// Takes note of whether a node was given up, and sets the bar now and then.
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
    fn the_bar_rises_where_little_is_found_and_falls_where_much_is() {
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
