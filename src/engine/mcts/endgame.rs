//! The endgame: who makes more moves wins.
//!
//! Where no square is left that both players reach, each player fills regions of their own, and the moves in them can be
//! counted exactly, but for guards. A guard is an amazon beside the other player's territory: its square, left empty, would
//! let the other in. A guard that leaves can shoot at the square that it left. So a player has two bounds. The lower
//! bound is the number of moves with every guard's square closed in this way. The upper bound, as long as the other player
//! closes theirs, is the number of moves in all of the player's territory. Where both bounds name the same winner, the
//! winner is certain.
//!
//! Where there is such a square, a fortress may already be large enough (`endgame/fortress.rs`).

pub mod fill;
mod fortress;

use crate::bitboard::with_neighbours;
use crate::board::{Board, Move, Player};
use fill::{Continuations, Fill, Side};

pub use fortress::{Rivals, SMALLEST_LEAD};

/// Budget of [`settle`] and of an expansion, in units of work of some 20 ns, see [`Fill::budget`]. Most boards need little; the rest
/// are left to the search.
const BUDGET: u32 = 20_000;

/// Most work that a search spends on one region.
const REGION_BUDGET: u32 = 4_000;

/// Budget of [`longest_fill`] and [`moves_left`], in the same units.
const LONG_BUDGET: u32 = 40_000;

/// Finds winners in the positions of a search, and remembers the regions that it has counted.
pub struct Endgame {
    fill: Fill,
}

impl Default for Endgame {
    fn default() -> Endgame {
        Endgame {
            fill: Fill::remembering(BUDGET, REGION_BUDGET),
        }
    }
}

impl Endgame {
    /// Fills the budget up, which all arrows of a node share. Returns the work since the last time.
    pub fn refresh(&mut self) -> u64 {
        self.fill.budget = BUDGET;
        std::mem::take(&mut self.fill.work)
    }

    /// The winner of a position, as far as counting within the budget shows it.
    pub fn winner(&mut self, board: &Board) -> Option<Player> {
        self.fill.work += 1;
        let wins = match both_sides(board) {
            Some(sides) => first_wins(&sides, &mut self.fill),
            None => Rivals::on(board).winner(0, &mut self.fill),
        }?;
        Some(winner_if(wins, board.to_move()))
    }
}

/// The player to move, or the other one.
fn winner_if(mover_wins: bool, mover: Player) -> Player {
    if mover_wins { mover } else { !mover }
}

/// The winner of a position in which no square is reached by both players. Nothing where a square is, or where
/// counting within a budget leaves the winner open.
///
/// ```
/// use crate::board::{Board, Player};
/// use crate::mcts::endgame::settle;
/// // Three amazons of each side are shut in. Two squares are left beside black's fourth, one beside white's.
/// let (black, white) = (1 << 0 | 0b111 << 24, 1 << 63 | 0b111 << 40);
/// let arrows = !(black | white | 0b110 | 1 << 62);
/// let board = |to_move| Board::from_sets(black, white, arrows, to_move).unwrap();
/// assert_eq!(settle(&board(Player::Black)), Some(Player::Black));
/// assert_eq!(settle(&board(Player::White)), Some(Player::Black));
/// assert_eq!(settle(&Board::start()), None);
/// ```
#[must_use]
pub fn settle(board: &Board) -> Option<Player> {
    let wins = first_wins(&both_sides(board)?, &mut Fill::once(BUDGET))?;
    Some(winner_if(wins, board.to_move()))
}

/// The winner of a position by what each player keeps whatever the other one does. It may be known before the players are
/// separated. Nothing where that leaves the winner open.
#[must_use]
pub fn certain_winner(board: &Board) -> Option<Player> {
    Endgame::default().winner(board)
}

