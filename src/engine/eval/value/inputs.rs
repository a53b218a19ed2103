//! Input features of both networks: one feature per square, from the perspective of the side to move.
//!
//! The feature of an empty square encodes its queen distances from both players, and whether several amazons of a
//! player reach it in one move. The feature of an amazon encodes its owner and its number of empty neighbours.

use crate::bitboard::{Lanes, PairSlides, PlayerPair, SlideMasks, Slides, neighbours_up_to_five};
use crate::board::Board;

/// Number of features that a square can have. A feature consists of two groups of three bits:
///
/// | high bits | low bits | square | | --- | --- | --- | | queen distance of the side to move: 0 for one move by one
/// amazon, 1 for one move by several amazons, 2 and 3 for two and three moves, 4 for more, 5 for unreachable | queen
/// distance of the opponent, in the same code | empty | | 6 | number of empty neighbours: 0 to 4, 5 for five or more |
/// amazon of the side to move | | 7 | number of empty neighbours, in the same code | amazon of the opponent | | 7 | 6 |
/// arrow |
pub const FEATURES: usize = 64;

/// Number of thresholds between the classes of queen distance: after one, two and three moves, and after any number.
const LEVELS: usize = 4;

/// Returns the index of each square's weight row: 64 times the square's feature, plus the square.
#[inline(always)]
#[must_use]
pub fn rows<L: Lanes>(mine: u64, theirs: u64, empty: u64) -> [u16; 64] {
    let (beyond, twice) = if L::COUNT < 4 {
        queen_flood::<L, 2, Slides<L>>([mine, theirs], empty)
    } else {
        queen_flood::<L, 8, SlideMasks<L>>([mine, theirs], empty)
    };
    let my = distance(&beyond, twice[0] & empty, 0);
    let their = distance(&beyond, twice[1] & empty, 1);
    let free = neighbours_up_to_five(empty);
    let amazons = mine | theirs;
    let arrows = !(empty | amazons);
    let features = L::numbers_by_square([
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
        rows[square] = u16::from(features[square]) * 64 + square as u16;
    }
    rows
}

/// Returns the [`rows`] of a board, from the perspective of its side to move.
#[inline(always)]
#[must_use]
pub fn rows_of<L: Lanes>(board: &Board) -> [u16; 64] {
    let player = board.to_move();
    rows::<L>(board.amazons(player), board.amazons(!player), board.empty())
}

/// Returns two things: per threshold and player, the empty squares more than one, two and three queen moves away, and
/// those never reached; and per player, the squares that several amazons reach in one move.
#[inline(always)]
fn queen_flood<L: Lanes, const WORDS: usize, Moves: PairSlides<L, WORDS>>(
    amazons: [u64; 2],
    empty: u64,
) -> ([[u64; 2]; LEVELS], [u64; 2]) {
    let moves = Moves::of_both(empty);
    let mut rest = PlayerPair::new([empty; 2]);
    let (first, twice) = moves.reached_and_twice(PlayerPair::new(amazons));
    let (mut level, _) = first.remove_from(&mut rest);
    let mut beyond = [[0; 2]; LEVELS];
    beyond[0] = rest.get();
    let mut distance = 1;
    loop {
        let any;
        (level, any) = moves.reached(level).remove_from(&mut rest);
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

/// Returns the three bits of one player's queen distance for all squares, in the code of [`FEATURES`]. They are 0 on
/// occupied squares.
#[inline(always)]
fn distance(beyond: &[[u64; 2]; LEVELS], twice: u64, player: usize) -> [u64; 3] {
    let [one, two, three, never] = beyond;
    let (one, two, three, never) = (one[player], two[player], three[player], never[player]);
    [twice & !one | two & !three | never, one & !three, three]
}
