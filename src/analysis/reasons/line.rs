//! A move with the replies that the search expects after it.

use crate::ownership::Ownership;
use engine::board::{Board, Move};

/// Maximum length of a line in plies, with its first move.
const MAX_PLIES: usize = 6;

/// Returns the position before `moves`, then the position after each of them.
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

/// A line of play: a move and the replies that the search expects, with the position after each.
#[derive(Clone, Debug)]
pub struct Line {
    /// First move of the line.
    pub turn: Move,
    /// Expected replies after the first move, by both players in turn.
    pub replies: Vec<Move>,
    /// Position before the first move, then the position after each ply.
    boards: Vec<Board>,
    /// Expected ownership of all squares after the line.
    pub expected_ownership: Ownership,
}

impl Line {
    /// Creates the line of `turn` and the first few of `replies`. Without `expected_ownership`, the expected ownership is that
    /// at the line's end.
    ///
    /// # Panics
    /// If a move is illegal.
    #[must_use]
    pub fn new(
        before: &Board,
        turn: Move,
        replies: &[Move],
        expected_ownership: Option<Ownership>,
    ) -> Line {
        let replies = &replies[..replies.len().min(MAX_PLIES - 1)];
        let boards = positions(before, &[&[turn], replies].concat());
        let at_end = || Ownership::at_end(&boards[1..]);
        Line {
            turn,
            replies: replies.to_vec(),
            expected_ownership: expected_ownership.unwrap_or_else(at_end),
            boards,
        }
    }

    /// Returns the position before the first move.
    #[must_use]
    pub fn before(&self) -> &Board {
        &self.boards[0]
    }

    /// Returns the positions after each ply of the line, in order of play.
    #[must_use]
    pub fn after(&self) -> &[Board] {
        &self.boards[1..]
    }

    /// Returns the line's last two positions, or the only one. Within two plies each player has moved once.
    #[must_use]
    pub fn last_positions(&self) -> &[Board] {
        let after = self.after();
        &after[after.len().saturating_sub(2)..]
    }
}
