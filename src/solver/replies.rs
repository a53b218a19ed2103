//! Killer replies: the turns of each player that proved a win most recently. They are tried first in similar positions.
//!
//! An arrow seldom stops a threat, so the turn that carries out the threat wins against most arrows. Before the solver
//! searches a new position, it tries the killer replies. If a turn has just refuted one arrow, the solver tries it
//! against the sibling arrows, too (simulation, Kawano 1996).

use engine::board::{Board, Move, Player};

/// Maximum number of killer replies stored for each player.
pub const MAX_REPLIES: usize = 16;

/// Killer replies of both players, each list with the most recent reply first.
#[derive(Default)]
pub struct Replies {
    /// Lists of turns without duplicates, indexed by player: black, then white.
    by_player: [Vec<Move>; 2],
}

impl Replies {
    /// Stores `turn`, which won for `player`, as the most recent killer reply.
    pub fn put(&mut self, player: Player, turn: Move) {
        let replies = &mut self.by_player[player as usize];
        match replies.iter().position(|&known| known == turn) {
            Some(at) => replies[..=at].rotate_right(1),
            None => {
                replies.truncate(MAX_REPLIES - 1);
                replies.insert(0, turn);
            }
        }
    }

    /// Tests if one of the `max_replies` most recent killer replies of the side to move is legal on `board` and wins. A
    /// reply wins if `loses` returns true for the position after it, in which the opponent is to move. The reply found
    /// becomes the most recent. `board` is unchanged afterwards.
    pub fn refute(
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
