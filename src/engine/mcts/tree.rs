//! The search tree ([`Tree`]). Its nodes and edges are stored in an arena: one array of 64-byte blocks, the size of a
//! cache line.
//!
//! A node owns these blocks:
//!
//! - its own block, with the data of the node and the statistics of the first two visited edges,
//! - edge blocks, each with the statistics of four further visited edges, stored field by field so that four edges are
//!   compared by one SIMD instruction,
//! - index blocks with the ids of the edge blocks, if there are two or more,
//! - a linked list of blocks with packed edges. A packed edge is four bytes: an amazon's move or arrow shot, and its
//!   estimate. Both the win probability of an unvisited edge and its prior grow with the estimate, so the unvisited edge
//!   with the best estimate is always the next one to visit. To select an edge, only the visited edges and this one are
//!   compared.
//!
//! A node with index blocks caches its edge with the highest PUCT score, and an upper bound on the scores of the other
//! edges. While the score of the cached edge stays above the bound, no other edge is read.
//!
//! Several threads may use a tree of atomic words at the same time, see [`Word`]. Each has a [`Supply`] of blocks for new
//! nodes. Only while no thread searches are supplies refilled, nodes removed, or the root advanced.
//!
//! Advancing the root takes little time: the old root only goes on a list of dead nodes. Blocks of dead nodes are freed
//! later, when the arena needs blocks. If no dead node is left, a sweep over the arena removes nodes with few visits.

mod arena;
mod best_edge;
mod edge;
mod growth;
mod node;
mod nodes;
mod reclaim;
mod supply;

pub use arena::{BLOCK_BYTES, Word};
pub use edge::{Action, Edge, EdgeRef, Estimate, PackedEdge, Softmax};
pub use node::MAX_EDGES;
pub use nodes::NodeId;
pub use supply::Supply;

use crate::board::{Move, Player, Square};
use arena::{Arena, BlockId};
use node::{
    LOCKED, edge, edge_count, edge_word, for_each_block, for_each_edge, next_estimate, node_word,
    visited_edges,
};
use nodes::LiveNodes;
use reclaim::sweep::Sweep;
use std::cell::Cell;
use std::collections::TryReserveError;

/// Minimum size of the tree's memory, in 64-byte blocks. It is enough for all nodes on one path from the root to a
/// leaf, and for the nodes that one iteration adds.
const MIN_BLOCKS: usize = 1024;

/// Minimum size of the tree's memory in bytes: 64 KiB.
pub const MIN_BYTES: usize = MIN_BLOCKS * BLOCK_BYTES;

/// Maximum size of the tree's memory, in 64-byte blocks. The location of an edge is encoded in 32 bits: 30 bits for the
/// index of its block, two for its slot in the block.
const MAX_BLOCKS: usize = (1 << 30) - 1;

/// Number of bytes (2 MiB) that must still be available to the rest of the process after the tree's memory is
/// allocated.
const HEADROOM: usize = 2 << 20;

/// The search tree: its nodes, which are stored in an arena of 64-byte blocks, and the id of the root node.
pub struct Tree<W = Cell<u32>> {
    arena: Arena<W>,
    /// Set of the live nodes: all nodes in memory except the dead nodes, which are listed in `dead`. A node becomes
    /// dead when it is cut off from the tree, or when the memory of its dead parent is freed. So the nodes below a dead
    /// node stay live for a while, although they are no longer in the tree.
    nodes: LiveNodes,
    /// List of the dead nodes, which were cut off from the tree but still occupy memory. The nodes below a dead node
    /// are added to the list when their parent is freed.
    dead: Vec<NodeId>,
    root: Option<NodeId>,
    root_visits: Box<W>,
    sweep: Sweep,
    // Buffer for the ids of the 64-byte blocks of a node that is being freed. It is a field only so that it need not be
    // allocated for every node.
    blocks: Vec<BlockId>,
}

impl<W: Word> Tree<W> {
    /// Creates an empty tree that takes at most about `bytes` of memory. If the allocation fails, tries half as much,
    /// and so on; [`Tree::capacity`] returns the memory that was allocated.
    ///
    /// # Panics
    /// If even the smallest tree, of 64 KiB, cannot be allocated.
    #[must_use]
    pub fn with_memory(bytes: usize) -> Tree<W> {
        let mut blocks = (bytes / BLOCK_BYTES).clamp(MIN_BLOCKS, MAX_BLOCKS);
        loop {
            match Tree::with_blocks(blocks) {
                Ok(tree) => return tree,
                Err(error) if blocks == MIN_BLOCKS => panic!("no memory for the tree: {error}"),
                Err(_) => blocks = (blocks / 2).max(MIN_BLOCKS),
            }
        }
    }

