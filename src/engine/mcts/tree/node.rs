//! Memory layout of a node of the search tree: the contents of its 64-byte blocks, each sixteen 32-bit words.
//!
//! A node's own block contains the node and its first two visited edges:
//!
//! - word 0: number of visited edges (bits 0 to 7) and of all edges (bits 8 to 15); lock (bit 31)
//! - word 1: id of the only edge block or 0; in nodes with index blocks instead: location of the cached edge with the
//!   highest PUCT score, or 0
//! - words 2, 3: numbers of visits of the first and of the second visited edge
//! - word 4: id of the first index block, or 0
//! - word 5: id of the first block of packed edges, or 0
//! - words 6, 7: mean win probabilities of the first and of the second visited edge
//! - word 8: location of the edge that leads to this node, or 0 for the root
//! - word 9: field `inverse_sum` of the softmax over the estimates of the edges
//! - words 10, 11: prior probability and action (amazon's move or arrow shot) of the first and of the second visited
//!   edge
//! - words 12, 13: initial win probability and prior probability of the best unvisited edge
//! - words 14, 15: child nodes of the first and of the second visited edge, or 0
//!
//! An edge block contains four further visited edges:
//!
//! - words 0 to 3: number of visits of each edge
//! - words 4 to 7: mean win probability of each edge
//! - words 8 to 11: prior probability and action of each edge
//! - words 12 to 15: child node of each edge, or 0
//!
//! An index block lists edge blocks. A node with two or more edge blocks has index blocks:
//!
//! - words 0 to 12: ids of up to 13 edge blocks
//! - words 13, 14: only in the first index block: upper bound on the PUCT scores of all edges except the cached one,
//!   see `Bound`
//! - word 15: id of the next index block, or 0
//!
//! A block of packed edges lists actions and estimates of the node's edges, visited or not:
//!
//! - words 0 to 14: up to 15 packed edges
//! - word 15: id of the next block of packed edges, or 0

use super::arena::{Arena, Block, BlockId, Word, Words};
use super::edge::{Edge, EdgeRef, Estimate};
use super::nodes::NodeId;
use crate::bitboard::Four;
use crate::mcts::puct::{Bound, FourEdges, LANES};

/// Number of visited edges whose statistics fit into one 64-byte block of the tree's memory.
pub const EDGES_PER_BLOCK: usize = LANES;

/// First slot with an edge in a node's own 64-byte block. Slots 2 and 3 hold the node's first two visited edges; the
/// words of slots 0 and 1 hold data of the node.
pub const FIRST_INLINE_SLOT: usize = 2;

/// Number of visited edges whose statistics fit into a node's own 64-byte block, beside the data of the node: 2.
pub const INLINE_EDGES: usize = EDGES_PER_BLOCK - FIRST_INLINE_SLOT;

/// Bit of the word [`node_word::COUNTS`] that is set while a thread has locked the node, see
/// [`Tree::with_lock`](super::Tree::with_lock).
pub const LOCKED: u32 = 1 << 31;

