//! The search tree: one arena of 64-byte lines, addressed by 32-bit ids.
//!
//! A node that is expanded owns three kinds of lines: one [`Node`] with the statistics of its first
//! children, a chain of [`More`] with those of the others, and a chain of [`Keys`]. A key is all that
//! is kept of a child that was never visited: its half-move and its evaluation, in four bytes. Among
//! unvisited siblings the one with the best evaluation has both the best value and the best prior,
//! so it is always the next to be visited: selection looks at the visited children and at that one.
//!
//! Nothing is freed node by node when the root advances: the old root goes on a list of dead nodes,
//! and dead nodes are taken apart when their lines are wanted. When there are none left,
//! [`Tree::make_room`] cuts off what was visited least.

use crate::board::Square;
use smallvec::SmallVec;
use std::num::NonZeroU32;

/// Bytes of a line, the unit of the arena.
pub const LINE_BYTES: usize = 64;

/// Children whose statistics lie in the [`Node`] itself.
const INLINE: usize = 2;

/// Children in a [`More`] line.
const PER_MORE: usize = 3;

/// Keys in a [`Keys`] line.
const PER_KEYS: usize = 14;

/// Lines that [`Tree::make_room`] keeps free: more than one iteration can take. It expands at most one
/// choice of an amazon (108 moves at most: nine lines) and one of an arrow (27: three lines), and promotes
/// at most three children.
const RESERVE: usize = 16;

/// Fewest lines of an arena: one iteration and its way down always fit.
const MIN_LINES: usize = 1024;

/// The id of a line in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineId(NonZeroU32);

impl LineId {
    fn new(index: usize) -> LineId {
        let id = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        LineId(id.expect("an arena has fewer than 2^32 lines"))
    }

    const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Half a turn: an amazon's move, or the shot of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMove(u16);

impl HalfMove {
    /// An amazon's move.
    #[must_use]
    pub const fn amazon(from: Square, to: Square) -> HalfMove {
        HalfMove((from.index() as u16) << 6 | to.index() as u16)
    }

    /// An arrow's shot.
    #[must_use]
    pub const fn arrow(target: Square) -> HalfMove {
        HalfMove(target.index() as u16)
    }

    /// Where the amazon moves from; meaningless for an arrow.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::wrapping((self.0 >> 6) as u32)
    }

    /// Where the amazon moves to, or where the arrow lands.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0 as u32)
    }
}

/// A child before its first visit: 20 bits of evaluation for the player who chooses, 12 of half-move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(u32);

impl Key {
    const MOVE_BITS: u32 = 12;

    /// Evaluations from 0, worst, to this, best.
    pub const MAX_EVALUATION: u32 = (1 << (32 - Self::MOVE_BITS)) - 1;

    const NONE: Key = Key(0);

    /// The key of a half-move with an evaluation of at most [`Key::MAX_EVALUATION`].
    #[must_use]
    pub const fn new(evaluation: u32, half_move: HalfMove) -> Key {
        Key(evaluation << Self::MOVE_BITS | half_move.0 as u32)
    }

    /// The evaluation, for the player who chooses.
    #[must_use]
    pub const fn evaluation(self) -> u32 {
        self.0 >> Self::MOVE_BITS
    }

    /// The half-move.
    #[must_use]
    pub const fn half_move(self) -> HalfMove {
        HalfMove(self.0 as u16 & ((1 << Self::MOVE_BITS) - 1))
    }
}

/// A visited child: its statistics, seen by the player who chooses it.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// Number of iterations that went through it.
    pub visits: u32,
    /// Mean win probability of the player who chooses; infinite, ±, when proven.
    pub mean: f32,
    /// Share of the search that the evaluation gives it among its siblings.
    prior: Prior,
    /// The half-move that leads to it.
    pub half_move: HalfMove,
    /// Its own children, once expanded.
    pub node: Option<LineId>,
}

/// A share of 0 to 1 in the upper half of an `f32`: eight significant bits.
#[derive(Clone, Copy, Debug)]
struct Prior(u16);

impl Prior {
    const fn new(share: f32) -> Prior {
        Prior((share.to_bits() >> 16) as u16)
    }

    const fn get(self) -> f32 {
        f32::from_bits((self.0 as u32) << 16)
    }
}

impl Child {
    /// The mean of a proven win.
    pub const WON: f32 = f32::INFINITY;

    /// The mean of a proven loss.
    pub const LOST: f32 = f32::NEG_INFINITY;

    const NONE: Child = Child {
        visits: 0,
        mean: 0.0,
        prior: Prior(0),
        half_move: HalfMove(0),
        node: None,
    };

