//! Memory of the search tree: an arena that allocates and frees blocks of 64 bytes, each sixteen 32-bit words.

use super::nodes::NodeId;
use std::cell::Cell;
use std::collections::TryReserveError;
use std::num::NonZeroU32;
use std::ops::Index;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// Size of a block of the tree's arena in bytes: 64, one cache line.
pub const BLOCK_BYTES: usize = size_of::<Block<Cell<u32>>>();

/// Content of a 64-byte block of the tree's memory: sixteen 32-bit words.
pub type Words = [u32; 16];

/// A 32-bit word of the tree's memory. The type decides how many threads may use a tree: one if its words are
/// [`Cell`]s, any number if they are atomic. Cells are faster, because the compiler may read several at once.
pub trait Word: Default {
    /// True if several threads may use a tree of such words at the same time.
    const SHARED: bool;

    /// Returns the value of the word.
    #[must_use]
    fn get(&self) -> u32;

    /// Sets the value of the word.
    fn set(&self, value: u32);

    /// Adds one to the value of the word if it is below `max`.
    fn increment(&self, max: u32);

    /// Waits until the bit `bit` is 0, and sets it. Does nothing if only one thread uses the tree.
    fn lock(&self, bit: u32);

    /// Sets the bit `bit` to 0. Does nothing if only one thread uses the tree.
    fn unlock(&self, bit: u32);
}

impl Word for Cell<u32> {
    const SHARED: bool = false;

    #[inline(always)]
    fn get(&self) -> u32 {
        Cell::get(self)
    }

    #[inline(always)]
    fn set(&self, value: u32) {
        Cell::set(self, value);
    }

    #[inline(always)]
    fn increment(&self, max: u32) {
        Cell::set(self, Cell::get(self) + u32::from(Cell::get(self) < max));
    }

    #[inline(always)]
    fn lock(&self, _: u32) {}

    #[inline(always)]
    fn unlock(&self, _: u32) {}
}

impl Word for AtomicU32 {
    const SHARED: bool = true;

    #[inline(always)]
    fn get(&self) -> u32 {
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, value: u32) {
        self.store(value, Ordering::Relaxed);
    }

    #[inline]
    fn increment(&self, max: u32) {
        let next = |value| (value < max).then_some(value + 1);
        let _ = self.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    }

    #[inline]
    fn lock(&self, bit: u32) {
        while self.fetch_or(bit, Ordering::Acquire) & bit != 0 {
            thread::yield_now();
        }
    }

    #[inline]
    fn unlock(&self, bit: u32) {
        self.fetch_and(!bit, Ordering::Release);
    }
}

/// A block of the tree's memory: sixteen 32-bit words, aligned to a cache line of 64 bytes. The file `tree/node.rs`
/// describes what each word contains.
#[derive(Default)]
#[repr(align(64))]
pub struct Block<W>(pub [W; 16]);

impl<W: Word> Block<W> {
    /// Returns the value of the word with the index `word`, from 0 to 15.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, word: usize) -> u32 {
        self.0[word].get()
    }

    /// Sets the value of the word with the index `word`, from 0 to 15.
    #[inline(always)]
    pub fn set(&self, word: usize, value: u32) {
        self.0[word].set(value);
    }
}

/// Id of a 64-byte block of the arena: its index. It is never 0, so that a stored word 0 can mean "no block".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockId(NonZeroU32);

impl BlockId {
    /// Encodes the id of a 64-byte block, or `None`, as a 32-bit word that the arena can store: the index of the block,
    /// or 0.
    #[must_use]
    pub fn to_word(id: Option<BlockId>) -> u32 {
        id.map_or(0, |id| id.0.get())
    }

    /// Decodes a word that [`BlockId::to_word`] made. Returns `None` for the word 0.
    #[must_use]
    pub fn from_word(word: u32) -> Option<BlockId> {
        NonZeroU32::new(word).map(BlockId)
    }

    /// Returns the index of the block in the arena, at least 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }
}

/// An allocator of 64-byte blocks with fixed capacity. The memory is reserved at creation, but the system provides each
/// page only when a block in it is first used.
pub struct Arena<W> {
    /// All blocks that were allocated since the arena was created or cleared, including those that were freed in the
    /// meantime. The index is the block's id. Block 0 is a placeholder that is never allocated, so that no id is 0.
    blocks: Vec<Block<W>>,
    /// Maximum number of 64-byte blocks that can be allocated at the same time.
    pub(super) capacity: usize,
    /// Ids of the freed blocks, which are reused before new ones are allocated, the last one first. They are an array,
    /// not a list that is linked through the blocks: taking a block from such a list costs a cache miss.
    freed: Vec<BlockId>,
}

impl<W: Word> Arena<W> {
    /// Creates an arena of `capacity` blocks. Reserves the memory without touching it.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    ///
    /// # Panics
    /// If `capacity` is 2^32 or more.
    pub fn with_capacity(capacity: usize) -> Result<Arena<W>, TryReserveError> {
        assert!(u32::try_from(capacity).is_ok(), "ids have 32 bits");
        let (mut blocks, mut freed) = (Vec::new(), Vec::new());
        blocks.try_reserve_exact(capacity + 1)?;
        freed.try_reserve_exact(capacity)?;
        blocks.push(Block::default());
        Ok(Arena {
            blocks,
            capacity,
            freed,
        })
    }

    /// Returns the number of 64-byte blocks that can still be allocated before the arena is full.
    #[must_use]
    pub fn available(&self) -> usize {
        self.capacity - self.in_use()
    }

    /// Returns the number of 64-byte blocks that are allocated and not freed.
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.blocks.len() - 1 - self.freed.len()
    }

    /// Takes `count` 64-byte blocks from the arena, or as many as are available, and appends their ids to `ids`, the one
    /// to use first at the end. Their contents are arbitrary. Takes freed blocks first.
    pub fn take(&mut self, count: usize, ids: &mut Vec<BlockId>) {
        let kept = self.freed.len().saturating_sub(count);
        let reused = self.freed.drain(kept..);
        let start = self.blocks.len();
        let end = (start + count - reused.len()).min(self.capacity + 1);
        self.blocks.resize_with(end, Block::default);
        // The first id is 1, because block 0 is a placeholder.
        let fresh = (start as u32 - 1..end as u32 - 1).rev();
        ids.extend(fresh.map(|number| BlockId(NonZeroU32::MIN.saturating_add(number))));
        ids.extend(reused);
    }

    /// Frees the 64-byte blocks in `ids` for reuse, the last one first, and empties `ids`. The caller must not use these
    /// blocks afterwards.
    pub fn free(&mut self, ids: &mut Vec<BlockId>) {
        self.freed.append(ids);
    }

    /// Frees all blocks of the arena.
    pub fn clear(&mut self) {
        self.blocks.truncate(1);
        self.freed.clear();
    }

    /// Returns the ids of the blocks that were freed and not allocated again.
    #[cfg(test)]
    pub fn freed(&self) -> &[BlockId] {
        &self.freed
    }
}

impl<W: Word> Index<BlockId> for Arena<W> {
    type Output = Block<W>;

    #[inline(always)]
    fn index(&self, id: BlockId) -> &Block<W> {
        &self.blocks[id.index()]
    }
}

/// Gives access to the node's own 64-byte block by `arena[node]`. This block stores the data of the node and of its
/// first two visited edges.
impl<W: Word> Index<NodeId> for Arena<W> {
    type Output = Block<W>;

    #[inline(always)]
    fn index(&self, node: NodeId) -> &Block<W> {
        &self[node.block()]
    }
}
