//! Memory for one more iteration: nodes that are no longer wanted, and what a full tree gives up.

pub mod sweep;

use super::Tree;
use super::arena::LineId;
use super::edge::{Edge, EdgeRef};
use super::node::{
    FIRST_INLINE, INLINE, LINK, SLOTS, field, for_each_edge, for_each_line, visited, word,
};
use super::nodes::NodeId;
use std::hint::black_box;

/// Lines that [`Tree::reclaim`] keeps free: more than one iteration can take. An iteration expands at most one
/// choice of an amazon (108 moves at most: nine lines) and one of an arrow (27: three lines), and visits at most
/// three edges for the first time (two lines each).
pub(super) const RESERVE: usize = 24;

/// Dead nodes that are taken apart together.
const TOGETHER: usize = 8;

impl Tree {
    /// Makes sure that one more iteration finds the lines it needs. To be called between iterations.
    ///
    /// Takes dead nodes apart first. When there are none, gives up what was visited little. Returns the visits of an edge from
    /// which on it has kept its node for certain.
    #[inline]
    pub fn reclaim(&mut self) -> u32 {
        let mut bar = 0;
        while self.arena.available() < RESERVE {
            if !self.take_some_apart() {
                bar = bar.max(self.sweep.bar);
                self.look_at_one();
            }
        }
        bar
    }

    /// Puts a node on the list of the dead.
    pub(super) fn retire(&mut self, node: NodeId) {
        self.nodes.remove(node);
        self.dead.push(node);
    }

    /// Gives back the lines of some dead nodes and retires the nodes below them. Returns false if no node is dead.
    fn take_some_apart(&mut self) -> bool {
        let mut nodes = [None; TOGETHER];
        for node in &mut nodes {
            *node = self.dead.pop();
        }
        self.prefetch(&nodes);
        for node in nodes.into_iter().flatten() {
            self.take_apart(node);
        }
        nodes[0].is_some()
    }

    /// Loads the lines that taking nodes apart reads first, so that the processor fetches them side by side and
    /// not one after another.
    ///
    /// A plain load whose result goes into `black_box` is a prefetch in safe Rust: the compiler must make the
    /// load, and the processor goes on without waiting for a value that nothing uses.
    fn prefetch(&self, nodes: &[Option<NodeId>; TOGETHER]) {
        let mut keys = [None; TOGETHER];
        for (keys, node) in keys.iter_mut().zip(nodes) {
            *keys = node.and_then(|node| LineId::from_word(self.arena[node].0[word::KEYS]));
        }
        for line in keys.into_iter().flatten() {
            black_box(self.arena[line].0[LINK]);
        }
    }

    /// Gives back the lines of a node and retires the nodes below it.
    fn take_apart(&mut self, node: NodeId) {
        let Tree {
            arena,
            nodes,
            dead,
            lines,
            ..
        } = self;
        for_each_edge(arena, node, |_, edge| {
            if let Some(below) = edge.node {
                nodes.remove(below);
                dead.push(below);
            }
        });
        for_each_line(arena, node, |line| lines.push(line));
        lines.drain(..).for_each(|line| arena.give_back(line));
    }

    /// Looks at the next node of the sweep and gives it up if it was visited too little.
    fn look_at_one(&mut self) {
        let Some(node) = self.sweep.next(&self.nodes) else {
            return;
        };
        let doomed = EdgeRef::from_word(self.arena[node].0[word::PARENT])
            .filter(|&at| self.fewest_visits(node) < self.sweep.bar && self.is_expendable(at));
        if let Some(at) = doomed {
            let edge = self.edge(at);
            if edge.mean == Edge::WON {
                // Without its node the edge no longer says how it wins: that has to be found again.
                self.set_statistics(at, edge.visits, 1.0);
            }
            self.set_node(at, None);
            self.retire(node);
        }
        self.sweep.note(doomed.is_some());
    }

    /// A lower bound of a node's visits, from its own line alone.
    fn fewest_visits(&self, node: NodeId) -> u32 {
        let own = &self.arena[node];
        let further = visited(own).saturating_sub(INLINE) as u32;
        own.0[field::VISITS + FIRST_INLINE..field::VISITS + SLOTS]
            .iter()
            .fold(further, |sum, &visits| sum.saturating_add(visits))
    }