    /// Share of the search that the evaluation gives it among its siblings.
    #[must_use]
    pub const fn prior(&self) -> f32 {
        self.prior.get()
    }

    /// Tests if the outcome is certain.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.mean.is_infinite()
    }
}

/// What a child that is visited for the first time starts with.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Win probability of the player who chooses.
    pub value: f32,
    /// Share among its siblings.
    pub prior: f32,
}

/// How keys become estimates: `exp(scale·(evaluation − best)) / sum` is the prior.
#[derive(Clone, Copy, Debug)]
pub struct Softmax {
    /// Evaluation of the best sibling.
    pub best: u32,
    /// One over the sum of the siblings' exponentials.
    pub inverse_sum: f32,
}

/// An expanded node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Number of children that were visited: the first so many keys.
    visited: u8,
    /// Number of children.
    total: u8,
    /// Statistics of the visited children that do not fit in `inline`.
    more: Option<LineId>,
    /// Keys of all children.
    keys: Option<LineId>,
    /// The next node on the list of the dead.
    next_dead: Option<LineId>,
    /// [`Softmax::inverse_sum`]; the best key, needed to go with it, is the first.
    inverse_sum: f32,
    /// The best child that was not visited yet, if `visited < total`.
    next: Estimate,
    inline: [Child; INLINE],
}

impl Node {
    /// Number of visited children.
    #[must_use]
    pub const fn visited(&self) -> usize {
        self.visited as usize
    }

    /// Number of children.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.total as usize
    }

    /// The best child that was not visited yet.
    #[must_use]
    pub const fn next(&self) -> Option<Estimate> {
        if self.visited < self.total {
            Some(self.next)
        } else {
            None
        }
    }
}

/// Statistics of further visited children of a node.
#[derive(Clone, Copy, Debug)]
struct More {
    next: Option<LineId>,
    children: [Child; PER_MORE],
}

/// Keys of children of a node, the visited ones first, then the best unvisited one.
#[derive(Clone, Copy, Debug)]
struct Keys {
    next: Option<LineId>,
    keys: [Key; PER_KEYS],
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
enum Line {
    Free { next: Option<LineId> },
    Node(Node),
    More(More),
    Keys(Keys),
}

const _: () = assert!(size_of::<Line>() == LINE_BYTES);

/// Where the statistics of a visited child lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildRef {
    line: LineId,
    slot: u8,
}

/// The arena and the root in it.
pub struct Tree {
    /// Never grows beyond its first capacity; lines enter it one by one, so memory is only touched when used.
    lines: Vec<Line>,
    capacity: usize,
    free: Option<LineId>,
    free_count: usize,
    dead: Option<LineId>,
    root: Option<LineId>,
    root_visits: u32,
    pruner: Pruner,
}

/// A walk through the tree that cuts off what was visited least, a few nodes at a time.
#[derive(Default)]
struct Pruner {
    /// Nodes that are still to be looked at.
    stack: Vec<LineId>,
    /// Children with fewer visits lose their own children.
    bar: u32,
    /// Subtrees cut off in this walk.
    cut: usize,
}

