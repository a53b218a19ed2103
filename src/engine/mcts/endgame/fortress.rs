//! Fortress: territory that only one player, the holder, reaches and that the opponent cannot enter. It can prove the
//! winner while other squares are still reachable by both players, see [`Sides::winner`].
//!
//! The holder's amazons beside the fortress are its guards: the opponent cannot enter as long as each guard stays, or
//! shoots back at the square that it left. The holder's other amazons, called free, can move among the squares that the
//! opponent reaches.
//!
//! - `inside`: number of moves that the holder can make at least, by a fill of the fortress.
//! - `outside`: number of moves that the opponent can make at most. This is the number of empty squares that the
//!   opponent reaches, because each arrow uses up one. If the players share no square, counting a fill gives a smaller
//!   number.
//! - `free`: number of moves that the free amazons can make at least. Each is one move more for the holder, and one
//!   square less for the opponent.
//!
//! The holder wins
//!
//! - with the opponent to move, if `inside ≥ outside − 2·free`,
//! - with the holder to move, if `inside > outside − 2·free`.

use super::fill::{FillCounter, Territory, reached};
use crate::bitboard::{neighbours_up_to_five, with_neighbours};
use crate::board::Board;

/// Maximum result of [`min_free_moves`], the number of moves that the holder's free amazons, which guard no fortress,
/// can make at least.
const MAX_FREE_MOVES: i32 = 2;

/// Minimum lead in squares with which a fortress can prove a win. The lead is the number of squares that only the
/// fortress's holder reaches, minus the number of squares that the opponent reaches. It may be negative, because each
/// free move makes up for two squares.
pub const MIN_FORTRESS_LEAD: i32 = -2 * MAX_FREE_MOVES;

/// Amazons and reachable squares of both players: index 0 is the side to move, index 1 the opponent.
#[derive(Clone, Copy)]
pub struct Sides {
    /// Squares of each player's amazons, as bitboards; the side to move first.
    pub amazons: [u64; 2],
    /// Empty squares that each player's amazons reach in any number of moves, as bitboards; the side to move first.
    pub reached: [u64; 2],
}

impl Sides {
    /// Computes the reachable squares of both players from the bitboards of their `amazons`, the side to move first,
    /// and of the `empty` squares.
    pub fn from_amazons(amazons: [u64; 2], empty: u64) -> Sides {
        let reached = amazons.map(|set| reached(set, empty));
        Sides { amazons, reached }
    }

    /// Computes amazons and reachable squares of both players of `board`, the side to move first.
    pub fn from_board(board: &Board) -> Sides {
        let players = [board.to_move(), !board.to_move()];
        Sides::from_amazons(players.map(|player| board.amazons(player)), board.empty())
    }

    /// Returns true if the side to move is proven to win by a fortress, false if it is proven to lose. Returns `None`
    /// if no fortress proves the winner.
    ///
    /// - `extra_tempi`: number of moves that the side to move has in other regions, minus those of the opponent there.
    /// - `fill`: counter of the moves inside the territories, with its work budget.
    pub fn winner(&self, extra_tempi: i32, fill: &mut FillCounter) -> Option<bool> {
        if self.lead(0, true, extra_tempi, fill).is_some() {
            Some(true)
        } else if self.lead(1, false, -extra_tempi, fill).is_some() {
            Some(false)
        } else {
            None
        }
    }

    /// Returns a lower bound on the lead in moves of the fortress's holder: the holder's moves minus the opponent's,
    /// minus one if the holder is to move. The holder wins if lead and `extra_tempi` add up to at least 0; otherwise
    /// returns `None`.
    ///
    /// - `holder`: index of the holder, 0 for the side to move or 1 for the opponent.
    /// - `is_to_move`: whether the holder is the side to move.
    /// - `extra_tempi`: number of moves that the holder has in other regions, minus those of the opponent there.
    /// - `fill`: counter of the moves inside the territories, with its work budget.
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
        // A free amazon may move away, and the opponent may enter its square. So amazons beside that square are guards,
        // too.
        let guards = territory.guards_against(outside | self.amazons[other] | free);
        let lead = fill.bounds(territory, guards).least as i32 - behind;
        (lead + extra_tempi >= 0).then_some(lead)
    }
}

/// Returns a lower bound, 0 to 2, on the number of moves that the `free` amazons can make, whatever the opponent does.
/// Free amazons are those that guard no fortress. `free` and `empty` are bitboards; `is_to_move` says whether the
/// player of the free amazons is to move.
///
/// A free amazon steps to a neighbouring square and shoots back at the square that it left. An opponent's turn takes
/// away at most two neighbouring squares, with its amazon and its arrow.
///
/// - Player to move: one move if an amazon has an empty neighbour. Two if an empty neighbour has three empty
///   neighbours.
/// - Opponent to move: one move if there are three empty neighbours. Two if three of them have five empty neighbours
///   each.
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
