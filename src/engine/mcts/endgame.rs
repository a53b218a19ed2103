//! Proves the winner near the end of the game by counting the moves that each player has left, see [`prove_endgame`].
//!
//! Once no square is reachable by both players, each player only fills their own territory, and the player with more
//! moves wins.
//!
//! - Without guards, the moves can be counted exactly. A guard is an amazon beside the other player's territory. If it
//!   moves away, the other player can enter through its square, unless the guard shoots back at that square.
//! - With guards, the number of moves has two bounds. For the lower bound, a guard that moves must shoot at the square
//!   that it left. For the upper bound, guards move freely in their own territory. The winner is proven if the lower
//!   bound of one player beats the upper bound of the other.
//!
//! While some square is reachable by both players, a fortress may already prove the winner (`endgame/fortress.rs`).

pub mod fill;
mod fortress;

use crate::bitboard::with_neighbours;
use crate::board::{Board, Move, Player};
use fill::{FillCounter, FillMoves, MoveBounds, Territory};

pub use fortress::{MIN_FORTRESS_LEAD, Sides};

/// Maximum work of one call of [`prove_endgame`], and of the expansion of one node, in units of
/// [`FillCounter::budget`], about 20 ns each. If a position needs more, its winner stays unproven.
const BUDGET: u32 = 20_000;

/// Maximum work that a search spends on counting the moves in one connected region of a territory, in units of
/// [`FillCounter::budget`], about 20 ns each.
const REGION_BUDGET: u32 = 4_000;

/// Maximum work that one call of [`longest_fill`] or [`moves_left`] spends on counting, in units of
/// [`FillCounter::budget`], about 20 ns each.
const LONG_BUDGET: u32 = 40_000;

/// Proves the winners of positions that a search reaches, by counting the moves left to each player, within a work
/// budget. Keeps a cache of counted regions from one position to the next.
pub struct Endgame {
    fill: FillCounter,
}

impl Default for Endgame {
    fn default() -> Endgame {
        Endgame {
            fill: FillCounter::cached(BUDGET, REGION_BUDGET),
        }
    }
}

impl Endgame {
    /// Restores the full work budget, which all arrows of one node share, for the next node. Returns the work done
    /// since the last call, in units of [`FillCounter::budget`].
    pub fn reset_budget(&mut self) -> u64 {
        self.fill.budget = BUDGET;
        std::mem::take(&mut self.fill.work)
    }

    /// Returns the winner of `board` if counting the moves left, or a fortress, proves it within the work budget;
    /// otherwise `None`.
    pub fn winner(&mut self, board: &Board) -> Option<Player> {
        self.fill.work += 1;
        let wins = match territories(board) {
            Some(sides) => side_to_move_wins(&sides, &mut self.fill),
            None => Sides::from_board(board).winner(0, &mut self.fill),
        }?;
        Some(winner_if(wins, board.to_move()))
    }
}

/// Returns the winner: `mover` if `mover_wins`, otherwise the other player.
fn winner_if(mover_wins: bool, mover: Player) -> Player {
    if mover_wins { mover } else { !mover }
}

/// Returns the winner of a position in which no square is reachable by both players, proven by counting moves. Returns
/// `None` if some square is reachable by both, or if counting within the work budget proves no winner.
///
/// ```
/// use engine::board::{Board, Player};
/// use engine::mcts::endgame::prove_endgame;
/// // Three amazons of each side are shut in. Two squares are left beside black's fourth, one beside white's.
/// let (black, white) = (1 << 0 | 0b111 << 24, 1 << 63 | 0b111 << 40);
/// let arrows = !(black | white | 0b110 | 1 << 62);
/// let board = |to_move| Board::from_bitboards(black, white, arrows, to_move).unwrap();
/// assert_eq!(prove_endgame(&board(Player::Black)), Some(Player::Black));
/// assert_eq!(prove_endgame(&board(Player::White)), Some(Player::Black));
/// assert_eq!(prove_endgame(&Board::start()), None);
/// ```
#[must_use]
pub fn prove_endgame(board: &Board) -> Option<Player> {
    let wins = side_to_move_wins(&territories(board)?, &mut FillCounter::uncached(BUDGET))?;
    Some(winner_if(wins, board.to_move()))
}

/// Returns the winner of the position `board` if counting the moves left, or a fortress, proves it, otherwise `None`.
/// Unlike [`prove_endgame`], this can prove the winner while squares are still reachable by both players.
#[must_use]
pub fn certain_winner(board: &Board) -> Option<Player> {
    Endgame::default().winner(board)
}