impl Tree {
    /// An empty tree that never takes more than about `bytes` of memory.
    #[must_use]
    pub fn with_memory(bytes: usize) -> Tree {
        let capacity = (bytes / LINE_BYTES).max(MIN_LINES);
        Tree {
            lines: Vec::with_capacity(capacity),
            capacity,
            free: None,
            free_count: 0,
            dead: None,
            root: None,
            root_visits: 0,
            pruner: Pruner::default(),
        }
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

    /// An expanded node.
    ///
    /// # Panics
    /// If the id is not a node's.
    #[must_use]
    pub fn node(&self, id: LineId) -> &Node {
        match &self.lines[id.index()] {
            Line::Node(node) => node,
            _ => unreachable!("line {id:?} is not a node"),
        }
    }

    fn node_mut(&mut self, id: LineId) -> &mut Node {
        match &mut self.lines[id.index()] {
            Line::Node(node) => node,
            _ => unreachable!("line {id:?} is not a node"),
        }
    }

    fn more(&self, id: LineId) -> &More {
        match &self.lines[id.index()] {
            Line::More(more) => more,
            _ => unreachable!("line {id:?} does not hold statistics"),
        }
    }

    fn keys(&self, id: LineId) -> &Keys {
        match &self.lines[id.index()] {
            Line::Keys(keys) => keys,
            _ => unreachable!("line {id:?} does not hold keys"),
        }
    }

    fn keys_mut(&mut self, id: LineId) -> &mut Keys {
        match &mut self.lines[id.index()] {
            Line::Keys(keys) => keys,
            _ => unreachable!("line {id:?} does not hold keys"),
        }
    }

    /// The statistics of a visited child.
    #[must_use]
    pub fn child(&self, at: ChildRef) -> &Child {
        let slot = usize::from(at.slot);
        match &self.lines[at.line.index()] {
            Line::Node(node) => &node.inline[slot],
            Line::More(more) => &more.children[slot],
            _ => unreachable!("line {:?} does not hold statistics", at.line),
        }
    }

    /// The statistics of a visited child.
    pub fn child_mut(&mut self, at: ChildRef) -> &mut Child {
        let slot = usize::from(at.slot);
        match &mut self.lines[at.line.index()] {
            Line::Node(node) => &mut node.inline[slot],
            Line::More(more) => &mut more.children[slot],
            _ => unreachable!("line {:?} does not hold statistics", at.line),
        }
    }

    /// Calls `visit` with the place and the statistics of every visited child of a node, in order.
    #[inline]
    pub fn for_each_child(&self, id: LineId, mut visit: impl FnMut(ChildRef, &Child)) {
        let node = self.node(id);
        let visited = node.visited();
        for (slot, child) in node.inline[..visited.min(INLINE)].iter().enumerate() {
            visit(
                ChildRef {
                    line: id,
                    slot: slot as u8,
                },
                child,
            );
        }
        let mut first = INLINE;
        let mut line = node.more;
        while let Some(id) = line {
            let more = self.more(id);
            for (slot, child) in more.children[..(visited - first).min(PER_MORE)]
                .iter()
                .enumerate()
            {
                visit(
                    ChildRef {
                        line: id,
                        slot: slot as u8,
                    },
                    child,
                );
            }
            first += PER_MORE;
            line = more.next;
        }
    }

    /// Makes a node of the keys of all its children, none of them visited; `estimate` says what the
    /// best one starts with.
    ///
    /// # Panics
    /// If there was no [`Tree::make_room`] before this iteration, or there are more than 255 keys.
    pub fn add_node(
        &mut self,
        keys: &mut [Key],
        softmax: Softmax,
        estimate: impl Fn(Key) -> Estimate,
    ) -> LineId {
        bring_best_to_front(keys);
        let first = keys.first().map_or(
            Estimate {
                value: 0.0,
                prior: 0.0,
            },
            |&best| estimate(best),
        );
        let mut chain = None;
        for chunk in keys.chunks(PER_KEYS).rev() {
            let mut line = Keys {
                next: chain,
                keys: [Key::NONE; PER_KEYS],
            };
            line.keys[..chunk.len()].copy_from_slice(chunk);
            chain = Some(self.take(Line::Keys(line)));
        }
        self.take(Line::Node(Node {
            visited: 0,
            total: u8::try_from(keys.len()).expect("a node has at most 255 children"),
            more: None,
            keys: chain,
            next_dead: None,
            inverse_sum: softmax.inverse_sum,
            next: first,
            inline: [Child::NONE; INLINE],
        }))
    }

    /// Turns a node's best unvisited child into a visited one, with no visits yet.
    ///
    /// # Panics
    /// If all children are visited.
    pub fn promote(&mut self, id: LineId, estimate: impl Fn(Key, Softmax) -> Estimate) -> ChildRef {
        let node = self.node_mut(id);
        let number = node.visited();
        assert!(number < node.total(), "all {number} children are visited");
        let Estimate { value, prior } = node.next;
        node.visited += 1;
        let (inverse_sum, unvisited) = (node.inverse_sum, node.visited < node.total);
        let half_move = self.key(id, number).half_move();
        if unvisited {
            let softmax = Softmax {
                best: self.key(id, 0).evaluation(),
                inverse_sum,
            };
            let best = self.bring_best_forward(id, number + 1);
            self.node_mut(id).next = estimate(best, softmax);
        }
        let at = self.slot_for(id, number);
        *self.child_mut(at) = Child {
            mean: value,
            prior: Prior::new(prior),
            half_move,
            ..Child::NONE
        };
        at
    }

    /// The place for the statistics of a node's child, a new line if needed.
    fn slot_for(&mut self, id: LineId, number: usize) -> ChildRef {
        if number < INLINE {
            return ChildRef {
                line: id,
                slot: number as u8,
            };
        }
        let slot = ((number - INLINE) % PER_MORE) as u8;
        let mut last = None;
        let mut next = self.node(id).more;
        for _ in 0..(number - INLINE) / PER_MORE {
            last = next;
            next = next.and_then(|line| self.more(line).next);
        }
        let line = next.unwrap_or_else(|| {
            let line = self.take(Line::More(More {
                next: None,
                children: [Child::NONE; PER_MORE],
            }));
            match last.map(|last| &mut self.lines[last.index()]) {
                Some(Line::More(more)) => more.next = Some(line),
                _ => self.node_mut(id).more = Some(line),
            }
            line
        });
        ChildRef { line, slot }
    }

    /// The key of a node's child, by its number.
    ///
    /// # Panics
    /// If the node has no such child.
    #[must_use]
    pub fn key(&self, id: LineId, number: usize) -> Key {
        self.keys(self.keys_line(id, number)).keys[number % PER_KEYS]
    }

    /// The line that holds the key of a node's child.
    fn keys_line(&self, id: LineId, number: usize) -> LineId {
        let mut line = self.node(id).keys.expect("a child has a key");
        for _ in 0..number / PER_KEYS {
            line = self.keys(line).next.expect("a child has a key");
        }
        line
    }

    /// Swaps the best of a node's keys from `number` on to that place and returns it.
    fn bring_best_forward(&mut self, id: LineId, number: usize) -> Key {
        let total = self.node(id).total();
        let mut line = self.keys_line(id, number);
        let (front, slot) = (line, number % PER_KEYS);
        let (mut best, mut best_at) = (Key::NONE, (front, slot));
        let mut first = number - slot;
        let mut start = slot;
        loop {
            let keys = self.keys(line);
            for at in start..(total - first).min(PER_KEYS) {
                if keys.keys[at] > best {
                    (best, best_at) = (keys.keys[at], (line, at));
                }
            }
            let Some(next) = keys.next else { break };
            (line, first, start) = (next, first + PER_KEYS, 0);
        }
        let displaced = std::mem::replace(&mut self.keys_mut(front).keys[slot], best);
        if best_at != (front, slot) {
            self.keys_mut(best_at.0).keys[best_at.1] = displaced;
        }
        best
    }

    /// Makes the child under the given half-moves the root and gives back everything else.
    ///
    /// If the child was never expanded the tree is empty afterwards.
    pub fn advance_root(&mut self, half_moves: [HalfMove; 2]) {
        let kept = self.root.and_then(|root| {
            let amazon = self.find_child(root, half_moves[0])?;
            let arrow = self.find_child(self.child(amazon).node?, half_moves[1])?;
            let visits = self.child(arrow).visits;
            let node = self.child_mut(arrow).node.take();
            Some((node, visits))
        });
        if let Some(root) = self.root {
            self.bury(root);
        }
        (self.root, self.root_visits) = kept.unwrap_or((None, 0));
        self.pruner = Pruner::default();
    }

    /// Gives back the whole tree.
    pub fn clear(&mut self) {
        self.lines.clear();
        (self.free, self.free_count, self.dead) = (None, 0, None);
        (self.root, self.root_visits) = (None, 0);
        self.pruner = Pruner::default();
    }

    /// The visited child of a node under a half-move.
    #[must_use]
    pub fn find_child(&self, id: LineId, half_move: HalfMove) -> Option<ChildRef> {
        let mut found = None;
        self.for_each_child(id, |at, child| {
            if child.half_move == half_move {
                found = Some(at);
            }
        });
        found
    }

    /// Lines that are in use or on the list of the dead, as bytes.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        (self.lines.len() - self.free_count) * LINE_BYTES
    }