    /// Creates an empty tree with room for `blocks` 64-byte blocks, and reserves all memory that the tree will ever
    /// need.
    ///
    /// # Errors
    /// - If the memory cannot be allocated.
    /// - If less than [`HEADROOM`] bytes would be left for the rest of the process. Not checked for [`MIN_BLOCKS`] or
    ///   fewer blocks, so that the smallest tree is always tried.
    fn with_blocks(blocks: usize) -> Result<Tree<W>, TryReserveError> {
        let mut headroom = Vec::<u8>::new();
        if blocks > MIN_BLOCKS {
            headroom.try_reserve_exact(HEADROOM)?;
        }
        let mut dead = Vec::new();
        // Each dead node (cut off from the tree, but not freed yet) occupies at least two 64-byte blocks. So there are
        // at most `blocks / 2` dead nodes.
        dead.try_reserve_exact(blocks / 2)?;
        Ok(Tree {
            arena: Arena::with_capacity(blocks)?,
            nodes: LiveNodes::with_capacity(blocks)?,
            dead,
            root: None,
            root_visits: Box::default(),
            sweep: Sweep::START,
            blocks: Vec::new(),
        })
    }

    /// Returns the memory that was allocated for nodes, in bytes, whether it is occupied or not.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.arena.capacity * BLOCK_BYTES
    }

    /// Returns the memory in bytes that nodes occupy, including dead nodes: those that were cut off from the tree but
    /// not freed yet.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        self.arena.in_use() * BLOCK_BYTES
    }

    /// Returns the id of the root node. Returns `None` if the search has not yet created a node for the root position.
    #[must_use]
    pub const fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// Returns the number of visits of the root, at most [`Edge::MAX_VISITS`]. The tree below the root is kept from
    /// earlier turns of the game. So iterations that started at an earlier root and passed through this node count,
    /// too.
    #[must_use]
    pub fn root_visits(&self) -> u32 {
        self.root_visits.get()
    }

    /// Adds one to the number of visits of the root, which saturates at [`Edge::MAX_VISITS`].
    pub fn count_root_visit(&self) {
        self.root_visits.increment(Edge::MAX_VISITS);
    }

    /// Makes `node` the root of the tree. Does not free the previous root or the nodes below it.
    pub fn set_root(&mut self, node: NodeId) {
        self.root = Some(node);
    }

    /// Returns the number of edges of `node` that were visited at least once.
    #[must_use]
    pub fn visited_edges(&self, node: NodeId) -> usize {
        visited_edges(&self.arena[node])
    }

    /// Returns the number of edges of `node`, visited or not.
    #[must_use]
    pub fn edge_count(&self, node: NodeId) -> usize {
        edge_count(&self.arena[node])
    }

    /// Returns the initial win probability and the prior probability of the best unvisited edge of `node`. Both are the
    /// highest of all its unvisited edges. Returns `None` if all edges are visited.
    #[must_use]
    pub fn best_unvisited(&self, node: NodeId) -> Option<Estimate> {
        let own = &self.arena[node];
        (visited_edges(own) < edge_count(own)).then(|| next_estimate(own))
    }

    /// Returns the statistics of the visited edge at `location`, with its amazon's move or arrow shot.
    #[must_use]
    #[inline]
    pub fn edge(&self, location: EdgeRef) -> Edge {
        edge(&self.arena[location.block], location.slot())
    }

    /// Makes `node` the child node of the visited edge at `location`. Also stores `location` in the child node, as the
    /// edge that leads to it. If `node` is `None`, the edge loses its child node; the former child is not changed.
    pub fn set_child_node(&self, location: EdgeRef, node: Option<NodeId>) {
        let word = edge_word::CHILD + location.slot();
        self.arena[location.block].set(word, NodeId::to_word(node));
        if let Some(node) = node {
            self.arena[node].set(node_word::PARENT_EDGE, location.to_word());
        }
    }

    /// Sets the mean win probability of the visited edge at `location`, for the player who makes the amazon's move or
    /// arrow shot of the edge.
    #[inline]
    pub fn set_mean(&self, location: EdgeRef, mean: f32) {
        self.arena[location.block].set(edge_word::MEAN + location.slot(), mean.to_bits());
    }

    /// Adds one to the number of visits of the visited edge at `location`, which saturates at [`Edge::MAX_VISITS`].
    #[inline]
    pub fn count_visit(&self, location: EdgeRef) {
        let block = &self.arena[location.block];
        block.0[edge_word::VISITS + location.slot()].increment(Edge::MAX_VISITS);
    }

    /// Makes `child` the child node of the edge at `location`, an edge of `node`. If another thread has given the edge a
    /// child node in the meantime, discards `child`, which must be the latest node of `supply`. Returns the child node
    /// that the edge now has.
    #[inline]
    pub fn link_child(
        &self,
        supply: &mut Supply,
        node: NodeId,
        location: EdgeRef,
        child: NodeId,
    ) -> NodeId {
        self.with_lock(node, || {
            if W::SHARED
                && let Some(other) = self.edge(location).node
            {
                supply.nodes.pop();
                for_each_block(&self.arena, child, |block| supply.blocks.push(block));
                return other;
            }
            self.set_child_node(location, Some(child));
            child
        })
    }

    /// Calls `work` while no other thread has locked `node`, and returns its result. Without the lock, a thread may only
    /// read and set the statistics of edges that it knows. A thread must not lock two nodes at once.
    #[inline]
    pub fn with_lock<T>(&self, node: NodeId, work: impl FnOnce() -> T) -> T {
        let word = &self.arena[node].0[node_word::COUNTS];
        word.lock(LOCKED);
        let result = work();
        word.unlock(LOCKED);
        result
    }

    /// Returns the winner of the position at `node` if it follows from the node's edges. The side to move there,
    /// `to_move`, wins if one edge is a proven win, and loses if all edges are proven losses or if there are no edges.
    /// Otherwise returns `None`.
    ///
    /// If several threads use the tree, call it with a lock of `node`.
    pub fn proven_winner(&self, node: NodeId, to_move: Player) -> Option<Player> {
        // A proven loss (for the side to move) has the lowest possible estimate. So if even the best unvisited edge,
        // the one with the highest estimate, is a proven loss, all unvisited edges are.
        let unvisited = self.best_unvisited(node);
        let (mut won, mut all_lost) = (
            false,
            unvisited.is_none_or(|edge| edge.value == Edge::PROVEN_LOSS),
        );
        self.for_each_edge(node, |_, edge| {
            won |= edge.mean == Edge::PROVEN_WIN;
            all_lost &= edge.mean == Edge::PROVEN_LOSS;
        });
        if won {
            Some(to_move)
        } else {
            all_lost.then_some(!to_move)
        }
    }

    /// Calls `visit` with the location and the statistics of every visited edge of `node`, in the order of the first
    /// visits.
    #[inline]
    pub fn for_each_edge(&self, node: NodeId, visit: impl FnMut(EdgeRef, Edge)) {
        for_each_edge(&self.arena, node, visit);
    }

    /// Returns the location of the visited edge of `node` that moves an amazon from the square `from` to the square
    /// `to`. Returns `None` if there is no such edge, or if it was not visited yet.
    #[must_use]
    pub fn find_amazon(&self, node: NodeId, from: Square, to: Square) -> Option<EdgeRef> {
        self.find(node, &|action| action == Action::amazon(from, to))
    }

    /// Returns the location of the visited edge of `node` whose arrow lands on the square `target`. Returns `None` if
    /// there is no such edge, or if it was not visited yet. The edges of `node` must be arrow shots.
    #[must_use]
    pub fn find_arrow(&self, node: NodeId, target: Square) -> Option<EdgeRef> {
        self.find(node, &|action| action.to() == target)
    }

    /// Returns the location of the visited edge of `node` whose amazon's move or arrow shot satisfies the condition
    /// `matches`. If there are several, returns the one whose first visit was the latest. Returns `None` if no visited
    /// edge satisfies the condition.
    #[inline(never)]
    fn find(&self, node: NodeId, matches: &dyn Fn(Action) -> bool) -> Option<EdgeRef> {
        let mut found = None;
        self.for_each_edge(node, |at, edge| {
            if matches(edge.action) {
                found = Some(at);
            }
        });
        found
    }

    /// Makes the node of the position after the move `turn` the root of the tree, and cuts off all nodes that are not
    /// below it; their memory is freed later. If the tree has no such node, it becomes empty.
    pub fn advance_root(&mut self, turn: Move) {
        let kept = self.root.and_then(|root| {
            let amazon = self.find_amazon(root, turn.from, turn.to)?;
            let arrow = self.find_arrow(self.edge(amazon).node?, turn.arrow)?;
            let edge = self.edge(arrow);
            self.set_child_node(arrow, None);
            Some((edge.node, edge.visits))
        });
        if let Some(root) = self.root {
            self.mark_dead(root);
        }
        let (root, visits) = kept.unwrap_or((None, 0));
        self.root = root;
        self.root_visits.set(visits);
        if let Some(root) = self.root {
            self.arena[root].set(node_word::PARENT_EDGE, 0);
        }
    }

    /// Removes all nodes from the tree and frees all its 64-byte blocks.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.root = None;
        self.root_visits.set(0);
        self.dead.clear();
        self.nodes.clear();
        self.sweep = Sweep::START;
    }
}

