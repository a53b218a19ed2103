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
mod node;
mod reclaim;

pub use arena::{LINE_BYTES, NodeId};
pub use edge::{Edge, EdgeRef, Estimate, HalfMove, Key, Softmax};
pub use node::MAX_EDGES;

use super::puct::{Ranking, score};
use arena::{Arena, Line, LineId};
use node::{
    ENTRIES, FIRST_INLINE, INLINE, KEYS, LINK, NO_EDGES, SLOTS, bound_of_others, directory, edge,
    field, first_edges, for_each_edge, for_each_further_line, four_edges, leader, next,
    set_bound_of_others, set_next, total, visited, word,
};
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
            dead,
            root: None,
            root_visits: 0,
            sweep: Sweep::over(lines)?,
            lines: Vec::new(),
        })
    }

    /// Memory for nodes, in bytes.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.arena.capacity() * LINE_BYTES
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

    /// Number of iterations that went through the root.
    #[must_use]
    pub const fn root_visits(&self) -> u32 {
        self.root_visits
    }

    /// Counts an iteration through the root.
    pub fn visit_root(&mut self) {
        self.root_visits += 1;
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
        edge(&self.arena[at.line()], at.slot())
    }

    /// Sets the number of visits and the mean of a visited edge.
    #[inline]
    pub fn set_statistics(&mut self, at: EdgeRef, visits: u32, mean: f32) {
        let words = &mut self.arena[at.line()].0;
        words[field::VISITS + at.slot()] = visits;
        words[field::MEAN + at.slot()] = mean.to_bits();
    }

    /// Sets the node that a visited edge leads to, or takes it away.
    pub fn set_node(&mut self, at: EdgeRef, node: Option<NodeId>) {
        self.arena[at.line()].0[field::NODE + at.slot()] = NodeId::to_word(node);
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

    /// The visited edge of a node with this half-move.
    #[must_use]
    pub fn find_edge(&self, node: NodeId, half_move: HalfMove) -> Option<EdgeRef> {
        let mut found = None;
        self.for_each_edge(node, |at, edge| {
            if edge.half_move == half_move {
                found = Some(at);
            }
        });
        found
    }

    /// The visited edge with the best PUCT score, the first of equals; none if no score is above `floor`.
    ///
    /// From call to call for the same node `explore` must not shrink, and only the statistics of the edge that was
    /// returned may change.
    #[must_use]
    #[inline]
    pub fn best_above(&mut self, node: NodeId, explore: f32, floor: f32) -> Option<EdgeRef> {
        let (best, score) = self
            .still_leading(node, explore)
            .or_else(|| self.compare_all(node, explore))?;
        (score > floor).then_some(best)
    }

    /// The leader of the last comparison and its score, if no other edge can have overtaken it.
    #[inline(always)]
    fn still_leading(&self, node: NodeId, explore: f32) -> Option<(EdgeRef, f32)> {
        let own = &self.arena[node];
        let directory = directory(own)?;
        let leader = leader(own)?;
        let others = bound_of_others(&self.arena[directory]);
        let score = self.score(leader, explore);
        (score > others.at(explore)).then_some((leader, score))
    }

    /// The score of a visited edge.
    #[inline(always)]
    fn score(&self, at: EdgeRef, explore: f32) -> f32 {
        let edge = self.edge(at);
        score(edge.mean, edge.prior, edge.visits, explore)
    }

    /// The edge with the best score, and the score; none if all are lost. A node with a directory remembers it as
    /// its leader.
    #[inline(always)]
    fn compare_all(&mut self, node: NodeId, explore: f32) -> Option<(EdgeRef, f32)> {
        let own = &self.arena[node];
        let mut ranking = Ranking::new(explore);
        ranking.enter(first_edges(own));
        for_each_further_line(&self.arena, own, |id| {
            ranking.enter(four_edges(&self.arena[id]))
        });
        let highest = ranking.highest();
        if highest == Edge::LOST {
            return None;
        }
        let place = ranking.leader();
        let line = match (place / SLOTS).checked_sub(1) {
            None => node.line(),
            Some(number) => self.further_line(node, number)?,
        };
        let best = EdgeRef::new(line, place % SLOTS);
        if let Some(directory) = directory(&self.arena[node]) {
            self.arena[node].0[word::LEADER] = best.to_word();
            set_bound_of_others(&mut self.arena[directory], ranking.bound_of_others());
        }
        Some((best, highest))
    }

    /// The line of a node's further edges that has this number, if there is one.
    fn further_line(&self, node: NodeId, mut number: usize) -> Option<LineId> {
        let own = &self.arena[node];
        let Some(mut directory) = directory(own) else {
            let only = (number == 0).then_some(own.0[word::FURTHER]);
            return only.and_then(LineId::from_word);
        };
        while number >= ENTRIES {
            directory = LineId::from_word(self.arena[directory].0[LINK])?;
            number -= ENTRIES;
        }
        LineId::from_word(self.arena[directory].0[number])
    }

    /// Makes a node of the keys of all its edges, none of them visited. The best two keys come first; `estimate`
    /// says what the best one starts with.
    ///
    /// # Panics
    /// If there was no [`Tree::reclaim`] before this iteration, or there are more than 255 keys.
    pub fn add_node(
        &mut self,
        keys: &[Key],
        softmax: Softmax,
        estimate: impl Fn(Key) -> Estimate,
    ) -> NodeId {
        let mut chain = None;
        for chunk in keys.chunks(KEYS).rev() {
            let mut line = Line::ZERO;
            for (word, key) in line.0.iter_mut().zip(chunk) {
                *word = key.to_word();
            }
            line.0[LINK] = LineId::to_word(chain);
            chain = Some(self.arena.take(line));
        }
        let total = u8::try_from(keys.len()).expect("a node has at most 255 edges");
        let mut own = NO_EDGES;
        own.0[word::COUNTS] = u32::from(total) << 8;
        own.0[word::DIRECTORY] = LineId::to_word(None);
        own.0[word::KEYS] = LineId::to_word(chain);
        own.0[word::INVERSE_SUM] = softmax.inverse_sum.to_bits();
        if let Some(&best) = keys.first() {
            set_next(&mut own, estimate(best));
        }
        let node = NodeId::of(self.arena.take(own));
        self.sweep.add(node);
        node
    }

    /// Expands a node's first unvisited edge: from a key to statistics, with no visits yet. `estimate` says what
    /// the next unvisited edge starts with.
    ///
    /// # Panics
    /// If all edges are visited.
    pub fn expand_edge(
        &mut self,
        node: NodeId,
        estimate: impl Fn(Key, Softmax) -> Estimate,
    ) -> EdgeRef {
        let number = self.visited(node);
        let Estimate { value, prior } = self
            .first_unvisited(node)
            .expect("an edge is not visited yet");
        let half_move = self.key(node, number).half_move();
        if number + 1 < self.total(node) {
            let softmax = Softmax {
                best: self.key(node, 0).estimate(),
                inverse_sum: f32::from_bits(self.arena[node].0[word::INVERSE_SUM]),
            };
            // The first two are in their places from the beginning.
            let next = match number {
                0 => self.key(node, 1),
                _ => self.bring_best_forward(node, number + 1),
            };
            let next = estimate(next, softmax);
            set_next(&mut self.arena[node], next);
        }
        let own = &mut self.arena[node];
        own.0[word::COUNTS] += 1;
        if directory(own).is_some() {
            // One edge more: all are to be compared anew.
            own.0[word::LEADER] = 0;
        }
        let at = self.place_for(node, number);
        let words = &mut self.arena[at.line()].0;
        words[field::MEAN + at.slot()] = value.to_bits();
        words[field::SHARE + at.slot()] = Edge::share_word(prior, half_move);
        at
    }

    /// The place for the statistics of a node's edge, in a new line if needed.
    fn place_for(&mut self, node: NodeId, number: usize) -> EdgeRef {
        let Some(number) = number.checked_sub(INLINE) else {
            return EdgeRef::new(node.line(), FIRST_INLINE + number);
        };
        let (line, slot) = (number / SLOTS, number % SLOTS);
        let line = match self.further_line(node, line) {
            Some(line) => line,
            None => self.add_further_line(node, line),
        };
        EdgeRef::new(line, slot)
    }

    /// Adds an empty line for further edges to a node that has `number` such lines.
    fn add_further_line(&mut self, node: NodeId, number: usize) -> LineId {
        let line = self.arena.take(NO_EDGES);
        let own = &mut self.arena[node].0;
        match number {
            0 => {
                own[word::FURTHER] = LineId::to_word(Some(line));
                return line;
            }
            // The only line so far goes into the directory, and makes room for the leader.
            1 => {
                let only = std::mem::replace(&mut own[word::LEADER], 0);
                let directory = self.follow(node.line(), word::DIRECTORY);
                self.arena[directory].0[0] = only;
            }
            _ => {}
        }
        let mut directory = self.follow(node.line(), word::DIRECTORY);
        for _ in 0..number / ENTRIES {
            directory = self.follow(directory, LINK);
        }
        self.arena[directory].0[number % ENTRIES] = LineId::to_word(Some(line));
        line
    }

    /// The line to which a word of another line leads: a new, empty one if it led nowhere.
    fn follow(&mut self, line: LineId, word: usize) -> LineId {
        LineId::from_word(self.arena[line].0[word]).unwrap_or_else(|| {
            let next = self.arena.take(Line::ZERO);
            self.arena[line].0[word] = LineId::to_word(Some(next));
            next
        })
    }

    /// The key of a node's edge, by its number.
    ///
    /// # Panics
    /// If the node has no such edge.
    #[must_use]
    pub fn key(&self, node: NodeId, number: usize) -> Key {
        Key::from_word(self.arena[self.keys_line(node, number)].0[number % KEYS])
    }

    /// The line that holds the key of a node's edge.
    fn keys_line(&self, node: NodeId, number: usize) -> LineId {
        let mut line = LineId::from_word(self.arena[node].0[word::KEYS]);
        for _ in 0..number / KEYS {
            line = line.and_then(|line| LineId::from_word(self.arena[line].0[LINK]));
        }
        line.expect("an edge has a key")
    }

    /// Swaps the best of a node's keys from `number` on to that place and returns it.
    fn bring_best_forward(&mut self, node: NodeId, number: usize) -> Key {
        let front = (self.keys_line(node, number), number % KEYS);
        let first = &self.arena[front.0].0;
        // Places without a key hold zeros, of which no key is made.
        let (mut best, mut best_line) = (highest_key(&first[front.1..KEYS]), front.0);
        let mut next = LineId::from_word(first[LINK]);
        while let Some(line) = next {
            let words = &self.arena[line].0;
            let highest = highest_key(&words[..KEYS]);
            if highest > best {
                (best, best_line) = (highest, line);
            }
            next = LineId::from_word(words[LINK]);
        }
        let at = self.arena[best_line].0.iter().position(|&key| key == best);
        let best_at = (best_line, at.expect("it was found there"));
        let displaced = std::mem::replace(&mut self.arena[front.0].0[front.1], best);
        if best_at != front {
            self.arena[best_at.0].0[best_at.1] = displaced;
        }
        Key::from_word(best)
    }

    /// Makes the node under two half-moves the root, and retires everything else.
    ///
    /// If there is no such node the tree is empty afterwards.
    pub fn advance_root(&mut self, half_moves: [HalfMove; 2]) {
        let kept = self.root.and_then(|root| {
            let amazon = self.find_edge(root, half_moves[0])?;
            let arrow = self.find_edge(self.edge(amazon).node?, half_moves[1])?;
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
        self.sweep.clear();
    }
}

/// The highest of some keys.
#[inline(always)]
fn highest_key(keys: &[u32]) -> u32 {
    keys.iter().fold(0, |highest, &key| highest.max(key))
}

#[cfg(test)]
mod tests {
    use super::node::for_each_line;
    use super::reclaim::RESERVE;
    use super::*;
    use crate::board::{Board, Square};
    use crate::mcts::{Params, Search};
    use crate::movegen;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Marks the lines of a node and of everything below it, and checks that edges know where they hang.
    fn mark(tree: &Tree, node: NodeId, seen: &mut [bool]) {
        for_each_line(&tree.arena, node, |line| {
            assert!(
                !std::mem::replace(&mut seen[line.index()], true),
                "{line:?} is used twice"
            )
        });
        let mut below = Vec::new();
        tree.for_each_edge(node, |at, edge| {
            below.extend(edge.node);
            if let Some(node) = edge.node {
                assert!(tree.sweep.holds(node), "the sweep misses {node:?}");
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
        tree.root
            .into_iter()
            .for_each(|root| mark(tree, root, &mut seen));
        for &node in &tree.dead {
            mark(tree, node, &mut seen);
        }
        for line in free {
            assert!(
                !std::mem::replace(&mut seen[line.index()], true),
                "{line:?} is free and used"
            );
        }
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

    /// Some keys, the best first.
    fn random_keys(edges: u32, random: &mut SmallRng) -> Vec<Key> {
        let mut keys: Vec<Key> = (0..edges)
            .map(|to| {
                let half_move = HalfMove::arrow(Square::wrapping(to % 64));
                Key::new(1 + random.random_range(0..1000), half_move)
            })
            .collect();
        keys.sort_unstable_by(|one, other| other.cmp(one));
        keys
    }

    /// What is remembered of a comparison never hides an edge with a better score, whether edges are proven or not.
    #[test]
    fn the_best_edge_is_the_best_of_all_at_every_visit() {
        let mut random = SmallRng::seed_from_u64(5);
        let (mut remembered, mut steps) = ([0, 0], [0, 0]);
        let (mut lost, mut won) = (0, 0);
        let nodes = [1_u32, 5, 7, 23, 90, 108].map(|edges| [(edges, false), (edges, true)]);
        for (edges, with_proofs) in nodes.into_iter().flatten() {
            let mut tree = Tree::with_memory(1 << 20);
            let keys = random_keys(edges, &mut random);
            let softmax = Softmax {
                best: keys[0].estimate(),
                inverse_sum: 1.0,
            };
            let estimate = |key: Key| Estimate {
                value: key.estimate() as f32 / 1000.0,
                prior: key.estimate() as f32 / 10_000.0,
            };
            let node = tree.add_node(&keys, softmax, estimate);
            for visits in 0..3000 {
                let explore = 0.3 * (visits as f32).sqrt();
                let floor = tree
                    .first_unvisited(node)
                    .map_or(f32::NEG_INFINITY, |next| next.value + explore * next.prior);
                let mut expected = floor;
                tree.for_each_edge(node, |at, _| {
                    expected = expected.max(tree.score(at, explore))
                });
                steps[usize::from(with_proofs)] += 1;
                remembered[usize::from(with_proofs)] +=
                    u32::from(tree.still_leading(node, explore).is_some());
                let best = tree.best_above(node, explore, floor);
                let found = best.map_or(floor, |best| tree.score(best, explore));
                assert_eq!(found, expected, "{edges} edges, visit {visits}");
                if found == Edge::LOST {
                    break;
                }
                let best = best.unwrap_or_else(|| tree.expand_edge(node, |key, _| estimate(key)));
                let edge = tree.edge(best);
                let value: f32 = random.random_range(0.0..1.0);
                let mean = match random.random_range(0..100) {
                    _ if edge.is_proven() => edge.mean,
                    0..5 if with_proofs => Edge::LOST,
                    5 if with_proofs && visits >= 2000 => Edge::WON,
                    _ => edge.mean + (value - edge.mean) / (1 + edge.visits) as f32,
                };
                lost += u32::from(mean == Edge::LOST);
                won += u32::from(mean == Edge::WON);
                tree.set_statistics(best, edge.visits + 1, mean);
            }
        }
        for (remembered, steps) in remembered.into_iter().zip(steps) {
            assert!(
                remembered > steps / 10,
                "only {remembered} of {steps} were remembered"
            );
        }
        assert!(lost > 200 && won > 500, "{lost} losses and {won} wins");
    }
}