/// Word indices, from 0 to 15, of a node's data in the node's own 64-byte block.
pub mod node_word {
    /// Index of the word with two counts: the number of visited edges (bits 0 to 7) and that of all edges of the node
    /// (bits 8 to 15). Bit 31 is the lock of the node, see [`super::LOCKED`].
    pub const COUNTS: usize = 0;
    /// Index of the word with the id of the node's only edge block, a 64-byte block with the statistics of the third to
    /// the sixth visited edge; 0 if the node has no edge block. In a node with two or more edge blocks, the same word
    /// has another meaning, see [`CACHED_BEST`].
    pub const ONLY_EDGE_BLOCK: usize = 1;
    /// Index of a word with two uses. In nodes with seven or more visited edges, the word caches the location of the edge
    /// that had the highest PUCT score at the last comparison of all edges, see [`super::EdgeRef::to_word`]; the value 0
    /// means that no edge is cached. In other nodes, the word has the meaning of [`ONLY_EDGE_BLOCK`].
    pub const CACHED_BEST: usize = ONLY_EDGE_BLOCK;
    /// Index of the word with the id of the node's first index block, a 64-byte block that lists the ids of edge blocks
    /// (blocks with the statistics of four visited edges each). The word is 0 if the node has at most one edge block.
    pub const INDEX_BLOCK: usize = 4;
    /// Index of the word with the id of the node's first block of packed edges; 0 if the node has no edges. A packed
    /// edge is an amazon's move or arrow shot and its estimate, in 32 bits. Blocks of packed edges list all edges of
    /// the node, visited or not.
    pub const PACKED: usize = 5;
    /// Index of the word with the location of the edge that leads to this node, see [`super::EdgeRef::to_word`]; 0 if
    /// the node is the root.
    pub const PARENT_EDGE: usize = 8;
    /// Index of the word with the factor that makes the prior probabilities of the node's edges add up to 1, as the
    /// bits of an `f32`. It is a constant of the softmax, [`inverse_sum`](super::super::edge::Softmax::inverse_sum).
    /// The other constant, the highest estimate, need not be stored: the first packed edge of the node has this
    /// estimate.
    pub const INVERSE_SUM: usize = 9;
    /// Index of the word with the initial win probability of the best unvisited edge, as the bits of an `f32`. The best
    /// edge is the one with the highest estimate. The win probability is that of the player to move at the node.
    pub const NEXT_VALUE: usize = 12;
    /// Index of the word with the prior probability of the best unvisited edge, as the bits of an `f32`. This is the
    /// edge with the highest estimate.
    pub const NEXT_PRIOR: usize = 13;
}

/// Word indices, from 0 to 15, of the statistics of the edge in slot 0 of a 64-byte block, which has four slots for
/// edges. Add n for the edge in slot n, from 1 to 3.
pub mod edge_word {
    /// Index of the first of four successive words in the 64-byte block: the numbers of visits of the edges in slots 0
    /// to 3.
    pub const VISITS: usize = 0;
    /// Index of the first of four successive words in the 64-byte block: the mean win probabilities of the edges in
    /// slots 0 to 3, as the bits of `f32` numbers. They are those of the player to move at the node. +∞ stands for a
    /// proven win, −∞ for a proven loss.
    pub const MEAN: usize = 4;
    /// Index of the first of four successive 32-bit words in the 64-byte block, for the edges in slots 0 to 3. Each
    /// word packs the prior probability of one edge and its amazon's move or arrow shot, see
    /// [`super::Edge::pack_prior_and_action`].
    pub const PRIOR_ACTION: usize = 8;
    /// Index of the first of four successive words in the 64-byte block: the ids of the child nodes of the edges in
    /// slots 0 to 3. A word is 0 if the child node was not created yet or was removed to free memory.
    pub const CHILD: usize = 12;
}

/// Word indices, from 0 to 15, of `base` and `slope` of a [`Bound`] in a node's first index block, a 64-byte block that
/// lists edge blocks. The bound is an upper bound on the PUCT scores of all edges of the node except the cached best
/// one. `base` is its value for an exploration factor of 0, `slope` its increase per 1.0 of this factor.
mod bound {
    pub const BASE: usize = 13;
    pub const SLOPE: usize = 14;
}

/// Index of the word that links 64-byte blocks of the same kind to a list: index blocks (which list edge blocks) or
/// blocks of packed edges. The word is the id of the next block of the list; 0 in the last block.
pub const NEXT_BLOCK: usize = 15;

/// Number of packed edges, 32-bit words with a move or shot and its estimate, that fit into one 64-byte block: 15,
/// because the last word is the id of the next block.
pub const PACKED_PER_BLOCK: usize = NEXT_BLOCK;

/// Number of edge blocks whose ids fit into one index block, the 64-byte block that lists them: 13. The remaining three
/// words contain a bound on PUCT scores and the id of the next block.
pub const IDS_PER_INDEX_BLOCK: usize = bound::BASE;

/// Maximum number of edges (amazon's moves or arrow shots) of a node, 108: the moves of four amazons, each with at most
/// 27 destinations. The arrow shots of one amazon are fewer.
pub const MAX_EDGES: usize = 4 * 27;

/// Content of a new edge block, a 64-byte block for the statistics of four visited edges. No edge is stored in it yet;
/// the mean win probabilities are −∞, so that a slot without an edge never has the highest PUCT score.
pub const EMPTY_EDGES: Words = {
    let mut block = [0; 16];
    let mut slot = 0;
    while slot < EDGES_PER_BLOCK {
        block[edge_word::MEAN + slot] = Edge::PROVEN_LOSS.to_bits();
        slot += 1;
    }
    block
};

