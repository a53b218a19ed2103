//! The memory of the tree: lines of sixteen words, taken and given back one by one.

use super::nodes::NodeId;
use std::collections::TryReserveError;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// Bytes of a line, the unit of the arena: a cache line.
pub const LINE_BYTES: usize = size_of::<Line>();

/// Sixteen words; what they mean is the tree's affair.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Line(pub [u32; 16]);

impl Line {
    /// A line of zeros.
    pub const ZERO: Line = Line([0; 16]);
}

/// The id of a line in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineId(NonZeroU32);

impl LineId {
    /// An id, or none, as a word.
    #[must_use]
    pub fn to_word(id: Option<LineId>) -> u32 {
        id.map_or(0, |id| id.0.get())
    }

    /// The id, or none, that [`LineId::to_word`] made a word of.
    #[must_use]
    pub fn from_word(word: u32) -> Option<LineId> {
        NonZeroU32::new(word).map(LineId)
    }

    /// A number of its own for every line, from 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }
}

/// Lines, in use or free. Never takes more memory than it was made with, and only touches what is used.
pub struct Arena {
    /// The first line is never used: no id is 0.
    lines: Vec<Line>,
    /// Number of lines, in use or not.
    pub(super) capacity: usize,
    /// The first line of the list of the free; the first word of each leads to the next.
    free: Option<LineId>,
    free_count: usize,
}

impl Arena {
    /// An arena of so many lines, all of them reserved and none of them touched.
    ///
    /// # Errors
    /// If there is no memory for them.
    ///
    /// # Panics
    /// If they are more than 2^32.
    pub fn with_capacity(capacity: usize) -> Result<Arena, TryReserveError> {
        assert!(u32::try_from(capacity).is_ok(), "ids have 32 bits");
        let mut lines = Vec::new();
        lines.try_reserve_exact(capacity + 1)?;
        lines.push(Line::ZERO);
        Ok(Arena {
            lines,
            capacity,
            free: None,
            free_count: 0,
        })
    }

    /// Number of lines that can be taken.
    #[must_use]
    pub fn available(&self) -> usize {
        self.capacity - self.in_use()
    }

    /// Number of lines that were taken and not given back.
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.lines.len() - 1 - self.free_count
    }

    /// Takes a line and fills it.
    ///
    /// # Panics
    /// If none is available.
    pub fn take(&mut self, line: Line) -> LineId {
        match self.free {
            Some(id) => {
                self.free = LineId::from_word(self[id].0[0]);
                self.free_count -= 1;
                self[id] = line;
                id
            }
            None => {
                assert!(self.lines.len() <= self.capacity, "the arena is full");
                let id = LineId::from_word(self.lines.len() as u32);
                self.lines.push(line);
                id.expect("the first line is never taken")
            }
        }
    }

    /// Gives a line back.
    pub fn give_back(&mut self, id: LineId) {
        self[id].0[0] = LineId::to_word(self.free);
        self.free = Some(id);
        self.free_count += 1;
    }

    /// Gives back all lines.
    pub fn clear(&mut self) {
        self.lines.truncate(1);
        (self.free, self.free_count) = (None, 0);
    }

    /// The free lines that were in use before.
    #[cfg(test)]
    pub fn free_lines(&self) -> impl Iterator<Item = LineId> {
        std::iter::successors(self.free, |&id| LineId::from_word(self[id].0[0]))
    }
}

impl Index<LineId> for Arena {
    type Output = Line;

    #[inline(always)]
    fn index(&self, id: LineId) -> &Line {
        &self.lines[id.index()]
    }
}

impl IndexMut<LineId> for Arena {
    #[inline(always)]
    fn index_mut(&mut self, id: LineId) -> &mut Line {
        &mut self.lines[id.index()]
    }
}

/// A node's own line.
impl Index<NodeId> for Arena {
    type Output = Line;

    #[inline(always)]
    fn index(&self, node: NodeId) -> &Line {
        &self[node.line()]
    }
}

impl IndexMut<NodeId> for Arena {
    #[inline(always)]
    fn index_mut(&mut self, node: NodeId) -> &mut Line {
        &mut self[node.line()]
    }
}
