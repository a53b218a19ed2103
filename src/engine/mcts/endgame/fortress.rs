//! Fortress: territory that the opponent cannot enter. It can prove the winner before the players are separated.
//!
//! The fortress consists of the squares that only one player, the holder, reaches. The holder's amazons beside these
//! squares guard them: the opponent cannot enter as long as each guard stays, or shoots back at the square that it
//! left. The holder's other amazons, called free, can move among the squares that the opponent reaches.
//!
//! - The holder can make at least as many moves as a fill of the fortress by its guards allows.
//! - The opponent has at most as many moves as there are empty squares within the opponent's reach, because each arrow
//!   uses up one square. If no square is reachable by both players, the moves of the opponent's own fill are a tighter
//!   bound.
//! - A free amazon's move also uses up one of these squares. So it adds one move for the holder and takes one from the
//!   opponent.
//!
//! With `inside` moves in the fortress, `outside` empty squares within the opponent's reach and at least `free` moves
//! of free amazons, the holder wins if `inside ≥ outside − 2·free` and the opponent is to move, or if `inside > outside
//! − 2·free` and the holder is to move.

use super::fill::{FillCounter, Territory, reached};
use crate::bitboard::{neighbours_up_to_five, with_neighbours};
use crate::board::Board;

/// Maximum number of moves that [`min_free_moves`] guarantees to amazons outside the fortress.
const MAX_FREE_MOVES: i32 = 2;

/// Minimum lead in squares with which a fortress can prove a win: −4. The lead is the number of squares that only the
/// holder of the fortress reaches, minus the number of squares that the opponent reaches.
pub const MIN_LEAD: i32 = -2 * MAX_FREE_MOVES;

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

    /// Tests if the side to move wins when it has `extra_tempi` additional moves in hand elsewhere (negative: the
    /// opponent has them). Returns `None` if no fortress proves the winner.
    pub fn winner(&self, extra_tempi: i32, fill: &mut FillCounter) -> Option<bool> {
        if self.lead(0, true, extra_tempi, fill).is_some() {
            Some(true)
        } else if self.lead(1, false, -extra_tempi, fill).is_some() {
            Some(false)
        } else {
            None
        }
    }

    /// Returns a lower bound on the lead in moves of player `own` (index 0 or 1), who holds a fortress: own moves minus
    /// the opponent's, minus one if `is_first`, that is, if `own` is the side to move. Returns `None` if the bound plus
    /// `extra_tempi`, the moves of `own` in hand elsewhere, is negative and so proves no win.
    pub fn lead(
        &self,
        own: usize,
        is_first: bool,
        extra_tempi: i32,
        fill: &mut FillCounter,
    ) -> Option<i32> {
        let other = 1 - own;
        let alone = self.reached[own] & !self.reached[other];
        let outside = self.reached[other];
        let most = if self.reached[own] & outside == 0 {
            let territory = Territory {
                amazons: self.amazons[other],
                empty: outside,
            };
            fill.bounds(territory, 0).most
        } else {
            outside.count_ones()
        };
        let behind = most as i32 + i32::from(is_first);
        let inside = alone.count_ones() as i32;
        if inside + 2 * MAX_FREE_MOVES + extra_tempi < behind {
            return None;
        }
        let holding = self.amazons[own] & with_neighbours(alone);
        let free = self.amazons[own] & !holding;
        let behind = behind - 2 * min_free_moves(free, outside, is_first);
        if inside + extra_tempi < behind {
            return None;
        }
        let territory = Territory {
            amazons: holding,
            empty: alone,
        };
        // The opponent may enter a free amazon's square after it moves, so amazons beside that square are guards, too.
        let guards = territory.guards_against(outside | self.amazons[other] | free);
        let lead = fill.bounds(territory, guards).least as i32 - behind;
        (lead + extra_tempi >= 0).then_some(lead)
    }
}

/// Returns a lower bound, from 0 to 2, on the number of moves of the `free` amazons, those that guard no fortress.
/// `free` and `empty` are bitboards; `is_to_move` says if their player is the side to move.
///
/// A free amazon steps to a neighbouring square and shoots back at the square that it left. Each opponent turn takes at
/// most two of the neighbouring squares, by its amazon and its arrow. So three empty neighbours guarantee one move, and
/// three that each have five empty neighbours guarantee a second move. If `is_to_move`, one empty neighbour guarantees
/// one move, and one that has three empty neighbours guarantees a second.
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