/// Returns the number of visited edges of a node. `node_block` is the node's own 64-byte block.
pub fn visited_edges<W: Word>(node_block: &Block<W>) -> usize {
    node_block.get(node_word::COUNTS) as usize & 0xff
}

/// Returns the number of edges of a node, including those that were not visited yet. `node_block` is the node's own
/// 64-byte block.
pub fn edge_count<W: Word>(node_block: &Block<W>) -> usize {
    node_block.get(node_word::COUNTS) as usize >> 8 & 0xff
}

/// Returns the initial win probability and the prior probability of a node's best unvisited edge, the one with the
/// highest estimate. `node_block` is the node's own 64-byte block. The result is meaningless if all edges are visited.
pub fn next_estimate<W: Word>(node_block: &Block<W>) -> Estimate {
    Estimate {
        value: f32::from_bits(node_block.get(node_word::NEXT_VALUE)),
        prior: f32::from_bits(node_block.get(node_word::NEXT_PRIOR)),
    }
}

/// Stores the initial statistics `next` of a node's best unvisited edge, the one with the highest estimate, in the
/// node's own 64-byte block `node_block`.
pub fn set_next_estimate<W: Word>(node_block: &Block<W>, next: Estimate) {
    node_block.set(node_word::NEXT_VALUE, next.value.to_bits());
    node_block.set(node_word::NEXT_PRIOR, next.prior.to_bits());
}

/// Returns the statistics of the visited edge in slot `slot` (0 to 3) of the 64-byte block `block`.
#[inline(always)]
pub fn edge<W: Word>(block: &Block<W>, slot: usize) -> Edge {
    let word = block.get(edge_word::PRIOR_ACTION + slot);
    Edge {
        visits: block.get(edge_word::VISITS + slot),
        mean: f32::from_bits(block.get(edge_word::MEAN + slot)),
        prior: Edge::unpack_prior(word),
        action: Edge::unpack_action(word),
        node: NodeId::from_word(block.get(edge_word::CHILD + slot)),
    }
}

/// Returns the statistics of the visited edges in the 64-byte block `block`, one edge per SIMD lane. Lanes without an
/// edge have the mean −∞, so that they are never selected.
#[inline(always)]
pub fn four_edges<W: Word>(block: &Block<W>) -> FourEdges {
    to_four_edges(
        field_words(block, edge_word::VISITS),
        field_words(block, edge_word::MEAN),
        field_words(block, edge_word::PRIOR_ACTION),
    )
}

/// Returns the statistics of a node's first two visited edges, in SIMD lanes 2 and 3. Lanes 0 and 1 contain no edge.
/// `node_block` is the node's own 64-byte block, which stores these edges.
#[inline(always)]
pub fn inline_edges<W: Word>(node_block: &Block<W>) -> FourEdges {
    let edges = |field, nothing| {
        let [_, _, first, second] = field_words(node_block, field);
        [nothing, nothing, first, second]
    };
    to_four_edges(
        edges(edge_word::VISITS, 0),
        edges(edge_word::MEAN, Edge::PROVEN_LOSS.to_bits()),
        edges(edge_word::PRIOR_ACTION, 0),
    )
}

/// Returns one field of the four edges in the 64-byte block `block`, for example their numbers of visits. `field` is
/// the index of the word of the first edge, a constant of [`edge_word`].
#[inline(always)]
fn field_words<W: Word>(block: &Block<W>, field: usize) -> [u32; EDGES_PER_BLOCK] {
    std::array::from_fn(|slot| block.get(field + slot))
}

/// Converts the statistics of four edges from words of a block to SIMD lanes.
///
/// - `visits`: numbers of visits.
/// - `means`: mean win probabilities, as the bits of `f32` numbers.
/// - `packed_priors`: words that [`Edge::pack_prior_and_action`] returned.
#[inline(always)]
fn to_four_edges(
    visits: [u32; EDGES_PER_BLOCK],
    means: [u32; EDGES_PER_BLOCK],
    packed_priors: [u32; EDGES_PER_BLOCK],
) -> FourEdges {
    FourEdges {
        means: Four::from_bits(means),
        priors: Four::from(packed_priors.map(Edge::unpack_prior)),
        visits_plus_one: Four::from_incremented(visits),
    }
}

