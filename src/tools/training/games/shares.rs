//! The half-moves that a search visited most before a move, each with its share of the visits. The table in
//! [`super`](crate::tools::training::games) says how they stand in a file.

use crate::board::Move;
use crate::mcts::{HalfMove, NodeId, Search, Tree};
use std::cmp::Reverse;

/// The share of a half-move that has all visits.
pub const WHOLE: u8 = 255;

/// What the search visited most before a move, as in a file: half-moves, each with its share of the visits in 1 / [`WHOLE`],
/// the most visited first, then zeros. Nothing in an opening, and where nothing was searched. Shares of half-moves that are
/// not listed are missing from the sum; rounding may lift it above [`WHOLE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    /// Amazon's moves: 64 times the number of the amazon among those of the player to move, from the lowest square up, plus
    /// the square that it enters.
    pub amazons: [[u8; 2]; 8],
    /// Arrows behind the amazon's move that was played: the square.
    pub arrows: [[u8; 2]; 4],
}

impl Shares {
    /// What a search has visited most, `turn` the move that is played: the arrows are those behind its amazon's move,
    /// if the tree has them. Visits of earlier turns count, and so do those of moves that were then found to
    /// lose for certain: the move that is played may be missing.
    #[must_use]
    pub fn of(search: &Search, turn: Move) -> Shares {
        let tree = search.tree();
        let Some(root) = tree.root() else {
            return Shares::default();
        };
        let mine = search.board().amazons(search.board().to_move());
        let played = tree.find_amazon(root, turn.from, turn.to);
        let arrows = played.and_then(|at| tree.edge(at).node);
        Shares {
            amazons: most_visited(tree, root, |half_move| {
                let number = (mine & (half_move.from().bit() - 1)).count_ones() as u8;
                number << 6 | half_move.to().index() as u8
            }),
            arrows: arrows.map_or_else(Default::default, |node| {
                most_visited(tree, node, |half_move| half_move.to().index() as u8)
            }),
        }
    }

    /// Tests if there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Shares::default()
    }

    /// The bytes in a file.
    pub(super) fn to_bytes(self) -> impl Iterator<Item = u8> {
        self.amazons.into_iter().chain(self.arrows).flatten()
    }

    /// Reads the bytes in a file; nothing if there are too few.
    pub(super) fn read(bytes: &[u8]) -> Option<Shares> {
        let (&amazons, arrows) = bytes.as_chunks().0.split_first_chunk()?;
        let arrows = *arrows.first_chunk()?;
        Some(Shares { amazons, arrows })
    }
}

/// The most visited half-moves of a node, those of equal visits in the order of their first ones.
fn most_visited<const N: usize>(
    tree: &Tree,
    node: NodeId,
    to_byte: impl Fn(HalfMove) -> u8,
) -> [[u8; 2]; N] {
    let mut edges = Vec::new();
    tree.for_each_edge(node, |_, edge| {
        edges.push((u64::from(edge.visits), to_byte(edge.half_move)));
    });
    let all: u64 = edges.iter().map(|&(visits, _)| visits).sum();
    edges.sort_by_key(|&(visits, _)| Reverse(visits));
    let mut shares = [[0; 2]; N];
    for (entry, (visits, half_move)) in shares.iter_mut().zip(edges) {
        let share = (u64::from(WHOLE) * visits + all / 2) / all.max(1);
        if share > 0 {
            *entry = [half_move, share as u8];
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, squares};
    use crate::mcts::Params;
    use crate::tools::player::openings;

    /// A search behind an opening.
    fn searched(plies: usize, iterations: u64) -> Search {
        let mut board = Board::start();
        for turn in openings::opening(1, plies, plies) {
            board.play(turn).expect("legal");
        }
        let mut search = Search::new(board, 4 << 20, 1, Params::default());
        search.run(|done| done < iterations);
        search
    }

    /// Tests that entries are the most visited half-moves of a node, each to half a unit.
    fn agree(entries: &[[u8; 2]], search: &Search, node: NodeId, name: impl Fn(HalfMove) -> u8) {
        let mut edges = Vec::new();
        let tree = search.tree();
        tree.for_each_edge(node, |_, edge| edges.push((edge.visits, edge.half_move)));
        let all: u32 = edges.iter().map(|edge| edge.0).sum();
        edges.sort_by_key(|edge| Reverse(edge.0));
        for (at, [half_move, share]) in entries.iter().enumerate() {
            let visits = edges.get(at).map_or(0, |edge| edge.0);
            let exact = 255.0 * f64::from(visits) / f64::from(all);
            assert!((f64::from(*share) - exact).abs() < 0.501, "{share} {exact}");
            let expected = if *share > 0 { name(edges[at].1) } else { 0 };
            assert_eq!(*half_move, expected);
        }
    }

    #[test]
    fn shares_are_those_of_the_tree_and_are_read_as_written() {
        for (plies, iterations) in [0, 3, 10, 20, 30]
            .into_iter()
            .flat_map(|plies| [1, 2, 20, 1000].map(|iterations| (plies, iterations)))
        {
            let search = searched(plies, iterations);
            let (tree, board) = (search.tree(), search.board());
            let root = tree.root().expect("searched");
            let to = |half_move: HalfMove| half_move.to().index() as u8;
            let mut nodes = Vec::new();
            tree.for_each_edge(root, |_, edge| nodes.push((edge.half_move, edge.node)));
            for (amazon, node) in nodes {
                let shares = Shares::of(&search, amazon.then(amazon));
                agree(&shares.amazons, &search, root, |half_move| {
                    let mut mine = squares(board.amazons(board.to_move()));
                    let number = mine.position(|square| square == half_move.from());
                    64 * number.expect("the mover's") as u8 + to(half_move)
                });
                match node {
                    Some(node) => agree(&shares.arrows, &search, node, to),
                    None => assert_eq!(shares.arrows, [[0; 2]; 4]),
                }
                let bytes: Vec<u8> = shares.to_bytes().collect();
                assert_eq!((Shares::read(&bytes), bytes.len()), (Some(shares), 24));
            }
        }
    }

    #[test]
    fn nothing_is_told_without_a_tree_or_without_the_move_in_it() {
        let turn: Move = "c1 c8 c1".parse().expect("a move");
        assert!(Shares::of(&searched(0, 0), turn).is_empty());
        let shares = Shares::of(&searched(0, 20), turn);
        assert!(!shares.is_empty() && shares.arrows == [[0; 2]; 4]);
    }
}
