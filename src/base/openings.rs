//! Random openings ([`random_opening`]). An opening can be reproduced from its seed and its number.

use engine::board::{Board, Move};
use engine::movegen;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Returns the moves of a random opening: `plies` legal moves from the start position, after which the side to move
/// still has a legal move. `seed` selects a series of openings, and `number` selects one opening of this series. Equal
/// arguments always give the same moves.
#[must_use]
pub fn random_opening(seed: u64, number: usize, plies: usize) -> Vec<Move> {
    let mut rng =
        SmallRng::seed_from_u64(seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    loop {
        let mut board = Board::start();
        let mut opening = Vec::new();
        while opening.len() < plies {
            let moves = movegen::moves(&board);
            if moves.is_empty() {
                break;
            }
            let turn = moves[(rng.next_u64() % moves.len() as u64) as usize];
            board.play(turn).expect("a generated move is legal");
            opening.push(turn);
        }
        if opening.len() == plies && movegen::count(&board) > 0 {
            return opening;
        }
    }
}
