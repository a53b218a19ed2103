//! What the network sees of a position: a kind for every square, as the player to move sees it.
//!
//! An empty square is told by its queen distances from both players, and if several amazons of a player reach it in one
//! move. An amazon is told by its owner and its free neighbours.

use crate::bitboard::{BothMoves, BothSets, Fan, Lanes, Slides, neighbours_up_to_five};
use crate::board::Board;

/// Kinds of squares, in two groups of three bits.
///
/// | high bits | low bits | square |
/// | --- | --- | --- |
/// | queen distance of the player to move: 0 for one move of one amazon, 1 for one of several, 2 and 3 for two and three moves, 4 for more, 5 for never | the other player's, in the same way | empty |
/// | 6 | free neighbours: 0 to 4, 5 for more | amazon of the player to move |
/// | 7 | the same | amazon of the other player |
/// | 7 | 6 | arrow |
pub const KINDS: usize = 64;

/// Bounds between the queen distances that are told apart: one, two and three moves, and any number of them.
const LEVELS: usize = 4;

/// The rows of weights that belong to a position, one for each square: 64 times its kind, plus the square.
#[inline(always)]
#[must_use]
pub fn rows<L: Lanes>(mine: u64, theirs: u64, empty: u64) -> [u16; 64] {
    let (beyond, twice) = if L::COUNT < 4 {
        queen_flood::<L, 2, Slides<L>>([mine, theirs], empty)
    } else {
        queen_flood::<L, 8, Fan<L>>([mine, theirs], empty)
    };
    let my = distance(&beyond, twice[0] & empty, 0);
    let their = distance(&beyond, twice[1] & empty, 1);
    let free = neighbours_up_to_five(empty);
    let amazons = mine | theirs;
    let arrows = !(empty | amazons);
    let kinds = L::numbers_by_square([
        their[0] | amazons & free[0],
        their[1] | amazons & free[1] | arrows,
        their[2] | amazons & free[2] | arrows,
        my[0] | theirs | arrows,
        my[1] | !empty,
        my[2] | !empty,
        0,
        0,
    ]);
    let mut rows = [0; 64];
    for square in 0..64 {
        rows[square] = u16::from(kinds[square]) * 64 + square as u16;
    }
    rows
}

/// [`rows`] of a board.
#[inline(always)]
#[must_use]
pub fn rows_of<L: Lanes>(board: &Board) -> [u16; 64] {
    let player = board.to_move();
    rows::<L>(board.amazons(player), board.amazons(!player), board.empty())
}

/// By level and player, the empty squares that are more than one, two and three queen moves away, and those that are
/// never reached; by player the squares that several amazons reach in one move.
#[inline(always)]
fn queen_flood<L: Lanes, const WORDS: usize, Moves: BothMoves<L, WORDS>>(
    amazons: [u64; 2],
    empty: u64,
) -> ([[u64; 2]; LEVELS], [u64; 2]) {
    let moves = Moves::of_both(empty);
    let mut rest = BothSets::new([empty; 2]);
    let (first, twice) = moves.reached_and_twice(BothSets::new(amazons));
    let (mut level, _) = first.taken_from(&mut rest);
    let mut beyond = [[0; 2]; LEVELS];
    beyond[0] = rest.get();
    let mut distance = 1;
    loop {
        let any;
        (level, any) = moves.reached(level).taken_from(&mut rest);
        if !any {
            break;
        }
        if distance < LEVELS - 1 {
            beyond[distance] = rest.get();
            distance += 1;
        }
    }
    let never = rest.get();
    for further in &mut beyond[distance..] {
        *further = never;
    }
    (beyond, twice)
}

/// The bits of a player's queen distances, as [`KINDS`] tells them; 0 where there is an amazon or an arrow.
#[inline(always)]
fn distance(beyond: &[[u64; 2]; LEVELS], twice: u64, player: usize) -> [u64; 3] {
    let [one, two, three, never] = beyond;
    let (one, two, three, never) = (one[player], two[player], three[player], never[player]);
    [twice & !one | two & !three | never, one & !three, three]
}
