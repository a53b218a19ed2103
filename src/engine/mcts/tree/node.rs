//! Memory layout of a node: which 32-bit words of the arena's 64-byte blocks hold which data.
//!
//! A node's own block holds the node in its left half and the node's first two visited edges in its right half:
//!
//! ```text
//!          word          +1                +2           +3
//!       ┌─────────────┬─────────────────┬────────────┬────────────┐
//!    0  │ counts      │ further, leader │ visits     │ visits     │
//!    4  │ directory   │ packed edges    │ mean       │ mean       │
//!    8  │ parent      │ inverse sum     │ prior,move │ prior,move │
//!   12  │ next value  │ next prior      │ node       │ node       │
//!       └─────────────┴─────────────────┴────────────┴────────────┘
//!         the node                        first edge   second edge
//! ```
//!
//! `prior,move` is a word that packs prior and action. Further visited edges lie in edge blocks of four, field by
//! field: four visits, four means, four `prior,move` words, four child nodes. If a node has one edge block, the word
//! `further` holds the block's id. If the node has more, directories hold their ids, and this word holds the leader,
//! the edge with the best score.
//!
//! ```text
//!                  words 0…                       13              14       15
//!   edges        │ 4 visits, 4 means, 4 priors and moves, 4 nodes                   │
//!   directory    │ ids of up to 13 edge blocks │ bound's base │ bound's slope │ next │
//!   packed edges │ up to 15 packed edges                                     │ next │
//! ```

use super::arena::{Arena, Block, BlockId};
use super::edge::{Edge, EdgeRef, Estimate};
use super::nodes::NodeId;
use crate::bitboard::Four;
use crate::mcts::puct::{Bound, FourEdges, LANES};

/// Number of visited edges whose statistics fit into one block of 64 bytes.
pub const EDGES_PER_BLOCK: usize = LANES;

/// Slot of a node's first edge in the block that stores the node. In this block slots 0 and 1 hold data of the node
/// instead.
pub const FIRST_INLINE_SLOT: usize = 2;

/// Number of visited edges whose statistics fit into the block that stores the node itself.
pub const INLINE_EDGES: usize = EDGES_PER_BLOCK - FIRST_INLINE_SLOT;

/// Offsets of a node's data in the block that stores the node, counted in 32-bit words.
pub mod word {
    /// Number of visited edges in bits 0 to 7, number of all edges in the bits above.
    pub const COUNTS: usize = 0;
    /// Id of the block with the third to sixth visited edge, if the node has no directory; 0 if that block does not
    /// exist.
    pub const FURTHER: usize = 1;
    /// Cached best edge: the edge with the best selection score when all edges were last compared, encoded by
    /// [`super::EdgeRef::to_word`]; 0 if unknown. Shares its word with [`FURTHER`], which nodes with a directory do not use.
    pub const LEADER: usize = FURTHER;
    /// Id of the first directory, a block that lists the ids of edge blocks; 0 if the node has at most one edge block.
    pub const DIRECTORY: usize = 4;
    /// Id of the first block in the linked list of packed edges, which hold action and estimate of every edge.
    pub const PACKED: usize = 5;
    /// Location of the edge that leads to the node, see [`super::EdgeRef::to_word`]; 0 for the root.
    pub const PARENT: usize = 8;
    /// Field [`inverse_sum`](super::super::edge::Softmax::inverse_sum) of the softmax over the node's edges, an `f32`.
    /// The field `best` is not stored: it is the estimate of the first packed edge.
    pub const INVERSE_SUM: usize = 9;
    /// Initial win probability of the best unvisited edge, the next edge to visit, as the bits of an `f32`.
    pub const NEXT_VALUE: usize = 12;
    /// Prior probability of the best unvisited edge, the next edge to visit, as the bits of an `f32`.
    pub const NEXT_PRIOR: usize = 13;
}

/// Offsets of a visited edge's data in its block, in 32-bit words. Add the edge's slot, from 0 to 3.
pub mod field {
    /// Number of visits of the edge.
    pub const VISITS: usize = 0;
    /// Mean win probability of the side to move, as the bits of an `f32`; ±∞ if proven.
    pub const MEAN: usize = 4;
    /// Prior and action of the edge, packed by [`super::Edge::prior_and_move_word`].
    pub const PRIOR_AND_MOVE: usize = 8;
    /// Id of the child node; 0 if the tree does not hold the child.
    pub const NODE: usize = 12;
}

