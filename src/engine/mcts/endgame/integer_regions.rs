//! Integer regions: parts of the board, separated from the rest by arrows or the edge, in which no empty square is
//! reachable by both players and the moves of each player can be counted exactly. Most moves there need not be searched to
//! find a win. An example is a region with amazons of one player only.
//!
//! In combinatorial game theory, the value of such a region is an integer: the number of moves that one player can make
//! there minus the number of the other player. It is worth as many free moves. Of all integer regions together, only the
//! lead counts: the free moves of the side to move minus those of the opponent (Berlekamp, Conway and Guy 1982).
//!
//! - If the lead is 0 or negative, the regions together are equal to free moves of the opponent. In these, the side to
//!   move has no move. So if it can win, it can win by a move elsewhere.
//! - If the lead is positive, the regions together are equal to this number of free moves of the side to move. Its only
//!   move there lowers the lead by 1. So one move in the regions that does this suffices.

use super::fill::{Territory, connected, queen_destinations};
use super::{Endgame, exact_moves, guards, territories};
use crate::bitboard::with_neighbours;
use crate::board::{Board, Move, Square, squares};

impl Endgame {
    /// Returns the amazons of the side to move whose moves need not be searched, as a bitboard: those in integer
    /// regions. Also returns a move (whole turn) of one of them that must be searched nevertheless: `None` if moves of
    /// other amazons suffice. If the bitboard is not 0, at least one move is left to search.
    ///
    /// The bitboard is 0 if the side to move has no move in an integer region, or if the work budget does not suffice to
    /// find the move to search. A region is not an integer region if the work budget does not suffice to count its moves,
    /// or if guards may have to let the opponent in, see `exact_moves`.
    pub fn needless_amazons(&mut self, board: &Board) -> (u64, Option<Move>) {
        let (mut own, mut own_guards, mut lead) = (Territory::default(), 0, 0);
        let not_arrows = !board.arrows();
        let mut rest = not_arrows & !board.empty();
        while rest != 0 {
            let region = connected(rest & rest.wrapping_neg(), not_arrows);
            rest &= !region;
            if let Some([side, other]) = territories(board, region)
                && let Some(moves) = exact_moves(side, other, &mut self.fill)
                && let Some(opponents) = exact_moves(other, side, &mut self.fill)
            {
                own.amazons |= side.amazons;
                own.empty |= side.empty;
                own_guards |= guards(side, other);
                lead += moves as i32 - opponents as i32;
            }
        }
        let others = board.amazons(board.to_move()) & !own.amazons;
        if own.empty == 0 {
            (0, None)
        } else if lead <= 0 && with_neighbours(others) & board.empty() != 0 {
            (own.amazons, None)
        } else {
            match self.fill.longest_fill(own, own_guards) {
                None => (0, None),
                turn => (own.amazons, turn),
            }
        }
    }

    /// Returns the only arrow shot that must be searched if the amazon on `shooter`, which has just moved, stands in a
    /// region in which no empty square is reachable by both players: one that leaves its player the most moves. In other
    /// regions, or if the moves of either player cannot be counted exactly after some shot, returns `None`.
    pub fn only_arrow(&mut self, board: &Board, shooter: Square) -> Option<Square> {
        let region = connected(shooter.bit(), !board.arrows());
        let [side, other] = territories(board, region)?;
        // Only if the opponent's moves can be counted, too, the region is an integer region after each shot.
        exact_moves(other, side, &mut self.fill)?;
        let mut best = None;
        for arrow in squares(queen_destinations(shooter.bit(), side.empty)) {
            let after = Territory {
                amazons: side.amazons,
                empty: side.empty & !arrow.bit(),
            };
            let left = exact_moves(after, other, &mut self.fill)?;
            if best.is_none_or(|(most, _)| left > most) {
                best = Some((left, arrow));
            }
        }
        best.map(|(_, arrow)| arrow)
    }
}
