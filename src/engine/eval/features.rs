//! The five components of the linear evaluation (queen territory, king territory, queen position, king position,
//! mobility) as nine weighted terms, computed from the queen and king distances of both players.
//!
//! The queen distance `D1` of an empty square is the number of queen moves from the player's nearest amazon; the king
//! distance `D2` counts king steps. Each term is black's sum minus white's, as an integer in a unit of its own.

use crate::bitboard::{Lanes, Slides, few_neighbours, union, with_neighbours};

/// Scale of [`Features::queen_position`]: the integer that represents 1.0.
pub const QUEEN_UNIT: u32 = 128;

/// Scale of [`Features::king_position`]: the integer that represents 1.0. A square counts fully for a player whose king
/// distance to it is smaller by six or more.
pub const KING_UNIT: u32 = 6;

/// Maximum queen distance, in moves, at which a square contributes to the queen position: eight. Terms of farther
/// squares are below the resolution of 1 / [`QUEEN_UNIT`].
const QUEEN_HORIZON: u32 = QUEEN_UNIT.ilog2() + 1;

/// The components of the linear evaluation, for one position per lane. Unless stated otherwise, each is black's value
/// minus white's, as a signed 64-bit integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features<L> {
    /// Number of empty squares to which the player has the smaller queen distance (Lieberum's t1 with κ = 0).
    pub queen_territory: L,
    /// Number of empty squares to which the player has the smaller king distance (Lieberum's t2 with κ = 0).
    pub king_territory: L,
    /// `2·Σ 2^-D1`, summed over the empty squares with the player's queen distance `D1`, in units of 1 / [`QUEEN_UNIT`]
    /// (Lieberum's c1). Squares nine or more queen moves away contribute nothing.
    pub queen_position: L,
    /// `Σ clamp((white's D2 − black's D2) / 6, −1, 1)`, summed over the empty squares with the players' king distances
    /// `D2`, in units of 1 / [`KING_UNIT`] (Lieberum's c2). A square that only one player reaches contributes ±1.
    pub king_position: L,
    /// Number of squares that an amazon reaches in one queen move, summed over the player's four amazons.
    pub mobility: L,
    /// Number of the player's amazons with no empty adjacent square, which cannot move.
    pub shut_in: L,
    /// Number of the player's amazons with exactly one empty adjacent square.
    pub nearly_shut_in: L,
    /// Number of the player's amazons with two or three empty adjacent squares.
    pub hindered: L,
    /// Number of empty squares that only this player reaches, in any number of moves.
    pub exclusive: L,
    /// Number of empty squares that both players reach, in any number of moves. Not a difference and not a component of
    /// the evaluation.
    pub shared: L,
    /// Bitboards of the squares that black's and, second, white's amazons reach in one move. Not a component; the side
    /// to move has lost if its bitboard is empty.
    pub can_move: [L; 2],
}

/// Number of weighted terms of the linear evaluation: nine for the five components. Queen territory, king territory and
/// queen position have one each; king position has two ([`Features::king_position`] and [`Features::exclusive`]),
/// mobility four ([`Features::mobility`] and the amazons with few empty neighbours).
pub const COMPONENTS: usize = 9;

/// Scale of each term: the integer that represents 1.0, in the order of [`Features::components`].
pub const UNITS: [f64; COMPONENTS] = [
    1.0,
    1.0,
    QUEEN_UNIT as f64,
    KING_UNIT as f64,
    1.0,
    1.0,
    1.0,
    1.0,
    1.0,
];

/// A value for black and, second, one for white: bitboards or numbers, one position per lane.
type Pair<L> = [L; 2];

impl<L: Lanes> Features<L> {
    /// Computes the five components of the linear evaluation for a batch of positions. Each lane of `black`, `white` and
    /// `empty` holds the bitboards of one position: black's amazons, white's amazons and the empty squares.
    #[inline(always)]
    #[must_use]
    pub fn of(black: L, white: L, empty: L) -> Features<L> {
        // Closures are avoided below: a closure that is not inlined is compiled without the vector instructions.
        let queen = QueenFlood::run([black, white], empty);
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
            exclusive: difference(exclusive(queen.reached)),
            shared: (queen.reached[0] & queen.reached[1]).count_ones(),
            can_move: queen.first,
        }
    }

    /// Returns the nine weighted terms, in the order of the columns of [`weights`](super::weights) without the side to
    /// move.
    #[inline(always)]
    #[must_use]
    pub fn components(&self) -> [L; COMPONENTS] {
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

    /// Returns `Σ weight · term` over the nine terms, lane by lane; `weights` has the order of
    /// [`Features::components`].
    #[inline(always)]
    #[must_use]
    pub fn weighted_sum(&self, weights: &[i32; COMPONENTS]) -> L {
        let components = self.components();
        let mut sum = components[0].times(weights[0]);
        for at in 1..COMPONENTS {
            sum = sum.plus(components[at].times(weights[at]));
        }
        sum
    }
}

