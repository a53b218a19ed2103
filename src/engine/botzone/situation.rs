//! The position that a record, which may be damaged, leads to, with the bot to move.

use super::content::Entry;
use crate::board::{Board, Move, Player};

/// Tests if the entry after a turn number is the first of a whole record, rather than the opponent's next move on a
/// board that the bot knows. It is if a game can begin with it and it is not legal now. No record of the game that the
/// bot knows is mistaken: the arrow of its first move is still there, so that the move is never legal again.
#[must_use]
pub fn begins_record(me: Player, board: &Board, entry: &Entry) -> bool {
    let is_request = |me, board| Situation::at(me, board).take(!me, entry).is_ok();
    *entry == Entry::Nothing
        || is_request(Player::White, Board::start()) && !is_request(me, board.clone())
}

/// A game as it stands for the bot.
pub struct Situation {
    /// The bot's colour.
    pub me: Player,
    /// The position.
    pub board: Board,
    /// The last move that led to it.
    pub last: Option<Move>,
    /// Entries that were left out, and why.
    pub faults: Vec<String>,
}

impl Situation {
    /// The game of a whole record, whose first entry is a request. Illegal entries are left out.
    #[must_use]
    pub fn of_record(entries: &[Entry]) -> Situation {
        match entries.first() {
            Some(Entry::Nothing) => Situation::replay(entries, Player::Black),
            Some(Entry::Move(_)) => Situation::replay(entries, Player::White),
            // The entry that tells the colour is damaged: take the colour for which fewer entries are left out.
            _ => {
                let [black, white] =
                    [Player::Black, Player::White].map(|me| Situation::replay(entries, me));
                if white.faults.len() < black.faults.len() {
                    white
                } else {
                    black
                }
            }
        }
    }

    /// The game after a request in a position that the bot knows; the request is left out if it is not legal.
    #[must_use]
    pub fn of_request(me: Player, board: Board, request: &Entry) -> Situation {
        let mut game = Situation::at(me, board);
        if let Err(fault) = game.take(!me, request) {
            game.faults.push(match request {
                Entry::Move(_) => fault,
                _ => format!("request {fault}"),
            });
        }
        game.board.set_to_move(me);
        game
    }

    fn at(me: Player, board: Board) -> Situation {
        Situation {
            me,
            board,
            last: None,
            faults: Vec::new(),
        }
    }

    /// Plays a record with the bot in the given colour.
    fn replay(entries: &[Entry], me: Player) -> Situation {
        let mut game = Situation::at(me, Board::start());
        for (number, entry) in entries.iter().enumerate() {
            let (mover, kind) = match number % 2 {
                0 => (!me, "request"),
                _ => (me, "response"),
            };
            let is_opening = number == 0 && me == Player::Black && *entry == Entry::Nothing;
            if !is_opening && let Err(fault) = game.take(mover, entry) {
                let turn = number / 2 + 1;
                game.faults
                    .push(format!("{kind} {turn} of the record: {fault}"));
            }
        }
        game.board.set_to_move(me);
        game
    }

    /// Plays an entry as a move of the given player, even out of turn.
    fn take(&mut self, mover: Player, entry: &Entry) -> Result<(), String> {
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