    /// Tests if an edge can lose its node: if it was visited less than the bar says. Keeps a proven win's node,
    /// which holds the winning arrow, until nothing else can go.
    fn is_expendable(&self, at: EdgeRef) -> bool {
        let edge = self.edge(at);
        let bar = self.sweep.bar;
        edge.visits < bar && (edge.mean != Edge::WON || bar > self.root_visits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::mcts::tree::arena::Line;
    use crate::mcts::tree::edge::{Estimate, HalfMove, Key, Softmax};

    /// What all edges here start with.
    const EVEN: Estimate = Estimate {
        value: 0.5,
        prior: 0.5,
    };

    /// A node with so many edges, none of them visited.
    fn add_node(tree: &mut Tree, edges: u32) -> NodeId {
        let keys: Vec<Key> = (0..edges)
            .map(|to| Key::new(9 - to, HalfMove::arrow(Square::wrapping(to))))
            .collect();
        let softmax = Softmax {
            best: 9,
            inverse_sum: 1.0,
        };
        tree.add_node(&keys, softmax, |_| EVEN)
    }

    /// A visited edge, with a node of its own, of a node.
    fn add_edge(tree: &mut Tree, node: NodeId, visits: u32, mean: f32) -> EdgeRef {
        let edge = tree.expand_edge(node, |_, _| EVEN);
        tree.set_statistics(edge, visits, mean);
        let below = add_node(tree, 1);
        let leaf = tree.expand_edge(below, |_, _| EVEN);
        tree.set_statistics(leaf, visits, 0.5);
        tree.set_node(edge, Some(below));
        edge
    }

    /// A tree whose root was visited so often, with edges below it that have so many visits and such a mean.
    fn tree<const N: usize>(root_visits: u32, edges: [(u32, f32); N]) -> (Tree, [EdgeRef; N]) {
        let mut tree = Tree::with_memory(0);
        tree.root_visits = root_visits;
        let root = add_node(&mut tree, N as u32);
        tree.set_root(root);
        let edges = edges.map(|(visits, mean)| add_edge(&mut tree, root, visits, mean));
        (tree, edges)
    }

    /// Looks at every node twice.
    fn sweep(tree: &mut Tree) {
        (0..8).for_each(|_| tree.look_at_one());
    }

    /// Tests which of some edges still have a node.
    fn kept<const N: usize>(tree: &Tree, edges: [EdgeRef; N]) -> [bool; N] {
        edges.map(|at| tree.edge(at).node.is_some())
    }

    #[test]
    fn a_sweep_takes_the_nodes_of_edges_below_the_bar_and_leaves_their_statistics() {
        let (mut tree, edges) = tree(100, [(1, 0.25), (2, 0.75), (1, Edge::LOST)]);
        sweep(&mut tree);
        assert_eq!(kept(&tree, edges), [false, true, false]);
        let left = edges.map(|at| (tree.edge(at).visits, tree.edge(at).mean));
        assert_eq!(left, [(1, 0.25), (2, 0.75), (1, Edge::LOST)]);
        assert_eq!(tree.dead.len(), 2);
        assert!(tree.root().is_some(), "the root is no one's edge");
    }

    #[test]
    fn a_proven_win_keeps_its_node_and_its_proof_until_the_bar_says_more_than_the_roots_visits() {
        for (root_visits, is_kept, mean) in [(2, true, Edge::WON), (1, false, 1.0)] {
            let (mut tree, edges) = tree(root_visits, [(1, Edge::WON), (1, 0.5)]);
            sweep(&mut tree);
            assert_eq!(kept(&tree, edges), [is_kept, false]);
            assert_eq!(tree.edge(edges[0]).mean, mean);
        }
    }

    /// Children know of more visits than the node's own line shows, which holds two of theirs.
    #[test]
    fn a_node_is_judged_by_the_visits_of_its_edge() {
        let (mut tree, [edge]) = tree(100, [(1, 0.5)]);
        tree.set_statistics(edge, 2, 0.5);
        sweep(&mut tree);
        assert_eq!(kept(&tree, [edge]), [true]);
    }

    #[test]
    fn visits_that_are_more_than_a_word_counts_keep_their_node() {
        let (mut tree, [one, other]) = tree(2, [(1, 0.5), (1, 0.5)]);
        for edge in [one, other] {
            tree.set_statistics(edge, Edge::MOST_VISITS, 0.5);
        }
        let root = tree.root().expect("there is one");
        // Two further edges: the sum is 2^32.
        tree.arena[root].0[word::COUNTS] = 2 + INLINE as u32 + 2;
        assert_eq!(tree.fewest_visits(root), u32::MAX);
    }

    #[test]
    fn room_is_made_from_the_dead_before_anything_is_given_up() {
        let (mut tree, [edge, dead]) = tree(100, [(1, 0.5), (9, 0.5)]);
        let node = tree.edge(dead).node.expect("expanded");
        tree.set_node(dead, None);
        tree.retire(node);
        while tree.arena.available() >= RESERVE {
            tree.arena.take(Line::ZERO);
        }
        assert_eq!(tree.arena.available(), RESERVE - 1);
        tree.reclaim();
        assert_eq!(kept(&tree, [edge]), [true]);
        assert_eq!(
            tree.arena.available(),
            RESERVE + 1,
            "a line of its own and one of keys"
        );
        tree.arena.take(Line::ZERO);
        tree.arena.take(Line::ZERO);
        tree.reclaim();
        assert_eq!(kept(&tree, [edge]), [false]);
    }
}
