//! The sweep: the order in which a full tree looks for nodes to give up, round and round over the arena.
//!
//! Nodes lie in the arena about in the order in which they were made, so a sweep meets the oldest first and
//! reads memory from front to back. A node with fewer visits than the bar goes. The bar rises when few of the
//! nodes that the sweep met were below it, and falls when most were.

use crate::mcts::tree::arena::NodeId;
use std::collections::TryReserveError;

/// Nodes that are looked at between two changes of the bar.
const WINDOW: u32 = 1024;

/// The lowest bar: nodes that were visited once are below it.
const LOWEST_BAR: u32 = 2;

/// Where a sweep is, and what it has to know.
pub struct Sweep {
    /// A bit for every line: whether it is the own line of a living node.
    nodes: Vec<u64>,
    /// The line to be looked at next.
    hand: usize,
    bar: u32,
    /// Nodes looked at since the bar was set, and those of them that were given up.
    looked_at: u32,
    given_up: u32,
}

impl Sweep {
    /// A sweep over lines with ids up to a number.
    ///
    /// # Errors
    /// If there is no memory for a bit each.
    pub fn over(lines: usize) -> Result<Sweep, TryReserveError> {
        let words = lines / 64 + 1;
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(words)?;
        nodes.resize(words, 0);
        Ok(Sweep::start(nodes))
    }

    /// A sweep that begins with the first line.
    const fn start(nodes: Vec<u64>) -> Sweep {
        Sweep {
            nodes,
            hand: 0,
            bar: LOWEST_BAR,
            looked_at: 0,
            given_up: 0,
        }
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.fill(0);
        *self = Sweep::start(nodes);
    }

    /// A node has come to life.
    #[inline]
    pub fn add(&mut self, node: NodeId) {
        let (word, bit) = place(node);
        self.nodes[word] |= bit;
    }

    /// A node has died.
    #[inline]
    pub fn remove(&mut self, node: NodeId) {
        let (word, bit) = place(node);
        self.nodes[word] &= !bit;
    }

    /// Tests if a node lives.
    #[cfg(test)]
    pub fn holds(&self, node: NodeId) -> bool {
        let (word, bit) = place(node);
        self.nodes[word] & bit != 0
    }

    /// The next living node, from the first again after the last; none if there are none.
    pub fn next(&mut self) -> Option<NodeId> {
        for _ in 0..=self.nodes.len() {
            let word = self.hand / 64;
            let ahead = self.nodes[word] >> (self.hand % 64);
            if ahead != 0 {
                let line = self.hand + ahead.trailing_zeros() as usize;
                self.hand = (line + 1) % (64 * self.nodes.len());
                return NodeId::from_word(line as u32);
            }
            self.hand = (word + 1) % self.nodes.len() * 64;
        }
        None
    }

    /// Nodes with fewer visits are to be given up.
    pub const fn bar(&self) -> u32 {
        self.bar
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

/// The word and the bit in it that stand for a node.
const fn place(node: NodeId) -> (usize, u64) {
    let line = node.line().index();
    (line / 64, 1 << (line % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sweep over 3,000 lines, of which every third from the third on is a node.
    fn sweep() -> (Sweep, Vec<NodeId>) {
        let mut sweep = Sweep::over(3000).expect("there is memory");
        let nodes: Vec<NodeId> = (3..=3000)
            .step_by(3)
            .filter_map(NodeId::from_word)
            .collect();
        nodes.iter().for_each(|&node| sweep.add(node));
        (sweep, nodes)
    }

    #[test]
    fn nodes_come_in_order_round_and_round_without_the_dead() {
        let (mut sweep, mut nodes) = sweep();
        sweep.remove(nodes.remove(500));
        let found: Vec<NodeId> = (0..2 * nodes.len()).filter_map(|_| sweep.next()).collect();
        assert_eq!(found, [&nodes[..], &nodes[..]].concat());
        nodes.iter().for_each(|&node| sweep.remove(node));
        assert_eq!(sweep.next(), None);
    }

    #[test]
    fn a_cleared_sweep_knows_no_node_and_begins_anew() {
        let (mut sweep, nodes) = sweep();
        (0..WINDOW).for_each(|_| sweep.note(false));
        assert_eq!((sweep.next(), sweep.bar()), (Some(nodes[0]), 4));
        sweep.clear();
        assert_eq!(sweep.bar(), LOWEST_BAR);
        // The last is the last line of all.
        let added = [nodes[0], nodes[999]];
        added.iter().for_each(|&node| sweep.add(node));
        assert_eq!([sweep.next(), sweep.next()], added.map(Some));
        added.iter().for_each(|&node| sweep.remove(node));
        assert_eq!(sweep.next(), None);
    }

    #[test]
    fn the_bar_rises_where_little_is_found_and_falls_where_much_is() {
        let (mut sweep, _) = sweep();
        let mut bars = Vec::new();
        for given_up in [false, false, true, true, true] {
            (0..WINDOW).for_each(|_| sweep.note(given_up));
            bars.push(sweep.bar());
        }
        assert_eq!(bars, [4, 8, 4, 2, 2]);
        (0..WINDOW).for_each(|number| sweep.note(number % 2 == 0));
        assert_eq!(sweep.bar(), 2, "half is what it is to find");
    }

    #[test]
    fn the_bar_stays_between_a_quarter_and_three_quarters() {
        let (mut sweep, _) = sweep();
        let mut bars = Vec::new();
        for found in [
            0,
            0,
            WINDOW / 4,
            WINDOW / 4 - 1,
            WINDOW * 3 / 4,
            WINDOW * 3 / 4 + 1,
        ] {
            (0..WINDOW).for_each(|number| sweep.note(number < found));
            bars.push(sweep.bar());
        }
        assert_eq!(bars, [4, 8, 8, 16, 16, 8]);
    }
}
