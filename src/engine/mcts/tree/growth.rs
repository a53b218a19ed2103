//! Growth of the tree: [`Tree::add_node`] creates a node from packed edges, [`Tree::expand_edge`] allocates the
//! statistics of an edge on its first visit.

use super::Tree;
use super::arena::{Block, BlockId};
use super::edge::{Edge, EdgeRef, Estimate, PackedEdge, Softmax};
use super::node::{
    EDGES_PER_BLOCK, EMPTY_EDGES, FIRST_INLINE_SLOT, IDS_PER_INDEX_BLOCK, INLINE_EDGES, NEXT_BLOCK,
    PACKED_PER_BLOCK, edge_word, index_block, node_word, set_next_estimate,
};
use super::nodes::NodeId;

impl Tree {
    /// Adds a node whose edges are all unvisited, and returns its id.
    ///
    /// - `packed`: the packed edges, with the best at index 0 and the second best at index 1.
    /// - `softmax`: the constants of the softmax over the packed edges.
    /// - `estimate`: converts a packed edge to its initial value and prior.
    ///
    /// # Panics
    /// - If the arena is full because [`Tree::reclaim`] was not called before this iteration.
    /// - If there are more than 255 edges.
    pub fn add_node(
        &mut self,
        packed: &[PackedEdge],
        softmax: Softmax,
        estimate: impl Fn(PackedEdge) -> Estimate,
    ) -> NodeId {
        let mut chain = None;
        for chunk in packed.chunks(PACKED_PER_BLOCK).rev() {
            let mut block = Block::ZERO;
            for (word, edge) in block.0.iter_mut().zip(chunk) {
                *word = edge.0;
            }
            block.0[NEXT_BLOCK] = BlockId::to_word(chain);
            chain = Some(self.arena.allocate(block));
        }
        let total = u8::try_from(packed.len()).expect("a node has at most 255 edges");
        let mut own = EMPTY_EDGES;
        own.0[node_word::COUNTS] = u32::from(total) << 8;
        own.0[node_word::INDEX_BLOCK] = BlockId::to_word(None);
        own.0[node_word::PACKED] = BlockId::to_word(chain);
        own.0[node_word::INVERSE_SUM] = softmax.inverse_sum.to_bits();
        if let Some(&best) = packed.first() {
            set_next_estimate(&mut own, estimate(best));
        }
        self.nodes.add(self.arena.allocate(own))
    }

    /// Turns the best unvisited edge of `node` into a visited edge with zero visits, and returns its location.
    /// `estimate` is called for the next best unvisited edge; it converts the packed edge to its initial value and
    /// prior.
    ///
    /// # Panics
    /// - If all edges are visited.
    /// - If the arena is full because [`Tree::reclaim`] was not called before this iteration.
    pub fn expand_edge(
        &mut self,
        node: NodeId,
        estimate: impl Fn(PackedEdge, Softmax) -> Estimate,
    ) -> EdgeRef {
        let number = self.visited_edges(node);
        let Estimate { value, prior } = self
            .best_unvisited(node)
            .expect("an edge is not visited yet");
        let action = self.packed_edge(node, number).action();
        if number + 1 < self.edge_count(node) {
            let softmax = Softmax {
                best: self.packed_edge(node, 0).estimate(),
                inverse_sum: f32::from_bits(self.arena[node].0[node_word::INVERSE_SUM]),
            };
            // Finds the next best unvisited edge. `add_node` received the best two edges at the indices 0 and 1; the
            // other edges are sorted one by one, here.
            let next = match number {
                0 => self.packed_edge(node, 1),
                _ => self.swap_best_to(node, number + 1),
            };
            let next = estimate(next, softmax);
            set_next_estimate(&mut self.arena[node], next);
        }
        let own = &mut self.arena[node];
        own.0[node_word::COUNTS] += 1;
        if index_block(own).is_some() {
            // The upper bound on the other edges' scores does not include the new edge, so the cached best edge is no
            // longer valid.
            own.0[node_word::CACHED_BEST] = 0;
        }
        let at = self.allocate_slot(node, number);
        let words = &mut self.arena[at.block].0;
        words[edge_word::MEAN + at.slot()] = value.to_bits();
        words[edge_word::PRIOR_ACTION + at.slot()] = Edge::pack_prior_and_action(prior, action);
        at
    }

