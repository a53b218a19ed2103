//! What the words of a node's lines mean.

use crate::eval::MAX_BATCH;
use crate::mcts::arena::{Arena, Line, LineId};
use crate::mcts::child::Estimate;
use crate::mcts::statistics::{FIRST_INLINE, SLOTS};

/// Children whose statistics lie in the node's own line.
pub const INLINE: usize = SLOTS - FIRST_INLINE;

/// Words of a node's own line, beside the statistics of two children.
pub mod word {
    /// Number of children that were visited: the first so many keys; and 256 times the number of all.
    pub const COUNTS: usize = 0;
    /// Without a directory, the line with statistics of further children.
    pub const STATISTICS: usize = 1;
    /// With a directory, the child that had the best score when all were compared, see
    /// [`super::ChildRef::to_word`]; 0 if that is not remembered.
    pub const LEADER: usize = STATISTICS;
    /// The first directory of lines with statistics, where there are two or more.
    pub const DIRECTORY: usize = 4;
    /// The first line of keys.
    pub const KEYS: usize = 5;
    /// The child whose node it is, see [`super::ChildRef::to_word`]; 0 for the root.
    pub const PARENT: usize = 8;
    /// [`crate::mcts::Softmax::inverse_sum`], an `f32`; the best key, needed to go with it, is the first.
    pub const INVERSE_SUM: usize = 9;
    /// Value of the best child that was not visited yet, an `f32`.
    pub const NEXT_VALUE: usize = 12;
    /// Prior of the same.
    pub const NEXT_PRIOR: usize = 13;
}

/// The word of a line that leads to the next one of its chain.
pub const LINK: usize = 15;

/// Keys in a line of them.
pub const KEYS: usize = LINK;

/// Ids in a directory.
pub const ENTRIES: usize = 13;

/// Words of a node's first directory, beside the ids: the line over exploration that no score but the leader's
/// exceeds.
pub mod others {
    /// [`crate::mcts::statistics::Bound::base`].
    pub const BASE: usize = 13;
    /// [`crate::mcts::statistics::Bound::slope`].
    pub const SLOPE: usize = 14;
}

/// Most lines with statistics of a node, its own counted.
pub const MAX_STATISTICS: usize = 1 + (MAX_BATCH - INLINE).div_ceil(SLOTS);

/// Where the statistics of a visited child lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildRef {
    /// The line.
    pub(super) line: LineId,
    /// Its slot there.
    pub(super) slot: u8,
}

impl ChildRef {
    /// A slot of a line.
    pub fn new(line: LineId, slot: usize) -> ChildRef {
        ChildRef {
            line,
            slot: slot as u8,
        }
    }

    /// The word of the line that holds a field of the slot.
    #[inline(always)]
    pub const fn word(self, field: usize) -> usize {
        field + self.slot as usize % SLOTS
    }

    /// The place as a word of the arena, never 0.
    pub fn to_word(self) -> u32 {
        LineId::to_word(Some(self.line)) << 2 | u32::from(self.slot)
    }

    /// The place, or none, that [`ChildRef::to_word`] made a word of.
    pub fn from_word(word: u32) -> Option<ChildRef> {
        let line = LineId::from_word(word >> 2)?;
        Some(ChildRef::new(line, word as usize % SLOTS))
    }
}

/// Calls `visit` with every line that has statistics of a node's children, its own left out, in order.
#[inline(always)]
pub fn for_each_statistics_line(arena: &Arena, own: &Line, mut visit: impl FnMut(LineId)) {
    let mut lines = statistics_lines(visited(own));
    let mut directory = LineId::from_word(own.0[word::DIRECTORY]);
    if directory.is_none() && lines > 0 {
        LineId::from_word(own.0[word::STATISTICS])
            .into_iter()
            .for_each(&mut visit);
    }
    while let Some(id) = directory {
        let words = &arena[id].0;
        for &word in &words[..lines.min(ENTRIES)] {
            LineId::from_word(word).into_iter().for_each(&mut visit);
        }
        lines = lines.saturating_sub(ENTRIES);
        directory = LineId::from_word(words[LINK]);
    }
}

/// Number of visited children of the node whose own line this is.
pub fn visited(own: &Line) -> usize {
    own.0[word::COUNTS] as usize & 0xff
}

/// Number of children of the node whose own line this is.
pub fn total(own: &Line) -> usize {
    own.0[word::COUNTS] as usize >> 8
}

/// Number of lines with statistics, beside its own, of a node with so many visited children.
pub fn statistics_lines(visited: usize) -> usize {
    visited.saturating_sub(INLINE).div_ceil(SLOTS)
}

/// Writes down what the best child that was not visited yet starts with.
pub fn set_next(own: &mut Line, next: Estimate) {
    own.0[word::NEXT_VALUE] = next.value.to_bits();
    own.0[word::NEXT_PRIOR] = next.prior.to_bits();
}
