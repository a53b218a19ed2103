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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::mcts::arena::Line;
    use crate::mcts::child::{Estimate, HalfMove, Key, Softmax};

    /// What all children here start with.
    const EVEN: Estimate = Estimate {
        value: 0.5,
        prior: 0.5,
    };

    /// A node with so many children, none of them visited.
    fn add_node(tree: &mut Tree, children: u32) -> LineId {
        let keys: Vec<Key> = (0..children)
            .map(|to| Key::new(9 - to, HalfMove::arrow(Square::wrapping(to))))
            .collect();
        let softmax = Softmax {
            best: 9,
            inverse_sum: 1.0,
        };
        tree.add_node(&keys, softmax, |_| EVEN)
    }

    /// A visited child, with a node of its own, of a node.
    fn add_child(tree: &mut Tree, node: LineId, visits: u32, mean: f32) -> ChildRef {
        let child = tree.promote(node, |_, _| EVEN);
        tree.set_statistics(child, visits, mean);
        let below = add_node(tree, 1);
        let leaf = tree.promote(below, |_, _| EVEN);
        tree.set_statistics(leaf, visits, 0.5);
        tree.set_node(child, Some(below));
        child
    }

    /// A tree with children below the root that have so many visits and such a mean.
    fn tree<const N: usize>(children: [(u32, f32); N]) -> (Tree, [ChildRef; N]) {
        let mut tree = Tree::with_memory(0);
        let root = add_node(&mut tree, N as u32);
        tree.set_root(root);
        let children = children.map(|(visits, mean)| add_child(&mut tree, root, visits, mean));
        (tree, children)
    }

    /// Looks at every node twice.
    fn sweep(tree: &mut Tree) {
        (0..8).for_each(|_| tree.look_at_one());
    }

    /// Tests which of some children still have a node.
    fn kept<const N: usize>(tree: &Tree, children: [ChildRef; N]) -> [bool; N] {
        children.map(|at| tree.child(at).node.is_some())
    }

    #[test]
    fn a_sweep_takes_the_nodes_of_children_below_the_bar_and_leaves_their_statistics() {
        let (mut tree, children) = tree([(1, 0.25), (2, 0.75), (1, Child::LOST)]);
        (0..100).for_each(|_| tree.visit_root());
        sweep(&mut tree);
        assert_eq!(kept(&tree, children), [false, true, false]);
        let left = children.map(|at| (tree.child(at).visits, tree.child(at).mean));
        assert_eq!(left, [(1, 0.25), (2, 0.75), (1, Child::LOST)]);
        assert_eq!(tree.dead.len(), 2);
        assert!(tree.root().is_some(), "the root is no one's child");
    }

    #[test]
    fn a_proven_win_keeps_its_node_as_long_as_the_root_was_visited_more_than_the_bar_says() {
        let (mut tree, children) = tree([(1, Child::WON), (1, 0.5)]);
        (0..2).for_each(|_| tree.visit_root());
        sweep(&mut tree);
        assert_eq!(kept(&tree, children), [true, false]);
        assert_eq!(tree.child(children[0]).mean, Child::WON);
    }

    #[test]
    fn a_proven_win_that_loses_its_node_is_no_longer_proven() {
        let (mut tree, children) = tree([(1, Child::WON), (1, 0.5)]);
        tree.visit_root();
        sweep(&mut tree);
        assert_eq!(kept(&tree, children), [false, false]);
        assert_eq!(tree.child(children[0]).mean, 1.0);
    }

    /// Children know of more visits than the node's own line shows, which holds two of theirs.
    #[test]
    fn a_node_is_judged_by_the_visits_of_its_child() {
        let (mut tree, [child]) = tree([(1, 0.5)]);
        (0..100).for_each(|_| tree.visit_root());
        tree.set_statistics(child, 2, 0.5);
        sweep(&mut tree);
        assert_eq!(kept(&tree, [child]), [true]);
    }

    #[test]
    fn room_is_made_from_the_dead_before_anything_is_given_up() {
        let (mut tree, [child, dead]) = tree([(1, 0.5), (9, 0.5)]);
        (0..100).for_each(|_| tree.visit_root());
        let node = tree.child(dead).node.expect("expanded");
        tree.set_node(dead, None);
        tree.bury(node);
        while tree.arena.available() >= RESERVE {
            tree.arena.take(Line::ZERO);
        }
        assert_eq!(tree.arena.available(), RESERVE - 1);
        tree.make_room();
        assert_eq!(kept(&tree, [child]), [true]);
        assert_eq!(
            tree.arena.available(),
            RESERVE + 1,
            "a line of its own and one of keys"
        );
        tree.arena.take(Line::ZERO);
        tree.arena.take(Line::ZERO);
        tree.make_room();
        assert_eq!(kept(&tree, [child]), [false]);
    }
}
