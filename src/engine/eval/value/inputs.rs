//! Input features of the value network and of the policy network: [`row_indices`] determines one feature for each
//! square, from the perspective of the side to move.
//!
//! The feature of an empty square encodes its queen distances from both players. The feature of an amazon encodes its
//! owner and its number of empty neighbours.

use crate::bitboard::{Lanes, PairSlides, PlayerPair, SlideMasks, Slides, neighbours_up_to_five};
use crate::board::Board;

/// Number of possible features of a square. A feature has six bits, in two groups of three:
///
/// | square | high bits | low bits |
/// | --- | --- | --- |
/// | empty | queen distance of the side to move | queen distance of the opponent |
/// | amazon of the side to move | 6 | number of empty neighbours, at most 5 |
/// | amazon of the opponent | 7 | number of empty neighbours, at most 5 |
/// | arrow | 7 | 6 |
///
/// Codes of a queen distance:
///
/// - 0: one move, by one amazon
/// - 1: one move, by several amazons
/// - 2: two moves
/// - 3: three moves
/// - 4: four or more moves
/// - 5: unreachable
pub const FEATURES: usize = 64;

/// Number of limits with which the queen distance of a square is compared: one, two, three, and any number of moves.
const DISTANCE_LIMITS: usize = 4;

/// Returns, for each square, the index of its weight row in the hidden layer: `64·feature + square`. The arguments are
/// bitboards of the amazons of the side to move, of the opponent's amazons, and of the empty squares.
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

/// Returns, for each square of `board`, the index of the weight row for its feature: `64·feature + square`. The
/// features are from the perspective of the side to move.
#[inline(always)]
#[must_use]
pub fn row_indices_of<L: Lanes>(board: &Board) -> [u16; 64] {
    let player = board.to_move();
    row_indices::<L>(board.amazons(player), board.amazons(!player), board.empty())
}

/// Determines the queen distances of the empty squares from both players, up to three moves, by a breadth-first search
/// from the bitboards `amazons`. Returns a pair of arrays of bitboards, in which `player` is the index in `amazons`:
///
/// - first, `[limit][player]`: empty squares that the player does not reach within `limit + 1` moves; for the last
///   limit, 3, those that the player does not reach in any number of moves
/// - second, `[player]`: squares that the player reaches in one move from several directions; they may include occupied
///   squares
///
/// `Moves` is the implementation of the queen moves for `L`. `WORDS` is the number of 64-bit words in which it stores
/// the bitboards of both players.
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

/// Returns the codes, see [`FEATURES`], of one player's queen distances to all empty squares. There is one bitboard for
/// each of a code's three bits, the lowest first. Occupied squares have the code 0.
///
/// `beyond[limit][player]` contains the empty squares that the player does not reach within `limit + 1` moves; with the
/// last limit, 3, in any number of moves. `repeated` contains the empty squares that the player reaches in one move
/// from several directions. `player` is the index of the player, 0 or 1.
#[inline(always)]
fn distance_bits(beyond: &[[u64; 2]; DISTANCE_LIMITS], repeated: u64, player: usize) -> [u64; 3] {
    let [one, two, three, never] = beyond;
    let (one, two, three, never) = (one[player], two[player], three[player], never[player]);
    [repeated & !one | two & !three | never, one & !three, three]
}