#[cfg(test)]
mod tests {
    use super::node::for_each_block;
    use super::reclaim::RESERVED_BLOCKS;
    use super::supply::BLOCKS_ALONE;
    use super::*;
    use crate::board::Board;
    use crate::mcts::{Params, Search, Worker};
    use crate::movegen;
    use std::sync::atomic::AtomicU32;
    use std::thread;

    /// Marks the 64-byte block `block` as used: sets its element of `seen` to true. Panics if it was true before,
    /// because then two nodes use this block.
    fn mark_block(block: BlockId, seen: &mut [bool]) {
        let is_seen = std::mem::replace(&mut seen[block.index()], true);
        assert!(!is_seen, "{block:?} is used twice");
    }

    /// Marks all 64-byte blocks of `node`, and of all nodes below it, as used: sets their elements of `seen` to true.
    /// Also checks that every child node stores the location of the edge that leads to it.
    fn mark<W: Word>(tree: &Tree<W>, node: NodeId, seen: &mut [bool]) {
        for_each_block(&tree.arena, node, |block| mark_block(block, seen));
        let mut below = Vec::new();
        tree.for_each_edge(node, |at, edge| {
            below.extend(edge.node);
            if let Some(node) = edge.node {
                assert!(
                    tree.nodes.contains(node),
                    "{node:?} does not count as living"
                );
                assert_eq!(tree.arena[node].get(node_word::PARENT_EDGE), at.to_word());
            }
        });
        below.into_iter().for_each(|node| mark(tree, node, seen));
    }

