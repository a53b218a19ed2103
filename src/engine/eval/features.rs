//! The five components, from queen and king distances of both players.
//!
//! `D1` is the queen distance of an empty square: the number of queen moves from the player's nearest amazon. `D2` is
//! the king distance, in king steps. A component is black's sum minus white's, in its own integer unit.

use crate::bitboard::{Lanes, Slides, few_neighbours, union, with_neighbours};

/// Queen position of 1, in the units of [`Features::queen_position`].
pub const QUEEN_UNIT: u32 = 128;

/// King position of 1, in the units of [`Features::king_position`]: a lead of six king steps makes a square fully one
/// player's.
pub const KING_UNIT: u32 = 6;

/// Greatest queen distance at which a square adds to the queen position.
const QUEEN_HORIZON: u32 = QUEEN_UNIT.ilog2() + 1;

/// The components of one or more positions, each black minus white, as signed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features<L> {
    /// Squares with the smaller queen distance (Lieberum's t1 with κ = 0).
    pub queen_territory: L,
    /// Squares with the smaller king distance (Lieberum's t2 with κ = 0).
    pub king_territory: L,
    /// `2·Σ 2^-D1` in units of 1 / [`QUEEN_UNIT`]; squares nine or more moves away add nothing
    /// (Lieberum's c1).
    pub queen_position: L,
    /// `Σ clamp((D2 of the other − D2) / 6, −1, 1)` in units of 1 / [`KING_UNIT`]; a square that one
    /// player alone reaches counts ±1 (Lieberum's c2).
    pub king_position: L,
    /// Squares that an amazon reaches in one move, summed over the amazons.
    pub mobility: L,
    /// Amazons without an empty neighbour.
    pub shut_in: L,
    /// Amazons with one empty neighbour.
    pub nearly_shut_in: L,
    /// Amazons with two or three empty neighbours.
    pub hindered: L,
    /// Squares that only one player reaches, in any number of moves.
    pub exclusive: L,
    /// Squares that both players reach. No component.
    pub shared: L,
    /// Squares that black's and white's amazons reach in one move. No component: a player to move who has none has
    /// lost.
    pub can_move: [L; 2],
}

/// Number of components, counting the parts of mobility and king position one by one.
pub const COMPONENTS: usize = 9;

/// What a component of 1 is in its integer unit, in the order of the fields of [`Features`].
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

/// A black and a white set, or a black and a white number.
type Pair<L> = [L; 2];

impl<L: Lanes> Features<L> {
    /// Computes the components of positions given by both players' amazons and the empty squares.
    #[inline(always)]
    #[must_use]
    pub fn of(black: L, white: L, empty: L) -> Features<L> {
        // No closures from here on: a closure that is not inlined is compiled without the vector instructions.
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

    /// The components in the order of the fields.
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

    /// `Σ weight · component`, lane by lane.
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

/// Number of squares of the black set minus number of squares of the white set.
#[inline(always)]
fn difference<L: Lanes>([black, white]: Pair<L>) -> L {
    black.count_ones().minus(white.count_ones())
}

/// Squares that are in only one of the two sets.
#[inline(always)]
fn exclusive<L: Lanes>([black, white]: Pair<L>) -> Pair<L> {
    [black.without(white), white.without(black)]
}

/// Result of a flood by queen moves.
struct QueenFlood<L> {
    /// Squares reached in one move.
    first: Pair<L>,
    /// Empty squares reached in any number of moves.
    reached: Pair<L>,
    /// Squares with the smaller queen distance.
    closer: Pair<L>,
    /// [`Features::queen_position`].
    position: L,
    /// [`Features::mobility`].
    mobility: L,
}

impl<L: Lanes> QueenFlood<L> {
    /// Floods level by level, both players at once, until nothing new is reached in any lane.
    #[inline(always)]
    fn run(amazons: Pair<L>, empty: L) -> QueenFlood<L> {
        let slides = Slides::over(empty);
        let [black, white] = [slides.from(amazons[0]), slides.from(amazons[1])];
        let first = [union(black) & empty, union(white) & empty];
        // Slides of one player in one direction never overlap, so the sizes of the eight sets add up to mobility. Each
        // set also holds the starts, which are subtracted.
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
        // Horner's scheme: a level weighs half of the one before, so the sum doubles at each level. The last line
        // doubles it once for each level that was not reached.
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

/// Floods by king steps: king territory and king position.
///
/// `reachable`: the empty squares that each player reaches in any number of moves, the same for kings as for queens.
#[inline(always)]
fn king_flood<L: Lanes>(amazons: Pair<L>, empty: L, reachable: Pair<L>) -> (L, L) {
    let both = reachable[0] & reachable[1];
    let only = exclusive(reachable);
    let nothing = L::splat(0);
    let mut front = amazons;
    let mut closer = only;
    let mut position = difference(only).times(KING_UNIT as i32);
    // A ring of the sets reached in the last six steps. A square counts once for each step by which the other player
    // is behind, at most six times.
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
