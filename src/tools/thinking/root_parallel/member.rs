//! One thread's search of an image of the position. What it says is turned back.

use super::symmetry::Symmetry;
use crate::board::Move;
use crate::mcts::{Edge, HalfMove, NodeId, Report, Search};

/// The search of one thread.
pub struct Member {
    /// The search.
    pub search: Search,
    /// How its board is turned.
    pub symmetry: Symmetry,
}

impl Member {
    /// Whether it knows the winner.
    pub fn is_proven(&self) -> bool {
        self.search.winner().is_some()
    }

    /// The best move that it knows, as [`Search::best_move`].
    pub fn best_move(&self) -> Option<Move> {
        let best = self.search.best_move()?;
        Some(self.symmetry.inverse().turn(best))
    }

    /// What its last run found.
    pub fn report(&self) -> Report {
        let mut report = self.search.report();
        self.turn_back(&mut report.principal_variation);
        report
    }

    fn turn_back(&self, line: &mut [Move]) {
        for turn in line {
            *turn = self.symmetry.inverse().turn(*turn);
        }
    }

    /// Calls `visit` with every half-move that was visited: the amazons' moves, or the arrows behind one of them.
    pub fn for_each_edge(&self, amazon: Option<HalfMove>, mut visit: impl FnMut(Edge)) {
        let (tree, back) = (self.search.tree(), self.symmetry.inverse());
        let node = amazon.map_or_else(|| tree.root(), |amazon| self.behind(amazon));
        let Some(node) = node else { return };
        tree.for_each_edge(node, |_, edge| {
            let half_move = match amazon {
                None => back.amazon(edge.half_move),
                Some(_) => HalfMove::arrow(back.square(edge.half_move.to())),
            };
            visit(Edge { half_move, ..edge });
        });
    }

    /// The node behind an amazon's move.
    fn behind(&self, amazon: HalfMove) -> Option<NodeId> {
        let tree = self.search.tree();
        let amazon = tree.find_edge(tree.root()?, self.symmetry.amazon(amazon))?;
        tree.edge(amazon).node
    }

    /// The visits of a turn, and the principal variation behind it.
    pub fn line(&self, turn: Move) -> Option<(u32, Vec<Move>)> {
        let (tree, arrow) = (self.search.tree(), self.symmetry.square(turn.arrow));
        let node = self.behind(HalfMove::amazon(turn.from, turn.to))?;
        let arrow = tree.edge(tree.find_edge(node, HalfMove::arrow(arrow))?);
        let mut line = self.search.line(arrow.node, usize::MAX);
        self.turn_back(&mut line);
        Some((arrow.visits, line))
    }
}
