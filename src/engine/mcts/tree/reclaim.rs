//! Frees memory of the search tree for the next iteration ([`Tree::reclaim`]): first the memory of dead nodes, which
//! were cut off from the tree earlier, then that of nodes with few visits, which are removed from the tree for this
//! purpose.

pub mod sweep;

use super::Tree;
use super::arena::{BlockId, Word};
use super::edge::{Edge, EdgeRef};
use super::node::{
    EDGES_PER_BLOCK, FIRST_INLINE_SLOT, INLINE_EDGES, NEXT_BLOCK, edge_word, for_each_block,
    for_each_edge, node_word, visited_edges,
};
use super::nodes::NodeId;
use std::hint::black_box;

/// Number of 64-byte blocks that a thread has before each iteration, which allocates at most 18 of them. The rest
/// is a reserve. An iteration adds at most one node for amazon's moves (nine blocks for up to 108 edges) and one for
/// arrow shots (three blocks for up to 27 edges). It visits at most three edges for the first time (two blocks each).
pub(super) const RESERVED_BLOCKS: usize = 24;

/// Number of dead nodes (those that are cut off from the tree) whose memory is freed in one step. Their first blocks of
/// packed edges are prefetched together: the cache misses overlap in time, which is faster than one after another.
const FREED_PER_STEP: usize = 8;

impl<W: Word> Tree<W> {
    /// Frees 64-byte blocks until `blocks` are free, if the tree can be that small. First frees the blocks of dead
    /// nodes, which were cut off from the tree earlier. Then removes nodes with fewer visits than a threshold, which
    /// rises if too few nodes are removed. Call it only between iterations, because it may remove nodes from the tree.
    ///
    /// Returns the highest threshold that was used, or 0 if no node had to be removed. Edges with at least so many
    /// visits have kept their child nodes.
    pub(super) fn reclaim(&mut self, blocks: usize) -> u32 {
        let mut threshold = 0;
        while self.arena.available() < blocks {
            if !self.free_dead_nodes() {
                threshold = threshold.max(self.sweep.threshold);
                self.sweep_next_node();
            }
        }
        threshold
    }

    /// Removes `node` from the set of live nodes, and adds it to the list of dead nodes, which are cut off from the
    /// tree. Its memory is freed later.
    pub(super) fn mark_dead(&mut self, node: NodeId) {
        self.nodes.remove(node);
        self.dead.push(node);
    }

    /// Frees the memory of up to eight ([`FREED_PER_STEP`]) dead nodes, nodes that were cut off from the tree. Their
    /// child nodes become dead nodes. Returns false if there was no dead node.
    fn free_dead_nodes(&mut self) -> bool {
        let mut nodes = [None; FREED_PER_STEP];
        for node in &mut nodes {
            *node = self.dead.pop();
        }
        self.prefetch_packed_edges(&nodes);
        for node in nodes.into_iter().map_while(|node| node) {
            self.free_node(node);
        }
        nodes[0].is_some()
    }

    /// Prefetches the first block of packed edges of each of `nodes`, because freeing a node needs this block. The
    /// cache misses of these blocks overlap in time, so they cost little more than one.
    ///
    /// A load into `black_box` acts as a prefetch in safe Rust: the compiler must emit the load, but the processor does
    /// not wait for its result, because nothing uses it.
    fn prefetch_packed_edges(&self, nodes: &[Option<NodeId>; FREED_PER_STEP]) {
        for node in nodes.iter().map_while(|&node| node) {
            if let Some(block) = BlockId::from_word(self.arena[node].get(node_word::PACKED)) {
                black_box(self.arena[block].get(NEXT_BLOCK));
            }
        }
    }

    /// Frees all 64-byte blocks of `node`. Its child nodes become dead nodes (nodes that are cut off from the tree);
    /// their memory is freed later.
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
        arena.free(blocks);
    }

    /// Examines the next live node, in the order in which nodes lie in memory; the first node follows the last. Removes
    /// it from the tree if both the node and the edge that leads to it have fewer visits than `self.sweep.threshold`.
    /// The root is never removed. The memory of a removed node is freed later.
    fn sweep_next_node(&mut self) {
        let Some(node) = self.sweep.next(&self.nodes) else {
            return;
        };
        let victim = EdgeRef::from_word(self.arena[node].get(node_word::PARENT_EDGE))
            .filter(|&at| self.min_visits(node) < self.sweep.threshold && self.is_expendable(at));
        if let Some(at) = victim {
            let edge = self.edge(at);
            if edge.mean == Edge::PROVEN_WIN {
                // The edge at `at` is a proven win because `node` contains a winning arrow shot. The tree loses this
                // proof when `node` is removed. So the edge becomes unproven, with a mean win probability of 1.
                self.set_mean(at, 1.0);
            }
            self.set_child_node(at, None);
            self.mark_dead(node);
        }
        self.sweep.count_examined(victim.is_some());
    }

    /// Returns a lower bound on the number of visits of `node`: the visits of its first two visited edges, plus one for
    /// each further visited edge. The exact number is not computed, because the node's own 64-byte block has only these
    /// counts, and reading further blocks is slow.
    fn min_visits(&self, node: NodeId) -> u32 {
        let own = &self.arena[node];
        let further = visited_edges(own).saturating_sub(INLINE_EDGES) as u32;
        own.0[edge_word::VISITS + FIRST_INLINE_SLOT..edge_word::VISITS + EDGES_PER_BLOCK]
            .iter()
            .fold(further, |sum, visits| sum.saturating_add(visits.get()))
    }

    /// Tests if the child node of the edge at `location` may be removed from the tree. An edge that is not a proven win
    /// must have fewer visits than `self.sweep.threshold`. For a proven win, both the edge and the root must have fewer
    /// visits than this threshold. So proven wins are kept longer, because their child nodes contain the winning arrow
    /// shots.
    fn is_expendable(&self, location: EdgeRef) -> bool {
        let edge = self.edge(location);
        let threshold = self.sweep.threshold;
        edge.visits < threshold && (edge.mean != Edge::PROVEN_WIN || threshold > self.root_visits())
    }
}
