//! Fortress: territory that only one player, the holder, reaches and that the opponent cannot enter. It can prove the
//! winner while other squares are still reachable by both players, see [`Sides::winner`].
//!
//! The holder's amazons beside the fortress are its guards. The opponent cannot enter as long as each guard stays. A
//! guard may also move if it shoots its arrow back at the square that it left. The holder's other amazons are called
//! free; they can move among the squares that the opponent reaches. Three numbers decide by the inequalities below:
//!
//! - `inside`: lower bound on the number of moves that the holder can make within the fortress.
//! - `outside`: upper bound on the number of moves that the opponent can make. This is the number of empty squares that
//!   the opponent reaches, because each turn fills one of them with an arrow. If no square is reachable by both
//!   players, a search gives a tighter bound, see [`FillCounter::bounds`].
//! - `free`: lower bound on the number of moves that the free amazons can make. Each free move counts twice: the holder
//!   makes one move more, and its arrow leaves the opponent one square less.
//!
//! The holder wins
//!
//! - with the opponent to move, if `inside ≥ outside − 2·free`,
//! - with the holder to move, if `inside > outside − 2·free`.

use super::fill::{FillCounter, Territory, reached};
use crate::bitboard::{neighbours_up_to_five, with_neighbours};
use crate::board::Board;

/// Maximum number of free moves that [`min_free_moves`] counts. A free move is made by an amazon that does not stand
/// beside its player's fortress (territory that the opponent cannot enter). Such an amazon need not guard the fortress.
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

    /// Returns the amazons and reachable squares inside the bitboard `squares`.
    #[must_use]
    pub fn within(self, squares: u64) -> Sides {
        let inside = |sets: [u64; 2]| sets.map(|set| set & squares);
        Sides {
            amazons: inside(self.amazons),
            reached: inside(self.reached),
        }
    }

    /// Computes the empty squares that the amazons of each player reach in the position `board`, in any number of
    /// moves.
    pub fn from_board(board: &Board) -> Sides {
        let players = [board.to_move(), !board.to_move()];
        Sides::from_amazons(players.map(|player| board.amazons(player)), board.empty())
    }

    /// Proves the winner by a fortress: a territory that only one player reaches and the opponent cannot enter. Returns
    /// `Some(true)` if the side to move wins, `Some(false)` if it loses, `None` if no fortress proves the winner.
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
    /// if the holder is to move. These are moves in this position; `extra_tempi` is not added.
    ///
    /// Returns `None` if the bound plus `extra_tempi` is negative. Otherwise, the holder is proven to win.
    ///
    /// - `holder`: the player with the fortress, 0 for the side to move or 1 for the opponent.
    /// - `is_to_move`: whether the holder is the side to move.
    /// - `extra_tempi`: 0 if the position is the whole board. If it is only a part of the board, the number of moves
    ///   that the holder has in the other parts, minus those of the opponent there.
    /// - `fill`: counts the moves inside the fortress; its budget limits the work. Once the budget is used up, the
    ///   bound is less tight, so the result may be `None` although the holder wins.
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
        // Guards are the amazons beside the fortress that also stand beside a square from which the opponent may enter.
        // The opponent may enter from three kinds of squares: the empty squares that it reaches (`outside`), the
        // squares of its amazons, and the squares of the holder's free amazons. Free amazons do not stand beside the
        // fortress; they may leave.
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
/// - Holder to move: at least one move if a square of `empty` is beside an amazon of `free`. At least two if such a
///   square has three neighbours or more in `empty`: the opponent's turn leaves one of them empty.
/// - Opponent to move: at least one move if three squares or more of `empty` are beside amazons of `free`: the
///   opponent's turn leaves one of them empty. At least two if three of these squares have five neighbours or more in
///   `empty` each: the opponent's two turns leave one of five empty.
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
