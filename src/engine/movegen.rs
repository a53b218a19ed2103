//! The move generator: walks the padded array of the board along the eight queen directions.

use crate::board::{Board, Cell, Move, STEPS, Square, squares};

/// Calls `visit` with every square that a queen on `from` reaches over empty squares.
#[inline]
pub fn for_each_target(board: &Board, from: Square, mut visit: impl FnMut(Square)) {
    for &step in &STEPS {
        let mut at = from.padded().wrapping_add_signed(step);
        while board.cell(at) == Cell::Empty {
            visit(Square::from_padded(at));
            at = at.wrapping_add_signed(step);
        }
    }
}

/// Calls `visit` with every legal move of the player to move.
///
/// The order is fixed: amazons by square, then destinations, then arrows by direction and distance.
pub fn for_each_move(board: &Board, mut visit: impl FnMut(Move)) {
    // The square that the amazon leaves is empty for the arrow: arrows fly on a copy of the board without the amazon.
    let mut vacated = board.clone();
    for from in squares(board.amazons(board.to_move())) {
        vacated.put(from, Cell::Empty);
        for_each_target(board, from, |to| {
            for_each_target(&vacated, to, |arrow| visit(Move { from, to, arrow }));
        });
        vacated.put(from, board[from]);
    }
}

/// All legal moves of the player to move, in the order of [`for_each_move`].
///
/// ```
/// use amazons_engine::{board::Board, movegen};
/// assert_eq!(movegen::moves(&Board::start()).len(), 1232);
/// ```
#[must_use]
pub fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    for_each_move(board, |turn| moves.push(turn));
    moves
}

/// Number of legal moves of the player to move.
#[must_use]
pub fn count(board: &Board) -> u64 {
    let mut count = 0;
    for_each_move(board, |_| count += 1);
    count
}

/// The only legal move of the player to move, if there is exactly one.
#[must_use]
pub fn only_move(board: &Board) -> Option<Move> {
    match moves(board)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Number of sequences of `depth` moves from this position, both players taking turns.
#[must_use]
pub fn perft(board: &mut Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count(board),
        _ => moves(board).into_iter().fold(0, |total, turn| {
            board.move_amazon(turn.from, turn.to);
            board.shoot(turn.arrow);
            let below = perft(board, depth - 1);
            board.take_back(turn);
            total + below
        }),
    }
}
