//! [`Line`]: a line of play, which is a move with the replies that the search expects after it.

use engine::board::{Board, Move, Square};

/// Maximum number of plies (moves by either player) in a line of play, its first move included.
const MAX_PLIES: usize = 6;

/// Returns the position before `moves`, then the position after each of these moves.
///
/// # Panics
/// If a move is illegal.
#[must_use]
pub fn positions(before: &Board, moves: &[Move]) -> Vec<Board> {
    let mut positions = vec![before.clone()];
    for &turn in moves {
        let mut next = positions[positions.len() - 1].clone();
        next.play(turn).expect("a line is legal");
        positions.push(next);
    }
    positions
}

/// A line of play: a first move, the replies that the search expects after it, and the positions after each of these
/// moves.
#[derive(Clone, Debug)]
pub struct Line {
    /// First move of the line of play.
    pub turn: Move,
    /// Expected continuation after the first move, by both players in turn; begins with the opponent's reply.
    pub replies: Vec<Move>,
    /// Position before the first move, then the position after each move of the line of play.
    boards: Vec<Board>,
}

impl Line {
    /// Creates the line of play that begins with the move `turn` in the position `before` and goes on with `replies`.
    /// Keeps at most the first five replies.
    ///
    /// # Panics
    /// If a move is illegal.
    #[must_use]
    pub fn new(before: &Board, turn: Move, replies: &[Move]) -> Line {
        let replies = &replies[..replies.len().min(MAX_PLIES - 1)];
        Line {
            turn,
            replies: replies.to_vec(),
            boards: positions(before, &[&[turn], replies].concat()),
        }
    }

    /// Returns the position before the first move of the line of play.
    #[must_use]
    pub fn before(&self) -> &Board {
        &self.boards[0]
    }

    /// Returns the position after each move of the line of play, in order.
    #[must_use]
    pub fn later_boards(&self) -> &[Board] {
        &self.boards[1..]
    }

    /// Returns the position after the first `plies` moves of the line of play, or its last position if it has fewer.
    #[must_use]
    pub fn board_after(&self, plies: usize) -> &Board {
        &self.boards[plies.min(self.boards.len() - 1)]
    }

    /// Returns the first `plies` moves of the line of play, or all of them if it has fewer.
    #[must_use]
    pub fn moves(&self, plies: usize) -> Vec<Move> {
        let moves = std::iter::once(&self.turn).chain(&self.replies);
        moves.take(plies).copied().collect()
    }

    /// Returns the square on which an amazon stands after `plies` moves of the line of play. `start` is the square on
    /// which it stands before the first move.
    #[must_use]
    pub fn track(&self, start: Square, plies: usize) -> Square {
        let moves = self.moves(plies).into_iter();
        moves.fold(start, |square, turn| match turn.from == square {
            true => turn.to,
            false => square,
        })
    }
}