    /// Returns the location for the statistics of visited edge number `number` of `node`, counted from 0. Allocates a
    /// new edge block if the existing blocks of the node are full.
    fn allocate_slot(&mut self, node: NodeId, number: usize) -> EdgeRef {
        let Some(number) = number.checked_sub(INLINE_EDGES) else {
            return EdgeRef::new(node.block(), FIRST_INLINE_SLOT + number);
        };
        let (block, slot) = (number / EDGES_PER_BLOCK, number % EDGES_PER_BLOCK);
        let block = match self.edge_block(node, block) {
            Some(block) => block,
            None => self.add_edge_block(node, block),
        };
        EdgeRef::new(block, slot)
    }

    /// Allocates edge block number `number` of a node, counted from 0, and returns its id. Allocates index blocks as
    /// needed. All edge blocks with lower numbers must exist.
    fn add_edge_block(&mut self, node: NodeId, number: usize) -> BlockId {
        let block = self.arena.allocate(EMPTY_EDGES);
        let own = &mut self.arena[node].0;
        match number {
            0 => {
                own[node_word::ONLY_EDGE_BLOCK] = BlockId::to_word(Some(block));
                return block;
            }
            // A node with two edge blocks lists their ids in an index block. So the id of the first one moves there,
            // and its word in the node block is free for the cached best edge.
            1 => {
                let only = std::mem::replace(&mut own[node_word::CACHED_BEST], 0);
                let index_block = self.get_or_allocate(node.block(), node_word::INDEX_BLOCK);
                self.arena[index_block].0[0] = only;
            }
            _ => {}
        }
        let mut index_block = self.get_or_allocate(node.block(), node_word::INDEX_BLOCK);
        for _ in 0..number / IDS_PER_INDEX_BLOCK {
            index_block = self.get_or_allocate(index_block, NEXT_BLOCK);
        }
        self.arena[index_block].0[number % IDS_PER_INDEX_BLOCK] = BlockId::to_word(Some(block));
        block
    }

    /// Returns the block whose id is in word number `word` of `block`. If this word is 0, allocates an empty block and
    /// stores its id there.
    fn get_or_allocate(&mut self, block: BlockId, word: usize) -> BlockId {
        BlockId::from_word(self.arena[block].0[word]).unwrap_or_else(|| {
            let next = self.arena.allocate(Block::ZERO);
            self.arena[block].0[word] = BlockId::to_word(Some(next));
            next
        })
    }

    /// Returns the packed edge with index `number` of `node`, from 0. Visited edges come first, in the order of their
    /// first visits.
    ///
    /// # Panics
    /// If `number` is not less than the number of edges.
    #[must_use]
    pub fn packed_edge(&self, node: NodeId, number: usize) -> PackedEdge {
        PackedEdge(self.arena[self.packed_block(node, number)].0[number % PACKED_PER_BLOCK])
    }

    /// Returns the id of the block that contains the packed edge with index `number` of `node`, from 0.
    fn packed_block(&self, node: NodeId, number: usize) -> BlockId {
        let mut block = BlockId::from_word(self.arena[node].0[node_word::PACKED]);
        for _ in 0..number / PACKED_PER_BLOCK {
            block = block.and_then(|block| BlockId::from_word(self.arena[block].0[NEXT_BLOCK]));
        }
        block.expect("every edge has a packed edge")
    }

    /// Swaps the best packed edge with index `number` or higher to index `number`, and returns it: one step of a
    /// selection sort.
    fn swap_best_to(&mut self, node: NodeId, number: usize) -> PackedEdge {
        let front = (self.packed_block(node, number), number % PACKED_PER_BLOCK);
        let first = &self.arena[front.0].0;
        // Unused words at the end of a block are 0, and no packed edge is smaller.
        let (mut best, mut best_block) =
            (highest_packed(&first[front.1..PACKED_PER_BLOCK]), front.0);
        let mut next = BlockId::from_word(first[NEXT_BLOCK]);
        while let Some(block) = next {
            let words = &self.arena[block].0;
            let highest = highest_packed(&words[..PACKED_PER_BLOCK]);
            if highest > best {
                (best, best_block) = (highest, block);
            }
            next = BlockId::from_word(words[NEXT_BLOCK]);
        }
        let at = self.arena[best_block]
            .0
            .iter()
            .position(|&edge| edge == best);
        let best_at = (best_block, at.expect("it was found there"));
        let displaced = std::mem::replace(&mut self.arena[front.0].0[front.1], best);
        if best_at != front {
            self.arena[best_at.0].0[best_at.1] = displaced;
        }
        PackedEdge(best)
    }
}

/// Returns the highest of the packed edges `packed`, or 0 if there are none.
#[inline(always)]
fn highest_packed(packed: &[u32]) -> u32 {
    packed.iter().fold(0, |highest, &edge| highest.max(edge))
}
