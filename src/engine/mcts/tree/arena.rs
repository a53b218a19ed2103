//! Memory of the tree: an arena that allocates and frees lines of sixteen 32-bit words.

use super::nodes::NodeId;
use std::collections::TryReserveError;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// Size of an arena line in bytes: one cache line.
pub const LINE_BYTES: usize = size_of::<Line>();

/// One line of the arena: sixteen words. `tree/node.rs` defines their meaning.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Line(pub [u32; 16]);

impl Line {
    /// A line in which all words are 0.
    pub const ZERO: Line = Line([0; 16]);
}

/// Id of a line in the arena; never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineId(NonZeroU32);

impl LineId {
    /// Encodes an optional line id as a word of the arena; 0 stands for `None`.
    #[must_use]
    pub fn to_word(id: Option<LineId>) -> u32 {
        id.map_or(0, |id| id.0.get())
    }

    /// Decodes a word made by [`LineId::to_word`].
    #[must_use]
    pub fn from_word(word: u32) -> Option<LineId> {
        NonZeroU32::new(word).map(LineId)
    }

    /// Returns the index of the line in the arena, at least 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }
}

/// A fixed-capacity allocator of lines. Memory is reserved at creation; pages are touched only when their lines are
/// first used.
pub struct Arena {
    /// All lines that were ever used. Line 0 stays unused, so that no id is 0.
    lines: Vec<Line>,
    /// Maximum number of lines (blocks of 64 bytes) in use at the same time.
    pub(super) capacity: usize,
    /// Head of the linked list of free lines; the first word of a free line is the id of the next free line.
    free_head: Option<LineId>,
    free_count: usize,
}

impl Arena {
    /// Reserves memory for `capacity` lines without touching the memory.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    ///
    /// # Panics
    /// If `capacity` is 2^32 or more.
    pub fn with_capacity(capacity: usize) -> Result<Arena, TryReserveError> {
        assert!(u32::try_from(capacity).is_ok(), "ids have 32 bits");
        let mut lines = Vec::new();
        lines.try_reserve_exact(capacity + 1)?;
        lines.push(Line::ZERO);
        Ok(Arena {
            lines,
            capacity,
            free_head: None,
            free_count: 0,
        })
    }

    /// Returns the number of lines that can still be taken.
    #[must_use]
    pub fn available(&self) -> usize {
        self.capacity - self.in_use()
    }

    /// Returns the number of lines in use.
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.lines.len() - 1 - self.free_count
    }

    /// Allocates a line and writes `line` into it.
    ///
    /// # Panics
    /// If the arena is full.
    pub fn allocate(&mut self, line: Line) -> LineId {
        match self.free_head {
            Some(id) => {
                self.free_head = LineId::from_word(self[id].0[0]);
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

    /// Frees a line for reuse.
    pub fn free(&mut self, id: LineId) {
        self[id].0[0] = LineId::to_word(self.free_head);
        self.free_head = Some(id);
        self.free_count += 1;
    }

    /// Frees all lines.
    pub fn clear(&mut self) {
        self.lines.truncate(1);
        (self.free_head, self.free_count) = (None, 0);
    }

    /// Iterates over the list of freed lines.
    #[cfg(test)]
    pub fn free_lines(&self) -> impl Iterator<Item = LineId> {
        std::iter::successors(self.free_head, |&id| LineId::from_word(self[id].0[0]))
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

/// Indexing the arena by a node id gives the line that stores the node.
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