/// Returns the numbers of moves that black and white have left, in this order, in a position in which no square is
/// reachable by both players. Returns `None` if some square is reachable by both, if guards make a number uncertain, or
/// if the work budget is used up.
///
/// ```
/// use engine::board::{Board, Player};
/// use engine::mcts::endgame::moves_left;
/// // Three amazons of each side are shut in. Two squares are left beside black's fourth, one beside white's.
/// let (black, white) = (1 << 0 | 0b111 << 24, 1 << 63 | 0b111 << 40);
/// let arrows = !(black | white | 0b110 | 1 << 62);
/// for to_move in [Player::Black, Player::White] {
///     let board = Board::from_bitboards(black, white, arrows, to_move).unwrap();
///     assert_eq!(moves_left(&board), Some([2, 1]));
/// }
/// assert_eq!(moves_left(&Board::start()), None);
/// ```
#[must_use]
pub fn moves_left(board: &Board) -> Option<[u32; 2]> {
    let [mover, other] = territories(board)?;
    let mut fill = FillCounter::uncached(LONG_BUDGET);
    let [mover, other] = [
        exact_moves(mover, other, &mut fill)?,
        exact_moves(other, mover, &mut fill)?,
    ];
    Some(match board.to_move() {
        Player::Black => [mover, other],
        Player::White => [other, mover],
    })
}

/// Returns the proven winner, and the first move of the longest fill: the longest sequence of moves that the side to
/// move can make in its own territory. A winner who plays this move keeps the win; a loser makes as many moves as
/// possible.
///
/// Returns `None` if [`prove_endgame`] proves no winner, if the side to move has no move, or if counting exceeds the
/// work budget.
#[must_use]
pub fn longest_fill(board: &Board) -> Option<(Player, Move)> {
    let [mover, other] = territories(board)?;
    let wins = side_to_move_wins(&[mover, other], &mut FillCounter::uncached(BUDGET))?;
    let winner = winner_if(wins, board.to_move());
    let guards = guards(mover, other);
    let mut fill = FillCounter::uncached(LONG_BUDGET);
    let mut bounds = |side| fill.bounds(side, guards).exact();
    let left = bounds(mover)?.checked_sub(1)?;
    FillMoves::list(mover, guards)
        .iter()
        .find(|&(_, after)| bounds(after) == Some(left))
        .map(|(turn, _)| (winner, turn))
}

/// Returns the territories of both players, that of the side to move first. Returns `None` if both players can reach
/// the same square.
fn territories(board: &Board) -> Option<[Territory; 2]> {
    let amazons = [board.to_move(), !board.to_move()].map(|player| board.amazons(player));
    // Extends the squares that each player reaches by one step at a time. Most positions end the loop early, when both
    // players reach the same square.
    let mut reached = amazons;
    loop {
        let further = reached.map(|set| set | with_neighbours(set) & board.empty());
        if further[0] & further[1] != 0 {
            return None;
        }
        if further == reached {
            let side = |of: usize| Territory {
                amazons: amazons[of],
                empty: reached[of] & !amazons[of],
            };
            return Some([side(0), side(1)]);
        }
        reached = further;
    }
}

/// Returns the amazons of `side` that stand beside an amazon or an empty square of `other`, as a bitboard.
fn guards(side: Territory, other: Territory) -> u64 {
    side.guards_against(other.amazons | other.empty)
}

/// Returns true if bounds on both players' moves prove that the side to move wins, false if they prove that it loses.
/// `sides` are the territories, that of the side to move first. Returns `None` if the bounds, computed within the work
/// budget, prove neither.
fn side_to_move_wins(sides: &[Territory; 2], fill: &mut FillCounter) -> Option<bool> {
    let [mover, other] = *sides;
    let most = [mover, other].map(|side| fill.bounds(side, 0));
    let mut least_moves = |side: Territory, other, most: MoveBounds| match guards(side, other) {
        0 => most.least,
        guards => fill.bounds(side, guards).least,
    };
    if least_moves(mover, other, most[0]) > most[1].most {
        Some(true)
    } else if least_moves(other, mover, most[1]) >= most[0].most {
        Some(false)
    } else {
        None
    }
}

/// Returns the maximum number of moves that `side` can make in its territory, where `other` is the opponent's
/// territory. Returns `None` if lower and upper bound differ, or if the work budget is used up.
fn exact_moves(side: Territory, other: Territory, fill: &mut FillCounter) -> Option<u32> {
    let most = fill.bounds(side, 0).exact()?;
    let guards = guards(side, other);
    let is_exact = guards == 0 || fill.bounds(side, guards).exact() == Some(most);
    is_exact.then_some(most)
}
