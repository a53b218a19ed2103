//! Killer replies ([`KillerReplies`]): the turns of each player that won most recently, which are tried first in
//! similar positions (the killer heuristic).
//!
//! An arrow seldom stops a threat, so the turn that carries out the threat wins against most arrows. The solver tries
//! the killer replies at each new position. If a turn has just refuted one arrow, the solver tries it against the
//! sibling arrows (simulation, Kawano 1996).

use engine::board::{Board, Move, Player};

/// Maximum number of killer replies (turns that won recently) stored for each player.
pub const MAX_REPLIES: usize = 16;

/// Killer replies: for each player, the turns by which this player recently won in other positions of the search.
#[derive(Default)]
pub struct KillerReplies {
    /// For each player, turns by which this player was proven to win in a position of the search. The most recent is
    /// first; there are no duplicates. Index 0 is black, index 1 white.
    by_player: [Vec<Move>; 2],
}

impl KillerReplies {
    /// Stores `turn`, which won for `player`, as the most recent killer reply (turn that won recently) of `player`.
    pub fn add(&mut self, player: Player, turn: Move) {
        let replies = &mut self.by_player[player as usize];
        match replies.iter().position(|&known| known == turn) {
            Some(at) => replies[..=at].rotate_right(1),
            None => {
                replies.truncate(MAX_REPLIES - 1);
                replies.insert(0, turn);
            }
        }
    }

    /// Tests if one of the `max_replies` most recent killer replies (turns that won recently) of the side to move wins
    /// on `board`. A reply wins if it is legal and `loses` returns true for the position after it, in which the
    /// opponent is to move. The winning reply becomes the most recent one. `board` is unchanged afterwards.
    pub fn any_wins(
        &mut self,
        board: &mut Board,
        max_replies: usize,
        mut loses: impl FnMut(&Board) -> bool,
    ) -> bool {
        let player = board.to_move();
        let mut wins = |&turn: &Move| {
            if board.play(turn).is_err() {
                return false;
            }
            let wins = loses(board);
            board.take_back(turn);
            wins
        };
        let replies = &mut self.by_player[player as usize];
        let Some(at) = replies.iter().take(max_replies).position(&mut wins) else {
            return false;
        };
        replies[..=at].rotate_right(1);
        true
    }
}
