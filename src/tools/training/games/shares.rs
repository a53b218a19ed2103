//! The half-moves that a search visited most before a move, each with its share of the visits. The table in
//! [`super`](crate::tools::training::games) says how they stand in a file.

use crate::board::{Board, Move, Square, squares};
use crate::mcts::{HalfMove, NodeId, Search, Tree};
use crate::movegen;
use std::cmp::Reverse;

/// Most amazon's moves.
const AMAZONS: usize = 8;

/// Most arrows.
const ARROWS: usize = 4;

/// The share of a half-move that has all visits.
const WHOLE: u8 = 255;

/// A half-move as in a file, and its share of the visits in 1/255; all zero if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    half_move: u8,
    share: u8,
}

impl Share {
    /// Where the amazon moves to, or where the arrow lands.
    fn target(self) -> Square {
        Square::wrapping(self.half_move.into())
    }

    /// The share of the visits, 0 to 1.
    fn fraction(self) -> f32 {
        f32::from(self.share) / f32::from(WHOLE)
    }
}

/// What the search visited most before a move. Nothing in an opening, and where nothing was searched or the file's
/// version does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    amazons: [Share; AMAZONS],
    arrows: [Share; ARROWS],
}

impl Shares {
    /// Bytes in a file.
    pub(super) const BYTES: usize = 2 * (AMAZONS + ARROWS);

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
        let arrows = played.map(|at| tree.edge(at).node);
        Shares {
            amazons: most_visited(tree, root, |half_move| {
                let number = (mine & (half_move.from().bit() - 1)).count_ones() as u8;
                number << 6 | half_move.to().index() as u8
            }),
            arrows: arrows.flatten().map_or_else(Default::default, |node| {
                most_visited(tree, node, |half_move| half_move.to().index() as u8)
            }),
        }
    }

    /// Tests if there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Shares::default()
    }

    /// The amazon's moves on the board before the move, the most visited first: from, to, and the share of the visits,
    /// 0 to 1. The shares of moves that are not listed are missing from the sum; rounding may lift it above 1.
    pub fn amazon_moves(
        &self,
        board: &Board,
    ) -> impl Iterator<Item = (Square, Square, f32)> + use<> {
        let mine = board.amazons(board.to_move());
        entries(self.amazons).map(move |entry| {
            let from = squares(mine).nth((entry.half_move >> 6).into());
            let from = from.expect("a player has four amazons");
            (from, entry.target(), entry.fraction())
        })
    }

    /// The arrows behind the amazon's move that was played, likewise: square and share.
    pub fn arrows(&self) -> impl Iterator<Item = (Square, f32)> + use<> {
        entries(self.arrows).map(|entry| (entry.target(), entry.fraction()))
    }

    /// The bytes in a file.
    pub(super) fn to_bytes(self) -> impl Iterator<Item = u8> {
        let entries = self.amazons.into_iter().chain(self.arrows);
        entries.flat_map(|entry| [entry.half_move, entry.share])
    }

    /// Reads the bytes in a file; nothing if there are too few.
    pub(super) fn read(bytes: &[u8]) -> Option<Shares> {
        let (amazons, arrows) = bytes.as_chunks().0.split_first_chunk()?;
        let entry = |&[half_move, share]: &[u8; 2]| Share { half_move, share };
        Some(Shares {
            amazons: amazons.each_ref().map(entry),
            arrows: arrows.first_chunk()?.each_ref().map(entry),
        })
    }

    /// Tests if the half-moves are possible on the board before a legal move, and the shares too.
    ///
    /// # Errors
    /// What is wrong with an entry.
    pub(super) fn check(&self, board: &Board, turn: Move) -> Result<(), String> {
        check_shares(&self.amazons)?;
        check_shares(&self.arrows)?;
        let mut moves = self.amazon_moves(board);
        if let Some((from, to, _)) = moves.find(|&(from, to, _)| !reaches(board, from, to)) {
            let fault = "expected a legal move of an amazon";
            return Err(format!("a share of {from} {to}: {fault}"));
        }
        if entries(self.arrows).next().is_none() {
            return Ok(());
        }
        let mut moved = board.clone();
        moved.move_amazon(turn.from, turn.to);
        match self.arrows().find(|&(to, _)| !reaches(&moved, turn.to, to)) {
            Some((to, _)) => Err(format!(
                "a share of an arrow on {to}: expected a square that it reaches"
            )),
            None => Ok(()),
        }
    }
}

