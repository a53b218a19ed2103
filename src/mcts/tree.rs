//! The search tree: nodes in one arena of 64-byte lines.
//!
//! A node that is expanded owns
//!
//! - a line of its own, with the statistics of its first two children,
//! - lines with the statistics of four more children each, field by field, so that selection compares
//!   four children at a time,
//! - directories of those lines, from the second on: none has to be loaded to find another,
//! - a chain of lines with keys. A key is all that is kept of a child that was never visited: its
//!   half-move and its evaluation, in four bytes. Among unvisited siblings the one with the best
//!   evaluation has both the best value and the best prior, so it is always the next to be visited:
//!   selection looks at the visited children and at that one.
//!
//! A node with many children remembers which of them had the best score and a bound of what the others can
//! have by now: as long as that is enough, no others are looked at.
//!
//! Nothing is freed node by node when the root advances: the old root goes on a list of dead nodes,
//! and dead nodes are taken apart when their lines are wanted. When there are none left, a sweep over the
//! arena finds what was visited little.

mod layout;
mod room;
mod sweep;

pub use layout::ChildRef;

use super::arena::{Arena, LINE_BYTES, Line, LineId};
use super::child::{Child, Estimate, HalfMove, Key, Softmax};
use super::statistics::{
    Bound, FIRST_INLINE, NO_CHILDREN, Ranking, SLOTS, Scores, child, field, find, score,
};
use layout::{
    ENTRIES, INLINE, KEYS, LINK, MAX_STATISTICS, for_each_statistics_line, others, set_next, total,
    visited, word,
};
use std::collections::TryReserveError;
use sweep::Sweep;

/// Fewest lines of an arena: one iteration and its way down always fit.
const MIN_LINES: usize = 1024;

/// Most lines of an arena: places of children have 32 bits, two of them for the slot.
const MAX_LINES: usize = (1 << 30) - 1;

/// Bytes that a tree leaves for everything else in the process.
const HEADROOM: usize = 2 << 20;

/// The arena and the root in it.
pub struct Tree {
    arena: Arena,
    /// Nodes that are to be taken apart, with everything below them.
    dead: Vec<LineId>,
    root: Option<LineId>,
    root_visits: u32,
    sweep: Sweep,
    // Work space.
    scores: [Scores; MAX_STATISTICS],
    lines: Vec<LineId>,
}

impl Tree {
    /// An empty tree that never takes more than about `bytes` of memory: half of them, or a quarter, and so on,
    /// where the system doesn't give more; see [`Tree::capacity`].
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

