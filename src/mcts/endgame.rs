//! The endgame in which no square is left that both players reach: who makes more moves wins.
//!
//! Each player then fills regions of their own, and the moves in them can be counted exactly, but for guards.
//! A guard is an amazon beside the other player's territory: its square, left empty, would let the other in. A
//! guard that leaves can shoot at the square that it left. So a player has two bounds. The lower bound is the
//! number of moves with every guard's square closed in this way. The upper bound, as long as the other player
//! closes theirs, is the number of moves in all of the player's territory. Where both bounds name the same
//! winner, the winner is certain.

use crate::bitboard::{Slides, union, with_neighbours};
use crate::board::{Board, Move, Player, squares};
use smallvec::SmallVec;

/// Budget of [`settle`], in positions looked at. Most boards need few; the rest are left to the search.
const BUDGET: u32 = 1500;

/// Budget of [`longest_fill`], in positions looked at.
const LONG_BUDGET: u32 = 10_000;

/// The winner of a position in which no square is reached by both players. Nothing where a square is, or where
/// counting within a budget leaves the winner open.
///
/// ```
/// use amazons_engine::board::{Board, Player};
/// use amazons_engine::mcts::settle;
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
    settle_with_work(board).0
}

/// [`settle`], and its work: the number of positions looked at plus the number of their continuations.
#[must_use]
pub fn settle_with_work(board: &Board) -> (Option<Player>, u64) {
    let mut counter = Counter::NEW;
    let winner = Side::both(board).and_then(|sides| counter.winner(&sides, board.to_move()));
    (winner, counter.work)
}

/// The number of moves that black and white can still make each, in a position in which no square is reached by both.
/// Nothing where a square is, or where guards or the budget of counting leave a number open.
///
/// ```
/// use amazons_engine::board::{Board, Player};
/// use amazons_engine::mcts::moves_left;
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
    let [mover, other] = Side::both(board)?;
    let mut counter = Counter {
        budget: LONG_BUDGET,
        ..Counter::NEW
    };
    let [mover, other] = [
        counter.exactly(mover, other)?,
        counter.exactly(other, mover)?,
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
    let sides = Side::both(board)?;
    let mut counter = Counter::NEW;
    let winner = counter.winner(&sides, board.to_move())?;
    let [mover, other] = sides;
    (counter.budget, counter.guards) = (LONG_BUDGET, mover.guards_against(other));
    let left = counter.most_moves(mover)?.checked_sub(1)?;
    continuations(mover, counter.guards)
        .into_iter()
        .find(|after| counter.most_moves(after.side) == Some(left))
        .map(|after| (winner, after.turn))
}

/// Amazons of a player, and the empty squares that they reach.
#[derive(Clone, Copy)]
struct Side {
    amazons: u64,
    empty: u64,
}

impl Side {
    /// Both sides, that of the player to move first. Nothing if a square is reached by both.
    fn both(board: &Board) -> Option<[Side; 2]> {
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

    /// The amazons that stand beside an amazon or a square of the other side.
    fn guards_against(self, other: Side) -> u64 {
        self.amazons & with_neighbours(other.amazons | other.empty)
    }
}

/// Counts moves in regions, within a budget of positions.
struct Counter {
    budget: u32,
    /// Squares that are not to be left empty.
    guards: u64,
    /// Positions so far, and their continuations.
    work: u64,
}

impl Counter {
    const NEW: Counter = Counter {
        budget: BUDGET,
        guards: 0,
        work: 0,
    };

    /// The player who makes more moves; nothing if the bounds or the budget leave it open. The side to move is the
    /// first.
    fn winner(&mut self, sides: &[Side; 2], to_move: Player) -> Option<Player> {
        let [mover, other] = *sides;
        let most = [self.most_moves(mover)?, self.most_moves(other)?];
        let mut sure = |side: Side, other, most| {
            self.guards = side.guards_against(other);
            if self.guards == 0 {
                Some(most)
            } else {
                self.most_moves(side)
            }
        };
        if sure(mover, other, most[0])? > most[1] {
            Some(to_move)
        } else if sure(other, mover, most[1])? >= most[0] {
            Some(!to_move)
        } else {
            None
        }
    }

    /// The moves that a side can make, if its bounds agree; nothing if they do not, or the budget is used up.
    fn exactly(&mut self, side: Side, other: Side) -> Option<u32> {
        self.guards = 0;
        let most = self.most_moves(side)?;
        self.guards = side.guards_against(other);
        let is_exact = self.guards == 0 || self.most_moves(side)? == most;
        is_exact.then_some(most)
    }

    /// The most moves that a side can make; nothing if the budget is used up.
    fn most_moves(&mut self, side: Side) -> Option<u32> {
        let Side { amazons, mut empty } = side;
        let mut total = 0;
        while empty != 0 {
            // A region: what hangs together over empty squares and amazons.
            let region = connected(empty & empty.wrapping_neg(), empty | amazons);
            total += self.most_moves_in_region(Side {
                amazons: amazons & region,
                empty: empty & region,
            })?;
            empty &= !region;
        }
        Some(total)
    }

    /// The most moves that a side can make in one region: tries to fill all of it, then one square less, and so
    /// on. Nothing if the budget is used up.
    fn most_moves_in_region(&mut self, side: Side) -> Option<u32> {
        for moves in (1..=side.empty.count_ones()).rev() {
            if self.can_make(moves, side)? {
                return Some(moves);
            }
        }
        Some(0)
    }

    /// Tests if so many moves can be made, depth first; nothing if the budget is used up.
    fn can_make(&mut self, moves: u32, side: Side) -> Option<bool> {
        if moves == 0 {
            return Some(true);
        }
        let reached = connected(with_neighbours(side.amazons) & side.empty, side.empty);
        if reached.count_ones() < moves {
            return Some(false);
        }
        self.budget = self.budget.checked_sub(1)?;
        let continuations = continuations(side, self.guards);
        self.work += 1 + continuations.len() as u64;
        for after in continuations {
            if self.can_make(moves - 1, after.side)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// All squares of a set that hang together with a start, by king steps.
fn connected(start: u64, set: u64) -> u64 {
    let mut region = start;
    loop {
        let further = with_neighbours(region) & set;
        if further == region {
            return region;
        }
        region = further;
    }
}

/// A move, and the side after it.
struct Continuation {
    turn: Move,
    side: Side,
    /// How useful the arrow's square was to whoever fills the region: how many empty neighbours it had.
    arrow_use: u32,
}

/// The positions after every move, those first whose arrow takes a square of little use. Whoever leaves a
/// guarded square has to shoot at it.
fn continuations(side: Side, guards: u64) -> SmallVec<[Continuation; 64]> {
    let Side { amazons, empty } = side;
    let mut after = SmallVec::new();
    for from in squares(amazons) {
        for to in squares(slide(from.bit(), empty)) {
            let vacated = (empty | from.bit()) & !to.bit();
            let targets = if guards & from.bit() != 0 {
                from.bit()
            } else {
                slide(to.bit(), vacated)
            };
            for arrow in squares(targets) {
                after.push(Continuation {
                    turn: Move { from, to, arrow },
                    side: Side {
                        amazons: amazons ^ from.bit() ^ to.bit(),
                        empty: vacated & !arrow.bit(),
                    },
                    arrow_use: (with_neighbours(arrow.bit()) & vacated & !arrow.bit()).count_ones(),
                });
            }
        }
    }
    after.sort_unstable_by_key(|after: &Continuation| {
        (after.arrow_use, after.side.amazons, after.side.empty)
    });
    after
}

/// The squares that a queen reaches in one move.
fn slide(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).from(from)) & empty
}
