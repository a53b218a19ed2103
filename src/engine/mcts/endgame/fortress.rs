//! Fortress: territory that only one player, the holder, reaches and that the opponent cannot enter. It can prove the
//! winner while other squares are still reachable by both players, see [`Sides::winner`].
//!
//! The holder's amazons beside the fortress are its guards: the opponent cannot enter as long as each guard stays, or
//! shoots back at the square that it left. The holder's other amazons, called free, can move among the squares that the
//! opponent reaches. Three numbers decide:
//!
//! - `inside`: lower bound on the number of moves that the holder can make within the fortress.
//! - `outside`: upper bound on the number of moves that the opponent can make. This is the number of empty squares that
//!   the opponent reaches, because each turn fills one of them with an arrow. If no square is reachable by both
//!   players, a search gives a tighter bound, see [`FillCounter::bounds`].
//! - `free`: lower bound on the number of moves that the free amazons can make. Each is one move more for the holder,
//!   and one square less for the opponent.
//!
//! The holder wins
//!
//! - with the opponent to move, if `inside ≥ outside − 2·free`,
//! - with the holder to move, if `inside > outside − 2·free`.

use super::fill::{FillCounter, Territory, reached};
use crate::bitboard::{neighbours_up_to_five, with_neighbours};
use crate::board::Board;

/// A free move is a move of a free amazon: one of the holder's amazons that does not stand beside the fortress
/// (territory that the opponent cannot enter), and so need not guard it. This constant is the largest number of free
/// moves that [`min_free_moves`] returns: it looks for no more than two.
const MAX_FREE_MOVES: i32 = 2;

/// Threshold for proofs by a fortress, a territory that the opponent cannot enter: with a lower lead in squares, no
/// proof is tried. The lead is the number of empty squares that only the fortress's owner reaches, minus the number of
/// those that the opponent reaches.
///
/// The threshold is negative because the owner's amazons outside the fortress can make up for a deficit. Each of their
/// moves counts as two squares: one move more for the owner, one square less for the opponent. At most two such moves
/// are counted.
pub const MIN_FORTRESS_LEAD: i32 = -2 * MAX_FREE_MOVES;

/// Amazons and reachable squares of both players. Index 0 of each array is the side to move, index 1 the opponent.
#[derive(Clone, Copy)]
pub struct Sides {
    /// Squares of the amazons of the side to move (index 0) and of the opponent (index 1), as bitboards.
    pub amazons: [u64; 2],
    /// Empty squares that the amazons of the side to move (index 0) and of the opponent (index 1) can reach in any
    /// number of moves, as bitboards. Both may reach the same square.
    pub reached: [u64; 2],
}

impl Sides {
    /// Computes the empty squares that the amazons of each player reach in any number of moves. `amazons` are the
    /// bitboards of the amazons of the side to move (index 0) and of the opponent (index 1), `empty` is that of the
    /// empty squares.
    pub fn from_amazons(amazons: [u64; 2], empty: u64) -> Sides {
        let reached = amazons.map(|set| reached(set, empty));
        Sides { amazons, reached }
    }

    /// Computes the empty squares that the amazons of each player reach in the position `board`, in any number of
    /// moves.
    pub fn from_board(board: &Board) -> Sides {
        let players = [board.to_move(), !board.to_move()];
        Sides::from_amazons(players.map(|player| board.amazons(player)), board.empty())
    }

    /// Proves the winner by a fortress: a territory that only one player reaches and the opponent cannot enter. Returns
    /// true if the side to move wins, false if it loses, `None` if no fortress proves the winner.
    ///
    /// - `extra_tempi`: 0 if the position is the whole board. If it is only a part of the board, the number of moves
    ///   that the side to move has in the other parts, minus those of the opponent there.
    /// - `fill`: counts the moves inside the fortress; its budget limits the work.
    pub fn winner(&self, extra_tempi: i32, fill: &mut FillCounter) -> Option<bool> {
        if self.lead(0, true, extra_tempi, fill).is_some() {
            Some(true)
        } else if self.lead(1, false, -extra_tempi, fill).is_some() {
            Some(false)
        } else {
            None
        }
    }

