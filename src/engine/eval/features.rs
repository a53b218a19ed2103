//! [`Features`], the nine terms of the linear evaluation. They measure the five components of J. Lieberum's evaluation:
//! queen territory, king territory, queen position, king position and mobility.
//!
//! The queen distance `D1` of an empty square is the number of queen moves that a player's nearest amazon needs to
//! reach it; the king distance `D2` is the number of king moves. Each term is black's number minus white's.

use crate::bitboard::{Lanes, Slides, few_neighbours, union, with_neighbours};

/// Fixed-point scale of [`Features::queen_position`], which is stored as an integer: the integer 128 represents the
/// value 1.0.
pub const QUEEN_UNIT: u32 = 128;

/// Fixed-point scale of [`Features::king_position`], which is stored as an integer: the integer 6 represents the value
/// 1.0. Each king move by which one player is closer to a square than the opponent adds 1 to the integer, at most 6 per
/// square.
pub const KING_UNIT: u32 = 6;

/// Maximum queen distance at which a square counts in [`Features::queen_position`]: eight moves. A square at distance
/// `d` adds `2·2^-d`. At nine moves, this is 1/256, less than 1 / [`QUEEN_UNIT`] = 1/128, the smallest positive number
/// of the fixed-point format.
const QUEEN_HORIZON: u32 = QUEEN_UNIT.ilog2() + 1;

/// Terms of the linear evaluation. One vector of the type `L` holds the same term of several positions. Unless stated
/// otherwise, each number is black's minus white's, as a signed 64-bit integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features<L> {
    /// Number of empty squares to which black has a smaller queen distance than white, minus the number to which white
    /// has a smaller one (Lieberum's t1 with κ = 0).
    pub queen_territory: L,
    /// Number of empty squares to which black has a smaller king distance than white, minus the number to which white
    /// has a smaller one (Lieberum's t2 with κ = 0).
    pub king_territory: L,
    /// Black's sum minus white's sum of `2·2^-D1` over the empty squares (Lieberum's c1). `D1` is the player's queen
    /// distance. Squares at a distance of nine or more add 0. The difference is stored in units of 1 / [`QUEEN_UNIT`].
    pub queen_position: L,
    /// Sum of `clamp((white's D2 − black's D2) / 6, −1, 1)` over the empty squares (Lieberum's c2); positive if black
    /// is closer. `D2` is a player's king distance: the number of king moves that the nearest amazon needs to reach the
    /// square. A square that only black can reach adds 1.0, one that only white can reach −1.0, and one that neither
    /// can reach 0. The sum is stored in units of 1 / [`KING_UNIT`].
    pub king_position: L,
    /// Mobility of black minus that of white. A player's mobility is the number of squares that an amazon reaches in
    /// one move, added up over the player's four amazons.
    pub mobility: L,
    /// Number of black's shut-in amazons minus the number of white's. An amazon is shut in if no adjacent square is
    /// empty, so that it cannot move.
    pub shut_in: L,
    /// Number of black's nearly shut-in amazons minus the number of white's. An amazon is nearly shut in if exactly one
    /// adjacent square is empty.
    pub nearly_shut_in: L,
    /// Number of black's hindered amazons minus the number of white's. An amazon is hindered if two or three adjacent
    /// squares are empty.
    pub hindered: L,
    /// Number of empty squares that only black can reach, in any number of moves, minus the number that only white can
    /// reach.
    pub exclusive: L,
    /// Number of empty squares that both players can reach in any number of moves. It is not a difference between black
    /// and white, and it has no weight in the linear evaluation.
    pub shared: L,
    /// Bitboards of the squares that each player's amazons reach in one move: index 0 for black, 1 for white. If the
    /// bitboard of the side to move is empty, this side has lost.
    pub move_targets: [L; 2],
}

/// Number of terms of the linear evaluation. They are the fields of [`Features`], in order, except `shared` and
/// `move_targets`, which have no weight.
pub const TERMS: usize = 9;

/// Fixed-point scale of each of the nine terms of the linear evaluation: the integer that represents the value 1.0. The
/// order is that of [`Features::terms`].
pub const UNITS: [f64; TERMS] = {
    let mut units = [1.0; TERMS];
    [units[2], units[3]] = [QUEEN_UNIT as f64, KING_UNIT as f64];
    units
};

