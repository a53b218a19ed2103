//! Frees arena lines for the next iteration: first the lines of dead nodes, then nodes with few visits.

pub mod sweep;

use super::Tree;
use super::arena::LineId;
use super::edge::{Edge, EdgeRef};
use super::node::{
    FIRST_INLINE, INLINE, LINK, SLOTS, field, for_each_edge, for_each_line, visited, word,
};
use super::nodes::NodeId;
use std::hint::black_box;

/// Number of lines that [`Tree::reclaim`] keeps free, an upper bound on what one iteration takes. An iteration expands
/// at most one node for amazon moves (up to 108 edges: nine lines) and one for arrows (up to 27 edges: three lines),
/// and visits at most three edges for the first time (two lines each).
pub(super) const RESERVE: usize = 24;

/// Number of dead nodes that are freed in one step.
const FREED_PER_STEP: usize = 8;

impl Tree {
    /// Frees enough lines for one more iteration. Must be called between iterations, because nodes may disappear.
    ///
    /// Frees dead nodes first; after that, removes nodes with few visits. Returns a number of visits: every edge with
    /// at least that many visits has kept its node.
    #[inline]
    pub fn reclaim(&mut self) -> u32 {
        let mut threshold = 0;
        while self.arena.available() < RESERVE {
            if !self.free_dead_nodes() {
                threshold = threshold.max(self.sweep.threshold);
                self.sweep_next_node();
            }
        }
        threshold
    }

    /// Removes `node` from the live nodes and adds it to the list of dead nodes.
    pub(super) fn mark_dead(&mut self, node: NodeId) {
        self.nodes.remove(node);
        self.dead.push(node);
    }

    /// Frees the lines of up to [`FREED_PER_STEP`] dead nodes (nodes cut off from the tree) and adds their children to
    /// the list of dead nodes. Returns false if this list is empty.
    fn free_dead_nodes(&mut self) -> bool {
        let mut nodes = [None; FREED_PER_STEP];
        for node in &mut nodes {
            *node = self.dead.pop();
        }
        self.prefetch(&nodes);
        for node in nodes.into_iter().flatten() {
            self.free_node(node);
        }
        nodes[0].is_some()
    }

    /// Prefetches the lines that freeing `nodes` reads first, so that their cache misses overlap.
    ///
    /// In safe Rust a load into `black_box` works as a prefetch: the compiler must emit the load, and the processor
    /// does not wait for a value that nothing uses.
    fn prefetch(&self, nodes: &[Option<NodeId>; FREED_PER_STEP]) {
        let mut lines = [None; FREED_PER_STEP];
        for (line, node) in lines.iter_mut().zip(nodes) {
            *line = node.and_then(|node| LineId::from_word(self.arena[node].0[word::PACKED]));
        }
        for line in lines.into_iter().flatten() {
            black_box(self.arena[line].0[LINK]);
        }
    }

    /// Frees the lines of `node` and adds its children to the dead nodes.
    fn free_node(&mut self, node: NodeId) {
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
        lines.drain(..).for_each(|line| arena.free(line));
    }

    /// Checks the next node of the sweep and removes the node if it has fewer visits than the sweep's threshold.
    fn sweep_next_node(&mut self) {
        let Some(node) = self.sweep.next(&self.nodes) else {
            return;
        };
        let victim = EdgeRef::from_word(self.arena[node].0[word::PARENT])
            .filter(|&at| self.min_visits(node) < self.sweep.threshold && self.is_expendable(at));
        if let Some(at) = victim {
            let edge = self.edge(at);
            if edge.mean == Edge::PROVEN_WIN {
                // The winning arrow is stored in the removed node, so the edge can no longer prove its win.
                self.set_statistics(at, edge.visits, 1.0);
            }
            self.set_node(at, None);
            self.mark_dead(node);
        }
        self.sweep.record(victim.is_some());
    }

    /// Returns a lower bound on the visits of `node`, computed from a single cache line.
    fn min_visits(&self, node: NodeId) -> u32 {
        let own = &self.arena[node];
        let further = visited(own).saturating_sub(INLINE) as u32;
        own.0[field::VISITS + FIRST_INLINE..field::VISITS + SLOTS]
            .iter()
            .fold(further, |sum, &visits| sum.saturating_add(visits))
    }

    /// Tests if the edge at `at` may lose its child node: the edge has fewer visits than the sweep's threshold. The
    /// child of a proven win holds the winning arrow, and is kept until the threshold exceeds the root's visits.
    fn is_expendable(&self, at: EdgeRef) -> bool {
        let edge = self.edge(at);
        let threshold = self.sweep.threshold;
        edge.visits < threshold && (edge.mean != Edge::PROVEN_WIN || threshold > self.root_visits)
    }
}
