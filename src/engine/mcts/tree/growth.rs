//! Growth of the tree: creates nodes from packed edges, and gives statistics to an edge on its first visit.

use super::Tree;
use super::arena::{Line, LineId};
use super::edge::{Edge, EdgeRef, Estimate, PackedEdge, Softmax};
use super::node::{
    DIRECTORY_ENTRIES, EMPTY_EDGES, FIRST_INLINE, INLINE, LINK, PACKED_PER_LINE, SLOTS, directory,
    field, set_next, word,
};
use super::nodes::NodeId;

impl Tree {
    /// Adds a node whose edges are all unvisited. `packed` holds its packed edges, the best two first. `estimate`
    /// computes the initial value and prior of the best edge.
    ///
    /// # Panics
    /// If the arena is full because [`Tree::reclaim`] was not called before this iteration, or if there are more than
    /// 255 edges.
    pub fn add_node(
        &mut self,
        packed: &[PackedEdge],
        softmax: Softmax,
        estimate: impl Fn(PackedEdge) -> Estimate,
    ) -> NodeId {
        let mut chain = None;
        for chunk in packed.chunks(PACKED_PER_LINE).rev() {
            let mut line = Line::ZERO;
            for (word, edge) in line.0.iter_mut().zip(chunk) {
                *word = edge.0;
            }
            line.0[LINK] = LineId::to_word(chain);
            chain = Some(self.arena.allocate(line));
        }
        let total = u8::try_from(packed.len()).expect("a node has at most 255 edges");
        let mut own = EMPTY_EDGES;
        own.0[word::COUNTS] = u32::from(total) << 8;
        own.0[word::DIRECTORY] = LineId::to_word(None);
        own.0[word::PACKED] = LineId::to_word(chain);
        own.0[word::INVERSE_SUM] = softmax.inverse_sum.to_bits();
        if let Some(&best) = packed.first() {
            set_next(&mut own, estimate(best));
        }
        self.nodes.add(self.arena.allocate(own))
    }

    /// Turns the best unvisited edge of `node` into a visited edge with zero visits. `estimate` computes the initial
    /// value and prior of the next best unvisited edge.
    ///
    /// # Panics
    /// If all edges are visited.
    pub fn expand_edge(
        &mut self,
        node: NodeId,
        estimate: impl Fn(PackedEdge, Softmax) -> Estimate,
    ) -> EdgeRef {
        let number = self.visited(node);
        let Estimate { value, prior } = self
            .first_unvisited(node)
            .expect("an edge is not visited yet");
        let half_move = self.packed_edge(node, number).half_move();
        if number + 1 < self.total(node) {
            let softmax = Softmax {
                best: self.packed_edge(node, 0).estimate(),
                inverse_sum: f32::from_bits(self.arena[node].0[word::INVERSE_SUM]),
            };
            // The best two packed edges were sorted to the front when the node was made.
            let next = match number {
                0 => self.packed_edge(node, 1),
                _ => self.swap_best_to(node, number + 1),
            };
            let next = estimate(next, softmax);
            set_next(&mut self.arena[node], next);
        }
        let own = &mut self.arena[node];
        own.0[word::COUNTS] += 1;
        if directory(own).is_some() {
            // A new edge invalidates the cached leader.
            own.0[word::LEADER] = 0;
        }
        let at = self.allocate_slot(node, number);
        let words = &mut self.arena[at.line].0;
        words[field::MEAN + at.slot()] = value.to_bits();
        words[field::PRIOR_AND_MOVE + at.slot()] = Edge::prior_and_move_word(prior, half_move);
        at
    }

    /// Returns the location for the statistics of edge `number` of a node. Allocates a line if needed.
    fn allocate_slot(&mut self, node: NodeId, number: usize) -> EdgeRef {
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

    /// Allocates an empty line for four more edges of a node that already has `number` such lines. Returns the id of
    /// the new line.
    fn add_further_line(&mut self, node: NodeId, number: usize) -> LineId {
        let line = self.arena.allocate(EMPTY_EDGES);
        let own = &mut self.arena[node].0;
        match number {
            0 => {
                own[word::FURTHER] = LineId::to_word(Some(line));
                return line;
            }
            // The word that held the id of the first line of edges will hold the leader, so the id moves to the
            // directory.
            1 => {
                let only = std::mem::replace(&mut own[word::LEADER], 0);
                let directory = self.get_or_allocate(node.line(), word::DIRECTORY);
                self.arena[directory].0[0] = only;
            }
            _ => {}
        }
        let mut directory = self.get_or_allocate(node.line(), word::DIRECTORY);
        for _ in 0..number / DIRECTORY_ENTRIES {
            directory = self.get_or_allocate(directory, LINK);
        }
        self.arena[directory].0[number % DIRECTORY_ENTRIES] = LineId::to_word(Some(line));
        line
    }

    /// Returns the line whose id is stored in `word` of `line`. If the word is 0, allocates an empty line and stores
    /// its id there.
    fn get_or_allocate(&mut self, line: LineId, word: usize) -> LineId {
        LineId::from_word(self.arena[line].0[word]).unwrap_or_else(|| {
            let next = self.arena.allocate(Line::ZERO);
            self.arena[line].0[word] = LineId::to_word(Some(next));
            next
        })
    }

    /// Returns the packed edge `number` of a node.
    ///
    /// # Panics
    /// If the node has no such edge.
    #[must_use]
    pub fn packed_edge(&self, node: NodeId, number: usize) -> PackedEdge {
        PackedEdge(self.arena[self.packed_line(node, number)].0[number % PACKED_PER_LINE])
    }

    /// Returns the id of the line that holds the packed edge `number` of a node.
    fn packed_line(&self, node: NodeId, number: usize) -> LineId {
        let mut line = LineId::from_word(self.arena[node].0[word::PACKED]);
        for _ in 0..number / PACKED_PER_LINE {
            line = line.and_then(|line| LineId::from_word(self.arena[line].0[LINK]));
        }
        line.expect("every edge has a packed edge")
    }

    /// Finds the best packed edge from index `number` on, swaps it to this index and returns it.
    fn swap_best_to(&mut self, node: NodeId, number: usize) -> PackedEdge {
        let front = (self.packed_line(node, number), number % PACKED_PER_LINE);
        let first = &self.arena[front.0].0;
        // Unused words are 0, which is lower than any packed edge.
        let (mut best, mut best_line) = (highest_packed(&first[front.1..PACKED_PER_LINE]), front.0);
        let mut next = LineId::from_word(first[LINK]);
        while let Some(line) = next {
            let words = &self.arena[line].0;
            let highest = highest_packed(&words[..PACKED_PER_LINE]);
            if highest > best {
                (best, best_line) = (highest, line);
            }
            next = LineId::from_word(words[LINK]);
        }
        let at = self.arena[best_line]
            .0
            .iter()
            .position(|&edge| edge == best);
        let best_at = (best_line, at.expect("it was found there"));
        let displaced = std::mem::replace(&mut self.arena[front.0].0[front.1], best);
        if best_at != front {
            self.arena[best_at.0].0[best_at.1] = displaced;
        }
        PackedEdge(best)
    }
}

/// Returns the highest of the given packed edges, or 0 if there are none.
#[inline(always)]
fn highest_packed(packed: &[u32]) -> u32 {
    packed.iter().fold(0, |highest, &edge| highest.max(edge))
}
