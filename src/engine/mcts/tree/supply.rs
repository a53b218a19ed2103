//! Memory of one thread ([`Supply`]): the blocks that it may use for new nodes, and the nodes that it has created. So
//! threads need not wait for each other to allocate memory.

use super::Tree;
use super::arena::{BlockId, Word, Words};
use super::nodes::NodeId;
use super::reclaim::RESERVED_BLOCKS;

/// Number of 64-byte blocks that a thread gets at once if it is the only one. Few are enough, as it never waits.
pub(super) const BLOCKS_ALONE: usize = 64;

/// Maximum number of 64-byte blocks that each thread gets at once if several share the tree, 1 MiB. When one thread has
/// used its blocks up, all threads stop to get new ones.
const BLOCKS_SHARED: usize = 1 << 14;

/// Denominator of the part of the tree's memory, 1/8, that all threads together get at once at most.
const MAX_SHARE: usize = 8;

/// Blocks of the tree's memory that one thread may use for new nodes, and the nodes that it has created since it got
/// these blocks.
#[derive(Default)]
pub struct Supply {
    /// Ids of the blocks; the last one is used first.
    pub(super) blocks: Vec<BlockId>,
    /// Nodes that the thread has created. They are not yet in the tree's set of live nodes.
    pub(super) nodes: Vec<NodeId>,
}

impl Supply {
    /// Tests if the blocks may not suffice for one iteration of the search.
    #[inline]
    #[must_use]
    pub fn is_low(&self) -> bool {
        self.blocks.len() < RESERVED_BLOCKS
    }
}

impl<W: Word> Tree<W> {
    /// Takes a block from `supply`, fills it with `words`, and returns its id.
    ///
    /// # Panics
    /// If the supply is empty, because [`Tree::fill`] was not called before this iteration.
    #[inline(never)]
    pub(super) fn allocate(&self, supply: &mut Supply, words: Words) -> BlockId {
        let id = supply.blocks.pop().expect("the supply was filled");
        for (word, value) in self.arena[id].0.iter().zip(words) {
            word.set(value);
        }
        id
    }

    /// Takes back the blocks of a thread's supply, and adds its nodes to the set of live nodes.
    pub fn take_back(&mut self, supply: &mut Supply) {
        // The arena hands out first the blocks that were freed last. So the next supply gets the same blocks again, not
        // others.
        self.arena.free(&mut supply.blocks);
        supply.nodes.iter().for_each(|&node| self.nodes.add(node));
        supply.nodes.clear();
    }

    /// Makes room for the supplies of `threads` threads, which must have been taken back: if too few blocks are free,
    /// removes nodes with few visits from the tree.
    ///
    /// Returns two numbers. First: the number of blocks for each thread, to be passed to [`Tree::fill`]. Second: the
    /// number of visits from which on edges have kept their child nodes, see `Tree::reclaim`.
    ///
    /// # Panics
    /// If the tree is too small for so many threads.
    pub fn make_room(&mut self, threads: usize) -> (usize, u32) {
        if !W::SHARED {
            return (BLOCKS_ALONE, self.reclaim(RESERVED_BLOCKS));
        }
        let share = BLOCKS_SHARED.min(self.arena.capacity / (MAX_SHARE * threads));
        assert!(
            share >= RESERVED_BLOCKS,
            "a tree for {threads} threads is larger"
        );
        (share, self.reclaim(share * threads))
    }

    /// Gives an empty supply `blocks` blocks, or as many as are free.
    pub fn fill(&mut self, supply: &mut Supply, blocks: usize) {
        self.arena.take(blocks, &mut supply.blocks);
    }
}
