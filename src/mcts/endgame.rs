//! The endgame in which no square is left that both players reach: who makes more moves wins.
//!
//! Each player then fills regions of their own, and the moves in them can be counted exactly. What makes
//! it less than trivial are guards: amazons beside the other's territory, whose squares would let the other
//! in if they were left empty. A guard that leaves can shoot at the square that it left. So a player makes
//! at least the moves that can be made by closing behind guards, and at most, as long as the other closes,
//! the moves that can be made in all of their own territory. Where both bounds agree on the winner it is
//! certain.

use crate::bitboard::{Slides, union, with_neighbours};
use crate::board::{Board, Player, squares};
use smallvec::SmallVec;

/// Positions that one settlement may look at. Most need few; the rest are left to the search.
const BUDGET: u32 = 1500;

/// The winner of a position in which no square is reached by both players, where counting tells it for
/// certain within its budget.
///
/// ```
/// use amazons::board::{Board, Player};
/// use amazons::mcts::settle;
/// // All squares hold arrows but two beside black's amazon and one beside white's.
/// let (black, white) = (1 << 0, 1 << 63);
/// let board = |to_move| Board::from_sets(black, white, !(black | white | 0b110 | 1 << 62), to_move);
/// assert_eq!(settle(&board(Player::Black)), Some(Player::Black));
/// assert_eq!(settle(&board(Player::White)), Some(Player::Black));
/// assert_eq!(settle(&Board::start()), None);
/// ```
#[must_use]
pub fn settle(board: &Board) -> Option<Player> {
    let mover = board.to_move();
    let amazons = [mover, !mover].map(|player| board.amazons(player));
    let empty = amazons.map(|amazons| reached(amazons, board.empty()));
    if empty[0] & empty[1] != 0 {
        return None;
    }
    let guards = |one: usize| amazons[one] & with_neighbours(amazons[1 - one] | empty[1 - one]);
    let mut counter = Counter {
        budget: BUDGET,
        guards: 0,
    };
    let most = [
        counter.most_moves(amazons[0], empty[0])?,
        counter.most_moves(amazons[1], empty[1])?,
    ];
    let mut sure = |one: usize| {
        counter.guards = guards(one);
        if counter.guards == 0 {
            Some(most[one])
        } else {
            counter.most_moves(amazons[one], empty[one])
        }
    };
    if sure(0)? > most[1] {
        Some(mover)
    } else if sure(1)? >= most[0] {
        Some(!mover)
    } else {
        None
    }
}

/// The empty squares that amazons reach, in any number of moves.
fn reached(amazons: u64, empty: u64) -> u64 {
    let mut reached = with_neighbours(amazons) & empty;
    loop {
        let further = reached | with_neighbours(reached) & empty;
        if further == reached {
            return reached;
        }
        reached = further;
    }
}

/// Counts moves in regions, within a budget of positions.
struct Counter {
    budget: u32,
    /// Squares that are not to be left empty.
    guards: u64,
}

impl Counter {
    /// The most moves that amazons can make in the squares they reach; nothing if the budget is used up.
    fn most_moves(&mut self, amazons: u64, empty: u64) -> Option<u32> {
        let (mut amazons, mut empty, mut total) = (amazons, empty, 0);
        while empty != 0 {
            // A region: what hangs together over empty squares and amazons.
            let region = connected(empty & empty.wrapping_neg(), empty | amazons);
            total += self.most_moves_in_region(amazons & region, empty & region)?;
            amazons &= !region;
            empty &= !region;
        }
        Some(total)
    }

    /// The same for one region: tries to fill all of it, then one square less, and so on.
    fn most_moves_in_region(&mut self, amazons: u64, empty: u64) -> Option<u32> {
        for moves in (1..=empty.count_ones()).rev() {
            if self.can_make(moves, amazons, empty)? {
                return Some(moves);
            }
        }
        Some(0)
    }

    /// Tests if so many moves can be made, depth first; nothing if the budget is used up.
    fn can_make(&mut self, moves: u32, amazons: u64, empty: u64) -> Option<bool> {
        if moves == 0 {
            return Some(true);
        }
        if reached(amazons, empty).count_ones() < moves {
            return Some(false);
        }
        self.budget = self.budget.checked_sub(1)?;
        for (amazons, empty) in continuations(amazons, empty, self.guards) {
            if self.can_make(moves - 1, amazons, empty)? {
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

/// The positions after every move, those first whose arrow takes a square of little use. Whoever leaves a
/// guarded square has to shoot at it.
fn continuations(amazons: u64, empty: u64, guards: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut after = SmallVec::<[(u32, u64, u64); 64]>::new();
    for from in squares(amazons) {
        for to in squares(slide(from.bit(), empty)) {
            let vacated = (empty | from.bit()) & !to.bit();
            let amazons = amazons ^ from.bit() ^ to.bit();
            let targets = if guards & from.bit() != 0 {
                from.bit()
            } else {
                slide(to.bit(), vacated)
            };
            for arrow in squares(targets) {
                let left = vacated & !arrow.bit();
                after.push((use_of(arrow.bit(), vacated), amazons, left));
            }
        }
    }
    after.sort_unstable();
    after
        .into_iter()
        .map(|(_, amazons, empty)| (amazons, empty))
}

/// The squares that a queen reaches in one move.
fn slide(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).from(from)) & empty
}

/// How useful a square is to whoever fills the region: how many empty neighbours it has.
fn use_of(square: u64, empty: u64) -> u32 {
    (with_neighbours(square) & empty & !square).count_ones()
}
