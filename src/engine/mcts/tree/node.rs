//! Memory layout of a node: which words of the arena's lines hold which data.
//!
//! A node's own line holds the node in its left half and the node's first two edges in its right half:
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
//! `prior,move` is a word that packs prior and half-move. Edges beyond the first two lie in edge lines of four, field by
//! field: four visits, four means, four such words, four nodes. If there is one edge line, the word
//! `further` holds its id. If there are more, directories hold their ids, and this word holds the leader, the edge with
//! the best score.
//!
//! ```text
//!                  words 0…                       13              14       15
//!   edges        │ 4 visits, 4 means, 4 priors and moves, 4 nodes                   │
//!   directory    │ up to 13 lines of edges     │ bound's base │ bound's slope │ next │
//!   packed edges │ up to 15 packed edges                                     │ next │
//! ```

use super::arena::{Arena, Line, LineId};
use super::edge::{Edge, EdgeRef, Estimate};
use super::nodes::NodeId;
use crate::bitboard::Four;
use crate::mcts::puct::{Bound, FourEdges, LANES};

/// Number of edges whose statistics fit into one arena line of 64 bytes.
pub const SLOTS: usize = LANES;

/// Slot of a node's first edge in the line that stores the node; slots 0 and 1 hold data of the node itself.
pub const FIRST_INLINE: usize = 2;

/// Number of edges whose statistics fit into the line that stores the node.
pub const INLINE: usize = SLOTS - FIRST_INLINE;

/// Offsets of a node's data in the arena line that stores the node, in 32-bit words.
pub mod word {
    /// Number of visited edges in the low byte, number of all edges in the bits above it.
    pub const COUNTS: usize = 0;
    /// Id of the arena line with the third to sixth edge, for a node that has no further edges; 0 if the line does not
    /// exist.
    pub const FURTHER: usize = 1;
    /// Cached leader: the edge that had the best score when all edges were last compared; 0 if unknown. Replaces
    /// `FURTHER` in nodes with a directory.
    pub const LEADER: usize = FURTHER;
    /// Id of the first directory, a line that lists the lines of edges; 0 if the node has at most one such line.
    pub const DIRECTORY: usize = 4;
    /// Id of the first line in the linked list of packed edges, which hold half-move and estimate of every edge.
    pub const PACKED: usize = 5;
    /// The edge that leads to the node, see [`super::super::edge::EdgeRef::to_word`]; 0 for the root.
    pub const PARENT: usize = 8;
    /// [`super::super::edge::Softmax::inverse_sum`] of the node's edges, an `f32`. `Softmax::best` is not stored: it is
    /// the estimate of the first packed edge.
    pub const INVERSE_SUM: usize = 9;
    /// Value of the best unvisited edge, an `f32`.
    pub const NEXT_VALUE: usize = 12;
    /// Prior of the best unvisited edge, an `f32`.
    pub const NEXT_PRIOR: usize = 13;
}

/// Offsets of an edge's data in its arena line, in 32-bit words. Add the number of the edge's slot, 0 to 3.
pub mod field {
    /// Number of visits.
    pub const VISITS: usize = 0;
    /// Mean win probability, an `f32`.
    pub const MEAN: usize = 4;
    /// Prior and half-move, see [`super::Edge::prior_and_move_word`].
    pub const PRIOR_AND_MOVE: usize = 8;
    /// Id of the child node; 0 if the child is not in the tree.
    pub const NODE: usize = 12;
}

/// Offsets in a directory of the upper bound on the scores of all edges except the leader, in 32-bit words.
mod bound {
    pub const BASE: usize = 13;
    pub const SLOPE: usize = 14;
}

/// Offset of the word that holds the id of the next line in a linked list of arena lines.
pub const LINK: usize = 15;

/// Number of packed edges that fit into one arena line.
pub const PACKED_PER_LINE: usize = LINK;

/// Number of line ids that one directory holds.
pub const DIRECTORY_ENTRIES: usize = bound::BASE;

/// Maximum number of edges of a node: four amazons with at most 27 destinations each.
pub const MAX_EDGES: usize = 4 * 27;

/// A line with four unused edge slots. Their means are −∞, so that an unused slot never has the best score.
pub const EMPTY_EDGES: Line = {
    let mut line = Line::ZERO;
    let mut slot = 0;
    while slot < SLOTS {
        line.0[field::MEAN + slot] = Edge::PROVEN_LOSS.to_bits();
        slot += 1;
    }
    line
};

/// Returns the number of visited edges of the node stored at line `own`.
pub fn visited(own: &Line) -> usize {
    own.0[word::COUNTS] as usize & 0xff
}

/// Returns the number of all edges, visited or not, of the node stored at line `own`.
pub fn total(own: &Line) -> usize {
    own.0[word::COUNTS] as usize >> 8
}

/// Returns the estimate of the best unvisited edge; meaningless if all edges are visited.
pub fn next(own: &Line) -> Estimate {
    Estimate {
        value: f32::from_bits(own.0[word::NEXT_VALUE]),
        prior: f32::from_bits(own.0[word::NEXT_PRIOR]),
    }
}

/// Stores the estimate of the best unvisited edge.
pub fn set_next(own: &mut Line, next: Estimate) {
    own.0[word::NEXT_VALUE] = next.value.to_bits();
    own.0[word::NEXT_PRIOR] = next.prior.to_bits();
}