/// The number of moves that black and white can still make each, in a position in which no square is reached by both.
/// Nothing where a square is, or where guards or the budget of counting leave a number open.
///
/// ```
/// use crate::board::{Board, Player};
/// use crate::mcts::endgame::moves_left;
/// // Three amazons of each side are shut in. Two squares are left beside black's fourth, one beside white's.
/// let (black, white) = (1 << 0 | 0b111 << 24, 1 << 63 | 0b111 << 40);
/// let arrows = !(black | white | 0b110 | 1 << 62);
/// for to_move in [Player::Black, Player::White] {
///     let board = Board::from_sets(black, white, arrows, to_move).unwrap();
///     assert_eq!(moves_left(&board), Some([2, 1]));
/// }
/// assert_eq!(moves_left(&Board::start()), None);
/// ```
#[must_use]
pub fn moves_left(board: &Board) -> Option<[u32; 2]> {
    let [mover, other] = both_sides(board)?;
    let mut fill = Fill::once(LONG_BUDGET);
    let [mover, other] = [
        exactly(mover, other, &mut fill)?,
        exactly(other, mover, &mut fill)?,
    ];
    Some(match board.to_move() {
        Player::Black => [mover, other],
        Player::White => [other, mover],
    })
}

/// The longest fill: the winner of a position that [`settle`] settles, and the first of the longest row of moves
/// that the player to move is sure to make. Nothing where there is no move or counting takes too long.
///
/// A winner keeps the win with it; a loser makes as many moves as possible.
#[must_use]
pub fn longest_fill(board: &Board) -> Option<(Player, Move)> {
    let [mover, other] = both_sides(board)?;
    let wins = first_wins(&[mover, other], &mut Fill::once(BUDGET))?;
    let winner = winner_if(wins, board.to_move());
    let guards = guards(mover, other);
    let mut fill = Fill::once(LONG_BUDGET);
    let mut most_moves = |side| fill.most_moves(side, guards).exactly();
    let left = most_moves(mover)?.checked_sub(1)?;
    Continuations::of(mover, guards)
        .iter()
        .find(|&(_, after)| most_moves(after) == Some(left))
        .map(|(turn, _)| (winner, turn))
}

/// Both sides, that of the player to move first. Nothing if a square is reached by both.
fn both_sides(board: &Board) -> Option<[Side; 2]> {
    let amazons = [board.to_move(), !board.to_move()].map(|player| board.amazons(player));
    // Both at once, because in most positions they meet after a few steps.
    let mut reached = amazons;
    loop {
        let further = reached.map(|set| set | with_neighbours(set) & board.empty());
        if further[0] & further[1] != 0 {
            return None;
        }
        if further == reached {
            let side = |of: usize| Side {
                amazons: amazons[of],
                empty: reached[of] & !amazons[of],
            };
            return Some([side(0), side(1)]);
        }
        reached = further;
    }
}

/// The amazons of a side that stand beside an amazon or a square of the other side.
fn guards(side: Side, other: Side) -> u64 {
    side.guards_against(other.amazons | other.empty)
}

/// Whether the first side, that to move, makes more moves; nothing if the bounds or the budget leave it open.
fn first_wins(sides: &[Side; 2], fill: &mut Fill) -> Option<bool> {
    let [mover, other] = *sides;
    let most = [mover, other].map(|side| fill.most_moves(side, 0));
    let mut sure = |side: Side, other, most: fill::Range| match guards(side, other) {
        0 => most.least,
        guards => fill.most_moves(side, guards).least,
    };
    if sure(mover, other, most[0]) > most[1].most {
        Some(true)
    } else if sure(other, mover, most[1]) >= most[0].most {
        Some(false)
    } else {
        None
    }
}

/// The moves that a side can make, if its bounds agree; nothing if they do not, or the budget is used up.
fn exactly(side: Side, other: Side, fill: &mut Fill) -> Option<u32> {
    let most = fill.most_moves(side, 0).exactly()?;
    let guards = guards(side, other);
    let is_exact = guards == 0 || fill.most_moves(side, guards).exactly() == Some(most);
    is_exact.then_some(most)
}