/// Offsets of the two coefficients of [`Bound`] in a node's first directory, in 32-bit words: an upper bound on the
/// scores of all edges except the leader.
mod bound {
    pub const BASE: usize = 13;
    pub const SLOPE: usize = 14;
}

/// Offset, in 32-bit words, of the id of the next block in a linked list of blocks; the id is 0 in the last block.
pub const NEXT_BLOCK: usize = 15;

/// Number of packed edges that fit into one block of 64 bytes, beside the link to the next block.
pub const PACKED_PER_BLOCK: usize = NEXT_BLOCK;

/// Number of ids of edge blocks that one directory holds.
pub const DIRECTORY_ENTRIES: usize = bound::BASE;

/// Maximum number of edges of a node: moves of four amazons with at most 27 destinations each.
pub const MAX_EDGES: usize = 4 * 27;

/// A block with four unused edge slots. Their means are −∞, so that an unused slot never has the best score.
pub const EMPTY_EDGES: Block = {
    let mut block = Block::ZERO;
    let mut slot = 0;
    while slot < EDGES_PER_BLOCK {
        block.0[field::MEAN + slot] = Edge::PROVEN_LOSS.to_bits();
        slot += 1;
    }
    block
};

/// Returns the number of visited edges of a node. `own` is the block that stores the node.
pub fn visited(own: &Block) -> usize {
    own.0[word::COUNTS] as usize & 0xff
}

/// Returns the number of all edges of a node, visited or not. `own` is the block that stores the node.
pub fn total(own: &Block) -> usize {
    own.0[word::COUNTS] as usize >> 8
}

/// Returns initial value and prior of a node's best unvisited edge. Meaningless if all edges are visited.
pub fn next_estimate(own: &Block) -> Estimate {
    Estimate {
        value: f32::from_bits(own.0[word::NEXT_VALUE]),
        prior: f32::from_bits(own.0[word::NEXT_PRIOR]),
    }
}

/// Stores `next`, initial value and prior of a node's best unvisited edge, in the node's block `own`.
pub fn set_next_estimate(own: &mut Block, next: Estimate) {
    own.0[word::NEXT_VALUE] = next.value.to_bits();
    own.0[word::NEXT_PRIOR] = next.prior.to_bits();
}

/// Returns the statistics of the visited edge in slot `slot`, from 0 to 3, of `block`.
#[inline(always)]
pub fn edge(block: &Block, slot: usize) -> Edge {
    let words = &block.0;
    let word = words[field::PRIOR_AND_MOVE + slot];
    Edge {
        visits: words[field::VISITS + slot],
        mean: f32::from_bits(words[field::MEAN + slot]),
        prior: Edge::prior_of(word),
        action: Edge::action_of(word),
        node: NodeId::from_word(words[field::NODE + slot]),
    }
}

/// Returns the statistics of the four edges stored in an edge block, one per SIMD lane.
#[inline(always)]
pub fn four_edges(block: &Block) -> FourEdges {
    statistics(
        field_words(block, field::VISITS),
        field_words(block, field::MEAN),
        field_words(block, field::PRIOR_AND_MOVE),
    )
}

/// Returns the statistics of a node's first two edges, in SIMD lanes 2 and 3. Lanes 0 and 1 are unused. `own` is the
/// block that stores the node.
#[inline(always)]
pub fn inline_edges(own: &Block) -> FourEdges {
    let edges = |field, nothing| {
        let [_, _, first, second] = field_words(own, field);
        [nothing, nothing, first, second]
    };
    statistics(
        edges(field::VISITS, 0),
        edges(field::MEAN, Edge::PROVEN_LOSS.to_bits()),
        edges(field::PRIOR_AND_MOVE, 0),
    )
}

/// Returns the words of one field (an offset from the module [`field`]) for all four slots of a block.
#[inline(always)]
fn field_words(block: &Block, field: usize) -> [u32; EDGES_PER_BLOCK] {
    *block.0[field..]
        .first_chunk()
        .expect("a field has a word for every slot")
}

