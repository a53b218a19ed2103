//! Growth of the search tree: [`Tree::add_node`] adds a node with its edges, [`Tree::expand_edge`] allocates statistics
//! for an edge that is visited for the first time.

use super::Tree;
use super::arena::{BlockId, Word};
use super::edge::{Edge, EdgeRef, Estimate, PackedEdge, Softmax};
use super::node::{
    EDGES_PER_BLOCK, EMPTY_EDGES, FIRST_INLINE_SLOT, IDS_PER_INDEX_BLOCK, INLINE_EDGES, NEXT_BLOCK,
    PACKED_PER_BLOCK, edge_word, index_block, node_word, set_next_estimate,
};
use super::nodes::NodeId;
use super::supply::Supply;

impl<W: Word> Tree<W> {
    /// Creates a node whose edges (amazon's moves or arrow shots) are all unvisited, stores it in the tree's memory and
    /// returns its id. The caller must make it the root or the child of an edge.
    ///
    /// - `supply`: memory of the thread.
    /// - `packed`: the edges of the node, each packed into 32 bits. The edge with the highest estimate is at index 0,
    ///   the second highest at index 1; the others are in any order.
    /// - `softmax`: the constants of the softmax that converts the estimates of `packed` to prior probabilities.
    /// - `estimate`: function that converts a packed edge to its initial win probability and its prior probability.
    ///
    /// # Panics
    /// - If the supply is empty because [`Tree::fill`] was not called before this iteration.
    /// - If there are more than 255 edges.
    pub fn add_node(
        &self,
        supply: &mut Supply,
        packed: &[PackedEdge],
        softmax: Softmax,
        estimate: impl Fn(PackedEdge) -> Estimate,
    ) -> NodeId {
        let mut chain = None;
        for chunk in packed.chunks(PACKED_PER_BLOCK).rev() {
            let mut block = [0; 16];
            for (word, edge) in block.iter_mut().zip(chunk) {
                *word = edge.0;
            }
            block[NEXT_BLOCK] = BlockId::to_word(chain);
            chain = Some(self.allocate(supply, block));
        }
        let total = u8::try_from(packed.len()).expect("a node has at most 255 edges");
        let mut own = EMPTY_EDGES;
        own[node_word::COUNTS] = u32::from(total) << 8;
        own[node_word::INDEX_BLOCK] = BlockId::to_word(None);
        own[node_word::PACKED] = BlockId::to_word(chain);
        own[node_word::INVERSE_SUM] = softmax.inverse_sum.to_bits();
        let block = self.allocate(supply, own);
        if let Some(&best) = packed.first() {
            set_next_estimate(&self.arena[block], estimate(best));
        }
        let node = NodeId::new(block);
        supply.nodes.push(node);
        node
    }

