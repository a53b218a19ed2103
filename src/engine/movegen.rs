//! Move generator: [`for_each_move`] visits, [`moves`] lists and [`count`] counts the legal moves of a position.

use crate::board::{Board, Cell, Move, STEPS, Square, squares};

/// Calls `visit` with every square to which an amazon on `from` could move, or at which it could shoot: all empty
/// squares along the eight directions up to the first obstacle.
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

/// Calls `visit` with every legal move (a whole turn) of the side to move.
///
/// The order is fixed: by the amazon's square index, then by destination and arrow, each by direction (north-west,
/// north, north-east, west, east, south-west, south, south-east) and distance.
pub fn for_each_move(board: &Board, mut visit: impl FnMut(Move)) {
    // Copy of the board on which the square that the moving amazon leaves is empty. The arrow may pass over this square
    // or stop on it, so its destinations are generated on this copy.
    let mut vacated = board.clone();
    for from in squares(board.amazons(board.to_move())) {
        vacated.set_cell(from, Cell::Empty);
        for_each_target(board, from, |to| {
            for_each_target(&vacated, to, |arrow| visit(Move { from, to, arrow }));
        });
        vacated.set_cell(from, board[from]);
    }
}

/// Returns all legal moves (whole turns) of the side to move, in the order of [`for_each_move`].
///
/// ```
/// use engine::{board::Board, movegen};
/// assert_eq!(movegen::moves(&Board::start()).len(), 1232);
/// ```
#[must_use]
pub fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    for_each_move(board, |turn| moves.push(turn));
    moves
}

/// Returns the number of legal moves of the side to move; 0 means that it has lost. A move is a whole turn: amazon's
/// move and arrow shot.
#[must_use]
pub fn count(board: &Board) -> u64 {
    let mut count = 0;
    for_each_move(board, |_| count += 1);
    count
}

/// Returns the only legal move of the side to move, or `None` if there are none or several.
#[must_use]
pub fn only_move(board: &Board) -> Option<Move> {
    match moves(board)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Returns the number of sequences of `depth` legal moves from this position (perft). The two players move alternately,
/// so `depth` is in plies. `board` is changed during the call and restored at its end.
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