/// Returns the id of a node's first index block, the 64-byte block that lists edge blocks; `None` if the node has at
/// most one edge block. `node_block` is the node's own block.
#[inline(always)]
pub fn index_block<W: Word>(node_block: &Block<W>) -> Option<BlockId> {
    BlockId::from_word(node_block.get(node_word::INDEX_BLOCK))
}

/// Returns an upper bound on the PUCT scores of all edges of a node except the cached best one. `index_block` is the
/// node's first index block, which stores this bound.
#[inline(always)]
pub fn bound_of_others<W: Word>(index_block: &Block<W>) -> Bound {
    Bound {
        base: f32::from_bits(index_block.get(bound::BASE)),
        slope: f32::from_bits(index_block.get(bound::SLOPE)),
    }
}

/// Stores `others` in `index_block`, the node's first index block (the first 64-byte block that lists the node's edge
/// blocks). `others` is an upper bound on the PUCT scores of all edges of the node, except the one with the highest
/// score, whose location is cached in the node's own block.
#[inline(always)]
pub fn set_bound_of_others<W: Word>(index_block: &Block<W>, others: Bound) {
    index_block.set(bound::BASE, others.base.to_bits());
    index_block.set(bound::SLOPE, others.slope.to_bits());
}

/// Calls `visit` with the id of each edge block of a node, in the order of their edges' first visits. An edge block is
/// a 64-byte block with the statistics of up to four visited edges. `node_block` is the node's own block.
#[inline(always)]
pub fn for_each_edge_block<W: Word>(
    arena: &Arena<W>,
    node_block: &Block<W>,
    mut visit: impl FnMut(BlockId),
) {
    let mut left = visited_edges(node_block)
        .saturating_sub(INLINE_EDGES)
        .div_ceil(EDGES_PER_BLOCK);
    let mut index_block = index_block(node_block).map(|id| &arena[id].0);
    let mut ids = match index_block {
        Some(words) => &words[..left.min(IDS_PER_INDEX_BLOCK)],
        None => &node_block.0[node_word::ONLY_EDGE_BLOCK..][..left.min(1)],
    };
    while !ids.is_empty() {
        for word in ids {
            BlockId::from_word(word.get())
                .into_iter()
                .for_each(&mut visit);
        }
        left -= ids.len();
        index_block = index_block
            .and_then(|words| BlockId::from_word(words[NEXT_BLOCK].get()))
            .map(|id| &arena[id].0);
        ids = index_block.map_or(&[], |words| &words[..left.min(IDS_PER_INDEX_BLOCK)]);
    }
}

/// Calls `visit` with the location and the statistics of each visited edge of `node`, in the order of their first
/// visits.
#[inline]
pub fn for_each_edge<W: Word>(
    arena: &Arena<W>,
    node: NodeId,
    mut visit: impl FnMut(EdgeRef, Edge),
) {
    let node_block = &arena[node];
    let visited = visited_edges(node_block);
    for slot in FIRST_INLINE_SLOT..FIRST_INLINE_SLOT + visited.min(INLINE_EDGES) {
        visit(EdgeRef::new(node.block(), slot), edge(node_block, slot));
    }
    let mut left = visited.saturating_sub(INLINE_EDGES);
    for_each_edge_block(arena, node_block, |id| {
        let block = &arena[id];
        for slot in 0..left.min(EDGES_PER_BLOCK) {
            visit(EdgeRef::new(id, slot), edge(block, slot));
        }
        left = left.saturating_sub(EDGES_PER_BLOCK);
    });
}

/// Calls `visit` with the id of each 64-byte block of `node`: its own block, the edge blocks (with the statistics of
/// visited edges), the index blocks (which list the edge blocks) and the blocks of packed edges.
pub fn for_each_block<W: Word>(arena: &Arena<W>, node: NodeId, mut visit: impl FnMut(BlockId)) {
    let node_block = &arena[node];
    visit(node.block());
    for_each_edge_block(arena, node_block, &mut visit);
    for chain in [node_word::INDEX_BLOCK, node_word::PACKED] {
        let mut block = BlockId::from_word(node_block.get(chain));
        while let Some(id) = block {
            visit(id);
            block = BlockId::from_word(arena[id].get(NEXT_BLOCK));
        }
    }
}