/// Returns the statistics of the edge in `slot` of `line`.
#[inline(always)]
pub fn edge(line: &Line, slot: usize) -> Edge {
    let words = &line.0;
    let word = words[field::PRIOR_AND_MOVE + slot];
    Edge {
        visits: words[field::VISITS + slot],
        mean: f32::from_bits(words[field::MEAN + slot]),
        prior: Edge::prior_of(word),
        half_move: Edge::half_move_of(word),
        node: NodeId::from_word(words[field::NODE + slot]),
    }
}

/// Returns the statistics of the four edges stored in `line`, in the layout for SIMD comparison.
#[inline(always)]
pub fn four_edges(line: &Line) -> FourEdges {
    statistics(
        slots(line, field::VISITS),
        slots(line, field::MEAN),
        slots(line, field::PRIOR_AND_MOVE),
    )
}

/// Returns the statistics of a node's first two edges, in lanes 2 and 3 of the SIMD layout; lanes 0 and 1 are unused.
#[inline(always)]
pub fn first_edges(own: &Line) -> FourEdges {
    let edges = |field, nothing| {
        let [_, _, first, second] = slots(own, field);
        [nothing, nothing, first, second]
    };
    statistics(
        edges(field::VISITS, 0),
        edges(field::MEAN, Edge::PROVEN_LOSS.to_bits()),
        edges(field::PRIOR_AND_MOVE, 0),
    )
}

/// Returns the words of one field for all four slots of a line.
#[inline(always)]
fn slots(line: &Line, field: usize) -> [u32; SLOTS] {
    *line.0[field..]
        .first_chunk()
        .expect("a field has a word for every slot")
}

/// Builds the statistics of four edges from the raw words of the line.
#[inline(always)]
fn statistics(visits: [u32; SLOTS], means: [u32; SLOTS], words: [u32; SLOTS]) -> FourEdges {
    FourEdges {
        means: Four::from_bits(means),
        priors: Four::from(words.map(Edge::prior_of)),
        visits_plus_one: Four::after(visits),
    }
}

/// Returns the id of a node's first directory of edge lines, or `None` if the node has too few edges to need one.
#[inline(always)]
pub fn directory(own: &Line) -> Option<LineId> {
    LineId::from_word(own.0[word::DIRECTORY])
}

/// Returns the upper bound on the scores of all edges except the leader, from the node's first directory.
#[inline(always)]
pub fn bound_of_others(directory: &Line) -> Bound {
    Bound {
        base: f32::from_bits(directory.0[bound::BASE]),
        slope: f32::from_bits(directory.0[bound::SLOPE]),
    }
}

/// Stores the upper bound on the scores of all edges except the leader in the node's first directory.
#[inline(always)]
pub fn set_bound_of_others(directory: &mut Line, others: Bound) {
    directory.0[bound::BASE] = others.base.to_bits();
    directory.0[bound::SLOPE] = others.slope.to_bits();
}

/// Calls `visit` with the id of each line that stores edges of a node after the first two, in order.
#[inline(always)]
pub fn for_each_further_line(arena: &Arena, own: &Line, mut visit: impl FnMut(LineId)) {
    let mut left = visited(own).saturating_sub(INLINE).div_ceil(SLOTS);
    let mut directory = directory(own).map(|id| &arena[id].0);
    let mut ids = match directory {
        Some(words) => &words[..left.min(DIRECTORY_ENTRIES)],
        None => &own.0[word::FURTHER..][..left.min(1)],
    };
    while !ids.is_empty() {
        for &word in ids {
            LineId::from_word(word).into_iter().for_each(&mut visit);
        }
        left -= ids.len();
        directory = directory
            .and_then(|words| LineId::from_word(words[LINK]))
            .map(|id| &arena[id].0);
        ids = directory.map_or(&[], |words| &words[..left.min(DIRECTORY_ENTRIES)]);
    }
}

/// Calls `visit` with the location and the statistics of every visited edge of `node`, in the order of their first
/// visits.
#[inline]
pub fn for_each_edge(arena: &Arena, node: NodeId, mut visit: impl FnMut(EdgeRef, Edge)) {
    let own = &arena[node];
    let visited = visited(own);
    for slot in FIRST_INLINE..FIRST_INLINE + visited.min(INLINE) {
        visit(EdgeRef::new(node.line(), slot), edge(own, slot));
    }
    let mut left = visited.saturating_sub(INLINE);
    for_each_further_line(arena, own, |id| {
        let line = &arena[id];
        for slot in 0..left.min(SLOTS) {
            visit(EdgeRef::new(id, slot), edge(line, slot));
        }
        left = left.saturating_sub(SLOTS);
    });
}

/// Calls `visit` with the id of every arena line that belongs to `node`: the node itself, edges, directories and packed
/// edges.
pub fn for_each_line(arena: &Arena, node: NodeId, mut visit: impl FnMut(LineId)) {
    let own = &arena[node];
    visit(node.line());
    for_each_further_line(arena, own, &mut visit);
    for chain in [word::DIRECTORY, word::PACKED] {
        let mut line = LineId::from_word(own.0[chain]);
        while let Some(id) = line {
            visit(id);
            line = LineId::from_word(arena[id].0[LINK]);
        }
    }
}
