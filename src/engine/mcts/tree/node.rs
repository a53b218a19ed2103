//! A node: what the words of its lines hold.
//!
//! A node's own line holds the node in its left half and its first two edges in its right half:
//!
//! ```text
//!          word          +1                +2           +3
//!       ┌─────────────┬─────────────────┬────────────┬────────────┐
//!    0  │ counts      │ further, leader │ visits     │ visits     │
//!    4  │ directory   │ keys            │ mean       │ mean       │
//!    8  │ parent      │ inverse sum     │ share      │ share      │
//!   12  │ next value  │ next prior      │ node       │ node       │
//!       └─────────────┴─────────────────┴────────────┴────────────┘
//!         the node                        first edge   second edge
//! ```
//!
//! Further edges lie in lines of four, field by field in the same order: visits, means, shares, nodes. One such
//! line hangs from the word `further`. From two on they stand in directories, and the word holds the leader.
//!
//! ```text
//!                  words 0…                       13              14       15
//!   edges        │ 4 visits, 4 means, 4 shares, 4 nodes                              │
//!   directory    │ up to 13 lines of edges     │ bound's base │ bound's slope │ next │
//!   keys         │ up to 15 keys                                              │ next │
//! ```

use super::arena::{Arena, Line, LineId};
use super::edge::{Edge, EdgeRef, Estimate};
use super::nodes::NodeId;
use crate::bitboard::Four;
use crate::mcts::puct::{Bound, FourEdges, LANES};

/// Edges in a line of them.
pub const SLOTS: usize = LANES;

/// Slot of a node's first edge in its own line.
pub const FIRST_INLINE: usize = 2;

/// Edges in a node's own line.
pub const INLINE: usize = SLOTS - FIRST_INLINE;

/// Words of a node's own line, beside its first two edges.
pub mod word {
    /// Low byte: number of visited edges. The rest: number of all edges.
    pub const COUNTS: usize = 0;
    /// Without a directory, the line of further visited edges.
    pub const FURTHER: usize = 1;
    /// With a directory, the edge that had the best score when all were compared; 0 if that is not known.
    pub const LEADER: usize = FURTHER;
    /// The first directory, of a node with two or more lines of further edges.
    pub const DIRECTORY: usize = 4;
    /// The first line of keys.
    pub const KEYS: usize = 5;
    /// The edge that leads to the node; 0 for the root.
    pub const PARENT: usize = 8;
    /// [`super::super::edge::Softmax::inverse_sum`], an `f32`. The best estimate, which goes with it, is that of
    /// the first key.
    pub const INVERSE_SUM: usize = 9;
    /// Value of the first unvisited edge, an `f32`.
    pub const NEXT_VALUE: usize = 12;
    /// Prior of the first unvisited edge, an `f32`.
    pub const NEXT_PRIOR: usize = 13;
}

/// Words of an edge, at slot 0; those of other slots are so many words further.
pub mod field {
    /// Number of visits.
    pub const VISITS: usize = 0;
    /// Mean, an `f32`.
    pub const MEAN: usize = 4;
    /// Prior and half-move, see [`super::Edge::share_word`].
    pub const SHARE: usize = 8;
    /// The node that the edge leads to, once expanded.
    pub const NODE: usize = 12;
}

/// Words of a directory, behind the ids.
mod bound {
    pub const BASE: usize = 13;
    pub const SLOPE: usize = 14;
}

/// The word of a directory or of a line of keys that holds the next one.
pub const LINK: usize = 15;

/// Keys in a line of them.
pub const KEYS: usize = LINK;

/// Lines of edges in a directory.
pub const ENTRIES: usize = bound::BASE;

/// Most edges of a node: four amazons move, to at most 27 squares each.
pub const MAX_EDGES: usize = 4 * 27;

/// A line without an edge: no slot ever has the best score.
pub const NO_EDGES: Line = {
    let mut line = Line::ZERO;
    let mut slot = 0;
    while slot < SLOTS {
        line.0[field::MEAN + slot] = Edge::LOST.to_bits();
        slot += 1;
    }
    line
};

/// Number of visited edges of the node whose own line this is.
pub fn visited(own: &Line) -> usize {
    own.0[word::COUNTS] as usize & 0xff
}

/// Number of edges of the node whose own line this is.
pub fn total(own: &Line) -> usize {
    own.0[word::COUNTS] as usize >> 8
}

