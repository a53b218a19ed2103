//! Growth of the search tree: [`Tree::add_node`] adds a node with its edges, [`Tree::expand_edge`] allocates statistics
//! for an edge that is visited for the first time.

use super::Tree;
use super::arena::{Block, BlockId};
use super::edge::{Edge, EdgeRef, Estimate, PackedEdge, Softmax};
use super::node::{
    EDGES_PER_BLOCK, EMPTY_EDGES, FIRST_INLINE_SLOT, IDS_PER_INDEX_BLOCK, INLINE_EDGES, NEXT_BLOCK,
    PACKED_PER_BLOCK, edge_word, index_block, node_word, set_next_estimate,
};
use super::nodes::NodeId;

impl Tree {
    /// Creates a node whose edges are all unvisited, adds it to the tree and returns its id.
    ///
    /// - `packed`: the edges of the node, with the best at index 0 and the second best at index 1.
    /// - `softmax`: the constants of the softmax that converts the estimates of `packed` to prior probabilities.
    /// - `estimate`: function that converts a packed edge to its initial win probability and its prior probability.
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

    /// Allocates statistics for the best unvisited edge of `node`, with zero visits, and returns their location. From
    /// now on, the edge counts as visited.
    ///
    /// `estimate` converts a packed edge to its initial win probability and its prior probability. It is called for the
    /// edge that is now the best unvisited one.
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
            // Finds the edge that is now the best unvisited one. The best two edges were at the indices 0 and 1 when
            // the node was added; the others are sorted here, one by one, as by a selection sort.
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
            // Empties the node's cache of its best edge: the upper bound on the scores of the other edges does not take
            // the new edge into account.
            own.0[node_word::CACHED_BEST] = 0;
        }
        let at = self.allocate_slot(node, number);
        let words = &mut self.arena[at.block].0;
        words[edge_word::MEAN + at.slot()] = value.to_bits();
        words[edge_word::PRIOR_ACTION + at.slot()] = Edge::pack_prior_and_action(prior, action);
        at
    }

    /// Returns the place for the statistics of the edge of `node` that is the `number`-th to be visited, counted from
    /// 0. Allocates a 64-byte block for four edges if there is no free place in the blocks of the node.
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

    /// Allocates the edge block with index `number` (from 0) of `node`, and returns its id. An edge block is a 64-byte
    /// block with the statistics of four visited edges. Its id is stored in the node's block or in an index block,
    /// which lists ids of edge blocks and is allocated if necessary.
    ///
    /// All edge blocks with lower indices must exist.
    fn add_edge_block(&mut self, node: NodeId, number: usize) -> BlockId {
        let block = self.arena.allocate(EMPTY_EDGES);
        let own = &mut self.arena[node].0;
        match number {
            0 => {
                own[node_word::ONLY_EDGE_BLOCK] = BlockId::to_word(Some(block));
                return block;
            }
            // The second edge block of the node is added. A node with two edge blocks lists their ids in an index
            // block. So the id of the first one moves there, and its word in the node's own block will store the cached
            // best edge.
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

    /// Returns the id in word `word` of the 64-byte block `block`. If this word is 0, allocates a block of zeros,
    /// stores its id in the word and returns it.
    fn get_or_allocate(&mut self, block: BlockId, word: usize) -> BlockId {
        BlockId::from_word(self.arena[block].0[word]).unwrap_or_else(|| {
            let next = self.arena.allocate(Block::ZERO);
            self.arena[block].0[word] = BlockId::to_word(Some(next));
            next
        })
    }

    /// Returns the packed edge with index `number` (from 0) of `node`. Edges that were visited come first, in the order
    /// of their first visits.
    ///
    /// # Panics
    /// If `number` is not less than the number of edges of `node`.
    #[must_use]
    pub fn packed_edge(&self, node: NodeId, number: usize) -> PackedEdge {
        PackedEdge(self.arena[self.packed_block(node, number)].0[number % PACKED_PER_BLOCK])
    }

    /// Returns the id of the 64-byte block that contains a packed edge of `node`, which is an unvisited edge in its compact
    /// form. `number` is the edge's index, from 0.
    fn packed_block(&self, node: NodeId, number: usize) -> BlockId {
        let mut block = BlockId::from_word(self.arena[node].0[node_word::PACKED]);
        for _ in 0..number / PACKED_PER_BLOCK {
            block = block.and_then(|block| BlockId::from_word(self.arena[block].0[NEXT_BLOCK]));
        }
        block.expect("every edge has a packed edge")
    }

    /// Swaps the packed edge with the highest estimate, among those of `node` with index `number` or higher, to index
    /// `number`. Returns this edge. This is one step of a selection sort.
    fn swap_best_to(&mut self, node: NodeId, number: usize) -> PackedEdge {
        let front = (self.packed_block(node, number), number % PACKED_PER_BLOCK);
        let first = &self.arena[front.0].0;
        // The unused words at the end of a block are 0, which is lower than any packed edge.
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

/// Returns the packed edge with the highest estimate in `packed`, or 0 if `packed` is empty.
#[inline(always)]
fn highest_packed(packed: &[u32]) -> u32 {
    packed.iter().fold(0, |highest, &edge| highest.max(edge))
}