/// The same quantity for both players: index 0 for black, 1 for white. Each is a vector of bitboards or numbers, one
/// for each of several positions.
type PerPlayer<L> = [L; 2];

impl<L: Lanes> Features<L> {
    /// Computes the terms of the linear evaluation for several positions, one in each element (lane) of the vectors.
    /// The arguments are bitboards of each position: black's amazons, white's amazons and the empty squares.
    #[inline(always)]
    #[must_use]
    pub fn compute(black: L, white: L, empty: L) -> Features<L> {
        // Use no closures in this function: if a closure is not inlined, the compiler does not use the vector
        // instructions for which this function is compiled.
        let queen = QueenFlood::compute([black, white], empty);
        let (king_territory, king_position) = king_flood([black, white], empty, queen.reached);
        let [none, one, two_or_three] = few_neighbours(empty);
        Features {
            queen_territory: difference(queen.closer),
            king_territory,
            queen_position: queen.position,
            king_position,
            mobility: queen.mobility,
            shut_in: difference([black & none, white & none]),
            nearly_shut_in: difference([black & one, white & one]),
            hindered: difference([black & two_or_three, white & two_or_three]),
            exclusive: difference(exclusive_squares(queen.reached)),
            shared: (queen.reached[0] & queen.reached[1]).count_ones(),
            move_targets: queen.in_one_move,
        }
    }

    /// Returns the nine terms of the linear evaluation. Each is black's number minus white's. By index, from 0:
    ///
    /// - 0 and 1 (queen and king territory): squares that the player reaches in fewer queen or king moves than the
    ///   opponent
    /// - 2 and 3 (queen and king position): how close the player is to the empty squares, in queen or king moves
    /// - 4 (mobility): moves of the player's amazons, without the arrows
    /// - 5, 6 and 7: amazons with no, one, and two or three empty neighbours
    /// - 8: squares that only this player can reach
    ///
    /// The columns of [`weights::Knots`](super::weights::Knots) have the same order, except that column 5 is
    /// [`SIDE_TO_MOVE`](super::weights::SIDE_TO_MOVE); the terms 5 to 8 are the columns 6 to 9.
    #[inline(always)]
    #[must_use]
    pub fn terms(&self) -> [L; TERMS] {
        [
            self.queen_territory,
            self.king_territory,
            self.queen_position,
            self.king_position,
            self.mobility,
            self.shut_in,
            self.nearly_shut_in,
            self.hindered,
            self.exclusive,
        ]
    }

    /// Returns the sum of the nine terms of the linear evaluation, each multiplied by its weight. Each vector element
    /// (lane) of the result belongs to one position. `weights` are in the order of [`Features::terms`]. The sum has the
    /// unit of `weights`.
    #[inline(always)]
    #[must_use]
    pub fn weighted_sum(&self, weights: &[i32; TERMS]) -> L {
        let terms = self.terms();
        let mut sum = terms[0].times(weights[0]);
        for at in 1..TERMS {
            sum = sum.plus(terms[at].times(weights[at]));
        }
        sum
    }
}

/// Returns the number of squares in black's bitboard minus the number in white's, for each of several positions.
#[inline(always)]
fn difference<L: Lanes>([black, white]: PerPlayer<L>) -> L {
    black.count_ones().minus(white.count_ones())
}

/// Returns a pair of bitboards for each of several positions. Index 0: the squares that are only in black's bitboard.
/// Index 1: the squares that are only in white's.
#[inline(always)]
fn exclusive_squares<L: Lanes>([black, white]: PerPlayer<L>) -> PerPlayer<L> {
    [black.without(white), white.without(black)]
}

/// Results of a breadth-first search by queen moves from the amazons of both players, for several positions: the
/// components of the linear evaluation that depend on queen distances. Each vector element (lane) belongs to one
/// position.
struct QueenFlood<L> {
    /// Empty squares that each player reaches in one queen move.
    in_one_move: PerPlayer<L>,
    /// Empty squares that each player's amazons can reach in any number of queen moves.
    reached: PerPlayer<L>,
    /// Empty squares to which each player has a smaller queen distance than the opponent.
    closer: PerPlayer<L>,
    /// Black's sum minus white's sum of `2·2^-D1` over the empty squares, in units of 1 / [`QUEEN_UNIT`], see
    /// [`Features::queen_position`]. `D1` is the number of queen moves that the player needs to reach the square.
    position: L,
    /// Mobility of black minus that of white, as in [`Features::mobility`]: the number of squares that an amazon
    /// reaches in one move, added up over a player's amazons.
    mobility: L,
}