/// What the first unvisited edge starts with; meaningless if all are visited.
pub fn next(own: &Line) -> Estimate {
    Estimate {
        value: f32::from_bits(own.0[word::NEXT_VALUE]),
        prior: f32::from_bits(own.0[word::NEXT_PRIOR]),
    }
}

/// Writes down what the first unvisited edge starts with.
pub fn set_next(own: &mut Line, next: Estimate) {
    own.0[word::NEXT_VALUE] = next.value.to_bits();
    own.0[word::NEXT_PRIOR] = next.prior.to_bits();
}

/// The edge in a slot of a line.
#[inline(always)]
pub fn edge(line: &Line, slot: usize) -> Edge {
    let words = &line.0;
    let share = words[field::SHARE + slot];
    Edge {
        visits: words[field::VISITS + slot],
        mean: f32::from_bits(words[field::MEAN + slot]),
        prior: Edge::prior_of(share),
        half_move: Edge::half_move_of(share),
        node: NodeId::from_word(words[field::NODE + slot]),
    }
}

/// The statistics in all slots of a line.
#[inline(always)]
pub fn four_edges(line: &Line) -> FourEdges {
    statistics(
        slots(line, field::VISITS),
        slots(line, field::MEAN),
        slots(line, field::SHARE),
    )
}

/// The statistics of a node's first two edges, in the last two lanes.
#[inline(always)]
pub fn first_edges(own: &Line) -> FourEdges {
    let edges = |field, nothing| {
        let [_, _, first, second] = slots(own, field);
        [nothing, nothing, first, second]
    };
    statistics(
        edges(field::VISITS, 0),
        edges(field::MEAN, Edge::LOST.to_bits()),
        edges(field::SHARE, 0),
    )
}

/// The words of a field in all slots of a line.
#[inline(always)]
fn slots(line: &Line, field: usize) -> [u32; SLOTS] {
    *line.0[field..]
        .first_chunk()
        .expect("a field has a word for every slot")
}

/// Statistics from the words of their fields.
#[inline(always)]
fn statistics(visits: [u32; SLOTS], means: [u32; SLOTS], shares: [u32; SLOTS]) -> FourEdges {
    FourEdges {
        means: Four::from_bits(means),
        priors: Four::from(shares.map(Edge::prior_of)),
        visits_and_one: Four::after(visits),
    }
}

/// The first directory of a node, if it has one.
#[inline(always)]
pub fn directory(own: &Line) -> Option<LineId> {
    LineId::from_word(own.0[word::DIRECTORY])
}

/// The bound on the scores of all but the leader, from the node's first directory.
#[inline(always)]
pub fn bound_of_others(directory: &Line) -> Bound {
    Bound {
        base: f32::from_bits(directory.0[bound::BASE]),
        slope: f32::from_bits(directory.0[bound::SLOPE]),
    }
}

/// Writes the bound on the scores of all but the leader into the node's first directory.
#[inline(always)]
pub fn set_bound_of_others(directory: &mut Line, others: Bound) {
    directory.0[bound::BASE] = others.base.to_bits();
    directory.0[bound::SLOPE] = others.slope.to_bits();
}

/// Calls `visit` with every line of a node's further edges, in order.
#[inline(always)]
pub fn for_each_further_line(arena: &Arena, own: &Line, mut visit: impl FnMut(LineId)) {
    let mut left = visited(own).saturating_sub(INLINE).div_ceil(SLOTS);
    let mut directory = directory(own).map(|id| &arena[id].0);
    let mut ids = match directory {
        Some(words) => &words[..left.min(ENTRIES)],
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
        ids = directory.map_or(&[], |words| &words[..left.min(ENTRIES)]);
    }
}

/// Calls `visit` with the place and the statistics of every visited edge of a node, in the order of their first
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

/// Calls `visit` with every line that a node owns.
pub fn for_each_line(arena: &Arena, node: NodeId, mut visit: impl FnMut(LineId)) {
    let own = &arena[node];
    visit(node.line());
    for_each_further_line(arena, own, &mut visit);
    for chain in [word::DIRECTORY, word::KEYS] {
        let mut line = LineId::from_word(own.0[chain]);
        while let Some(id) = line {
            visit(id);
            line = LineId::from_word(arena[id].0[LINK]);
        }
    }
}
