//! The search tree: nodes in one arena of 64-byte lines.
//!
//! A node that is expanded owns
//!
//! - a line of its own, with the statistics of its first two edges,
//! - lines with the statistics of four more edges each, field by field, so that selection compares four edges
//!   at a time,
//! - directories of those lines, from the second on: none has to be loaded to find another,
//! - a chain of lines with keys. A key is all that is kept of an edge that was never visited: its half-move and
//!   its estimate, in four bytes. Among unvisited siblings the one with the best estimate has both the best
//!   value and the best prior, so it is always the next to be visited. Selection looks at the visited edges
//!   and at that one.
//!
//! A node with many edges remembers its leader, the edge with the best score, and a bound on the scores of the
//! others. While the leader's score stays above the bound, selection looks at no other edge.
//!
//! Nothing is freed node by node when the root advances. The old root goes on a list of dead nodes, which are
//! taken apart when their lines are wanted. When no node is dead, a sweep over the arena gives up nodes with
//! few visits.

mod arena;
mod edge;
mod growth;
mod leader;
mod node;
mod nodes;
mod reclaim;

pub use arena::LINE_BYTES;
pub use edge::{Edge, EdgeRef, Estimate, HalfMove, Key, Softmax};
pub use node::MAX_EDGES;
pub use nodes::NodeId;

use crate::board::{Move, Square};
use arena::{Arena, LineId};
use node::{edge, field, for_each_edge, next, total, visited, word};
use nodes::Nodes;
use reclaim::sweep::Sweep;
use std::collections::TryReserveError;

/// Fewest lines of an arena: one iteration and its way down always fit.
const MIN_LINES: usize = 1024;

/// Most lines of an arena: an [`EdgeRef`] has 32 bits, two of them for the slot.
const MAX_LINES: usize = (1 << 30) - 1;

/// Bytes that a tree leaves for everything else in the process.
const HEADROOM: usize = 2 << 20;

/// The arena and the root in it.
pub struct Tree {
    arena: Arena,
    /// The living nodes.
    nodes: Nodes,
    /// Nodes that are to be taken apart, with everything below them.
    dead: Vec<NodeId>,
    root: Option<NodeId>,
    root_visits: u32,
    sweep: Sweep,
    // Work space.
    lines: Vec<LineId>,
}

impl Tree {
    /// An empty tree that never takes more than about `bytes` of memory. Where the system does not give them, half
    /// as many are asked for, and so on; [`Tree::capacity`] says what was had.
    ///
    /// # Panics
    /// If there is no memory for the smallest tree.
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

    /// An empty tree of so many lines, with all memory that it will ever need. Any tree but the smallest leaves
    /// [`HEADROOM`].
    fn with_lines(lines: usize) -> Result<Tree, TryReserveError> {
        let mut headroom = Vec::<u8>::new();
        if lines > MIN_LINES {
            headroom.try_reserve_exact(HEADROOM)?;
        }
        let mut dead = Vec::new();
        // A node that can die has a line of its own and one of keys.
        dead.try_reserve_exact(lines / 2)?;
        Ok(Tree {
            arena: Arena::with_capacity(lines)?,
            nodes: Nodes::over(lines)?,
            dead,
            root: None,
            root_visits: 0,
            sweep: Sweep::START,
            lines: Vec::new(),
        })
    }

