//! The moves of amazons as the order network sees them.

use crate::bitboard::MAX_LANES;
use crate::board::squares;
use crate::eval::order::{DIRECTIONS, LONGEST};

/// Most moves of amazons in a position: at most four amazons move, to at most 27 squares each.
pub const MAX_MOVES: usize = (4 * 27_usize).next_multiple_of(MAX_LANES);

/// A move of an amazon.
#[derive(Clone, Copy, Debug)]
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

/// All moves of a player's amazons over empty squares: by amazon, then direction, then length.
#[must_use]
pub fn amazon_moves(amazons: u64, empty: u64) -> Vec<AmazonMove> {
    let mut moves = Vec::with_capacity(MAX_MOVES);
    for (amazon, from) in (0..).zip(squares(amazons)) {
        for (direction, [right, down]) in DIRECTIONS.into_iter().enumerate() {
            let (mut x, mut y) = (from.x() as i8, from.y() as i8);
            for length in 0..LONGEST {
                (x, y) = (x + right, y + down);
                let is_on_board = (0..8).contains(&x) && (0..8).contains(&y);
                let to = (8 * y + x) as u8;
                if !is_on_board || empty >> to & 1 == 0 {
                    break;
                }
                moves.push(AmazonMove {
                    amazon,
                    from: from.index() as u8,
                    to,
                    way: (direction * LONGEST + length) as u8,
                });
            }
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::for_each_target;
    use crate::tools::training::samples::tests::random_boards;

    #[test]
    fn moves_are_those_of_the_move_generator_and_their_ways_lead_there() {
        for board in random_boards(10) {
            let amazons = board.amazons(board.to_move());
            let mut expected = Vec::new();
            for (amazon, from) in squares(amazons).enumerate() {
                for_each_target(&board, from, |to| {
                    expected.push((amazon, from.index(), to.index()));
                });
            }
            let moves = amazon_moves(amazons, board.empty());
            let found = moves
                .iter()
                .map(|turn| (turn.amazon.into(), turn.from.into(), turn.to.into()));
            assert_eq!(Vec::from_iter(found), expected);
            for turn in moves {
                let length = (usize::from(turn.way) % LONGEST + 1) as i8;
                let [right, down] = DIRECTIONS[usize::from(turn.way) / LONGEST];
                let step = 8 * down + right;
                assert_eq!(turn.from as i8 + length * step, turn.to as i8);
            }
        }
    }
}
