//! A fortress: what a player keeps whatever the other one does, before the players are separated.
//!
//! The player's amazons beside squares that the other player does not reach hold these squares, their territory: the other one
//! cannot enter it as long as they stay, or shoot at the square that they leave. The amazons that hold nothing are free to go
//! where the other player goes.
//!
//! - The player has for sure the moves of those who hold, in their territory.
//! - The other player has at most as many moves as empty squares are reached: a move takes one of them.
//! - So does a free amazon's move. It gives the player a move more and takes one from the other.
//!
//! With `inside` moves in the territory, `outside` squares that the other player reaches and at least `free` moves of free
//! amazons, the player wins if `inside ≥ outside − 2·free` with the other player to move, and if it is greater with the player to
//! move.

use super::fill::{Fill, Side, reached};
use crate::bitboard::{neighbours_up_to_five, with_neighbours};
use crate::board::{Board, Player};

/// Most moves that [`free_moves`] promises.
const MOST_FREE: i32 = 2;

/// The smallest lead with which a fortress can win. A lead: by how many squares what a player alone reaches exceeds all that
/// the other one reaches.
pub const SMALLEST_LEAD: i32 = -2 * MOST_FREE;

/// The player who wins for certain, as far as fortresses show it. The player to move has so many moves more `besides`.
pub fn winner(board: &Board, besides: i32, fill: &mut Fill) -> Option<Player> {
    let players = [board.to_move(), !board.to_move()];
    let amazons = players.map(|player| board.amazons(player));
    let empty = board.empty();
    let reached = amazons.map(|set| reached(set, empty));
    let stands = |own: usize, fill: &mut Fill| {
        let alone = reached[own] & !reached[1 - own];
        let holding = amazons[own] & with_neighbours(alone);
        let free = amazons[own] & !holding;
        let outside = reached[1 - own];
        let more = if own == 0 { besides } else { -besides };
        let needed = outside.count_ones() as i32 + i32::from(own == 0)
            - 2 * free_moves(free, outside, own == 0)
            - more;
        let territory = Side {
            amazons: holding,
            empty: alone,
        };
        // Where a free amazon stands, the other player may come.
        let guards = territory.guards_against(outside | amazons[1 - own] | free);
        alone.count_ones() as i32 >= needed
            && fill.most_moves(territory, guards).least as i32 >= needed
    };
    (0..2)
        .find(|&own| stands(own, fill))
        .map(|own| players[own])
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