impl<L: Lanes> QueenFlood<L> {
    /// Computes all fields of [`QueenFlood`] by a breadth-first search by queen moves from the bitboards `amazons`.
    /// `empty` is the bitboard of the empty squares. The search ends when no further square is reached in any of the
    /// positions.
    #[inline(always)]
    fn compute(amazons: PerPlayer<L>, empty: L) -> QueenFlood<L> {
        let slides = Slides::over(empty);
        let [black, white] = [slides.rays_from(amazons[0]), slides.rays_from(amazons[1])];
        let in_one_move = [union(black) & empty, union(white) & empty];
        // Correction of the mobility: `8·(b − w)`, where `b` and `w` are the numbers of black's and of white's amazons.
        // Each of an amazon's eight rays includes the amazon's own square, which does not count for mobility.
        let starts = difference(amazons).shl::<3>();
        let mobility = L::count_ones_of(black)
            .minus(L::count_ones_of(white))
            .minus(starts);
        let mut flood = QueenFlood {
            in_one_move,
            reached: in_one_move,
            closer: exclusive_squares(in_one_move),
            position: L::splat(0),
            mobility,
        };
        let mut level = in_one_move;
        // Number of queen distances that have not yet been added to `position`, which is computed by Horner's method.
        // At each distance, `position` is doubled, then the squares at this distance are added. As a result, a square
        // at distance `d` counts twice as much as one at `d + 1`. If the search ends early, the code after the loop
        // makes up for the missing doublings.
        let mut horizon = QUEEN_HORIZON;
        loop {
            if horizon > 0 {
                flood.position = flood.position.plus(flood.position).plus(difference(level));
                horizon -= 1;
            }
            if !(empty.without(flood.reached[0]) | empty.without(flood.reached[1])).any() {
                break;
            }
            level = [
                (union(slides.rays_from(level[0])) & empty).without(flood.reached[0]),
                (union(slides.rays_from(level[1])) & empty).without(flood.reached[1]),
            ];
            if !(level[0] | level[1]).any() {
                break;
            }
            flood.reached = [flood.reached[0] | level[0], flood.reached[1] | level[1]];
            let ahead = exclusive_squares(flood.reached);
            flood.closer = [flood.closer[0] | ahead[0], flood.closer[1] | ahead[1]];
        }
        flood.position = flood.position.times(1 << horizon);
        flood
    }
}

/// Computes [`Features::king_territory`] and [`Features::king_position`], and returns them in this order. The first
/// counts the squares that a player reaches in fewer king moves than the opponent; the second adds up the differences
/// of the king distances. Both are positive if black is ahead. The distances result from a breadth-first search from
/// the amazons.
///
/// `reachable` contains the empty squares that each player can reach in any number of queen moves. By king moves, a
/// player can reach the same squares, but may need more moves.
#[inline(always)]
fn king_flood<L: Lanes>(amazons: PerPlayer<L>, empty: L, reachable: PerPlayer<L>) -> (L, L) {
    let both = reachable[0] & reachable[1];
    let only = exclusive_squares(reachable);
    let nothing = L::splat(0);
    let mut front = amazons;
    let mut closer = only;
    let mut position = difference(only).times(KING_UNIT as i32);
    // Ring buffer for the last six king distances. The entry of a distance contains the squares that each player
    // reaches within this number of king moves. At each distance, each square that only one player has reached adds 1
    // to the king position for this player. Squares that the player had already reached six distances before are left
    // out, so that a square adds at most 6.
    let mut earlier = [[nothing; 2]; KING_UNIT as usize];
    for distance in 0.. {
        front = [
            with_neighbours(front[0]) & empty,
            with_neighbours(front[1]) & empty,
        ];
        let reached = front;
        let before = std::mem::replace(&mut earlier[distance % KING_UNIT as usize], reached);
        let ahead = exclusive_squares([reached[0] & both, reached[1] & both]);
        closer = [closer[0] | ahead[0], closer[1] | ahead[1]];
        position = position.plus(difference([
            ahead[0].without(before[0]),
            ahead[1].without(before[1]),
        ]));
        if !(both.without(reached[0] & reached[1])).any() {
            break;
        }
    }
    (difference(closer), position)
}