    /// Returns a lower bound on the lead of the player with a fortress, the holder. A fortress is a territory that the
    /// opponent cannot enter. The lead is the number of moves that the holder can make, minus the opponent's, minus one
    /// if the holder is to move. `extra_tempi` is not a part of it.
    ///
    /// Returns `None` if the bound plus `extra_tempi` is negative. Otherwise, the holder is proven to win.
    ///
    /// - `holder`: the player with the fortress, 0 for the side to move or 1 for the opponent.
    /// - `is_to_move`: whether the holder is the side to move.
    /// - `extra_tempi`: 0 if the position is the whole board. If it is only a part of the board, the number of moves
    ///   that the holder has in the other parts, minus those of the opponent there.
    /// - `fill`: counts the moves inside the fortress; its budget limits the work.
    pub fn lead(
        &self,
        holder: usize,
        is_to_move: bool,
        extra_tempi: i32,
        fill: &mut FillCounter,
    ) -> Option<i32> {
        let other = 1 - holder;
        let alone = self.reached[holder] & !self.reached[other];
        let outside = self.reached[other];
        let most = if self.reached[holder] & outside == 0 {
            let territory = Territory {
                amazons: self.amazons[other],
                empty: outside,
            };
            fill.bounds(territory, 0).most
        } else {
            outside.count_ones()
        };
        let behind = most as i32 + i32::from(is_to_move);
        let inside = alone.count_ones() as i32;
        if inside + 2 * MAX_FREE_MOVES + extra_tempi < behind {
            return None;
        }
        let holding = self.amazons[holder] & with_neighbours(alone);
        let free = self.amazons[holder] & !holding;
        let behind = behind - 2 * min_free_moves(free, outside, is_to_move);
        if inside + extra_tempi < behind {
            return None;
        }
        let territory = Territory {
            amazons: holding,
            empty: alone,
        };
        // Guards are the amazons beside the fortress that must not let the opponent in: they stand beside a square that
        // the opponent may enter. The squares of the holder's free amazons (those not beside the fortress) are such
        // squares, too, because a free amazon may move away.
        let guards = territory.guards_against(outside | self.amazons[other] | free);
        let lead = fill.bounds(territory, guards).least as i32 - behind;
        (lead + extra_tempi >= 0).then_some(lead)
    }
}

/// Returns a lower bound, from 0 to [`MAX_FREE_MOVES`], on the number of free moves: moves that the holder of a
/// fortress can make with the free amazons, whatever the opponent does.
///
/// - `free`: bitboard of the free amazons. They do not stand beside the fortress, so they need not guard it.
/// - `empty`: bitboard of the empty squares that the opponent reaches.
/// - `is_to_move`: whether the holder is to move.
///
/// A free amazon can step to a neighbouring square and shoot back at the square that it just left. In a turn, the
/// opponent can occupy at most two squares, one with an amazon and one with the arrow. Therefore:
///
/// - Holder to move: one move if a square of `empty` is beside an amazon of `free`. Two moves if such a square has at
///   least three neighbours in `empty`.
/// - Opponent to move: one move if at least three squares of `empty` are beside amazons of `free`. Two moves if at
///   least three of these squares have at least five neighbours in `empty` each.
fn min_free_moves(free: u64, empty: u64, is_to_move: bool) -> i32 {
    let beside = with_neighbours(free) & empty;
    let [ones, twos, fours] = neighbours_up_to_five(empty);
    let (three, five) = (fours | ones & twos, fours & ones);
    let moves = if is_to_move {
        [beside != 0, beside & three != 0]
    } else {
        [beside, beside & five].map(|squares| squares.count_ones() >= 3)
    };
    moves.map(i32::from).iter().sum()
}
