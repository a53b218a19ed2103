//! Memory for one more iteration: nodes that are no longer wanted, and what a full tree gives up.

use super::Tree;
use super::layout::{ChildRef, INLINE, LINK, for_each_statistics_line, visited, word};
use crate::mcts::arena::LineId;
use crate::mcts::child::Child;
use crate::mcts::statistics::{FIRST_INLINE, SLOTS, field};

/// Lines that [`Tree::make_room`] keeps free: more than one iteration can take. It expands at most one
/// choice of an amazon (108 moves at most: nine lines) and one of an arrow (27: three lines), and promotes
/// at most three children (two lines each).
pub(super) const RESERVE: usize = 24;

impl Tree {
    /// Makes sure that one more iteration finds the lines it needs. To be called between iterations.
    ///
    /// Takes dead nodes apart first. When there are none, gives up what was visited little.
    #[inline]
    pub fn make_room(&mut self) {
        while self.arena.available() < RESERVE {
            if !self.take_apart_one() {
                self.look_at_one();
            }
        }
    }

    /// Puts a node on the list of the dead.
    pub(super) fn bury(&mut self, node: LineId) {
        self.sweep.remove(node);
        self.arena[node].0[word::NEXT_DEAD] = LineId::to_word(self.dead);
        self.dead = Some(node);
    }

    /// Gives back the lines of one dead node and puts its children on the list. Returns false if no node is dead.
    fn take_apart_one(&mut self) -> bool {
        let Some(id) = self.dead else { return false };
        self.dead = LineId::from_word(self.arena[id].0[word::NEXT_DEAD]);
        let mut lines = std::mem::take(&mut self.lines);
        self.for_each_child(id, |_, child| lines.extend(child.node));
        lines.drain(..).for_each(|node| self.bury(node));
        self.for_each_line(id, |line| lines.push(line));
        lines.drain(..).for_each(|line| self.arena.give_back(line));
        self.lines = lines;
        true
    }

    /// Calls `visit` with every line that a node owns.
    pub(super) fn for_each_line(&self, node: LineId, mut visit: impl FnMut(LineId)) {
        let own = &self.arena[node];
        visit(node);
        for_each_statistics_line(&self.arena, own, &mut visit);
        for chain in [word::DIRECTORY, word::KEYS] {
            let mut line = LineId::from_word(own.0[chain]);
            while let Some(id) = line {
                visit(id);
                line = LineId::from_word(self.arena[id].0[LINK]);
            }
        }
    }

    /// Looks at the next node of the sweep and gives it up if it was visited too little.
    fn look_at_one(&mut self) {
        let Some(node) = self.sweep.next() else {
            return;
        };
        let doomed = ChildRef::from_word(self.arena[node].0[word::PARENT])
            .filter(|&at| self.fewest_visits(node) < self.sweep.bar() && self.is_expendable(at));
        if let Some(at) = doomed {
            let child = self.child(at);
            if child.mean == Child::WON {
                // Without its node it doesn't say how it wins: it has to be found out again.
                self.set_statistics(at, child.visits, 1.0);
            }
            self.set_node(at, None);
            self.bury(node);
        }
        self.sweep.note(doomed.is_some());
    }

    /// A lower bound of a node's visits, from its own line alone.
    fn fewest_visits(&self, node: LineId) -> u32 {
        let own = &self.arena[node];
        let inline: u32 = own.0[field::VISITS + FIRST_INLINE..field::VISITS + SLOTS]
            .iter()
            .sum();
        inline + visited(own).saturating_sub(INLINE) as u32
    }

    /// Tests if a child can lose its node: if it was visited less than the bar says. A move that wins for certain
    /// is kept, as long as anything else is left, with the arrow that goes with it.
    fn is_expendable(&self, at: ChildRef) -> bool {
        let child = self.child(at);
        let bar = self.sweep.bar();
        child.visits < bar && (child.mean != Child::WON || bar > self.root_visits)
    }
}