    /// Memory for nodes, in bytes.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.arena.capacity * LINE_BYTES
    }

    /// Memory that living and dead nodes take, in bytes.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        self.arena.in_use() * LINE_BYTES
    }

    /// The root, once expanded.
    #[must_use]
    pub const fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// Number of iterations that went through the root, at most [`Edge::MOST_VISITS`].
    #[must_use]
    pub const fn root_visits(&self) -> u32 {
        self.root_visits
    }

    /// Counts an iteration through the root.
    pub fn visit_root(&mut self) {
        self.root_visits = Edge::one_more_visit(self.root_visits);
    }

    /// Makes a node the root.
    pub fn set_root(&mut self, node: NodeId) {
        self.root = Some(node);
    }

    /// Number of visited edges of a node.
    #[must_use]
    pub fn visited(&self, node: NodeId) -> usize {
        visited(&self.arena[node])
    }

    /// Number of edges of a node.
    #[must_use]
    pub fn total(&self, node: NodeId) -> usize {
        total(&self.arena[node])
    }

    /// The first unvisited edge of a node, the best of those that are left; none if all are visited.
    #[must_use]
    pub fn first_unvisited(&self, node: NodeId) -> Option<Estimate> {
        let own = &self.arena[node];
        (visited(own) < total(own)).then(|| next(own))
    }

    /// The statistics of a visited edge.
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

    /// Sets the node that a visited edge leads to, or takes it away.
    pub fn set_node(&mut self, at: EdgeRef, node: Option<NodeId>) {
        self.arena[at.line].0[field::NODE + at.slot()] = NodeId::to_word(node);
        if let Some(node) = node {
            self.arena[node].0[word::PARENT] = at.to_word();
        }
    }

    /// Calls `visit` with the place and the statistics of every visited edge of a node, in the order of their
    /// first visits.
    #[inline]
    pub fn for_each_edge(&self, node: NodeId, visit: impl FnMut(EdgeRef, Edge)) {
        for_each_edge(&self.arena, node, visit);
    }

    /// The visited edge of a node with this amazon's move.
    #[must_use]
    pub fn find_amazon(&self, node: NodeId, from: Square, to: Square) -> Option<EdgeRef> {
        self.find(node, |half_move| half_move == HalfMove::amazon(from, to))
    }

    /// The visited edge of a node with an arrow at this square.
    #[must_use]
    pub fn find_arrow(&self, node: NodeId, target: Square) -> Option<EdgeRef> {
        self.find(node, |half_move| half_move.to() == target)
    }

    /// The visited edge of a node with such a half-move.
    fn find(&self, node: NodeId, is: impl Fn(HalfMove) -> bool) -> Option<EdgeRef> {
        let mut found = None;
        self.for_each_edge(node, |at, edge| {
            if is(edge.half_move) {
                found = Some(at);
            }
        });
        found
    }

    /// Makes the node behind a turn the root, and retires everything else.
    ///
    /// If there is no such node the tree is empty afterwards.
    pub fn advance_root(&mut self, turn: Move) {
        let kept = self.root.and_then(|root| {
            let amazon = self.find_amazon(root, turn.from, turn.to)?;
            let arrow = self.find_arrow(self.edge(amazon).node?, turn.arrow)?;
            let edge = self.edge(arrow);
            self.set_node(arrow, None);
            Some((edge.node, edge.visits))
        });
        if let Some(root) = self.root {
            self.retire(root);
        }
        (self.root, self.root_visits) = kept.unwrap_or((None, 0));
        if let Some(root) = self.root {
            self.arena[root].0[word::PARENT] = 0;
        }
    }

    /// Gives back the whole tree.
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

    /// Marks a line that is not marked yet.
    fn mark_line(line: LineId, seen: &mut [bool]) {
        let is_seen = std::mem::replace(&mut seen[line.index()], true);
        assert!(!is_seen, "{line:?} is used twice");
    }

    /// Marks the lines of a node and of everything below it, and checks that edges know where they hang.
    fn mark(tree: &Tree, node: NodeId, seen: &mut [bool]) {
        for_each_line(&tree.arena, node, |line| mark_line(line, seen));
        let mut below = Vec::new();
        tree.for_each_edge(node, |at, edge| {
            below.extend(edge.node);
            if let Some(node) = edge.node {
                assert!(tree.nodes.holds(node), "{node:?} does not count as living");
                assert_eq!(tree.arena[node].0[word::PARENT], at.to_word());
            }
        });
        below.into_iter().for_each(|node| mark(tree, node, seen));
    }

    /// Checks that every line is free, or belongs to one living or dead node.
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
    fn no_line_is_lost_in_a_game_with_a_full_arena() {
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

    /// Sets the visits of every edge in the tree.
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

    /// As after an hour of analysis in a full tree: counts stop, the search goes on.
    #[test]
    fn a_search_whose_visits_are_all_counted_goes_on_without_false_proofs() {
        let mut search = Search::new(Board::start(), 1 << 18, 1, Params::default());
        search.run(|done| done < 1_000);
        assert!(search.tree.arena.available() < 2 * RESERVE, "it is full");
        let root = search.tree.root().expect("searched");
        // An unvisited edge would be tried for long before one that was visited so often.
        let (value, prior) = (0.1, 0.01);
        while search.tree.first_unvisited(root).is_some() {
            let poor = |_, _| Estimate { value, prior };
            search.tree.expand_edge(root, poor);
        }
        let near = Edge::MOST_VISITS - 100;
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
        assert_eq!(search.tree.root_visits(), Edge::MOST_VISITS);
        let after = edges(&search);
        let most = after.iter().map(|edge| edge.visits).max();
        assert_eq!(most, Some(Edge::MOST_VISITS), "one was chosen often");
        for (before, after) in before.iter().zip(&after) {
            assert!(after.visits >= before.visits, "{after:?}");
            assert!((0.0..=1.0).contains(&after.mean), "{after:?}");
            // A thousand iterations are nothing beside so many.
            assert!((before.mean - after.mean).abs() < 1e-4, "{after:?}");
        }
        let turn = search.best_move().expect("there are moves");
        search.advance_root(turn).expect("the best move is legal");
    }
}
