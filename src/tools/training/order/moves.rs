//! The moves of amazons as the order network sees them.

use crate::bitboard::MAX_LANES;
use crate::eval::order::{DIRECTIONS, LONGEST};

/// Most moves of amazons in a position: at most four amazons move, to at most 27 squares each.
pub const MAX_MOVES: usize = (4 * 27_usize).next_multiple_of(MAX_LANES);

/// A move of an amazon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AmazonMove {
    /// Number of the amazon among those of its player, from the lowest square up.
    pub amazon: u8,
    /// The square that it leaves.
    pub from: u8,
    /// The square that it enters.
    pub to: u8,
    /// How it goes, see [`OrderWeights::ways`](crate::eval::order::OrderWeights::ways).
    pub way: u8,
}

/// The moves of a position.
#[derive(Clone, Copy, Debug)]
pub struct AmazonMoves {
    moves: [AmazonMove; MAX_MOVES],
    len: usize,
}

impl AmazonMoves {
    /// All moves of a player's amazons over empty squares.
    #[inline(always)]
    #[must_use]
    pub fn of(amazons: u64, empty: u64) -> AmazonMoves {
        let mut all = AmazonMoves {
            moves: [AmazonMove::default(); MAX_MOVES],
            len: 0,
        };
        let mut rest = amazons;
        let mut amazon = 0;
        while rest != 0 {
            all.add(amazon, rest.trailing_zeros() as u8, empty);
            rest &= rest - 1;
            amazon += 1;
        }
        all
    }

    /// Adds the moves of an amazon.
    #[inline(always)]
    fn add(&mut self, amazon: u8, from: u8, empty: u64) {
        for (direction, [right, down]) in DIRECTIONS.into_iter().enumerate() {
            let (mut x, mut y) = (from as i8 % 8, from as i8 / 8);
            for length in 0..LONGEST {
                (x, y) = (x + right, y + down);
                let is_on_board = (0..8).contains(&x) && (0..8).contains(&y);
                let to = (8 * y + x) as u8;
                if !is_on_board || empty >> to & 1 == 0 {
                    break;
                }
                self.moves[self.len] = AmazonMove {
                    amazon,
                    from,
                    to,
                    way: (direction * LONGEST + length) as u8,
                };
                self.len += 1;
            }
        }
    }

    /// The moves: by amazon, then direction, then length.
    #[inline(always)]
    #[must_use]
    pub fn all(&self) -> &[AmazonMove] {
        &self.moves[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::super::visits::tests::random_boards;
    use super::*;
    use crate::board::squares;
    use crate::movegen::for_each_target;

    #[test]
    fn moves_are_those_of_the_move_generator() {
        for board in random_boards(10) {
            let amazons = board.amazons(board.to_move());
            let mut expected = Vec::new();
            for (amazon, from) in squares(amazons).enumerate() {
                for_each_target(&board, from, |to| {
                    expected.push((amazon, from.index(), to.index()));
                });
            }
            let moves = AmazonMoves::of(amazons, board.empty());
            let found = moves.all().iter();
            let found: Vec<_> = found
                .map(|turn| (turn.amazon.into(), turn.from.into(), turn.to.into()))
                .collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn ways_lead_from_square_to_square() {
        for board in random_boards(10) {
            let moves = AmazonMoves::of(board.amazons(board.to_move()), board.empty());
            for turn in moves.all() {
                let length = (usize::from(turn.way) % LONGEST + 1) as i8;
                let [right, down] = DIRECTIONS[usize::from(turn.way) / LONGEST];
                let step = 8 * down + right;
                assert_eq!(turn.from as i8 + length * step, turn.to as i8);
            }
        }
    }
}