    /// Makes sure that one more iteration finds the lines it needs. To be called between iterations.
    ///
    /// Takes dead nodes apart first. When there are none, cuts off subtrees with few visits, at first
    /// those with one, then, as long as a walk through the tree finds too little, twice as many.
    #[inline]
    pub fn make_room(&mut self) {
        while self.free_count + (self.capacity - self.lines.len()) < RESERVE {
            if !self.take_apart_one() {
                self.prune_one();
            }
        }
    }

    /// Puts a line into the arena.
    fn take(&mut self, line: Line) -> LineId {
        match self.free {
            Some(id) => {
                if let Line::Free { next } = self.lines[id.index()] {
                    self.free = next;
                }
                self.free_count -= 1;
                self.lines[id.index()] = line;
                id
            }
            None => {
                assert!(
                    self.lines.len() < self.capacity,
                    "make_room keeps lines in reserve"
                );
                self.lines.push(line);
                LineId::new(self.lines.len() - 1)
            }
        }
    }

    fn give_back(&mut self, id: LineId) {
        self.lines[id.index()] = Line::Free { next: self.free };
        self.free = Some(id);
        self.free_count += 1;
    }

    /// Puts a node on the list of the dead.
    fn bury(&mut self, id: LineId) {
        self.node_mut(id).next_dead = self.dead;
        self.dead = Some(id);
    }

