//! The search tree: nodes and edges in one arena of 64-byte lines, the size of a cache line.
//!
//! An expanded node owns
//!
//! - one line of its own, with the data of the node and the statistics of its first two edges,
//! - lines with the statistics of four further edges each, stored field by field, so that selection compares four edges
//!   with one SIMD instruction,
//! - directories with the ids of these edge lines, from the second edge line on, so that no edge line has to be loaded
//!   to find the next one,
//! - a linked list of lines with packed edges. A packed edge is four bytes for an edge that was never visited: its
//!   half-move and its estimate. The unvisited edge with the best estimate has both the best value and the best prior,
//!   so it is always the next one to visit. Selection compares only the visited edges and this one.
//!
//! A node with many edges stores its leader, the edge with the best score, and an upper bound on the scores of the
//! other edges. While the leader's score stays above the bound, selection reads no other edge.
//!
//! Advancing the root is a constant-time operation: the old root goes on a list of dead nodes. Their lines are freed
//! later, when the arena needs lines. If no dead node is left, a sweep over the arena removes nodes with few visits.

mod arena;
mod edge;
mod growth;
mod leader;
mod node;
mod nodes;
mod reclaim;

pub use arena::LINE_BYTES;
pub use edge::{Edge, EdgeRef, Estimate, HalfMove, PackedEdge, Softmax};
pub use node::MAX_EDGES;
pub use nodes::NodeId;

use crate::board::{Move, Square};
use arena::{Arena, LineId};
use node::{edge, field, for_each_edge, next, total, visited, word};
use nodes::LiveNodes;
use reclaim::sweep::Sweep;
use std::collections::TryReserveError;

/// Minimum number of lines (blocks of 64 bytes) of an arena: enough for the nodes on one path from the root to a leaf, and
/// for the nodes that an iteration adds.
const MIN_LINES: usize = 1024;

/// Maximum number of lines of an arena: an [`EdgeRef`] has 32 bits, of which the slot takes two.
const MAX_LINES: usize = (1 << 30) - 1;

/// Memory that must stay free for the rest of the process after the tree is allocated, in bytes.
const HEADROOM: usize = 2 << 20;

/// The search tree: an arena of lines, and the root node in it.
pub struct Tree {
    arena: Arena,
    /// Set of all live nodes.
    nodes: LiveNodes,
    /// Roots of subtrees that are no longer in use, and whose lines are still to be freed.
    dead: Vec<NodeId>,
    root: Option<NodeId>,
    root_visits: u32,
    sweep: Sweep,
    // Scratch buffer for the lines of a node that is being freed.
    lines: Vec<LineId>,
}

impl Tree {
    /// Creates an empty tree that never takes more than about `bytes` of memory. If the allocation fails, tries half as
    /// much, and so on; [`Tree::capacity`] returns what was allocated.
    ///
    /// # Panics
    /// If even the smallest tree cannot be allocated.
    #[must_use]
    pub fn with_memory(bytes: usize) -> Tree {
        let mut lines = (bytes / LINE_BYTES).clamp(MIN_LINES, MAX_LINES);
        loop {
            match Tree::with_lines(lines) {
                Ok(tree) => return tree,
                Err(error) if lines == MIN_LINES => panic!("no memory for the tree: {error}"),
                Err(_) => lines = (lines / 2).max(MIN_LINES),
            }
        }
    }

    /// Creates an empty tree with `lines` lines and allocates all memory that the tree will ever need. Fails if less
    /// than [`HEADROOM`] would stay free, except for the smallest tree.
    fn with_lines(lines: usize) -> Result<Tree, TryReserveError> {
        let mut headroom = Vec::<u8>::new();
        if lines > MIN_LINES {
            headroom.try_reserve_exact(HEADROOM)?;
        }
        let mut dead = Vec::new();
        // A dead node occupies at least two arena lines, so there are at most `lines / 2` dead nodes.
        dead.try_reserve_exact(lines / 2)?;
        Ok(Tree {
            arena: Arena::with_capacity(lines)?,
            nodes: LiveNodes::with_capacity(lines)?,
            dead,
            root: None,
            root_visits: 0,
            sweep: Sweep::START,
            lines: Vec::new(),
        })
    }

