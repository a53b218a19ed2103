//! Integer regions: parts of the board, separated from the rest by arrows, in which no empty square is reachable by both
//! players and the moves of each player can be counted exactly. Most moves there need not be searched. An example is a
//! region with amazons of one player only.
//!
//! In combinatorial game theory, the value of such a region is an integer: a fixed number of free moves of one player. Of
//! all integer regions together, only the lead counts: the free moves of the side to move minus those of the opponent
//! (Berlekamp, Conway and Guy 1982).
//!
//! - If the lead is 0 or negative, a player who can win can do so by a move elsewhere. The reason: the regions may be
//!   replaced by the opponent's surplus of free moves, in which the side to move has no move.
//! - If the lead is positive, all moves in integer regions that waste no free move are equivalent, so one of them
//!   suffices.

use super::fill::{Territory, connected, queen_destinations};
use super::{Endgame, exact_moves, guards, territories};
use crate::bitboard::with_neighbours;
use crate::board::{Board, Move, Player, Square, squares};

impl Endgame {
    /// Returns the amazons of the side to move whose moves need not be searched, as a bitboard: those in integer
    /// regions. Also returns a move (whole turn) of one of them that must be searched nevertheless; `None` if there is no
    /// such move. If the other amazons have no move, there is one.
    ///
    /// The bitboard is 0 if the side to move has no move in an integer region. Regions whose moves cannot be counted
    /// within the work budget do not count as integer regions.
    pub fn needless_amazons(&mut self, board: &Board) -> (u64, Option<Move>) {
        let (mut own, mut own_guards, mut lead) = (Territory::default(), 0, 0);
        let mut rest = all_amazons(board);
        while rest != 0 {
            let region = connected_region(board, rest & rest.wrapping_neg());
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

    /// Returns the only arrow shot that must be searched after a move of the amazon on `shooter` in a region in which no
    /// empty square is reachable by both players: one that leaves the most moves. Returns `None` if such a square exists,
    /// or if the moves cannot be counted exactly within the work budget.
    pub fn only_arrow(&mut self, board: &Board, shooter: Square) -> Option<Square> {
        let region = connected_region(board, shooter.bit());
        let [side, other] = territories(board, region)?;
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

/// Returns the squares of all amazons, as a bitboard.
fn all_amazons(board: &Board) -> u64 {
    board.amazons(Player::Black) | board.amazons(Player::White)
}

/// Returns the region of the board with the square of the bitboard `start`: all squares that can be reached from it by
/// king steps over empty squares and amazons.
fn connected_region(board: &Board, start: u64) -> u64 {
    connected(start, all_amazons(board) | board.empty())
}
