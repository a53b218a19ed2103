//! Queen moves of both players in one position, with the players side by side in lanes: for one lane and two.

#![expect(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled without the vector instructions"
)]

use super::{Lanes, Slides, union};

/// Queen moves of both players over the same empty squares.
pub trait BothMoves {
    /// A set of each player.
    type Sets: BothSets;

    /// Prepares the slides over a set of empty squares.
    #[must_use]
    fn over(empty: u64) -> Self;

    /// The squares of both players' sets, and those that slides from them pass or reach.
    #[must_use]
    fn reached(&self, start: Self::Sets) -> Self::Sets;

    /// [`BothMoves::reached`], and by player the squares that several of these slides pass or reach, with all starts.
    #[must_use]
    fn reached_and_twice(&self, start: Self::Sets) -> (Self::Sets, [u64; 2]);
}

/// A set of each player.
pub trait BothSets: Copy {
    /// From one set each.
    #[must_use]
    fn new(sets: [u64; 2]) -> Self;

    /// The sets.
    #[must_use]
    fn get(self) -> [u64; 2];

    /// Moves what is also in these sets from `rest` to a result. Also tests if that is anything.
    #[must_use]
    fn taken_from(self, rest: &mut Self) -> (Self, bool);
}

/// [`Slides`] for both players.
pub struct SlidesOfBoth<L>(Slides<L>);

/// A set of each player: in the lanes of the first entry, or an entry each.
#[derive(Clone, Copy)]
pub struct Pair<L>([L; 2]);

impl<L: Lanes> BothMoves for SlidesOfBoth<L> {
    type Sets = Pair<L>;

    #[inline(always)]
    fn over(empty: u64) -> SlidesOfBoth<L> {
        SlidesOfBoth(Slides::over(L::splat(empty)))
    }

    #[inline(always)]
    fn reached(&self, mut start: Pair<L>) -> Pair<L> {
        for at in 0..2 / L::COUNT {
            start.0[at] = union(self.0.from(start.0[at]));
        }
        start
    }

    #[inline(always)]
    fn reached_and_twice(&self, start: Pair<L>) -> (Pair<L>, [u64; 2]) {
        let (mut reached, mut twice) = (start, start);
        for at in 0..2 / L::COUNT {
            let slides = self.0.from(start.0[at]);
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

impl<L: Lanes> BothSets for Pair<L> {
    #[inline(always)]
    fn new(sets: [u64; 2]) -> Pair<L> {
        let mut pair = Pair([L::splat(0); 2]);
        for at in 0..2 / L::COUNT {
            pair.0[at] = L::load(&sets[at * L::COUNT..]);
        }
        pair
    }

    #[inline(always)]
    fn get(self) -> [u64; 2] {
        let mut sets = [0; 2];
        for at in 0..2 / L::COUNT {
            self.0[at].store(&mut sets[at * L::COUNT..]);
        }
        sets
    }

    #[inline(always)]
    fn taken_from(mut self, rest: &mut Pair<L>) -> (Pair<L>, bool) {
        let mut any = false;
        for at in 0..2 / L::COUNT {
            self.0[at] = self.0[at] & rest.0[at];
            rest.0[at] = rest.0[at].without(self.0[at]);
            any |= self.0[at].any();
        }
        (self, any)
    }
}