    /// Returns the memory allocated for nodes, in bytes.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.arena.capacity * LINE_BYTES
    }

    /// Returns the memory occupied by nodes, in bytes. This includes dead nodes, which are cut off from the tree but
    /// not freed yet.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        self.arena.in_use() * LINE_BYTES
    }

    /// Returns the root node, or `None` before the root is expanded.
    #[must_use]
    pub const fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// Returns the number of iterations through the root, at most [`Edge::MAX_VISITS`].
    #[must_use]
    pub const fn root_visits(&self) -> u32 {
        self.root_visits
    }

    /// Adds one visit to the root.
    pub fn visit_root(&mut self) {
        self.root_visits = Edge::add_visit(self.root_visits);
    }

    /// Makes `node` the root.
    pub fn set_root(&mut self, node: NodeId) {
        self.root = Some(node);
    }

    /// Returns the number of visited edges of `node`.
    #[must_use]
    pub fn visited(&self, node: NodeId) -> usize {
        visited(&self.arena[node])
    }

    /// Returns the number of all edges of `node`, visited or not.
    #[must_use]
    pub fn total(&self, node: NodeId) -> usize {
        total(&self.arena[node])
    }

    /// Returns the estimate of the best unvisited edge of `node`, or `None` if all edges are visited.
    #[must_use]
    pub fn first_unvisited(&self, node: NodeId) -> Option<Estimate> {
        let own = &self.arena[node];
        (visited(own) < total(own)).then(|| next(own))
    }

    /// Returns the statistics of a visited edge.
    #[must_use]
    #[inline]
    pub fn edge(&self, at: EdgeRef) -> Edge {
        edge(&self.arena[at.line], at.slot())
    }

    /// Sets the number of visits and the mean of a visited edge.
    #[inline]
    pub fn set_statistics(&mut self, at: EdgeRef, visits: u32, mean: f32) {
        let words = &mut self.arena[at.line].0;
        words[field::VISITS + at.slot()] = visits;
        words[field::MEAN + at.slot()] = mean.to_bits();
    }

    /// Links a visited edge to the node that the edge leads to, or removes this link if `node` is `None`.
    pub fn set_node(&mut self, at: EdgeRef, node: Option<NodeId>) {
        self.arena[at.line].0[field::NODE + at.slot()] = NodeId::to_word(node);
        if let Some(node) = node {
            self.arena[node].0[word::PARENT] = at.to_word();
        }
    }

    /// Calls `visit` with the location and the statistics of every visited edge of `node`, in the order of their first
    /// visits.
    #[inline]
    pub fn for_each_edge(&self, node: NodeId, visit: impl FnMut(EdgeRef, Edge)) {
        for_each_edge(&self.arena, node, visit);
    }

    /// Finds the visited edge of `node` with the amazon's move from `from` to `to`.
    #[must_use]
    pub fn find_amazon(&self, node: NodeId, from: Square, to: Square) -> Option<EdgeRef> {
        self.find(node, |half_move| half_move == HalfMove::amazon(from, to))
    }

    /// Finds the visited edge of `node` with the arrow that lands on `target`.
    #[must_use]
    pub fn find_arrow(&self, node: NodeId, target: Square) -> Option<EdgeRef> {
        self.find(node, |half_move| half_move.to() == target)
    }

    /// Finds the visited edge of `node` whose half-move satisfies the predicate `is`.
    fn find(&self, node: NodeId, is: impl Fn(HalfMove) -> bool) -> Option<EdgeRef> {
        let mut found = None;
        self.for_each_edge(node, |at, edge| {
            if is(edge.half_move) {
                found = Some(at);
            }
        });
        found
    }

    /// Makes the node after `turn` the new root and marks the rest of the tree as dead. If this node does not exist,
    /// the tree is empty afterwards.
    pub fn advance_root(&mut self, turn: Move) {
        let kept = self.root.and_then(|root| {
            let amazon = self.find_amazon(root, turn.from, turn.to)?;
            let arrow = self.find_arrow(self.edge(amazon).node?, turn.arrow)?;
            let edge = self.edge(arrow);
            self.set_node(arrow, None);
            Some((edge.node, edge.visits))
        });
        if let Some(root) = self.root {
            self.mark_dead(root);
        }
        (self.root, self.root_visits) = kept.unwrap_or((None, 0));
        if let Some(root) = self.root {
            self.arena[root].0[word::PARENT] = 0;
        }
    }

    /// Removes all nodes and frees their lines.
    pub fn clear(&mut self) {
        self.arena.clear();
        (self.root, self.root_visits) = (None, 0);
        self.dead.clear();
        self.nodes.clear();
        self.sweep = Sweep::START;
    }
}

#[cfg(test)]
mod tests {
    use super::node::for_each_line;
    use super::reclaim::RESERVE;
    use super::*;
    use crate::board::Board;
    use crate::mcts::{Params, Search};
    use crate::movegen;

