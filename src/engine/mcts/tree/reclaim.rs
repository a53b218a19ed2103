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
