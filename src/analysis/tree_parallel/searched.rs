//! Results of a [`TreeParallel`]: the best move, and the moves that were visited.

use super::{AnySearch, TreeParallel, with_search};
use engine::board::Move;
use engine::inspect::{Edge, NodeId, Tree, Word};
use engine::mcts::Report;

/// A move that the search has visited: the amazon's move and the arrow shot after it. Each of the two is an edge of the
/// search tree. Win probabilities are those of the player who makes the move.
#[derive(Clone, Copy, Debug)]
pub struct SearchedTurn {
    /// Edge of the search tree for the amazon's move, from the root to the node after this move.
    pub amazon: Edge,
    /// Edge of the search tree for the arrow shot, from the node after the amazon's move to the node after the shot.
    pub arrow: Edge,
}

impl SearchedTurn {
    /// Returns the amazon's move and the arrow shot as one [`Move`].
    #[must_use]
    pub const fn turn(&self) -> Move {
        self.amazon.action.followed_by(self.arrow.action)
    }
}

impl TreeParallel {
    /// Returns the best move found so far, or `None` if there is no legal move.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        with_search!(&self.search, search => search.best_move())
    }

    /// Tests if the winner of the position is proven.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        with_search!(&self.search, search => search.winner()).is_some()
    }

    /// Returns a report on the last search, whose counts are those of all threads together.
    #[must_use]
    pub fn report(&self) -> Report {
        with_search!(&self.search, search => search.report())
    }

    /// Returns all moves (amazon's move and arrow shot) that the search has visited. The result is not sorted by
    /// strength: moves that start with the same amazon's move stand together, in the order of their first visits.
    #[must_use]
    pub fn turns(&self) -> Vec<SearchedTurn> {
        with_search!(&self.search, search => turns(search.tree()))
    }

    /// Returns the principal variation that begins with the move `turn`.
    #[must_use]
    pub fn principal_variation(&self, turn: Move) -> Vec<Move> {
        let replies = with_search!(&self.search, search => {
            search.principal_variation_from(node_after(search.tree(), turn), usize::MAX)
        });
        [vec![turn], replies].concat()
    }
}

/// Returns all visited moves of the root of `tree`.
fn turns<W: Word>(tree: &Tree<W>) -> Vec<SearchedTurn> {
    let mut turns = Vec::new();
    let mut add = |amazon: Edge, node| {
        tree.for_each_edge(node, |_, arrow| turns.push(SearchedTurn { amazon, arrow }));
    };
    if let Some(root) = tree.root() {
        tree.for_each_edge(root, |_, amazon| {
            amazon.node.into_iter().for_each(|node| add(amazon, node));
        });
    }
    turns
}

/// Returns the node to which the whole turn `turn`, played at the root of `tree`, leads. Returns `None` if there is no
/// such node.
fn node_after<W: Word>(tree: &Tree<W>, turn: Move) -> Option<NodeId> {
    let amazon = tree.edge(tree.find_amazon(tree.root()?, turn.from, turn.to)?);
    tree.edge(tree.find_arrow(amazon.node?, turn.arrow)?).node
}
