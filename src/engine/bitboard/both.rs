//! Queen moves of both players in one position, with the players side by side in lanes: for one lane and two. Also what
//! [`Fan`](super::Fan) shares with that.

#![expect(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled without the vector instructions"
)]

use super::{Lanes, Slides, union};

/// Queen moves of both players over the same empty squares, found for so many words at once.
pub trait BothMoves<L, const WORDS: usize> {
    /// Prepares the slides over a set of empty squares.
    #[must_use]
    fn of_both(empty: u64) -> Self;

    /// The squares of both players' sets, and those that slides from them pass or reach.
    #[must_use]
    fn reached(&self, start: BothSets<L, WORDS>) -> BothSets<L, WORDS>;

    /// [`BothMoves::reached`], and by player the squares that several of these slides pass or reach, with all starts.
    #[must_use]
    fn reached_and_twice(&self, start: BothSets<L, WORDS>) -> (BothSets<L, WORDS>, [u64; 2]);
}

/// A set of each player, repeated in the player's half of the words. The first entries hold them, a lane each.
#[derive(Clone, Copy)]
pub struct BothSets<L, const WORDS: usize>(pub(super) [L; WORDS]);

impl<L: Lanes, const WORDS: usize> BothSets<L, WORDS> {
    /// From one set each.
    #[inline(always)]
    #[must_use]
    pub fn new(sets: [u64; 2]) -> BothSets<L, WORDS> {
        let mut words = [0; WORDS];
        for at in 0..WORDS {
            words[at] = sets[2 * at / WORDS];
        }
        let mut both = BothSets([L::splat(0); WORDS]);
        for at in 0..WORDS / L::COUNT {
            both.0[at] = L::load(&words[at * L::COUNT..]);
        }
        both
    }

    /// All words.
    #[inline(always)]
    #[must_use]
    pub fn words(self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for at in 0..WORDS / L::COUNT {
            self.0[at].store(&mut words[at * L::COUNT..]);
        }
        words
    }

    /// The sets.
    #[inline(always)]
    #[must_use]
    pub fn get(self) -> [u64; 2] {
        let words = self.words();
        [words[0], words[WORDS / 2]]
    }

    /// Moves what is also in these sets from `rest` to a result. Also tests if that is anything.
    #[inline(always)]
    #[must_use]
    pub fn taken_from(mut self, rest: &mut Self) -> (Self, bool) {
        let mut any = false;
        for at in 0..WORDS / L::COUNT {
            self.0[at] = self.0[at] & rest.0[at];
            rest.0[at] = rest.0[at].without(self.0[at]);
            any |= self.0[at].any();
        }
        (self, any)
    }
}

impl<L: Lanes> BothMoves<L, 2> for Slides<L> {
    #[inline(always)]
    fn of_both(empty: u64) -> Slides<L> {
        Slides::over(L::splat(empty))
    }

    #[inline(always)]
    fn reached(&self, mut start: BothSets<L, 2>) -> BothSets<L, 2> {
        for at in 0..2 / L::COUNT {
            start.0[at] = union(self.from(start.0[at]));
        }
        start
    }

    #[inline(always)]
    fn reached_and_twice(&self, start: BothSets<L, 2>) -> (BothSets<L, 2>, [u64; 2]) {
        let (mut reached, mut twice) = (start, start);
        for at in 0..2 / L::COUNT {
            let slides = self.from(start.0[at]);
            let mut once = slides[0];
            for direction in 1..slides.len() {
                twice.0[at] = twice.0[at] | once & slides[direction];
                once = once | slides[direction];
            }
            reached.0[at] = once;
        }
        (reached, twice.get())
    }
}
