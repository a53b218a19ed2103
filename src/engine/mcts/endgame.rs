//! Proves the winner near the end of the game by counting the moves that each player has left, see [`prove_endgame`].
//!
//! Once no square is reachable by both players, each player only fills their own territory, and the player who can make
//! more moves wins. A guard is an amazon beside the other player's territory: if it moves away, the other player can
//! enter through its square, unless the guard shoots its arrow back at that square.
//!
//! - Without guards, the moves of each player can be counted exactly.
//! - With guards, the number of moves has two bounds. For the lower bound, a guard that moves must shoot back at the
//!   square that it left. For the upper bound, guards move freely in their own territory. The winner is proven if the
//!   lower bound of one player beats the upper bound of the other.
//!
//! While squares are reachable by both players, a territory that only one of them can enter (a fortress) may already
//! prove the winner, see `endgame/fortress.rs`. Most moves in regions in which no square is reachable by both need not be
//! searched, see `endgame/integer_regions.rs`. Positions with few empty squares are solved by searching their regions, see
//! `endgame/subgames.rs`.

pub mod fill;
mod fortress;
mod integer_regions;
pub mod subgames;

use crate::bitboard::with_neighbours;
use crate::board::{Board, Move, Player};
use fill::{FillCounter, MoveBounds, Territory};

pub use fortress::{MIN_FORTRESS_LEAD, Sides};

/// Maximum work for one call of [`prove_endgame`]. If more work is needed, the winner stays unproven. In a search, the
/// arrow shots of one node of the tree share this amount of work. The unit of work is one position, amazon's move or
/// arrow shot that is examined, about 20 ns.
const BUDGET: u32 = 20_000;

/// Maximum work for counting the moves in one connected region of empty squares and amazons during a search. The unit
/// of work is one position, amazon's move or arrow shot that is examined, about 20 ns.
const REGION_BUDGET: u32 = 4_000;

/// Maximum work for counting moves in one call of [`longest_fill`] or [`moves_left`]. The unit of work is one position,
/// amazon's move or arrow shot that is examined, about 20 ns.
const EXACT_BUDGET: u32 = 40_000;

/// Proves the winners of positions near the end of the game, for the search, by counting the moves left to each player.
/// A budget limits the work. A cache keeps the counts for connected regions of the board, because successive positions
/// have many regions in common.
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
    /// Resets the remaining work budget to its maximum, `BUDGET`. Returns the work done since the previous call. The
    /// unit of work is one position, amazon's move or arrow shot that is examined, about 20 ns.
    ///
    /// Call this function once for each node of the search tree; the proofs for all arrow shots of a node share one
    /// budget.
    pub fn reset_budget(&mut self) -> u64 {
        self.fill.budget = BUDGET;
        std::mem::take(&mut self.fill.work)
    }

    /// Returns the winner of the position `board` if it can be proven within the work budget. The proof counts the
    /// moves left to each player or, if some square is reachable by both, uses a fortress (a territory that the
    /// opponent cannot enter). Returns `None` if no winner is proven.
    pub fn winner(&mut self, board: &Board) -> Option<Player> {
        self.fill.work += 1;
        let wins = match territories(board, !0) {
            Some(sides) => side_to_move_wins(&sides, &mut self.fill),
            None => Sides::from_board(board).winner(0, &mut self.fill),
        }?;
        Some(winner_if(wins, board.to_move()))
    }
}

/// Returns the winner of a position: the side to move, `mover`, if `mover_wins`, otherwise the opponent.
fn winner_if(mover_wins: bool, mover: Player) -> Player {
    if mover_wins { mover } else { !mover }
}

/// Returns the winner of the position `board`, proven by counting the moves left to each player. Returns `None` if a
/// square is reachable by both players, or if the counts prove no winner within the work budget.
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
    let wins = side_to_move_wins(&territories(board, !0)?, &mut FillCounter::uncached(BUDGET))?;
    Some(winner_if(wins, board.to_move()))
}

