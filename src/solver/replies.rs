//! Replies: turns that have just won for certain, by player.
//!
//! A threat is seldom answered by an arrow, so the turn that carries it out wins behind most of them. It is tried there before the
//! search begins, and behind the other arrows as soon as it has won behind one (simulation, Kawano 1996).

use engine::board::{Board, Move, Player};

/// How many are remembered of each player.
pub const REMEMBERED: usize = 16;

/// The replies of both players, those that won last first.
#[derive(Default)]
pub struct Replies {
    of: [Vec<Move>; 2],
}

impl Replies {
    /// Remembers a turn that wins.
    pub fn put(&mut self, player: Player, turn: Move) {
        let replies = &mut self.of[player as usize];
        match replies.iter().position(|&known| known == turn) {
            Some(at) => replies[..=at].rotate_right(1),
            None => {
                replies.truncate(REMEMBERED - 1);
                replies.insert(0, turn);
            }
        }
    }

    /// Tests if one of the player to move's last replies, so many at most, wins: if the other one loses behind it, as far as that is
    /// told.
    pub fn win(
        &mut self,
        board: &mut Board,
        most: usize,
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
        let replies = &mut self.of[player as usize];
        let Some(at) = replies.iter().take(most).position(&mut wins) else {
            return false;
        };
        replies[..=at].rotate_right(1);
        true
    }
}
