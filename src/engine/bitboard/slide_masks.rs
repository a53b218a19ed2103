//! The type [`SlideMasks`]: queen slides of both players in one position, for lane types with four or more lanes. Each
//! lane computes the slides of one player in two opposite directions, such as east and west.

#![expect(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled without the vector instructions"
)]

use super::{Lanes, NOT_FILE_A, NOT_FILE_H, PairSlides, PlayerPair};

/// Number of 64-bit words that compute the slides of both players: four for each player, because each word computes two
/// opposite directions.
const WORDS: usize = 8;

/// Number of bits by which each of the eight words is shifted for one step forward. Words 0 to 3, for the first player:
/// one step east, south-west, south, south-east. Words 4 to 7, for the second player: the same.
const SHIFTS: [u64; WORDS] = [1, 7, 8, 9, 1, 7, 8, 9];

/// Squares that one step forward can enter without wrapping around the edge of the board, for each of the eight words.
/// Words 0 to 3, and again 4 to 7: one step east, south-west, south, south-east.
const ENTERABLE: [u64; WORDS] = repeat_for_players([NOT_FILE_A, NOT_FILE_H, u64::MAX, NOT_FILE_A]);

/// Squares that one step backward can enter without wrapping around the edge of the board, for each of the eight words.
/// Words 0 to 3, and again 4 to 7: one step west, north-east, north, north-west.
const ENTERABLE_BACK: [u64; WORDS] =
    repeat_for_players([NOT_FILE_H, NOT_FILE_A, u64::MAX, NOT_FILE_H]);

/// Returns the values of four words, given for one player, twice: for the words of the first player, then of the
/// second.
const fn repeat_for_players([a, b, c, d]: [u64; 4]) -> [u64; WORDS] {
    [a, b, c, d, a, b, c, d]
}

/// Bitboards of both players in eight words: the first player's in words 0 to 3, the second player's in words 4 to 7.
type RepeatedPair<L> = PlayerPair<L, WORDS>;

/// Masks for the computation of queen slides of both players, in all eight directions, by parallel-prefix fills.
///
/// The eight 64-bit words of both players fill the lanes of `8 / L::COUNT` registers. Words 0 to 3 belong to the first
/// player, words 4 to 7 to the second. Each word computes a forward and the opposite direction: east and west,
/// south-west and north-east, south and north, south-east and north-west.
pub struct SlideMasks<L> {
    /// Number of bits by which each lane is shifted for a slide in its direction. First index: the register; second
    /// index: 0 = one step, 1 = two steps, 2 = four steps.
    shifts: [[L; 3]; WORDS],
    /// Squares on which a slide forward, in the direction of each lane, can end, because all squares on its way are
    /// empty. First index: the register; second index: 0 = slide of one step, 1 = of two steps, 2 = of four steps.
    landing_masks: [[L; 3]; WORDS],
    /// Squares on which a slide backward, opposite to the direction of each lane, can end, because all squares on its
    /// way are empty. First index: the register; second index: 0 = slide of one step, 1 = of two steps, 2 = of four
    /// steps.
    landing_masks_back: [[L; 3]; WORDS],
}

impl<L: Lanes> PairSlides<L, WORDS> for SlideMasks<L> {
    #[inline(always)]
    fn from_empty(empty: u64) -> SlideMasks<L> {
        let nothing = [[L::splat(0); 3]; WORDS];
        let [shifts, landing_masks, landing_masks_back] = [nothing; 3];
        let mut masks = SlideMasks {
            shifts,
            landing_masks,
            landing_masks_back,
        };
        let empty = L::splat(empty);
        for at in 0..WORDS / L::COUNT {
            let first = at * L::COUNT;
            let one = L::load(&SHIFTS[first..]);
            let two = one.plus(one);
            masks.shifts[at] = [one, two, two.plus(two)];
            let enter = empty & L::load(&ENTERABLE[first..]);
            let over_two = enter & enter.shl_each(one);
            masks.landing_masks[at] = [enter, over_two, over_two & over_two.shl_each(two)];
            let enter = empty & L::load(&ENTERABLE_BACK[first..]);
            let over_two = enter & enter.shr_each(one);
            masks.landing_masks_back[at] = [enter, over_two, over_two & over_two.shr_each(two)];
        }
        masks
    }

    #[inline(always)]
    fn reached(&self, start: RepeatedPair<L>) -> RepeatedPair<L> {
        let mut reached = start;
        for at in 0..WORDS / L::COUNT {
            let (forward, backward) = self.slides(start, at);
            reached.0[at] = forward | backward;
        }
        union_by_player(reached)
    }

    #[inline(always)]
    fn reached_and_repeated(&self, start: RepeatedPair<L>) -> (RepeatedPair<L>, [u64; 2]) {
        let (mut reached, mut both_ways) = (start, start);
        for at in 0..WORDS / L::COUNT {
            let (forward, backward) = self.slides(start, at);
            reached.0[at] = forward | backward;
            both_ways.0[at] = forward & backward;
        }
        let twice = reached_repeatedly(reached.words(), both_ways.words());
        (union_by_player(reached), twice)
    }
}

impl<L: Lanes> SlideMasks<L> {
    /// Returns two values with the squares that slides from `start` cross or reach, including the start squares, for
    /// the words in register number `register`. First: slides forward; second: slides backward.
    #[inline(always)]
    fn slides(&self, start: RepeatedPair<L>, register: usize) -> (L, L) {
        let (mut forward, mut backward) = (start.0[register], start.0[register]);
        for step in 0..3 {
            let by = self.shifts[register][step];
            forward = forward | self.landing_masks[register][step] & forward.shl_each(by);
            backward = backward | self.landing_masks_back[register][step] & backward.shr_each(by);
        }
        (forward, backward)
    }
}

/// Returns, for each player, the squares that slides reach in two or more directions. Each of the eight words stands
/// for two opposite directions: `reached` holds the squares reached in either direction, `both_ways` those reached in
/// both.
#[inline(always)]
fn reached_repeatedly(reached: [u64; WORDS], both_ways: [u64; WORDS]) -> [u64; 2] {
    let mut several = [0; 2];
    for player in 0..2 {
        let first = player * WORDS / 2;
        let mut once = 0;
        for at in first..first + WORDS / 2 {
            several[player] |= both_ways[at] | once & reached[at];
            once |= reached[at];
        }
    }
    several
}

/// Replaces each word by the union of the four words of its player.
#[inline(always)]
fn union_by_player<L: Lanes>(mut sets: RepeatedPair<L>) -> RepeatedPair<L> {
    for at in 0..WORDS / L::COUNT {
        sets.0[at] = sets.0[at].union_of_four();
    }
    sets
}
