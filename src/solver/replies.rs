//! Killer replies: turns of each player that recently proved a win, tried first in similar positions.
//!
//! An arrow seldom stops a threat, so the turn that carries out the threat wins against most arrows. The solver tries
//! such turns before it searches a new position, and tries a turn that has just refuted one arrow against the other
//! arrows (simulation, Kawano 1996).

use engine::board::{Board, Move, Player};

/// Maximum number of turns stored for each player.
pub const MAX_REPLIES: usize = 16;

/// Recent winning turns of both players, the most recent first.
#[derive(Default)]
pub struct Replies {
    by_player: [Vec<Move>; 2],
}

impl Replies {
    /// Stores a winning turn of `player` as the most recent one.
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

    /// Tests if one of the first `max_replies` stored turns of the side to move wins. A turn wins if `loses` returns
    /// true for the position after it.
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