    /// Turns the best unvisited edge of `node` into a visited one: allocates its statistics, with zero visits and its
    /// initial win probability as the mean, and returns their location.
    ///
    /// Also stores the initial statistics of the next edge to visit: the best of those that remain unvisited.
    /// `estimate` is a function that computes them, a win probability and a prior probability, from a packed edge and
    /// the node's softmax. `supply` is the memory of the thread.
    ///
    /// # Panics
    /// - If all edges are visited.
    /// - If the supply is empty because [`Tree::fill`] was not called before this iteration.
    pub fn expand_edge(
        &self,
        supply: &mut Supply,
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
                inverse_sum: f32::from_bits(self.arena[node].get(node_word::INVERSE_SUM)),
            };
            // Finds the next edge to visit: the best of those that remain unvisited. The best two edges of a node are
            // at the indices 0 and 1 from the start; the others are sorted one by one, as by a selection sort.
            let next = match number {
                0 => self.packed_edge(node, 1),
                _ => self.swap_best_to(node, number + 1),
            };
            let next = estimate(next, softmax);
            set_next_estimate(&self.arena[node], next);
        }
        let own = &self.arena[node];
        own.set(node_word::COUNTS, own.get(node_word::COUNTS) + 1);
        if index_block(own).is_some() {
            // Empties the node's cache of its best edge. An upper bound on the scores of the other edges is stored with
            // it; this bound does not hold for the new edge.
            own.set(node_word::CACHED_BEST, 0);
        }
        let at = self.allocate_slot(supply, node, number);
        let block = &self.arena[at.block];
        block.set(edge_word::MEAN + at.slot(), value.to_bits());
        let packed = Edge::pack_prior_and_action(prior, action);
        block.set(edge_word::PRIOR_ACTION + at.slot(), packed);
        at
    }

    /// Returns the location for the statistics of an edge of `node`. `number` is the number of edges of the node that
    /// were visited before it. If the blocks of the node have no unused location, allocates a 64-byte block for four
    /// edges.
    fn allocate_slot(&self, supply: &mut Supply, node: NodeId, number: usize) -> EdgeRef {
        let Some(number) = number.checked_sub(INLINE_EDGES) else {
            return EdgeRef::new(node.block(), FIRST_INLINE_SLOT + number);
        };
        let (block, slot) = (number / EDGES_PER_BLOCK, number % EDGES_PER_BLOCK);
        let block = match self.edge_block(node, block) {
            Some(block) => block,
            None => self.add_edge_block(supply, node, block),
        };
        EdgeRef::new(block, slot)
    }

    /// Allocates an edge block of `node`, a 64-byte block for the statistics of four visited edges, and returns its id.
    /// `number` is the block's index, from 0; all edge blocks with lower indices must exist.
    ///
    /// The id of the first edge block is stored in the node's own block. From the second one on, all ids are stored in
    /// index blocks, which are allocated if necessary.
    fn add_edge_block(&self, supply: &mut Supply, node: NodeId, number: usize) -> BlockId {
        let block = self.allocate(supply, EMPTY_EDGES);
        let own = &self.arena[node];
        match number {
            0 => {
                own.set(node_word::ONLY_EDGE_BLOCK, BlockId::to_word(Some(block)));
                return block;
            }
            // The node gets its second edge block, a block with the statistics of four visited edges. So far, word 1 of
            // the node's own block has contained the id of the first edge block. This id moves to a new index block,
            // which lists the ids of all edge blocks of the node. Word 1 is set to 0, as it will store the location of
            // the cached best edge.
            1 => {
                let only = own.get(node_word::ONLY_EDGE_BLOCK);
                own.set(node_word::CACHED_BEST, 0);
                let index_block =
                    self.get_or_allocate(supply, node.block(), node_word::INDEX_BLOCK);
                self.arena[index_block].set(0, only);
            }
            _ => {}
        }
        let mut index_block = self.get_or_allocate(supply, node.block(), node_word::INDEX_BLOCK);
        for _ in 0..number / IDS_PER_INDEX_BLOCK {
            index_block = self.get_or_allocate(supply, index_block, NEXT_BLOCK);
        }
        self.arena[index_block].set(number % IDS_PER_INDEX_BLOCK, BlockId::to_word(Some(block)));
        block
    }

    /// Returns the block id that is stored in word number `word` (0 to 15) of the 64-byte block `block`. If the word is
    /// 0, first allocates a block of zeros and stores its id in the word.
    fn get_or_allocate(&self, supply: &mut Supply, block: BlockId, word: usize) -> BlockId {
        BlockId::from_word(self.arena[block].get(word)).unwrap_or_else(|| {
            let next = self.allocate(supply, [0; 16]);
            self.arena[block].set(word, BlockId::to_word(Some(next)));
            next
        })
    }

    /// Returns the packed edge with index `number` (from 0) of `node`: an amazon's move or arrow shot and its estimate.
    /// Edges that were visited come first, in the order of their first visits.
    ///
    /// # Panics
    /// If `number` is not less than the number of edges of `node`.
    #[must_use]
    pub fn packed_edge(&self, node: NodeId, number: usize) -> PackedEdge {
        PackedEdge(self.arena[self.packed_block(node, number)].get(number % PACKED_PER_BLOCK))
    }

    /// Returns the id of the 64-byte block that contains the packed edge with index `number` (from 0) of `node`. A
    /// packed edge is a 32-bit word with an amazon's move or arrow shot and its estimate; every edge has one, visited
    /// or not.
    fn packed_block(&self, node: NodeId, number: usize) -> BlockId {
        let mut block = BlockId::from_word(self.arena[node].get(node_word::PACKED));
        for _ in 0..number / PACKED_PER_BLOCK {
            block = block.and_then(|block| BlockId::from_word(self.arena[block].get(NEXT_BLOCK)));
        }
        block.expect("every edge has a packed edge")
    }

    /// Finds the packed edge with the highest estimate among those of `node` with index `number` or higher. Swaps it
    /// with the packed edge at index `number`, and returns it. This is one step of a selection sort.
    fn swap_best_to(&self, node: NodeId, number: usize) -> PackedEdge {
        let front = (self.packed_block(node, number), number % PACKED_PER_BLOCK);
        let first = &self.arena[front.0].0;
        // At the end of a block, words without a packed edge are 0. No packed edge is below 0, so these words do not
        // change the highest value.
        let (mut best, mut best_block) =
            (highest_packed(&first[front.1..PACKED_PER_BLOCK]), front.0);
        let mut next = BlockId::from_word(first[NEXT_BLOCK].get());
        while let Some(block) = next {
            let words = &self.arena[block].0;
            let highest = highest_packed(&words[..PACKED_PER_BLOCK]);
            if highest > best {
                (best, best_block) = (highest, block);
            }
            next = BlockId::from_word(words[NEXT_BLOCK].get());
        }
        let at = self.arena[best_block]
            .0
            .iter()
            .position(|edge| edge.get() == best);
        let best_at = (best_block, at.expect("it was found there"));
        let displaced = self.arena[front.0].get(front.1);
        self.arena[front.0].set(front.1, best);
        if best_at != front {
            self.arena[best_at.0].set(best_at.1, displaced);
        }
        PackedEdge(best)
    }
}

/// Returns the highest of the packed edges `packed`, whose order as 32-bit numbers is that of their estimates. Returns
/// 0 if `packed` is empty.
#[inline(always)]
fn highest_packed<W: Word>(packed: &[W]) -> u32 {
    packed
        .iter()
        .fold(0, |highest, edge| highest.max(edge.get()))
}
