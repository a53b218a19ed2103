//! Input features of both networks: one feature for each square, from the perspective of the side to move.
//!
//! The feature of an empty square encodes its queen distances from both players, and whether several amazons of a
//! player reach it in one move. The feature of an amazon encodes its owner and its number of empty neighbours.

use crate::bitboard::{Lanes, PairSlides, PlayerPair, SlideMasks, Slides, neighbours_up_to_five};
use crate::board::Board;

/// Number of features that a square can have. A feature consists of two groups of three bits:
///
/// | high bits | low bits | square |
/// | --- | --- | --- |
/// | queen distance of the side to move | queen distance of the opponent | empty |
/// | 6 | number of empty neighbours: 0 to 4, 5 for five or more | amazon of the side to move |
/// | 7 | number of empty neighbours, in the same code | amazon of the opponent |
/// | 7 | 6 | arrow |
///
/// Codes of a queen distance: 0 for one move by one amazon, 1 for one move by several amazons, 2 and 3 for two and
/// three moves, 4 for more, 5 for unreachable.
pub const FEATURES: usize = 64;

/// Number of limits between the classes of queen distance: more than one, two and three moves, and unreachable.
const DISTANCE_LIMITS: usize = 4;

/// Returns the index of each square's weight row, `64·feature + square`, by square. `mine` and `theirs` are the
/// bitboards of the side to move's and the opponent's amazons, `empty` that of the empty squares.
#[inline(always)]
#[must_use]
pub fn row_indices<L: Lanes>(mine: u64, theirs: u64, empty: u64) -> [u16; 64] {
    let (beyond, repeated) = if L::COUNT < 4 {
        queen_flood::<L, 2, Slides<L>>([mine, theirs], empty)
    } else {
        queen_flood::<L, 8, SlideMasks<L>>([mine, theirs], empty)
    };
    let own_bits = distance_bits(&beyond, repeated[0] & empty, 0);
    let their_bits = distance_bits(&beyond, repeated[1] & empty, 1);
    let free = neighbours_up_to_five(empty);
    let amazons = mine | theirs;
    let arrows = !(empty | amazons);
    let features = L::bytes_by_square([
        their_bits[0] | amazons & free[0],
        their_bits[1] | amazons & free[1] | arrows,
        their_bits[2] | amazons & free[2] | arrows,
        own_bits[0] | theirs | arrows,
        own_bits[1] | !empty,
        own_bits[2] | !empty,
        0,
        0,
    ]);
    let mut rows = [0; 64];
    for square in 0..64 {
        rows[square] = u16::from(features[square]) * 64 + square as u16;
    }
    rows
}

/// Returns the [`row_indices`] of the position on `board`, from the perspective of its side to move.
#[inline(always)]
#[must_use]
pub fn row_indices_of<L: Lanes>(board: &Board) -> [u16; 64] {
    let player = board.to_move();
    row_indices::<L>(board.amazons(player), board.amazons(!player), board.empty())
}

/// Returns first, by distance limit and player, the empty squares that the player does not reach within one, two,
/// three, and any number of queen moves. Returns second, by player, the squares that several slides of the player's
/// amazons reach in one move.
#[inline(always)]
fn queen_flood<L: Lanes, const WORDS: usize, Moves: PairSlides<L, WORDS>>(
    amazons: [u64; 2],
    empty: u64,
) -> ([[u64; 2]; DISTANCE_LIMITS], [u64; 2]) {
    let moves = Moves::from_empty(empty);
    let mut rest = PlayerPair::new([empty; 2]);
    let (first, repeated) = moves.reached_and_repeated(PlayerPair::new(amazons));
    let (mut level, _) = first.remove_from(&mut rest);
    let mut beyond = [[0; 2]; DISTANCE_LIMITS];
    beyond[0] = rest.bitboards();
    let mut distance = 1;
    loop {
        let any;
        (level, any) = moves.reached(level).remove_from(&mut rest);
        if !any {
            break;
        }
        if distance < DISTANCE_LIMITS - 1 {
            beyond[distance] = rest.bitboards();
            distance += 1;
        }
    }
    let never = rest.bitboards();
    for further in &mut beyond[distance..] {
        *further = never;
    }
    (beyond, repeated)
}

/// Returns, for all squares at once, the three bits of one player's queen distance, the lowest first, in the code of
/// [`FEATURES`]. They are 0 on occupied squares. `beyond` and `repeated` are results of [`queen_flood`].
#[inline(always)]
fn distance_bits(beyond: &[[u64; 2]; DISTANCE_LIMITS], repeated: u64, player: usize) -> [u64; 3] {
    let [one, two, three, never] = beyond;
    let (one, two, three, never) = (one[player], two[player], three[player], never[player]);
    [repeated & !one | two & !three | never, one & !three, three]
}
