//! The type [`SlideMasks`]: finds the squares that both players reach by queen slides in the same position. A slide is
//! a queen's way in one of the eight directions, over any number of empty squares. The type is meant for lane types
//! with four or more lanes. Each lane computes the slides of one player in two opposite directions, such as east and
//! west.

#![expect(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled without the vector instructions"
)]

use super::{Lanes, NOT_FILE_A, NOT_FILE_H, PairSlides, PlayerPair};

/// Number of 64-bit words in which the queen slides of both players are computed. Each player has four words, one for
/// each pair of opposite directions (such as east and west).
const WORDS: usize = 8;

/// Differences of square indices for one step, one for each of the eight 64-bit words in which queen slides are
/// computed. Words 0 to 3 belong to the first player: a step to the east, south-west, south or south-east. Words 4 to
/// 7, of the second player, are the same. Steps in the four opposite directions subtract the same differences.
const SHIFTS: [u64; WORDS] = [1, 7, 8, 9, 1, 7, 8, 9];

/// Masks of the squares that one step can enter without wrapping around the edge of the board. Elements 0 to 3 are for
/// steps to the east, south-west, south and south-east. Elements 4 to 7 are the same, because each player has four of
/// the eight words in which queen slides are computed. [`ENTERABLE_BACK`] has the masks for the four opposite
/// directions.
const ENTERABLE: [u64; WORDS] = repeat_for_players([NOT_FILE_A, NOT_FILE_H, u64::MAX, NOT_FILE_A]);

/// Like [`ENTERABLE`], but for steps in the opposite directions: masks of the squares that one step can enter without
/// wrapping around the edge of the board. Words 0 to 3 (first player): west, north-east, north, north-west. Words 4 to
/// 7 (second player): the same.
const ENTERABLE_BACK: [u64; WORDS] =
    repeat_for_players([NOT_FILE_H, NOT_FILE_A, u64::MAX, NOT_FILE_H]);

/// Returns four values twice: as the elements 0 to 3, for the first player, and as the elements 4 to 7, for the second
/// player. The four values belong to four directions of queen slides.
const fn repeat_for_players([a, b, c, d]: [u64; 4]) -> [u64; WORDS] {
    [a, b, c, d, a, b, c, d]
}

/// Bitboards of both players, stored in eight 64-bit words: words 0 to 3 are copies of the first player's bitboard,
/// words 4 to 7 copies of the second player's.
type RepeatedPair<L> = PlayerPair<L, WORDS>;

/// Propagator masks of Kogge-Stone fills over given empty squares, in all eight directions of a queen. For each
/// direction, there are masks for one, two and four steps. The mask for n steps contains the squares on which n steps
/// in this direction over empty squares can end. The square itself must be empty, too, and no step may wrap around the
/// edge of the board.
///
/// Fills are computed in eight 64-bit words: words 0 to 3 for the first player, words 4 to 7 for the second. The four
/// words of a player stand for four pairs of directions: east and west, south-west and north-east, south and north,
/// south-east and north-west. The first direction of each pair is called forward.
///
/// The words lie in the lanes of `8 / L::COUNT` vector registers. Array elements beyond these registers are not used.
pub struct SlideMasks<L> {
    /// Numbers of bits by which a lane's bitboard is shifted for slides of one, two and four steps. The shift is to the
    /// left for the lane's forward direction, and to the right for the opposite direction.
    ///
    /// - First index: the vector register.
    /// - Second index, the length of the slide: 0 = one step, 1 = two steps, 2 = four steps.
    shifts: [[L; 3]; WORDS],
    /// Propagator masks of the Kogge-Stone fills to the east, south-west, south and south-east. Each 64-bit lane
    /// belongs to one of these directions.
    ///
    /// - First index: the vector register.
    /// - Second index, the number of steps by which the mask lets a fill grow: 0 = one, 1 = two, 2 = four.
    propagator_masks: [[L; 3]; WORDS],
    /// Propagator masks of the Kogge-Stone fills to the west, north-east, north and north-west. Each 64-bit lane
    /// belongs to one of these directions.
    ///
    /// - First index: the vector register.
    /// - Second index, the number of steps by which the mask lets a fill grow: 0 = one, 1 = two, 2 = four.
    propagator_masks_back: [[L; 3]; WORDS],
}

impl<L: Lanes> PairSlides<L, WORDS> for SlideMasks<L> {
    #[inline(always)]
    fn from_empty(empty: u64) -> SlideMasks<L> {
        let nothing = [[L::splat(0); 3]; WORDS];
        let [shifts, propagator_masks, propagator_masks_back] = [nothing; 3];
        let mut masks = SlideMasks {
            shifts,
            propagator_masks,
            propagator_masks_back,
        };
        let empty = L::splat(empty);
        for at in 0..WORDS / L::COUNT {
            let first = at * L::COUNT;
            let one = L::load(&SHIFTS[first..]);
            let two = one.plus(one);
            masks.shifts[at] = [one, two, two.plus(two)];
            let enter = empty & L::load(&ENTERABLE[first..]);
            let over_two = enter & enter.shl_each(one);
            masks.propagator_masks[at] = [enter, over_two, over_two & over_two.shl_each(two)];
            let enter = empty & L::load(&ENTERABLE_BACK[first..]);
            let over_two = enter & enter.shr_each(one);
            masks.propagator_masks_back[at] = [enter, over_two, over_two & over_two.shr_each(two)];
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
    /// Computes Kogge-Stone fills from `start` in the vector register with index `register`. Each 64-bit lane of this
    /// register belongs to one player and to a pair of opposite directions, such as east and west.
    ///
    /// Returns two vectors. In each lane, they contain the start squares and the empty squares that a queen on one of
    /// them reaches in one direction. First vector: east, south-west, south or south-east. Second vector: the opposite
    /// direction.
    #[inline(always)]
    fn slides(&self, start: RepeatedPair<L>, register: usize) -> (L, L) {
        let (mut forward, mut backward) = (start.0[register], start.0[register]);
        for step in 0..3 {
            let by = self.shifts[register][step];
            forward = forward | self.propagator_masks[register][step] & forward.shl_each(by);
            backward =
                backward | self.propagator_masks_back[register][step] & backward.shr_each(by);
        }
        (forward, backward)
    }
}

/// Returns one bitboard per player: the squares that the player's queen slides reach in at least two of the eight
/// directions.
///
/// The parameters have four words per player, one for each pair of opposite directions, such as east and west. Words 0
/// to 3 belong to the first player, words 4 to 7 to the second.
///
/// - `reached`: for each pair, the squares that slides reach in at least one of its two directions.
/// - `both_ways`: for each pair, the squares that slides reach in both of its directions.
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

/// Replaces each of a player's four 64-bit words by the union of all four. Before, each word holds the squares that a
/// queen reaches in two opposite directions. Afterwards, each word holds those of all eight directions.
#[inline(always)]
fn union_by_player<L: Lanes>(mut sets: RepeatedPair<L>) -> RepeatedPair<L> {
    for at in 0..WORDS / L::COUNT {
        sets.0[at] = sets.0[at].union_of_four();
    }
    sets
}
