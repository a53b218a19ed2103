//! Enclosed amazons: those that arrows and the edge of the board separate from all amazons of the opponent. Most of their
//! moves need not be searched.
//!
//! The enclosed amazons of a player are worth a number of free moves, the maximum number of moves that they can make. In
//! combinatorial game theory, the value of the regions in which they stand is this integer. So only the lead counts: the
//! free moves of the side to move minus those of the opponent (Berlekamp, Conway and Guy 1982).
//!
//! - If the lead is 0 or negative, a player who can win can do so by moving an amazon that is not enclosed. The reason: the
//!   regions may be replaced by the opponent's surplus of free moves, in which the side to move has no move.
//! - If the lead is positive, all moves of enclosed amazons that waste no free move are equivalent, so one of them
//!   suffices.

use super::Endgame;
use super::fill::{Territory, connected, queen_destinations};
use crate::bitboard::with_neighbours;
use crate::board::{Board, Move, Player, Square, squares};

impl Endgame {
    /// Returns the amazons of the side to move whose moves need not be searched, as a bitboard, and a move (whole turn) of
    /// one of them that must be searched nevertheless; `None` if there is no such move. If the other amazons have no
    /// move, there is one.
    ///
    /// The bitboard is 0 if no amazon is enclosed, or if the free moves cannot be counted within the work budget.
    pub fn needless_amazons(&mut self, board: &Board) -> (u64, Option<Move>) {
        let player = board.to_move();
        let own = enclosed(board, player);
        if own.empty == 0 {
            return (0, None);
        }
        let mut free_moves = |side| self.fill.bounds(side, 0).exact();
        let (Some(moves), Some(opponents)) =
            (free_moves(own), free_moves(enclosed(board, !player)))
        else {
            return (0, None);
        };
        let others = board.amazons(player) & !own.amazons;
        if moves <= opponents && with_neighbours(others) & board.empty() != 0 {
            return (own.amazons, None);
        }
        match self.fill.longest_fill(own, 0) {
            None => (0, None),
            turn => (own.amazons, turn),
        }
    }

    /// Returns the only arrow shot that must be searched if the amazon on `shooter`, which has just moved, is enclosed:
    /// one that leaves the most moves. Returns `None` if the amazon is not enclosed, or if the moves cannot be counted
    /// within the work budget.
    pub fn only_arrow(&mut self, board: &Board, shooter: Square) -> Option<Square> {
        let Territory { amazons, empty } = enclosed(board, board.to_move());
        if amazons & shooter.bit() == 0 {
            return None;
        }
        let mut best = None;
        for arrow in squares(queen_destinations(shooter.bit(), empty)) {
            let after = Territory {
                amazons,
                empty: empty & !arrow.bit(),
            };
            let left = self.fill.bounds(after, 0).exact()?;
            if best.is_none_or(|(most, _)| left > most) {
                best = Some((left, arrow));
            }
        }
        best.map(|(_, arrow)| arrow)
    }
}

/// Returns the enclosed amazons of `player`, and the empty squares that they can reach in any number of moves.
fn enclosed(board: &Board, player: Player) -> Territory {
    let (own, opponent) = (board.amazons(player), board.amazons(!player));
    let outside = connected(opponent, own | opponent | board.empty());
    let amazons = own & !outside;
    Territory {
        amazons,
        empty: board.empty() & connected(amazons, (own | board.empty()) & !outside),
    }
}
