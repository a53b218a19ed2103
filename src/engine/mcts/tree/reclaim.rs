//! Frees memory of the search tree for the next iteration ([`Tree::reclaim`]): first that of dead nodes, which were cut
//! off from the tree, then that of nodes with few visits.

pub mod sweep;

use super::Tree;
use super::arena::BlockId;
use super::edge::{Edge, EdgeRef};
use super::node::{
    EDGES_PER_BLOCK, FIRST_INLINE_SLOT, INLINE_EDGES, NEXT_BLOCK, edge_word, for_each_block,
    for_each_edge, node_word, visited_edges,
};
use super::nodes::NodeId;
use std::hint::black_box;

/// Number of 64-byte blocks that [`Tree::reclaim`] keeps free: at least as many as one iteration allocates. An
/// iteration adds at most one node for amazon's moves (up to 108 edges: nine blocks) and one for arrow shots (up to 27
/// edges: three blocks), and visits at most three edges for the first time (two blocks each).
pub(super) const RESERVED_BLOCKS: usize = 24;

/// Number of nodes that are freed in one step, so that the processor loads their memory into its cache in parallel.
const FREED_PER_STEP: usize = 8;

impl Tree {
    /// Frees enough 64-byte blocks for one iteration of the search: first blocks of dead nodes (those that were cut off
    /// from the tree), then blocks of nodes with fewer visits than a threshold. Call it only between iterations,
    /// because it may remove nodes from the tree.
    ///
    /// Returns the highest threshold that was used, or 0 if freeing dead nodes was enough. Edges with at least so many
    /// visits have kept their child nodes.
    #[inline]
    pub fn reclaim(&mut self) -> u32 {
        let mut threshold = 0;
        while self.arena.available() < RESERVED_BLOCKS {
            if !self.free_dead_nodes() {
                threshold = threshold.max(self.sweep.threshold);
                self.sweep_next_node();
            }
        }
        threshold
    }

    /// Removes `node` from the set of live nodes and adds it to the list of dead nodes. The blocks of dead nodes are
    /// freed later.
    pub(super) fn mark_dead(&mut self, node: NodeId) {
        self.nodes.remove(node);
        self.dead.push(node);
    }

    /// Frees the blocks of up to [`FREED_PER_STEP`] dead nodes (nodes that were cut off from the tree). Their child
    /// nodes become dead nodes. Returns false if there was no dead node.
    fn free_dead_nodes(&mut self) -> bool {
        let mut nodes = [None; FREED_PER_STEP];
        for node in &mut nodes {
            *node = self.dead.pop();
        }
        self.prefetch_packed_edges(&nodes);
        for node in nodes.into_iter().flatten() {
            self.free_node(node);
        }
        nodes[0].is_some()
    }

    /// Loads one block of each of `nodes`, the first with packed edges, into the processor's cache, in parallel.
    ///
    /// A load into `black_box` acts as a prefetch in safe Rust: the compiler must emit the load, but the processor does
    /// not wait for its result, because nothing uses it.
    fn prefetch_packed_edges(&self, nodes: &[Option<NodeId>; FREED_PER_STEP]) {
        let mut blocks = [None; FREED_PER_STEP];
        for (block, node) in blocks.iter_mut().zip(nodes) {
            *block =
                node.and_then(|node| BlockId::from_word(self.arena[node].0[node_word::PACKED]));
        }
        for block in blocks.into_iter().flatten() {
            black_box(self.arena[block].0[NEXT_BLOCK]);
        }
    }

    /// Frees the 64-byte blocks of `node`, and makes its child nodes dead nodes, whose blocks are freed later.
    fn free_node(&mut self, node: NodeId) {
        let Tree {
            arena,
            nodes,
            dead,
            blocks,
            ..
        } = self;
        for_each_edge(arena, node, |_, edge| {
            if let Some(below) = edge.node {
                nodes.remove(below);
                dead.push(below);
            }
        });
        for_each_block(arena, node, |block| blocks.push(block));
        blocks.drain(..).for_each(|block| arena.free(block));
    }

    /// Examines the next node of the arena, in cyclic order, and removes it from the tree if both the node and the edge
    /// that leads to it have fewer visits than `self.sweep.threshold`. The root is never removed. The blocks of the
    /// removed node are freed later.
    fn sweep_next_node(&mut self) {
        let Some(node) = self.sweep.next(&self.nodes) else {
            return;
        };
        let victim = EdgeRef::from_word(self.arena[node].0[node_word::PARENT_EDGE])
            .filter(|&at| self.min_visits(node) < self.sweep.threshold && self.is_expendable(at));
        if let Some(at) = victim {
            let edge = self.edge(at);
            if edge.mean == Edge::PROVEN_WIN {
                // `node` contained the arrow shot that wins. So the edge that leads to the node is a proven win no
                // longer; its mean win probability is 1 instead.
                self.set_statistics(at, edge.visits, 1.0);
            }
            self.set_child_node(at, None);
            self.mark_dead(node);
        }
        self.sweep.count_examined(victim.is_some());
    }

    /// Returns a lower bound on the number of visits of `node`: the visits of its first two visited edges, plus one for
    /// each other visited edge. Reads only the node's own 64-byte block, because that is fast.
    fn min_visits(&self, node: NodeId) -> u32 {
        let own = &self.arena[node];
        let further = visited_edges(own).saturating_sub(INLINE_EDGES) as u32;
        own.0[edge_word::VISITS + FIRST_INLINE_SLOT..edge_word::VISITS + EDGES_PER_BLOCK]
            .iter()
            .fold(further, |sum, &visits| sum.saturating_add(visits))
    }

    /// Tests if the child node of the edge at `location` may be removed from the tree. The edge must have fewer visits
    /// than `self.sweep.threshold`. If the edge is a proven win, its child node contains the arrow shot that wins, so
    /// it is kept until the threshold exceeds the root's number of visits, too.
    fn is_expendable(&self, location: EdgeRef) -> bool {
        let edge = self.edge(location);
        let threshold = self.sweep.threshold;
        edge.visits < threshold && (edge.mean != Edge::PROVEN_WIN || threshold > self.root_visits)
    }
}
