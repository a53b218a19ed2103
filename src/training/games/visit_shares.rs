//! The amazon moves and arrow shots that a search visited most, each with its share of the visits. They are the
//! training targets of the policy network. Their format in a file is described at the top of [`games`](crate::games).

use engine::board::Move;
use engine::inspect::{Action, NodeId, Tree};
use engine::mcts::Search;
use std::cmp::Reverse;

/// Integer that stores a visit share of 100 %. A share s, from 0 to 1, is stored as the integer nearest to 255·s.
pub const FULL_SHARE: u8 = 255;

/// Visit shares of the most visited amazon moves (at most 8) and arrow shots (at most 4) of a search. The visit share
/// of an amazon move is its fraction of the visits of all amazon moves. That of an arrow shot is its fraction of the
/// visits of all arrow shots after the played amazon move.
///
/// Both arrays are in descending order of visits. Each element is two bytes. First: byte that encodes the amazon move
/// or the arrow shot. Second: visit share, from 0 to [`FULL_SHARE`] (255), which is 100 %. Unused places contain
/// `[0, 0]`; all places are unused in the random opening and if nothing was searched.
///
/// The shares in `amazons`, or those in `arrows`, may add up to less than 100 %, because only the most visited
/// alternatives are listed. Because shares are rounded, they may also add up to slightly more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitShares {
    /// The most visited amazon moves, in descending order of visits, each as two bytes. First: `64·i + destination`,
    /// where `destination` is the index (0 to 63) of a square, and `i` (0 to 3) numbers the amazons of the side to move
    /// in ascending order of their squares. Second: share of the visits of all amazon moves, in units of 1/255.
    ///
    /// Unused places contain `[0, 0]`.
    pub amazons: [[u8; 2]; 8],
    /// The most visited arrow shots after the amazon move that was played, in descending order of visits, each as two
    /// bytes. First: index (0 to 63) of the arrow's square. Second: share of the visits of all arrow shots after this
    /// amazon move, in units of 1/255.
    ///
    /// Unused places contain `[0, 0]`.
    pub arrows: [[u8; 2]; 4],
}

impl VisitShares {
    /// Returns the most visited amazon moves of `search`, and the most visited arrow shots after the amazon move of
    /// `turn`, the move that is about to be played. If the search tree has no node for the position after this amazon
    /// move, no arrow shots are listed.
    ///
    /// All visits in the tree count, also those of a search before the opponent's last move, and those of moves that
    /// are proven losses by now. Therefore `turn` itself may be missing among the most visited moves.
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

    /// Tests if no amazon move and no arrow shot is listed. Plies of the random opening have such empty lists, because
    /// they are not searched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == VisitShares::default()
    }

    /// Returns the 24 bytes with which a file of self-play games stores these visit shares.
    pub(super) fn to_bytes(self) -> impl Iterator<Item = u8> {
        self.amazons.into_iter().chain(self.arrows).flatten()
    }

    /// Parses visit shares from the 24 bytes with which a file of self-play games stores them. Returns `None` if
    /// `bytes` has fewer than 24 bytes.
    pub(super) fn read(bytes: &[u8]) -> Option<VisitShares> {
        let (&amazons, arrows) = bytes.as_chunks().0.split_first_chunk()?;
        let arrows = *arrows.first_chunk()?;
        Some(VisitShares { amazons, arrows })
    }
}

/// Returns the `N` most visited actions (amazon moves or arrow shots) of `node`, the most visited first; actions with
/// equal visits keep the order of the node's edges. Each is returned as two bytes. First: the byte that `encode`
/// returns for the action. Second: its share of the node's visits, from 0 to [`FULL_SHARE`].
///
/// Both bytes are 0 if the share rounds to 0, or if the node has fewer than `N` actions.
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
    for (pair, (visits, action)) in shares.iter_mut().zip(edges) {
        let share = (u64::from(FULL_SHARE) * visits + all / 2) / all.max(1);
        if share > 0 {
            *pair = [action, share as u8];
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

    /// Asserts that `shares` lists the `shares.len()` most visited actions of `node`, in descending order of visits.
    /// Each element must consist of two bytes. First: the byte that `encode` returns for the action. Second: the
    /// action's share of the visits, correctly rounded to a multiple of 1/255. Both must be 0 if the share rounds to 0.
    fn check(shares: &[[u8; 2]], search: &Search, node: NodeId, encode: impl Fn(Action) -> u8) {
        let mut edges = Vec::new();
        let tree = search.tree();
        tree.for_each_edge(node, |_, edge| edges.push((edge.visits, edge.action)));
        let all: u32 = edges.iter().map(|edge| edge.0).sum();
        edges.sort_by_key(|edge| Reverse(edge.0));
        for (at, [action, share]) in shares.iter().enumerate() {
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
