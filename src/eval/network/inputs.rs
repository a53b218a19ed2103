//! What the network sees of a position: a kind for every square, as the player to move sees it.
//!
//! An empty square is told by its queen distances from both players, an amazon by its owner and its free neighbours.

use crate::bitboard::{BothSets, Fan, Lanes, few_neighbours};

/// Kinds of squares, in two groups of three bits.
///
/// | high bits | low bits | square |
/// | --- | --- | --- |
/// | queen distance of the player to move: 0 to 3 for one to four moves, 4 for more, 5 for never | the other player's, in the same way | empty |
/// | 6 | free neighbours: 0, 1, 2 for two or three, 3 for more | amazon of the player to move |
/// | 7 | the same | amazon of the other player |
/// | 7 | 4 | arrow |
pub const KINDS: usize = 64;

/// Queen distances that are told apart, but for the shortest.
const LEVELS: usize = 5;

/// The rows of weights that belong to a position, one for each square: 64 times its kind, plus the square.
#[inline(always)]
#[must_use]
pub fn rows<L: Lanes>(mine: u64, theirs: u64, empty: u64) -> [u16; 64] {
    let beyond = queen_flood::<L>([mine, theirs], empty);
    let [my, their] = [distance(&beyond, 0), distance(&beyond, 1)];
    let few = few_neighbours(empty);
    let many = !(few.none | few.one | few.two_or_three);
    let amazons = mine | theirs;
    let kinds = L::numbers_by_square([
        their[0] | amazons & (few.one | many),
        their[1] | amazons & (few.two_or_three | many),
        their[2] | !(empty | amazons),
        my[0] | !(empty | mine),
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

/// By level and player, the empty squares that are more than one, two, three and four queen moves away, and those
/// that are never reached.
#[inline(always)]
fn queen_flood<L: Lanes>(amazons: [u64; 2], empty: u64) -> [[u64; 2]; LEVELS] {
    let fan = Fan::<L>::over(empty);
    let mut level = BothSets::<L>::new(amazons);
    let mut rest = BothSets::<L>::new([empty; 2]);
    let mut beyond = [[0; 2]; LEVELS];
    let mut distance = 0;
    loop {
        let any;
        (level, any) = fan.from(level).taken_from(&mut rest);
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
    beyond
}

/// The bits of a player's queen distances, as [`KINDS`] tells them; 0 where there is an amazon or an arrow.
#[inline(always)]
fn distance(beyond: &[[u64; 2]; LEVELS], player: usize) -> [u64; 3] {
    let [one, two, three, four, never] = beyond;
    let (one, two, three) = (one[player], two[player], three[player]);
    let (four, never) = (four[player], never[player]);
    [one & !two | three & !four | never, two & !four, four]
}