    /// Checks that every 64-byte block of the tree's memory is either free or belongs to exactly one node. Nodes that
    /// were cut off but not yet freed count, too.
    fn account_for_all_blocks<W: Word>(tree: &Tree<W>) {
        let free = tree.arena.freed();
        let mut seen = vec![false; tree.arena.in_use() + free.len() + 1];
        seen[0] = true;
        for &node in tree.root.iter().chain(&tree.dead) {
            mark(tree, node, &mut seen);
        }
        free.iter().for_each(|&block| mark_block(block, &mut seen));
        assert!(seen.into_iter().all(|seen| seen), "a block is lost");
    }

    /// Tests if less memory is free than one thread gets at once.
    fn is_full<W: Word>(tree: &Tree<W>) -> bool {
        tree.arena.available() < BLOCKS_ALONE + RESERVED_BLOCKS
    }

    /// Plays a whole game with the moves of `search`, which `run` makes search each position. Checks after every search
    /// and every move that no block is lost. Returns the number of searches after which the arena was full.
    fn play_game<W: Word>(mut search: Search<W>, run: impl Fn(&mut Search<W>)) -> usize {
        let mut full = 0;
        let room_for_dead = search.shared.tree.dead.capacity();
        while movegen::count(search.board()) > 0 {
            run(&mut search);
            account_for_all_blocks(search.tree());
            full += usize::from(is_full(search.tree()));
            let turn = search.best_move().expect("there are moves");
            search.advance_root(turn).expect("the best move is legal");
            account_for_all_blocks(search.tree());
        }
        assert_eq!(search.shared.tree.dead.capacity(), room_for_dead);
        full
    }