    /// Marks `line` as seen. Fails if the line was seen before.
    fn mark_line(line: LineId, seen: &mut [bool]) {
        let is_seen = std::mem::replace(&mut seen[line.index()], true);
        assert!(!is_seen, "{line:?} is used twice");
    }

    /// Marks the lines of `node` and its subtree as seen, and checks that each child stores its parent edge.
    fn mark(tree: &Tree, node: NodeId, seen: &mut [bool]) {
        for_each_line(&tree.arena, node, |line| mark_line(line, seen));
        let mut below = Vec::new();
        tree.for_each_edge(node, |at, edge| {
            below.extend(edge.node);
            if let Some(node) = edge.node {
                assert!(
                    tree.nodes.contains(node),
                    "{node:?} does not count as living"
                );
                assert_eq!(tree.arena[node].0[word::PARENT], at.to_word());
            }
        });
        below.into_iter().for_each(|node| mark(tree, node, seen));
    }

    /// Checks that every line is free or belongs to exactly one live or dead node.
    fn account_for_all_lines(tree: &Tree) {
        let free: Vec<LineId> = tree.arena.free_lines().collect();
        let mut seen = vec![false; tree.arena.in_use() + free.len() + 1];
        seen[0] = true;
        for &node in tree.root.iter().chain(&tree.dead) {
            mark(tree, node, &mut seen);
        }
        free.into_iter().for_each(|line| mark_line(line, &mut seen));
        assert!(seen.into_iter().all(|seen| seen), "a line is lost");
    }

    #[test]
    fn full_arena_loses_no_line_during_a_game() {
        let mut search = Search::new(Board::start(), 1 << 18, 1, Params::default());
        let mut least = usize::MAX;
        let room_for_dead = search.tree.dead.capacity();
        while movegen::count(&search.board) > 0 {
            search.run(|done| done < 2_000);
            account_for_all_lines(&search.tree);
            least = least.min(search.tree.arena.available());
            let turn = search.best_move().expect("there are moves");
            search.advance_root(turn).expect("the best move is legal");
            account_for_all_lines(&search.tree);
        }
        assert!(least < 2 * RESERVE, "the arena was full");
        assert_eq!(search.tree.dead.capacity(), room_for_dead);
    }

    /// Sets the number of visits of every edge below `node`.
    fn set_visits(tree: &mut Tree, node: NodeId, visits: u32) {
        let mut edges = Vec::new();
        tree.for_each_edge(node, |at, edge| edges.push((at, edge)));
        for (at, edge) in edges {
            tree.set_statistics(at, visits, edge.mean);
            if let Some(node) = edge.node {
                set_visits(tree, node, visits);
            }
        }
    }

    /// After billions of iterations the visit counters stay at their maximum; the search must go on correctly.
    #[test]
    fn saturated_visit_counters_cause_no_false_proofs() {
        let mut search = Search::new(Board::start(), 1 << 18, 1, Params::default());
        search.run(|done| done < 1_000);
        assert!(search.tree.arena.available() < 2 * RESERVE, "it is full");
        let root = search.tree.root().expect("searched");
        // First visits all edges of the root: an unvisited edge would be preferred to edges with billions of visits.
        let (value, prior) = (0.1, 0.01);
        while search.tree.first_unvisited(root).is_some() {
            let poor = |_, _| Estimate { value, prior };
            search.tree.expand_edge(root, poor);
        }
        let near = Edge::MAX_VISITS - 100;
        set_visits(&mut search.tree, root, near);
        search.tree.root_visits = near;
        let edges = |search: &Search| {
            let mut edges = Vec::new();
            search.tree.for_each_edge(root, |_, edge| edges.push(edge));
            edges
        };
        let before = edges(&search);
        search.run(|done| done < 1_000);
        assert_eq!(search.report().iterations, 1_000, "nothing is proven");
        assert_eq!(search.winner(), None);
        assert_eq!(search.tree.root_visits(), Edge::MAX_VISITS);
        let after = edges(&search);
        let most = after.iter().map(|edge| edge.visits).max();
        assert_eq!(most, Some(Edge::MAX_VISITS), "one was chosen often");
        for (before, after) in before.iter().zip(&after) {
            assert!(after.visits >= before.visits, "{after:?}");
            assert!((0.0..=1.0).contains(&after.mean), "{after:?}");
            // A thousand iterations hardly change a mean over two billion visits.
            assert!((before.mean - after.mean).abs() < 1e-4, "{after:?}");
        }
        let turn = search.best_move().expect("there are moves");
        search.advance_root(turn).expect("the best move is legal");
    }
}
