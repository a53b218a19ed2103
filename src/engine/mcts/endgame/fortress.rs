//! A fortress: what a player keeps whatever the other one does, before the players are separated.
//!
//! The player's amazons beside squares that the other player does not reach hold these squares, their territory: the other one
//! cannot enter it as long as they stay, or shoot at the square that they leave. The amazons that hold nothing are free to go
//! where the other player goes.
//!
//! - The player has for sure the moves of those who hold, in their territory.
//! - The other player has at most as many moves as empty squares are reached: a move takes one of them. Where the players no longer
//!   meet, it is at most the moves of a fill.
//! - So does a free amazon's move. It gives the player a move more and takes one from the other.
//!
//! With `inside` moves in the territory, `outside` squares that the other player reaches and at least `free` moves of free
//! amazons, the player wins if `inside ≥ outside − 2·free` with the other player to move, and if it is greater with the player to
//! move.

use super::fill::{Fill, Side, reached};
use crate::bitboard::{neighbours_up_to_five, with_neighbours};
use crate::board::Board;

/// Most moves that [`free_moves`] promises.
const MOST_FREE: i32 = 2;

/// The smallest lead with which a fortress can win. A lead: by how many squares what a player alone reaches exceeds all that
/// the other one reaches.
pub const SMALLEST_LEAD: i32 = -2 * MOST_FREE;

/// Two players, that to move first: their amazons, and the empty squares that each of them reaches.
#[derive(Clone, Copy)]
pub struct Rivals {
    /// The squares of their amazons.
    pub amazons: [u64; 2],
    /// The empty squares that each of them reaches.
    pub reached: [u64; 2],
}

impl Rivals {
    /// Two players from their amazons and the empty squares of a board.
    pub fn of(amazons: [u64; 2], empty: u64) -> Rivals {
        let reached = amazons.map(|set| reached(set, empty));
        Rivals { amazons, reached }
    }

    /// Those of a board.
    pub fn on(board: &Board) -> Rivals {
        let players = [board.to_move(), !board.to_move()];
        Rivals::of(players.map(|player| board.amazons(player)), board.empty())
    }

    /// Whether the player to move wins for certain, with so many moves more besides, as far as fortresses show it.
    pub fn winner(&self, besides: i32, fill: &mut Fill) -> Option<bool> {
        if self.ahead(0, true, besides, fill).is_some() {
            Some(true)
        } else if self.ahead(1, false, -besides, fill).is_some() {
            Some(false)
        } else {
            None
        }
    }

    /// By how many moves one of them is ahead for sure, who moves first or second. Nothing if that is not enough with so many moves
    /// more.
    pub fn ahead(&self, own: usize, is_first: bool, more: i32, fill: &mut Fill) -> Option<i32> {
        let other = 1 - own;
        let alone = self.reached[own] & !self.reached[other];
        let outside = self.reached[other];
        let most = if self.reached[own] & outside == 0 {
            let territory = Side {
                amazons: self.amazons[other],
                empty: outside,
            };
            fill.most_moves(territory, 0).most
        } else {
            outside.count_ones()
        };
        let behind = most as i32 + i32::from(is_first);
        let inside = alone.count_ones() as i32;
        if inside + 2 * MOST_FREE + more < behind {
            return None;
        }
        let holding = self.amazons[own] & with_neighbours(alone);
        let free = self.amazons[own] & !holding;
        let behind = behind - 2 * free_moves(free, outside, is_first);
        if inside + more < behind {
            return None;
        }
        let territory = Side {
            amazons: holding,
            empty: alone,
        };
        // Where a free amazon stands, the other player may come.
        let guards = territory.guards_against(outside | self.amazons[other] | free);
        let ahead = fill.most_moves(territory, guards).least as i32 - behind;
        (ahead + more >= 0).then_some(ahead)
    }
}

/// How many moves free amazons have for sure, if they move first. They go to a square beside them, and shoot at the one that they
/// leave. A move of the other player takes at most two squares beside them, by the amazon and its arrow. So three squares are
/// enough for a move, and five beside the next square for another one.
fn free_moves(free: u64, empty: u64, is_to_move: bool) -> i32 {
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