/// Returns the proven winner of the position `board`. The proof counts the moves left to each player or, if some square
/// is reachable by both, uses a fortress (a territory that the opponent cannot enter). Returns `None` if no winner is
/// proven within a fixed amount of work.
///
/// Unlike this function, [`prove_endgame`] proves no winner as long as a square is reachable by both players.
#[must_use]
pub fn certain_winner(board: &Board) -> Option<Player> {
    Endgame::default().winner(board)
}

/// Returns the exact maximum numbers of moves (whole turns) that black and white can still make in the position
/// `board`, each in the squares that only this player reaches. First: black's number. Second: white's.
///
/// Returns `None` in three cases: a square is reachable by both players; a number is uncertain, because an amazon that
/// guards the border of a territory may let the opponent in; or counting takes more than a fixed amount of work.
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
    let [mover, other] = territories(board, !0)?;
    let mut fill = FillCounter::uncached(EXACT_BUDGET);
    let [mover, other] = [
        exact_moves(mover, other, &mut fill)?,
        exact_moves(other, mover, &mut fill)?,
    ];
    Some(match board.to_move() {
        Player::Black => [mover, other],
        Player::White => [other, mover],
    })
}

/// Returns the proven winner of the position `board`, and a move for the side to move: the first move of the longest
/// sequence of moves that this side can make in its own territory. By playing such moves, a winning player keeps the
/// win, and a losing player makes as many moves as possible.
///
/// Returns `None` in three cases: [`prove_endgame`] proves no winner, the side to move has no move, or the work budget
/// is used up.
#[must_use]
pub fn longest_fill(board: &Board) -> Option<(Player, Move)> {
    let [mover, other] = territories(board, !0)?;
    let wins = side_to_move_wins(&[mover, other], &mut FillCounter::uncached(BUDGET))?;
    let winner = winner_if(wins, board.to_move());
    let guards = guards(mover, other);
    let mut fill = FillCounter::uncached(EXACT_BUDGET);
    Some((winner, fill.longest_fill(mover, guards)?))
}

/// Returns the territories of both players in `region`, a bitboard of the whole board or of a part that arrows separate
/// from the rest: each player's amazons there and the empty squares that they can reach in any number of moves. Index 0 is
/// the side to move, index 1 the opponent. Returns `None` if a square is reachable by both players.
// Not inlined, so that the bot's file is shorter.
#[inline(never)]
fn territories(board: &Board, region: u64) -> Option<[Territory; 2]> {
    let players = [board.to_move(), !board.to_move()];
    let amazons = players.map(|player| board.amazons(player) & region);
    // Finds the squares that each player can reach, extended by one king step in each pass of the loop. Returns `None`
    // as soon as both players reach the same square. In most positions, this takes only a few passes.
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

/// Returns, as a bitboard, the amazons of the territory `side` that stand beside the territory `other` of the opponent:
/// beside one of its amazons or empty squares. If such an amazon moves away, the opponent can enter through its square.
fn guards(side: Territory, other: Territory) -> u64 {
    side.guards_against(other.amazons | other.empty)
}

/// Proves the winner of a position in which no square is reachable by both players. Returns true if the side to move
/// wins, false if it loses, `None` if the budget of `fill` does not suffice for a proof or the bounds prove neither.
///
/// The number of moves that a player can make in its own territory has a lower and an upper bound. The side to move
/// wins if its lower bound is greater than the opponent's upper bound. It loses if the opponent's lower bound is at
/// least its own upper bound.
///
/// `sides` are the territories of both players. Index 0 is the side to move, index 1 the opponent.
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

/// Returns the maximum number of moves that a player can make in its own territory `side`; `other` is the territory of
/// the opponent. Guards are the amazons of `side` that stand beside `other`; a guard that moves away may let the
/// opponent in.
///
/// Returns `None` in two cases. First: the number would be lower if each guard had to shoot back at the square that it
/// left. Then it may be too high, because the opponent may get in. Second: the work budget of `fill` is used up.
// Not inlined, so that the bot's file is shorter.
#[inline(never)]
fn exact_moves(side: Territory, other: Territory, fill: &mut FillCounter) -> Option<u32> {
    let most = fill.bounds(side, 0).exact()?;
    let guards = guards(side, other);
    let is_exact = guards == 0 || fill.bounds(side, guards).exact() == Some(most);
    is_exact.then_some(most)
}
