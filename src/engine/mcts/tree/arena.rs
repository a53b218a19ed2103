//! Memory of the search tree: an arena that allocates and frees blocks of 64 bytes, each sixteen 32-bit words.

use super::nodes::NodeId;
use std::collections::TryReserveError;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// Size of a block of the tree's arena in bytes: 64, one cache line.
pub const BLOCK_BYTES: usize = size_of::<Block>();

/// A block of the tree's memory: sixteen 32-bit words, aligned to a cache line of 64 bytes. The file `tree/node.rs`
/// describes what each word contains.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Block(pub [u32; 16]);

impl Block {
    /// A block whose sixteen words are 0.
    pub const ZERO: Block = Block([0; 16]);
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
pub struct Arena {
    /// All blocks that were allocated since the arena was created or cleared, including those that were freed in the
    /// meantime. The index is the block's id. Block 0 is a placeholder that is never allocated, so that no id is 0.
    blocks: Vec<Block>,
    /// Maximum number of 64-byte blocks that can be allocated at the same time.
    pub(super) capacity: usize,
    /// First block of the linked list of freed blocks, which are reused before new ones are allocated; the first word
    /// of each block is the id of the next. `None` if there are no freed blocks.
    free_head: Option<BlockId>,
    free_count: usize,
}

impl Arena {
    /// Creates an arena of `capacity` blocks. Reserves the memory without touching it.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    ///
    /// # Panics
    /// If `capacity` is 2^32 or more.
    pub fn with_capacity(capacity: usize) -> Result<Arena, TryReserveError> {
        assert!(u32::try_from(capacity).is_ok(), "ids have 32 bits");
        let mut blocks = Vec::new();
        blocks.try_reserve_exact(capacity + 1)?;
        blocks.push(Block::ZERO);
        Ok(Arena {
            blocks,
            capacity,
            free_head: None,
            free_count: 0,
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
        self.blocks.len() - 1 - self.free_count
    }

    /// Allocates a 64-byte block with the content `block`, and returns its id.
    ///
    /// # Panics
    /// If the arena is full.
    pub fn allocate(&mut self, block: Block) -> BlockId {
        match self.free_head {
            Some(id) => {
                self.free_head = BlockId::from_word(self[id].0[0]);
                self.free_count -= 1;
                self[id] = block;
                id
            }
            None => {
                assert!(self.blocks.len() <= self.capacity, "the arena is full");
                let id = BlockId::from_word(self.blocks.len() as u32);
                self.blocks.push(block);
                id.expect("the first block is never taken")
            }
        }
    }

    /// Frees the 64-byte block `id` for reuse. The caller must not use `id` afterwards.
    pub fn free(&mut self, id: BlockId) {
        self[id].0[0] = BlockId::to_word(self.free_head);
        self.free_head = Some(id);
        self.free_count += 1;
    }

    /// Frees all blocks of the arena.
    pub fn clear(&mut self) {
        self.blocks.truncate(1);
        (self.free_head, self.free_count) = (None, 0);
    }

    /// Iterates over the ids of the blocks that were freed and not allocated again.
    #[cfg(test)]
    pub fn free_blocks(&self) -> impl Iterator<Item = BlockId> {
        std::iter::successors(self.free_head, |&id| BlockId::from_word(self[id].0[0]))
    }
}

impl Index<BlockId> for Arena {
    type Output = Block;

    #[inline(always)]
    fn index(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }
}

impl IndexMut<BlockId> for Arena {
    #[inline(always)]
    fn index_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.index()]
    }
}

/// Gives access to the node's own 64-byte block by `arena[node]`. This block stores the data of the node and of its
/// first two visited edges.
impl Index<NodeId> for Arena {
    type Output = Block;

    #[inline(always)]
    fn index(&self, node: NodeId) -> &Block {
        &self[node.block()]
    }
}

impl IndexMut<NodeId> for Arena {
    #[inline(always)]
    fn index_mut(&mut self, node: NodeId) -> &mut Block {
        &mut self[node.block()]
    }
}
