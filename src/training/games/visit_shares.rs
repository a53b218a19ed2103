//! The most visited actions (amazon moves and arrows) of a search, each with its share of the visits. They are the
//! training targets of the policy network. The tables in [`games`](crate::games) define their bytes in a file.

use engine::board::Move;
use engine::inspect::{Action, NodeId, Tree};
use engine::mcts::Search;
use std::cmp::Reverse;

/// Stored value of a visit share of 100 %: shares are stored as integers, in units of 1/255.
pub const FULL_SHARE: u8 = 255;

/// Most visited actions (amazon moves and arrows) of a search, in descending order of visits. Each action is a pair of
/// bytes, as a file of games stores it. First: the action, encoded differently for amazon moves and arrows; second: its
/// fraction of the visits of all actions of the same node, in units of 1 / [`FULL_SHARE`].
///
/// Unused pairs are `[0, 0]`; all are unused in the random opening and if nothing was searched. The fractions of a
/// field can add up to less than 1, because other actions are not listed, or slightly more, because they are rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitShares {
    /// Amazon moves with their visit shares. The first byte of a pair is `64·i + destination`: `destination` is a
    /// square's index, and `i` (0 to 3) is the index of the moving amazon among those of the side to move, in ascending
    /// order of their squares.
    pub amazons: [[u8; 2]; 8],
    /// Arrows after the amazon move that was played, with their visit shares. The first byte of a pair is the index (0
    /// to 63) of the arrow's square.
    pub arrows: [[u8; 2]; 4],
}

impl VisitShares {
    /// Returns the most visited actions of `search`. `turn` is the move about to be played: the arrows are those after
    /// its amazon move. No arrows are listed if the search has no node for this amazon move.
    ///
    /// Visits from earlier turns count, and so do visits of moves that are now proven losses. Therefore `turn` itself
    /// may be missing.
    #[must_use]
    pub fn from_search(search: &Search, turn: Move) -> VisitShares {
        let tree = search.tree();
        let Some(root) = tree.root() else {
            return VisitShares::default();
        };
        let mine = search.board().amazons(search.board().to_move());
        let played = tree.find_amazon(root, turn.from, turn.to);
        let arrows = played.and_then(|at| tree.edge(at).node);
        VisitShares {
            amazons: most_visited(tree, root, |action| {
                let index = (mine & (action.from().bit() - 1)).count_ones() as u8;
                index << 6 | action.to().index() as u8
            }),
            arrows: arrows.map_or_else(Default::default, |node| {
                most_visited(tree, node, |action| action.to().index() as u8)
            }),
        }
    }

    /// Tests if no action is listed, as in plies of the random opening.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == VisitShares::default()
    }

    /// Returns the 24 bytes with which a file of games stores the actions and their visit shares.
    pub(super) fn to_bytes(self) -> impl Iterator<Item = u8> {
        self.amazons.into_iter().chain(self.arrows).flatten()
    }

    /// Parses the actions and their visit shares from the 24 bytes with which a file of games stores them. Returns
    /// `None` if `bytes` has fewer.
    pub(super) fn read(bytes: &[u8]) -> Option<VisitShares> {
        let (&amazons, arrows) = bytes.as_chunks().0.split_first_chunk()?;
        let arrows = *arrows.first_chunk()?;
        Some(VisitShares { amazons, arrows })
    }
}

/// Returns the `N` most visited actions of `node`, in descending order of visits. Each is a pair of bytes. First: the
/// byte that `encode` returns for the action; second: its share of the node's visits in units of 1 / [`FULL_SHARE`].
/// Actions with equal visits stay in the order of the node's edges. If the share rounds to 0, the pair is `[0, 0]`.
fn most_visited<const N: usize>(
    tree: &Tree,
    node: NodeId,
    encode: impl Fn(Action) -> u8,
) -> [[u8; 2]; N] {
    let mut edges = Vec::new();
    tree.for_each_edge(node, |_, edge| {
        edges.push((u64::from(edge.visits), encode(edge.action)));
    });
    let all: u64 = edges.iter().map(|&(visits, _)| visits).sum();
    edges.sort_by_key(|&(visits, _)| Reverse(visits));
    let mut shares = [[0; 2]; N];
    for (entry, (visits, action)) in shares.iter_mut().zip(edges) {
        let share = (u64::from(FULL_SHARE) * visits + all / 2) / all.max(1);
        if share > 0 {
            *entry = [action, share as u8];
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::openings;
    use engine::board::{Board, squares};
    use engine::mcts::Params;

    /// Asserts that `entries` are the most visited actions of `node`: each a pair of the byte that `encode` returns for
    /// the action, and its correctly rounded visit share.
    fn check(entries: &[[u8; 2]], search: &Search, node: NodeId, encode: impl Fn(Action) -> u8) {
        let mut edges = Vec::new();
        let tree = search.tree();
        tree.for_each_edge(node, |_, edge| edges.push((edge.visits, edge.action)));
        let all: u32 = edges.iter().map(|edge| edge.0).sum();
        edges.sort_by_key(|edge| Reverse(edge.0));
        for (at, [action, share]) in entries.iter().enumerate() {
            let visits = edges.get(at).map_or(0, |edge| edge.0);
            let exact = 255.0 * f64::from(visits) / f64::from(all);
            assert!((f64::from(*share) - exact).abs() < 0.501, "{share} {exact}");
            let expected = if *share > 0 { encode(edges[at].1) } else { 0 };
            assert_eq!(*action, expected);
        }
    }

    #[test]
    fn shares_match_the_visits_in_the_tree() {
        for (plies, iterations) in [(0, 1), (0, 20), (3, 1000), (20, 2), (30, 1000)] {
            let mut board = Board::start();
            for turn in openings::random_opening(1, plies, plies) {
                board.play(turn).expect("legal");
            }
            let mut search = Search::new(board.clone(), 4 << 20, 1, Params::default());
            search.run(|done| done < iterations);
            let root = search.tree().root().expect("searched");
            let to = |action: Action| action.to().index() as u8;
            let mut nodes = Vec::new();
            search
                .tree()
                .for_each_edge(root, |_, edge| nodes.push((edge.action, edge.node)));
            for (amazon, node) in nodes {
                let shares = VisitShares::from_search(&search, amazon.followed_by(amazon));
                check(&shares.amazons, &search, root, |action| {
                    let mut mine = squares(board.amazons(board.to_move()));
                    let number = mine.position(|square| square == action.from());
                    64 * number.expect("the mover's") as u8 + to(action)
                });
                match node {
                    Some(node) => check(&shares.arrows, &search, node, to),
                    None => assert_eq!(shares.arrows, [[0; 2]; 4]),
                }
            }
        }
    }
}
