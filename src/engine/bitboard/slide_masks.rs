//! Queen slides of both players in one position, for lane types with four or more lanes: each word holds the slides of
//! one player along one row, column or diagonal direction and its opposite.

#![expect(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled without the vector instructions"
)]

use super::{Lanes, NOT_FILE_A, NOT_FILE_H, PairSlides, PlayerPair};

/// Number of 64-bit words: four for each player, one for each pair of opposite directions.
const WORDS: usize = 8;

/// Index difference of one step in each word's direction: east, south-west, south and south-east, for each player.
const SHIFTS: [u64; WORDS] = [1, 7, 8, 9, 1, 7, 8, 9];

/// Squares that one step in each word's direction can enter without wrapping around the edge of the board.
const ENTERABLE: [u64; WORDS] = repeat_for_players([NOT_FILE_A, NOT_FILE_H, u64::MAX, NOT_FILE_A]);

/// Squares that one step opposite to each word's direction can enter without wrapping around the edge of the board.
const ENTERABLE_BACK: [u64; WORDS] =
    repeat_for_players([NOT_FILE_H, NOT_FILE_A, u64::MAX, NOT_FILE_H]);

/// Returns the four words twice, because both players' words have the same four directions.
const fn repeat_for_players([a, b, c, d]: [u64; 4]) -> [u64; WORDS] {
    [a, b, c, d, a, b, c, d]
}

/// Bitboards of both players, each repeated in the four words of that player.
type Words<L> = PlayerPair<L, WORDS>;

/// Precomputed slide masks of both players in all directions, for parallel-prefix fills as in
/// [`Slides`](super::Slides). Each lane shifts by the index difference of its own direction.
pub struct SlideMasks<L> {
    /// Shifts, in bits, by one, two and four steps; the index is the number of the register.
    shifts: [[L; 3]; WORDS],
    /// Squares on which slides of one, two and four steps in the words' directions can end, by register.
    ahead: [[L; 3]; WORDS],
    /// Squares on which slides of one, two and four steps in the opposite directions can end, by register.
    back: [[L; 3]; WORDS],
}

impl<L: Lanes> PairSlides<L, WORDS> for SlideMasks<L> {
    #[inline(always)]
    fn from_empty(empty: u64) -> SlideMasks<L> {
        let nothing = [[L::splat(0); 3]; WORDS];
        let [shifts, ahead, back] = [nothing; 3];
        let mut masks = SlideMasks {
            shifts,
            ahead,
            back,
        };
        let empty = L::splat(empty);
        for at in 0..WORDS / L::COUNT {
            let first = at * L::COUNT;
            let one = L::load(&SHIFTS[first..]);
            let two = one.plus(one);
            masks.shifts[at] = [one, two, two.plus(two)];
            let enter = empty & L::load(&ENTERABLE[first..]);
            let over_two = enter & enter.shl_each(one);
            masks.ahead[at] = [enter, over_two, over_two & over_two.shl_each(two)];
            let enter = empty & L::load(&ENTERABLE_BACK[first..]);
            let over_two = enter & enter.shr_each(one);
            masks.back[at] = [enter, over_two, over_two & over_two.shr_each(two)];
        }
        masks
    }

    #[inline(always)]
    fn reached(&self, start: Words<L>) -> Words<L> {
        let mut reached = start;
        for at in 0..WORDS / L::COUNT {
            let (ahead, back) = self.slides(start, at);
            reached.0[at] = ahead | back;
        }
        union_by_player(reached)
    }

    #[inline(always)]
    fn reached_and_repeated(&self, start: Words<L>) -> (Words<L>, [u64; 2]) {
        let (mut reached, mut opposite) = (start, start);
        for at in 0..WORDS / L::COUNT {
            let (ahead, back) = self.slides(start, at);
            reached.0[at] = ahead | back;
            opposite.0[at] = ahead & back;
        }
        let twice = reached_repeatedly(reached.words(), opposite.words());
        (union_by_player(reached), twice)
    }
}

impl<L: Lanes> SlideMasks<L> {
    /// Returns the squares that slides from `start` cross or reach, for the words of register `at`: first in the words'
    /// directions, then in the opposite directions. Both results contain the start squares.
    #[inline(always)]
    fn slides(&self, start: Words<L>, at: usize) -> (L, L) {
        let (mut ahead, mut back) = (start.0[at], start.0[at]);
        for step in 0..3 {
            let by = self.shifts[at][step];
            ahead = ahead | self.ahead[at][step] & ahead.shl_each(by);
            back = back | self.back[at][step] & back.shr_each(by);
        }
        (ahead, back)
    }
}

/// Returns, for each player, the squares that are in at least two of the player's four words of `words`, or in any of
/// the player's words of `opposite`.
#[inline(always)]
fn reached_repeatedly(words: [u64; WORDS], opposite: [u64; WORDS]) -> [u64; 2] {
    let mut several = [0; 2];
    for player in 0..2 {
        let first = player * WORDS / 2;
        let mut once = 0;
        for at in first..first + WORDS / 2 {
            several[player] |= opposite[at] | once & words[at];
            once |= words[at];
        }
    }
    several
}

/// Replaces every word by the union of its player's four words, so that all four hold the same bitboard.
#[inline(always)]
fn union_by_player<L: Lanes>(mut sets: Words<L>) -> Words<L> {
    for at in 0..WORDS / L::COUNT {
        sets.0[at] = sets.0[at].union_of_four();
    }
    sets
}
