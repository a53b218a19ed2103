//! The endgame in which no square is left that both players reach: who makes more moves wins.
//!
//! Each player then fills regions of their own, and the moves in them can be counted exactly. What makes
//! it less than trivial are guards: amazons beside the other's territory, whose squares would let the other
//! in if they were left empty. A guard that leaves can shoot at the square that it left. So a player makes
//! at least the moves that can be made by closing behind guards, and at most, as long as the other closes,
//! the moves that can be made in all of their own territory. Where both bounds agree on the winner it is
//! certain.

use crate::bitboard::{Slides, union, with_neighbours};
use crate::board::{Board, Move, Player, squares};
use smallvec::SmallVec;

/// Positions that one settlement may look at. Most need few; the rest are left to the search.
const BUDGET: u32 = 1500;

/// The same for a position that is to be played.
const LONG_BUDGET: u32 = 10_000;

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
    let sides = Sides::of(board)?;
    let mut counter = Counter {
        budget: BUDGET,
        guards: 0,
    };
    let most = [
        counter.most_moves(&sides, 0)?,
        counter.most_moves(&sides, 1)?,
    ];
    let mut sure = |one: usize| {
        counter.guards = sides.guards(one);
        if counter.guards == 0 {
            Some(most[one])
        } else {
            counter.most_moves(&sides, one)
        }
    };
    let mover = board.to_move();
    if sure(0)? > most[1] {
        Some(mover)
    } else if sure(1)? >= most[0] {
        Some(!mover)
    } else {
        None
    }
}

/// A move that begins a longest row of moves that the player to move can make for sure, in a position that
/// [`settle`] settles. Nothing in others, where there is no move, or where counting takes too long.
///
/// Whoever wins goes on winning with it; whoever loses makes as many moves as they can.
#[must_use]
pub fn longest_fill(board: &Board) -> Option<Move> {
    settle(board)?;
    let sides = Sides::of(board)?;
    let mut counter = Counter {
        budget: LONG_BUDGET,
        guards: sides.guards(0),
    };
    let left = counter.most_moves(&sides, 0)?.checked_sub(1)?;
    continuations(sides.amazons[0], sides.empty[0], counter.guards)
        .into_iter()
        .find(|after| counter.most_moves_of(after.amazons, after.empty) == Some(left))
        .map(|after| after.turn)
}

/// Both players, the one to move first, and the empty squares that each reaches, none of them in common.
struct Sides {
    amazons: [u64; 2],
    empty: [u64; 2],
}

impl Sides {
    /// Nothing if a square is reached by both.
    fn of(board: &Board) -> Option<Sides> {
        let mover = board.to_move();
        let amazons = [mover, !mover].map(|player| board.amazons(player));
        let empty = amazons.map(|amazons| reached(amazons, board.empty()));
        (empty[0] & empty[1] == 0).then_some(Sides { amazons, empty })
    }

    /// The amazons of a player that stand beside an amazon or a square of the other.
    fn guards(&self, one: usize) -> u64 {
        self.amazons[one] & with_neighbours(self.amazons[1 - one] | self.empty[1 - one])
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
    /// The most moves that a player can make; nothing if the budget is used up.
    fn most_moves(&mut self, sides: &Sides, one: usize) -> Option<u32> {
        self.most_moves_of(sides.amazons[one], sides.empty[one])
    }

    /// The most moves that amazons can make in the squares they reach; nothing if the budget is used up.
    fn most_moves_of(&mut self, amazons: u64, empty: u64) -> Option<u32> {
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
        for after in continuations(amazons, empty, self.guards) {
            if self.can_make(moves - 1, after.amazons, after.empty)? {
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

/// A move, and the amazons and the empty squares after it.
struct Continuation {
    turn: Move,
    amazons: u64,
    empty: u64,
    /// How useful the arrow's square was.
    arrow_use: u32,
}

/// The positions after every move, those first whose arrow takes a square of little use. Whoever leaves a
/// guarded square has to shoot at it.
fn continuations(amazons: u64, empty: u64, guards: u64) -> SmallVec<[Continuation; 64]> {
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
                    amazons: amazons ^ from.bit() ^ to.bit(),
                    empty: vacated & !arrow.bit(),
                    arrow_use: use_of(arrow.bit(), vacated),
                });
            }
        }
    }
    after
        .sort_unstable_by_key(|after: &Continuation| (after.arrow_use, after.amazons, after.empty));
    after
}

/// The squares that a queen reaches in one move.
fn slide(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).from(from)) & empty
}

/// How useful a square is to whoever fills the region: how many empty neighbours it has.
fn use_of(square: u64, empty: u64) -> u32 {
    (with_neighbours(square) & empty & !square).count_ones()
}