/// Returns the number of squares in black's bitboard minus the number in white's, lane by lane.
#[inline(always)]
fn difference<L: Lanes>([black, white]: Pair<L>) -> L {
    black.count_ones().minus(white.count_ones())
}

/// Returns the squares that are only in black's bitboard and, second, those that are only in white's.
#[inline(always)]
fn exclusive<L: Lanes>([black, white]: Pair<L>) -> Pair<L> {
    [black.without(white), white.without(black)]
}

/// Results of a flood by queen moves from both players' amazons, for one position per lane.
struct QueenFlood<L> {
    /// Empty squares that each player reaches in one queen move.
    first: Pair<L>,
    /// Empty squares that each player reaches in any number of moves.
    reached: Pair<L>,
    /// Empty squares to which each player has the smaller queen distance.
    closer: Pair<L>,
    /// Queen position, black minus white; see [`Features::queen_position`].
    position: L,
    /// Mobility, black minus white; see [`Features::mobility`].
    mobility: L,
}

impl<L: Lanes> QueenFlood<L> {
    /// Floods from both players' amazons, one queen move per level, until no lane reaches a new square or none is left.
    #[inline(always)]
    fn run(amazons: Pair<L>, empty: L) -> QueenFlood<L> {
        let slides = Slides::over(empty);
        let [black, white] = [slides.from(amazons[0]), slides.from(amazons[1])];
        let first = [union(black) & empty, union(white) & empty];
        // One player's slides in one direction never overlap, so the sizes of the eight bitboards add up to the
        // mobility. Each bitboard also contains the amazons themselves, so their number is subtracted eight times.
        let starts = difference(amazons).shl::<3>();
        let mobility = L::count_ones_of(black)
            .minus(L::count_ones_of(white))
            .minus(starts);
        let mut flood = QueenFlood {
            first,
            reached: first,
            closer: exclusive(first),
            position: L::splat(0),
            mobility,
        };
        let mut level = first;
        // Horner's scheme: a level has half the weight of the level before, so the sum is doubled at each level. After
        // the loop, one multiplication makes up for the doublings of the levels that the flood did not reach.
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
                (union(slides.from(level[0])) & empty).without(flood.reached[0]),
                (union(slides.from(level[1])) & empty).without(flood.reached[1]),
            ];
            if !(level[0] | level[1]).any() {
                break;
            }
            flood.reached = [flood.reached[0] | level[0], flood.reached[1] | level[1]];
            let ahead = exclusive(flood.reached);
            flood.closer = [flood.closer[0] | ahead[0], flood.closer[1] | ahead[1]];
        }
        flood.position = flood.position.times(1 << horizon);
        flood
    }
}

/// Floods from both players' amazons by king steps. Returns king territory and, second, king position, each black minus
/// white (see [`Features`]).
///
/// `reachable` holds the empty squares that each player reaches in any number of moves, which are the same by king
/// steps as by queen moves.
#[inline(always)]
fn king_flood<L: Lanes>(amazons: Pair<L>, empty: L, reachable: Pair<L>) -> (L, L) {
    let both = reachable[0] & reachable[1];
    let only = exclusive(reachable);
    let nothing = L::splat(0);
    let mut front = amazons;
    let mut closer = only;
    let mut position = difference(only).times(KING_UNIT as i32);
    // Ring buffer of the squares that each player reached up to six steps ago. A square that one player reaches earlier
    // contributes once per step until the other player reaches it, at most six times.
    let mut earlier = [[nothing; 2]; KING_UNIT as usize];
    for distance in 0.. {
        front = [
            with_neighbours(front[0]) & empty,
            with_neighbours(front[1]) & empty,
        ];
        let reached = front;
        let before = std::mem::replace(&mut earlier[distance % KING_UNIT as usize], reached);
        let ahead = exclusive([reached[0] & both, reached[1] & both]);
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