    /// Gives back the lines of one dead node and puts its children on the list. Returns false if no node is dead.
    fn take_apart_one(&mut self) -> bool {
        let Some(id) = self.dead else { return false };
        let node = *self.node(id);
        self.dead = node.next_dead;
        for child in &node.inline[..node.visited().min(INLINE)] {
            child.node.into_iter().for_each(|node| self.bury(node));
        }
        let mut line = node.more;
        while let Some(id) = line {
            let more = *self.more(id);
            // Places that were never filled hold no node.
            more.children
                .iter()
                .filter_map(|child| child.node)
                .for_each(|node| self.bury(node));
            self.give_back(id);
            line = more.next;
        }
        let mut line = node.keys;
        while let Some(id) = line {
            line = self.keys(id).next;
            self.give_back(id);
        }
        self.give_back(id);
        true
    }

    /// Looks at one node and cuts off the children of its children that were visited too little.
    fn prune_one(&mut self) {
        let Some(id) = self.pruner.stack.pop() else {
            // A cut gives back two lines or more.
            if self.pruner.cut * 2 < self.capacity / 16 {
                self.pruner.bar = self.pruner.bar.saturating_mul(2).max(2);
            }
            self.pruner.cut = 0;
            self.pruner.stack.extend(self.root);
            return;
        };
        let mut cut = 0;
        let mut stack = std::mem::take(&mut self.pruner.stack);
        let mut doomed = SmallVec::<[ChildRef; 32]>::new();
        self.for_each_child(id, |at, child| match child.node {
            Some(_) if child.visits < self.pruner.bar && child.mean != Child::WON => {
                doomed.push(at)
            }
            Some(node) => stack.push(node),
            None => {}
        });
        for at in doomed {
            if let Some(node) = self.child_mut(at).node.take() {
                self.bury(node);
                cut += 1;
            }
        }
        self.pruner.stack = stack;
        self.pruner.cut += cut;
    }
}

/// Swaps the best key to the front.
fn bring_best_to_front(keys: &mut [Key]) {
    if let Some(best) = (0..keys.len()).max_by_key(|&at| keys[at]) {
        keys.swap(0, best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::mcts::{Params, Search};
    use crate::movegen;

    /// Marks the lines of a node and of everything below it.
    fn mark(tree: &Tree, id: LineId, seen: &mut [bool]) {
        let mut claim = |id: LineId| {
            assert!(
                !std::mem::replace(&mut seen[id.index()], true),
                "{id:?} is used twice"
            )
        };
        claim(id);
        let mut below = Vec::new();
        tree.for_each_child(id, |at, child| {
            below.extend(child.node);
            if at.line != id && at.slot == 0 {
                claim(at.line);
            }
        });
        let mut keys = tree.node(id).keys;
        while let Some(line) = keys {
            claim(line);
            keys = tree.keys(line).next;
        }
        below.into_iter().for_each(|node| mark(tree, node, seen));
    }

    /// Checks that every line is free, or belongs to one living or dead node.
    fn account_for_all_lines(tree: &Tree) {
        let mut seen = vec![false; tree.lines.len()];
        tree.root
            .into_iter()
            .for_each(|root| mark(tree, root, &mut seen));
        let mut dead = tree.dead;
        while let Some(id) = dead {
            mark(tree, id, &mut seen);
            dead = tree.node(id).next_dead;
        }
        let mut free = tree.free;
        let mut count = 0;
        while let Some(id) = free {
            assert!(
                !std::mem::replace(&mut seen[id.index()], true),
                "{id:?} is free and used"
            );
            count += 1;
            free = match tree.lines[id.index()] {
                Line::Free { next } => next,
                _ => unreachable!("a line on the free list is free"),
            };
        }
        assert_eq!(count, tree.free_count);
        assert!(seen.into_iter().all(|seen| seen), "a line is lost");
    }

    #[test]
    fn no_line_is_lost_in_a_game_with_a_full_arena() {
        let mut search = Search::new(Board::start(), 1 << 18, 1, Params::default());
        let capacity = search.tree.capacity;
        while movegen::count(&search.board) > 0 {
            search.run(|done| done < 2_000);
            account_for_all_lines(&search.tree);
            let turn = search.best_move().expect("there are moves");
            search.advance_root(turn);
            account_for_all_lines(&search.tree);
            assert_eq!(
                search.tree.lines.capacity(),
                capacity,
                "the arena never grows"
            );
        }
        assert!(
            search.tree.lines.len() > capacity - RESERVE,
            "the arena was full"
        );
    }
}
