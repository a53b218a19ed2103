//! Merges the search results of all threads. For each amazon's move or arrow shot, adds up the visits of all threads,
//! and averages their mean win probabilities, weighted by visits.

use super::{RootParallel, is_proven};
use engine::board::Move;
use engine::inspect::{Action, Edge, NodeId};
use engine::mcts::{Report, Search};

/// A move that the search has visited: the amazon's move and the arrow shot after it. Each of the two is an edge of the
/// search tree, with the visits and the mean win probability of all threads together. The win probability is that of
/// the player who makes the move.
#[derive(Clone, Copy, Debug)]
pub struct SearchedTurn {
    /// Edge of the search tree for the amazon's move, from the root to the node after this move. Visits are summed over
    /// all threads; mean win probabilities are averaged, weighted by visits.
    pub amazon: Edge,
    /// Edge of the search tree for the arrow shot, from the node after the amazon's move to the node after the shot.
    /// Visits are summed over all threads; mean win probabilities are averaged, weighted by visits.
    pub arrow: Edge,
}

impl SearchedTurn {
    /// Returns the amazon's move and the arrow shot as one [`Move`].
    #[must_use]
    pub const fn turn(&self) -> Move {
        self.amazon.action.followed_by(self.arrow.action)
    }
}

impl RootParallel {
    /// Returns the best move found so far. If a thread has proven the winner, this is the best move of that thread;
    /// otherwise it is the best move by the merged results. Returns `None` if there is no legal move.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        let merged = || self.best_turn().map(|best| best.turn());
        match self.deciding_search() {
            Some(search) => search.best_move(),
            None => merged().or_else(|| self.searches[0].best_move()),
        }
    }

    /// Tests if at least one thread has proven the winner of the position.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.searches.iter().any(is_proven)
    }

    /// Returns a report on the last search, merged over all threads: iterations and evaluations are summed, `depth` is
    /// the maximum. The principal variation begins with [`RootParallel::best_move`].
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = self.deciding_search().unwrap_or(&self.searches[0]).report();
        if self.searches.len() == 1 {
            return report;
        }
        let each = || self.searches.iter().map(Search::report);
        report.iterations = each().map(|thread| thread.iterations).sum();
        report.evaluations = each().map(|thread| thread.evaluations).sum();
        report.depth = each().map(|thread| thread.depth).fold(0, usize::max);
        if self.deciding_search().is_none()
            && let Some(best) = self.best_turn()
        {
            report.win_probability = best.amazon.mean.clamp(0.0, 1.0);
            report.principal_variation = self.principal_variation(best.turn());
        }
        if let Some(best) = report.principal_variation.first() {
            let half = Action::amazon(best.from, best.to);
            let mut amazons = self.edges(None).into_iter();
            let amazon = amazons.find(|edge| edge.action == half);
            report.visits = amazon.map_or(0, |amazon| amazon.visits);
        }
        report
    }

    /// Returns the search whose result counts for all threads. With one thread, this is the only search. With several
    /// threads, this is the first search, in the order of the thread numbers, that has proven the winner. Returns
    /// `None` if there are several threads and none has proven the winner.
    fn deciding_search(&self) -> Option<&Search> {
        match &self.searches[..] {
            [only] => Some(only),
            searches => searches.iter().find(|search| is_proven(search)),
        }
    }

    /// Returns the best move by the merged results of all threads. Its amazon's move has the highest lower confidence
    /// bound of the win probability for the side to move ([`Search::best_edge_of`]); so has its arrow shot among those
    /// after this amazon's move. Returns `None` if the search has visited no move.
    fn best_turn(&self) -> Option<SearchedTurn> {
        let amazon = Search::best_edge_of(self.edges(None), self.settings.params)?;
        let arrow = Search::best_edge_of(self.edges(Some(amazon.action)), self.settings.params)?;
        Some(SearchedTurn { amazon, arrow })
    }

    /// Returns all moves (amazon's move and arrow shot) that at least one thread has visited, with the results of all
    /// threads merged. The result is not sorted by strength: moves that start with the same amazon's move stand
    /// together, in the order of the first visits, thread by thread.
    #[must_use]
    pub fn turns(&self) -> Vec<SearchedTurn> {
        let of_amazon = |amazon: Edge| {
            let arrows = self.edges(Some(amazon.action)).into_iter();
            arrows.map(move |arrow| SearchedTurn { amazon, arrow })
        };
        self.edges(None).into_iter().flat_map(of_amazon).collect()
    }

    /// Returns the visited edges of one node of the search tree (amazon's moves or arrow shots), merged over all
    /// threads. The node is the root if `amazon` is `None`, otherwise the node after the amazon's move `amazon`.
    ///
    /// The order is that of the first visits: those by the first thread, then further ones by the second, and so on.
    /// Win probabilities are those of the side to move at the root.
    pub(super) fn edges(&self, amazon: Option<Action>) -> Vec<Edge> {
        let mut all = Vec::new();
        for search in &self.searches {
            let tree = search.tree();
            let node = amazon.map_or_else(|| tree.root(), |amazon| node_after(search, amazon));
            if let Some(node) = node {
                tree.for_each_edge(node, |_, edge| merge(&mut all, edge));
            }
        }
        all
    }

    /// Returns the principal variation that begins with the move `turn`, taken from the thread that visited this move
    /// most often.
    #[must_use]
    pub fn principal_variation(&self, turn: Move) -> Vec<Move> {
        let searches = self.searches.iter();
        let lines = searches.filter_map(|search| visits_and_replies(search, turn));
        let (_, reply) = lines.max_by_key(|line| line.0).unwrap_or_default();
        [vec![turn], reply].concat()
    }
}