/// The most visited half-moves of a node, those of equal visits in the order of their first ones.
fn most_visited<const N: usize>(
    tree: &Tree,
    node: NodeId,
    to_byte: impl Fn(HalfMove) -> u8,
) -> [Share; N] {
    let mut edges = Vec::new();
    tree.for_each_edge(node, |_, edge| {
        edges.push((u64::from(edge.visits), to_byte(edge.half_move)));
    });
    let all: u64 = edges.iter().map(|&(visits, _)| visits).sum();
    edges.sort_by_key(|&(visits, _)| Reverse(visits));
    let mut shares = [Share::default(); N];
    for (entry, (visits, half_move)) in shares.iter_mut().zip(edges) {
        let share = (u64::from(WHOLE) * visits + all / 2) / all.max(1);
        if share > 0 {
            let share = share as u8;
            *entry = Share { half_move, share };
        }
    }
    shares
}

/// Those of the places that hold an entry.
fn entries<const N: usize>(places: [Share; N]) -> impl Iterator<Item = Share> {
    places.into_iter().filter(|entry| entry.share > 0)
}

/// Tests the order and the sum of shares, and that nothing stands twice or without a share.
fn check_shares(places: &[Share]) -> Result<(), String> {
    let is_wrong = |entry: &Share| entry.share == 0 && entry.half_move != 0;
    if places.iter().any(is_wrong) {
        return Err("a half-move without a share: expected zeros".to_owned());
    }
    if !places.is_sorted_by_key(|entry| Reverse(entry.share)) {
        return Err("a share above the one before: expected the largest first".to_owned());
    }
    let twice = |at: usize| {
        places[..at]
            .iter()
            .any(|entry| entry.half_move == places[at].half_move)
    };
    if (1..places.len()).any(|at| places[at].share > 0 && twice(at)) {
        return Err("shares of the same half-move: expected each once".to_owned());
    }
    // Rounding adds at most half a unit to each.
    let most = usize::from(WHOLE) + places.len() / 2;
    let sum: usize = places.iter().map(|entry| usize::from(entry.share)).sum();
    if sum > most {
        return Err(format!("shares of {sum}/{WHOLE}: expected {most} at most"));
    }
    Ok(())
}