    /// An empty tree that has reserved all memory that it will ever need for so many lines. Any but the smallest
    /// leaves some for everything else.
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
            scores: [[Child::LOST; SLOTS]; MAX_STATISTICS],
            lines: Vec::new(),
        })
    }

    /// Memory that nodes can take, in bytes.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.arena.capacity() * LINE_BYTES
    }

    /// The expanded root, if it is expanded.
    #[must_use]
    pub const fn root(&self) -> Option<LineId> {
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
    pub fn set_root(&mut self, node: LineId) {
        self.root = Some(node);
    }

    /// Number of visited children of a node.
    #[must_use]
    pub fn visited(&self, node: LineId) -> usize {
        visited(&self.arena[node])
    }

    /// Number of children of a node.
    #[must_use]
    pub fn total(&self, node: LineId) -> usize {
        total(&self.arena[node])
    }

    /// The best child of a node that was not visited yet.
    #[must_use]
    pub fn next(&self, node: LineId) -> Option<Estimate> {
        let line = &self.arena[node];
        (visited(line) < total(line)).then(|| Estimate {
            value: f32::from_bits(line.0[word::NEXT_VALUE]),
            prior: f32::from_bits(line.0[word::NEXT_PRIOR]),
        })
    }

    /// The statistics of a visited child.
    #[must_use]
    #[inline]
    pub fn child(&self, at: ChildRef) -> Child {
        child(&self.arena[at.line], at.slot.into())
    }

    /// Sets the number of visits and the mean of a visited child.
    #[inline]
    pub fn set_statistics(&mut self, at: ChildRef, visits: u32, mean: f32) {
        let line = &mut self.arena[at.line];
        line.0[at.word(field::VISITS)] = visits;
        line.0[at.word(field::MEAN)] = mean.to_bits();
    }

    /// Gives a visited child its children, or takes them from it.
    pub fn set_node(&mut self, at: ChildRef, node: Option<LineId>) {
        self.arena[at.line].0[at.word(field::NODE)] = LineId::to_word(node);
        if let Some(node) = node {
            self.arena[node].0[word::PARENT] = at.to_word();
        }
    }

    /// Calls `visit` with the place and the statistics of every visited child of a node, in order.
    #[inline]
    pub fn for_each_child(&self, node: LineId, mut visit: impl FnMut(ChildRef, Child)) {
        let own = &self.arena[node];
        let visited = visited(own);
        for slot in FIRST_INLINE..FIRST_INLINE + visited.min(INLINE) {
            visit(ChildRef::new(node, slot), child(own, slot));
        }
        let mut left = visited.saturating_sub(INLINE);
        for_each_statistics_line(&self.arena, own, |id| {
            let line = &self.arena[id];
            for slot in 0..left.min(SLOTS) {
                visit(ChildRef::new(id, slot), child(line, slot));
            }
            left = left.saturating_sub(SLOTS);
        });
    }

    /// The visited child with the best score `mean + explore·prior / (1 + visits)`, the first of equals;
    /// none if no score is above `floor`.
    ///
    /// Calls for the same node must not let `explore` shrink, and between them only the statistics of the child
    /// that was returned may change.
    #[must_use]
    #[inline]
    pub fn best_above(&mut self, node: LineId, explore: f32, floor: f32) -> Option<ChildRef> {
        let (best, score) = self
            .still_leading(node, explore)
            .or_else(|| self.compare_all(node, explore))?;
        (score > floor).then_some(best)
    }

    /// The child that had the best score at the last comparison and still has it for sure, with its score.
    #[inline(always)]
    fn still_leading(&self, node: LineId, explore: f32) -> Option<(ChildRef, f32)> {
        let own = &self.arena[node].0;
        let directory = LineId::from_word(own[word::DIRECTORY])?;
        let leader = ChildRef::from_word(own[word::LEADER])?;
        let words = &self.arena[directory].0;
        let others = Bound {
            base: f32::from_bits(words[others::BASE]),
            slope: f32::from_bits(words[others::SLOPE]),
        };
        let score = score(self.child(leader), explore);
        (score > others.at(explore)).then_some((leader, score))
    }

    /// The child with the best score, and its score, which is remembered in nodes with many children; none if
    /// all are lost.
    #[inline(always)]
    fn compare_all(&mut self, node: LineId, explore: f32) -> Option<(ChildRef, f32)> {
        let Tree { arena, scores, .. } = self;
        let own = &arena[node];
        let mut ranking = Ranking::new(explore);
        scores[0] = ranking.enter_own(own);
        let mut lines = 1;
        for_each_statistics_line(arena, own, |id| {
            scores[lines] = ranking.enter(&arena[id]);
            lines += 1;
        });
        let highest = ranking.highest();
        let found = (highest > Child::LOST)
            .then(|| find(highest, &scores[..lines]))
            .flatten();
        let (number, slot) = found?;
        let line = match number.checked_sub(1) {
            None => node,
            Some(number) => self.statistics_line(&self.arena[node], number)?,
        };
        let best = ChildRef::new(line, slot);
        if let Some(directory) = LineId::from_word(self.arena[node].0[word::DIRECTORY]) {
            let bound = ranking.bound_of_others();
            self.arena[node].0[word::LEADER] = best.to_word();
            let words = &mut self.arena[directory].0;
            words[others::BASE] = bound.base.to_bits();
            words[others::SLOPE] = bound.slope.to_bits();
        }
        Some((best, highest))
    }

    /// The line with statistics of a node's children that has this number, its own not counted.
    fn statistics_line(&self, own: &Line, number: usize) -> Option<LineId> {
        let Some(mut directory) = LineId::from_word(own.0[word::DIRECTORY]) else {
            let only = (number == 0).then_some(own.0[word::STATISTICS]);
            return only.and_then(LineId::from_word);
        };
        for _ in 0..number / ENTRIES {
            directory = LineId::from_word(self.arena[directory].0[LINK])?;
        }
        LineId::from_word(self.arena[directory].0[number % ENTRIES])
    }

    /// Makes a node of the keys of all its children, the best two first, none of them visited; `estimate` says
    /// what the best one starts with.
    ///
    /// # Panics
    /// If there was no [`Tree::make_room`] before this iteration, or there are more than 255 keys.
    pub fn add_node(
        &mut self,
        keys: &[Key],
        softmax: Softmax,
        estimate: impl Fn(Key) -> Estimate,
    ) -> LineId {
        let mut chain = None;
        for chunk in keys.chunks(KEYS).rev() {
            let mut line = Line::ZERO;
            for (word, key) in line.0.iter_mut().zip(chunk) {
                *word = key.to_word();
            }
            line.0[LINK] = LineId::to_word(chain);
            chain = Some(self.arena.take(line));
        }
        let total = u8::try_from(keys.len()).expect("a node has at most 255 children");
        let mut own = NO_CHILDREN;
        own.0[word::COUNTS] = u32::from(total) << 8;
        own.0[word::DIRECTORY] = LineId::to_word(None);
        own.0[word::KEYS] = LineId::to_word(chain);
        own.0[word::INVERSE_SUM] = softmax.inverse_sum.to_bits();
        if let Some(&best) = keys.first() {
            set_next(&mut own, estimate(best));
        }
        let node = self.arena.take(own);
        self.sweep.add(node);
        node
    }

    /// Turns a node's best unvisited child into a visited one, with no visits yet.
    ///
    /// # Panics
    /// If all children are visited.
    pub fn promote(
        &mut self,
        node: LineId,
        estimate: impl Fn(Key, Softmax) -> Estimate,
    ) -> ChildRef {
        let number = self.visited(node);
        let Estimate { value, prior } = self.next(node).expect("a child is not visited");
        let half_move = self.key(node, number).half_move();
        if number + 1 < self.total(node) {
            let softmax = Softmax {
                best: self.key(node, 0).evaluation(),
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
        self.arena[node].0[word::COUNTS] += 1;
        if self.arena[node].0[word::DIRECTORY] != 0 {
            // One child more: the comparison is to be made anew.
            self.arena[node].0[word::LEADER] = 0;
        }
        let at = self.slot_for(node, number);
        let words = &mut self.arena[at.line].0;
        words[at.word(field::MEAN)] = value.to_bits();
        words[at.word(field::SHARE)] = Child::share_word(prior, half_move);
        at
    }

    /// The place for the statistics of a node's child, a new line if needed.
    fn slot_for(&mut self, node: LineId, number: usize) -> ChildRef {
        let Some(number) = number.checked_sub(INLINE) else {
            return ChildRef::new(node, FIRST_INLINE + number);
        };
        let (line, slot) = (number / SLOTS, number % SLOTS);
        let line = match self.statistics_line(&self.arena[node], line) {
            Some(line) => line,
            None => self.add_statistics_line(node, line),
        };
        ChildRef::new(line, slot)
    }

    /// Adds an empty line for statistics to a node that has `number` of them beside its own.
    fn add_statistics_line(&mut self, node: LineId, number: usize) -> LineId {
        let line = self.arena.take(NO_CHILDREN);
        let own = &mut self.arena[node].0;
        match number {
            0 => {
                own[word::STATISTICS] = LineId::to_word(Some(line));
                return line;
            }
            // The only line so far goes into the directory, and makes room for the leader.
            1 => {
                let only = std::mem::replace(&mut own[word::LEADER], 0);
                let directory = self.follow(node, word::DIRECTORY);
                self.arena[directory].0[0] = only;
            }
            _ => {}
        }
        let mut directory = self.follow(node, word::DIRECTORY);
        for _ in 0..number / ENTRIES {
            directory = self.follow(directory, LINK);
        }
        self.arena[directory].0[number % ENTRIES] = LineId::to_word(Some(line));
        line
    }

    /// The line to which a word of another leads: an empty one if it led nowhere.
    fn follow(&mut self, line: LineId, word: usize) -> LineId {
        LineId::from_word(self.arena[line].0[word]).unwrap_or_else(|| {
            let next = self.arena.take(Line::ZERO);
            self.arena[line].0[word] = LineId::to_word(Some(next));
            next
        })
    }

    /// The key of a node's child, by its number.
    ///
    /// # Panics
    /// If the node has no such child.
    #[must_use]
    pub fn key(&self, node: LineId, number: usize) -> Key {
        Key::from_word(self.arena[self.keys_line(node, number)].0[number % KEYS])
    }

    /// The line that holds the key of a node's child.
    fn keys_line(&self, node: LineId, number: usize) -> LineId {
        let mut line = LineId::from_word(self.arena[node].0[word::KEYS]);
        for _ in 0..number / KEYS {
            line = line.and_then(|line| LineId::from_word(self.arena[line].0[LINK]));
        }
        line.expect("a child has a key")
    }

    /// Swaps the best of a node's keys from `number` on to that place and returns it.
    fn bring_best_forward(&mut self, node: LineId, number: usize) -> Key {
        let front = (self.keys_line(node, number), number % KEYS);
        let first = &self.arena[front.0].0;
        // Places without a child hold zeros, of which no key is made.
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

    /// Makes the child under the given half-moves the root and gives back everything else.
    ///
    /// If the child was never expanded the tree is empty afterwards.
    pub fn advance_root(&mut self, half_moves: [HalfMove; 2]) {
        let kept = self.root.and_then(|root| {
            let amazon = self.find_child(root, half_moves[0])?;
            let arrow = self.find_child(self.child(amazon).node?, half_moves[1])?;
            let child = self.child(arrow);
            self.set_node(arrow, None);
            Some((child.node, child.visits))
        });
        if let Some(root) = self.root {
            self.bury(root);
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

    /// The visited child of a node under a half-move.
    #[must_use]
    pub fn find_child(&self, node: LineId, half_move: HalfMove) -> Option<ChildRef> {
        let mut found = None;
        self.for_each_child(node, |at, child| {
            if child.half_move == half_move {
                found = Some(at);
            }
        });
        found
    }

    /// Lines that are in use or belong to the dead, as bytes.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        self.arena.in_use() * LINE_BYTES
    }
}

/// The highest of some keys.
#[inline(always)]
fn highest_key(keys: &[u32]) -> u32 {
    keys.iter().fold(0, |highest, &key| highest.max(key))
}

#[cfg(test)]
mod tests {
    use super::room::RESERVE;
    use super::*;
    use crate::board::{Board, Square};
    use crate::mcts::{Params, Search};
    use crate::movegen;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Marks the lines of a node and of everything below it, and checks that children know where they hang.
    fn mark(tree: &Tree, node: LineId, seen: &mut [bool]) {
        tree.for_each_line(node, |line| {
            assert!(
                !std::mem::replace(&mut seen[line.index()], true),
                "{line:?} is used twice"
            )
        });
        let mut below = Vec::new();
        tree.for_each_child(node, |at, child| {
            below.extend(child.node);
            if let Some(node) = child.node {
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

    /// What is remembered of a comparison never hides a child with a better score.
    #[test]
    fn the_best_child_is_the_best_of_all_at_every_visit() {
        let mut random = SmallRng::seed_from_u64(5);
        let (mut remembered, mut steps) = (0, 0);
        for children in [1_u32, 5, 7, 23, 90, 108] {
            let mut tree = Tree::with_memory(1 << 20);
            let mut keys: Vec<Key> = (0..children)
                .map(|to| {
                    Key::new(
                        1 + random.random_range(0..1000),
                        HalfMove::arrow(Square::wrapping(to % 64)),
                    )
                })
                .collect();
            keys.sort_unstable_by(|one, other| other.cmp(one));
            let softmax = Softmax {
                best: keys[0].evaluation(),
                inverse_sum: 1.0,
            };
            let estimate = |key: Key| Estimate {
                value: key.evaluation() as f32 / 1000.0,
                prior: key.evaluation() as f32 / 10_000.0,
            };
            let node = tree.add_node(&keys, softmax, estimate);
            for visits in 0..3000 {
                let explore = 0.3 * (visits as f32).sqrt();
                let floor = tree
                    .next(node)
                    .map_or(f32::NEG_INFINITY, |next| next.value + explore * next.prior);
                let mut expected = floor;
                tree.for_each_child(node, |_, child| {
                    expected = expected.max(score(child, explore))
                });
                steps += 1;
                remembered += u32::from(tree.still_leading(node, explore).is_some());
                let best = tree.best_above(node, explore, floor);
                let found = best.map_or(floor, |best| score(tree.child(best), explore));
                assert_eq!(found, expected, "{children} children, visit {visits}");
                let best = best.unwrap_or_else(|| tree.promote(node, |key, _| estimate(key)));
                let child = tree.child(best);
                let value: f32 = random.random_range(0.0..1.0);
                let mean = child.mean + (value - child.mean) / (1 + child.visits) as f32;
                tree.set_statistics(best, child.visits + 1, mean);
            }
        }
        assert!(
            remembered > steps / 10,
            "only {remembered} of {steps} were remembered"
        );
    }
}