    #[test]
    fn full_arena_loses_no_block_during_a_game() {
        let search = Search::new(Board::start(), 1 << 18, 1, Params::default());
        let full = play_game(search, |search| search.run(|done| done < 2_000));
        assert!(full > 10, "the arena was full only {full} times");
    }

    /// Checks that threads which share a tree give no block to two nodes and lose none, even while they add the same
    /// nodes and edges at the same time and removed nodes make room for new ones.
    #[test]
    fn several_threads_lose_no_block_during_a_game() {
        let search = Search::for_threads(4, Board::start(), 1 << 18, 1, Params::default());
        let rounds = Cell::new(0);
        let run = |search: &mut Search<AtomicU32>| {
            search.begin();
            for _ in 0..40 {
                if search.winner().is_some() {
                    break;
                }
                rounds.set(rounds.get() + 1);
                search.run_round(|shared, workers| {
                    thread::scope(|scope| {
                        let run =
                            |worker| scope.spawn(|| Worker::run(worker, shared, &mut |_| true));
                        let threads: Vec<_> = workers.iter_mut().map(run).collect();
                        let winners = threads.into_iter().map(|thread| thread.join());
                        winners.fold(None, |winner, other| winner.or(other.expect("no panic")))
                    })
                });
            }
        };
        play_game(search, run);
        assert!(rounds.get() > 400, "only {} rounds", rounds.get());
    }

    /// Sets the number of visits of every visited edge of `node`, and of all nodes below it, to `visits`.
    fn set_visits(tree: &Tree, node: NodeId, visits: u32) {
        let mut edges = Vec::new();
        tree.for_each_edge(node, |at, edge| edges.push((at, edge)));
        for (at, edge) in edges {
            let word = edge_word::VISITS + at.slot();
            tree.arena[at.block].set(word, visits);
            if let Some(node) = edge.node {
                set_visits(tree, node, visits);
            }
        }
    }

    /// Checks that the search still works after edges have reached [`Edge::MAX_VISITS`], the maximum that their visit
    /// counters can hold. The search must run on, and must not take an unproven edge for a proven one.
    #[test]
    fn saturated_visit_counters_cause_no_false_proofs() {
        let mut search = Search::new(Board::start(), 1 << 18, 1, Params::default());
        search.run(|done| done < 1_000);
        assert!(is_full(&search.shared.tree));
        let root = search.shared.tree.root().expect("searched");
        // Turns all edges of the root into visited edges. Otherwise, the search would choose an unvisited edge rather
        // than one with billions of visits.
        let (value, prior) = (0.1, 0.01);
        let mut supply = Supply::default();
        let tree = &mut search.shared.tree;
        while tree.best_unvisited(root).is_some() {
            if supply.is_low() {
                tree.take_back(&mut supply);
                let (blocks, _) = tree.make_room(1);
                tree.fill(&mut supply, blocks);
            }
            let poor = |_, _| Estimate { value, prior };
            tree.expand_edge(&mut supply, root, poor);
        }
        tree.take_back(&mut supply);
        let near = Edge::MAX_VISITS - 100;
        set_visits(&search.shared.tree, root, near);
        search.shared.tree.root_visits.set(near);
        let edges = |search: &Search| {
            let mut edges = Vec::new();
            search
                .shared
                .tree
                .for_each_edge(root, |_, edge| edges.push(edge));
            edges
        };
        let before = edges(&search);
        search.run(|done| done < 1_000);
        assert_eq!(search.report().iterations, 1_000, "nothing is proven");
        assert_eq!(search.winner(), None);
        assert_eq!(search.shared.tree.root_visits(), Edge::MAX_VISITS);
        let after = edges(&search);
        let most = after.iter().map(|edge| edge.visits).max();
        assert_eq!(most, Some(Edge::MAX_VISITS), "one was chosen often");
        for (before, after) in before.iter().zip(&after) {
            assert!(after.visits >= before.visits, "{after:?}");
            assert!((0.0..=1.0).contains(&after.mean), "{after:?}");
            // A thousand iterations must hardly change the mean, because it is the mean of more than two billion
            // results.
            assert!((before.mean - after.mean).abs() < 1e-4, "{after:?}");
        }
        let turn = search.best_move().expect("there are moves");
        search.advance_root(turn).expect("the best move is legal");
    }
}