/// Returns the node after the amazon's move `amazon` in the search tree of one thread's `search`. Returns `None` if
/// this tree has no such node.
fn node_after(search: &Search, amazon: Action) -> Option<NodeId> {
    let tree = search.tree();
    let amazon = tree.find_amazon(tree.root()?, amazon.from(), amazon.to())?;
    tree.edge(amazon).node
}

/// Returns the results of one thread's `search` for the move `turn`. First: number of visits of the move; second:
/// principal variation after it. Returns `None` if this thread has not visited the move.
fn visits_and_replies(search: &Search, turn: Move) -> Option<(u32, Vec<Move>)> {
    let tree = search.tree();
    let node = node_after(search, Action::amazon(turn.from, turn.to))?;
    let arrow = tree.edge(tree.find_arrow(node, turn.arrow)?);
    Some((
        arrow.visits,
        search.principal_variation_from(arrow.node, usize::MAX),
    ))
}

/// Merges the search-tree edge `edge` of one thread into the list `all`. If the list has an edge of the same amazon's
/// move or arrow shot, adds up the visits and averages the mean values, weighted by visits; otherwise appends `edge`.
///
/// If one of the two edges has a proven value, the result has this value instead of the average.
fn merge(all: &mut Vec<Edge>, edge: Edge) {
    let mut known = all.iter_mut();
    let Some(known) = known.find(|known| known.action == edge.action) else {
        return all.push(edge);
    };
    let visits = known.visits.saturating_add(edge.visits);
    known.mean = match (known.is_proven(), edge.is_proven()) {
        (true, _) => known.mean,
        (false, true) => edge.mean,
        (false, false) => {
            let weight = f64::from(edge.visits) / f64::from(visits.max(1));
            (f64::from(known.mean) + weight * f64::from(edge.mean - known.mean)) as f32
        }
    };
    known.visits = visits;
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::board::Square;

    #[test]
    fn merging_adds_visits_and_keeps_proofs() {
        let edge = |to: u32, visits, mean| Edge {
            visits,
            mean,
            prior: 0.1,
            action: Action::arrow(Square::wrapping(to)),
            node: None,
        };
        let mut all = Vec::new();
        for (to, visits, mean) in [
            (1, 30, 0.5),
            (2, 5, 0.25),
            (1, 10, 0.9),
            (2, 1, Edge::PROVEN_WIN),
            (2, 4, 0.5),
        ] {
            merge(&mut all, edge(to, visits, mean));
        }
        let found: Vec<_> = all.iter().map(|edge| (edge.visits, edge.mean)).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].0, 40);
        assert!((found[0].1 - 0.6).abs() < 1e-6, "{}", found[0].1);
        assert_eq!(found[1], (10, Edge::PROVEN_WIN));
    }
}
