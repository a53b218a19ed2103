//! [`ReplayedGame`], the current position of a game. It is reconstructed from the moves that the platform sent, some of
//! which may be invalid.

use super::content::Entry;
use crate::board::{Board, Move, Player};

/// Tests if the platform sends all moves of the game, of which `entry` is the first. Otherwise, it sends only the
/// opponent's newest move, which is `entry`. `board` is the bot's current position, and `me` the bot's colour.
///
/// The platform sends all moves if `entry` is [`Entry::Nothing`], or if `entry` is legal in the start position but
/// illegal on `board`. The game's first move can't be played again on `board`, because its arrow still occupies its
/// square.
#[must_use]
pub fn begins_history(me: Player, board: &Board, entry: &Entry) -> bool {
    let is_request = |me, board| ReplayedGame::new(me, board).play_entry(!me, entry).is_ok();
    *entry == Entry::Nothing
        || is_request(Player::White, Board::start()) && !is_request(me, board.clone())
}

/// Result of replaying the moves that the platform sent: the position, and messages about the invalid moves.
pub struct ReplayedGame {
    /// The bot's colour.
    pub me: Player,
    /// Position after all valid moves, with the bot to move.
    pub board: Board,
    /// Last valid move, of either player; `None` if there was no valid move.
    pub last_move: Option<Move>,
    /// Error messages, one for each invalid move, in the order of the input.
    pub errors: Vec<String>,
}

impl ReplayedGame {
    /// Replays all moves of a game from the start position, with the bot's colour taken from the first entry: black if
    /// it is [`Entry::Nothing`], white if it is black's first move. Skips invalid moves and reports them in
    /// [`ReplayedGame::errors`].
    #[must_use]
    pub fn replay_history(entries: &[Entry]) -> ReplayedGame {
        match entries.first() {
            Some(Entry::Nothing) => ReplayedGame::replay_as(entries, Player::Black),
            Some(Entry::Move(_)) => ReplayedGame::replay_as(entries, Player::White),
            // If the first entry is unreadable, the bot's colour is unknown: choose the colour that makes fewer moves
            // invalid.
            _ => {
                let [black, white] =
                    [Player::Black, Player::White].map(|me| ReplayedGame::replay_as(entries, me));
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
    pub fn replay_request(me: Player, board: Board, request: &Entry) -> ReplayedGame {
        let mut game = ReplayedGame::new(me, board);
        if let Err(fault) = game.play_entry(!me, request) {
            game.errors.push(match request {
                Entry::Move(_) => fault,
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
    fn replay_as(entries: &[Entry], me: Player) -> ReplayedGame {
        let mut game = ReplayedGame::new(me, Board::start());
        for (number, entry) in entries.iter().enumerate() {
            let (mover, kind) = match number % 2 {
                0 => (!me, "request"),
                _ => (me, "response"),
            };
            let is_opening = number == 0 && me == Player::Black && *entry == Entry::Nothing;
            if !is_opening && let Err(fault) = game.play_entry(mover, entry) {
                let turn = number / 2 + 1;
                game.errors
                    .push(format!("{kind} {turn} of the record: {fault}"));
            }
        }
        game.board.set_to_move(me);
        game
    }

    /// Plays `entry` as a move of the player `mover`, even if the other player is to move.
    ///
    /// # Errors
    /// If `entry` is not a move or the move is illegal; the message says why.
    fn play_entry(&mut self, mover: Player, entry: &Entry) -> Result<(), String> {
        match entry {
            Entry::Move(turn) => {
                self.board.set_to_move(mover);
                self.board
                    .play(*turn)
                    .map_err(|fault| format!("move \"{turn}\": {fault}"))?;
                self.last_move = Some(*turn);
                Ok(())
            }
            Entry::Nothing => Err("no move in the middle of the game".to_owned()),
            Entry::Unreadable(text) => Err(text.clone()),
        }
    }
}