/// Converts the words of four edges, as stored in a block, to SIMD lanes. `words` are those made by
/// [`Edge::prior_and_move_word`].
#[inline(always)]
fn statistics(
    visits: [u32; EDGES_PER_BLOCK],
    means: [u32; EDGES_PER_BLOCK],
    words: [u32; EDGES_PER_BLOCK],
) -> FourEdges {
    FourEdges {
        means: Four::from_bits(means),
        priors: Four::from(words.map(Edge::prior_of)),
        visits_plus_one: Four::from_incremented(visits),
    }
}

/// Returns the id of a node's first directory of edge blocks, or `None` if the node has at most one edge block.
#[inline(always)]
pub fn directory(own: &Block) -> Option<BlockId> {
    BlockId::from_word(own.0[word::DIRECTORY])
}

/// Returns the upper bound on the scores of all edges except the leader. `directory` is the node's first directory.
#[inline(always)]
pub fn bound_of_others(directory: &Block) -> Bound {
    Bound {
        base: f32::from_bits(directory.0[bound::BASE]),
        slope: f32::from_bits(directory.0[bound::SLOPE]),
    }
}

/// Stores the upper bound `others` on the scores of all edges except the leader. `directory` is the node's first
/// directory.
#[inline(always)]
pub fn set_bound_of_others(directory: &mut Block, others: Bound) {
    directory.0[bound::BASE] = others.base.to_bits();
    directory.0[bound::SLOPE] = others.slope.to_bits();
}

/// Calls `visit` with the id of each edge block of a node, that is, each block with edges after the first two, in
/// order.
#[inline(always)]
pub fn for_each_further_block(arena: &Arena, own: &Block, mut visit: impl FnMut(BlockId)) {
    let mut left = visited(own)
        .saturating_sub(INLINE_EDGES)
        .div_ceil(EDGES_PER_BLOCK);
    let mut directory = directory(own).map(|id| &arena[id].0);
    let mut ids = match directory {
        Some(words) => &words[..left.min(DIRECTORY_ENTRIES)],
        None => &own.0[word::FURTHER..][..left.min(1)],
    };
    while !ids.is_empty() {
        for &word in ids {
            BlockId::from_word(word).into_iter().for_each(&mut visit);
        }
        left -= ids.len();
        directory = directory
            .and_then(|words| BlockId::from_word(words[NEXT_BLOCK]))
            .map(|id| &arena[id].0);
        ids = directory.map_or(&[], |words| &words[..left.min(DIRECTORY_ENTRIES)]);
    }
}

/// Calls `visit` with the location and the statistics of every visited edge of `node`, in the order of the first
/// visits.
#[inline]
pub fn for_each_edge(arena: &Arena, node: NodeId, mut visit: impl FnMut(EdgeRef, Edge)) {
    let own = &arena[node];
    let visited = visited(own);
    for slot in FIRST_INLINE_SLOT..FIRST_INLINE_SLOT + visited.min(INLINE_EDGES) {
        visit(EdgeRef::new(node.block(), slot), edge(own, slot));
    }
    let mut left = visited.saturating_sub(INLINE_EDGES);
    for_each_further_block(arena, own, |id| {
        let block = &arena[id];
        for slot in 0..left.min(EDGES_PER_BLOCK) {
            visit(EdgeRef::new(id, slot), edge(block, slot));
        }
        left = left.saturating_sub(EDGES_PER_BLOCK);
    });
}

/// Calls `visit` with the id of every block that belongs to `node`: its own block, edge blocks, directories and packed
/// edges.
pub fn for_each_block(arena: &Arena, node: NodeId, mut visit: impl FnMut(BlockId)) {
    let own = &arena[node];
    visit(node.block());
    for_each_further_block(arena, own, &mut visit);
    for chain in [word::DIRECTORY, word::PACKED] {
        let mut block = BlockId::from_word(own.0[chain]);
        while let Some(id) = block {
            visit(id);
            block = BlockId::from_word(arena[id].0[NEXT_BLOCK]);
        }
    }
}
