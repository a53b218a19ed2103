//! Reconstructs the current position of a game, with the bot to move, from a record that may contain invalid entries.

use super::content::Entry;
use crate::board::{Board, Move, Player};

/// Tests if `entry`, the first after a turn number, begins a whole game record; otherwise it is the opponent's next
/// move. `board` is the position that the bot knows, and `me` the bot's colour. An entry begins a record if it is
/// [`Entry::Nothing`], or a legal first move of a game that is illegal on `board`. The record of the known game is
/// never mistaken: the arrow of its first move is still on `board`, so that move can never be legal again.
#[must_use]
pub fn begins_record(me: Player, board: &Board, entry: &Entry) -> bool {
    let is_request = |me, board| ReplayedGame::at(me, board).play_entry(!me, entry).is_ok();
    *entry == Entry::Nothing
        || is_request(Player::White, Board::start()) && !is_request(me, board.clone())
}

/// Result of replaying a game: the position, and the entries that had to be skipped.
pub struct ReplayedGame {
    /// The bot's colour.
    pub me: Player,
    /// Position after the last valid entry, with the bot to move.
    pub board: Board,
    /// Last move that was played by either player; `None` if no entry was a legal move.
    pub last: Option<Move>,
    /// Error messages for the entries that were skipped, one each, in the order of the record.
    pub faults: Vec<String>,
}

impl ReplayedGame {
    /// Replays a whole record whose first entry is a request. An empty first request means that the bot plays black.
    /// Illegal entries are skipped and reported in [`ReplayedGame::faults`].
    #[must_use]
    pub fn of_record(entries: &[Entry]) -> ReplayedGame {
        match entries.first() {
            Some(Entry::Nothing) => ReplayedGame::replay(entries, Player::Black),
            Some(Entry::Move(_)) => ReplayedGame::replay(entries, Player::White),
            // If the first entry is invalid, the bot's colour is unknown: choose the colour for which fewer entries are
            // skipped.
            _ => {
                let [black, white] =
                    [Player::Black, Player::White].map(|me| ReplayedGame::replay(entries, me));
                if white.faults.len() < black.faults.len() {
                    white
                } else {
                    black
                }
            }
        }
    }

    /// Plays `request`, a move of the opponent, on the known position `board`. An illegal request is skipped and
    /// reported in [`ReplayedGame::faults`].
    #[must_use]
    pub fn of_request(me: Player, board: Board, request: &Entry) -> ReplayedGame {
        let mut game = ReplayedGame::at(me, board);
        if let Err(fault) = game.play_entry(!me, request) {
            game.faults.push(match request {
                Entry::Move(_) => fault,
                _ => format!("request {fault}"),
            });
        }
        game.board.set_to_move(me);
        game
    }

    fn at(me: Player, board: Board) -> ReplayedGame {
        ReplayedGame {
            me,
            board,
            last: None,
            faults: Vec::new(),
        }
    }

    /// Replays a record of a game in which the bot has the colour `me`.
    fn replay(entries: &[Entry], me: Player) -> ReplayedGame {
        let mut game = ReplayedGame::at(me, Board::start());
        for (number, entry) in entries.iter().enumerate() {
            let (mover, kind) = match number % 2 {
                0 => (!me, "request"),
                _ => (me, "response"),
            };
            let is_opening = number == 0 && me == Player::Black && *entry == Entry::Nothing;
            if !is_opening && let Err(fault) = game.play_entry(mover, entry) {
                let turn = number / 2 + 1;
                game.faults
                    .push(format!("{kind} {turn} of the record: {fault}"));
            }
        }
        game.board.set_to_move(me);
        game
    }

    /// Plays `entry` as a move of `mover`, even if the other player is to move.
    ///
    /// # Errors
    /// If `entry` is no move or the move is illegal; the message says why.
    fn play_entry(&mut self, mover: Player, entry: &Entry) -> Result<(), String> {
        match entry {
            Entry::Move(turn) => {
                self.board.set_to_move(mover);
                self.board
                    .play(*turn)
                    .map_err(|fault| format!("move \"{turn}\": {fault}"))?;
                self.last = Some(*turn);
                Ok(())
            }
            Entry::Nothing => Err("no move in the middle of the game".to_owned()),
            Entry::Unreadable(text) => Err(text.clone()),
        }
    }
}
