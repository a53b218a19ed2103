//! A move with what is likely to follow it.

use crate::ownership::Ownership;
use engine::board::{Board, Move};

/// Greatest number of plies of a line, its move counted.
const PLIES: usize = 6;

/// Returns the position before a line's moves, then one for each of them.
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

/// A move, and the positions of the search's line that begins with it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The move.
    pub turn: Move,
    /// The moves behind it.
    pub replies: Vec<Move>,
    /// The position before the move, then one for each ply.
    boards: Vec<Board>,
    /// Ownership of all squares that the search foresees.
    pub prospect: Ownership,
}

impl Line {
    /// The line of a move and what follows it: the moves that the search expects, and the ownership that it foresees; without
    /// that, ownership at the line's end.
    ///
    /// # Panics
    /// If a move is illegal.
    #[must_use]
    pub fn new(before: &Board, turn: Move, replies: &[Move], prospect: Option<Ownership>) -> Line {
        let replies = &replies[..replies.len().min(PLIES - 1)];
        let boards = positions(before, &[&[turn], replies].concat());
        let at_the_end = || Ownership::at_the_end(&boards[1..]);
        Line {
            turn,
            replies: replies.to_vec(),
            prospect: prospect.unwrap_or_else(at_the_end),
            boards,
        }
    }

    /// The position before the move.
    #[must_use]
    pub fn before(&self) -> &Board {
        &self.boards[0]
    }

    /// The positions behind the move, that after it first.
    #[must_use]
    pub fn behind(&self) -> &[Board] {
        &self.boards[1..]
    }

    /// The last two positions behind the move, so that each player has moved since the one before them; one, if there is
    /// no other.
    #[must_use]
    pub fn end(&self) -> &[Board] {
        let behind = self.behind();
        &behind[behind.len().saturating_sub(2)..]
    }
}
