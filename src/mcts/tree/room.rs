//! Memory for one more iteration: nodes that are no longer wanted, and what a full tree gives up.

use super::Tree;
use super::layout::{ChildRef, INLINE, LINK, for_each_statistics_line, visited, word};
use crate::mcts::arena::LineId;
use crate::mcts::child::Child;
use crate::mcts::statistics::{FIRST_INLINE, SLOTS, field};
use std::hint::black_box;

/// Lines that [`Tree::make_room`] keeps free: more than one iteration can take. It expands at most one
/// choice of an amazon (108 moves at most: nine lines) and one of an arrow (27: three lines), and promotes
/// at most three children (two lines each).
pub(super) const RESERVE: usize = 24;

/// Dead nodes that are taken apart together.
const TOGETHER: usize = 8;

impl Tree {
    /// Makes sure that one more iteration finds the lines it needs. To be called between iterations.
    ///
    /// Takes dead nodes apart first. When there are none, gives up what was visited little.
    #[inline]
    pub fn make_room(&mut self) {
        while self.arena.available() < RESERVE {
            if !self.take_some_apart() {
                self.look_at_one();
            }
        }
    }

    /// Puts a node on the list of the dead.
    pub(super) fn bury(&mut self, node: LineId) {
        self.sweep.remove(node);
        self.dead.push(node);
    }

    /// Gives back the lines of some dead nodes and puts their children on the list. Returns false if no node is
    /// dead.
    fn take_some_apart(&mut self) -> bool {
        let mut nodes = [None; TOGETHER];
        for node in &mut nodes {
            *node = self.dead.pop();
        }
        self.load_together(&nodes);
        for node in nodes.into_iter().flatten() {
            self.take_apart(node);
        }
        nodes[0].is_some()
    }

    /// Loads what taking nodes apart needs, so that it comes from memory side by side and not one after another.
    fn load_together(&self, nodes: &[Option<LineId>; TOGETHER]) {
        let mut keys = [None; TOGETHER];
        for (keys, node) in keys.iter_mut().zip(nodes) {
            *keys = node.and_then(|node| LineId::from_word(self.arena[node].0[word::KEYS]));
        }
        for line in keys.into_iter().flatten() {
            black_box(self.arena[line].0[LINK]);
        }
    }

    /// Gives back the lines of a node and puts its children on the list of the dead.
    fn take_apart(&mut self, node: LineId) {
        let mut lines = std::mem::take(&mut self.lines);
        self.for_each_child(node, |_, child| lines.extend(child.node));
        lines.drain(..).for_each(|node| self.bury(node));
        self.for_each_line(node, |line| lines.push(line));
        lines.drain(..).for_each(|line| self.arena.give_back(line));
        self.lines = lines;
    }

    /// Calls `visit` with every line that a node owns.
    pub(super) fn for_each_line(&self, node: LineId, mut visit: impl FnMut(LineId)) {
        let own = &self.arena[node];
        visit(node);
        for_each_statistics_line(&self.arena, own, &mut visit);
        for chain in [word::DIRECTORY, word::KEYS] {
            let mut line = LineId::from_word(own.0[chain]);
            while let Some(id) = line {
                visit(id);
                line = LineId::from_word(self.arena[id].0[LINK]);
            }
        }
    }

    /// Looks at the next node of the sweep and gives it up if it was visited too little.
    fn look_at_one(&mut self) {
        let Some(node) = self.sweep.next() else {
            return;
        };
        let doomed = ChildRef::from_word(self.arena[node].0[word::PARENT])
            .filter(|&at| self.fewest_visits(node) < self.sweep.bar() && self.is_expendable(at));
        if let Some(at) = doomed {
            let child = self.child(at);
            if child.mean == Child::WON {
                // Without its node it doesn't say how it wins: it has to be found out again.
                self.set_statistics(at, child.visits, 1.0);
            }
            self.set_node(at, None);
            self.bury(node);
        }
        self.sweep.note(doomed.is_some());
    }

    /// A lower bound of a node's visits, from its own line alone.
    fn fewest_visits(&self, node: LineId) -> u32 {
        let own = &self.arena[node];
        let inline: u32 = own.0[field::VISITS + FIRST_INLINE..field::VISITS + SLOTS]
            .iter()
            .sum();
        inline + visited(own).saturating_sub(INLINE) as u32
    }

    /// Tests if a child can lose its node: if it was visited less than the bar says. A move that wins for certain
    /// is kept, as long as anything else is left, with the arrow that goes with it.
    fn is_expendable(&self, at: ChildRef) -> bool {
        let child = self.child(at);
        let bar = self.sweep.bar();
        child.visits < bar && (child.mean != Child::WON || bar > self.root_visits)
    }
}
