//! The trait [`PairSlides`]: queen slides of both players in the same position, computed side by side. [`Slides`]
//! implements it here for lane types with one or two lanes, [`SlideMasks`](super::SlideMasks) for four or more lanes.

#![expect(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled without the vector instructions"
)]

use super::{Lanes, Slides, union};

/// Queen slides of both players over the same empty squares, computed side by side. A slide leads a queen along one of
/// the eight directions over empty squares, until an amazon, an arrow or the edge blocks the way.
///
/// - `L`: lane type, one or more 64-bit words (lanes) that one instruction processes (SIMD).
/// - `WORDS`: number of 64-bit words that hold one bitboard of each player, 2 or 8. Lane types with one or two lanes
///   use 2: one word per player. Lane types with four or more lanes use 8: four copies of each player's bitboard. Each
///   copy serves for one pair of opposite directions, such as east and west.
pub trait PairSlides<L, const WORDS: usize> {
    /// Prepares queen slides over the empty squares `empty`, a bitboard: computes the propagator masks of all
    /// directions, see [`Slides`].
    #[must_use]
    fn from_empty(empty: u64) -> Self;

    /// Returns, for each player, the player's squares in `start` (for example the amazons), and all empty squares that
    /// a queen on one of them reaches in a straight line before an amazon, an arrow or the edge blocks the way.
    #[must_use]
    fn reached(&self, start: PlayerPair<L, WORDS>) -> PlayerPair<L, WORDS>;

    /// Returns two values, each with one bitboard per player.
    ///
    /// - First: the player's squares in `start` (for example the amazons), and all squares that queen slides from them
    ///   cross or reach. This is the result of [`PairSlides::reached`].
    /// - Second ("repeated"): the squares that these slides cross or reach from at least two of the eight directions,
    ///   and the player's squares in `start`.
    ///
    /// If `start` holds amazons, slides to one square from two directions come from two amazons. With the second value,
    /// the networks' [features](crate::eval::value::FEATURES) tell an empty square that several amazons reach in one
    /// move from a square that only one reaches.
    #[must_use]
    fn reached_and_repeated(&self, start: PlayerPair<L, WORDS>)
    -> (PlayerPair<L, WORDS>, [u64; 2]);
}

/// One bitboard of each player, stored as `WORDS` 64-bit words.
///
/// - Words `0..WORDS / 2`: copies of the first player's bitboard.
/// - Words `WORDS / 2..WORDS`: copies of the second player's bitboard.
///
/// Each copy can serve for other directions of queen slides. An element of the array is a vector of `L::COUNT` words,
/// so only the first `WORDS / L::COUNT` elements are used.
#[derive(Clone, Copy)]
pub struct PlayerPair<L, const WORDS: usize>(pub(super) [L; WORDS]);

impl<L: Lanes, const WORDS: usize> PlayerPair<L, WORDS> {
    /// Builds the pair from one bitboard of each player, and copies each bitboard to `WORDS / 2` words. The caller
    /// decides which player is the first one, with index 0.
    #[inline(always)]
    #[must_use]
    pub fn new(sets: [u64; 2]) -> PlayerPair<L, WORDS> {
        let mut words = [0; WORDS];
        for at in 0..WORDS {
            words[at] = sets[2 * at / WORDS];
        }
        let mut both = PlayerPair([L::splat(0); WORDS]);
        for at in 0..WORDS / L::COUNT {
            both.0[at] = L::load(&words[at * L::COUNT..]);
        }
        both
    }

    /// Returns the `WORDS` 64-bit words: first those of the first player, then those of the second player.
    #[inline(always)]
    #[must_use]
    pub fn words(self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for at in 0..WORDS / L::COUNT {
            self.0[at].store(&mut words[at * L::COUNT..]);
        }
        words
    }

    /// Returns the bitboards of the first player (index 0) and of the second player (index 1).
    #[inline(always)]
    #[must_use]
    pub fn bitboards(self) -> [u64; 2] {
        let words = self.words();
        [words[0], words[WORDS / 2]]
    }

    /// Removes the squares of `self` from `rest`, for each player separately. Returns two values. First: the removed
    /// squares, which are those that were in both `self` and `rest`. Second: true if any square was removed.
    #[inline(always)]
    #[must_use]
    pub fn remove_from(mut self, rest: &mut Self) -> (Self, bool) {
        let mut any = false;
        for at in 0..WORDS / L::COUNT {
            self.0[at] = self.0[at] & rest.0[at];
            rest.0[at] = rest.0[at].without(self.0[at]);
            any |= self.0[at].any();
        }
        (self, any)
    }
}

impl<L: Lanes> PairSlides<L, 2> for Slides<L> {
    #[inline(always)]
    fn from_empty(empty: u64) -> Slides<L> {
        Slides::over(L::splat(empty))
    }

    #[inline(always)]
    fn reached(&self, mut start: PlayerPair<L, 2>) -> PlayerPair<L, 2> {
        for at in 0..2 / L::COUNT {
            start.0[at] = union(self.rays_from(start.0[at]));
        }
        start
    }

    #[inline(always)]
    fn reached_and_repeated(&self, start: PlayerPair<L, 2>) -> (PlayerPair<L, 2>, [u64; 2]) {
        let (mut reached, mut twice) = (start, start);
        for at in 0..2 / L::COUNT {
            let slides = self.rays_from(start.0[at]);
            let mut once = slides[0];
            for direction in 1..slides.len() {
                twice.0[at] = twice.0[at] | once & slides[direction];
                once = once | slides[direction];
            }
            reached.0[at] = once;
        }
        (reached, twice.bitboards())
    }
}
