//! The type [`SlideMasks`]: queen slides of both players in one position, for lane types with four or more lanes. Each
//! lane computes the slides of one player in two opposite directions, such as east and west.

#![expect(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled without the vector instructions"
)]

use super::{Lanes, NOT_FILE_A, NOT_FILE_H, PairSlides, PlayerPair};

/// Number of 64-bit words for both players: four for each player, each for two opposite directions.
const WORDS: usize = 8;

/// Index difference of one step in the forward direction of each word. The index is the word: 0 = east, 1 = south-west,
/// 2 = south, 3 = south-east for the first player, 4 to 7 the same for the second player.
const SHIFTS: [u64; WORDS] = [1, 7, 8, 9, 1, 7, 8, 9];

/// Squares that one step in the forward direction of each word can enter without wrapping around the edge of the board.
/// The index is the word; the forward directions are east, south-west, south and south-east, twice.
const ENTERABLE: [u64; WORDS] = repeat_for_players([NOT_FILE_A, NOT_FILE_H, u64::MAX, NOT_FILE_A]);

/// Squares that one step in the backward direction of each word can enter without wrapping around the edge of the
/// board. The index is the word; the backward directions are west, north-east, north and north-west, twice.
const ENTERABLE_BACK: [u64; WORDS] =
    repeat_for_players([NOT_FILE_H, NOT_FILE_A, u64::MAX, NOT_FILE_H]);

/// Returns the four values twice: for the four words of the first player and for those of the second.
const fn repeat_for_players([a, b, c, d]: [u64; 4]) -> [u64; WORDS] {
    [a, b, c, d, a, b, c, d]
}

/// Bitboards of both players, each repeated in that player's four words, one word for two opposite directions.
type RepeatedPair<L> = PlayerPair<L, WORDS>;

/// Masks with which queen slides of both players are computed as parallel-prefix fills, in all eight directions.
///
/// The eight 64-bit words of both players fill the lanes of `8 / L::COUNT` registers. Words 0 to 3 belong to the first
/// player, words 4 to 7 to the second. Each word serves a forward and the opposite direction: east and west, south-west
/// and north-east, south and north, south-east and north-west.
pub struct SlideMasks<L> {
    /// Number of bits by which a lane is shifted. First index: the register; second index: 0 = one step, 1 = two steps,
    /// 2 = four steps.
    shifts: [[L; 3]; WORDS],
    /// Landing squares in the forward direction of each lane: squares that are empty and before which all crossed
    /// squares are empty. First index: the register; second index: 0 = slide of one step, 1 = of two steps, 2 = of four
    /// steps.
    landing_masks: [[L; 3]; WORDS],
    /// Landing squares in the backward direction of each lane: squares that are empty and before which all crossed
    /// squares are empty. First index: the register; second index: 0 = slide of one step, 1 = of two steps, 2 = of four
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
    /// Returns the squares that slides from `start` cross or reach, for the words in register number `register`: first
    /// in the forward direction of each word, second in its backward direction. Both results contain the start squares.
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

/// Returns, for each player, the squares reached in two or more directions. `reached` holds for each word the squares
/// reached in either of its two directions, `both_ways` the squares reached in both of its directions.
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
