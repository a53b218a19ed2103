//! Input features of the value network and of the policy network: [`find_inputs`] determines one feature and one pattern
//! for each square, from the perspective of the side to move. The policy network uses the features only.
//!
//! The feature of an empty square encodes its queen distances from both players. The feature of an amazon encodes its
//! owner and its number of empty neighbours.

use crate::bitboard::{
    Lanes, PairSlides, PlayerPair, SlideMasks, Slides, neighbours_by_direction,
    neighbours_up_to_five,
};
use crate::board::Board;

/// Number of possible features of a square. A feature has six bits, in two groups of three:
///
/// | square | high bits | low bits |
/// | --- | --- | --- |
/// | empty | code for the side to move | code for the opponent |
/// | amazon of the side to move | 6 | number of empty neighbours, at most 5 |
/// | amazon of the opponent | 7 | number of empty neighbours, at most 5 |
/// | arrow | 7 | 6 |
///
/// The code stands for the player's queen distance to the square. It is 0 for one move by one amazon, 1 for one move by
/// several amazons, 2 for two moves, 3 for three, 4 for four or more, and 5 if the square is unreachable.
pub const FEATURES: usize = 64;

/// Number of possible patterns of a square. A pattern is the number `256·class + neighbours`. The bits of `neighbours`
/// say for each of the eight [`DIRECTIONS`](crate::eval::policy::DIRECTIONS) if the neighbour in this direction is an
/// empty square. The class is:
///
/// | class | square |
/// | --- | --- |
/// | 0 | empty, the side to move reaches it in fewer queen moves than the opponent |
/// | 1 | empty, the opponent reaches it in fewer queen moves |
/// | 2 | any other empty square; distances of four or more moves count as equal |
/// | 3 | amazon of the side to move |
/// | 4 | amazon of the opponent |
/// | 5 | arrow |
pub const PATTERNS: usize = 6 * 256;

/// Inputs of a network: the feature and the pattern of each square of a position. They select the weight rows that are
/// added in the hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// For each square, its feature, see [`FEATURES`].
    pub features: [u8; 64],
    /// For each square, its pattern, see [`PATTERNS`].
    pub patterns: [u16; 64],
    /// Codes of the queen distances of the side to move and of the opponent to the empty squares, see [`FEATURES`]: a
    /// bitboard for each of a code's three bits, the lowest first.
    pub distance_codes: [[u64; 3]; 2],
}

/// Number of thresholds for the queen distance of a square: at most one, two or three moves, or any number of moves.
const DISTANCE_LIMITS: usize = 4;

/// Returns the features and patterns of a position. The arguments are bitboards of the amazons of the side to move, of
/// the opponent's amazons, and of the empty squares.
#[inline(always)]
#[must_use]
pub fn find_inputs<L: Lanes>(mine: u64, theirs: u64, empty: u64) -> Inputs {
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
    // Squares that the side to move reaches in fewer moves than the opponent, and in more.
    let (mut closer, mut further) = (0, 0);
    for [own, their] in beyond {
        closer |= their & !own;
        further |= own & !their;
    }
    let classes = L::bytes_by_square([
        further | mine | arrows,
        empty & !(closer | further) | mine,
        theirs | arrows,
        0,
        0,
        0,
        0,
        0,
    ]);
    let neighbours = L::bytes_by_square(neighbours_by_direction(empty));
    let mut patterns = [0; 64];
    for square in 0..64 {
        patterns[square] = u16::from_le_bytes([neighbours[square], classes[square]]);
    }
    Inputs {
        features,
        patterns,
        distance_codes: [own_bits, their_bits],
    }
}

/// Returns the features and patterns of the position `board`, from the perspective of the side to move.
#[inline(always)]
#[must_use]
pub fn find_inputs_of<L: Lanes>(board: &Board) -> Inputs {
    let player = board.to_move();
    let (mine, theirs) = (board.amazons(player), board.amazons(!player));
    if L::COUNT == 1 {
        return find_inputs_without_vectors(mine, theirs, board.empty());
    }
    find_inputs::<L>(mine, theirs, board.empty())
}

/// Computes [`find_inputs`] without vector instructions. Not inlined, so that the bot's file contains this code once and
/// not for each network.
#[inline(never)]
fn find_inputs_without_vectors(mine: u64, theirs: u64, empty: u64) -> Inputs {
    find_inputs::<u64>(mine, theirs, empty)
}

/// Runs a breadth-first search with queen moves over the empty squares `empty`, for each player from this player's
/// amazons: `amazons[player]`, a bitboard. Returns two arrays of bitboards:
///
/// - First, `unreached[limit][player]`: the empty squares that the player can **not** reach within one move (`limit`
///   0), two (1), three (2), or any number of moves (3).
/// - Second, `shared[player]`: the squares that at least two of the player's amazons reach in one move. It may contain
///   occupied squares, which the caller must ignore.
///
/// `L` is the type of the SIMD vectors, and `Moves` generates the queen moves with them. `WORDS` is the number of
/// 64-bit words in which `Moves` stores the bitboards of both players.
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

/// Returns the codes of one player's queen distances to all squares. The codes of empty squares are from 0 to 5, see
/// [`FEATURES`]; occupied squares have the code 0. There is one bitboard for each of a code's three bits, the lowest
/// first. `player` is the index of the player, 0 or 1.
///
/// - `beyond[limit][player]`: empty squares that the player does not reach within one move (`limit` 0), two (1), three
///   (2), any number of moves (3)
/// - `repeated`: empty squares that at least two of this player's amazons reach in one move
#[inline(always)]
fn distance_bits(beyond: &[[u64; 2]; DISTANCE_LIMITS], repeated: u64, player: usize) -> [u64; 3] {
    let [one, two, three, never] = beyond;
    let (one, two, three, never) = (one[player], two[player], three[player], never[player]);
    [repeated & !one | two & !three | never, one & !three, three]
}
