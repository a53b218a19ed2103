//! [`ReplayedGame`], the current position of a game. It is reconstructed from the moves that the platform sent, some of
//! which may be invalid.

use super::content::SentMove;
use crate::board::{Board, Move, Player};

/// Returns true if a turn's input contains all moves of the game, of which `sent` is the first; false if `sent`, the
/// opponent's newest move, is the only move of the input. `sent` is the game's first move in two cases:
///
/// - `sent` is [`SentMove::NoMove`].
/// - `sent` is legal for black in the start position, but illegal for the opponent on `board`.
///
/// `board` is the position before the opponent's newest move, and `me` is the bot's colour. The game's first move is
/// always illegal on `board`, because its arrow is already there.
#[must_use]
pub fn begins_history(me: Player, board: &Board, sent: &SentMove) -> bool {
    let is_request = |me, board| ReplayedGame::new(me, board).play_sent(!me, sent).is_ok();
    *sent == SentMove::NoMove
        || is_request(Player::White, Board::start()) && !is_request(me, board.clone())
}

/// Result of replaying the moves that the platform sent: the position, and messages about the invalid moves.
pub struct ReplayedGame {
    /// The bot's colour.
    pub me: Player,
    /// Position after all valid moves that the platform sent; invalid moves are skipped. The bot is always the side to
    /// move, even if moves are missing or if the bot has no legal move.
    pub board: Board,
    /// Last valid move, of either player; `None` if there was no valid move.
    pub last_move: Option<Move>,
    /// Error messages, one for each invalid move, in the order of the input.
    pub errors: Vec<String>,
}

impl ReplayedGame {
    /// Replays all moves of a game from the start position. The first move determines the bot's colour: black if it is
    /// [`SentMove::NoMove`], white if it is a move of black. Skips invalid moves and reports them in
    /// [`ReplayedGame::errors`].
    #[must_use]
    pub fn replay_history(moves: &[SentMove]) -> ReplayedGame {
        match moves.first() {
            Some(SentMove::NoMove) => ReplayedGame::replay_as(moves, Player::Black),
            Some(SentMove::Move(_)) => ReplayedGame::replay_as(moves, Player::White),
            // If the first move is unreadable or missing, the bot's colour is unknown. Then replay the moves twice,
            // with the bot as black and as white, and choose the colour for which fewer moves are invalid; black if the
            // numbers are equal.
            _ => {
                let [black, white] =
                    [Player::Black, Player::White].map(|me| ReplayedGame::replay_as(moves, me));
                if white.errors.len() < black.errors.len() {
                    white
                } else {
                    black
                }
            }
        }
    }

    /// Plays the opponent's move `request` on the position `board`; `me` is the bot's colour. If the move is invalid,
    /// the position is `board`, and [`ReplayedGame::errors`] contains an error message.
    #[must_use]
    pub fn replay_request(me: Player, board: Board, request: &SentMove) -> ReplayedGame {
        let mut game = ReplayedGame::new(me, board);
        if let Err(fault) = game.play_sent(!me, request) {
            game.errors.push(match request {
                SentMove::Move(_) => fault,
                _ => format!("request {fault}"),
            });
        }
        game.board.set_to_move(me);
        game
    }

    fn new(me: Player, board: Board) -> ReplayedGame {
        ReplayedGame {
            me,
            board,
            last_move: None,
            errors: Vec::new(),
        }
    }

    /// Replays all moves of a game from the start position, with the bot as player `me`. Skips invalid moves and
    /// reports them in [`ReplayedGame::errors`].
    fn replay_as(moves: &[SentMove], me: Player) -> ReplayedGame {
        let mut game = ReplayedGame::new(me, Board::start());
        for (number, sent) in moves.iter().enumerate() {
            let (mover, kind) = match number % 2 {
                0 => (!me, "request"),
                _ => (me, "response"),
            };
            let is_opening = number == 0 && me == Player::Black && *sent == SentMove::NoMove;
            if !is_opening && let Err(fault) = game.play_sent(mover, sent) {
                let turn = number / 2 + 1;
                game.errors
                    .push(format!("{kind} {turn} of the record: {fault}"));
            }
        }
        game.board.set_to_move(me);
        game
    }

    /// Plays the move `sent` for the player `mover`. If the other player is to move, makes `mover` the side to move
    /// first.
    ///
    /// # Errors
    /// If `sent` is not a move or the move is illegal; the message says why.
    fn play_sent(&mut self, mover: Player, sent: &SentMove) -> Result<(), String> {
        match sent {
            SentMove::Move(turn) => {
                self.board.set_to_move(mover);
                self.board
                    .play(*turn)
                    .map_err(|fault| format!("move \"{turn}\": {fault}"))?;
                self.last_move = Some(*turn);
                Ok(())
            }
            SentMove::NoMove => Err("no move in the middle of the game".to_owned()),
            SentMove::Unreadable(text) => Err(text.clone()),
        }
    }
}