/// Tests if a queen on a square reaches another one over empty squares.
fn reaches(board: &Board, from: Square, to: Square) -> bool {
    let mut found = false;
    movegen::for_each_target(board, from, |target| found |= target == to);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::Params;
    use crate::tools::player::openings;
    use std::fmt::Debug;

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

    /// The visited half-moves of a node with their shares, the largest first.
    fn visited<T>(search: &Search, node: NodeId, name: impl Fn(HalfMove) -> T) -> Vec<(T, f32)> {
        let mut edges = Vec::new();
        let tree = search.tree();
        tree.for_each_edge(node, |_, edge| {
            edges.push((name(edge.half_move), edge.visits));
        });
        let all: u32 = edges.iter().map(|edge| edge.1).sum();
        edges.sort_by_key(|edge| Reverse(edge.1));
        let share = |visits| visits as f32 / all as f32;
        let edges = edges.into_iter().map(|(of, visits)| (of, share(visits)));
        edges.filter(|edge| edge.1 >= 0.5 / 255.0).collect()
    }

    /// Tests that entries are the first ones of the tree, each to half a unit.
    fn agree<T: PartialEq + Debug>(
        entries: impl Iterator<Item = (T, f32)>,
        tree: &[(T, f32)],
        most: usize,
    ) {
        let entries: Vec<_> = entries.collect();
        assert_eq!(entries.len(), tree.len().min(most));
        for (entry, of) in entries.iter().zip(tree) {
            assert_eq!(entry.0, of.0);
            assert!((entry.1 - of.1).abs() < 0.501 / 255.0, "{entry:?} {of:?}");
        }
    }

    #[test]
    fn shares_are_those_of_the_tree_and_are_read_as_written() {
        for plies in [0, 3, 10, 20, 30] {
            for iterations in [1, 2, 20, 1000] {
                let search = searched(plies, iterations);
                let (tree, board) = (search.tree(), search.board());
                let root = tree.root().expect("searched");
                let mut nodes = Vec::new();
                tree.for_each_edge(root, |_, edge| nodes.push((edge.half_move, edge.node)));
                for (amazon, node) in nodes {
                    let (from, to) = (amazon.from(), amazon.to());
                    let arrow = from;
                    let turn = Move { from, to, arrow };
                    let shares = Shares::of(&search, turn);
                    let amazons = shares.amazon_moves(board);
                    let amazons = amazons.map(|(from, to, of)| ((from, to), of));
                    let ends = |half_move: HalfMove| (half_move.from(), half_move.to());
                    agree(amazons, &visited(&search, root, ends), AMAZONS);
                    let behind = node.map(|node| visited(&search, node, HalfMove::to));
                    agree(shares.arrows(), &behind.unwrap_or_default(), ARROWS);
                    let bytes: Vec<u8> = shares.to_bytes().collect();
                    assert_eq!(Shares::read(&bytes), Some(shares));
                    assert_eq!(bytes.len(), Shares::BYTES);
                    assert_eq!(shares.check(board, turn), Ok(()));
                }
            }
        }
    }

    #[test]
    fn nothing_is_told_without_a_tree_or_without_the_move_in_it() {
        let turn = |from, to| Move {
            from,
            to,
            arrow: from,
        };
        let [c1, c8] = [2, 58].map(Square::wrapping);
        assert!(Shares::of(&searched(0, 0), turn(c1, c8)).is_empty());
        let shares = Shares::of(&searched(0, 20), turn(c1, c8));
        assert!(!shares.is_empty());
        assert_eq!(shares.arrows().count(), 0);
        assert_eq!(Shares::read(&[0; Shares::BYTES - 1]), None);
    }

    #[test]
    fn impossible_shares_are_refused() {
        let board = Board::start();
        let turn: Move = "c1 c6 f6".parse().expect("a move");
        let byte = |to: &str| to.parse::<Square>().expect("a square").index() as u8;
        let [c6, c7, d2, c8, e4, f6, h8] = ["c6", "c7", "d2", "c8", "e4", "f6", "h8"].map(byte);
        let of = |amazons: &[[u8; 2]], arrows: &[[u8; 2]]| {
            let fill = |entries: &[[u8; 2]], most| {
                let empty = std::iter::repeat_n([0; 2], most - entries.len());
                entries.iter().copied().chain(empty).flatten().collect()
            };
            let bytes: [Vec<u8>; 2] = [fill(amazons, AMAZONS), fill(arrows, ARROWS)];
            let shares = Shares::read(&bytes.concat()).expect("24 bytes");
            shares.check(&board, turn)
        };
        let sound = [[c6, 131], [c7, 64], [d2, 64]];
        assert_eq!(of(&sound, &[[f6, 255], [c7, 2]]), Ok(()));
        for (amazons, arrows, words) in [
            (&[[c8, 9]][..], &[][..], "c1 c8: expected a legal move"),
            (&[[e4, 9]], &[], "c1 e4: expected a legal move"),
            (&[[64 | c6, 9]], &[], "f1 c6: expected a legal move"),
            (&[[c6, 9]], &[[h8, 9]], "an arrow on h8: expected a square"),
            (&[[c6, 9]], &[[c6, 9]], "an arrow on c6: expected a square"),
            (&[[c6, 9], [c7, 10]], &[], "expected the largest first"),
            (&[[0, 0], [c7, 10]], &[], "expected the largest first"),
            (&[[c6, 9], [c6, 9]], &[], "expected each once"),
            (&[[c6, 9], [c7, 0]], &[], "expected zeros"),
            (
                &[[c6, 200], [c7, 60]],
                &[],
                "shares of 260/255: expected 259",
            ),
            (
                &[[c6, 9]],
                &[[f6, 255], [c7, 3]],
                "shares of 258/255: expected 257",
            ),
        ] {
            let fault = of(amazons, arrows).expect_err(words);
            assert!(fault.contains(words), "{fault}");
        }
    }
}
