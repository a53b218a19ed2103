//! The half-moves that a search visited most before a move, each with its share of the visits.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 · 2 | amazon's moves: number of the amazon, 0 to 3 among those of the player to move by square, in the upper two bits, the square that it moves to in the others; then the share |
//! | 4 · 2 | arrows behind the amazon's move that was played: the square; then the share |
//!
//! The most visited come first. A share is that of the visits of all half-moves in this place, in 1/255 and rounded. Both
//! bytes are 0 where there is no more entry; half-moves whose share rounds to 0 have none.

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
    /// The number of the amazon among those of the player to move.
    fn amazon(self) -> usize {
        usize::from(self.half_move >> 6)
    }

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
    /// if the tree has them. Visits of earlier turns count.
    #[must_use]
    pub fn of(search: &Search, turn: Move) -> Shares {
        let tree = search.tree();
        let Some(root) = tree.root() else {
            return Shares::default();
        };
        let mine = search.board().amazons(search.board().to_move());
        let played = HalfMove::amazon(turn.from, turn.to);
        let arrows = tree.find_edge(root, played).map(|at| tree.edge(at).node);
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
            let from = squares(mine).nth(entry.amazon());
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
        for (from, to, _) in self.amazon_moves(board) {
            if !reaches(board, from, to) {
                return Err(format!(
                    "a share of {from} {to}: expected a legal move of an amazon"
                ));
            }
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
    if places
        .iter()
        .any(|entry| entry.share == 0 && entry.half_move != 0)
    {
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
