//! Replies: turns that have just won for certain, by player.
//!
//! A threat is seldom answered by an arrow, so the turn that carries it out wins behind most of them. It is tried there before the
//! search begins, and behind the other arrows as soon as it has won behind one (simulation, Kawano 1996).

use crate::board::{Board, Move, Player};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::mcts::certain_winner;

    /// Three amazons of each side are shut in. Black's fourth, a1, has two squares beside it; white's, h8, has one.
    fn board() -> Board {
        let (black, white) = (1 << 0 | 0b111 << 24, 1 << 63 | 0b111 << 40);
        let arrows = !(black | white | 0b110 | 1 << 62);
        Board::from_sets(black, white, arrows, Player::Black).expect("four amazons each")
    }

    fn is_lost(board: &Board) -> bool {
        certain_winner(board) == Some(!board.to_move())
    }

    fn turn(text: &str) -> Move {
        text.parse().expect("a move")
    }

    #[test]
    fn a_reply_wins_where_it_is_legal_and_keeps_enough_moves() {
        let (wins, loses, is_illegal) = (turn("a1 b1 a1"), turn("a1 c1 b1"), turn("h8 g8 h8"));
        let cases: [(&[Move], bool); 4] = [
            (&[], false),
            (&[loses, is_illegal], false),
            (&[wins, loses, is_illegal], true),
            (&[is_illegal, loses, wins], true),
        ];
        for (turns, expected) in cases {
            let mut replies = Replies::default();
            for &turn in turns {
                replies.put(Player::Black, turn);
            }
            let mut board = board();
            let mut wins = |board: &mut Board| replies.win(board, REMEMBERED, is_lost);
            assert_eq!(wins(&mut board), expected, "{turns:?}");
            assert_eq!(board, self::board());
            board.set_to_move(Player::White);
            assert!(!wins(&mut board), "of the other player");
        }
    }

    #[test]
    fn the_replies_that_won_last_are_remembered() {
        let mut replies = Replies::default();
        let others = |replies: &mut Replies| {
            for arrow in Square::all().take(REMEMBERED - 1) {
                let mut is_illegal = turn("h8 g8 h8");
                is_illegal.arrow = arrow;
                replies.put(Player::Black, is_illegal);
            }
        };
        let wins = |replies: &mut Replies, most| replies.win(&mut board(), most, is_lost);
        replies.put(Player::Black, turn("a1 b1 a1"));
        others(&mut replies);
        assert!(!wins(&mut replies, REMEMBERED - 1));
        assert!(wins(&mut replies, REMEMBERED));
        // It has won again, so it is the first now.
        assert!(wins(&mut replies, 1));
        others(&mut replies);
        assert!(wins(&mut replies, REMEMBERED));
        others(&mut replies);
        replies.put(Player::Black, turn("a1 c1 b1"));
        assert!(!wins(&mut replies, REMEMBERED));
    }
}
